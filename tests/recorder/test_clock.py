"""The clock: an entry has its order by its number and its time by the clock, and neither is invented."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from controller.clock import DeviceClock, SystemClock
from controller.engine.fees.clock import FeeClock, moved
from controller.engine.inputs import (
    AlarmExplained,
    BetsClosed,
    ShoeStarted,
    Started,
    TimePassed,
    WagerPlaced,
    decode_input,
)
from controller.evidence.verify import verify
from controller.journal import Journal
from controller.outputs.state import state
from controller.recorder.recorder import Recorder
from controller.rules import load, resolve
from tests.outputs.test_view import config
from tests.support.running.alarms.alarmed_tables import alarmed_table
from tests.support.running.alarms.stories import SENSED, met

EZ = "bankers-ez-baccarat-panda-8"
STARTED = Started("0", EZ, load(EZ).digest_with({}), {}, {"seats": [1, 2, 3], "player_dealer": 8}, True)
TWENTY_YEARS = 20 * 365 * 86_400_000
NOON = 1_763_208_000_000


class SettableClock:
    """A board's clock under the test's hand: time passes, somebody sets it, a time server keeps it or not."""

    def __init__(self, now: int = NOON) -> None:
        self.now, self.elapsed, self.synced = now, 5_000, False

    def passes(self, ms: int) -> None:
        self.now += ms
        self.elapsed += ms

    def now_ms(self) -> int:
        return self.now

    def elapsed_ms(self) -> int:
        return self.elapsed

    def is_synced(self) -> bool:
        return self.synced

    def resume(self, last_ms: int) -> None:
        """It has its own time."""

    def observe(self, uptime_ms: int) -> None:
        """It gets no time from outside."""


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    opened = Journal.open(tmp_path / "journal.db", site="test", table="t-1")
    yield opened
    opened.close()


@pytest.fixture
def clock() -> SettableClock:
    return SettableClock()


async def a_recorder(journal: Journal, clock: SettableClock) -> Recorder:
    recorder = Recorder(journal, resolve, clock, STARTED)
    await recorder.submit(STARTED, "daemon")
    return recorder


def entries(journal: Journal) -> list[tuple[str, int]]:
    """Kind and time of every entry."""
    values = [decode_input(entry.input) for entry in journal.entries(1)]
    return [(str(type(value.body).__struct_config__.tag), value.at) for value in values]


def kinds(journal: Journal) -> list[str]:
    return [msgspec.json.decode(event.body)["kind"] for event in journal.events_from(1, 100)]


def published(recorder: Recorder) -> str:
    return state(recorder.engine, config(EZ), "0" * 32, 0).clock


async def test_a_clock_that_was_twenty_years_ahead_is_corrected_and_times_go_on(
    journal: Journal, clock: SettableClock
) -> None:
    """All later entries had the time of the last wrong one, and nothing reported it."""
    clock.now += TWENTY_YEARS
    recorder = await a_recorder(journal, clock)
    clock.passes(1000)
    clock.now -= TWENTY_YEARS
    await recorder.submit(ShoeStarted(8), "dealer")
    clock.passes(7000)
    await recorder.submit(BetsClosed(), "dealer")
    assert entries(journal) == [
        ("started", NOON + TWENTY_YEARS),
        ("clock", NOON + 1000),
        ("shoe_started", NOON + 1000),
        ("close_bets", NOON + 8000),
    ]
    assert recorder.engine.state.alarms["clock"] == "the board's clock was set back by 20 years"
    assert published(recorder) == "stepped"
    (event,) = (msgspec.json.decode(e.body) for e in journal.events_from(1, 100) if b"clock_changed" in e.body)
    assert event == {
        "kind": "clock_changed",
        "clock": "stepped",
        "before": NOON + TWENTY_YEARS + 1000,
        "after": NOON + 1000,
    }


async def test_verify_accepts_a_step_that_is_recorded(tmp_path: Path, clock: SettableClock) -> None:
    with Journal.open(tmp_path / "journal.db", site="test", table="t-1") as journal:
        recorder = await a_recorder(journal, clock)
        for by in (TWENTY_YEARS, -TWENTY_YEARS, -3_600_000):
            clock.now += by
            await recorder.submit(ShoeStarted(8), "dealer")
        again = Recorder(journal, resolve, clock, STARTED)
        assert again.engine.state == recorder.engine.state
    assert not verify(tmp_path / "journal.db", resolve).findings


async def test_a_clock_that_is_behind_the_journal_at_a_start_was_set_back(
    journal: Journal, clock: SettableClock
) -> None:
    await a_recorder(journal, clock)
    recorder = await a_recorder(journal, SettableClock(NOON - 500))
    assert entries(journal)[1:] == [("clock", NOON - 500), ("started", NOON - 500)]
    assert "less than a second" in recorder.engine.state.alarms["clock"]


async def test_a_table_that_was_off_for_a_month_has_no_step(journal: Journal, clock: SettableClock) -> None:
    await a_recorder(journal, clock)
    await a_recorder(journal, SettableClock(NOON + 30 * 86_400_000))
    assert [kind for kind, _ in entries(journal)] == ["started", "started"]


async def test_a_clock_that_a_time_server_quickens_was_not_set(journal: Journal, clock: SettableClock) -> None:
    recorder = await a_recorder(journal, clock)
    for _ in range(5):
        clock.passes(3_600_000)
        clock.now += 1_800  # one part in two thousand
        await recorder.submit(ShoeStarted(8), "dealer")
    assert "clock" not in recorder.engine.state.alarms


async def test_a_step_is_noticed_although_nothing_happens_at_the_table(journal: Journal, clock: SettableClock) -> None:
    recorder = await a_recorder(journal, clock)
    clock.passes(10_000)
    clock.now += 60_000
    await recorder.look_at_clock()
    await recorder.look_at_clock()
    assert [kind for kind, _ in entries(journal)] == ["started", "clock"]
    assert recorder.engine.state.alarms["clock"] == "the board's clock was set ahead by 1 minute"


async def test_the_floor_states_what_was_found_and_the_clock_is_what_it_is_again(
    journal: Journal, clock: SettableClock
) -> None:
    recorder = await a_recorder(journal, clock)
    assert published(recorder) == "free"
    clock.synced = True
    await recorder.look_at_clock()
    assert published(recorder) == "synced"
    clock.now -= 5_000
    await recorder.look_at_clock()
    assert published(recorder) == "stepped"
    await recorder.submit(AlarmExplained("clock", "the battery was changed"), "floor:ann")
    assert published(recorder) == "synced"
    changes = [msgspec.json.decode(event.body) for event in journal.events_from(1, 100)]
    assert [c["clock"] for c in changes if c["kind"] == "clock_changed"] == ["synced", "stepped", "synced"]


async def test_a_drop_is_judged_when_its_grace_is_over_however_the_clock_is_set(tmp_path: Path) -> None:
    async with alarmed_table(tmp_path, **SENSED) as table:
        await met(table)
        await table.do(WagerPlaced(1, "player_line", 20_100))
        await table.hand("9h", "Kd", "Tc", "7s")
        table.clock.set_by(TWENTY_YEARS)
        await table.do(TimePassed(), by="timer")
        assert "drop:collection" not in table.raised
        table.clock.set_by(-TWENTY_YEARS)
        await table.do(TimePassed(), by="timer")
        assert "drop:collection" not in table.raised
        await table.wait(60_000)
        assert "drop:collection" in table.raised


async def test_a_drop_is_judged_after_the_clock_was_set_back(tmp_path: Path) -> None:
    """The grace would have lasted twenty years."""
    async with alarmed_table(tmp_path, **SENSED) as table:
        await met(table)
        await table.do(WagerPlaced(1, "player_line", 20_100))
        table.clock.set_by(-TWENTY_YEARS)
        await table.hand("9h", "Kd", "Tc", "7s")
        await table.wait(60_000)
        assert "drop:collection" in table.raised
        (claim,) = table.recorder.engine.state.drop.books["collection"].claims
        assert 0 < claim.until - claim.since < 120_000


def test_a_fee_by_the_clock_keeps_what_is_left_of_its_interval() -> None:
    assert moved(FeeClock(100_000), None, 7) == FeeClock(100_007)


def test_the_systems_clock_goes_on_by_itself() -> None:
    clock = SystemClock()
    first = clock.elapsed_ms()
    assert clock.elapsed_ms() >= first
    assert isinstance(clock.is_synced(), bool)


async def test_the_devices_clock_goes_on_from_the_journal(journal: Journal, clock: SettableClock) -> None:
    await a_recorder(journal, clock)
    recorder = Recorder(journal, resolve, DeviceClock(), STARTED)
    await recorder.submit(STARTED, "daemon")
    assert "clock" not in recorder.engine.state.alarms
