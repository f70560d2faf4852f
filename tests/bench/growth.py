"""A journal that grows: its size, and what start-up, `recall`, a shift report and `verify` take of it.

    .venv/bin/python -m tests.bench.growth [--rounds 1000 10000 100000] [--folder build/growth]

Each journal is that of EZ rounds with a snapshot at the end of every round and an archive every ten thousand rounds,
as a table's own (`rotate_at_mb`). It is written in large commits, and kept in the folder, so that the next run goes on
with the longer ones. Times are of the processor. "2 cores": the whole `verify` in one process, divided by the time of
the busier of two that share its parts.
"""

from __future__ import annotations

import argparse
import asyncio
import resource
import subprocess
import sys
import time
from pathlib import Path

import msgspec

from controller.engine.events import encode_events
from controller.engine.inputs import encode_input
from controller.evidence.rerun import current_table
from controller.evidence.segments import parts_of, walk_part
from controller.evidence.verify import verify
from controller.journal import Append, Commit, Journal, JournalReader
from controller.journal.published import read_input
from controller.recorder.recorder import first_engine, round_begun
from controller.rules import resolve
from tests.bench.rounds import GROUP, RULESET, evening

ROTATE_EVERY = 10_000
"""Rounds."""
STEP_MS = 3000
"""From an input to the next: a round takes 45 seconds."""
SHIFT_MS = 8 * 60 * 60 * 1000


async def write_rotated_journal(path: Path, rounds: int, *, rotate_every: int = ROTATE_EVERY, seed: int = 1) -> None:
    """The journal of this number of rounds, with its archives, as a recorder writes it, but in large commits."""
    engine = first_engine(RULESET, {}, resolve)
    with Journal.open(path, site="bench", table="t-1") as journal:
        commits: list[Commit] = []
        began, rotated = None, 0
        for n, value in enumerate(evening(engine, rounds, seed, STEP_MS), start=1):
            before, last = engine.state, engine.last
            events = engine.apply(value)
            began = round_begun(engine, before, n) or began
            ended = engine.last is not last
            snapshot = msgspec.json.encode(began) if ended and began is not None else None
            commits.append(
                journal.writer.commit(
                    Append(engine.round_number, encode_input(value), encode_events(events), len(events), snapshot)
                )
            )
            if len(commits) == GROUP:
                await asyncio.gather(*commits)
                commits.clear()
            if ended and engine.round_number >= rotated + rotate_every:
                rotated = engine.round_number
                await asyncio.gather(*commits)
                commits.clear()
                await journal.move_cursor("a", journal.head.seq)
                await journal.rotate()
        await asyncio.gather(*commits)


def part_times(path: Path) -> list[float]:
    """Seconds of the processor that each part of this journal takes, and that it is whole."""
    with JournalReader.read(path) as reader:
        parts = parts_of(reader)
    spent = []
    for part in parts:
        began = time.process_time()
        assert walk_part(path, part, resolve, None) is not None
        spent.append(time.process_time() - began)
    return spent


def longest(parts: list[float], cores: int) -> float:
    """Of processes that each take the next part when they are free: what the last one needs."""
    busy = [0.0] * cores
    for spent in parts:
        busy[busy.index(min(busy))] += spent
    return max(busy)


UTC = ("--timezone", "UTC")


def processor_time(*command: str) -> float:
    """Of `cutcard` with these arguments, its imports included."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-m", "controller.cli", *command], check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def measure(path: Path, rounds: int) -> str:
    size = sum(file.stat().st_size for file in path.parent.glob(f"{path.name}*"))
    began = time.process_time()
    assert verify(path, resolve).is_whole
    one = time.process_time() - began
    parts = part_times(path)
    began = time.process_time()
    with Journal.open(path, site="bench", table="t-1") as journal:
        assert current_table(journal, journal.head, resolve) is not None
    start = time.process_time() - began
    recall = processor_time("recall", "--journal", str(path), "--last", "1")
    with JournalReader.read(path) as reader:
        (last,) = reader.entries(reader.last_n)
    ends = [time.gmtime((read_input(last.input).at - ago) / 1000) for ago in (SHIFT_MS, 0)]
    shift = [time.strftime("%Y-%m-%dT%H:%M", end) for end in ends]
    report = processor_time("report", "shift", "--journal", str(path), "--from", shift[0], "--to", shift[1], *UTC)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    two = longest(parts, 2)
    return (
        f"{rounds:>8,} {size / 1e6:>8.1f} MB {size / rounds:>7.0f} {len(parts):>4} {start * 1000:>7.0f} "
        f"{recall * 1000:>7.0f} {report * 1000:>7.0f} {one:>8.2f} {rounds / one:>8,.0f} {one / two:>6.2f} {memory:>5}"
    )


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.growth", description=__doc__)
    parser.add_argument("--rounds", type=int, nargs="+", default=[1000, 10_000, 100_000])
    parser.add_argument("--folder", type=Path, default=Path("build/growth"))
    chosen = parser.parse_args()
    print("  rounds     size     B/round parts start ms recall  report verify s rounds/s 2 cores   MB")
    for rounds in chosen.rounds:
        folder = chosen.folder / str(rounds)
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / "journal.db"
        if not (folder / "whole").exists():
            for file in folder.iterdir():
                file.unlink()
            asyncio.run(write_rotated_journal(path, rounds))
            (folder / "whole").touch()
        print(measure(path, rounds), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
