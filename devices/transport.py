"""Opening a serial port, and one sentence for each way it fails.

The port is locked for us alone: two programs on one shoe would each read half of its cards. The dependency notes say
why this stands on pyserial-asyncio-fast and what `_Port` mends.
"""

from __future__ import annotations

import asyncio
import errno
import os
import termios
from contextlib import suppress
from typing import TYPE_CHECKING, Literal, cast
from urllib.parse import urlsplit

import serial
import serial_asyncio_fast

from devices.driver import DriverFailure

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer


Parity = Literal["none", "even", "odd"]

_PARITIES: dict[Parity, str] = {"none": serial.PARITY_NONE, "even": serial.PARITY_EVEN, "odd": serial.PARITY_ODD}


class PortError(DriverFailure):
    """The port cannot be opened: which one, why, what to do."""


async def open_port(url: str, baud: int, protocol: asyncio.Protocol, *, parity: Parity = "none") -> asyncio.Transport:
    """Give the bytes of a port to a protocol. End it with `abort`: `close` waits for a device that may never read."""
    where = urlsplit(url)
    if where.scheme == "socket":
        return await _open_socket(url, where.hostname, where.port, protocol)
    if where.scheme:
        raise PortError(f"{url} is not a port that can be opened: give a path or socket://host:port")
    loop = asyncio.get_running_loop()
    opening = loop.run_in_executor(None, _open_path, url, baud, parity)
    try:
        port = await asyncio.shield(opening)
    except asyncio.CancelledError:
        opening.add_done_callback(_close_late)
        raise
    transport, _ = await serial_asyncio_fast.connection_for_serial(loop, lambda: protocol, port)
    return cast(asyncio.Transport, transport)


class _Port(serial.Serial):
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


def _open_path(path: str, baud: int, parity: Parity) -> _Port:
    try:
        return _Port(path, baudrate=baud, parity=_PARITIES[parity], exclusive=True, timeout=0, write_timeout=0)
    except (serial.SerialException, ValueError) as error:
        raise PortError(_sentence(path, baud, error)) from error


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


def _close_late(opening: asyncio.Future[_Port]) -> None:
    if not opening.cancelled() and opening.exception() is None:
        opening.result().close()


async def _open_socket(url: str, host: str | None, port: int | None, protocol: asyncio.Protocol) -> asyncio.Transport:
    if host is None or port is None:
        raise PortError(f"{url} names no host and port: write socket://host:port")
    try:
        transport, _ = await asyncio.get_running_loop().create_connection(lambda: protocol, host, port)
    except OSError as error:
        raise PortError(f"{url} does not answer: {error.strerror or error}") from error
    return transport
