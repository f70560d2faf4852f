"""The attacks of docs/operations/security.md in large numbers.

    make attacks [SEED=1] [MINUTES=60] [PART=frames] [JOBS=2]

Kills of a table, flipped bits of a journal, frames for every decoder, inputs of every kind at every table, and requests
to a running daemon. The parts take turns, a batch at a time, each batch in a process of its own with a seed of its own.
It can be stopped: finished batches are kept in build/ by the seed, and the next call does the rest. A part begins anew
only when a file changed that it attacks or that attacks. When all are done or the time is over, what was reached goes
into tests/ledger/attacks.csv, a line for each part that made attacks, with the commits on which they were made.
"""

from __future__ import annotations

import argparse
import csv
import hashlib
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import msgspec
from msgspec import Struct

from tests.long.soak_all import commit
from tests.support.imports import needed_by
from tests.support.project import ROOT

LEDGER = ROOT / "tests" / "ledger" / "attacks.csv"
COLUMNS = ("date", "commits", "seed", "part", "reached", "wanted", "seconds")
EACH_DECODER = 50_000
"""Frames for each decoder in one batch."""
SEEDS_OF_A_PART = 100_000_000


class Part(Struct, frozen=True):
    """One kind of attack: how many are wanted, how many in a batch, and the command of a batch."""

    name: str
    wanted: int
    batch: int
    """0: the batch itself counts them."""
    command: tuple[str, ...]
    begins: tuple[Path, ...]
    """The files that it runs. With all that they import they are what it attacks, and attacks with."""
    folders: tuple[str, ...] = ()
    """What it runs in processes of their own."""

    @property
    def sources(self) -> str:
        """A digest of these files."""
        files = {path for begin in self.begins for path in needed_by(begin)}
        files |= {path for folder in self.folders for path in (ROOT / folder).rglob("*.py")}
        if any("rules" in path.parts for path in files):
            files |= set((ROOT / "controller" / "rules").rglob("*.toml"))
        content = hashlib.sha256()
        for path in sorted(files):
            content.update(f"{path.relative_to(ROOT)} {hashlib.sha256(path.read_bytes()).hexdigest()}\n".encode())
        return content.hexdigest()


def of_module(name: str, wanted: int, batch: int, module: str, *more: str, folders: tuple[str, ...] = ()) -> Part:
    file = ROOT.joinpath(*module.split(".")).with_suffix(".py")
    return Part(name, wanted, batch, ("-m", module, *more, "--times", str(batch), "--seed"), (file,), folders)


def parts() -> list[Part]:
    folders = (ROOT / "tests" / name for name in ("protocols", "devices"))
    files = sorted(file for folder in folders for file in folder.rglob("test_*.py"))
    decoders = tuple(file for file in files if "from tests.support.hostile.fuzz" in file.read_text())
    pytest = ("-m", "pytest", "-q", "--timeout", "0", *(str(file.relative_to(ROOT)) for file in decoders))
    return [
        of_module("kills", 1000, 100, "tests.long.crash"),
        of_module("flips", 1000, 100, "tests.long.flips"),
        Part("frames", 10_000_000, 0, pytest, decoders),
        of_module("inputs", 1_000_000, 25_000, "tests.support.hostile.input_fuzz", "--timed"),
        of_module("requests", 100_000, 10_000, "tests.long.hostile", folders=("controller", "devices", "protocols")),
    ]


class Made(Struct):
    """What was made of a part, on these sources."""

    sources: str
    count: int = 0
    commits: list[str] = []
    seconds: float = 0.0


class Done:
    """What was made with this seed."""

    def __init__(self, seed: int, sources: dict[str, str]) -> None:
        self._file = ROOT / "build" / f"attacks-{seed}.json"
        kept = msgspec.json.decode(self._file.read_bytes(), type=dict[str, Made]) if self._file.exists() else {}
        self.made = {
            name: kept[name] if name in kept and kept[name].sources == digest else Made(digest)
            for name, digest in sources.items()
        }
        self._others = {name: made for name, made in kept.items() if name not in sources}

    def add(self, name: str, count: int, seconds: float) -> Made:
        made = self.made[name]
        made.count += count
        made.seconds = round(made.seconds + seconds, 1)
        if commit() not in made.commits:
            made.commits.append(commit())
        self._file.parent.mkdir(exist_ok=True)
        self._file.write_bytes(msgspec.json.encode(self._others | self.made))
        return made


def main() -> int:
    every = parts()
    parser = argparse.ArgumentParser(prog="python -m tests.long.attacks", description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=float("inf"), help="begin no batch after this time")
    parser.add_argument("--part", choices=[part.name for part in every], help="this one only")
    parser.add_argument("--jobs", type=int, default=1, help="batches of a part at once, each in a process of its own")
    chosen = parser.parse_args()
    wanted = [part for part in every if chosen.part in (None, part.name)]
    done = Done(chosen.seed, {part.name: part.sources for part in wanted})
    grown, failed = _in_turn(wanted, done, chosen.seed, chosen.jobs, time.monotonic() + chosen.minutes * 60)
    if grown:
        _write_down(chosen.seed, [part for part in wanted if part.name in grown], done)
    return 1 if failed else 0


def _in_turn(wanted: list[Part], done: Done, seed: int, jobs: int, until: float) -> tuple[set[str], set[str]]:
    """The parts that made attacks and those that failed. One that failed makes no more; the others go on."""
    grown: set[str] = set()
    failed: set[str] = set()
    while left := [part for part in wanted if done.made[part.name].count < part.wanted and part.name not in failed]:
        for part in left:
            if time.monotonic() > until:
                return grown, failed
            made = done.made[part.name]
            began = time.monotonic()
            # Of a part whose batch counts itself, the seed of the next one is known when it is over.
            due = min(jobs, -(-(part.wanted - made.count) // part.batch)) if part.batch else 1
            seeds = [seed * SEEDS_OF_A_PART + made.count + part.batch * nth for nth in range(due)]
            with ThreadPoolExecutor(due) as pool:
                counts = list(pool.map(partial(attack, part), seeds))
            if None in counts:
                failed.add(part.name)
                print(f"{part.name}: FAILED after {made.count}", flush=True)
            else:
                grown.add(part.name)
                made = done.add(part.name, sum(filter(None, counts)), time.monotonic() - began)
                print(f"{part.name}: {made.count} of {part.wanted}, {made.seconds:.0f} s", flush=True)
    return grown, failed


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


def _write_down(seed: int, grown: Iterable[Part], done: Done) -> None:
    is_new = not LEDGER.exists()
    with LEDGER.open("a", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        if is_new:
            writer.writerow(COLUMNS)
        for part in grown:
            made = done.made[part.name]
            today = time.strftime("%Y-%m-%d")
            writer.writerow((today, " ".join(made.commits), seed, part.name, made.count, part.wanted, made.seconds))


if __name__ == "__main__":
    sys.exit(main())
