"""One day at one table, from one seed: people deal and play, things go wrong, and in the end everything is checked."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import random
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import aiohttp
from msgspec import Struct

from controller.contract.topics import Topics
from controller.demo.staff import hire
from controller.games.poker.core.options import PokerOptions
from controller.journal import JournalReader
from controller.rules import load, resolve
from controller.soak.bench import Bench
from controller.soak.broker import Subscriber, Way, broker
from controller.soak.checks import Ledger, delivery, evidence
from controller.soak.faults import Trouble
from controller.soak.restarts import restarts
from controller.soak.table import Board, InsideConnector
from sim_hw.devices.drop_box.sensor import Box
from sim_hw.people.crew import Crew
from sim_hw.people.mistakes import Mistakes
from sim_hw.people.sight import Sight
from sim_hw.time.loop import LoopClock, SimLoop

RECOVERS_S = 60.0
"""Simulated seconds after which a table is whole again, once nothing is wrong any more."""
A_MOMENT = 0.001
"""Simulated seconds in which all that is under way arrives: it needs no time, only that nobody has anything to do."""
SENSORS_READ_S = 15.0
"""Simulated seconds in which a piece that fell into a box has been counted, whatever the sensor's poll interval."""
PIN_COST = 2
"""Of checking a PIN, for scrypt: nobody attacks a simulated table, and its people sign in for every shift."""
REPORT_EVERY = 300.0
"""Simulated seconds between two lines of progress."""


class Plan(Struct, frozen=True):
    """A day to be soaked."""

    game: str
    seed: int
    hours: float = 24.0
    faults_per_hour: float = 6.0
    mistakes: float = 0.05
    pace: float = 1.0
    only: tuple[str, ...] = ()
    """Only these faults; empty: all."""


class Report(Struct):
    """How the day was."""

    game: str
    seed: int
    hours: float
    violations: list[str] = []
    rounds: int = 0
    void: int = 0
    corrected: int = 0
    events: int = 0
    inputs: int = 0
    starts: int = 0
    repeats: int = 0
    faults: dict[str, int] = {}
    mistakes: dict[str, int] = {}
    floor: dict[str, int] = {}
    held: dict[str, int] = {}
    void_for: dict[str, int] = {}
    """Void rounds, by what went wrong in them."""
    hash: str = ""
    """Of the journal's last entry: the same seed gives the same."""
    seconds: float = 0.0
    story: list[str] = []
    """The last things that went wrong before a violation."""


LEAST_ROUNDS = {"banked": 60, "pots": 40, "panguingue": 15, "panguingue-reported": 15, "chinese-poker": 15}
"""Rounds in two hours below which nobody would know the table for one of a cardroom; Pan and Chinese Poker are slow."""
MOST_VOID = 0.15
"""Share of all rounds."""


def is_quiet(sight: Sight) -> bool:
    """No round is being dealt, and nothing needs anybody."""
    return sight.phase in ("settled", "waiting") and not sight.alarms


def pace_problems(plan: Plan, report: Report) -> list[str]:
    """A day that proves nothing: too few rounds, or rounds that are void without a fault or a mistake to blame."""
    problems = []
    causes = sum(report.faults.values()) + sum(report.mistakes.values())
    if report.void > causes:
        problems.append(f"{report.void} rounds are void, and only {causes} things went wrong")
    if plan.pace != 1 or plan.hours < 1:
        return problems
    ruleset = load(plan.game)
    kind = "pots" if isinstance(ruleset.options(), PokerOptions) else "banked"
    least = round(LEAST_ROUNDS.get(ruleset.game.slug, LEAST_ROUNDS[kind]) * plan.hours / 2)
    settled = report.rounds - report.void
    if settled < least:
        problems.append(f"only {settled} rounds were dealt to their end in {plan.hours:g} hours, not {least}")
    if report.void > MOST_VOID * report.rounds:
        problems.append(f"{report.void} of {report.rounds} rounds are void")
    return problems


def soak(plan: Plan, folder: Path, progress: Callable[[float, int], None] = lambda share, rounds: None) -> Report:
    """Run one day in this process. `progress` gets the share of it that is over, and the rounds so far."""
    began = time.monotonic()
    folder.mkdir(parents=True, exist_ok=True)
    report = Report(plan.game, plan.seed, plan.hours)
    with (
        broker(folder) as (port, version),
        contextlib.chdir(folder),
        _errors(report),
        asyncio.Runner(loop_factory=SimLoop) as runner,
    ):
        # By its name in the folder, wherever that is: the report of an unreachable device has its address.
        runner.run(_Day(plan, Path(), report, progress).run(port, version))
    report.seconds = time.monotonic() - began
    return report


@contextlib.contextmanager
def _errors(report: Report) -> Iterator[None]:
    """Whatever the daemon logs as an error is a violation."""

    class Handler(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            text = record.getMessage()
            if record.exc_info and record.exc_info[1] is not None:
                text += f" ({type(record.exc_info[1]).__name__}: {record.exc_info[1]})"
            report.violations.append(f"logged as an error by {record.name}: {text}")

    handler = Handler(logging.ERROR)
    logging.getLogger().addHandler(handler)
    try:
        yield
    finally:
        logging.getLogger().removeHandler(handler)


class _Day:
    def __init__(self, plan: Plan, folder: Path, report: Report, progress: Callable[[float, int], None]) -> None:
        self.plan, self.folder, self.report, self._progress = plan, folder, report, progress
        self.seed = f"{plan.game}/{plan.seed}"
        self.crew: Crew

    async def run(self, port: int, version: str) -> None:
        loop = asyncio.get_running_loop()
        assert isinstance(loop, SimLoop)
        self.loop, clock = loop, LoopClock(loop)
        self.bench = Bench(self.plan.game, self.folder, clock, self.seed)
        self.way = Way(loop, port, "broker")
        await self.way.lay()
        self.subscriber = Subscriber(port, version, f"{Topics('soak', 't-1').base}/event/#")
        self.subscriber.start()
        data = self.folder / "data"
        hire(data, PIN_COST)
        self.journal = data / "journal.db"
        self.board = Board(self.bench.config(self.way.name, version), data, self.seed)
        self.bench.plug()
        try:
            async with aiohttp.ClientSession(connector=InsideConnector(keepalive_timeout=None)) as self.session:
                await self._deal(clock)
        finally:
            self.subscriber.stop()
            await self.way.close()
            self.bench.unplug()

    async def _deal(self, clock: LoopClock) -> None:
        console = await self.board.start(self.session)
        habits, mistakes = self.bench.habits(self.plan.pace), Mistakes.at(self.plan.mistakes)
        self.crew = Crew(console, self.bench.reach, clock, habits, seed=self.seed, mistakes=mistakes)
        only = frozenset(self.plan.only) or None
        rng = random.Random(f"{self.seed}/trouble")
        self.trouble = Trouble(self.board, self.bench, self.way, restarted=self._restart, rng=rng, names=only)
        people = asyncio.create_task(self._play())
        trouble = asyncio.create_task(self._make_trouble(rng))
        try:
            await asyncio.wait({people, trouble}, return_when=asyncio.FIRST_EXCEPTION)
            for task in (people, trouble):
                if task.done():
                    task.result()
            await self._close()
        except Exception as error:
            self._violated(f"{type(error).__name__}: {error}")
        finally:
            for task in (people, trouble):
                task.cancel()
                await asyncio.wait({task})
            if self.board.is_running:
                await self.board.stop()
            self._check()

    async def _restart(self) -> None:
        self.crew.console = await self.board.start(self.session)

    @property
    def _end(self) -> float:
        return self.plan.hours * 3600

    async def _play(self) -> None:
        reported_at = 0.0
        while self.loop.time() < self._end:
            await self.crew.step()
            if self.loop.time() - reported_at > REPORT_EVERY:
                reported_at = self.loop.time()
                self._progress(min(1.0, reported_at / self._end), self.crew.rounds)

    async def _make_trouble(self, rng: random.Random) -> None:
        while self.plan.faults_per_hour:
            pause = rng.expovariate(self.plan.faults_per_hour / 3600)
            if self.loop.time() + pause > self._end:
                return
            await asyncio.sleep(pause)
            episode = await self.trouble.strike()
            await asyncio.sleep(RECOVERS_S)
            await self._look_whether_whole(str(episode))

    async def _look_whether_whole(self, after: str) -> None:
        """What must be true again a moment after something went wrong."""
        self.board.check_alive()
        daemon, journal = self.board.daemon, self.board.journal
        assert daemon is not None and journal is not None
        away = [name for name, state in daemon.supervisor.states.items() if state.state != "online"]
        if away:
            self._violated(f"{RECOVERS_S:g} s after {after}: not back: {', '.join(away)}")
        if daemon.recorder.trouble is not None and self.loop.time() < self._end:
            self._violated(
                f"{RECOVERS_S:g} s after {after}: the journal is still in trouble: {daemon.recorder.trouble}"
            )
        await self._caught_up(after)

    async def _caught_up(self, after: str) -> None:
        journal = self.board.journal
        assert journal is not None
        await asyncio.sleep(A_MOMENT)
        if not self.subscriber.until(journal.head.seq):
            last = self.subscriber.last
            self._violated(f"after {after}: the subscriber has {last} of {journal.head.seq} events")

    async def _close(self) -> None:
        """The last round is played, the drop team comes, everything that is broken is fixed."""
        for sensor in self.bench.sensors.values():
            if sensor.box is not None:
                sensor.take_box()
        await asyncio.sleep(10.0)
        for sensor in self.bench.sensors.values():
            sensor.put_box(Box("BOX-9"))
        until = self.loop.time() + 1800
        while self.loop.time() < until:
            sight = await self.crew.look()
            if is_quiet(sight):
                await asyncio.sleep(SENSORS_READ_S)
                sight = await self.crew.look()
                if is_quiet(sight):
                    break
            await self.crew.step(sight)
        else:
            self._violated(f"the day does not end: {sight.phase}, {sight.prompt!r}, alarms {', '.join(sight.alarms)}")
        await self._caught_up("the last round")
        await self.board.stop()
        self.report.starts = self.board.starts

    def _violated(self, what: str) -> None:
        self.report.violations.append(f"{self.loop.time():.1f} s: {what}")

    def _check(self) -> None:
        report, crew = self.report, self.crew
        report.violations += delivery(self.journal, self.subscriber)
        report.violations += evidence(self.journal)
        report.violations += restarts(self.journal, resolve)
        ledger = Ledger(self.journal)
        report.violations += ledger.problems
        report.violations += [f"the alarm {name} was never cleared: {text}" for name, text in ledger.standing.items()]
        for box, pieces in crew.dropped.items():
            counted = ledger.dropped.get(box, 0)
            if counted != pieces and not (box in ledger.doubted and counted < pieces):
                report.violations.append(f"{pieces} pieces went into the {box} box, {counted} were counted")
        lost = any(episode.name == "power_cycle" and episode.device == "shoe" for episode in self.trouble.episodes)
        if ledger.cards != crew.shoe_cards and not (lost and ledger.cards < crew.shoe_cards):
            report.violations.append(f"{crew.shoe_cards} cards left the shoe, {ledger.cards} are in the journal")
        report.rounds, report.void, report.corrected = ledger.rounds, ledger.void, ledger.corrected
        report.events, report.repeats = self.subscriber.last, self.subscriber.repeats
        report.faults = dict(Counter(episode.name for episode in self.trouble.episodes))
        report.mistakes, report.floor, report.held = crew.clumsiness.made, crew.floor.done, dict(ledger.held)
        report.void_for = dict(ledger.void_for)
        report.violations += pace_problems(self.plan, report)
        report.story = [str(episode) for episode in self.trouble.episodes[-5:]] if report.violations else []
        with JournalReader.read(self.journal) as reader:
            report.hash, report.inputs = reader.head.hash.hex(), reader.head.n
