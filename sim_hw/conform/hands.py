"""Who acts at the device when a requirement needs it: a card is drawn, the power goes off and on.

An act has the name that it has in a scenario (`cutcard rig list --acts`), and a sentence for a person. The same
requirement is therefore played by the simulator, by a person at the bench, by a robot's script, or left out by name.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from sim_hw.conform.requirement import NotPlayed
from sim_hw.devices.kinds import SimulatedDevice, kind_of


@dataclass(frozen=True, slots=True)
class Act:
    """Something that is done at the device."""

    name: str
    words: str
    """For a person: "Open the lid."."""
    how: tuple[tuple[str, Any], ...] = ()

    @property
    def arguments(self) -> list[str]:
        """For a script: `press key=1`, one argument for each value."""
        return [self.name, *(f"{key}={value}" for key, value in self.how)]

    @property
    def line(self) -> str:
        """The same, for sentences."""
        return " ".join(self.arguments)


def act(name: str, words: str, **how: Any) -> Act:
    return Act(name, words, tuple(how.items()))


POWER_CYCLE = act("power_cycle", "Switch the device off, wait two seconds, switch it on again.")


class Hands(Protocol):
    """The person who acts."""

    patience: float
    """Seconds until what was asked for has happened."""

    async def do(self, what: Act) -> None:
        """Begin it; what comes of it is seen on the wire."""

    async def stop(self) -> None:
        """Whatever still goes on."""


class Simulator:
    """Acts at a simulated device. An act that waits (a card that is held by the lock) goes on beside the check."""

    patience = 3.0

    def __init__(self, kind: str, device: SimulatedDevice) -> None:
        self._device = device
        self._acts = {function.__name__.rstrip("_"): function for function in kind_of(kind).acts}
        self._own: dict[str, Callable[..., object]] = {"power_cycle": device.power_cycle, "fill": self._fill}
        self._going: set[asyncio.Task[object]] = set()

    async def do(self, what: Act) -> None:
        own = self._own.get(what.name) or getattr(self._device, what.name, None)
        if what.name in self._acts:
            task: asyncio.Task[object] = asyncio.ensure_future(self._acts[what.name](self._device, **dict(what.how)))
            self._going.add(task)
            task.add_done_callback(self._ended)
            await asyncio.sleep(0)
        elif own is not None:
            own(**dict(what.how))
        else:
            raise NotPlayed(f"the simulator has no act {what.name!r}")

    def _fill(self) -> None:
        """Events until there is no room for another; the lid is shut at the end."""
        device: Any = self._device
        while device.link.has_room or device.lid_open:
            device.move_lid(is_open=not device.lid_open)

    def _ended(self, task: asyncio.Task[object]) -> None:
        self._going.discard(task)
        if not task.cancelled():
            task.exception()

    async def stop(self) -> None:
        for task in [*self._going]:
            task.cancel()
        self._going.clear()


class Person:
    """Asks a person at the terminal, and goes on at Enter."""

    patience = 60.0

    async def do(self, what: Act) -> None:
        print(f"  >> {what.words} Then press Enter (or type s and Enter to leave this requirement out). ", flush=True)
        answer = await asyncio.get_running_loop().run_in_executor(None, sys.stdin.readline)
        if not answer:
            raise NotPlayed("nobody is at the terminal")
        if answer.strip().lower() == "s":
            raise NotPlayed(f"left out at the bench: {what.words}")

    async def stop(self) -> None:
        """A person stops without being asked."""


class Robot:
    """Calls a script with the act's name and its values: `SCRIPT press key=1`. Exit code 0: it begins; 3: it cannot."""

    patience = 30.0
    CANNOT = 3

    def __init__(self, script: str) -> None:
        self._script = script

    async def do(self, what: Act) -> None:
        try:
            robot = await asyncio.create_subprocess_exec(self._script, *what.arguments)
        except OSError as error:
            raise NotPlayed(f"the script {self._script} cannot be started: {error.strerror}") from None
        code = await robot.wait()
        if code == self.CANNOT:
            raise NotPlayed(f"the script cannot do this: {what.line}")
        if code:
            raise NotPlayed(f"the script failed (exit code {code}) at: {what.line}")

    async def stop(self) -> None:
        """A script ends by itself."""


class Nobody:
    """Nobody is there: what needs a hand is left out by name."""

    patience = 3.0

    async def do(self, what: Act) -> None:
        raise NotPlayed(f"needs somebody at the device: {what.words}")

    async def stop(self) -> None:
        """Nothing goes on."""
