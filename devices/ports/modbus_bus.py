"""A Modbus RTU line over an open port: one question at a time, an answer or the reason why there is none."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from devices.driver import ConnectionLost, DriverFailure
from devices.patience import PATIENCE
from devices.ports.opening import PortOpening
from devices.ports.transport import Parity, open_port
from devices.spec import DeviceSpec
from protocols.link.session import LinkStatistics
from protocols.modbus.ends import Master, on_the_wire, silence
from protocols.modbus.frames import Refusal, Reply, Request, longest_reply

ANSWER_WITHIN = 0.1
"""Besides the time on the wire: 20 ms of the sensor, two 16 ms latency timers of a USB adapter, a busy board."""


class NoAnswer(DriverFailure):
    """A unit did not answer, or not in a way that could be understood."""


@asynccontextmanager
async def open_bus(
    spec: DeviceSpec, parity: Parity, statistics: LinkStatistics, *, answer_within: float = ANSWER_WITHIN
) -> AsyncIterator[ModbusBus]:
    """The bus on this port."""
    bus = ModbusBus(spec.baud, statistics, answer_within)
    await open_port(spec.url, spec.baud, bus, parity=parity)
    try:
        yield bus
    finally:
        await bus.close()


class ModbusBus(PortOpening):
    """One opening of the port. Made by `open_bus`.

    Of the link's statistics it counts frames, noise, the questions that stayed without an answer (`retransmissions`:
    each is asked again) and those that were refused (`rejections`).
    """

    def __init__(self, baud: int, statistics: LinkStatistics, answer_within: float = ANSWER_WITHIN) -> None:
        super().__init__()
        self._answer_within = answer_within
        self._baud = baud
        self._statistics = statistics
        self._master = Master()
        self._reply: asyncio.Future[Reply] | None = None
        self._quiet_at = 0.0
        statistics.sessions += 1

    async def ask(self, unit: int, request: Request) -> Reply:
        """The unit's answer, a `Refusal` included; `NoAnswer` when it does not come in time."""
        await asyncio.sleep(self._quiet_at - self._loop.time())
        if self._failure is not None or self._transport is None:
            raise self._failure or ConnectionLost("the port is not open")
        question = self._master.ask(unit, request)
        self._reply = self._loop.create_future()
        asked_at = self._loop.time()
        self._transport.write(question)
        self._statistics.frames_sent += 1
        self._statistics.messages_sent += 1
        self._quiet_at = asked_at + on_the_wire(len(question), self._baud) + silence(self._baud)
        patience = self._answer_within * PATIENCE.get() + on_the_wire(
            len(question) + longest_reply(request), self._baud
        )
        try:
            async with asyncio.timeout(patience):
                reply = await self._reply
        except TimeoutError:
            raise self._unanswered(unit, patience) from None
        finally:
            self._reply = None
            self._master.give_up()
            self._statistics.framing.noise_bytes += self._master.noise_bytes
            self._master.noise_bytes = 0
        self._note(reply, self._loop.time() - asked_at)
        return reply

    def data_received(self, data: bytes) -> None:
        self._quiet_at = self._loop.time() + silence(self._baud)
        reply = self._master.feed(data)
        if reply is not None and self._reply is not None and not self._reply.done():
            self._reply.set_result(reply)

    def _fail(self, failure: Exception) -> None:
        super()._fail(failure)
        if self._reply is not None and not self._reply.done():
            self._reply.set_exception(self._failure or failure)

    def _unanswered(self, unit: int, patience: float) -> NoAnswer:
        self._statistics.retransmissions += 1
        if self._master.held:
            self._statistics.framing.crc_errors += 1
            return NoAnswer(f"unit {unit} answered something that cannot be understood")
        return NoAnswer(f"unit {unit} gave no answer in {patience:.2f} s")

    def _note(self, reply: Reply, round_trip: float) -> None:
        statistics = self._statistics
        statistics.framing.frames += 1
        statistics.messages_taken += 1
        statistics.rejections += isinstance(reply, Refusal)
        known = statistics.round_trip_ms
        smoothed = round_trip * 1000 if known is None else known + (round_trip * 1000 - known) / 8
        statistics.round_trip_ms = round(smoothed, 3)
