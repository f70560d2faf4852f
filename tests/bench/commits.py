"""One durable commit of an input beside a bare SQLite insert.

The same rows go to two files on the same disk, both in WAL mode with `synchronous = FULL`: an input by the recorder
(judged by the engine, encoded, sealed, written by the journal's thread), then its row by a bare INSERT in this thread;
one after the other, so that both meet the same disk. The second bare file begins its log anew as often as the journal
does (see `writer`): that alone makes a sync cheaper, so it shows what the way through the recorder costs.
"""

from __future__ import annotations

import sqlite3
import statistics
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from controller.clock import SystemClock
from controller.journal import Entry, Journal
from controller.journal.writer import LOG_PAGES
from controller.recorder.recorder import Recorder
from controller.rules import resolve
from tests.bench.figures import Figure
from tests.bench.rounds import evening, first_input

MOST_TIMES = 1.5
INPUTS_A_ROUND = 14


class Bare:
    """A table of the same rows, and the time that each insert took."""

    def __init__(self, path: Path, log_pages: int | None = None) -> None:
        self.db = sqlite3.connect(path, isolation_level=None)
        self.db.execute("PRAGMA journal_mode = WAL")
        self.db.execute("PRAGMA synchronous = FULL")
        if log_pages is not None:
            self.db.execute(f"PRAGMA wal_autocheckpoint = {log_pages}")
        self.db.execute("CREATE TABLE entry (n INTEGER PRIMARY KEY, sealed BLOB NOT NULL) STRICT")
        self.took: list[float] = []

    def insert(self, entry: Entry) -> None:
        row = entry.row
        began = time.perf_counter()
        self.db.execute("INSERT INTO entry VALUES (?, ?)", row)
        self.took.append(time.perf_counter() - began)

    def close(self) -> None:
        self.db.close()


async def figures(folder: Path, commits: int) -> list[Figure]:
    took: list[float] = []
    journal = Journal.open(folder / "commits.db", site="bench", table="t-1")
    with (
        closing(journal),
        closing(Bare(folder / "bare.db")) as bare,
        closing(Bare(folder / "kept-short.db", LOG_PAGES)) as short,
    ):
        recorder = Recorder(journal, resolve, SystemClock(), first_input())
        for value in evening(recorder.engine, 1 + commits // INPUTS_A_ROUND, seed=1):
            began = time.perf_counter()
            await recorder.submit(value.body, value.by, value.ref)
            took.append(time.perf_counter() - began)
            (entry,) = journal.entries(journal.head.n)
            bare.insert(entry)
            short.insert(entry)
    return list(_beside(took, bare.took, short.took))


def _beside(ours: list[float], bare: list[float], short: list[float]) -> Iterator[Figure]:
    """By the mean: now and then a commit begins the log anew, and its callers wait for that too."""
    speed, median = 1 / statistics.fmean(ours), 1 / statistics.median(ours)
    for name, took, target in (("bare insert", bare, MOST_TIMES), ("bare insert, log kept short", short, None)):
        cost = statistics.fmean(ours) / statistics.fmean(took)
        limit = "" if target is None else f"cost at most {target}"
        met = None if target is None else cost <= target
        yield Figure(
            "durable commits of an input",
            speed,
            median,
            name,
            1 / statistics.fmean(took),
            cost,
            limit,
            met,
            worse="larger",
        )
