"""Simulated LED signs on a simulated port: one line, one or several signs, as bad a wire as the test wants."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Sequence
from typing import Literal

from protocols.alpha.parity import add_parity, strip_parity
from sim_hw.alpha_sign import SimulatedSign
from sim_hw.noise import Noise, NoisyWire
from sim_hw.pty import Pty


class SimulatedReaderBoard:
    """Signs on one line, behind a simulated port. Unplugged at first."""

    def __init__(
        self,
        port: Pty,
        signs: Sequence[SimulatedSign],
        *,
        line: Literal["7E1", "8N1"] = "7E1",
        seed: int | str = 0,
        noise: Noise | None = None,
    ) -> None:
        self.signs = tuple(signs)
        self._port = port
        self._seven_bits = line == "7E1"
        rng = random.Random(f"{seed}/reader board")
        self._wire_in = NoisyWire(noise or Noise(), random.Random(rng.getrandbits(64)))
        self._wire_out = NoisyWire(noise or Noise(), random.Random(rng.getrandbits(64)))
        self._loop: asyncio.AbstractEventLoop | None = None
        self._changed = asyncio.Event()

    def plug(self) -> None:
        if self._port.is_plugged:
            return
        self._port.plug()
        self._loop = asyncio.get_running_loop()
        self._loop.add_reader(self._port.fileno(), self._readable)

    def unplug(self) -> None:
        if self._loop is None or not self._port.is_plugged:
            return
        self._loop.remove_reader(self._port.fileno())
        self._port.unplug()
        self._loop = None

    async def until(self, holds: Callable[[], bool]) -> None:
        """Until something holds that bytes from the controller can bring about."""
        while not holds():
            self._changed.clear()
            await self._changed.wait()

    def _readable(self) -> None:
        assert self._loop is not None
        data = self._wire_in.carry(self._port.read())
        if self._seven_bits:
            data = strip_parity(data)
        for sign in self.signs:
            answer = sign.hear(data, self._loop.time())
            if answer:
                self._port.write(self._wire_out.carry(add_parity(answer) if self._seven_bits else answer))
        self._changed.set()
