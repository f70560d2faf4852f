"""Every ruleset soaked: `make soak-all [SEED=2000] [HOURS=2]`. Can be stopped and goes on where it was.

One table day of each ruleset that can be dealt, with faults and mistakes, all promises checked, a start after every
entry among them (docs/development/soak.md). What is finished is kept in build/ under the commit and the seed: run
again, it does the rest. When all days are done, a line is added to tests/ledger/soak-all.csv: the commit, the seed, and
what was reached.
"""

from __future__ import annotations

import argparse
import csv
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path

import msgspec

from controller.soak.command import MEMORY, again, as_text, dealt_rulesets, in_process
from controller.soak.day import Plan, Report
from tests.support.project import ROOT

LEDGER = ROOT / "tests" / "ledger" / "soak-all.csv"
COLUMNS = (
    "date",
    "commit",
    "seed",
    "hours",
    "rulesets",
    "rounds",
    "void",
    "events",
    "faults",
    "mistakes",
    "violations",
)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.long.soak_all", description=__doc__)
    parser.add_argument("--seed", type=int, default=2000, help="of the first ruleset; the next ones count up")
    parser.add_argument("--hours", type=float, default=2.0)
    parser.add_argument("--jobs", type=int, default=2)
    chosen = parser.parse_args()
    plans = [Plan(slug, chosen.seed + n, chosen.hours) for n, slug in enumerate(dealt_rulesets())]
    done = Done(chosen.seed, chosen.hours)
    left = [plan for plan in plans if plan.game not in done.reports]
    print(f"{len(plans)} rulesets, {chosen.hours:g} h each; {len(plans) - len(left)} done before", flush=True)
    with (
        tempfile.TemporaryDirectory(prefix="soak-all-", dir=MEMORY if MEMORY.is_dir() else None) as folder,
        ThreadPoolExecutor(chosen.jobs) as pool,
    ):
        days = [pool.submit(in_process, plan, Path(folder) / plan.game, lambda share: None) for plan in left]
        for day in as_completed(days):
            report = day.result()
            done.keep(report)
            print(as_text(report), flush=True)
    reports = [done.reports[plan.game] for plan in plans]
    broken = [plan for plan, report in zip(plans, reports, strict=True) if report.violations]
    for plan in broken:
        print(f"again: {again(plan)}")
    _write_down(chosen.seed, chosen.hours, reports)
    print(f"{len(plans) - len(broken)} passed, {len(broken)} failed")
    return 1 if broken else 0


class Done:
    """The days that are finished, under this commit and seed."""

    def __init__(self, seed: int, hours: float) -> None:
        self._file = ROOT / "build" / f"soak-all-{commit()}-{seed}-{hours:g}.jsonl"
        self.reports: dict[str, Report] = {}
        if self._file.exists():
            for line in self._file.read_text().splitlines():
                report = msgspec.json.decode(line, type=Report)
                self.reports[report.game] = report

    def keep(self, report: Report) -> None:
        self.reports[report.game] = report
        self._file.parent.mkdir(exist_ok=True)
        with self._file.open("a") as file:
            file.write(msgspec.json.encode(report).decode() + "\n")


def commit() -> str:
    """The commit that is soaked, with a plus where files differ from it."""
    head = _git("rev-parse", "--short", "HEAD") or "unknown"
    return head + ("+" if _git("status", "--porcelain", "--untracked-files=no") else "")


def _git(*arguments: str) -> str:
    done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=False)
    return done.stdout.strip()


def _write_down(seed: int, hours: float, reports: list[Report]) -> None:
    row = (
        time.strftime("%Y-%m-%d"),
        commit(),
        seed,
        f"{hours:g}",
        len(reports),
        sum(report.rounds for report in reports),
        sum(report.void for report in reports),
        sum(report.events for report in reports),
        sum(sum(report.faults.values()) for report in reports),
        sum(sum(report.mistakes.values()) for report in reports),
        sum(bool(report.violations) for report in reports),
    )
    LEDGER.parent.mkdir(exist_ok=True)
    is_new = not LEDGER.exists()
    with LEDGER.open("a", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        if is_new:
            writer.writerow(COLUMNS)
        writer.writerow(row)


if __name__ == "__main__":
    sys.exit(main())
