"""The sensors' end of an RS-485 bus, on a simulated port."""

from __future__ import annotations

import asyncio
import random
from collections import deque
from collections.abc import Callable, Sequence
from typing import NamedTuple

from protocols.modbus.ends import RequestReader, silence
from protocols.modbus.frames import BROADCAST, Request, Unanswerable
from sim_hw.devices.drop_box.sensor import SimulatedSensor
from sim_hw.wire.line import NoisyLine, Port
from sim_hw.wire.noise import Noise

REMEMBERED = 10_000


class Asked(NamedTuple):
    """A question that came over the bus."""

    at: float
    """By the loop's clock."""
    unit: int
    request: Request | Unanswerable


class SimulatedBus:
    """Sensors on one pair of wires. Unplugged at first: `plug` it."""

    def __init__(
        self,
        port: Port,
        sensors: Sequence[SimulatedSensor],
        *,
        seed: int | str,
        baud: int = 19_200,
        noise: Noise | None = None,
    ) -> None:
        self.sensors = {sensor.unit: sensor for sensor in sensors}
        self.asked: deque[Asked] = deque(maxlen=REMEMBERED)
        self._turnaround = silence(baud)
        self._reader = RequestReader(baud)
        self.line = NoisyLine(port, self._arrived, random.Random(f"{seed}/bus"), noise)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._answers: set[asyncio.TimerHandle] = set()
        self._changed = asyncio.Event()

    def plug(self) -> None:
        if self.line.is_plugged:
            return
        self._loop = asyncio.get_running_loop()
        self.line.plug()

    def unplug(self) -> None:
        if self._loop is None or not self.line.is_plugged:
            return
        self.line.unplug()
        for handle in (*self._answers, *([self._timer] if self._timer else [])):
            handle.cancel()
        self._answers.clear()
        self._timer = self._loop = None

    def babble(self, data: bytes) -> None:
        """Something puts bytes on the wire that nobody asked for."""
        self.line.port.write(data)

    async def wait_until(self, holds: Callable[[], bool]) -> None:
        """Until something holds that a question can bring about."""
        while not holds():
            self._changed.clear()
            await self._changed.wait()

    async def wait_asked(self, unit: int, times: int = 1) -> None:
        """Until this unit was asked this many times more."""
        wanted = self._count(unit) + times
        await self.wait_until(lambda: self._count(unit) >= wanted)

    def _count(self, unit: int) -> int:
        return sum(asked.unit == unit for asked in self.asked)

    def _arrived(self, data: bytes) -> None:
        assert self._loop is not None
        self._handle(self._reader.feed(data, self._loop.time()))

    def _silence(self) -> None:
        assert self._loop is not None
        self._timer = None
        self._handle(self._reader.poll(self._loop.time()))

    def _handle(self, requests: list[tuple[int, Request | Unanswerable]]) -> None:
        assert self._loop is not None
        for unit, request in requests:
            self.asked.append(Asked(self._loop.time(), unit, request))
            if unit == BROADCAST:
                for sensor in self.sensors.values():
                    sensor.broadcast(request)
            elif unit in self.sensors:
                answer = self.sensors[unit].answer(request)
                if answer is not None:
                    self._send_later(answer)
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        deadline = self._reader.next_deadline()
        if deadline is not None:
            self._timer = self._loop.call_at(deadline, self._silence)
        self._changed.set()

    def _send_later(self, answer: bytes) -> None:
        """The driver chips turn round."""
        assert self._loop is not None

        def send() -> None:
            self._answers.discard(handle)
            self.line.write(answer)

        handle = self._loop.call_later(self._turnaround, send)
        self._answers.add(handle)
