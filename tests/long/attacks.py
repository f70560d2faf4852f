"""The attacks of docs/operations/security.md in large numbers: `make attacks [SEED=1] [MINUTES=60]`.

Kills of a table, flipped bits of a journal, frames for every decoder, inputs of every kind at every table, and requests
to a running daemon. The parts take turns, a batch at a time, each batch in a process of its own with a seed of its own.
It can be stopped: finished batches are kept in build/ under the commit and the seed, and the next call does the rest.
When all are done or the time is over, a line with what was reached is added to tests/ledger/attacks.csv.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from tests.long.soak_all import commit
from tests.support.project import ROOT

LEDGER = ROOT / "tests" / "ledger" / "attacks.csv"
EACH_DECODER = 50_000
"""Frames for each decoder in one batch."""


class Part(Struct, frozen=True):
    """One kind of attack: how many are wanted, how many in a batch, and the command of a batch."""

    name: str
    wanted: int
    batch: int
    command: tuple[str, ...]


def of_module(name: str, wanted: int, batch: int, module: str, option: str = "--times") -> Part:
    return Part(name, wanted, batch, ("-m", module, option, str(batch), "--seed"))


def parts() -> list[Part]:
    folders = (ROOT / "tests" / name for name in ("protocols", "devices"))
    files = sorted(file for folder in folders for file in folder.rglob("test_*.py"))
    decoders = [str(file.relative_to(ROOT)) for file in files if "from tests.support.hostile.fuzz" in file.read_text()]
    return [
        of_module("kills", 1000, 100, "tests.long.crash"),
        of_module("flips", 1000, 100, "tests.long.flips"),
        Part("frames", 10_000_000, 0, ("-m", "pytest", "-q", "--timeout", "0", *decoders)),
        of_module("inputs", 1_000_000, 50_000, "tests.support.hostile.input_fuzz", "--count"),
        of_module("requests", 100_000, 5000, "tests.long.hostile"),
    ]


class Done:
    """How many attacks of each part were made, under this commit and seed."""

    def __init__(self, seed: int) -> None:
        self._file = ROOT / "build" / f"attacks-{commit()}-{seed}.json"
        self.counts: dict[str, int] = json.loads(self._file.read_text()) if self._file.exists() else {}

    def in_turn(self, wanted: list[Part]) -> Iterator[Part]:
        """The part whose next batch is due, one after another, until all are done."""
        while left := [part for part in wanted if self.counts.get(part.name, 0) < part.wanted]:
            yield from left

    def add(self, name: str, count: int) -> int:
        self.counts[name] = self.counts.get(name, 0) + count
        self._file.parent.mkdir(exist_ok=True)
        self._file.write_text(json.dumps(self.counts))
        return self.counts[name]


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.long.attacks", description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=float("inf"), help="begin no batch after this time")
    chosen = parser.parse_args()
    done, until = Done(chosen.seed), time.monotonic() + chosen.minutes * 60
    for part in done.in_turn(parts()):
        if time.monotonic() > until:
            break
        count = done.counts.get(part.name, 0)
        made = attack(part, chosen.seed * 100_000_000 + count)
        if made is None:
            print(f"{part.name}: FAILED after {count}")
            return 1
        print(f"{part.name}: {done.add(part.name, made)} of {part.wanted}", flush=True)
    _write_down(chosen.seed, done.counts)
    return 0


def attack(part: Part, seed: int) -> int | None:
    """The number of attacks in this batch; None if one of them broke something."""
    with tempfile.TemporaryDirectory() as folder:
        counts = Path(folder) / "counts"
        command = [sys.executable, *part.command, *([str(seed)] if part.batch else [])]
        fuzz = {"CUTCARD_SOAK": str(EACH_DECODER), "CUTCARD_SEED": str(seed), "CUTCARD_COUNT": str(counts)}
        environment = {**os.environ, **({} if part.batch else fuzz)}
        run = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
        if run.returncode != 0:
            print(run.stdout[-3000:], run.stderr[-3000:])
            return None
        return part.batch or sum(map(int, counts.read_text().split()))


def _write_down(seed: int, counts: dict[str, int]) -> None:
    is_new = not LEDGER.exists()
    with LEDGER.open("a", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        if is_new:
            writer.writerow(("date", "commit", "seed", *(part.name for part in parts())))
        reached = (counts.get(part.name, 0) for part in parts())
        writer.writerow((time.strftime("%Y-%m-%d"), commit(), seed, *reached))


if __name__ == "__main__":
    sys.exit(main())
