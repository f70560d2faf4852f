"""A session with a device on the link without a daemon. Nothing is taken away from the device.

A technician's session. Answers are taken; an event stays with the device, which goes on to offer it, unless the bench
was asked to take events too. What is behind an event that is not taken can still be seen on the wire, as far as the
link's window reaches: messages are therefore read from the port's tap, each once.

    async with on_the_bench("/dev/ttyUSB0", 115_200) as bench:
        identity = await bench.identify()
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import NoReturn

from devices.driver import ConnectionLost
from devices.link.connection import LinkConnection
from devices.ports.tap import Chunk, Direction, Taps, listening_in
from devices.ports.transport import open_port
from protocols.errors import ProtocolError
from protocols.link import frames
from protocols.link.arq import MODULUS
from protocols.link.diagnosis import Finding
from protocols.link.framing import Deframer
from protocols.link.identity import IDENTIFY_KIND, IDENTIFY_LAYOUT, IDENTITY_KIND, IDENTITY_LAYOUT, Identify, Identity
from protocols.link.messages import Codec
from protocols.link.session import LinkStatistics, Timings

ANSWER_WITHIN = 2.0
"""Seconds, as a driver waits. A device answers in milliseconds; one that takes longer is named as slow."""
HASTY = Timings(connect_within=1.0)
"""A port without a device of ours is left after a second."""
MUTE = Finding(
    text="it answers the RESET and nothing after it",
    section="9",
    expected=f"a DATA frame whose message begins with {IDENTITY_KIND:02x}, Identity",
)
EVENTS = range(0x40, 0x80)
ANSWER = 0x80
"""The kind of an answer is the kind of its question and this."""


@asynccontextmanager
async def on_the_bench(
    url: str, baud: int, *, taps: Taps | None = None, take_events: bool = False, timings: Timings = HASTY
) -> AsyncIterator[Bench]:
    """A session with whatever device of ours is on this port; `DriverFailure` says why there is none.

    `taps`: to listen in as well.
    """
    taps = taps or Taps()
    ear = _Ear()
    statistics = LinkStatistics.fresh()
    connection = LinkConnection(statistics, timings)
    stop = taps[url].listen(ear.passed)
    try:
        with listening_in(taps):
            await open_port(url, baud, connection)
        try:
            await connection.established()
            assert connection.device_class is not None
            bench = Bench(connection, connection.device_class, statistics, ear)
            attending = asyncio.create_task(bench._attend(take_events))
            try:
                yield bench
            finally:
                attending.cancel()
                with suppress(asyncio.CancelledError, ConnectionLost):
                    await attending
        finally:
            await connection.close()
    finally:
        stop()


class Bench:
    """One session. Made by `on_the_bench`."""

    def __init__(self, connection: LinkConnection, device_class: int, statistics: LinkStatistics, ear: _Ear) -> None:
        self.device_class = device_class
        self.statistics = statistics
        self.keeps_events = False
        """The device has offered an event that was left with it."""
        self.slowest_answer: float | None = None
        """Seconds."""
        self._connection = connection
        self._ear = ear
        self._mute: Finding | None = None

    @property
    def found(self) -> Finding | None:
        """What was wrong with the session."""
        return self._connection.finding or self._mute

    async def identify(self) -> Identity | None:
        """Who it is; None where events that are not taken come before the answer. `ConnectionLost`: it says nothing."""
        answer = await self.ask(_IDENTITY.encode(Identify()))
        if answer is None and self.keeps_events:
            return None
        if answer is None:
            self._mute = MUTE
            raise ConnectionLost(f"no answer to Identify in {ANSWER_WITHIN:g} s: {self.found}", self.found)
        message = _IDENTITY.decode(answer)
        assert isinstance(message, Identity)
        return message

    async def ask(self, question: bytes) -> bytes | None:
        """Send a message; the answer, or None where none was seen in time. A session that is lost raises why."""
        answer = self._ear.expect(question[0] + ANSWER)
        loop = asyncio.get_running_loop()
        asked_at = loop.time()
        self._connection.send(question)
        with suppress(TimeoutError):
            async with asyncio.timeout(ANSWER_WITHIN):
                answered = await answer
                self.slowest_answer = max(self.slowest_answer or 0.0, loop.time() - asked_at)
                return answered
        if self._connection.failure is not None:
            raise self._connection.failure
        return None

    async def stay(self) -> NoReturn:
        """Until the session is lost, with its failure."""
        await self._connection.lost()

    async def _attend(self, take_events: bool) -> None:
        while True:
            message = await self._connection.receive()
            if message[0] in EVENTS and not take_events:
                self.keeps_events = True
                await self._connection.lost()
            self._connection.taken()


_IDENTITY: Codec[Identify | Identity] = Codec(
    {IDENTIFY_KIND: (Identify, IDENTIFY_LAYOUT), IDENTITY_KIND: (Identity, IDENTITY_LAYOUT)}
)


class _Ear:
    """Receives the device's messages from the tap, each once, taken or not."""

    def __init__(self) -> None:
        self._deframer = Deframer()
        self._session = self._next_seq = 0
        self._kind = 0
        self._answer: asyncio.Future[bytes] | None = None

    def expect(self, kind: int) -> asyncio.Future[bytes]:
        """The next message of this kind."""
        self._kind, self._answer = kind, asyncio.get_running_loop().create_future()
        return self._answer

    def passed(self, chunk: Chunk) -> None:
        if chunk.direction is Direction.OUT:
            return
        for body in self._deframer.feed(chunk.data):
            with suppress(ProtocolError):
                frame = frames.decode(body)
                if isinstance(frame, frames.Data) and self._is_new(frame):
                    self._received(frame.payload)

    def _is_new(self, frame: frames.Data) -> bool:
        if frame.session != self._session:
            self._session, self._next_seq = frame.session, 0
        if (frame.seq - self._next_seq) % MODULUS >= MODULUS // 2:
            return False
        self._next_seq = (frame.seq + 1) % MODULUS
        return True

    def _received(self, message: bytes) -> None:
        if self._answer is not None and message[0] == self._kind and not self._answer.done():
            self._answer.set_result(message)
