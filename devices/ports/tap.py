"""Listening in on a device's wire: what was read and what was written, as it passed.

A `Taps` holds one `Tap` per port, by its url. To listen to drivers, run them inside
`listening_in(taps)`; `open_port` then lets every port pass its bytes by its tap. The taps reach it as a context
variable, which tasks inherit, so that no driver has to hand them through and none can forget to.

    taps = Taps()
    with listening_in(taps):
        task = asyncio.create_task(supervisor.run())
    stop = taps["/dev/ttyUSB0"].listen(print)

A tap sees the bytes of the serial line: without the Telnet of a serial-device server, with all noise. They may hold
cards that nobody may know yet; what a listener does with them is bound by the information barrier
(docs/operations/technician.md).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from enum import Enum

from protocols.values import Value


class Direction(Enum):
    """Seen from the board: IN is what the device said."""

    IN = "in"
    OUT = "out"


class Chunk(Value):
    """Some bytes that passed at once."""

    HIDDEN = frozenset({"data"})
    at_ns: int
    """Nanoseconds since 1970, by the system's clock."""
    direction: Direction
    data: bytes


Listener = Callable[[Chunk], None]
"""Called on the event loop, in the midst of a driver's work: it takes note and returns."""


class Tap:
    """One port. It outlives the openings of the port, and costs nothing while nobody listens."""

    def __init__(self) -> None:
        self._listeners: tuple[Listener, ...] = ()

    def listen(self, listener: Listener) -> Callable[[], None]:
        """Call this for every chunk, until the function that is returned is called."""
        mine = _Ear(listener)
        self._listeners += (mine,)

        def stop() -> None:
            self._listeners = tuple(other for other in self._listeners if other is not mine)

        return stop

    def passed(self, direction: Direction, data: bytes) -> None:
        if self._listeners and data:
            chunk = Chunk(time.time_ns(), direction, data)
            for listener in self._listeners:
                listener(chunk)


class Taps:
    """The taps of a table, by url; made when they are first asked for."""

    def __init__(self) -> None:
        self._by_url: dict[str, Tap] = {}

    def __getitem__(self, url: str) -> Tap:
        return self._by_url.setdefault(url, Tap())


@contextmanager
def listening_in(taps: Taps) -> Iterator[None]:
    """Ports that are opened in here, and in the tasks that are started in here, pass their bytes by these taps."""
    token = _taps.set(taps)
    try:
        yield
    finally:
        _taps.reset(token)


def tap_of(url: str) -> Tap | None:
    """The tap of this port, where anybody might listen."""
    taps = _taps.get()
    return None if taps is None else taps[url]


_taps: ContextVar[Taps | None] = ContextVar("taps", default=None)


class _Ear(Value, eq=False):
    """A listener as itself: the same function may listen twice."""

    listener: Listener

    def __call__(self, chunk: Chunk) -> None:
        self.listener(chunk)
