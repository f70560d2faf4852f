"""Rounds settled twice, in large numbers: `make differential [FAMILY=baccarat] [ROUNDS=1000000]`.

Each ruleset of a family plays its share of the rounds, the seeds counting up from where the last run stopped. It can be
stopped: what is finished is kept in build/ as long as neither engine, rules nor oracles change. Every difference is
printed with its seed; `python -m tests.long.differential --again FAMILY RULESET SEED` shows one again. At the end, or
when the time is over, a line for each family goes into tests/ledger/differential.csv.
"""

from __future__ import annotations

import argparse
import csv
import hashlib
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import msgspec
from msgspec import Struct

from tests.long.soak_all import commit
from tests.oracles.registry import FAMILIES
from tests.support.games.differential import ALONE, PlayedRound, differences
from tests.support.imports import needed_by
from tests.support.project import ROOT

LEDGER = ROOT / "tests" / "ledger" / "differential.csv"
COLUMNS = ("date", "commit", "family", "rulesets", "rounds", "differences", "seconds")
BATCH = 500


class Made(Struct):
    """What was played of a ruleset."""

    rounds: int = 0
    found: dict[int, list[str]] = {}
    seconds: float = 0.0


def sources() -> str:
    """A digest of everything that settles: engine, games, rules, oracles."""
    files = needed_by(Path(__file__)) | set((ROOT / "controller" / "rules").rglob("*.toml"))
    content = hashlib.sha256()
    for path in sorted(files):
        content.update(f"{path.relative_to(ROOT)} {hashlib.sha256(path.read_bytes()).hexdigest()}\n".encode())
    return content.hexdigest()[:12]


def play(family: str, sheet: str, first: int) -> dict[int, list[str]]:
    """A batch; the differences by seed."""
    return {seed: text for seed in range(first, first + BATCH) if (text := _differences_or_error(family, sheet, seed))}


def _differences_or_error(family: str, sheet: str, seed: int) -> list[str]:
    try:
        return differences(family, sheet, seed)
    except Exception as error:
        return [f"{type(error).__name__}: {error}"]


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.long.differential", description=__doc__)
    parser.add_argument("--family", choices=[*FAMILIES], help="this one only")
    parser.add_argument("--rounds", type=int, default=1_000_000, help="for each family, over all its rulesets")
    parser.add_argument("--minutes", type=float, default=float("inf"), help="begin no batch after this time")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--again", nargs=3, metavar=("FAMILY", "RULESET", "SEED"), help="show one round again")
    chosen = parser.parse_args()
    if chosen.again:
        return _show(*chosen.again)
    file = ROOT / "build" / f"differential-{sources()}.json"
    made = msgspec.json.decode(file.read_bytes(), type=dict[str, Made]) if file.exists() else {}
    until = time.monotonic() + chosen.minutes * 60
    failed = False
    for family in [chosen.family] if chosen.family else FAMILIES:
        sheets = FAMILIES[family][1]
        each = -(-chosen.rounds // len(sheets))
        before = sum(made[sheet].rounds for sheet in sheets if sheet in made)
        with ProcessPoolExecutor(chosen.jobs) as pool:
            for sheet in sheets:
                so_far = made.setdefault(sheet, Made())
                while so_far.rounds < each and time.monotonic() < until:
                    began = time.monotonic()
                    firsts = [so_far.rounds + n * BATCH for n in range(chosen.jobs)]
                    for found in pool.map(play, *zip(*((family, sheet, first) for first in firsts), strict=True)):
                        so_far.rounds += BATCH
                        so_far.found |= found
                    so_far.seconds += time.monotonic() - began
                    file.parent.mkdir(exist_ok=True)
                    file.write_bytes(msgspec.json.encode(made))
                for seed, text in so_far.found.items():
                    print(f"{family} {sheet} {seed}: {text[0]}", flush=True)
                print(f"{sheet}: {so_far.rounds} rounds, {len(so_far.found)} differences", flush=True)
        of_family = [made[sheet] for sheet in sheets]
        failed = failed or any(one.found for one in of_family)
        if sum(one.rounds for one in of_family) > before:
            _write_down(family, of_family)
    return 1 if failed else 0


def _show(family: str, sheet: str, seed: str) -> int:
    choices = FAMILIES[family][1][sheet]
    played = PlayedRound(sheet, choices[int(seed) % len(choices)], f"{sheet}/{seed}", alone=family in ALONE)
    for body in played.bodies:
        print(body)
    print(played.document)
    print("\n".join(_differences_or_error(family, sheet, int(seed))) or "no difference")
    return 0


def _write_down(family: str, made: list[Made]) -> None:
    is_new = not LEDGER.exists()
    with LEDGER.open("a", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        if is_new:
            writer.writerow(COLUMNS)
        rounds, found = sum(one.rounds for one in made), sum(len(one.found) for one in made)
        seconds = round(sum(one.seconds for one in made))
        writer.writerow((time.strftime("%Y-%m-%d"), commit(), family, len(made), rounds, found, seconds))


if __name__ == "__main__":
    sys.exit(main())
