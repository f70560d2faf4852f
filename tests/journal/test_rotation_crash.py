"""Kill -9 in the middle of a rotation: the next start finds the old arrangement or the new one, and every entry."""

from __future__ import annotations

import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from collections import Counter
from pathlib import Path
from types import FrameType
from typing import Any

from controller.journal import Entry, Journal, rotation
from tests.journal.test_rotation import PER_ROUND, play_round, publish_all
from tests.support.journals import card_out, open_journal
from tests.support.project import ROOT

WRITES = {str(ROOT / "controller" / "journal" / f"{name}.py") for name in ("rotation", "journal", "writer", "store")}
"""The code that changes anything; to be killed while reading is to be killed before the next change."""
TIMES_A_LINE = 2
"""Killed before a line runs for the first time, and for the second: loops are cut short in the middle too."""


class KilledAt:
    """Traces every thread and kills the process before the k-th line (and time) of the writing code that runs."""

    def __init__(self, k: int) -> None:
        self._left = k
        self._times: Counter[tuple[str, int]] = Counter()
        self._armed = False

    def arm(self) -> None:
        self._armed = True

    def __call__(self, frame: FrameType, event: str, argument: Any) -> Any:
        if frame.f_code.co_filename not in WRITES:
            return None
        if self._armed and event == "line":
            line = (frame.f_code.co_filename, frame.f_lineno)
            self._times[line] += 1
            if self._times[line] <= TIMES_A_LINE:
                self._left -= 1
                if self._left == 0:
                    os.kill(os.getpid(), signal.SIGKILL)
        return self


def rotate_and_die(path: Path, k: int) -> bool:
    """Rotates in a process of its own, which is killed at point k; whether it was."""
    child = os.fork()
    if child == 0:
        rotation._ENTRIES_PER_TRIM = 7
        killer = KilledAt(k)
        threading.settrace(killer)
        journal = open_journal(path)
        killer.arm()
        sys.settrace(killer)
        try:
            journal.rotate_now()
        finally:
            os._exit(0 if journal.archives() else 1)
    _, status = os.waitpid(child, 0)
    assert os.WIFSIGNALED(status) or os.waitstatus_to_exitcode(status) == 0
    return os.WIFSIGNALED(status)


def read_all(path: Path) -> list[Entry]:
    with Journal.read(path) as tool:
        tool.verify_chain()
        return list(tool.entries())


def lowest(path: Path) -> int:
    """The first entry that the journal file itself still holds."""
    db = sqlite3.connect(path)
    n: int = db.execute("SELECT min(n) FROM entry").fetchone()[0]
    db.close()
    return n


def test_a_kill_before_any_line_of_a_rotation_leaves_the_old_or_the_new_arrangement(tmp_path: Path) -> None:
    original = tmp_path / "original"
    original.mkdir()
    with open_journal(original / "journal.db") as journal:
        written = [entry for _ in range(6) for entry in play_round(journal)]
        publish_all(journal)
    arrangements: Counter[int] = Counter()
    k = 0
    while True:
        k += 1
        folder = tmp_path / "board"
        shutil.copytree(original, folder)
        path = folder / "journal.db"
        killed = rotate_and_die(path, k)
        assert read_all(path) == written, k
        with open_journal(path) as journal:
            assert journal.repair is None, k
            assert list(journal.entries()) == written
            assert journal.last_snapshot() == (60, b'{"n":51,"state":{}}')
            archives = journal.archives()
            arrangements[len(archives)] += 1
            on_disk = {file.name for file in folder.iterdir() if "archiv" in file.name}
            assert on_disk == {archive.file for archive in archives}, k
            for archive in archives:
                assert path.with_name(archive.file).stat().st_mode & 0o777 == 0o400
            assert lowest(path) == journal.live_n == (3 * PER_ROUND + 1 if archives else 1)
            if not archives and k % 10 == 0:
                assert journal.rotate_now().last_n == 3 * PER_ROUND
                assert list(journal.entries()) == written
        shutil.rmtree(folder)
        if not killed:
            break
    assert arrangements[0] > 50 and arrangements[1] > 20


WRITER = """
import asyncio, sys
from pathlib import Path
from controller.journal import NotNow
from tests.support.journals import *

async def deal(journal, acknowledged):
    while True:
        began = journal.head.n + 1
        for n in range(began, began + 10):
            snapshot = b'{"n":%d,"state":{}}' % began if n == began + 9 else None
            entry = await journal.append(began // 10 + 1, card_out(n), dealt(n), snapshot)
            acknowledged.write(b"%d %b\\n" % (entry.n, entry.hash.hex().encode()))
        await journal.move_cursor("main", journal.head.seq)

async def rotate(journal):
    while True:
        try:
            await journal.rotate()
        except NotNow:
            await asyncio.sleep(0.001)

async def main():
    journal = open_journal(Path(sys.argv[1]))
    acknowledged = open(1, "wb", buffering=0)
    await asyncio.gather(deal(journal, acknowledged), rotate(journal))

asyncio.run(main())
"""


def test_kill_9_at_random_moments_while_a_table_deals_and_rotates(tmp_path: Path) -> None:
    """Again and again on the same journal; the seed is printed when it fails."""
    seed = random.randrange(2**32)
    print("seed", seed)
    chance = random.Random(seed)
    path = tmp_path / "journal.db"
    acknowledged: dict[int, str] = {}
    for _ in range(12):
        acknowledged |= killed_run(path, chance.uniform(0.0, 0.3))
        entries = read_all(path)
        assert [entry.n for entry in entries] == list(range(1, len(entries) + 1))
        for n, hash_ in acknowledged.items():
            assert entries[n - 1].hash.hex() == hash_
        with open_journal(path) as journal:
            assert list(journal.entries()) == entries
            assert journal.missing() == []
            if journal.head.n % PER_ROUND:  # ends the round that the kill interrupted
                began = journal.head.n // PER_ROUND * PER_ROUND + 1
                for n in range(journal.head.n + 1, began + PER_ROUND):
                    journal.append_now(began // 10 + 1, card_out(n), [])
    with Journal.read(path) as tool:
        assert len(tool.archives()) > 5
        assert tool.verify_chain() == tool.head
    on_disk = {file.name for file in tmp_path.iterdir() if "archiv" in file.name}
    with Journal.read(path) as tool:
        assert on_disk == {archive.file for archive in tool.archives()}


def killed_run(path: Path, after: float) -> dict[int, str]:
    """Runs a table, kills it some time after its first acknowledged entry; what it said was durable."""
    with subprocess.Popen(
        [sys.executable, "-c", WRITER, str(path)], stdout=subprocess.PIPE, cwd=ROOT, start_new_session=True
    ) as table:
        assert table.stdout is not None
        said = table.stdout.readline()
        assert said, "the table did not start"
        time.sleep(after)  # the moment of death, not a wait for anything
        os.kill(table.pid, signal.SIGKILL)
        said += table.stdout.read()
    whole_lines = said[: said.rfind(b"\n")].decode().split("\n")
    return {int(n): hash_ for n, hash_ in (line.split() for line in whole_lines)}


def test_a_removal_cut_short_is_finished_at_the_next_opening(tmp_path: Path) -> None:
    """The list says that the archive is no longer kept, and then the power goes before the file is deleted."""
    path = tmp_path / "journal.db"
    with open_journal(path) as journal:
        for _ in range(6):
            play_round(journal)
        publish_all(journal)
        archive = journal.rotate_now()
    db = sqlite3.connect(path)
    db.execute("UPDATE archive SET place = 'removed'")
    db.commit()
    db.close()
    with open_journal(path) as journal:
        assert not path.with_name(archive.file).exists()
        assert journal.missing() == []
        assert (journal.first_n, journal.start) == (archive.last_n + 1, archive.head)
