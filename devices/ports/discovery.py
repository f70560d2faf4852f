"""Which serial ports there are, and which of them a url means.

/dev/ttyUSB0 is whatever was plugged in first. What stays the same is the USB identity of an adapter:

    /dev/serial/by-id/usb-FTDI_FT232R_USB_UART_A10442-if00-port0     the name that udev gives it
    usb://0403:6001                    the only port of this vendor and product
    usb://0403:6001/A10442             the one with this serial number
    usb://0403:6001?port=1-1.4         the one in this socket: bus 1, port 1, port 4

The table never guesses: a url that fits two ports is refused with both named. That goes for a name under by-id as well,
since adapters without a serial number all get the same one, and udev lets the last of them have it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import parse_qs, unquote, urlsplit

from serial.tools import list_ports

from devices.driver import DriverFailure
from protocols.values import Value

BY_ID = Path("/dev/serial/by-id")


class PortError(DriverFailure):
    """The port cannot be opened: which one, why, what to do."""


class SerialPort(Value, kw_only=True):
    """One serial port of this machine."""

    path: str
    by_id: str | None = None
    """Its name under /dev/serial/by-id."""
    vid: int | None = None
    pid: int | None = None
    serial: str | None = None
    socket: str | None = None
    """Where it is plugged in, as in 1-1.4, or 1-1.4:1.0 for one port of an adapter that has several."""
    product: str | None = None

    @property
    def url(self) -> str:
        """What to write into the config: the name that stays the same."""
        if self.by_id is not None:
            return self.by_id
        if self.vid is None or self.pid is None:
            return self.path
        one = f"/{self.serial}" if self.serial else f"?port={self.socket}" if self.socket else ""
        return f"usb://{self.vid:04x}:{self.pid:04x}{one}"

    def __str__(self) -> str:
        if self.vid is None or self.pid is None:
            return self.path
        facts = [f"{self.vid:04x}:{self.pid:04x}"]
        facts += [f"serial {self.serial}"] if self.serial else ["no serial number"]
        facts += [f"port {self.socket}"] if self.socket else []
        return f"{self.path} ({self.product or 'USB'}, {', '.join(facts)})"


class UsbName(Value, kw_only=True):
    """What a usb:// url says."""

    vid: int
    pid: int
    serial: str | None = None
    socket: str | None = None

    @classmethod
    def parse(cls, url: str) -> UsbName:
        """`PortError` where it is none.

        >>> UsbName.parse("usb://0403:6001/A10442")
        UsbName(vid=1027, pid=24577, serial='A10442', socket=None)
        """
        where = urlsplit(url)
        ids = re.fullmatch(r"([0-9a-fA-F]{4}):([0-9a-fA-F]{4})", where.netloc)
        asked = parse_qs(where.query, keep_blank_values=True)
        socket = asked.pop("port", [None])[0]
        if where.scheme != "usb" or ids is None or asked or socket == "" or "/" in where.path[1:] or where.fragment:
            raise PortError(
                f"{url} names no USB device: write usb://VID:PID with four hex digits each, and behind it /SERIAL or "
                "?port=SOCKET where there are several"
            )
        return cls(vid=int(ids[1], 16), pid=int(ids[2], 16), serial=unquote(where.path[1:]) or None, socket=socket)

    def fits(self, port: SerialPort) -> bool:
        return (
            (self.vid, self.pid) == (port.vid, port.pid)
            and self.serial in (None, port.serial)
            and self.socket in (None, port.socket, (port.socket or "").partition(":")[0])
        )


def serial_ports(by_id: Path = BY_ID) -> list[SerialPort]:
    """The ports of this machine now. Reads /sys: not for the event loop's thread."""
    links = {str(link.resolve()): str(link) for link in sorted(by_id.iterdir())} if by_id.is_dir() else {}
    return [
        SerialPort(
            path=info.device,
            by_id=links.get(info.device),
            vid=info.vid,
            pid=info.pid,
            serial=info.serial_number or None,
            socket=info.location or None,
            product=info.product or None,
        )
        for info in sorted(list_ports.comports())
    ]


def find(url: str, ports: Sequence[SerialPort]) -> str:
    """The path of the one port that a usb:// url or a name under by-id means; `PortError` where it is not one."""
    if urlsplit(url).scheme != "usb":
        return _expect_no_twin(url, ports)
    name = UsbName.parse(url)
    matches = [port for port in ports if name.fits(port)]
    if len(matches) == 1:
        return matches[0].path
    if matches:
        raise PortError(
            f"{url} fits {len(matches)} ports, and the table does not guess: {_all(matches)}. Name the one that is "
            "meant by its serial number, its socket, or its name under /dev/serial/by-id"
        )
    there = f"USB ports here: {_all(usb)}" if (usb := [p for p in ports if p.vid]) else "no USB port is here"
    raise PortError(f"there is no port {url}: check the device's cable and power, and its url in the config; {there}")


def _expect_no_twin(path: str, ports: Sequence[SerialPort]) -> str:
    """A second adapter of the same identity that has no name of its own has lost it to this one, or this one to it."""
    meant = next((port for port in ports if port.by_id == path), None)
    if meant is None:
        return path
    identity = (meant.vid, meant.pid, meant.serial)
    twins = [port for port in ports if port.by_id is None and (port.vid, port.pid, port.serial) == identity]
    if twins:
        raise PortError(
            f"{path} is the name of {1 + len(twins)} ports, and the table does not guess: {_all([meant, *twins])}. "
            f"Name the one that is meant by its socket, as in usb://{meant.vid:04x}:{meant.pid:04x}?port={meant.socket}"
        )
    return path


def _all(ports: Sequence[SerialPort]) -> str:
    return "; ".join(str(port) for port in ports)
