"""One opening of a port: from its transport to its first failure, whatever is spoken on it."""

from __future__ import annotations

import asyncio
from contextlib import suppress

from devices.driver import ConnectionLost

CLOSE_WITHIN = 1.0
"""Closing a port that hangs must not keep the daemon from ending."""


class PortOpening(asyncio.Protocol):
    """What a device link, a bus and a sign have in common. A subclass starts in `_ready`."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._transport: asyncio.Transport | None = None
        self._failure: Exception | None = None
        self._closed = asyncio.Event()

    async def close(self) -> None:
        """End it now: what has not left by then is not sent."""
        self._fail(ConnectionLost("the connection was closed"))
        if self._transport is None:
            return
        # A transport that is closing but still has bytes to write waits for a device that may be gone.
        if not self._transport.is_closing() or self._transport.get_write_buffer_size():
            self._transport.abort()
        with suppress(TimeoutError):
            async with asyncio.timeout(CLOSE_WITHIN):
                await self._closed.wait()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        if self._failure is not None:
            transport.abort()
        else:
            self._ready()

    def connection_lost(self, exc: Exception | None) -> None:
        self._closed.set()
        self._fail(ConnectionLost("the port was unplugged or closed"))

    def _ready(self) -> None:
        """The port takes bytes."""

    def _fail(self, failure: Exception) -> None:
        """It is over. Only the first failure counts."""
        if self._failure is None:
            self._failure = failure
