"""A port as its driver sees it: bytes in, bytes out, and no more of the event loop than its share.

A `Port` is between the operating system's transport (a terminal, a TCP connection) and a driver's protocol. It sees
to three things, alike for all links:

- **Nobody starves.** The event loop reads every port that has something in turn, at most `AT_ONCE` bytes of it. A port
  whose bytes take more than `SHARE` of the loop's time to digest is left unread until it has waited that off, and the
  wire's own buffer stops the babbler. One that takes no bytes is given up at `MAX_UNSENT`: memory is bounded.
- **Somebody may listen.** What passes goes by the port's tap (`devices.ports.tap`).
- **A serial-device server looks like a port.** Its Telnet (`protocols.rfc2217`) is spoken here.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Iterable
from typing import Any

from devices.ports.tap import Direction, Tap
from protocols.errors import ProtocolError
from protocols.rfc2217 import Client, State

log = logging.getLogger(__name__)

SHARE = 0.1
"""Of the event loop's time, for one port. A line at 115,200 baud, full of the shortest frames, needs a hundredth."""
BURST = 0.01
"""Seconds of the loop's time that a port may take at once: the backlog after a reconnection is digested in one go."""
AT_ONCE = 1024
"""Bytes read in one turn: some 90 ms of a line at 115,200 baud, and at worst a few milliseconds of work."""
MAX_UNSENT = 64 * 1024
"""Bytes that a device has not taken. No protocol of ours has a tenth of it under way."""


class Port(asyncio.Transport):
    """What `open_port` gives to a driver."""

    def __init__(self, name: str, protocol: asyncio.Protocol, tap: Tap | None, telnet: Client | None = None) -> None:
        super().__init__()
        self._name = name
        self._protocol = protocol
        self._tap = tap
        self._telnet = telnet
        self._loop = asyncio.get_running_loop()
        self._is_shared = not getattr(self._loop, "is_simulated", False)
        """Whether the port may take its share of the loop only. How long our own work takes is the one thing that
        simulated time does not know."""
        self._below: asyncio.Transport | None = None
        self._is_given = False
        """Whether the protocol has the port."""
        self._allowance = BURST
        self._reckoned_at = self._loop.time()
        self._wait: asyncio.TimerHandle | None = None
        """Runs while the port is left unread because it took more than its share."""
        self._paused = False
        """The driver itself does not want to read."""
        self._failure: Exception | None = None
        self.opened: asyncio.Future[None] = self._loop.create_future()
        """Done when bytes can pass; with `ProtocolError` where a serial-device server refuses."""
        self.opened.add_done_callback(_nobody_may_ask)

    def by_pieces(self) -> asyncio.BufferedProtocol:
        """The end that a TCP connection is given."""
        return _Pieces(self)

    def as_read(self) -> asyncio.Protocol:
        """The end that a terminal's transport is given, which reads in small pieces of itself."""
        return _AsRead(self)

    def stands_on(self, below: asyncio.Transport) -> None:
        self._below = below

    # What the operating system's transport says

    def _made(self, below: asyncio.BaseTransport) -> None:
        assert isinstance(below, asyncio.Transport)
        self._below = below
        if self._telnet is None:
            self._give()
        else:
            below.write(self._telnet.outgoing())

    def _received(self, data: bytes) -> None:
        if not self._is_shared:
            self._pass_on(data)
            return
        began = time.thread_time()
        self._pass_on(data)
        self._charge(time.thread_time() - began)

    def _pass_on(self, data: bytes) -> None:
        line = data if self._telnet is None else self._from_server(self._telnet, data)
        if line:
            if self._tap is not None:
                self._tap.passed(Direction.IN, line)
            self._protocol.data_received(line)

    def _lost(self, exc: Exception | None) -> None:
        self._stop_waiting()
        if self._is_given:
            self._protocol.connection_lost(self._failure or exc)
        elif not self.opened.done():
            self.opened.set_exception(ProtocolError("the server closed the connection"))

    def _from_server(self, telnet: Client, data: bytes) -> bytes:
        line = telnet.receive(data)
        self._write_below(telnet.outgoing())
        if telnet.state is State.REFUSED:
            self._fail(ProtocolError(telnet.refusal))
            return b""
        if telnet.state is State.OPEN and not self._is_given:
            self._give()
        return line

    def _give(self) -> None:
        self._is_given = True
        if not self.opened.done():
            self.opened.set_result(None)
        self._protocol.connection_made(self)

    def _fail(self, failure: Exception) -> None:
        if self._failure is None:
            self._failure = failure
            log.warning("%s is given up: %s", self._name, failure)
        if not self.opened.done():
            self.opened.set_exception(failure)
        self.abort()

    # The share

    def _charge(self, seconds: float) -> None:
        now = self._loop.time()
        self._allowance = min(BURST, self._allowance + (now - self._reckoned_at) * SHARE) - seconds
        self._reckoned_at = now
        if self._allowance < 0 and self._wait is None and self._below is not None:
            self._below.pause_reading()
            self._wait = self._loop.call_later(-self._allowance / SHARE, self._waited)

    def _waited(self) -> None:
        self._wait = None
        if not self._paused and self._below is not None:
            self._below.resume_reading()

    def _stop_waiting(self) -> None:
        if self._wait is not None:
            self._wait.cancel()
            self._wait = None

    # What the driver may ask for

    def write(self, data: bytes | bytearray | memoryview[Any]) -> None:
        data = bytes(data)
        if self._below is None or self._below.is_closing():
            return
        if self._tap is not None:
            self._tap.passed(Direction.OUT, data)
        if self._telnet is None:
            self._write_below(data)
            return
        try:
            self._telnet.send(data)
        except ProtocolError as failure:
            self._fail(failure)
            return
        self._write_below(self._telnet.outgoing())

    def _write_below(self, data: bytes) -> None:
        assert self._below is not None
        if not data:
            return
        if self._below.get_write_buffer_size() + len(data) > MAX_UNSENT:
            self._fail(ProtocolError(f"it has not taken the last {MAX_UNSENT} bytes"))
            return
        self._below.write(data)

    def writelines(self, list_of_data: Iterable[bytes | bytearray | memoryview[Any]]) -> None:
        self.write(b"".join(list_of_data))

    def get_write_buffer_size(self) -> int:
        return 0 if self._below is None else self._below.get_write_buffer_size()

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        return default if self._below is None else self._below.get_extra_info(name, default)

    def can_write_eof(self) -> bool:
        return False

    def pause_reading(self) -> None:
        self._paused = True
        if self._below is not None:
            self._below.pause_reading()

    def resume_reading(self) -> None:
        self._paused = False
        if self._wait is None and self._below is not None:
            self._below.resume_reading()

    def is_closing(self) -> bool:
        return self._below is None or self._below.is_closing()

    def close(self) -> None:
        self._stop_waiting()
        if self._below is not None:
            self._below.close()

    def abort(self) -> None:
        self._stop_waiting()
        if self._below is not None:
            self._below.abort()


class _AsRead(asyncio.Protocol):
    def __init__(self, port: Port) -> None:
        self._port = port

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._port._made(transport)

    def data_received(self, data: bytes) -> None:
        self._port._received(data)

    def connection_lost(self, exc: Exception | None) -> None:
        self._port._lost(exc)


class _Pieces(asyncio.BufferedProtocol):
    """asyncio would read a quarter of a megabyte at once from a TCP connection; with a buffer of ours it cannot."""

    def __init__(self, port: Port) -> None:
        self._port = port
        self._buffer = bytearray(AT_ONCE)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._port._made(transport)

    def get_buffer(self, sizehint: int) -> bytearray:
        return self._buffer

    def buffer_updated(self, nbytes: int) -> None:
        self._port._received(bytes(self._buffer[:nbytes]))

    def connection_lost(self, exc: Exception | None) -> None:
        self._port._lost(exc)


def _nobody_may_ask(opened: asyncio.Future[None]) -> None:
    """A plain port's owner gets a failure by `connection_lost`; asyncio must not log it as one that nobody awaited."""
    if not opened.cancelled():
        opened.exception()
