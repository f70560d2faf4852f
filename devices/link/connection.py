"""A device link over an open port: messages in, messages out.

The state machine is `protocols.link.session`; here it meets the event loop. Bytes and the clock drive it from
callbacks, so keep-alives and retransmissions go on while the driver waits for a slow disk. There is no queue: the link
gives one message, and the next one only after `taken`.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import NoReturn

from devices.driver import ConnectionLost, LinkTampered, WrongDevice
from devices.patience import PATIENCE
from devices.ports.opening import PortOpening
from devices.ports.transport import open_port
from devices.randomness import CHANCE
from devices.spec import DeviceSpec
from protocols.link.diagnosis import Finding
from protocols.link.session import (
    Acknowledged,
    ControllerLink,
    Down,
    LinkEvent,
    LinkStatistics,
    Received,
    Refused,
    Tampered,
    Timings,
    Up,
)


@asynccontextmanager
async def connect(spec: DeviceSpec, statistics: LinkStatistics, timings: Timings) -> AsyncIterator[LinkConnection]:
    """A link session with the device on this port."""
    connection = LinkConnection(statistics, timings.patient(PATIENCE.get()))
    await open_port(spec.url, spec.baud, connection)
    try:
        await connection.established()
        yield connection
    finally:
        await connection.close()


class LinkConnection(PortOpening):
    """One session. Made by `connect`."""

    def __init__(self, statistics: LinkStatistics, timings: Timings) -> None:
        super().__init__()
        self._link = ControllerLink(CHANCE.get().getrandbits(32), self._loop.time(), timings, statistics)
        self._timer: asyncio.TimerHandle | None = None
        self._message: bytes | None = None
        self._news = asyncio.Event()
        self.device_class: int | None = None
        """What the device says it is, once the session is established."""

    async def established(self) -> None:
        while self.device_class is None:
            await self._wait_for_news()

    async def receive(self) -> bytes:
        """The next message; it is the device's to repeat until `taken`."""
        while self._message is None:
            await self._wait_for_news()
        message, self._message = self._message, None
        return message

    async def lost(self) -> NoReturn:
        """Until the session is over, with its failure, whatever else comes in."""
        while True:
            await self._wait_for_news()

    def taken(self) -> None:
        """The last received message is safe: acknowledge it."""
        self._handle(self._link.taken(self._loop.time()))
        self._pump()

    @property
    def can_send(self) -> bool:
        return self._link.can_send

    @property
    def failure(self) -> Exception | None:
        """Why the session is over; None while it is not."""
        return self._failure

    @property
    def is_sealed(self) -> bool:
        return self._link.is_sealed

    @property
    def found(self) -> str:
        """What was wrong with frames of the session, to be put behind its failure; else empty."""
        return self._link.diagnosis.words

    @property
    def finding(self) -> Finding | None:
        """The same, with the bytes that show it."""
        return self._link.diagnosis.of_the_session()

    @property
    def max_message(self) -> int:
        return self._link.max_message

    def seal(self, key: bytes) -> None:
        """Seal the session from now on, with its own key."""
        self._link.seal(key)

    def send(self, message: bytes) -> None:
        """Queue a message; `ProtocolError` when the link takes no more."""
        self._link.send(message)
        self._pump()

    def data_received(self, data: bytes) -> None:
        self._handle(self._link.receive(data, self._loop.time()))
        self._pump()

    async def _wait_for_news(self) -> None:
        # What came in before the loss can no longer be acknowledged: the device will send it again.
        if self._failure is not None:
            raise self._failure
        self._news.clear()
        await self._news.wait()
        if self._failure is not None:
            raise self._failure

    def _handle(self, events: list[LinkEvent]) -> None:
        for event in events:
            match event:
                case Up():
                    self.device_class = event.device_class
                    self._news.set()
                case Received():
                    self._message = event.message
                    self._news.set()
                case Acknowledged():
                    pass
                case Refused():
                    self._fail(WrongDevice(event.detail))
                case Tampered():
                    self._fail(LinkTampered(event.detail))
                case Down():
                    self._fail(ConnectionLost(event.detail, event.found))

    def _ready(self) -> None:
        self._pump()

    def _pump(self) -> None:
        """Write what is due and set the clock for what will be."""
        if self._transport is None or self._failure is not None:
            return
        data = self._link.outgoing(self._loop.time())
        if data:
            self._transport.write(data)
        deadline = self._link.next_deadline()
        if self._timer is not None:
            if self._timer.when() == deadline:
                return
            self._timer.cancel()
        self._timer = None if deadline is None else self._loop.call_at(deadline, self._tick)

    def _tick(self) -> None:
        self._timer = None
        self._handle(self._link.poll(self._loop.time()))
        self._pump()

    def _fail(self, failure: Exception) -> None:
        super()._fail(failure)
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self._news.set()
