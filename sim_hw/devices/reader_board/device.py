"""Simulated LED signs on a simulated port: one line, one or several signs, as bad a wire as the test wants."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Sequence
from typing import Literal

from protocols.alpha.parity import add_parity, strip_parity
from sim_hw.devices.kinds import OnWire
from sim_hw.devices.reader_board.sign import SimulatedSign
from sim_hw.wire.line import NoisyLine, Port
from sim_hw.wire.noise import Noise


class SimulatedReaderBoard(OnWire):
    """Signs on one line, behind a simulated port. Unplugged at first."""

    def __init__(
        self,
        port: Port,
        signs: Sequence[SimulatedSign],
        *,
        line: Literal["7E1", "8N1"] = "7E1",
        seed: int | str = 0,
        noise: Noise | None = None,
    ) -> None:
        self.signs = tuple(signs)
        self._seven_bits = line == "7E1"
        self.wire = NoisyLine(port, self._arrived, random.Random(f"{seed}/reader board"), noise)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._changed = asyncio.Event()

    def plug(self) -> None:
        if self.wire.is_plugged:
            return
        self._loop = asyncio.get_running_loop()
        self.wire.plug()

    def unplug(self) -> None:
        if self.wire.is_plugged:
            self.wire.unplug()
            self._loop = None

    def close(self) -> None:
        self.unplug()

    def power_cycle(self, *, keep_events: bool = False) -> None:
        """The signs have no events to keep."""
        for sign in self.signs:
            sign.power_cycle()

    async def wait_online(self) -> None:
        await self.until(lambda: all(sign.obeyed for sign in self.signs))

    async def wait_taken(self) -> None:
        """Signs send nothing of their own."""

    async def until(self, holds: Callable[[], bool]) -> None:
        """Until something holds that bytes from the controller can bring about."""
        while not holds():
            self._changed.clear()
            await self._changed.wait()

    def _arrived(self, data: bytes) -> None:
        assert self._loop is not None
        if self._seven_bits:
            data = strip_parity(data)
        for sign in self.signs:
            answer = sign.receive(data, self._loop.time())
            if answer:
                self.wire.write(add_parity(answer) if self._seven_bits else answer)
        self._changed.set()
