"""A HID device as its driver sees it: packets in, and the event loop never waits for USB.

USB is read in a thread, which opens the device, asks for one packet after another and closes it again. A packet goes to
the event loop with the time it came; at most `AT_ONCE` wait there. While they do, the thread asks for no more, and the
device keeps what it has: that is USB's own flow control, and nothing is dropped. A device that babbles can therefore
keep the loop from the others no longer than it takes to read `AT_ONCE` packets.
"""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from types import TracebackType
from typing import Generic, Self, TypeVar

from devices.driver import ConnectionLost
from devices.ports.tap import Direction, tap_of
from devices.ports.usb import HidInterface, Overrun, UsbIdentity, open_hid
from protocols.values import Value

AT_ONCE = 32
"""Packets that wait for the driver."""
READ_MS = 200
"""How long one read waits: closing a quiet device takes at most this long."""
CLOSE_WITHIN = 3.0
"""Seconds. A device that hangs in a control request is left to its thread, so that the daemon can end."""

log = logging.getLogger(__name__)

T = TypeVar("T")


class Packet(Value):
    """What came, and when, by the port's clock."""

    HIDDEN = frozenset({"data"})
    data: bytes | None
    """None when more came than the endpoint allows, and is lost."""
    at: float


class HidPort(Generic[T]):
    """One opening of a device; `async with` opens and closes it.

    After the end `leftover` gives the packets that nobody read: they had been acknowledged to the device, which has
    forgotten them.
    """

    def __init__(
        self,
        url: str,
        accept: Callable[[bytes], T],
        *,
        clock: Callable[[], float] = time.monotonic,
        backend: object = None,
    ) -> None:
        """`accept` makes of a report descriptor what the driver needs; `ProtocolError` refuses it."""
        self._url = url
        self._accept = accept
        self._clock = clock
        self._backend = backend
        self._tap = tap_of(url)
        self._loop = asyncio.get_running_loop()
        self._interface: HidInterface[T] | None = None
        self._packets: deque[Packet] = deque()
        self._room = threading.Semaphore(AT_ONCE)
        self._stop = threading.Event()
        self._news = asyncio.Event()
        self._ended = asyncio.Event()
        self._failure: Exception | None = None
        # A daemon thread: one that hangs in the kernel must not keep the program from ending.
        self._thread = threading.Thread(target=self._attend, name=f"usb {url}", daemon=True)

    @property
    def identity(self) -> UsbIdentity:
        return self._opened.identity

    @property
    def found(self) -> T:
        """What the report descriptor was accepted as."""
        return self._opened.found

    @property
    def packet_size(self) -> int:
        return self._opened.packet

    async def __aenter__(self) -> Self:
        self._thread.start()
        try:
            while self._interface is None:
                await self._wait_for_news()
        except BaseException:
            await self._close()
            raise
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._close()

    async def read(self) -> Packet:
        """The next packet. What came before a failure is given before the failure is raised."""
        while not self._packets:
            await self._wait_for_news()
        packet = self._packets.popleft()
        self._room.release()
        return packet

    def leftover(self) -> list[Packet]:
        left = list(self._packets)
        self._packets.clear()
        return left

    @property
    def _opened(self) -> HidInterface[T]:
        if self._interface is None:
            raise ConnectionLost(f"{self._url} is not open")
        return self._interface

    async def _wait_for_news(self) -> None:
        if self._failure is not None:
            raise self._failure
        self._news.clear()
        await self._news.wait()

    async def _close(self) -> None:
        self._stop.set()
        try:
            async with asyncio.timeout(CLOSE_WITHIN):
                await self._ended.wait()
        except TimeoutError:
            log.warning("%s hangs and is left open", self._url)

    # In the thread

    def _attend(self) -> None:
        try:
            interface = open_hid(self._url, self._accept, self._backend)
            try:
                self._tell(self._is_open, interface)
                self._read_on(interface)
            finally:
                interface.close()
        except Exception as failure:
            self._tell(self._failed, failure)
        finally:
            self._tell(self._has_ended)

    def _read_on(self, interface: HidInterface[T]) -> None:
        while not self._stop.is_set():
            if not self._room.acquire(timeout=READ_MS / 1000):
                continue
            try:
                data = interface.read(READ_MS)
            except Overrun:
                self._tell(self._arrived, Packet(None, self._clock()))
                continue
            if data is None:
                self._room.release()
            else:
                self._tell(self._arrived, Packet(data, self._clock()))

    def _tell(self, what: Callable[..., None], *about: object) -> None:
        # The loop may have ended without us.
        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(what, *about)

    # On the loop

    def _is_open(self, interface: HidInterface[T]) -> None:
        self._interface = interface
        self._news.set()

    def _arrived(self, packet: Packet) -> None:
        if self._tap is not None and packet.data is not None:
            self._tap.passed(Direction.IN, packet.data)
        self._packets.append(packet)
        self._news.set()

    def _failed(self, failure: Exception) -> None:
        self._failure = failure
        self._news.set()

    def _has_ended(self) -> None:
        self._ended.set()
        self._failed(self._failure or ConnectionLost(f"{self._url} was closed"))
