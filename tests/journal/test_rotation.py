"""Rotation: older entries go to an archive, and a reader of the journal, or of its chain, sees no difference."""

from __future__ import annotations

import asyncio
import itertools
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from controller.journal import Archive, Entry, Journal, JournalBroken, JournalError, NotNow
from controller.journal.chain import seal
from tests.support.journals import SITE, TABLE, card_out, change, dealt, open_journal, started
from tests.support.project import ROOT

PER_ROUND = 10


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.db"


def play_round(journal: Journal) -> list[Entry]:
    """One round as a recorder writes it: its last entry brings a snapshot that says where the round began."""
    began, number = journal.head.n + 1, journal.head.n // PER_ROUND + 1
    entries = [journal.append_now(number, card_out(n), dealt(n)) for n in range(began, began + PER_ROUND - 1)]
    end = began + PER_ROUND - 1
    return [*entries, journal.append_now(number, card_out(end), dealt(end), snapshot_of(began))]


def snapshot_of(began: int) -> bytes:
    return b'{"n":%d,"state":{}}' % began


def publish_all(journal: Journal) -> None:
    asyncio.run(journal.move_cursor("main", journal.head.seq))


def rotated(path: Path, rounds: int = 6) -> tuple[Archive, list[Entry]]:
    """A closed journal of `rounds` rounds, rotated once; the archive, and every entry ever written."""
    with open_journal(path) as journal:
        written = [entry for _ in range(rounds) for entry in play_round(journal)]
        publish_all(journal)
        return journal.rotate_now(), written


def by_hand(path: Path) -> subprocess.CompletedProcess[str]:
    """The verifier that goes with an export, which knows nothing of Cutcard."""
    script = ROOT / "controller" / "journal" / "verify_journal.py"
    return subprocess.run([sys.executable, "-I", script, path], capture_output=True, text=True, check=False)


def test_a_reader_of_a_rotated_journal_finds_every_entry_and_event(path: Path) -> None:
    with open_journal(path) as journal:
        written = [entry for _ in range(8) for entry in play_round(journal)]
        events = journal.events_from(1, 1000)
        publish_all(journal)
        archive = journal.rotate_now()
        assert (archive.first_n, archive.last_n) == (1, 5 * PER_ROUND)
        for reader in (journal, Journal.read(path)):
            assert list(reader.entries()) == written
            assert list(reader.entries(45, 56)) == written[44:55]
            assert reader.head == reader.verify_chain() == written[-1].head
            assert reader.events_from(1, 1000) == events
            for first in (1, 17, archive.last_seq, archive.last_seq + 1, archive.last_seq + 2):
                assert reader.events_from(first, 5) == events[first - 1 : first + 4]


def test_the_live_journal_goes_on_from_the_archives_last_hash(path: Path) -> None:
    archive, written = rotated(path)
    last_moved = written[archive.last_n - 1]
    assert archive.hash == last_moved.hash
    with open_journal(path) as journal:
        assert journal.live_start == archive.head == last_moved.head
        before = journal.head
        (first_new, *_) = play_round(journal)
        assert (first_new.n, first_new.first_seq) == (before.n + 1, before.seq + 1)
        same = first_new.round, first_new.count, first_new.input, first_new.events
        assert first_new == seal(before, *same, salt=first_new.salt, link=first_new.link)
        assert journal.verify_chain() == journal.head
    db = sqlite3.connect(path)
    assert db.execute("SELECT min(n), max(n) FROM entry").fetchone() == (archive.last_n + 1, before.n + PER_ROUND)
    db.close()


def test_an_archive_is_named_by_its_entries_read_only_and_stands_alone(path: Path) -> None:
    archive, written = rotated(path)
    assert archive.file == "journal.db.archive-0000000001-0000000030"
    file = path.with_name(archive.file)
    assert file.stat().st_mode & 0o777 == 0o400
    assert {other.name for other in path.parent.iterdir()} == {"journal.db", "journal.db.lock", archive.file}
    elsewhere = path.parent / "inspector" / "copy.db"
    elsewhere.parent.mkdir()
    shutil.copy(file, elsewhere)
    with Journal.read(elsewhere) as alone:
        assert (alone.site, alone.table) == (SITE, TABLE)
        assert list(alone.entries()) == written[: archive.last_n]
        assert alone.verify_chain() == archive.head


def test_a_later_archive_stands_alone_too_and_knows_what_came_before_it(path: Path) -> None:
    first, _ = rotated(path)
    with open_journal(path) as journal:
        for _ in range(5):
            play_round(journal)
        publish_all(journal)
        second = journal.rotate_now()
    assert (second.first_n, second.last_n) == (first.last_n + 1, first.last_n + 5 * PER_ROUND)
    path.with_name(first.file).unlink()
    with Journal.read(path.with_name(second.file)) as alone:
        assert alone.start == first.head
        assert [entry.n for entry in alone.entries()] == list(range(second.first_n, second.last_n + 1))
        assert alone.verify_chain() == second.head
        assert alone.last_snapshot(first.last_n) == (first.last_n, snapshot_of(second.first_n))


def test_many_rotations_make_one_chain(path: Path) -> None:
    written: list[Entry] = []
    for _ in range(6):
        with open_journal(path) as journal:
            for _ in range(4):
                written += play_round(journal)
            publish_all(journal)
            journal.rotate_now()
    with Journal.read(path) as tool:
        archives = tool.archives()
        assert [archive.number for archive in archives] == [1, 2, 3, 4, 5, 6]
        assert [archive.first_n for archive in archives] == [1, *(archive.last_n + 1 for archive in archives[:-1])]
        assert list(tool.entries()) == written
        assert tool.verify_chain() == written[-1].head
    done = by_hand(path)
    assert (
        done.stdout.splitlines(keepends=True)[-1]
        == f"240 entries, {written[-1].head.seq} events, {written[-1].hash.hex()}\n"
    ), done.stderr


def test_what_the_broker_has_not_acknowledged_stays(path: Path) -> None:
    with open_journal(path) as journal:
        for _ in range(6):
            play_round(journal)
        with pytest.raises(NotNow, match="acknowledged events up to 0"):
            journal.rotate_now()
        needed = next(journal.entries(30)).head.seq
        asyncio.run(journal.move_cursor("main", needed - 1))
        with pytest.raises(NotNow, match="acknowledged"):
            journal.rotate_now()
        asyncio.run(journal.move_cursor("main", needed))
        assert journal.rotate_now().last_seq == needed
        assert journal.events_from(journal.cursor + 1, 1)[0].seq == journal.cursor + 1


def test_what_recovery_needs_stays_even_if_the_newest_snapshots_are_damaged(path: Path) -> None:
    """Without the archive: the journal file alone must be enough to stand again."""
    archive, written = rotated(path)
    path.with_name(archive.file).rename(path.parent / "on another disk")
    for damaged in (60, 50):
        change(path, "UPDATE snapshot SET state = x'00' WHERE n = ?", damaged)
        with open_journal(path) as journal:
            found = journal.last_snapshot()
            assert found is not None
            (n, state) = found
            assert n < damaged and state == snapshot_of(n - PER_ROUND + 1)
            assert list(journal.entries(n - PER_ROUND + 1)) == written[n - PER_ROUND :]


def test_with_every_snapshot_damaged_the_state_that_the_archive_left_is_there(path: Path) -> None:
    archive, _ = rotated(path)
    change(path, "UPDATE snapshot SET state = x'00'")
    with open_journal(path) as journal:
        assert journal.last_snapshot() == (archive.last_n, snapshot_of(archive.last_n + 1))


def test_a_round_that_runs_for_long_is_not_cut_in_two(path: Path) -> None:
    with open_journal(path) as journal:
        for _ in range(5):
            play_round(journal)
        for n in range(500):
            journal.append_now(6, card_out(n), dealt(n))
        publish_all(journal)
        assert journal.rotate_now().last_n == 2 * PER_ROUND
        with pytest.raises(NotNow, match="needed to recover"):
            journal.rotate_now()


def test_a_journal_without_a_settled_round_has_nothing_to_rotate(path: Path) -> None:
    with open_journal(path) as journal:
        with pytest.raises(NotNow):
            journal.rotate_now()
        journal.append_now(1, card_out(1), dealt(1))
        with pytest.raises(NotNow):
            journal.rotate_now()
        journal.append_now(1, card_out(2), dealt(2), b"a snapshot that does not say where it begins")
        with pytest.raises(NotNow):
            journal.rotate_now()


def test_test_mode_is_remembered_across_archives(path: Path) -> None:
    one = [b'{"kind":"round_started"}']
    with open_journal(path) as journal:
        journal.append_now(0, started(test=True), one)
        for _ in range(6):
            play_round(journal)
        publish_all(journal)
        marks = [event.test for event in journal.events_from(1, 1000)]
        assert all(marks)
        archive = journal.rotate_now()
        assert archive.test
        assert [event.test for event in journal.events_from(1, 1000)] == marks
        assert journal.events_from(archive.last_seq + 3, 1)[0].test
        journal.append_now(7, started(test=False), one)
        assert not journal.events_from(journal.head.seq, 1)[0].test


async def test_cards_are_written_while_the_journal_is_rotated(path: Path) -> None:
    with open_journal(path) as journal:
        for _ in range(200):
            play_round(journal)
        await journal.move_cursor("main", journal.head.seq)
        before = journal.head
        rotation = asyncio.create_task(journal.rotate())
        meanwhile = 0
        while not rotation.done():
            meanwhile += 1
            await journal.append(201, card_out(meanwhile), dealt(meanwhile))
        assert meanwhile > 1
        archive = rotation.result()
        assert archive.last_n == 197 * PER_ROUND
        assert journal.head.n == before.n + meanwhile
        assert [entry.n for entry in journal.entries()] == list(range(1, journal.head.n + 1))
        assert journal.verify_chain() == journal.head


def test_a_tool_in_the_middle_of_reading_does_not_notice(path: Path) -> None:
    """It reads a page of the journal at a time, and what it is about to read moves away."""
    with open_journal(path) as journal:
        written = [entry for _ in range(200) for entry in play_round(journal)]
        publish_all(journal)
        with Journal.read(path) as tool:
            reading = tool.entries()
            first = list(itertools.islice(reading, 100))
            journal.rotate_now()
            assert first + list(reading) == written
            assert tool.events_from(700, 20) == journal.events_from(700, 20)


def test_a_caller_that_is_cancelled_while_an_archive_is_made_leaves_the_journal_as_it_was(path: Path) -> None:
    async def rotate_and_stop() -> None:
        with open_journal(path) as journal:
            for _ in range(60):
                play_round(journal)
            await journal.move_cursor("main", journal.head.seq)
            rotation = asyncio.create_task(journal.rotate())
            await asyncio.sleep(0)
            rotation.cancel()
            with pytest.raises(asyncio.CancelledError):
                await rotation
            assert journal.archives() == []

    asyncio.run(rotate_and_stop())
    with open_journal(path) as journal:
        assert journal.verify_chain().n == 60 * PER_ROUND
        assert {file.name for file in path.parent.iterdir() if "archiv" in file.name} == set()
        assert journal.rotate_now().last_n == 57 * PER_ROUND


def test_a_missing_archive_is_named_and_the_rest_can_be_read(path: Path) -> None:
    archive, written = rotated(path)
    file = path.with_name(archive.file)
    file.rename(path.parent / "on another disk")
    with open_journal(path) as journal:  # the table can be dealt
        assert journal.missing() == [archive]
        assert list(journal.entries(archive.last_n + 1)) == written[archive.last_n :]
        with pytest.raises(JournalBroken, match=rf"{archive.file} is missing, with entries 1 to 30") as missing:
            journal.verify_chain()
        assert missing.value.n == 1
        with pytest.raises(JournalBroken, match=archive.file):
            journal.events_from(1, 1)
    assert f"{archive.file} is missing" in by_hand(path).stderr
    file.symlink_to(path.parent / "on another disk")
    with Journal.read(path) as tool:
        assert tool.missing() == []
        assert tool.verify_chain() == written[-1].head


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        ("UPDATE entries SET input = replace(input, '9h', '8h') WHERE n = 7", "entry 7 is not what"),
        ("DELETE FROM entry WHERE n = 7", "entry 7 is missing"),
        ("DELETE FROM entry WHERE n > 7", "entry 8 is missing"),
        ("DELETE FROM entry WHERE n <= 3", "entry 1 is missing"),
    ],
)
def test_a_changed_archive_is_named(path: Path, damage: str, said: str) -> None:
    archive, _ = rotated(path)
    change(path.with_name(archive.file), damage)
    with Journal.read(path) as tool, pytest.raises(JournalBroken, match=f"archive .*{archive.file} is.*{said}"):
        tool.verify_chain()
    assert archive.file in by_hand(path).stderr


def test_an_archive_of_another_table_is_named(path: Path) -> None:
    archive, _ = rotated(path)
    change(path.with_name(archive.file), "UPDATE meta SET value = 't8' WHERE name = 'table'")
    with Journal.read(path) as tool, pytest.raises(JournalBroken, match=f"{archive.file} is not the one that was made"):
        tool.verify_chain()


def test_an_archive_forged_with_all_its_hashes_is_named(path: Path) -> None:
    """Its own chain is whole; that it is another one is seen by the hash that the journal goes on from."""
    archive, written = rotated(path)
    db = sqlite3.connect(path.parent / "forged")
    file = path.with_name(archive.file)
    source = sqlite3.connect(file)
    source.backup(db)
    source.close()
    with Journal.read(path) as tool:
        head, public, publication = tool.start, tool.public_start, tool.whose.publication
    for entry in written[: archive.last_n]:
        forged = seal(
            head,
            entry.round,
            entry.count,
            entry.input.replace(b"9h", b"8h"),
            entry.events,
            salt=entry.salt,
            link=public.link,
        )
        public = publication.after(forged, test=public.test)
        db.execute("REPLACE INTO entry (n, sealed) VALUES (?, ?)", forged.row)
        head = forged.head
    db.commit()
    db.close()
    (path.parent / "forged").replace(file)
    with Journal.read(file) as alone:
        assert alone.verify_chain() == head
    with Journal.read(path) as tool, pytest.raises(JournalBroken, match=rf"{archive.file} .*last hash is another"):
        tool.verify_chain()
    assert f"{archive.file}: it does not end as the journal states" in by_hand(path).stderr


def test_another_archive_under_the_same_name_is_named(path: Path, tmp_path: Path) -> None:
    archive, _ = rotated(path)
    with open_journal(path) as journal:
        for _ in range(5):
            play_round(journal)
        publish_all(journal)
        second = journal.rotate_now()
    path.with_name(archive.file).unlink()
    shutil.copy(path.with_name(second.file), path.with_name(archive.file))
    with Journal.read(path) as tool, pytest.raises(JournalBroken, match=f"{archive.file} is not the one"):
        tool.verify_chain()


def test_archives_without_their_journal_do_not_begin_a_new_one(path: Path) -> None:
    archive, _ = rotated(path)
    path.unlink()
    with pytest.raises(JournalError, match=rf"its archive {archive.file} is there"):
        open_journal(path)
    assert not path.exists()


def test_a_journal_put_back_from_before_its_archive_is_refused(path: Path, tmp_path: Path) -> None:
    with open_journal(path) as journal:
        for _ in range(2):
            play_round(journal)
    old = tmp_path / "backup"
    shutil.copy(path, old)
    archive, _ = rotated(path)
    shutil.copy(old, path)
    with pytest.raises(JournalBroken, match=rf"{archive.file} ends with entry 50, which the journal .* does not have"):
        open_journal(path)
    assert path.with_name(archive.file).exists()


def test_a_torn_end_is_cut_back_and_the_archive_stays_in_the_chain(path: Path) -> None:
    archive, written = rotated(path)
    change(path, "UPDATE entries SET input = x'00' WHERE n = 60")
    with open_journal(path) as journal:
        assert journal.repair is not None
        assert journal.repair.whole_n == 59
        assert journal.archives() == [archive]
        assert list(journal.entries()) == written[:59]
        assert journal.verify_chain() == written[58].head
        (again, *_) = play_round(journal)
        assert again.n == 60


def test_a_journal_torn_back_to_its_archive_goes_on_from_there(path: Path) -> None:
    archive, written = rotated(path)
    change(path, "UPDATE entries SET hash = zeroblob(32)")
    change(path, "DELETE FROM snapshot")
    change(path, "UPDATE cursor SET seq = 0")
    with open_journal(path) as journal:
        assert journal.head == archive.head
        (first, *_) = play_round(journal)
        assert first == written[archive.last_n]


@pytest.mark.parametrize("n", [31, 40, 58])
def test_a_change_in_the_live_journal_keeps_it_shut(path: Path, n: int) -> None:
    rotated(path)
    change(path, "UPDATE entries SET input = replace(input, '9h', '8h') WHERE n = ?", n)
    with pytest.raises(JournalBroken, match=f"entry {n} "):
        open_journal(path)


def test_entries_whose_archive_was_struck_off_the_list_are_missed(path: Path) -> None:
    rotated(path)
    change(path, "DELETE FROM archive")
    with Journal.read(path) as tool, pytest.raises(JournalBroken, match="entry 1 is missing"):
        tool.verify_chain()
    with pytest.raises(JournalBroken, match="entry 1 is missing"):
        open_journal(path)


def test_the_journal_file_gives_room_back_at_the_next_opening(path: Path) -> None:
    big = [b'{"kind":"note","text":"%b"}' % (b"x" * 30_000)]
    with open_journal(path) as journal:
        for _ in range(400):
            journal.append_now(0, card_out(1), big)
        for _ in range(4):
            play_round(journal)
        publish_all(journal)
        full = journal.live_bytes
        assert full > 12_000_000
        journal.rotate_now()
        assert journal.live_bytes < 200_000
        head = journal.head
    assert path.stat().st_size > 12_000_000
    with open_journal(path) as journal:
        assert journal.verify_chain() == head
        play_round(journal)
    assert path.stat().st_size < 300_000


def test_an_archive_that_cannot_be_written_leaves_the_journal_as_it_was(path: Path) -> None:
    with open_journal(path) as journal:
        for _ in range(6):
            play_round(journal)
        publish_all(journal)
        blocked = path.with_name("journal.db.archiving")
        blocked.mkdir()
        with pytest.raises(JournalError, match=r"archive-0000000001-0000000030 cannot be written: .*Nothing was moved"):
            journal.rotate_now()
        assert journal.verify_chain().n == 60
        blocked.rmdir()
        assert journal.rotate_now().last_n == 30


def test_an_archive_is_not_begun_on_a_disk_that_it_would_fill(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """While it is made, cards need room too."""
    with open_journal(path) as journal:
        for _ in range(6):
            play_round(journal)
        publish_all(journal)
        usage = shutil.disk_usage(path.parent)
        monkeypatch.setattr("shutil.disk_usage", lambda _: usage._replace(free=30_000_000))
        with pytest.raises(JournalError, match=r"30 MB are free\. Nothing was moved"):
            journal.rotate_now()
        monkeypatch.undo()
        assert journal.rotate_now().last_n == 30


def test_the_page_names_the_program_that_goes_with_an_export() -> None:
    page = (ROOT / "docs" / "compliance" / "journal.md").read_text()
    assert "(../../controller/journal/verify_journal.py)" in page
