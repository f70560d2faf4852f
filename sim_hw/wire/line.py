"""A device's wire: the simulated port it is on, and what becomes of bytes on the way.

Every simulated device that speaks over a serial line has one. A good wire carries bytes at once; a `Noise` makes it
bad, at any moment, and a dead one carries nothing in either direction, as when a device's firmware hangs.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from typing import Protocol

from sim_hw.wire.noise import Noise, NoisyWire


class Port(Protocol):
    """Where a driver finds a simulated device: `sim_hw.wire.pty` or `sim_hw.wire.tcp`."""

    @property
    def is_plugged(self) -> bool: ...

    @property
    def url(self) -> str:
        """What a config says to reach it."""

    def plug(self) -> None: ...

    def unplug(self) -> None: ...

    def attend(self, loop: asyncio.AbstractEventLoop, readable: Callable[[], None]) -> None:
        """Call this whenever bytes may have come."""

    def leave(self, loop: asyncio.AbstractEventLoop) -> None: ...

    def read(self) -> bytes: ...

    def write(self, data: bytes) -> None: ...

    def forget_input(self) -> None: ...


class NoisyLine:
    """Both directions of one wire. Unplugged at first."""

    def __init__(self, port: Port, receive: Callable[[bytes], None], rng: random.Random, noise: Noise | None) -> None:
        """`receive` is called with what arrives at the device; `rng` decides what the noise does, in each direction."""
        self.port = port
        self.is_dead = False
        self._receive = receive
        self._noise = noise or Noise()
        self._in = NoisyWire(self._noise, random.Random(rng.getrandbits(64)))
        self._out = NoisyWire(self._noise, random.Random(rng.getrandbits(64)))
        self._loop: asyncio.AbstractEventLoop | None = None
        self._timers: set[asyncio.TimerHandle] = set()

    @property
    def is_plugged(self) -> bool:
        return self.port.is_plugged

    @property
    def noise(self) -> Noise:
        return self._noise

    @noise.setter
    def noise(self, noise: Noise) -> None:
        self._noise = noise
        self._in.become(noise)
        self._out.become(noise)

    def plug(self) -> None:
        self.port.plug()
        self._loop = asyncio.get_running_loop()
        self.port.attend(self._loop, self._readable)

    def unplug(self) -> None:
        """What is under way is lost."""
        if self._loop is None:
            return
        self.port.leave(self._loop)
        self.port.unplug()
        for timer in self._timers:
            timer.cancel()
        self._timers.clear()
        self._in.lose()
        self._out.lose()
        self._loop = None

    def write(self, data: bytes) -> None:
        """Towards the driver."""
        if self._loop is not None and not self.is_dead:
            self._carry(self._out, data, self._to_port)

    def forget_input(self) -> None:
        """Lose what has come in and was not read: the power was off."""
        if self.is_plugged:
            self.port.forget_input()

    def _readable(self) -> None:
        data = self.port.read()
        if not self.is_dead:
            self._carry(self._in, data, self._receive)

    def _to_port(self, data: bytes) -> None:
        if data:
            self.port.write(data)

    def _carry(self, wire: NoisyWire, data: bytes, deliver: Callable[[bytes], None]) -> None:
        if not any(self._noise.delay) and wire.next_arrival() is None:
            deliver(wire.carry(data))
            return
        loop = self._loop
        assert loop is not None
        wire.send(data, loop.time())
        arrival = wire.last_arrival()

        def arrived() -> None:
            self._timers.discard(timer)
            deliver(wire.arrived(loop.time()))

        timer = loop.call_at(arrival, arrived)
        self._timers.add(timer)
