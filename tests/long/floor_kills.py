"""The kills of tests/floor in large numbers: `make floor-kills [KILLS=100] [SEED=1] [HOURS=7] [TABLES=6]`.

In a batch each table plays a recorded day, of half an hour to an hour, as fast as it goes, under a fresh identity and
into an empty store. There are as many batches as give the hours; the kills are spread over them. Each batch is a
process of its own with a seed of its own.

    make floor-kills HOURS=8 TABLES=160 KILLS=100 DATABASE=postgresql     eight hours of a large cardroom

It can be stopped: finished batches are kept in build/ by commit and seed, and the next call does the rest. When all are
done, a line for each database is added to tests/ledger/floor-kills.csv. The first batch that fails ends it: how it
ended is printed, and what it said is in a file beside the finished ones.
"""

from __future__ import annotations

import argparse
import csv
import math
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import msgspec
from msgspec import Struct

from tests.long.soak_all import commit
from tests.support.project import ROOT
from tests.support.recorded_days import RecordedEvent, day, days

LEDGER = ROOT / "tests" / "ledger" / "floor-kills.csv"
COLUMNS = ("date", "commit", "seed", "database", "tables", "hours", "events", "kills", "seconds")
DATABASES = ("sqlite", "postgresql")
TEST = "tests/floor/collector/test_kills.py"
_SHOWN = 4000
"""Characters of the output of a batch that failed."""


class Batch(Struct, frozen=True):
    """One that was finished, and found nothing."""

    database: str
    kills: int
    seconds: float


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.long.floor_kills", description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kills", type=int, default=100, help="in all batches together (default: %(default)s)")
    parser.add_argument("--hours", type=float, default=7, help="that each table plays (default: %(default)s)")
    parser.add_argument("--tables", type=int, default=6, help="default: %(default)s")
    parser.add_argument("--database", choices=DATABASES, help="default: both in turn")
    chosen = parser.parse_args()
    databases = DATABASES if chosen.database is None else (chosen.database,)
    on = commit()
    batches = math.ceil(chosen.hours * chosen.tables / table_hours(chosen.tables))
    name = f"{on}-{chosen.seed}-{chosen.tables}-{batches}-{chosen.kills}-{'-'.join(databases)}"
    state = ROOT / "build" / "floor-kills" / f"{name}.json"
    state.parent.mkdir(parents=True, exist_ok=True)
    done = msgspec.json.decode(state.read_bytes(), type=list[Batch]) if state.exists() else []
    while (number := len(done)) < batches:
        database = databases[number % len(databases)]
        kills = chosen.kills * (number + 1) // batches - chosen.kills * number // batches
        print(f"batch {number + 1} of {batches}: {chosen.tables} tables, {kills} kills on {database}", flush=True)
        batch = Batch(database, kills, 0)
        log = state.with_suffix(f".batch-{number + 1}.log")
        seconds = _run(batch, chosen.tables, chosen.seed * 100_000 + number, log)
        if seconds is None:
            return 1
        done.append(Batch(database, kills, seconds))
        state.write_bytes(msgspec.json.encode(done))
        log.unlink()
    _write_lines(on, chosen.seed, chosen.tables, done)
    state.unlink()
    return 0


def _run(batch: Batch, tables: int, seed: int, log: Path) -> float | None:
    """How long it took; null where it failed or could not run."""
    command = [sys.executable, "-m", "pytest", "-q", TEST, "-k", batch.database]
    variables = {
        "CUTCARD_FLOOR_SEED": str(seed),
        "CUTCARD_FLOOR_KILLS": str(batch.kills),
        "CUTCARD_FLOOR_TABLES": str(tables),
    }
    began = time.monotonic()
    with log.open("wb") as output:
        finished = subprocess.run(
            command, cwd=ROOT, env={**os.environ, **variables}, stdout=output, stderr=subprocess.STDOUT, check=False
        )
    seconds, said = time.monotonic() - began, log.read_text(errors="replace")
    if finished.returncode == 0 and "1 passed" in said:
        return seconds
    print(said[-_SHOWN:])
    print(f"{how_it_ended(finished.returncode)} after {seconds:.0f} s: seed {seed}. All that it said is in {log}.")
    return None


def how_it_ended(code: int) -> str:
    """
    >>> how_it_ended(1), how_it_ended(-9)
    ('It ended with exit code 1', 'It was ended by SIGKILL')
    """
    return f"It was ended by {signal.Signals(-code).name}" if code < 0 else f"It ended with exit code {code}"


def _played(tables: int) -> list[tuple[RecordedEvent, ...]]:
    """What each table plays, as the test has it."""
    return [day(days()[number % len(days())]) for number in range(tables)]


def table_hours(tables: int) -> float:
    """What these tables play in a batch, together."""
    return sum(events[-1].after_ms for events in _played(tables)) / 3_600_000


def _write_lines(on: str, seed: int, tables: int, done: list[Batch], ledger: Path = LEDGER) -> None:
    is_new = not ledger.exists()
    with ledger.open("a", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        if is_new:
            writer.writerow(COLUMNS)
        for database in DATABASES:
            of_it = [batch for batch in done if batch.database == database]
            if of_it:
                hours = round(len(of_it) * table_hours(tables) / tables, 1)
                events = len(of_it) * sum(map(len, _played(tables)))
                kills, seconds = sum(batch.kills for batch in of_it), sum(batch.seconds for batch in of_it)
                today = time.strftime("%Y-%m-%d")
                writer.writerow([today, on, seed, database, tables, hours, events, kills, round(seconds)])


if __name__ == "__main__":
    sys.exit(main())
