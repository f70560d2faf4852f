"""The example vendor's line over an open port: one question at a time, repeated until it is answered."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TypeVar

from devices.driver import ConnectionLost
from devices.patience import PATIENCE
from devices.ports.opening import PortOpening
from devices.ports.transport import open_port
from devices.spec import DeviceSpec
from protocols.errors import ProtocolError
from protocols.example_shuffler.codec import decode, encode
from protocols.example_shuffler.framing import TAGS, Frame, FrameReader, encode_frame
from protocols.example_shuffler.messages import Answer, Message, Request
from protocols.link.session import LinkStatistics

ANSWER_WITHIN = 0.5
"""Seconds; the page allows the machine 300 ms."""
TRIES = 3

A = TypeVar("A", bound=Answer)


@asynccontextmanager
async def open_line(spec: DeviceSpec, statistics: LinkStatistics) -> AsyncIterator[Line]:
    line = Line(statistics)
    await open_port(spec.url, spec.baud, line)
    statistics.sessions += 1
    try:
        yield line
    finally:
        await line.close()


class Line(PortOpening):
    """One opening of the port. Made by `open_line`."""

    def __init__(self, statistics: LinkStatistics) -> None:
        super().__init__()
        self._statistics = statistics
        self._reader = FrameReader(statistics.framing)
        self._tag = 0
        self._answer: asyncio.Future[Message] | None = None
        self._is_open = asyncio.Event()

    async def ask(self, request: Request, *, tries: int = TRIES) -> Message:
        """The machine's answer, whatever it is; `ConnectionLost` where none comes, `ProtocolError` where it is none."""
        self._tag = (self._tag + 1) % len(TAGS)
        wire = encode_frame(Frame(TAGS[self._tag], encode(request)))
        statistics, patience = self._statistics, ANSWER_WITHIN * PATIENCE.get()
        statistics.messages_sent += 1
        asked_at = self._loop.time()
        await self._is_open.wait()
        for tried in range(tries):
            if self._failure is not None or self._transport is None:
                raise self._failure or ConnectionLost("the port is not open")
            self._answer = self._loop.create_future()
            self._transport.write(wire)
            statistics.frames_sent += 1
            statistics.retransmissions += tried > 0
            try:
                async with asyncio.timeout(patience):
                    answer = await self._answer
            except TimeoutError:
                continue
            finally:
                self._answer = None
            self._note(self._loop.time() - asked_at)
            return answer
        raise ConnectionLost(f"the shuffler gave no answer to {tries} frames: check power, cable and baud")

    async def ask_for(self, request: Request, kind: type[A]) -> A:
        """The answer, which must be of this type."""
        answer = await self.ask(request)
        if not isinstance(answer, kind):
            raise ProtocolError(f"the shuffler answered {type(request).__name__} with {type(answer).__name__}")
        return answer

    def data_received(self, data: bytes) -> None:
        for frame in self._reader.feed(data):
            if self._answer is None or self._answer.done() or frame.tag != TAGS[self._tag]:
                self._statistics.strays += 1
                continue
            try:
                self._answer.set_result(decode(frame.text))
            except ProtocolError as error:
                self._statistics.malformed += 1
                self._answer.set_exception(error)

    def _ready(self) -> None:
        self._is_open.set()

    def _fail(self, failure: Exception) -> None:
        super()._fail(failure)
        self._is_open.set()
        if self._answer is not None and not self._answer.done():
            self._answer.set_exception(self._failure or failure)

    def _note(self, round_trip: float) -> None:
        self._statistics.messages_taken += 1
        known = self._statistics.round_trip_ms
        smoothed = round_trip * 1000 if known is None else known + (round_trip * 1000 - known) / 8
        self._statistics.round_trip_ms = round(smoothed, 3)
