"""A serial port by its USB identity: the one that is meant, or a refusal that names what is there."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from serial.tools import list_ports

from devices.ports.discovery import PortError, SerialPort, find, serial_ports
from devices.ports.transport import open_port
from sim_hw.wire.pty import Pty

BY_ID = "/dev/serial/by-id"


def ftdi(path: str, by_id: str, serial: str, socket: str) -> SerialPort:
    return SerialPort(
        path=path,
        by_id=f"{BY_ID}/{by_id}",
        serial=serial,
        socket=socket,
        vid=0x0403,
        pid=0x6001,
        product="FT232R USB UART",
    )


def clone(path: str, by_id: str | None, socket: str) -> SerialPort:
    """An adapter without a serial number."""
    return SerialPort(path=path, by_id=by_id, socket=socket, vid=0x1A86, pid=0x7523, product="USB Serial")


SHOE = ftdi("/dev/ttyUSB0", "usb-FTDI_FT232R_A10442-if00", "A10442", "1-1.1")
SHUFFLER = ftdi("/dev/ttyUSB1", "usb-FTDI_FT232R_A10443-if00", "A10443", "1-1.2")
ON_BOARD = SerialPort(path="/dev/ttyAMA0")
NAMED_CLONE = clone("/dev/ttyUSB2", f"{BY_ID}/usb-1a86_USB_Serial-if00", "1-1.3")
OTHER_CLONE = clone("/dev/ttyUSB3", None, "1-1.4")
ALL = [SHOE, SHUFFLER, ON_BOARD, NAMED_CLONE, OTHER_CLONE]


def refusal(url: str, ports: list[SerialPort]) -> str:
    with pytest.raises(PortError) as refused:
        find(url, ports)
    return str(refused.value)


@pytest.mark.parametrize(
    ("url", "port"),
    [
        ("usb://0403:6001/A10443", SHUFFLER),
        ("usb://0403:6001?port=1-1.1", SHOE),
        ("usb://1A86:7523?port=1-1.4", OTHER_CLONE),
    ],
)
def test_a_serial_number_or_a_socket_names_one_port(url: str, port: SerialPort) -> None:
    assert find(url, ALL) == port.path


def test_vendor_and_product_are_enough_where_there_is_one_such_port() -> None:
    assert find("usb://0403:6001", [SHOE, ON_BOARD]) == SHOE.path


def test_a_url_that_fits_two_ports_is_refused_with_both_named() -> None:
    says = refusal("usb://0403:6001", ALL)
    assert "fits 2 ports, and the table does not guess" in says
    assert SHOE.path in says
    assert SHUFFLER.path in says
    assert NAMED_CLONE.path not in says


def test_a_name_that_two_adapters_without_a_serial_number_fight_for_is_refused_with_both_named() -> None:
    assert NAMED_CLONE.by_id is not None
    says = refusal(NAMED_CLONE.by_id, ALL)
    assert NAMED_CLONE.path in says
    assert OTHER_CLONE.path in says
    assert "usb://1a86:7523?port=1-1.3" in says
    assert find(NAMED_CLONE.by_id, [SHOE, NAMED_CLONE]) == NAMED_CLONE.by_id


def test_the_several_ports_of_one_adapter_have_names_of_their_own() -> None:
    four = [ftdi(f"/dev/ttyUSB{n}", f"usb-FT4232-if0{n}", "F1", f"1-2:1.{n}") for n in range(4)]
    assert find(f"{BY_ID}/usb-FT4232-if02", four) == f"{BY_ID}/usb-FT4232-if02"
    assert find("usb://0403:6001?port=1-2:1.3", four) == "/dev/ttyUSB3"
    assert "fits 4 ports" in refusal("usb://0403:6001/F1", four)
    assert "fits 4 ports" in refusal("usb://0403:6001?port=1-2", four)


def test_a_port_that_is_not_there_says_what_is() -> None:
    assert SHOE.path in refusal("usb://0403:6015", ALL)
    assert "no USB port is here" in refusal("usb://0403:6001", [ON_BOARD])


@pytest.mark.parametrize(
    "url",
    ["usb://403:6001", "usb://0403", "usb:0403:6001", "usb://0403:6001?socket=1-1", "usb://0403:6001/a/b", "usb://"],
)
def test_a_url_that_names_no_usb_device_says_how_to_write_one(url: str) -> None:
    assert "write usb://VID:PID" in refusal(url, ALL)


@pytest.mark.parametrize("port", ALL)
def test_the_line_to_paste_finds_the_port_again_or_says_why_not(port: SerialPort) -> None:
    if port is NAMED_CLONE:
        assert "does not guess" in refusal(port.url, ALL)
    else:
        assert find(port.url, ALL) in (port.path, port.by_id)


async def readable(port: Pty) -> None:
    """Until the driver's end has written something."""
    loop = asyncio.get_running_loop()
    came = asyncio.Event()
    loop.add_reader(port.fileno(), came.set)
    try:
        await came.wait()
    finally:
        loop.remove_reader(port.fileno())


class _Info:
    """As much of pyserial's `ListPortInfo` as is looked at."""

    def __init__(self, device: Path, serial: str | None) -> None:
        self.device = str(device)
        self.vid, self.pid, self.serial_number, self.product = 0x0403, 0x6001, serial, "FT232R USB UART"
        self.location = "1-1.1"

    def __lt__(self, other: _Info) -> bool:
        return self.device < other.device


async def test_a_port_is_opened_by_its_identity_wherever_it_was_plugged_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    port = Pty(tmp_path, "ttyUSB7")
    port.plug()
    monkeypatch.setattr(list_ports, "comports", lambda: [_Info(port.path, "A10442")])
    lost = asyncio.Event()

    class Ends(asyncio.Protocol):
        def connection_lost(self, exc: Exception | None) -> None:
            lost.set()

    transport = await open_port("usb://0403:6001/A10442", 115_200, Ends())
    transport.write(b"hello")
    await readable(port)
    assert port.read() == b"hello"
    transport.abort()
    await lost.wait()
    with pytest.raises(PortError, match="there is no port usb://0403:6001/A10443"):
        await open_port("usb://0403:6001/A10443", 115_200, Ends())
    port.unplug()


def test_the_ports_of_this_machine_with_the_names_that_udev_gave_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second, names = tmp_path / "ttyUSB0", tmp_path / "ttyUSB1", tmp_path / "by-id"
    first.touch()
    second.touch()
    names.mkdir()
    (names / "usb-FTDI_A10442").symlink_to(first)
    monkeypatch.setattr(list_ports, "comports", lambda: [_Info(second, ""), _Info(first, "A10442")])
    found = serial_ports(by_id=names)
    assert [port.path for port in found] == [str(first), str(second)]
    assert [port.url for port in found] == [str(names / "usb-FTDI_A10442"), "usb://0403:6001?port=1-1.1"]
    assert [str(port) for port in found] == [
        f"{first} (FT232R USB UART, 0403:6001, serial A10442, port 1-1.1)",
        f"{second} (FT232R USB UART, 0403:6001, no serial number, port 1-1.1)",
    ]
