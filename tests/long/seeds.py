"""One seed, one day: runs table days twice, alone and disturbed, and compares them.

    python -m tests.long.seeds --tables 10 --hours 2 --seed 7 [--games A,B] [--faults R]
    python -m tests.long.seeds --compare ONE/data/journal.db OTHER/data/journal.db

First one day after the other on a machine that has nothing else to do, then two at a time, in another folder, while
other programs keep every core busy and each day is disturbed from inside (`tests/disturbed`). A day is the same when
its report is: the journal's last hash, every count, every violation; only how long it took may differ. Prints a line
per day and a verdict; exit code 1 where a day was not the same, or broke a promise. With `--compare`: the first entry
that is not the same in two journals that were kept.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from pathlib import Path
from typing import Any

from controller.journal import JournalReader
from tests.support.project import ROOT

DISTURBED = ROOT / "tests" / "support" / "disturbed"
MEMORY = Path("/dev/shm")
REAL = ("seconds",)
"""Of a report: what is about this machine and not about the day."""

Day = dict[str, Any]


def days(options: Sequence[str], *, jobs: int, busy: int = 0) -> list[Day]:
    """The reports of `cutcard soak` with these options, without what is about this machine. `busy`: programs that want
    the cores at the same time; then the days are disturbed from inside too."""
    environment = dict(os.environ)
    if busy:
        environment["PYTHONPATH"] = os.pathsep.join([str(DISTURBED), *environment.get("PYTHONPATH", "").split()])
    with tempfile.TemporaryDirectory(prefix="seed-" * jobs, dir=MEMORY if MEMORY.is_dir() else None) as folder:
        command = [sys.executable, "-m", "controller.cli", "soak", *options]
        command += ["--json", "--jobs", str(jobs), "--keep", folder]
        with _busy(busy):
            done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1):
        raise RuntimeError(f"cutcard soak {' '.join(options)}: {done.stderr}")
    reports: list[Day] = [json.loads(line) for line in done.stdout.splitlines()]
    return [{name: value for name, value in report.items() if name not in REAL} for report in reports]


def differences(alone: Day, disturbed: Day) -> list[str]:
    """What is not the same about two runs of a day."""
    names = [name for name in alone | disturbed if alone.get(name) != disturbed.get(name)]
    return [f"{name}: {alone.get(name)} alone, {disturbed.get(name)} disturbed" for name in names]


def first_difference(one: Path, other: Path) -> str | None:
    """The first entry that two journals do not have in common, with its input and events from both."""
    with JournalReader.read(one) as reader, JournalReader.read(other) as second:
        for n, (here, there) in enumerate(zip_longest(reader.entries(1), second.entries(1)), start=1):
            shown = ["nothing" if entry is None else f"{entry.input!r} {entry.events!r}" for entry in (here, there)]
            if shown[0] != shown[1]:
                return f"entry {n}:\n  {shown[0]}\n  {shown[1]}"
    return None


@contextlib.contextmanager
def _busy(programs: int) -> Iterator[None]:
    """Others want the cores too."""
    busy = [subprocess.Popen([sys.executable, "-S", "-c", "while True: pass"]) for _ in range(programs)]
    try:
        yield
    finally:
        for program in busy:
            program.kill()
            program.wait()


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.long.seeds", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--tables", default="10", help="table days (default: %(default)s)")
    parser.add_argument("--hours", default="2", help="of each, simulated (default: %(default)s)")
    parser.add_argument("--seed", default="7", help="of the first (default: %(default)s)")
    parser.add_argument("--games", default="", help="rulesets, in turn (default: those of `cutcard soak`)")
    parser.add_argument("--faults", default="6", help="per hour (default: %(default)s)")
    parser.add_argument("--compare", nargs=2, type=Path, metavar="JOURNAL", help="two journals of one day, kept")
    chosen = parser.parse_args(arguments)
    if chosen.compare:
        found = first_difference(*chosen.compare)
        print(found or "the same, entry by entry")
        return 0 if found is None else 1
    options = ["--tables", chosen.tables, "--hours", chosen.hours, "--seed", chosen.seed, "--faults", chosen.faults]
    options += ["--games", chosen.games] if chosen.games else []
    began = time.monotonic()
    alone = days(options, jobs=1)
    halfway = time.monotonic()
    disturbed = days(options, jobs=2, busy=os.cpu_count() or 1)
    bad = 0
    for first, second in zip(alone, disturbed, strict=True):
        wrong = differences(first, second) + first["violations"]
        bad += bool(wrong)
        print(
            f"{'NOT THE SAME' if differences(first, second) else 'the same'}: {first['game']}, seed {first['seed']}: "
            f"{first['inputs']} inputs, {first['events']} events, {sum(first['faults'].values())} faults, "
            f"{first['starts']} starts, hash {first['hash'][:16]}"
        )
        for text in wrong:
            print(f"    {text}")
    took = f"alone in {halfway - began:.0f} s, two at a time under load in {time.monotonic() - halfway:.0f} s"
    verdict = f"{bad} DAYS ARE NOT AS THEY SHOULD BE" if bad else "all the same"
    print(f"{len(alone)} days of {chosen.hours} h twice, {took}: {verdict}")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
