"""The journal as the daemon uses it: append, read back, one owner, and a chain that shows every changed byte."""

from __future__ import annotations

import asyncio
import hashlib
import os
import sqlite3
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import astuple

from controller.journal import Head, Journal, JournalBroken, JournalBusy, JournalError, Seeded
from controller.journal.chain import LINK, SALT, seal
from controller.journal.writer import FARTHEST_CURSOR
from tests.support.journals import AT, SITE, TABLE, card_out, change, dealt, events_of, open_journal, started, write


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.db"


def test_entries_come_back_as_they_were_appended_and_seq_has_no_gap(path: Path) -> None:
    with open_journal(path) as journal:
        written = write(journal, range(50))
        assert journal.head == written[-1].head
    with open_journal(path) as journal:
        read = list(journal.entries())
        assert read == written
        assert [entry.input for entry in read] == [card_out(n) for n in range(50)]
        assert [events_of(entry) for entry in read] == [dealt(n) for n in range(50)]
        assert [entry.n for entry in read] == list(range(1, 51))
        seqs = [seq for entry in read for seq in range(entry.first_seq, entry.first_seq + entry.count)]
        assert seqs == list(range(1, journal.head.seq + 1))
        assert journal.repair is None


def test_a_part_of_the_entries_can_be_read(path: Path) -> None:
    with open_journal(path) as journal:
        write(journal, range(1200))
        assert [entry.n for entry in journal.entries(700, 1190)] == list(range(700, 1190))
        assert [entry.n for entry in journal.entries(1199)] == [1199, 1200]
        assert list(journal.entries(1201)) == []


def test_the_hash_is_the_documented_one(path: Path) -> None:
    """Computed here from docs/compliance/journal.md alone."""
    with open_journal(path) as journal:
        write(journal, range(3))
        hash_ = hashlib.sha256(
            f"cutcard journal 1\nsite {SITE}\ntable {TABLE}\njournal {journal.id}\n".encode()
        ).digest()
        for e in journal.entries():
            numbers = b"".join(x.to_bytes(4, "big") for x in (e.n, e.first_seq, e.round))
            numbers += e.count.to_bytes(2, "big") + len(e.input).to_bytes(4, "big")
            hashed = numbers + e.salt + e.link + e.input + e.events
            hash_ = hashlib.sha256(hash_ + hashed).digest()
            assert e.hash == hash_
            assert e.row == (e.n, hash_ + hashed)


def test_every_entry_has_its_own_sixteen_random_bytes(path: Path, tmp_path: Path) -> None:
    files = path, tmp_path / "other.db"
    journal, other = (Journal.open(file, site=SITE, table=TABLE) for file in files)
    with journal, other:
        salts = [entry.salt for entry in write(journal, range(50)) + write(other, range(50))]
    assert len(set(salts)) == 100 and {len(salt) for salt in salts} == {16}


def test_a_seeded_journal_is_the_same_again_also_after_a_restart(path: Path, tmp_path: Path) -> None:
    def seeded(file: Path) -> Journal:
        return Journal.open(file, site=SITE, table=TABLE, chance=Seeded("7"))

    with seeded(path) as journal:
        write(journal, range(20))
        whole = journal.head
    for numbers in (range(8), range(8, 20)):
        with seeded(tmp_path / "again.db") as journal:
            write(journal, numbers)
            again = journal.head
    assert again == whole


def test_an_entry_shows_neither_its_salt_nor_its_input_in_a_log(path: Path) -> None:
    with open_journal(path) as journal:
        (entry,) = write(journal, [1])
    assert "9h" not in repr(entry) and repr(entry.salt) not in repr(entry) and entry.salt.hex() not in repr(entry)


def test_events_can_be_read_from_any_seq_with_the_time_of_their_input(path: Path) -> None:
    with open_journal(path) as journal:
        write(journal, range(200))
        every = [
            (entry.first_seq + index, entry.round, AT + 1000 * (entry.n - 1), index, body, entry.hash)
            for entry in journal.entries()
            for index, body in enumerate(events_of(entry))
        ]
        for seq in (1, 2, 3, 57, journal.head.seq):
            found = [(e.seq, e.round, e.at, e.index, e.body, e.hash) for e in journal.events_from(seq, 40)]
            assert found == every[seq - 1 : seq + 39]
        assert journal.events_from(journal.head.seq + 1, 40) == []


def test_an_empty_journal_has_no_events(path: Path) -> None:
    with open_journal(path) as journal:
        assert journal.events_from(1, 10) == []
        assert (journal.head.n, journal.head.seq, journal.cursor) == (0, 0, 0)
        assert journal.last_snapshot() is None


def test_an_event_of_a_test_mode_run_stays_one_after_the_next_start(path: Path) -> None:
    """The broker may have been away: a test run's events are sent by the run after it, and must not look like money."""
    one = [b'{"kind":"round_started"}']
    with open_journal(path) as journal:
        journal.append_now(0, started(test=False), one)
        journal.append_now(1, card_out(1), one)
        journal.append_now(0, started(test=True), one)
        journal.append_now(2, card_out(2), one)
        journal.append_now(2, b'{"at":1,"by":"dealer","body":{"kind":"act","do":"started","seat":1}}', one)
        journal.append_now(0, started(test=False), one)
        marks = [False, False, True, True, True, False]
        assert [event.test for event in journal.events_from(1, 10)] == marks
        assert [journal.events_from(seq, 1)[0].test for seq in range(1, 7)] == marks


def test_what_could_never_be_read_again_is_refused(path: Path) -> None:
    good = card_out(1)
    with open_journal(path) as journal:
        for round_, input_, events in [
            (1, b"not json", []),
            (1, b'{"by":"dealer","body":{"kind":"act"}}', []),
            (1, good, [b'{"to":"player"}']),
            (1, good, [b'{"kind":"a/b"}']),
            (1, good, [b'{"kind":"x"},{"kind":"y"}']),
            (-1, good, []),
            (2**32, good, []),
            (1, good, [b'{"kind":"x"}'] * 2**16),
        ]:
            with pytest.raises(ValueError):
                journal.append_now(round_, input_, events)
        assert journal.head.n == 0
        journal.append_now(1, good, [b'{"kind":"card_dealt"}'])
        assert journal.verify_chain().n == 1


def test_the_newest_snapshot_comes_back_and_a_damaged_one_is_passed_over(path: Path) -> None:
    with open_journal(path) as journal:
        for n in range(1, 8):
            journal.append_now(n, card_out(n), dealt(n), snapshot=b"after %d" % n if n % 2 else None)
        assert journal.last_snapshot() == (7, b"after 7")
        assert journal.last_snapshot(up_to_n=6) == (5, b"after 5")
    change(path, "UPDATE snapshot SET state = x'00' WHERE n = 7")
    with open_journal(path) as journal:
        assert journal.last_snapshot() == (5, b"after 5")


async def test_the_cursor_is_durable_and_cannot_pass_the_last_event(path: Path) -> None:
    with open_journal(path) as journal:
        write(journal, range(6))
        await journal.move_cursor("main", 4)
        with pytest.raises(ValueError, match="ends with"):
            await journal.move_cursor("main", journal.head.seq + 1)
    with open_journal(path) as journal:
        assert journal.cursor == 4


def in_file(path: Path) -> int:
    """The cursor as a start would find it now, after a kill."""
    with Journal.read(path) as after_a_kill:
        return after_a_kill.cursor_of("main")


async def test_the_cursor_is_written_with_a_snapshot_or_when_asked_for_and_costs_no_commit_of_its_own(
    path: Path,
) -> None:
    with open_journal(path) as journal:
        write(journal, range(6))
        log = path.with_name(path.name + "-wal")
        before = log.stat().st_size
        await journal.move_cursor("main", 3)
        assert journal.cursor == 3 and in_file(path) == 0
        assert log.stat().st_size == before, "nothing was written"
        await journal.append(1, card_out(7), dealt(7))
        assert in_file(path) == 0
        await journal.append(1, card_out(8), dealt(8), b"after 8")
        assert in_file(path) == 3
        await journal.move_cursor("main", 4)
        await journal.write_cursors()
        assert in_file(path) == 4


async def test_after_a_kill_the_cursor_is_never_far_behind(path: Path) -> None:
    with open_journal(path) as journal:
        write(journal, range(FARTHEST_CURSOR))
        farthest = 0
        for seq in range(1, journal.head.seq + 1):
            await journal.move_cursor("main", seq)
            assert seq - in_file(path) <= FARTHEST_CURSOR
            farthest = max(farthest, seq - in_file(path))
        assert farthest > 100, "it is not written each time"


async def test_a_write_that_fails_leaves_the_cursor_as_it_is_in_the_file(path: Path) -> None:
    with open_journal(path, max_bytes=200_000) as journal:
        write(journal, range(6))
        await journal.move_cursor("main", 3)
        too_large = [b'{"kind":"note","text":"%b"}' % (b"x" * 400_000)]
        with pytest.raises(JournalError):
            await journal.append(1, card_out(7), too_large, b"after 7")
        assert journal.cursor == 3 and in_file(path) == 0
        await journal.append(1, card_out(7), dealt(7), b"after 7")
        assert in_file(path) == 3


async def test_many_callers_at_once_are_written_in_the_order_they_asked(path: Path) -> None:
    """More than may wait in the queue: nobody overtakes those who wait for a place in it."""
    with open_journal(path) as journal:
        entries = await asyncio.gather(*(journal.append(1, card_out(n), dealt(n)) for n in range(3000)))
        assert [entry.n for entry in entries] == list(range(1, 3001))
        assert [entry.input for entry in journal.entries()] == [card_out(n) for n in range(3000)]
        assert journal.verify_chain() == journal.head


async def test_appends_that_wait_together_share_a_commit(path: Path) -> None:
    """Seen from outside: a watcher is called once per commit."""
    commits = 0

    def committed() -> None:
        nonlocal commits
        commits += 1

    with open_journal(path) as journal:
        stop = journal.watch(committed)
        await asyncio.gather(*(journal.append(1, card_out(n), dealt(n)) for n in range(500)))
        assert 1 <= commits < 100
        stop()
        seen = commits
        await journal.append(1, card_out(1), [])
        assert commits == seen


async def test_an_append_after_close_is_refused(path: Path) -> None:
    journal = open_journal(path)
    journal.close()
    with pytest.raises(JournalError, match="closed"):
        await journal.append(1, card_out(1), [])
    journal.close()


def test_a_second_daemon_on_the_same_journal_gets_an_error_that_names_the_first(path: Path) -> None:
    with open_journal(path):
        with pytest.raises(JournalBusy, match=rf"process {os.getpid()}\b.*stop") as refused:
            open_journal(path)
        assert "\n" not in str(refused.value)
    open_journal(path).close()


def test_another_tables_journal_is_refused(path: Path) -> None:
    open_journal(path).close()
    with pytest.raises(JournalError, match="belongs to table 't7' of site 'bay101'"):
        Journal.open(path, site=SITE, table="t8")
    open_journal(path).close()


@pytest.mark.parametrize("name", ["", "a/b", "a\nb", "#", "x" * 65])
def test_a_name_that_cannot_be_a_topic_is_refused(path: Path, name: str) -> None:
    with pytest.raises(JournalError, match="table name"):
        Journal.open(path, site=SITE, table=name)


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(JournalError, match="nowhere does not exist"):
        open_journal(tmp_path / "nowhere" / "journal.db")


def test_nobody_else_may_read_the_journal(path: Path) -> None:
    before = os.umask(0)
    try:
        with open_journal(path) as journal:
            write(journal, range(3))
            for file in path.parent.iterdir():
                assert file.stat().st_mode & 0o777 == 0o600, file
    finally:
        os.umask(before)


async def test_a_tool_reads_while_the_daemon_writes(path: Path) -> None:
    with open_journal(path) as journal:
        await journal.append(1, card_out(1), dealt(1))
        with Journal.read(path) as tool:
            assert (tool.site, tool.table, tool.head) == (SITE, TABLE, journal.head)
            await journal.append(1, card_out(2), dealt(2))
            assert tool.verify_chain() == journal.head
            assert [entry.n for entry in tool.entries()] == [1, 2]
            with pytest.raises(sqlite3.OperationalError, match="readonly"):
                sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True).execute("DELETE FROM entry")


def test_a_closed_journal_is_one_file_and_readable_without_its_folder(path: Path) -> None:
    with open_journal(path) as journal:
        write(journal, range(9))
        head = journal.head
    assert {file.name for file in path.parent.iterdir()} == {"journal.db", "journal.db.lock"}
    path.parent.chmod(0o500)
    try:
        with Journal.read(path) as tool:
            assert tool.verify_chain() == head
    finally:
        path.parent.chmod(0o700)


def test_reading_what_is_no_journal_says_so(tmp_path: Path) -> None:
    with pytest.raises(JournalError, match="no journal at"):
        Journal.read(tmp_path / "none.db")
    (tmp_path / "notes.txt").write_text("Dealer's notes, nothing else. " * 50)
    with pytest.raises(JournalBroken, match=r"notes\.txt is not a journal"):
        Journal.read(tmp_path / "notes.txt")


def test_verifying_reports_its_progress(path: Path) -> None:
    with open_journal(path) as journal:
        write(journal, range(1100))
        steps: list[tuple[int, int]] = []
        journal.verify_chain(lambda done, total: steps.append((done, total)))
        assert steps == [(512, 1100), (1024, 1100), (1100, 1100)]


def test_a_change_to_any_byte_of_any_entry_is_found(path: Path) -> None:
    with open_journal(path) as journal:
        entries = write(journal, range(1, 5))
    for entry in entries[:3]:
        n, sealed = entry.row
        for at in range(len(sealed)):
            assert found_broken(path, n, sealed[:at] + bytes([sealed[at] ^ 0x01]) + sealed[at + 1 :]), (n, at)
        for length in (0, 31, 32, 49, 50, len(sealed) - 1):
            assert found_broken(path, n, sealed[:length]), (n, length)
        assert found_broken(path, n, sealed + b" "), n
        assert not found_broken(path, n, sealed), n
    with Journal.read(path) as journal_again:
        assert journal_again.verify_chain().n == 4


def test_a_byte_moved_from_the_input_to_the_events_is_found(path: Path) -> None:
    with open_journal(path) as journal:
        entry = write(journal, [1, 2])[0]
    change(
        path, "UPDATE entries SET input = ?, events = ? WHERE n = 1", entry.input[:-1], entry.input[-1:] + entry.events
    )
    with Journal.read(path) as tool, pytest.raises(JournalBroken, match="entry 1"):
        tool.verify_chain()


def test_a_journal_passed_off_as_another_tables_is_found(path: Path) -> None:
    with open_journal(path) as journal:
        write(journal, [1, 2])
    change(path, "UPDATE meta SET value = 't8' WHERE name = 'table'")
    with Journal.read(path) as tool, pytest.raises(JournalBroken, match="entry 1"):
        tool.verify_chain()


def test_an_entry_taken_out_or_slipped_in_is_found(path: Path) -> None:
    with open_journal(path) as journal:
        write(journal, range(5))
    change(path, "DELETE FROM entry WHERE n = 3")
    with Journal.read(path) as tool, pytest.raises(JournalBroken, match="entry 3 is missing") as broken:
        tool.verify_chain()
    assert broken.value.n == 3
    change(path, "INSERT INTO entry SELECT 3, sealed FROM entry WHERE n = 4")
    with Journal.read(path) as tool, pytest.raises(JournalBroken, match="entry 3"):
        tool.verify_chain()


def test_inputs_and_events_are_plain_json_in_the_file(path: Path) -> None:
    with open_journal(path) as journal:
        write(journal, range(3))
    db = sqlite3.connect(path)
    rows = db.execute("SELECT json_extract(input, '$.at'), events FROM entries").fetchall()
    db.close()
    assert [row[0] for row in rows] == [AT, AT + 1000, AT + 2000]
    assert [len(msgspec.json.decode(row[1])) for row in rows] == [0, 1, 2]


def test_other_tools_can_open_the_file_and_read_what_is_in_an_entry(path: Path) -> None:
    """Up to the greatest numbers that an entry can have."""
    with open_journal(path) as journal:
        written = write(journal, range(30))
    late = seal(
        Head(2**32 - 2, 0xFEDCBA97, bytes(32)),
        0x89ABCDEF,
        0xFFFF,
        card_out(1),
        b"[]",
        salt=bytes(SALT),
        link=bytes(LINK),
    )
    change(path, "INSERT INTO entry VALUES (?, ?)", *late.row)
    db = sqlite3.connect(path)
    rows = db.execute("SELECT n, round, input, events, first_seq, count, hash FROM entries ORDER BY n").fetchall()
    db.close()
    read = [(row[0], row[1], row[2].encode(), row[3].encode(), *row[4:]) for row in rows]
    assert read == [astuple(entry)[:7] for entry in [*written, late]]


def found_broken(path: Path, n: int, sealed: bytes) -> bool:
    change(path, "UPDATE entry SET sealed = ? WHERE n = ?", sealed, n)
    try:
        with Journal.read(path) as tool:
            tool.verify_chain()
        return False
    except JournalBroken:
        return True
