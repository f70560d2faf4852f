"""A table with a simulated shuffler on a real pseudo-terminal, the real driver under the real supervisor.

The controller here reckons its commands as the daemon does: from the reports that it has taken.
"""

from __future__ import annotations

import random
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TypeVar

from devices.drivers.shuffler import CheckedDeckLoaded, Refused, ShufflerDriver
from devices.reports import DeviceAnswer, DeviceEvent, DeviceState, Report
from devices.spec import DeviceSpec
from devices.supervisor import Supervisor
from protocols.link.session import Timings
from protocols.shuffler.messages import Mode, SelfTestEnded, ShuffleStarted, StackDispensed, Status
from sim_hw.devices.shuffler.device import SimulatedShuffler
from sim_hw.time.clock import MAX_SPEED, SimClock
from sim_hw.wire.noise import Noise
from sim_hw.wire.pty import Pty
from tests.support.wire.listener import Inbox, of_type, running

THREES = Mode(kind="stacks", stack=3)
SEVENS = Mode(kind="stacks", stack=7, jokers=1)
TWOS_AND_FIVE = Mode(kind="stacks", stack=2, packet=5)

R = TypeVar("R")


class Controller(Inbox):
    """The side of the daemon: computes its commands from the reports."""

    def __init__(self, url: str, options: Mapping[str, object], timings: Timings | None) -> None:
        super().__init__()
        self.boot = self.known = self.deck_no = self.shuffle_no = self.stacks = self.test_no = 0
        spec = DeviceSpec(id="shuffler", kind="shuffler", url=url, options=options)
        self.supervisor = Supervisor([spec], self.sink, rng=random.Random(1), timings=timings)
        self.driver = self.supervisor.driver("shuffler", ShufflerDriver)

    async def sink(self, report: Report) -> None:
        await super().sink(report)
        self._reckon(report)

    def _reckon(self, report: Report) -> None:
        if isinstance(report, DeviceEvent):
            self.boot, self.known = report.boot, report.event_no
        match report.body if isinstance(report, DeviceEvent | DeviceAnswer) else report:
            case Status() as status:
                self.boot, self.known, self.deck_no = status.boot, status.event_no, status.deck_no
                self.shuffle_no, self.stacks, self.test_no = status.shuffle_no, status.stacks, status.test_no
            case CheckedDeckLoaded(deck_no=deck_no):
                self.deck_no, self.stacks = deck_no, 0
            case ShuffleStarted(shuffle_no=shuffle_no):
                self.shuffle_no = shuffle_no
            case StackDispensed(stack_no=stack_no):
                self.stacks = stack_no
            case SelfTestEnded(test_no=test_no):
                self.test_no = test_no

    def shuffle(self) -> None:
        self.driver.shuffle(boot=self.boot, deck_no=self.deck_no, shuffle_no=self.shuffle_no + 1)

    def dispense(self, more: int, size: int) -> None:
        """`more` stacks beyond those that have left."""
        self.driver.dispense(
            boot=self.boot, known=self.known, deck_no=self.deck_no, up_to=self.stacks + more, size=size
        )

    def unload(self) -> None:
        self.driver.unload(boot=self.boot, deck_no=self.deck_no)

    def self_test(self) -> None:
        self.driver.self_test(boot=self.boot, test_no=self.test_no + 1)

    async def online(self) -> Status:
        await self.until(lambda: self.states[-1:] == ["online"])
        return self.all(Status)[-1]

    async def next(self, kind: type[R]) -> R:
        """The next report of this kind that comes."""
        before = len(self.all(kind))
        await self.until(lambda: len(self.all(kind)) > before)
        return self.all(kind)[before]

    async def refusal(self) -> tuple[str, str]:
        refused = await self.next(Refused)
        return refused.command, refused.why

    def all(self, kind: type[R]) -> list[R]:
        return of_type(self.reports, kind)

    @property
    def states(self) -> list[str]:
        return [report.state for report in self.all(DeviceState)]


class ShufflerTable:
    """The machine, the controller, and a dealer's hands."""

    def __init__(self, machine: SimulatedShuffler, controller: Controller) -> None:
        self.machine = machine
        self.controller = controller

    async def shuffled(self, back: str = "red", **mistakes: object) -> None:
        """A deck was put in and has been through the machine."""
        self.machine.load(back, **mistakes)  # type: ignore[arg-type]  # the machine's own words
        await self.machine.wait_taken()
        self.controller.shuffle()
        await self.machine.wait_phase("ready", "sorted", "rejected")
        await self.machine.wait_taken()

    async def deal(self, stacks: int, size: int) -> list[list[str]]:
        """The dealer takes this number of stacks from the tray, one after the other."""
        self.controller.dispense(stacks, size)
        taken = []
        for _ in range(stacks):
            await self.machine.wait_tray()
            taken.append(self.machine.take())
        await self.machine.wait_taken()
        return taken

    async def unloaded(self) -> list[str]:
        self.controller.unload()
        await self.machine.wait_phase("empty")
        await self.machine.wait_taken()
        return self.machine.take()


@asynccontextmanager
async def shuffler_table(
    folder: Path,
    mode: Mode = THREES,
    *,
    options: Mapping[str, object] | None = None,
    seed: int = 7,
    reads_cards: bool = True,
    noise: Noise | None = None,
    timings: Timings | None = None,
) -> AsyncIterator[ShufflerTable]:
    """A table whose shuffler is in this mode and online."""
    port = Pty(folder, "shuffler")
    machine = SimulatedShuffler(port, SimClock(MAX_SPEED), seed=seed, reads_cards=reads_cards, mode=mode, noise=noise)
    machine.plug()
    try:
        async with running(Controller(str(port.path), options or {}, timings)) as controller:
            await controller.online()
            yield ShufflerTable(machine, controller)
    finally:
        machine.close()
