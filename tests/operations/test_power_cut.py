"""The power goes at any moment of a rotation: what the disk may then hold opens, is whole, and has lost nothing.

A table deals, rotates its journal and deals on, under strace; every state that its disk may be in after any single
system call is rebuilt (tests/support/disks.py) and opened as the next start would. Kill -9 between the lines of our own
code is in test_journal_rotation_crash.py; here the cut falls between the writes of SQLite too, and unsynced bytes are
lost.
"""

from __future__ import annotations

import copy
import hashlib
import os
import random
import shutil
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from controller.journal import Journal, JournalError
from tests.journal.test_rotation import play_round, publish_all
from tests.support.disks import STRACE, WAYS, Call, Disk, Way, in_memory, lay_out, record
from tests.support.journals import open_journal

pytestmark = pytest.mark.skipif(STRACE is None, reason="needs strace to see what reaches the disk")

SEEDS = int(os.environ.get("CUTCARD_SOAK", "0")) // 100_000 or 1
"""Torn disks for each moment; `make soak` tries more."""

ROTATE = """
import os, sys
from pathlib import Path
from controller.journal import rotation
from tests.support.journals import card_out, dealt, open_journal
from tests.journal.test_rotation import PER_ROUND, publish_all, snapshot_of

rotation._ENTRIES_PER_TRIM = 17
journal = open_journal(Path(sys.argv[1]) / "journal.db")

def deal():
    began = journal.head.n + 1
    for n in range(began, began + PER_ROUND):
        snapshot = snapshot_of(began) if n == began + PER_ROUND - 1 else None
        entry = journal.append_now(began // PER_ROUND + 1, card_out(n), dealt(n), snapshot)
        os.write(1, b"durable %d %b\\n" % (entry.n, entry.hash.hex().encode()))

deal()
publish_all(journal)
journal.rotate_now()
os.write(1, b"rotated\\n")
deal()
journal.close()
"""

START = """
import sys
from pathlib import Path
from tests.support.journals import open_journal

open_journal(Path(sys.argv[1]) / "journal.db").close()
"""


class Acknowledged(msgspec.Struct):
    """What the table had acknowledged when the power went."""

    entries: dict[int, str]
    rotated: bool = False

    def read(self, call: Call) -> None:
        for line in (
            call.strings[0].decode().splitlines() if call.name == "write" and call.flags.startswith("1<") else ()
        ):
            match line.split():
                case ["durable", n, hash_]:
                    self.entries[int(n)] = hash_
                case ["rotated"]:
                    self.rotated = True


def moments(
    calls: list[Call], disk: Disk, acknowledged: Acknowledged
) -> Iterator[tuple[int, Way, dict[str, tuple[bytes, int]]]]:
    """Every different disk that a cut after any call may leave, with its number and way."""
    seen: set[bytes] = set()
    for number, call in enumerate(calls):
        acknowledged.read(call)
        if not disk.apply(call):
            continue
        for way in WAYS:
            for seed in range(SEEDS if way == "torn" else 1):
                state = disk.state(way, f"{CHANCE}/{number}/{seed}")
                digest = hashlib.sha256(repr(sorted(state.items())).encode()).digest()
                if digest not in seen:
                    seen.add(digest)
                    yield number, way, state


CHANCE = random.randrange(2**32)
"""Printed by every test that uses it; put the number here to see a failure again."""


def opened(path: Path, acknowledged: Acknowledged) -> Journal:
    """The journal as the next start opens it; it has everything that was acknowledged."""
    journal = open_journal(path)
    try:
        assert journal.repair is None or not journal.repair.removed, journal.repair
        assert journal.verify_chain() == journal.head
        entries = {entry.n: entry.hash.hex() for entry in journal.entries()}
        assert {n: entries.get(n) for n in acknowledged.entries} == acknowledged.entries
        assert list(entries) == list(range(1, len(entries) + 1))
        assert len(entries) <= len(acknowledged.entries) + 1, "entries that nobody wrote"
        archives = journal.archives()
        assert archives or not acknowledged.rotated
        assert {file.name for file in path.parent.iterdir() if "archiv" in file.name} == {a.file for a in archives}
    except BaseException:
        journal.close()
        raise
    return journal


@pytest.fixture
def evening(tmp_path: Path) -> tuple[Path, Acknowledged]:
    """A journal of six rounds, its daemon stopped, and what is in it."""
    folder = tmp_path / "before"
    folder.mkdir()
    with open_journal(folder / "journal.db") as journal:
        entries = [entry for _ in range(6) for entry in play_round(journal)]
        publish_all(journal)
    (folder / "journal.db.lock").unlink()
    return folder, Acknowledged({entry.n: entry.hash.hex() for entry in entries})


@pytest.fixture
def table(tmp_path: Path, evening: tuple[Path, Acknowledged]) -> Path:
    """The same journal, for the table that is recorded."""
    shutil.copytree(evening[0], tmp_path / "table")
    return tmp_path / "table"


@pytest.fixture
def board(tmp_path: Path) -> Iterator[Path]:
    """Where a disk is laid out to be opened."""
    with in_memory(50_000_000, tmp_path) as folder:
        yield folder / "board"


def cut_everywhere(calls: list[Call], disk: Disk, acknowledged: Acknowledged, board: Path) -> Counter[tuple[Way, int]]:
    """Opens the journal after every cut there may be; how many had how many archives."""
    print("chance", CHANCE)
    found: Counter[tuple[Way, int]] = Counter()
    for number, way, state in moments(calls, disk, acknowledged):
        lay_out(state, board)
        try:
            with opened(board / "journal.db", acknowledged) as journal:
                found[way, len(journal.archives())] += 1
        except BaseException as error:
            error.add_note(f"after call {number} ({calls[number].name} {calls[number].at}), {way}, chance {CHANCE}")
            raise
    return found


@pytest.mark.clause("NY-5319.54")
def test_a_power_cut_at_any_call_of_a_rotation_loses_nothing(
    evening: tuple[Path, Acknowledged], table: Path, board: Path
) -> None:
    before, acknowledged = evening
    found = cut_everywhere(record(ROTATE, table), Disk(table, before), acknowledged, board)
    assert acknowledged.rotated and len(acknowledged.entries) == 80
    for way in WAYS:
        assert found[way, 0] and found[way, 1], found
    assert sum(found.values()) > 100, found


def test_a_rotation_that_forgot_to_sync_its_folder_would_be_found_out(
    evening: tuple[Path, Acknowledged], table: Path, board: Path
) -> None:
    """So that the test above can fail: the archive is on the list, and its name is not on the disk."""
    before, acknowledged = evening
    careless = ROTATE.replace("rotation._E", "rotation.sync_folder = lambda path: None\nrotation._E")
    with pytest.raises((JournalError, AssertionError), match="archive"):
        cut_everywhere(record(careless, table), Disk(table, before), acknowledged, board)


def test_a_second_power_cut_while_the_next_start_clears_up_loses_nothing_either(
    tmp_path: Path, evening: tuple[Path, Acknowledged], table: Path, board: Path
) -> None:
    """Cut once with the archive half made, once with it made but not on the list, once before its entries are gone."""
    before, acknowledged = evening
    disk = Disk(table, before)
    stages: dict[str, tuple[dict[str, tuple[bytes, int]], Acknowledged]] = {}
    for call in record(ROTATE, table):
        acknowledged.read(call)
        if disk.apply(call):
            names = " ".join(disk.names)
            stage = "made" if "archive-" in names else "half made" if ".archiving" in names else "before"
            stages["rotated" if acknowledged.rotated else stage] = disk.state("killed", ""), copy.deepcopy(acknowledged)
            if acknowledged.rotated:
                break
    assert list(stages) == ["before", "half made", "made", "rotated"]
    for stage, (state, known) in stages.items():
        first_cut, second = tmp_path / f"{stage} 1", tmp_path / f"{stage} 2"
        lay_out(state, first_cut)
        lay_out(state, second)
        found = cut_everywhere(record(START, second), Disk(second, first_cut), known, board)
        assert sum(found.values()) > 5, (stage, found)
