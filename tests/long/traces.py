"""Table days held against the model of the delivery: `make traces [SEED=1] [HOURS=2] [MINUTES=60]`.

One day of each ruleset, with faults and mistakes, each in a process of its own; every step of the delivery must be one
of the model (tests/model). A day that was finished with this seed on this commit is not played again. In the end a line
goes into tests/ledger/traces.csv.
"""

from __future__ import annotations

import argparse
import csv
import multiprocessing
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path

import msgspec
from msgspec import Struct

from controller.soak.command import MEMORY, dealt_rulesets
from controller.soak.day import Plan, soak
from tests.long.soak_all import commit
from tests.model.trace import watched
from tests.support.project import ROOT

LEDGER = ROOT / "tests" / "ledger" / "traces.csv"
COLUMNS = ("date", "commit", "seed", "hours", "days", "steps", "events", "crashes", "problems", "violations")


class Day(Struct):
    game: str
    steps: dict[str, int]
    problems: list[str]
    violations: list[str]


def one(plan: Plan, folder: str) -> Day:
    with watched() as trace:
        report = soak(plan, Path(folder))
    return Day(plan.game, dict(trace.steps), trace.problems, report.violations)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.long.traces", description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--hours", type=float, default=2.0)
    parser.add_argument("--minutes", type=float, default=float("inf"), help="begin no day after this time")
    parser.add_argument("--jobs", type=int, default=2)
    chosen = parser.parse_args()
    file = ROOT / "build" / f"traces-{commit()}-{chosen.seed}-{chosen.hours:g}.json"
    done = msgspec.json.decode(file.read_bytes(), type=dict[str, Day]) if file.exists() else {}
    plans = [Plan(game, chosen.seed + n, chosen.hours) for n, game in enumerate(dealt_rulesets()) if game not in done]
    until, before = time.monotonic() + chosen.minutes * 60, len(done)
    spawned = multiprocessing.get_context("spawn")
    with (
        tempfile.TemporaryDirectory(prefix="traces-", dir=MEMORY if MEMORY.is_dir() else None) as folder,
        ProcessPoolExecutor(chosen.jobs, mp_context=spawned, max_tasks_per_child=1) as pool,
    ):
        while plans and time.monotonic() < until:
            now, plans = plans[: chosen.jobs], plans[chosen.jobs :]
            for day in as_completed([pool.submit(one, plan, str(Path(folder) / plan.game)) for plan in now]):
                found = day.result()
                done[found.game] = found
                file.parent.mkdir(exist_ok=True)
                file.write_bytes(msgspec.json.encode(done))
                said = "; ".join((*found.problems[:3], *found.violations[:3])) or "no problem"
                print(f"{found.game}: {sum(found.steps.values())} steps, {said}", flush=True)
    if len(done) > before:
        _write_down(chosen.seed, chosen.hours, list(done.values()))
    return 1 if any(day.problems for day in done.values()) else 0


def _write_down(seed: int, hours: float, days: list[Day]) -> None:
    def total(name: str) -> int:
        return sum(day.steps.get(name, 0) for day in days)

    is_new = not LEDGER.exists()
    with LEDGER.open("a", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        if is_new:
            writer.writerow(COLUMNS)
        steps = sum(sum(day.steps.values()) for day in days)
        broken = sum(len(day.problems) for day in days), sum(len(day.violations) for day in days)
        row = (commit(), seed, f"{hours:g}", len(days), steps, total("Send"), total("Crash"), *broken)
        writer.writerow((time.strftime("%Y-%m-%d"), *row))


if __name__ == "__main__":
    sys.exit(main())
