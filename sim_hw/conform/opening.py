"""A port as the bench uses it: bytes out, bytes in with their time."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from pathlib import Path
from typing import Literal, cast
from urllib.parse import urlsplit

import serial
import serial_asyncio_fast

from sim_hw.devices.kinds import Wrong

Parity = Literal["none", "even", "odd"]
_PARITIES: dict[Parity, str] = {"none": serial.PARITY_NONE, "even": serial.PARITY_EVEN, "odd": serial.PARITY_ODD}


class Line(asyncio.Protocol):
    """An open port."""

    def __init__(self) -> None:
        self.receive: Callable[[bytes], None] = lambda data: None
        """Called with what arrives."""
        self.is_lost = False
        self.opened = asyncio.Event()
        self._transport: asyncio.WriteTransport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.WriteTransport, transport)
        self.opened.set()

    def data_received(self, data: bytes) -> None:
        self.receive(data)

    def connection_lost(self, exc: Exception | None) -> None:
        self.is_lost = True

    def write(self, data: bytes) -> None:
        assert self._transport is not None
        if not self.is_lost:
            self._transport.write(data)

    def close(self) -> None:
        if self._transport is not None:
            self._transport.abort()


async def open_line(url: str, baud: int, parity: Parity = "none") -> Line:
    """A path, `socket://host:port` or `unix:///path`. `Wrong` says why it cannot be opened."""
    loop = asyncio.get_running_loop()
    parts = urlsplit(url)
    try:
        match parts.scheme:
            case "":
                _, line = await serial_asyncio_fast.create_serial_connection(
                    loop, Line, url, baudrate=baud, parity=_PARITIES[parity], exclusive=True
                )
            case "socket" if parts.hostname and parts.port:
                _, line = await loop.create_connection(Line, parts.hostname, parts.port)
            case "unix":
                path = Path(parts.path)
                folder = os.open(path.parent, os.O_RDONLY)
                try:
                    _, line = await loop.create_unix_connection(Line, f"/proc/self/fd/{folder}/{path.name}")
                finally:
                    os.close(folder)
            case _:
                raise Wrong(f"{url} is not a port that can be opened here: give a path or socket://host:port")
    except (OSError, serial.SerialException) as error:
        raise Wrong(f"{url} cannot be opened: {error}") from None
    opened: Line = line
    await opened.opened.wait()
    return opened
