"""What the system is given of the site's file at each start, before network, SSH and daemon.

The root is the same on every board and is never written; a layer in memory is over it. So everything here is written
anew at each start, and what the site takes out of its file is gone.
"""

from __future__ import annotations

import socket
import subprocess
from collections.abc import Iterable
from pathlib import Path

from msgspec import Struct

from controller.board.site_file import SiteFile
from controller.errors import UserError

KEYS, RULES = "authorized_keys", "59-cutcard-site.rules"
"""On the boot partition: who may log in over SSH, and which device is which."""


class SystemFile(Struct, frozen=True):
    """A file of the system; its place is below the root."""

    place: str
    text: str
    mode: int = 0o644


def system_files(said: SiteFile, site: Path) -> list[SystemFile]:
    """What is written for this file, and for those that are beside it on the boot partition."""
    found = []
    name = said.name or said.table
    if name:
        found.append(SystemFile("etc/hostname", f"{name}\n"))
        found.append(SystemFile("etc/hosts", f"127.0.0.1 localhost\n127.0.1.1 {name}\n::1 localhost ip6-localhost\n"))
    if said.address or said.dns:
        found.append(SystemFile("etc/systemd/network/70-site.network", _network(said)))
    if said.time:
        servers = f"[Time]\nNTP={' '.join(said.time)}\nFallbackNTP=\n"
        found.append(SystemFile("etc/systemd/timesyncd.conf.d/site.conf", servers))
    for file, place, mode in ((KEYS, "etc/ssh/site_keys", 0o600), (RULES, f"etc/udev/rules.d/{RULES}", 0o644)):
        if (site / file).is_file():
            found.append(SystemFile(place, (site / file).read_text(), mode))
    return found


def apply(said: SiteFile, site: Path, root: Path = Path("/")) -> None:
    """Write them. `UserError` where the system refuses."""
    try:
        for file in system_files(said, site):
            place = root / file.place
            place.parent.mkdir(parents=True, exist_ok=True)
            place.touch(file.mode)
            place.write_text(file.text)
            place.chmod(file.mode)
        if name := said.name or said.table:
            socket.sethostname(name)
        if said.console_password:
            _run("usermod", "--password", said.console_password, "root")
        if (site / RULES).is_file():
            _run("udevadm", "control", "--reload")
            _run("udevadm", "trigger", "--action=change", "--subsystem-match=tty", "--subsystem-match=usb")
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"The site's settings cannot be put in place: {error}.") from None


def _network(said: SiteFile) -> str:
    lines = ["[Match]", "Type=ether", "", "[Network]", *_addressed(said)]
    return "\n".join([*lines, *(f"DNS={server}" for server in said.dns), ""])


def _addressed(said: SiteFile) -> Iterable[str]:
    if said.address is None:
        return ("DHCP=yes",)
    gateway = () if said.gateway is None else (f"Gateway={said.gateway}",)
    return (f"Address={said.address}", *gateway)


def _run(*command: str) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise UserError(f"{command[0]}: {(done.stderr or done.stdout).strip()}")
