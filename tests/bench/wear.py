"""What a round wears a card down by: bytes that reach the disk.

A recorder works in a process of its own; `write_bytes` of /proc/PID/io is what it dirtied and the kernel must write:
the write-ahead log and its checkpoints into the journal file, whole pages each. What the file system adds for
itself (its own journal, inodes) is not in it. Three tables deal the same evening:

    as a table does     every input durable by itself, a snapshot when a round ends, and what the broker has
                        acknowledged noted after every input
    without a broker    the same, with nothing to note
    without snapshots   only the entries

    python -m tests.bench.wear FOLDER WAY ROUNDS
"""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Literal, get_args

from controller.clock import SystemClock
from controller.engine.events import encode_events
from controller.engine.inputs import encode_input
from controller.journal import Append, Journal
from controller.recorder.recorder import Recorder, first_engine
from controller.rules import resolve
from tests.bench.figures import Figure
from tests.bench.rounds import RULESET, evening, first_input

Way = Literal["as a table does", "without a broker", "without snapshots"]
MOST_BYTES = 100_000
"""A round, so that a table that never closes writes less than 0.1 TB a year: docs/operations/operations.md."""


def figures(folder: Path, rounds: int) -> Iterator[Figure]:
    """Nothing on a disk that does not count, as memory does not."""
    for number, way in enumerate(get_args(Way)):
        command = [sys.executable, "-m", __name__, str(folder / f"wear-{number}.db"), way, str(rounds)]
        written = int(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
        if not written:
            return
        each = written / rounds
        is_whole = way == "as a table does"
        target, met = (f"at most {MOST_BYTES // 1000} KB", each <= MOST_BYTES) if is_whole else ("", None)
        yield Figure(f"written to disk a round, {way}", each / 1000, each / 1000, target=target, met=met, unit=" KB")


async def _deal(path: Path, way: Way, rounds: int) -> int:
    journal = Journal.open(path, site="bench", table="t-1")
    try:
        before = _written()
        if way == "without snapshots":
            engine = first_engine(RULESET, {}, resolve)
            for value in evening(engine, rounds, seed=1):
                events = engine.apply(value)
                new = Append(engine.round_number, encode_input(value), encode_events(events), len(events), None)
                await journal.writer.commit(new)
        else:
            recorder = Recorder(journal, resolve, SystemClock(), first_input())
            for value in evening(recorder.engine, rounds, seed=1):
                await recorder.submit(value.body, value.by, value.ref)
                if way == "as a table does":
                    await journal.move_cursor("main", journal.head.seq)
    finally:
        journal.close()
    return _written() - before


def _written() -> int:
    fields = dict(line.split(": ") for line in Path("/proc/self/io").read_text().splitlines())
    return int(fields["write_bytes"])


if __name__ == "__main__":
    print(asyncio.run(_deal(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]))))  # type: ignore[arg-type]  # our own word
