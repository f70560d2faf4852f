"""The kills of tests/floor in large numbers: `make floor-kills [KILLS=100] [SEED=1]`.

Batches of kills, on SQLite and on PostgreSQL in turn, each in a process of its own with a seed of its own. It can be
stopped: finished batches are kept in build/ by commit and seed, and the next call does the rest. When all are done, a
line for each database is added to tests/ledger/floor-kills.csv. The first batch that fails ends it, with its output.
"""

from __future__ import annotations

import argparse
import csv
import os
import subprocess
import sys
import time
from pathlib import Path

import msgspec
from msgspec import Struct

from tests.long.soak_all import commit
from tests.support.project import ROOT

LEDGER = ROOT / "tests" / "ledger" / "floor-kills.csv"
COLUMNS = ("date", "commit", "seed", "database", "kills", "seconds")
BATCH = 10
DATABASES = ("sqlite", "postgresql")
TEST = "tests/floor/collector/test_kills.py"


class Batch(Struct, frozen=True):
    """One that was finished, and found nothing."""

    database: str
    kills: int
    seconds: float


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.long.floor_kills", description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kills", type=int, default=100, help="on both databases together (default: %(default)s)")
    chosen = parser.parse_args()
    on = commit()
    state = ROOT / "build" / "floor-kills" / f"{on}-{chosen.seed}.json"
    state.parent.mkdir(parents=True, exist_ok=True)
    done = msgspec.json.decode(state.read_bytes(), type=list[Batch]) if state.exists() else []
    while (missing := chosen.kills - sum(batch.kills for batch in done)) > 0:
        number = len(done)
        database, kills = DATABASES[number % 2], min(BATCH, missing)
        print(f"batch {number + 1}: {kills} kills on {database}, {missing} are missing", flush=True)
        seconds = _run(database, kills, chosen.seed * 100_000 + number)
        if seconds is None:
            return 1
        done.append(Batch(database, kills, seconds))
        state.write_bytes(msgspec.json.encode(done))
    _write_lines(on, chosen.seed, done)
    state.unlink()
    return 0


def _run(database: str, kills: int, seed: int) -> float | None:
    """How long it took; null where it failed or could not run."""
    command = [sys.executable, "-m", "pytest", "-q", "--timeout", "0", TEST, "-k", database]
    variables = {"CUTCARD_FLOOR_SEED": str(seed), "CUTCARD_FLOOR_KILLS": str(kills)}
    began = time.monotonic()
    finished = subprocess.run(
        command, cwd=ROOT, env={**os.environ, **variables}, capture_output=True, text=True, check=False
    )
    if finished.returncode == 0 and "1 passed" in finished.stdout:
        return time.monotonic() - began
    print(finished.stdout, finished.stderr, f"seed {seed}, {kills} kills on {database}: see above", sep="\n")
    return None


def _write_lines(on: str, seed: int, done: list[Batch], ledger: Path = LEDGER) -> None:
    is_new = not ledger.exists()
    with ledger.open("a", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        if is_new:
            writer.writerow(COLUMNS)
        for database in DATABASES:
            batches = [batch for batch in done if batch.database == database]
            kills, seconds = sum(batch.kills for batch in batches), sum(batch.seconds for batch in batches)
            if kills:
                writer.writerow([time.strftime("%Y-%m-%d"), on, seed, database, kills, round(seconds)])


if __name__ == "__main__":
    sys.exit(main())
