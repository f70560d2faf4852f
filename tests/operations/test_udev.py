"""The udev rules, judged by udev itself: `udevadm test` over made-up devices, in a mount namespace of its own.

There is no USB here, so /sys is a small tree in which an adapter and a card reader are plugged in as the kernel shows
them. What is real is everything that a rule meets: udev's parser, its builtins, the links it makes and the permissions
it sets. What is not tried is the kernel's own part: that a device appears so in /sys.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.support.project import ROOT

UDEV = ROOT / "deploy" / "udev"
UDEVADM = shutil.which("udevadm", path=os.environ.get("PATH", "") + ":/usr/bin:/sbin:/bin")
HOST = "devices/platform/scb/fd500000.pcie/pci0000:00/0000:00:00.0/0000:01:00.0"
HUB = f"{HOST}/usb1/1-1"

pytestmark = pytest.mark.skipif(
    UDEVADM is None or os.getuid() != 0, reason="the udev rules are judged by udevadm, as root (apt install udev)"
)


@dataclass
class Plugged:
    """What udev made of a device."""

    links: set[str]
    owner: str
    """As in root:cutcard 660."""
    properties: dict[str, str]
    said: str


class Bench:
    """A made-up /sys, and udev looking at it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.sys = folder / "sys"
        for bus in (
            "bus/usb",
            "bus/usb-serial",
            "bus/hid",
            "bus/pci",
            "bus/platform",
            "class/tty",
            "class/hidraw",
            "class/input",
        ):
            (self.sys / bus).mkdir(parents=True)
        self._drivers = self.sys / "bus/usb-serial/drivers/ftdi_sio"
        self._drivers.mkdir(parents=True)
        self.device("devices/platform/scb/fd500000.pcie", "bus/platform")
        self.device(HOST, "bus/pci")
        for hub in (f"{HOST}/usb1", HUB):
            self.device(hub, "bus/usb", "DEVTYPE=usb_device\n")

    def device(self, path: str, subsystem: str, uevent: str = "", **attributes: str) -> str:
        folder = self.sys / path
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "uevent").write_text(uevent)
        (folder / "subsystem").symlink_to(os.path.relpath(self.sys / subsystem, folder))
        for name, value in attributes.items():
            place = folder / name.replace("__", "/")
            place.parent.mkdir(exist_ok=True)
            place.write_text(value + "\n")
        return path

    def usb(self, socket: str, vid: str, pid: str, number: int, **attributes: str) -> str:
        """A USB device in this socket."""
        node = f"MAJOR=189\nMINOR={number}\nDEVNAME=bus/usb/001/{number + 1:03}\nDEVTYPE=usb_device\n"
        path = f"{HUB}/{socket}"
        ids = {"idVendor": vid, "idProduct": pid, "power__control": "auto", "dev": f"189:{number}", **attributes}
        return self.device(path, "bus/usb", node, **ids)

    def interface(self, usb: str) -> str:
        return self.device(f"{usb}/{Path(usb).name}:1.0", "bus/usb", "DEVTYPE=usb_interface\n", bInterfaceNumber="00")

    def adapter(self, socket: str, name: str, number: int, *, serial: str | None = "A10442", vid: str = "0403") -> str:
        """A serial adapter; gives the path of its tty."""
        usb = self.usb(socket, vid, "6001", number, **({"serial": serial} if serial else {}))
        port = self.device(f"{self.interface(usb)}/{name}", "bus/usb-serial", port_number="0", latency_timer="9")
        (self.sys / port / "driver").symlink_to(os.path.relpath(self._drivers, self.sys / port))
        return self.tty(f"{port}/tty/{name}", name, 188, number)

    def tty(self, path: str, name: str, major: int, minor: int) -> str:
        return self.device(path, "class/tty", f"MAJOR={major}\nMINOR={minor}\nDEVNAME={name}\n", dev=f"{major}:{minor}")

    def look(self, path: str, *, site: bool, log: str = "debug") -> Plugged:
        """Plug it in: udev works through our rules, with its own before them, and does what they say."""
        rules = self.folder / "rules"
        rules.mkdir(exist_ok=True)
        shutil.copy(UDEV / "60-cutcard.rules", rules)
        if site:
            shutil.copy(UDEV / "59-cutcard-site.rules", rules)
        shutil.copy("/etc/group", self.folder / "group")
        with (self.folder / "group").open("a") as group:
            group.write("cutcard:x:4711:\n")
        uevent = dict(re.findall(r"^(\w+)=(.*)$", (self.sys / path / "uevent").read_text(), re.MULTILINE))
        node = uevent.get("DEVNAME", "")
        script = f"""
            set -e
            mount --bind {self.folder}/group /etc/group
            mount --bind {self.sys} /sys
            mount -t tmpfs none /run
            mkdir -p /run/udev/rules.d; cp {rules}/* /run/udev/rules.d  # Before /dev is hidden.
            mount -t tmpfs none /dev
            if [ -n "{node}" ]; then
              mkdir -p "$(dirname /dev/{node})"; mknod -m 0600 /dev/{node} c {uevent.get("MAJOR")} {uevent.get("MINOR")}
            fi
            {UDEVADM} test --action=add /sys/{path} 2>&1
            echo OWNER; if [ -n "{node}" ]; then stat -c '%U:%G %a' /dev/{node}; fi
        """
        # Its own rules first; a name in /run of theirs would hide them, and ours have other names.
        done = subprocess.run(
            ["unshare", "--mount", "--propagation", "private", "sh", "-c", script],
            env={**os.environ, "SYSTEMD_DEVICE_VERIFY_SYSFS": "0", "SYSTEMD_LOG_LEVEL": log},
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        said, _, owner = done.stdout.rpartition("OWNER\n")
        properties = dict(re.findall(r"^ *([A-Z_.]+)=(.*)$", said, re.MULTILINE))
        return Plugged(
            links={link.removeprefix("/dev/") for link in properties.get("DEVLINKS", "").split()},
            owner=self._as_udevd(said, owner.strip()),
            properties=properties,
            said=said,
        )

    def _as_udevd(self, said: str, owner: str) -> str:
        """Do what `udevadm test` only reports from systemd 256 on: write attributes, change the node's owner."""
        for attribute, value in re.findall(r'skipping writing ATTR\{/sys/(\S+)\}="(.*)"', said):
            (self.sys / attribute).write_text(value)
        group = re.search(r"^Device node group:\n +(\w+)", said, re.MULTILINE)
        mode = re.search(r"^Device node permission:\n +0?(\d+)", said, re.MULTILINE)
        before = re.fullmatch(r"(\w+):(\w+) (\d+)", owner)
        if before is None:
            return owner
        return f"{before[1]}:{group[1] if group else before[2]} {mode[1] if mode else before[3]}"


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)


PORT = "cutcard/by-port/platform-fd500000.pcie-pci-0000:01:00.0-usb-0:1.1:1.0-port0"


def test_udev_finds_no_fault_with_our_rules(bench: Bench) -> None:
    """It names file and line of what it ignores."""
    plugged = bench.look(bench.adapter("1-1.1", "ttyUSB0", 1), site=True, log="info")
    assert plugged.properties["CUTCARD_DEVICE"] == "shoe"
    assert not [line for line in plugged.said.splitlines() if ".rules:" in line and "cutcard" in line]


def test_every_serial_adapter_has_a_name_by_its_socket_and_is_the_tables_alone(bench: Bench) -> None:
    plugged = bench.look(bench.adapter("1-1.1", "ttyUSB0", 1, serial=None), site=False)
    assert PORT in plugged.links
    assert plugged.owner == "root:cutcard 660"
    assert plugged.properties["ID_MM_DEVICE_IGNORE"] == "1"
    assert "uaccess" not in plugged.properties.get("TAGS", "")


def test_the_site_gives_an_adapter_the_devices_name_by_its_serial_number(bench: Bench) -> None:
    shoe = bench.look(bench.adapter("1-1.1", "ttyUSB0", 1, serial="A10442"), site=True)
    shuffler = bench.look(bench.adapter("1-1.2", "ttyUSB1", 2, serial="A10443"), site=True)
    dice = bench.look(bench.adapter("1-1.3", "ttyUSB2", 3, serial=None), site=True)
    for device, name in ((shoe, "shoe"), (shuffler, "shuffler"), (dice, "dice")):
        assert {link for link in device.links if "by-" not in link} >= {f"cutcard/{name}"}
    assert PORT in shoe.links


def test_an_ftdi_adapter_keeps_no_byte_back(bench: Bench) -> None:
    tty = bench.adapter("1-1.1", "ttyUSB0", 1)
    port = Path(tty).parent.parent
    bench.look(str(port), site=False)
    assert (bench.sys / port / "latency_timer").read_text().strip() == "1"


def test_a_card_reader_is_the_tables_where_the_site_says_so_and_nobody_elses(bench: Bench) -> None:
    reader = bench.usb("1-1.4", "1209", "0001", 4, serial="SIM-0001")
    hid = bench.device(f"{bench.interface(reader)}/0003:1209:0001.0001", "bus/hid")
    raw = bench.device(f"{hid}/hidraw/hidraw0", "class/hidraw", "MAJOR=243\nMINOR=0\nDEVNAME=hidraw0\n", dev="243:0")
    named = bench.look(reader, site=True)
    assert named.owner == "root:cutcard 660"
    assert "cutcard/reader" in named.links
    assert (bench.sys / reader / "power" / "control").read_text().startswith("on")
    assert bench.look(raw, site=True).owner == "root:root 600"


def test_a_keyboard_beside_the_table_is_left_alone(bench: Bench) -> None:
    keyboard = bench.usb("1-1.4", "046d", "c31c", 4)
    plugged = bench.look(keyboard, site=True)
    assert not [link for link in plugged.links if "cutcard" in link]
    assert "cutcard" not in plugged.owner


def test_a_port_of_the_board_is_the_tables_only_where_the_site_says_so(bench: Bench) -> None:
    port = bench.tty("devices/platform/soc/fe201000.serial/tty/ttyAMA0", "ttyAMA0", 204, 64)
    console = bench.look(port, site=False)
    assert "cutcard" not in console.owner
    assert not [link for link in console.links if "cutcard" in link]
    board = bench.look(port, site=True)
    assert board.owner == "root:cutcard 660"
    assert "cutcard/board" in board.links


def test_the_boards_tpm_is_open_to_the_table(bench: Bench) -> None:
    """Also where a later rule of Debian's gives it to the group tss."""
    node = "MAJOR=253\nMINOR=65536\nDEVNAME=tpmrm0\n"
    tpm = bench.device("devices/platform/MSFT0101:00/tpmrm/tpmrm0", "class/tpmrm", node, dev="253:65536")
    assert bench.look(tpm, site=False).owner.endswith(":cutcard 660")
