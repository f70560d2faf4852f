"""Damaged journals: a torn end is cut back, kept and reported; any other damage keeps the journal shut."""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from controller.journal import Entry, Journal, JournalBroken, JournalError
from tests.support.journals import card_out, change, dealt, open_journal, write


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.db"


def closed_journal(path: Path, entries: int) -> list[Entry]:
    with open_journal(path) as journal:
        return write(journal, range(entries))


def change_whatever_it_takes(path: Path, statement: str) -> None:
    """Also what SQLite lets nobody write, but a damaged page can hold: another type."""
    strict, lax = "sealed BLOB NOT NULL) STRICT", "sealed)"
    for before, after, then in ((strict, lax, statement), (lax, strict, "SELECT 1")):
        with closing(sqlite3.connect(path)) as db:
            db.execute("PRAGMA writable_schema = ON")
            db.execute("UPDATE sqlite_schema SET sql = replace(sql, ?, ?) WHERE name = 'entry'", (before, after))
            db.commit()
        change(path, then)


def snatch(path: Path, to: Path) -> None:
    """The files of a journal in use, as a power cut would leave them."""
    for suffix in ("", "-wal"):
        shutil.copy(path.with_name(path.name + suffix), to.with_name(to.name + suffix))


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE entries SET input = substr(input, 1, 10) WHERE n = 20",
        "UPDATE entries SET events = x'5b5d' WHERE n = 20",
        "UPDATE entries SET hash = zeroblob(32) WHERE n = 20",
        "UPDATE entries SET first_seq = first_seq + 1 WHERE n = 20",
        "UPDATE entries SET count = 65535 WHERE n = 20",
        "UPDATE entries SET round = round + 1 WHERE n = 20",
        "UPDATE entry SET n = 21 WHERE n = 20",
        "UPDATE entry SET sealed = substr(sealed, 1, length(sealed) - 1) WHERE n = 20",
        "UPDATE entry SET sealed = substr(sealed, 1, 50) WHERE n = 20",
        "UPDATE entry SET sealed = substr(sealed, 1, 49) WHERE n = 20",
        "UPDATE entry SET sealed = x'' WHERE n = 20",
        "UPDATE entry SET sealed = (SELECT sealed FROM entry WHERE n = 19) WHERE n = 20",
        *(f"UPDATE entry SET sealed = {anything} WHERE n = 20" for anything in ("NULL", "'nothing'", "7", "0.5")),
    ],
)
def test_a_corrupted_last_entry_is_cut_off_kept_and_reported(path: Path, damage: str) -> None:
    written = closed_journal(path, 20)
    change_whatever_it_takes(path, damage)
    damaged = path.read_bytes()

    with open_journal(path) as journal:
        assert list(journal.entries()) == written[:19]
        assert journal.head == written[18].head
        repair = journal.repair
        assert repair is not None
        assert (repair.whole_n, repair.removed, repair.file) == (19, 1, "journal.db.cut-20")
        assert "entry 20" in repair.why
        assert (path.parent / repair.file).read_bytes() == damaged
        assert (path.parent / repair.file).stat().st_mode & 0o777 == 0o600
        (again,) = write(journal, [19])
        assert again == written[19]
        assert journal.verify_chain().n == 20


def test_a_cut_is_reported_until_an_entry_follows_it_and_remembered_for_ever(path: Path) -> None:
    closed_journal(path, 5)
    change(path, "UPDATE entries SET input = x'00' WHERE n = 5")
    with open_journal(path) as journal:
        first = journal.repair
    with open_journal(path) as journal:
        assert journal.repair == first
        write(journal, [5])
    with open_journal(path) as journal:
        assert journal.repair is None
        assert journal.repairs() == [first]


def test_several_torn_entries_are_cut_off_together(path: Path) -> None:
    written = closed_journal(path, 20)
    change(path, "UPDATE entries SET hash = zeroblob(32) WHERE n > 16")
    with open_journal(path) as journal:
        assert journal.repair is not None
        assert (journal.repair.whole_n, journal.repair.removed) == (16, 4)
        assert journal.head == written[15].head


def test_a_second_cut_at_the_same_place_keeps_both_files(path: Path) -> None:
    closed_journal(path, 3)
    for _ in range(2):
        change(path, "UPDATE entries SET input = x'00' WHERE n = 3")
        with open_journal(path) as journal:
            write(journal, [2])
    with open_journal(path) as journal:
        assert [repair.file for repair in journal.repairs()] == ["journal.db.cut-3", "journal.db.cut-3.2"]
    assert (path.parent / "journal.db.cut-3").exists()
    assert (path.parent / "journal.db.cut-3.2").exists()


async def test_a_cut_says_if_the_broker_already_knew_what_was_cut_off(path: Path) -> None:
    with open_journal(path) as journal:
        entries = write(journal, range(9))
        await journal.move_cursor("main", journal.head.seq)
        published = journal.head.seq
    change(path, "UPDATE entries SET input = x'00' WHERE n = 9")
    with open_journal(path) as journal:
        assert journal.repair is not None
        assert journal.repair.published == published > journal.head.seq
        assert journal.cursor == journal.head.seq == entries[7].head.seq


def test_snapshots_of_whole_entries_survive_a_cut(path: Path) -> None:
    with open_journal(path) as journal:
        for n in range(1, 5):
            journal.append_now(n, card_out(n), dealt(n), snapshot=b"after %d" % n)
    change(path, "UPDATE entries SET input = x'00' WHERE n = 4")
    with open_journal(path) as journal:
        assert journal.last_snapshot() == (3, b"after 3")


@pytest.mark.parametrize("n", [1, 2, 10, 18])
def test_a_change_with_whole_entries_after_it_keeps_the_journal_shut(path: Path, n: int) -> None:
    closed_journal(path, 20)
    change(path, "UPDATE entries SET input = replace(input, '9h', '8h') WHERE n = ?", n)
    before = path.read_bytes()
    for _ in range(2):
        with pytest.raises(JournalBroken, match=f"entry {n} .*evidence") as broken:
            open_journal(path)
        assert broken.value.n == n
        assert "\n" not in str(broken.value)
    assert path.read_bytes() == before
    assert sorted(file.name for file in path.parent.iterdir()) == ["journal.db", "journal.db.lock"]


@pytest.mark.parametrize("anything", ["NULL", "'nothing'", "7", "0.5", "x''", "substr(sealed, 1, 49)"])
def test_an_entry_on_a_damaged_page_can_be_anything_and_is_named(path: Path, anything: str) -> None:
    """The last one too: before it has been walked to, nobody may go by it."""
    closed_journal(path, 20)
    change_whatever_it_takes(path, f"UPDATE entry SET sealed = {anything} WHERE n IN (10, 20)")
    with pytest.raises(JournalBroken, match=r"entry 10 is not what was written.*evidence") as broken:
        open_journal(path)
    assert broken.value.n == 10
    with Journal.read(path) as tool:
        with pytest.raises(JournalBroken, match="entry 10 is not what was written") as broken:
            tool.verify_chain()
        assert broken.value.n == 10
        with pytest.raises(JournalBroken, match="entry 20 is not what was written: it is unreadable"):
            assert tool.head
        with pytest.raises(JournalBroken, match="entry 10 is not what was written: it is unreadable"):
            list(tool.entries())


def test_an_entry_missing_in_the_middle_keeps_the_journal_shut(path: Path) -> None:
    closed_journal(path, 20)
    change(path, "DELETE FROM entry WHERE n = 10")
    with pytest.raises(JournalBroken, match="entry 10 is missing"):
        open_journal(path)


async def test_entries_taken_off_the_end_are_missed_when_the_broker_knows_of_them(path: Path) -> None:
    with open_journal(path) as journal:
        write(journal, range(9))
        await journal.move_cursor("main", journal.head.seq)
    change(path, "DELETE FROM entry WHERE n > 6")
    with pytest.raises(JournalBroken, match="taken away from its end"):
        open_journal(path)
    with Journal.read(path) as tool, pytest.raises(JournalBroken, match="taken away from its end"):
        tool.verify_chain()


def test_entries_taken_off_the_end_are_missed_when_a_snapshot_knows_of_them(path: Path) -> None:
    with open_journal(path) as journal:
        for n in range(1, 5):
            journal.append_now(n, card_out(n), dealt(n), snapshot=b"state")
    change(path, "DELETE FROM entry WHERE n = 4")
    with pytest.raises(JournalBroken, match="taken away from its end"):
        open_journal(path)


def last_page(path: Path, pages: int = 1) -> range:
    return range(path.stat().st_size - 4096 * pages, path.stat().st_size)


def zero_last_page(path: Path) -> None:
    with path.open("r+b") as file:
        file.seek(last_page(path).start)
        file.write(bytes(4096))


def cut_file_short(path: Path) -> None:
    os.truncate(path, last_page(path).start)


def scribble_over_last_page(path: Path) -> None:
    with path.open("r+b") as file:
        file.seek(last_page(path).start)
        file.write(bytes(range(256)) * 16)


@pytest.mark.parametrize("damage", [zero_last_page, cut_file_short, scribble_over_last_page])
def test_a_lost_last_page_of_the_file_is_cut_back_to_the_last_whole_entry(
    path: Path, damage: Callable[[Path], None]
) -> None:
    """A journal that grows only at its end has its newest entries on its last page."""
    written = closed_journal(path, 400)
    damage(path)
    with open_journal(path) as journal:
        assert journal.repair is not None
        whole = journal.repair.whole_n
        assert 300 < whole < 400
        assert list(journal.entries()) == written[:whole]
        assert journal.verify_chain() == written[whole - 1].head
        assert write(journal, [whole]) == [written[whole]]


def test_a_lost_page_in_the_middle_keeps_the_journal_shut(path: Path) -> None:
    closed_journal(path, 400)
    middle = path.stat().st_size // 4096 // 2 * 4096
    with path.open("r+b") as file:
        file.seek(middle)
        file.write(bytes(4096))
    with pytest.raises(JournalBroken, match="no torn end"):
        open_journal(path)


@pytest.mark.parametrize("content", [b"", b"\0" * 8192, b"not a journal at all, but somebody's notes " * 200])
def test_a_file_without_its_beginning_is_never_begun_anew(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    with pytest.raises(JournalBroken, match="not a journal"):
        open_journal(path)
    assert path.read_bytes() == content


def test_a_log_without_its_journal_is_not_read_into_a_new_one(path: Path) -> None:
    path.with_name("journal.db-wal").write_bytes(b"x" * 5000)
    with pytest.raises(JournalError, match="moved or deleted"):
        open_journal(path)


def test_a_journal_whose_power_was_cut_opens_with_everything(path: Path, tmp_path: Path) -> None:
    after = tmp_path / "after.db"
    with open_journal(path) as journal:
        written = write(journal, range(30))
        snatch(path, after)
    assert after.with_name("after.db-wal").stat().st_size > 0
    with open_journal(after) as journal:
        assert journal.repair is None
        assert list(journal.entries()) == written


@pytest.mark.parametrize("lost", [1, 100, 4120, 4130])
def test_a_torn_log_is_kept_and_reported(path: Path, tmp_path: Path, lost: int) -> None:
    """SQLite itself would forget these entries without a word."""
    after = tmp_path / "after.db"
    with open_journal(path) as journal:
        written = write(journal, range(30))
        snatch(path, after)
    log = after.with_name("after.db-wal")
    size = log.stat().st_size
    with log.open("r+b") as file:  # the last `lost` bytes never reached the disk
        file.seek(size - lost)
        file.write(bytes(min(lost, 4096)))
    torn = log.read_bytes()
    with open_journal(after) as journal:
        repair = journal.repair
        assert repair is not None
        assert "log" in repair.why
        assert list(journal.entries()) == written[: repair.whole_n]
        assert repair.whole_n in (28, 29)
        assert (tmp_path / repair.file).read_bytes() == torn
        assert journal.verify_chain() == journal.head


def test_a_bit_flipped_in_the_middle_of_the_log_is_reported(path: Path, tmp_path: Path) -> None:
    after = tmp_path / "after.db"
    with open_journal(path) as journal:
        written = write(journal, range(30))
        snatch(path, after)
    log = after.with_name("after.db-wal")
    data = bytearray(log.read_bytes())
    data[len(data) // 2] ^= 0x10
    log.write_bytes(data)
    with open_journal(after) as journal:
        assert journal.repair is not None
        assert 10 < journal.repair.whole_n < 20
        assert journal.head == written[journal.repair.whole_n - 1].head


def test_a_log_that_was_begun_anew_is_not_mistaken_for_a_torn_one(path: Path, tmp_path: Path) -> None:
    """After a checkpoint SQLite writes over its old log, and old pages stay behind the new ones."""
    with open_journal(path) as journal:
        for n in range(0, 600, 7):
            written = write(journal, range(n, n + 7))
            after = tmp_path / f"after-{n}.db"
            snatch(path, after)
            with open_journal(after) as copy:
                assert copy.repair is None, n
                assert copy.head == written[-1].head


def test_a_power_cut_in_the_middle_of_a_repair_loses_nothing(path: Path, tmp_path: Path) -> None:
    """Every state of the folder that a repair goes through, opened anew, ends in the same journal."""
    closed_journal(path, 20)
    change(path, "UPDATE entries SET input = x'00' WHERE n = 20")
    damaged = tmp_path / "damaged"
    shutil.copy(path, damaged)
    with open_journal(path) as journal:
        repaired_head, repair = journal.head, journal.repair
    repaired = tmp_path / "repaired"
    shutil.copy(path, repaired)

    filling = tmp_path / "1" / "journal.db"
    filling.parent.mkdir()
    shutil.copy(damaged, filling)
    filling.with_name("journal.db.repair").write_bytes(repaired.read_bytes()[:5000])
    filling.with_name("journal.db.repair-journal").write_bytes(b"half a page")

    named = tmp_path / "2" / "journal.db"
    named.parent.mkdir()
    shutil.copy(damaged, named)
    shutil.copy(repaired, named.with_name("journal.db.repair"))
    named.with_name("journal.db.cut-20").hardlink_to(named)

    complete = tmp_path / "3" / "journal.db"
    complete.parent.mkdir()
    shutil.copy(damaged, complete)
    complete.with_name("journal.db.cut-20").hardlink_to(complete)
    shutil.copy(repaired, complete.with_name("journal.db.repaired"))
    complete.with_name("journal.db-wal").write_bytes(b"the damaged journal's log")

    for half_way in (filling, named, complete):
        with open_journal(half_way) as journal:
            assert journal.head == repaired_head
            assert journal.repair == repair
        assert half_way.with_name("journal.db.cut-20").read_bytes() == damaged.read_bytes()
        names = {file.name for file in half_way.parent.iterdir()}
        assert names == {"journal.db", "journal.db.lock", "journal.db.cut-20"}


def test_a_power_cut_while_a_journal_is_created_leaves_no_half_journal(path: Path) -> None:
    path.with_name("journal.db.new").write_bytes(b"SQLite format 3\0 and then the power went")
    with open_journal(path) as journal:
        write(journal, range(3))
        assert journal.verify_chain().n == 3
    assert not path.with_name("journal.db.new").exists()
