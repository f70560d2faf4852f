"""Rotation at a table: when it happens, what is published, how long archives are kept, and what evidence is left."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from controller.cli.main import main
from controller.config import JournalConfig
from controller.engine import events as ev
from controller.engine.events import ArchiveRemoved, Event
from controller.engine.inputs import Amended, Change
from controller.engine.journal_inputs import StoreConfirmed
from controller.evidence.verify import report, verify
from controller.journal import Journal, JournalReader
from controller.recorder.archivist import Archivist
from controller.recorder.recorder import Recorder
from controller.rules import resolve
from tests.support.evidence_journals import DRAGON_7, PANDA_8, PLAYER_WINS, SITE, TABLE, TIE, Play, SteadyClock, started
from tests.support.journals import change

DAY_MS = 24 * 60 * 60 * 1000
AFTER_A_DAY = JournalConfig(rotate_after_days=1)
FOR_TEN_DAYS = JournalConfig(rotate_after_days=1, keep_days=10)


class KeptTable(Play):
    """A table with a keeper, and a clock that can be turned."""

    def __init__(self, recorder: Recorder, clock: SteadyClock, limits: JournalConfig) -> None:
        super().__init__(recorder)
        self.clock = clock
        self.archivist = Archivist(recorder, limits)
        self.journal = recorder.journal

    async def day(self, rounds: int = 4) -> None:
        """A day's rounds from a fresh shoe, all of it published, a look at the journal, and the night."""
        await self.shoe()
        for _ in range(rounds):
            await self.ez_round()
        await self.publish()
        await self.archivist.look()
        self.clock.now += DAY_MS

    async def publish(self) -> None:
        await self.journal.move_cursor("main", self.journal.head.seq)


def at_table(
    path: Path,
    script: Callable[[KeptTable], Awaitable[None]],
    limits: JournalConfig = AFTER_A_DAY,
    clock: SteadyClock | None = None,
) -> None:
    """Start the daemon's recorder on the journal, play, stop."""

    async def run() -> None:
        first = started()
        with Journal.open(path, site=SITE, table=TABLE) as journal:
            turned = clock or SteadyClock()
            table = KeptTable(Recorder(journal, resolve, turned, first), turned, limits)
            table.recorder.snapshot_every = 0  # small journals rotate too
            await table.recorder.submit(first, "daemon")
            await script(table)

    asyncio.run(run())


def events_of(path: Path, *kinds: str) -> list[dict[str, Any]]:
    """The events of these kinds, in order."""
    with JournalReader.read(path) as reader:
        bodies = [msgspec.json.decode(event.body) for event in reader.events_from(reader.start.seq + 1, 100_000)]
    return [body for body in bodies if body["kind"] in kinds]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.db"


def test_a_journal_older_than_a_day_is_rotated_between_rounds_and_an_event_says_so(path: Path) -> None:
    async def script(table: KeptTable) -> None:
        await table.day()
        assert table.journal.archives() == []
        await table.day()
        assert len(table.journal.archives()) == 1
        await table.archivist.look()
        await table.day()

    at_table(path, script)
    with JournalReader.read(path) as reader:
        first, second = reader.archives()
        assert list(events_of(path, "journal_rotated")) == [
            {
                "kind": "journal_rotated",
                "file": one.file,
                "first": one.first_n,
                "last": one.last_n,
                "hash": one.hash.hex(),
            }
            for one in (first, second)
        ]
        boundary = next(reader.entries(first.last_n + 1, first.last_n + 2))
        assert b"round_started" in boundary.events
    verdict = verify(path, resolve)
    assert verdict.is_whole, verdict.findings
    assert verdict.rerun is not None and verdict.rerun.rounds == 12


def test_a_journal_that_has_grown_too_large_is_rotated(path: Path) -> None:
    async def script(table: KeptTable) -> None:
        await table.shoe()
        await table.ez_round()
        await table.publish()
        await table.archivist.look()
        assert table.journal.archives() == []
        while table.journal.live_bytes < 1_000_000:
            await table.shoe()
            for _ in range(8):
                await table.ez_round()
            await table.publish()
        await table.archivist.look()
        assert len(table.journal.archives()) == 1
        assert table.journal.live_bytes < 200_000
        await table.archivist.look()
        assert len(table.journal.archives()) == 1

    at_table(path, script, JournalConfig(rotate_at_mb=1, rotate_after_days=0))
    assert verify(path, resolve).is_whole


def test_nothing_is_rotated_while_a_round_is_dealt(path: Path) -> None:
    async def script(table: KeptTable) -> None:
        await table.day()
        await table.ez_round(PLAYER_WINS[:2])
        await table.publish()
        await table.archivist.look()
        assert table.journal.archives() == []
        await table.cards(PLAYER_WINS[2:])
        await table.publish()
        await table.archivist.look()
        assert len(table.journal.archives()) == 1

    at_table(path, script)
    assert verify(path, resolve).is_whole


def test_the_archivist_looks_by_itself_when_a_round_is_over(path: Path) -> None:
    async def script(table: KeptTable) -> None:
        await table.shoe()
        for _ in range(4):
            await table.ez_round()
        await table.publish()
        keeping = asyncio.create_task(table.archivist.run())
        written = asyncio.Event()
        table.journal.watch(written.set)
        table.clock.now += DAY_MS
        await table.ez_round()
        await table.publish()
        table.archivist.follow((ev.RoundVoided("misdeal", "keyed"),))
        async with asyncio.timeout(20):
            while not any(b"journal_rotated" in entry.input for entry in table.journal.entries()):
                written.clear()
                await written.wait()
        keeping.cancel()
        await asyncio.wait({keeping})

    at_table(path, script)
    assert len(events_of(path, "journal_rotated")) == 1


def test_after_a_rotation_the_table_stands_again_and_its_last_round_can_be_corrected(path: Path) -> None:
    """Without the archive beside it: recovery and correction need the journal file alone."""

    async def first(table: KeptTable) -> None:
        await table.day()
        await table.day()
        await table.ez_round(PLAYER_WINS[:3])

    clock = SteadyClock()
    at_table(path, first, clock=clock)
    (archive,) = JournalReader.read(path).archives()
    file = path.with_name(archive.file)
    file.rename(path.parent / "elsewhere")

    async def second(table: KeptTable) -> None:
        assert table.engine.round is not None and table.engine.round.begun
        assert table.engine.round_number == 9
        await table.cards(PLAYER_WINS[3:])
        last_card = Change(9, {"kind": "card_out", "card": "8s"})
        outcome = await table.do(Amended(9, (last_card,), "misread"), by="floor:ann")
        assert outcome.refusal is None

    at_table(path, second, clock=clock)
    (path.parent / "elsewhere").rename(file)
    assert verify(path, resolve).is_whole
    assert len(events_of(path, "corrected")) == 1


def test_an_archive_made_while_the_daemon_was_stopped_is_published_once_at_its_next_start(path: Path) -> None:
    clock = SteadyClock()

    async def four_rounds(table: KeptTable) -> None:
        await table.shoe()
        for _ in range(5):
            await table.ez_round()
        await table.publish()

    at_table(path, four_rounds, clock=clock)
    with Journal.open(path, site=SITE, table=TABLE) as journal:
        journal.rotate_now()
    assert events_of(path, "journal_rotated") == []

    async def look(table: KeptTable) -> None:
        await table.archivist.look()
        await table.archivist.look()

    for _ in range(2):
        at_table(path, look, clock=clock)
    assert len(events_of(path, "journal_rotated")) == 1
    assert verify(path, resolve).is_whole


def test_archives_are_kept_for_ever_unless_somebody_says_otherwise(path: Path) -> None:
    async def script(table: KeptTable) -> None:
        for _ in range(3):
            await table.day()
        table.clock.now += 40 * 365 * DAY_MS
        await table.day()
        assert table.journal.missing() == []
        assert {archive.place for archive in table.journal.archives()} == {"beside"}

    at_table(path, script)
    assert JournalConfig().keep_days == 0


def removed_table(path: Path) -> None:
    """A table of sixteen days that keeps archives for ten."""

    async def script(table: KeptTable) -> None:
        for _ in range(16):
            await table.day(rounds=3)

    at_table(path, script, FOR_TEN_DAYS)


def test_archives_whose_time_is_over_are_removed_oldest_first_and_the_journal_records_it(path: Path) -> None:
    removed_table(path)
    with JournalReader.read(path) as reader:
        archives = reader.archives()
        places = [archive.place for archive in archives]
        gone = places.count("removed")
        assert gone > 2
        assert places == ["removed"] * gone + ["beside"] * (len(places) - gone)
        assert reader.missing() == []
        assert {file.name for file in path.parent.iterdir() if "archive" in file.name} == {
            archive.file for archive in archives[gone:]
        }
        newest = max(archive.last_at for archive in archives)
        assert all(newest - archive.last_at > 8 * DAY_MS for archive in archives[:gone])
        assert reader.first_n == archives[gone].first_n
    assert events_of(path, "archive_removed") == [
        {
            "kind": "archive_removed",
            "file": archive.file,
            "first": archive.first_n,
            "last": archive.last_n,
            "hash": archive.hash.hex(),
            "keep_days": 10,
        }
        for archive in archives[:gone]
    ]


def places(path: Path) -> list[str]:
    with JournalReader.read(path) as reader:
        return [archive.place for archive in reader.archives()]


def test_nothing_is_deleted_that_a_store_has_not_confirmed(path: Path) -> None:
    """Without the receipt it would be: `test_archives_whose_time_is_over_are_removed` has the same days."""
    confirmed_seq = 0

    async def script(table: KeptTable) -> None:
        nonlocal confirmed_seq
        for _ in range(16):
            await table.day(rounds=3)
        assert {archive.place for archive in table.journal.archives()} == {"beside"}, "the store has said nothing"
        confirmed_seq = table.journal.archives()[1].last_seq
        for store, seq in (("books", confirmed_seq), ("office", table.journal.head.seq)):
            (event,) = table.journal.events_from(seq, 1)
            await table.recorder.submit(StoreConfirmed(store, seq, event.link.hex()), f"store:{store}")
        await table.archivist.look()

    at_table(path, script, replace(FOR_TEN_DAYS, stores=("books", "office")))
    assert places(path)[:3] == ["removed", "removed", "beside"], "what the slower of the two has, and no more"
    with JournalReader.read(path) as reader:
        assert reader.archives()[1].last_seq == confirmed_seq
    assert verify(path, resolve).is_whole


def test_nothing_is_deleted_that_a_broker_of_the_configuration_has_not(path: Path) -> None:
    async def script(table: KeptTable) -> None:
        await table.journal.keep_cursors(("main", "second"))
        for _ in range(16):
            await table.day(rounds=3)
        assert len(table.journal.archives()) > 3, "the one that is away does not keep entries from the archives"
        assert {archive.place for archive in table.journal.archives()} == {"beside"}
        (event,) = table.journal.events_from(1, 1)
        assert event.seq == table.journal.cursors["second"] + 1, "and gets what it missed from there"
        await table.journal.keep_cursors(("main",))
        await table.archivist.look()

    at_table(path, script, FOR_TEN_DAYS)
    assert "removed" in places(path), "it was taken out of the configuration"


def test_what_is_left_after_a_removal_is_verified_and_stated(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    removed_table(path)
    verdict = verify(path, resolve)
    assert verdict.is_whole, verdict.findings
    assert verdict.rerun is not None and verdict.rerun.rounds == 48
    with JournalReader.read(path) as reader:
        last_gone = reader.first_n - 1
    assert f"not here  entries 1 to {last_gone}: removed when their time was over" in report(verdict)
    assert main(["recall", "--last", "100", "--journal", str(path)]) == 0
    said = capsys.readouterr().out
    first_kept = int(said.split("ROUND ")[1].split(",")[0])
    assert 1 < first_kept < 48
    assert main(["replay", str(first_kept), "--journal", str(path)]) == 0
    assert "Settled: player" in capsys.readouterr().out
    assert main(["replay", str(first_kept - 1), "--journal", str(path)]) == 2
    assert f"it has rounds {first_kept} to 48" in capsys.readouterr().err


def test_an_archive_that_somebody_else_took_away_is_not_a_removal(path: Path) -> None:
    """Deleted, and marked as removed in the list, but not recorded in the chain."""
    removed_table(path)
    with JournalReader.read(path) as reader:
        victim = next(archive for archive in reader.archives() if archive.place == "beside")
    path.with_name(victim.file).unlink()
    (finding,) = verify(path, resolve).findings
    assert f"{victim.file} is missing, with entries {victim.first_n} to {victim.last_n}" in finding
    change(path, "UPDATE archive SET place = 'removed' WHERE number = ?", victim.number)
    (finding,) = verify(path, resolve).findings
    assert f"{victim.file} ({victim.entries}) down as removed, but no entry records" in finding


def test_a_removal_that_was_recorded_before_a_power_cut_is_done_after_it_and_not_recorded_again(tmp_path: Path) -> None:
    clock = SteadyClock()
    path, after = tmp_path / "board" / "journal.db", tmp_path / "after" / "journal.db"
    path.parent.mkdir()

    async def until_published(table: KeptTable) -> None:
        for _ in range(3):
            await table.day()
        table.clock.now += 20 * DAY_MS
        copy_after_telling(table)
        await table.archivist.look()

    def copy_after_telling(table: KeptTable) -> None:
        """The files as a power cut would leave them: the removal is in the journal, the archive still there."""

        def look(events: tuple[Event, ...]) -> None:
            if any(isinstance(event, ArchiveRemoved) for event in events) and not after.exists():
                shutil.copytree(path.parent, after.parent)

        table.recorder.listen(look)

    at_table(path, until_published, FOR_TEN_DAYS, clock)
    with JournalReader.read(after) as reader:
        first = reader.archives()[0]
        assert first.place == "beside" and reader.missing() == []

    async def look(table: KeptTable) -> None:
        await table.archivist.look()

    at_table(after, look, FOR_TEN_DAYS, clock)
    removals = events_of(after, "archive_removed")
    assert [body["file"] for body in removals].count(first.file) == 1
    assert not after.with_name(first.file).exists()
    assert verify(after, resolve).is_whole


def test_a_missing_archive_is_an_alarm_until_it_is_back(path: Path) -> None:
    async def script(table: KeptTable) -> None:
        await table.day()
        await table.day()
        (archive,) = table.journal.archives()
        file = path.with_name(archive.file)
        file.rename(path.parent / "elsewhere")
        for _ in range(2):
            await table.archivist.look()
        assert archive.file in table.engine.state.alarms["archive_missing"]
        (path.parent / "elsewhere").rename(file)
        await table.archivist.look()
        assert "archive_missing" not in table.engine.state.alarms

    at_table(path, script)
    assert [body["kind"] for body in events_of(path, "alarm_raised", "alarm_cleared")] == [
        "alarm_raised",
        "alarm_cleared",
    ]


def test_an_archive_that_cannot_be_made_is_an_alarm_and_the_table_deals_on(path: Path) -> None:
    blocked = path.with_name("journal.db.archiving")

    async def script(table: KeptTable) -> None:
        await table.day()
        blocked.mkdir()
        await table.day()
        assert "Nothing was moved" in table.engine.state.alarms["archive_failed"]
        await table.day()
        blocked.rmdir()

    at_table(path, script)
    assert len(events_of(path, "alarm_raised")) == 1
    assert len(events_of(path, "round_settled")) == 12

    async def next_start(table: KeptTable) -> None:
        await table.day()
        assert len(table.journal.archives()) == 1
        assert table.engine.state.alarms == {}

    clock = SteadyClock()
    clock.now += 10 * DAY_MS
    at_table(path, next_start, clock=clock)
    assert verify(path, resolve).is_whole


def test_rounds_are_printed_across_archives_in_order(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    hands = [PLAYER_WINS, TIE, DRAGON_7, PANDA_8, PLAYER_WINS, TIE, DRAGON_7, PANDA_8]

    async def script(table: KeptTable) -> None:
        for hand in hands:
            table.clock.now += DAY_MS
            await table.shoe()
            await table.ez_round(hand)
            await table.publish()
            await table.archivist.look()

    at_table(path, script)
    with JournalReader.read(path) as reader:
        assert len(reader.archives()) >= 3
    assert main(["recall", "--journal", str(path)]) == 0
    said = capsys.readouterr().out
    assert [int(part.split(",")[0]) for part in said.split("ROUND ")[1:]] == list(range(1, 9))
    assert main(["replay", "--from", "2", "--to", "3", "--journal", str(path)]) == 0
    said = capsys.readouterr().out
    assert "Settled: tie" in said and "dragon 7" in said
    assert main(["verify", str(path)]) == 0
    assert "WHOLE" in capsys.readouterr().out
    with JournalReader.read(path) as reader:
        altered = reader.archives()[1]
    change(path.with_name(altered.file), "UPDATE entries SET input = replace(input, '9h', '8h')")
    assert main(["verify", str(path)]) == 1
    assert f"NOT WHOLE: The archive {path.with_name(altered.file)} is broken: entry" in capsys.readouterr().out


def test_one_archive_is_verified_and_printed_by_itself(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    async def script(table: KeptTable) -> None:
        for _ in range(5):
            await table.day()

    at_table(path, script)
    with JournalReader.read(path) as reader:
        second = reader.archives()[1]
    alone = path.parent / "inspector" / second.file
    alone.parent.mkdir()
    shutil.copy(path.with_name(second.file), alone)
    assert main(["verify", str(alone)]) == 0
    said = capsys.readouterr().out
    assert "WHOLE" in said and f"entries 1 to {second.first_n - 1}: in other files" in said
    assert main(["recall", "--last", "50", "--journal", str(alone)]) == 0
    assert "ROUND" in capsys.readouterr().out
