"""Another maker's shuffler: machine, line and driver on a pseudo-terminal, and what the table gets from them."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from controller.engine.inputs import Happening, PackReported, StackOut
from controller.table.translate.common import Context
from controller.table.translate.report import translate
from devices.driver import Shuffling
from devices.drivers.example_shuffler.driver import ExampleShufflerDriver
from devices.drivers.shuffler import CheckedDeckLoaded, LimitedStack, Refused, ShufflerDriver
from devices.kinds import kind_of
from devices.reports import DeviceEvent, DeviceState, Report
from devices.spec import DeviceSpec
from devices.supervisor import Supervisor
from protocols.example_shuffler import messages as wire
from protocols.shuffler import messages as ours
from sim_hw.devices.example_shuffler.device import ExampleShuffler
from sim_hw.time.clock import MAX_SPEED, SimClock
from sim_hw.wire.noise import Noise
from sim_hw.wire.pty import Pty
from tests.support.wire.listener import Inbox, fields, of_type, running

NOISE = Noise(bit_errors=3e-4, lost_bytes=5e-4, dropped=0.02, repeated=0.05, cut_short=0.02, garbage=0.05)


class Controller(Inbox):
    """The side of the daemon."""

    def __init__(self, url: str) -> None:
        super().__init__()
        spec = DeviceSpec(id="shuffler", kind="example_shuffler", url=url, baud=19_200)
        self.supervisor = Supervisor([spec], self.sink, rng=random.Random(1))
        self.driver = self.supervisor.driver("shuffler", ExampleShufflerDriver)

    @property
    def events(self) -> list[DeviceEvent]:
        return [report for report in self.reports if isinstance(report, DeviceEvent)]

    @property
    def states(self) -> list[str]:
        return [report.state for report in of_type(self.reports, DeviceState)]

    async def online(self, times: int = 1) -> None:
        await self.until(lambda: self.states.count("online") >= times)

    async def event(self, kind: type[ours.Event]) -> ours.Event:
        await self.until(lambda: bool(of_type(self.reports, kind)))
        return of_type(self.reports, kind)[-1]


class Table:
    def __init__(self, machine: ExampleShuffler, controller: Controller) -> None:
        self.machine, self.controller = machine, controller

    async def shuffled(self, *, without: tuple[str, ...] = ()) -> None:
        self.machine.put_in(without=without)
        await self.machine.wait_taken()
        self.controller.driver.shuffle(
            boot=self.machine.boot, deck_no=self.machine.deck_no, shuffle_no=self.machine.shuffle_no + 1
        )
        await self.machine.wait_phase("ready", "rejected")
        await self.machine.wait_taken()

    def permit(self, up_to: int, *, size: int = 3, known: int | None = None) -> None:
        known = self.machine.event_no if known is None else known
        self.controller.driver.dispense(
            boot=self.machine.boot, known=known, deck_no=self.machine.deck_no, up_to=up_to, size=size
        )

    async def take(self, hands: int) -> list[list[str]]:
        taken = []
        for _ in range(hands):
            await self.machine.wait_tray()
            taken.append(self.machine.take())
        await self.machine.wait_taken()
        return taken


@asynccontextmanager
async def laid(folder: Path, *, noise: Noise | None = None) -> AsyncIterator[Table]:
    port = Pty(folder, "shuffler")
    machine = ExampleShuffler(port, SimClock(MAX_SPEED), seed=7, noise=noise)
    machine.plug()
    try:
        async with running(Controller(str(port.path))) as controller:
            await controller.online()
            yield Table(machine, controller)
    finally:
        machine.close()


def test_both_makes_are_driven_alike() -> None:
    assert issubclass(ExampleShufflerDriver, Shuffling)
    assert issubclass(ShufflerDriver, Shuffling)
    assert kind_of("example_shuffler").to_the_table == kind_of("shuffler").to_the_table == "shuffler"


async def test_a_deck_is_shuffled_and_dealt_and_reported_as_by_our_own_shuffler(tmp_path: Path) -> None:
    async with laid(tmp_path) as table:
        await table.shuffled()
        table.permit(2)
        taken = await table.take(2)
        table.controller.driver.unload(boot=table.machine.boot, deck_no=1)
        await table.machine.wait_phase("empty")
        await table.machine.wait_taken()
        rest = table.machine.take()

        assert len(Counter(sum(taken, rest))) == 52
        events = table.controller.events
        assert [event.event_no for event in events] == list(range(1, 9))
        assert {event.boot for event in events} == {table.machine.boot}
        assert [fields(event.body) for event in events] == [
            (CheckedDeckLoaded, 1, None, None, False, ""),
            (ours.ShuffleStarted, 1, 1, "shuffled", "controller"),
            (ours.DeckVerified, 1, 1, "shuffled", None, 52, 52, 0, 0, 0, (), (), False),
            (LimitedStack, 1, 1, 3, tuple(taken[0]), 2),
            (ours.StackRemoved, 1, 1),
            (LimitedStack, 1, 2, 3, tuple(taken[1]), 2),
            (ours.StackRemoved, 1, 2),
            (ours.DeckUnloaded, 1, 46, 46),
        ]


async def test_an_online_machine_has_reported_who_it_is_and_its_status(tmp_path: Path) -> None:
    async with laid(tmp_path) as table:
        (status,) = of_type(table.controller.reports, ours.Status)
        assert (status.boot, status.phase, status.mode.stack, status.size) == (table.machine.boot, "empty", 3, 3)
        state = of_type(table.controller.reports, DeviceState)[-1]
        assert (state.model, state.serial, state.firmware, state.draws) == ("HF-1", "0042", "3.07", 0)


async def test_its_hands_and_its_jams_mean_to_the_engine_what_those_of_ours_mean(tmp_path: Path) -> None:
    async with laid(tmp_path) as table:
        await table.shuffled()
        table.permit(1)
        await table.take(1)
        table.machine.jam_at(2)
        table.permit(2)
        await table.controller.event(ours.Jammed)
        bodies = {
            type(event.body): found.body
            for event in table.controller.events
            if (found := translate(event, "shuffler", Context(dealing=True))) is not None
        }
        assert isinstance(bodies[LimitedStack], StackOut)
        assert isinstance(bodies[ours.DeckVerified], PackReported)
        trouble = bodies[ours.Jammed]
        assert isinstance(trouble, Happening)
        assert trouble.code == "shuffler_failure"


async def test_a_bad_deck_is_reported_and_no_hand_leaves_it(tmp_path: Path) -> None:
    async with laid(tmp_path) as table:
        await table.shuffled(without=("4h",))
        (deck,) = of_type(table.controller.reports, ours.DeckVerified)
        assert deck.problem == "51 cards, 52 expected; missing 4h"
        table.permit(1)
        await table.controller.until(lambda: bool(of_type(table.controller.reports, Refused)))
        assert fields_of(table.controller.reports) == [("dispense", "not fit")]
        assert not table.machine.has_tray


async def test_a_permit_from_before_a_jam_does_not_continue_the_deal(tmp_path: Path) -> None:
    async with laid(tmp_path) as table:
        await table.shuffled()
        known = table.machine.event_no
        table.machine.jam_at(2)
        table.permit(1)
        await table.controller.event(ours.Jammed)
        table.machine.clear_jam()
        await table.controller.event(ours.JamCleared)
        table.permit(1, known=known)
        await table.controller.until(lambda: bool(of_type(table.controller.reports, Refused)))
        assert fields_of(table.controller.reports) == [("dispense", "irregularity")]
        assert not table.machine.has_tray


async def test_another_size_than_that_of_the_machine_is_refused(tmp_path: Path) -> None:
    async with laid(tmp_path) as table:
        await table.shuffled()
        table.permit(1, size=5)
        await table.controller.until(lambda: bool(of_type(table.controller.reports, Refused)))
        assert fields_of(table.controller.reports) == [("dispense", "wrong size")]
        assert not table.machine.has_tray


async def test_the_lower_permit_counts(tmp_path: Path) -> None:
    async with laid(tmp_path) as table:
        await table.shuffled()
        table.permit(3)
        await table.machine.wait_tray()
        table.permit(0)
        await table.take(1)
        statistics = table.controller.supervisor.statistics["shuffler"]
        asked = statistics.messages_sent
        await table.machine.until(lambda: statistics.messages_sent > asked + 4)
        assert (table.machine.hands, table.machine.has_tray) == (1, False)


async def test_what_the_table_could_not_store_comes_again_with_the_same_number(tmp_path: Path) -> None:
    async with laid(tmp_path) as table:
        await table.shuffled()
        refuse = True

        def refuses(report: Report) -> bool:
            return refuse and isinstance(report, DeviceEvent) and isinstance(report.body, LimitedStack)

        table.controller.refuses = refuses
        table.permit(1)
        await table.controller.until(lambda: bool(table.controller.refused))
        assert table.machine.records, "the machine keeps it"
        refuse = False
        await table.controller.online(2)
        await table.machine.wait_taken()
        cards = table.machine.take()
        (stack,) = of_type(table.controller.reports, LimitedStack)
        (first, *_) = table.controller.refused
        assert isinstance(first, DeviceEvent)
        assert (first.boot, first.event_no) == (stack.boot, stack.event_no)
        assert list(stack.cards) == cards


async def test_after_a_restart_of_the_daemon_nothing_is_missing_and_nothing_twice(tmp_path: Path) -> None:
    async with laid(tmp_path) as table:
        await table.shuffled()
        before = [event.event_no for event in table.controller.events]
    port = Pty(tmp_path, "again")
    table.machine.wire.port = port
    table.machine.plug()
    try:
        async with running(Controller(str(port.path))) as controller:
            await controller.online()
            assert controller.events == []
            table.controller = controller
            table.permit(1)
            await table.take(1)
            assert [event.event_no for event in controller.events] == [before[-1] + 1, before[-1] + 2]
    finally:
        table.machine.close()


async def test_a_machine_that_was_switched_off_and_on_is_met_anew(tmp_path: Path) -> None:
    async with laid(tmp_path) as table:
        await table.shuffled()
        old = table.machine.boot
        table.machine.power_cycle()
        await table.controller.online(2)
        (found,) = [deck for deck in of_type(table.controller.reports, CheckedDeckLoaded) if deck.found]
        assert (found.boot, found.event_no) == (table.machine.boot, 1)
        assert table.machine.boot != old
        assert "the shuffler was switched off and on" in [
            state.detail for state in of_type(table.controller.reports, DeviceState)
        ]


async def test_noise_on_the_line_costs_repetitions_and_never_a_hand(tmp_path: Path) -> None:
    async with laid(tmp_path, noise=NOISE) as table:
        await table.shuffled()
        taken = []
        for hand in range(1, 9):
            table.permit(hand)
            taken += await table.take(1)
        stacks = {stack.event_no: list(stack.cards) for stack in of_type(table.controller.reports, LimitedStack)}
        assert list(stacks.values()) == taken
        statistics = table.controller.supervisor.statistics["shuffler"]
        assert statistics.retransmissions + statistics.framing.crc_errors > 0


async def test_a_request_that_comes_twice_is_done_once(tmp_path: Path) -> None:
    async with laid(tmp_path, noise=Noise(repeated=1.0)) as table:
        await table.shuffled()
        table.permit(1)
        (cards,) = await table.take(1)
        assert len(of_type(table.controller.reports, LimitedStack)) == 1
        assert len(cards) == 3
        assert sum(isinstance(command, wire.FormHand) for command in table.machine.commands) == 1


def fields_of(reports: list[Report]) -> list[tuple[str, str]]:
    return [(refused.command, refused.why) for refused in of_type(reports, Refused)]


async def test_a_machine_that_hangs_is_away_and_comes_back(tmp_path: Path) -> None:
    async with laid(tmp_path) as table:
        table.machine.hang()
        await table.controller.until(lambda: table.controller.states[-1] == "offline")
        table.machine.restart()
        await table.controller.online(2)
