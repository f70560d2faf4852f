"""A real device behind a wire that can be as bad as a scenario wants: `cutcard rig wire`.

The real port is opened once, and a pseudo-terminal is offered in its place. What passes in either direction goes
through the same `NoisyLine` as that of a simulated device, so that every fault of a wire, a pulled cable and a device
that hangs can happen to a real device as well.

A `RealDevice` stands in a rig in the place of a simulated one. What people do at it is done by hands
(`sim_hw.conform.hands`): a person, a robot's script, or nobody, and then the step is left out by name.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sim_hw.conform.hands import Act, Hands
from sim_hw.conform.opening import Line, Parity, open_line
from sim_hw.conform.requirement import NotPlayed
from sim_hw.devices.kinds import OnWire, Wrong
from sim_hw.wire.line import NoisyLine
from sim_hw.wire.noise import Noise
from sim_hw.wire.pty import Pty

FAULTS: Mapping[str, tuple[str, float]] = {
    "noise": ("bit_errors", 1e-4),
    "lose": ("lost_bytes", 1e-3),
    "double": ("doubled_bytes", 1e-3),
    "drop": ("dropped", 0.02),
    "repeat": ("repeated", 0.02),
    "cut": ("cut_short", 0.02),
    "garbage": ("garbage", 0.02),
    "delay": ("delay", 0.05),
}
"""By their names on the command line: the field of `Noise`, and its value where none is given."""


class LeftOut(Wrong):
    """A step that cannot be done at a real device, with the reason."""


def noise_of(text: str) -> Noise:
    """`noise=0.0001,drop,delay=0.05` as what is wrong with the wire."""
    values: dict[str, Any] = {}
    for each in filter(None, text.split(",")):
        name, _, given = each.partition("=")
        if name not in FAULTS:
            raise Wrong(f"--faults {each}: there is no such fault of a wire; there is {', '.join(FAULTS)}")
        field, usual = FAULTS[name]
        try:
            value = float(given) if given else usual
        except ValueError:
            raise Wrong(f"--faults {each}: expected a number after {name}=") from None
        if not 0 <= value <= (10 if name == "delay" else 1):
            raise Wrong(f"--faults {each}: {'0 to 10 seconds' if name == 'delay' else 'a rate is 0 to 1'}")
        values[field] = (value / 2, value) if name == "delay" else value
    return Noise(**values)


class RealDevice(OnWire):
    """A real device on a real port, behind a pseudo-terminal."""

    def __init__(
        self,
        folder: Path,
        name: str,
        port: str,
        *,
        baud: int,
        parity: Parity = "none",
        seed: object = 0,
        noise: Noise | None = None,
        hands: Hands | None = None,
    ) -> None:
        self.name, self.port = name, port
        self._baud, self._parity, self._hands = baud, parity, hands
        self.wire = NoisyLine(Pty(folder, name), self._to_device, random.Random(f"{seed}/{name}/wire"), noise)
        self._line: Line | None = None
        self._opening: asyncio.Task[None] | None = None
        self.bytes_to_device = self.bytes_from_device = 0

    def plug(self) -> None:
        self.wire.plug()
        if self._line is None and self._opening is None:
            self._opening = asyncio.ensure_future(self.open())

    async def open(self) -> None:
        """The real port; `Wrong` says why it cannot be opened."""
        if self._line is None:
            self._line = await open_line(self.port, self._baud, self._parity)
            self._line.receive = self._from_device

    def unplug(self) -> None:
        """The cable between daemon and device is pulled. The device itself goes on."""
        self.wire.unplug()

    def close(self) -> None:
        self.unplug()
        if self._opening is not None:
            self._opening.cancel()
        if self._line is not None:
            self._line.close()

    def hang(self) -> None:
        self.wire.is_dead = True

    def restart(self) -> None:
        self.wire.is_dead = False

    def power_cycle(self, *, keep_events: bool = False) -> None:
        raise LeftOut(f"the {self.name} is a real one: its power is no fault of the wire")

    async def wait_online(self) -> None:
        """Whether it is there shows in the table's state; here the port must open."""
        await self.open()

    async def wait_taken(self) -> None:
        """A real device does not say what the controller has taken."""

    async def do(self, act: str, how: Mapping[str, object]) -> None:
        """What a person does at it, by a hand."""
        values = "".join(f" {key}={value}" for key, value in how.items())
        if self._hands is None:
            raise LeftOut(f"the {self.name} is a real one, on {self.port}: the rig cannot move it")
        try:
            await self._hands.do(Act(act, f"At the {self.name}: {act.replace('_', ' ')}{values}.", tuple(how.items())))
        except NotPlayed as reason:
            raise LeftOut(str(reason)) from None

    def _to_device(self, data: bytes) -> None:
        if self._line is not None and data:
            self.bytes_to_device += len(data)
            self._line.write(data)

    def _from_device(self, data: bytes) -> None:
        self.bytes_from_device += len(data)
        self.wire.write(data)
