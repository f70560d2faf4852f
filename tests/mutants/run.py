"""`make mutants [PART=money] [SEED=1] [BUDGET=minutes]`: does some test notice each small mistake?

The mutants of an area are put into an order by the seed; each is judged in a process of its own, forked from this one,
with pytest loaded: the mutated module takes the place of the one on the disk, and the tests of the area run until the
first fails. One that takes far longer than the tests do is counted as noticed. It can be stopped: what was judged is
kept in build/ as long as neither the module nor the tests change, and the next call goes on. In the end a line for each
area goes into tests/ledger/mutants.csv, and every survivor is printed. Those that change nothing that anybody can see
are in `explained.txt`, each with its reason.
"""

from __future__ import annotations

import argparse
import csv
import hashlib
import importlib.abc
import importlib.util
import os
import random
import signal
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec
import pytest
from msgspec import Struct

from tests.mutants.areas import AREAS, Area
from tests.mutants.mutations import Mutant, fetched, mutants
from tests.support.imports import needed_by
from tests.support.project import ROOT

LEDGER = ROOT / "tests" / "ledger" / "mutants.csv"
COLUMNS = ("date", "commit", "area", "seed", "mutants", "judged", "noticed", "explained", "survived", "seconds")
EXPLAINED = Path(__file__).parent / "explained.txt"
SLOW = 6
"""A mutant may take this much longer than the tests without it, and a minute."""


class Judged(Struct):
    """What became of the mutants of an area, by their text."""

    sources: str
    noticed: dict[str, bool] = {}
    seconds: float = 0.0


class Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Gives one module another text."""

    def __init__(self, name: str, path: Path, text: str) -> None:
        self.name, self.path, self.text = name, path, text

    def find_spec(self, fullname: str, path: object, target: object = None) -> importlib.machinery.ModuleSpec | None:
        if fullname != self.name:
            return None
        return importlib.util.spec_from_file_location(fullname, self.path, loader=self)

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> None:
        return None

    def exec_module(self, module: object) -> None:
        exec(compile(self.text, str(self.path), "exec", dont_inherit=True), vars(module))


def started(tests: Sequence[str], mutant: Mutant | None, text: str) -> int:
    """A process that runs the tests; its number."""
    child = os.fork()
    if child:
        return child
    os.setsid()
    with (ROOT / "build" / "mutants" / "last.log").open("w") as log:
        os.dup2(log.fileno(), 1)
        os.dup2(log.fileno(), 2)
    os.chdir(ROOT)
    if mutant is not None:
        name = mutant.module.removesuffix(".py").replace("/", ".")
        assert name not in sys.modules, f"{name} was imported before it was mutated"
        sys.meta_path.insert(0, Finder(name, ROOT / mutant.module, text))
    options = ["-q", "-x", "-p", "no:cacheprovider", "-p", "no:randomly", "--timeout", "600"]
    os._exit(int(pytest.main([*options, *tests])))


def ended(child: int, until: float) -> int | None:
    """How the process ended; None where it had to be stopped."""
    while time.monotonic() < until:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.05)
    os.killpg(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return None


def explained() -> set[str]:
    """Survivors that change nothing: the lines of the file without their reasons."""
    lines = EXPLAINED.read_text().splitlines() if EXPLAINED.exists() else []
    return {line for line in lines if line and not line.startswith(("#", " "))}


def without_line(mutant: str) -> str:
    """A mutant by its text alone, so that it is known when it moves in its file."""
    module, _, rest = mutant.split(":", 2)
    return f"{module}:{rest}"


def sources(area: Area) -> str:
    files = {path for module in area.modules for path in needed_by(module)}
    for name in area.tests:
        path = ROOT / name
        files |= set(path.rglob("*.py")) if path.is_dir() else {path}
    content = hashlib.sha256()
    for path in sorted(files):
        content.update(path.read_bytes())
    return content.hexdigest()[:16]


def judge(area: Area, name: str, seed: int, until: float) -> tuple[Judged, int, set[str]]:
    """Judges mutants of an area until all are or the time is over."""
    file = ROOT / "build" / "mutants" / f"{name}-{seed}.json"
    file.parent.mkdir(parents=True, exist_ok=True)
    digest = sources(area)
    kept = msgspec.json.decode(file.read_bytes(), type=Judged) if file.exists() else Judged(digest)
    judged = kept if kept.sources == digest else Judged(digest)
    every = [each for module in area.modules for each in mutants(module)]
    random.Random(f"{seed}/{name}").shuffle(every)
    began = time.monotonic()
    code = ended(started(area.tests, None, ""), began + 3600)
    assert code == 0, f"the tests of {name} fail without a mutant: {(file.parent / 'last.log').read_text()[-2000:]}"
    patience = 60 + SLOW * (time.monotonic() - began)
    for mutant, text in every:
        if str(mutant) in judged.noticed:
            continue
        if time.monotonic() > until:
            break
        at = time.monotonic()
        code = ended(started(area.tests, mutant, text), at + patience)
        judged.noticed[str(mutant)] = code != 0
        judged.seconds += time.monotonic() - at
        if code == 0:
            print(f"survives: {mutant}", flush=True)
        file.write_bytes(msgspec.json.encode(judged))
    return judged, len(every), {mutant for mutant, noticed in judged.noticed.items() if not noticed}


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.mutants.run", description=__doc__)
    parser.add_argument("--part", choices=[*AREAS], help="this area only")
    parser.add_argument("--first", action="store_true", help="only the first tests of the area, its own as a rule")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--budget", type=float, default=60.0, help="minutes, shared by the areas")
    chosen = parser.parse_args()
    fetched()
    names = [chosen.part] if chosen.part else [*AREAS]
    known, failed = explained(), False
    for at, until in zip(names, _shares(chosen.budget, len(names)), strict=True):
        area = AREAS[at]._replace(tests=AREAS[at].tests[:1]) if chosen.first else AREAS[at]
        label = f"{at} (first)" if chosen.first else at
        judged, total, alive = judge(area, label.replace(" ", "-"), chosen.seed, until)
        accepted = {mutant for mutant in alive if without_line(mutant) in known}
        for mutant in sorted(alive - accepted):
            print(f"{label}: survives: {mutant}")
        noticed = sum(judged.noticed.values())
        print(f"{label}: {total} mutants, {len(judged.noticed)} judged, {noticed} noticed, {len(accepted)} explained")
        counts = (total, len(judged.noticed), noticed, len(accepted), len(alive - accepted))
        _write_down(label, chosen.seed, counts, judged.seconds)
        failed = failed or bool(alive - accepted)
    return 1 if failed else 0


def _shares(minutes: float, areas: int) -> Iterator[float]:
    """When each area must be done: what one leaves over is the next one's."""
    end = time.monotonic() + minutes * 60
    for left in range(areas, 0, -1):
        now = time.monotonic()
        yield now + max(0.0, end - now) / left


def _write_down(area: str, seed: int, counts: Sequence[int], seconds: float) -> None:
    from tests.long.soak_all import commit  # it brings the program with it, which must not be here before

    is_new = not LEDGER.exists()
    with LEDGER.open("a", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        if is_new:
            writer.writerow(COLUMNS)
        writer.writerow((time.strftime("%Y-%m-%d"), commit(), area, seed, *counts, round(seconds)))


if __name__ == "__main__":
    sys.exit(main())
