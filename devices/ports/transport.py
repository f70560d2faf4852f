"""Opening a port, and one sentence for each way it fails.

    /dev/ttyUSB0, /dev/serial/by-id/…    a serial port by its path
    usb://0403:6001/A10442               a serial port by its USB identity (`devices.ports.discovery`)
    rfc2217://host:port                  a serial-device server that sets the line as requested
    socket://host:port                   one that passes bytes on as they are, or a device with a network socket
    unix:///path                         a program on this board in the place of a device, such as a simulated table

A serial port is locked for us alone: two programs on one shoe would each read half of its cards. The dependency notes
say why this uses pyserial-asyncio-fast and what `_SerialPort` fixes; docs/protocols/serial-server.md is the page
of the two network forms.
"""

from __future__ import annotations

import asyncio
import errno
import os
import socket
import termios
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, cast
from urllib.parse import urlsplit

import serial
import serial_asyncio_fast

from devices.ports.discovery import BY_ID, PortError, find, serial_ports
from devices.ports.port import Port
from devices.ports.tap import tap_of
from protocols.errors import ProtocolError
from protocols.rfc2217 import Client, Parity, Settings

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

__all__ = ["Parity", "PortError", "open_port"]

ANSWER_WITHIN = 3.0
"""Seconds for a host on the table's own network to take a connection, and again to agree on the line."""
_KEEPALIVE = ((socket.TCP_KEEPIDLE, 15), (socket.TCP_KEEPINTVL, 5), (socket.TCP_KEEPCNT, 3))
"""A dead connection is noticed after half a minute, also where the device's protocol has no keep-alive of its own."""

_PARITIES: dict[Parity, str] = {"none": serial.PARITY_NONE, "even": serial.PARITY_EVEN, "odd": serial.PARITY_ODD}


async def open_port(url: str, baud: int, protocol: asyncio.Protocol, *, parity: Parity = "none") -> asyncio.Transport:
    """Give the bytes of a port to a protocol. End it with `abort`: `close` waits for a device that may never read."""
    match urlsplit(url).scheme:
        case "" | "usb":
            return await _open_serial(url, baud, parity, Port(url, protocol, tap_of(url)))
        case "socket":
            return await _open_tcp(url, Port(url, protocol, tap_of(url)))
        case "unix":
            return await _open_local(url, Port(url, protocol, tap_of(url)))
        case "rfc2217":
            return await _open_server(url, Port(url, protocol, tap_of(url), Client(_settings(url, baud, parity))))
    raise PortError(
        f"{url} is not a port that can be opened: give a path, usb://VID:PID, rfc2217://host:port or socket://host:port"
    )


async def _open_serial(url: str, baud: int, parity: Parity, port: Port) -> Port:
    loop = asyncio.get_running_loop()
    opening = loop.run_in_executor(None, _open_path, url, baud, parity)
    try:
        line = await asyncio.shield(opening)
    except asyncio.CancelledError:
        opening.add_done_callback(_close_late)
        raise
    try:
        below, _ = await serial_asyncio_fast.connection_for_serial(loop, port.as_read, line)
    except (serial.SerialException, termios.error) as error:
        # It sets the line once more, and a port that let parity pass the first time may refuse it now.
        line.close()
        raise PortError(f"{url} cannot be set to {baud} baud with parity {parity}: {error.args[-1]}") from error
    port.stands_on(cast(asyncio.Transport, below))
    return port


async def _open_tcp(url: str, port: Port) -> Port:
    host, number = _host_and_port(url)
    try:
        async with asyncio.timeout(ANSWER_WITHIN):
            below, _ = await asyncio.get_running_loop().create_connection(port.by_pieces, host, number)
    except TimeoutError:
        raise PortError(f"{url} does not answer: no connection in {ANSWER_WITHIN:g} s") from None
    except OSError as error:
        raise PortError(f"{url} does not answer: {error.strerror or error}") from error
    line: socket.socket = below.get_extra_info("socket")
    line.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for option, value in _KEEPALIVE:
        line.setsockopt(socket.IPPROTO_TCP, option, value)
    port.stands_on(below)
    return port


async def _open_local(url: str, port: Port) -> Port:
    path = Path(urlsplit(url).path)
    try:
        # A path in the file system may be longer than a socket's name: connect where it is.
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            place = f"/proc/self/fd/{folder}/{path.name}"
            below, _ = await asyncio.get_running_loop().create_unix_connection(port.by_pieces, place)
        finally:
            os.close(folder)
    except OSError as error:
        raise PortError(f"{url} does not answer: {error.strerror or error}") from error
    port.stands_on(below)
    return port


async def _open_server(url: str, port: Port) -> Port:
    await _open_tcp(url, port)
    try:
        async with asyncio.timeout(ANSWER_WITHIN):
            await asyncio.shield(port.opened)
    except ProtocolError as refusal:
        raise PortError(f"{url} cannot be used: {refusal}") from None
    except TimeoutError:
        port.abort()
        raise PortError(
            f"{url} cannot be used: it does not agree on RFC 2217 in {ANSWER_WITHIN:g} s; if it passes bytes on as "
            "they are, write socket:// instead"
        ) from None
    except asyncio.CancelledError:
        port.abort()
        raise
    return port


def _host_and_port(url: str) -> tuple[str, int]:
    where = urlsplit(url)
    with suppress(ValueError):
        if where.hostname is not None and where.port:
            return where.hostname, where.port
    raise PortError(f"{url} names no host and port: write {where.scheme}://host:port")


def _settings(url: str, baud: int, parity: Parity) -> Settings:
    if not 0 < baud < 1 << 32:
        raise PortError(f"{url} cannot be opened at {baud} baud")
    return Settings(baud=baud, parity=parity)


class _SerialPort(serial.Serial):
    """pyserial's port without the two places where it can wait for ever."""

    def write(self, b: ReadableBuffer, /) -> int:
        # pyserial's own write spins on EAGAIN (pyserial issue 280): a shoe that stops reading would stop the daemon.
        try:
            return os.write(self.fileno(), b)
        except BlockingIOError:
            return 0
        except OSError as error:
            raise serial.SerialException(error.errno, f"write failed: {error}") from error

    def close(self) -> None:
        # The kernel holds a close back until what was written has left, for up to 30 s; a dead device takes nothing.
        if self.is_open:
            with suppress(termios.error):
                termios.tcflush(self.fileno(), termios.TCOFLUSH)
        super().close()


def _open_path(url: str, baud: int, parity: Parity) -> _SerialPort:
    path = find(url, serial_ports()) if _by_identity(url) else url
    try:
        return _SerialPort(path, baudrate=baud, parity=_PARITIES[parity], exclusive=True, timeout=0, write_timeout=0)
    except (serial.SerialException, ValueError) as error:
        raise PortError(_sentence(path, baud, error)) from error
    except termios.error as error:
        # pyserial lets it pass when the line cannot be set so; it is no OSError.
        raise PortError(f"{path} cannot be set to {baud} baud with parity {parity}: {error.args[-1]}") from error


def _by_identity(url: str) -> bool:
    return urlsplit(url).scheme == "usb" or url.startswith(f"{BY_ID}/")


def _sentence(path: str, baud: int, error: Exception) -> str:
    match getattr(error, "errno", None):
        case errno.ENOENT | errno.ENODEV | errno.ENXIO:
            return f"there is no port {path}: check the device's cable and power, and its url in the config"
        case errno.EACCES | errno.EPERM:
            return f"no permission to open {path}: add cutcard's user to the group that owns the port (often dialout)"
        case errno.EBUSY | errno.EAGAIN:
            return f"{path} is in use by another program: stop it, or give this device its own port"
        case int() as number:
            return f"{path} cannot be opened: {os.strerror(number)}"
    if isinstance(error, ValueError):
        return f"{path} cannot be opened at {baud} baud: {error}"
    return f"{path} is not a serial port"


def _close_late(opening: asyncio.Future[_SerialPort]) -> None:
    if not opening.cancelled() and opening.exception() is None:
        opening.result().close()
