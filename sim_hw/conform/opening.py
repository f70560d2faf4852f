"""A port as the bench uses it: bytes out, bytes in with their time."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Literal, cast
from urllib.parse import urlsplit

import serial
import serial_asyncio_fast

from sim_hw.devices.kinds import Wrong

Parity = Literal["none", "even", "odd"]
_PARITIES: dict[Parity, str] = {"none": serial.PARITY_NONE, "even": serial.PARITY_EVEN, "odd": serial.PARITY_ODD}


REOPEN_EVERY = 0.1
"""Seconds. A device on USB takes its port away when it is switched off, and brings it back."""


class Line(asyncio.Protocol):
    """An open port. It is opened again when it went away and is back."""

    def __init__(self, again: Callable[[Line], Awaitable[None]]) -> None:
        """`again` opens the port once more, for this line."""
        self.receive: Callable[[bytes], None] = lambda data: None
        """Called with what arrives."""
        self.is_lost = False
        """The port is not there now."""
        self.losses = 0
        """How often it went away."""
        self.opened = asyncio.Event()
        self._changed = asyncio.Event()
        self._again = again
        self._is_closed = False
        self._reopening: asyncio.Task[None] | None = None
        self._transport: asyncio.WriteTransport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.WriteTransport, transport)
        self.is_lost = False
        self.opened.set()
        self._changed.set()

    def data_received(self, data: bytes) -> None:
        self.receive(data)

    def connection_lost(self, exc: Exception | None) -> None:
        self.is_lost = True
        self.losses += 1
        self._changed.set()
        if not self._is_closed:
            self._reopening = asyncio.get_running_loop().create_task(self._reopen())

    async def wait_until(self, *, is_lost: bool) -> None:
        """Until the port went away, or is back."""
        while self.is_lost != is_lost:
            self._changed.clear()
            await self._changed.wait()

    async def _reopen(self) -> None:
        while not self._is_closed:
            try:
                await self._again(self)
                return
            except (OSError, serial.SerialException):
                await asyncio.sleep(REOPEN_EVERY)

    def write(self, data: bytes) -> None:
        assert self._transport is not None
        if not self.is_lost:
            self._transport.write(data)

    def close(self) -> None:
        self._is_closed = True
        if self._reopening is not None:
            self._reopening.cancel()
        if self._transport is not None:
            self._transport.abort()


async def open_line(url: str, baud: int, parity: Parity = "none") -> Line:
    """A path, `socket://host:port` or `unix:///path`. `Wrong` says why it cannot be opened."""

    async def again(line: Line) -> None:
        await _open(url, baud, parity, line)

    line = Line(again)
    try:
        await again(line)
    except (OSError, serial.SerialException) as error:
        raise Wrong(f"{url} cannot be opened: {error}") from None
    await line.opened.wait()
    return line


async def _open(url: str, baud: int, parity: Parity, line: Line) -> None:
    loop = asyncio.get_running_loop()
    parts = urlsplit(url)
    match parts.scheme:
        case "":
            await serial_asyncio_fast.create_serial_connection(
                loop, lambda: line, url, baudrate=baud, parity=_PARITIES[parity], exclusive=True
            )
        case "socket" if parts.hostname and parts.port:
            await loop.create_connection(lambda: line, parts.hostname, parts.port)
        case "unix":
            path = Path(parts.path)
            folder = os.open(path.parent, os.O_RDONLY)
            try:
                await loop.create_unix_connection(lambda: line, f"/proc/self/fd/{folder}/{path.name}")
            finally:
                os.close(folder)
        case _:
            raise Wrong(f"{url} is not a port that can be opened here: give a path or socket://host:port")
