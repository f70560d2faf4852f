"""`cutcard soak`: many table days, several at a time, each in a process of its own.

    cutcard soak --tables 10 --hours 24 --seed 7 --games bankers-ez-baccarat-panda-8,bankers-texas-holdem

Exit code 1 where a promise was broken, with the line that runs that day again.
"""

from __future__ import annotations

import argparse
import contextlib
import random
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from queue import Empty, SimpleQueue

import msgspec

from controller.demo.needs import NotDealt, needs_of
from controller.errors import UserError
from controller.rules import all_rulesets, load
from controller.soak.choice import ALL
from controller.soak.day import Plan, Report, soak

MEMORY = Path("/dev/shm")
"""Where the days are kept: a journal that is synced to memory a hundred thousand times hurts no disk."""


def run(chosen: argparse.Namespace) -> int:
    """The command."""
    seed = random.SystemRandom().randrange(1_000_000) if chosen.seed is None else chosen.seed
    plans = plans_of(chosen, seed)
    if not chosen.json:
        print(f"{len(plans)} table days of {chosen.hours:g} h, seeds {seed} to {seed + len(plans) - 1}", flush=True)
    if chosen.keep is not None:
        _expect_empty(chosen.keep, plans)
    began = time.monotonic()
    folder = chosen.keep or Path(tempfile.mkdtemp(prefix="cutcard-soak-", dir=MEMORY if MEMORY.is_dir() else None))
    try:
        reports = _run_all(plans, folder, max(1, chosen.jobs), quiet=chosen.json)
    finally:
        if chosen.keep is None:
            shutil.rmtree(folder, ignore_errors=True)
    for report in reports:
        print(msgspec.json.encode(report).decode() if chosen.json else as_text(report), flush=True)
    broken = [(plan, report) for plan, report in zip(plans, reports, strict=True) if report.violations]
    if not chosen.json:
        print(_summary(reports, time.monotonic() - began))
        for plan, _ in broken:
            print(f"again: {again(plan)}")
    return 1 if broken else 0


def plans_of(chosen: argparse.Namespace, seed: int) -> list[Plan]:
    """The days that were asked for. Whatever a day depends on is in its plan: neither `--jobs` nor `--keep` is."""
    games = dealt_rulesets() if chosen.games == ALL else [name for name in chosen.games.split(",") if name]
    if not games or chosen.tables < 1 or chosen.hours <= 0:
        raise UserError("A soak needs at least one game, one table and some hours.")
    for game in games:
        load(game)
        needs_of(game)
    only = tuple(name for name in chosen.only.split(",") if name)
    return [
        Plan(
            game=games[n % len(games)],
            seed=seed + n,
            hours=chosen.hours,
            faults_per_hour=chosen.faults,
            mistakes=chosen.mistakes,
            pace=chosen.pace,
            only=only,
        )
        for n in range(chosen.tables)
    ]


def dealt_rulesets() -> list[str]:
    """Every ruleset of which a round can be dealt."""
    found = []
    for slug in all_rulesets():
        with contextlib.suppress(NotDealt):
            needs_of(slug)
            found.append(slug)
    return found


def _expect_empty(keep: Path, plans: list[Plan]) -> None:
    """A day begins with an empty journal; and what was kept of an earlier one is not ours to delete."""
    there = [name for plan in plans if (keep / (name := _folder_name(plan))).exists()]
    if there:
        raise UserError(
            f"{keep / there[0]} holds a day of an earlier soak. Delete it, or name another folder with --keep."
        )


def _folder_name(plan: Plan) -> str:
    return f"day-{plan.seed}"


def again(plan: Plan) -> str:
    """The command that runs this very day: everything that a day depends on is in its plan."""
    text = f"cutcard soak --tables 1 --hours {_exact(plan.hours)} --seed {plan.seed} --games {plan.game}"
    text += f" --faults {_exact(plan.faults_per_hour)} --mistakes {_exact(plan.mistakes)} --pace {_exact(plan.pace)}"
    return text + (f" --only {','.join(plan.only)}" if plan.only else "")


def _exact(number: float) -> str:
    """As short as it can be written without becoming another number."""
    return f"{number:g}" if float(f"{number:g}") == number else repr(number)


def as_text(report: Report) -> str:
    """A day in a few lines."""
    lines = [
        f"{report.game}, seed {report.seed}, {report.hours:g} h in {report.seconds:.0f} s: {report.rounds} rounds "
        f"({report.void} void, {report.corrected} corrected), {report.inputs} inputs, {report.events} events, "
        f"{report.starts} starts, {sum(report.faults.values())} faults, {sum(report.mistakes.values())} mistakes: "
        + (f"{len(report.violations)} VIOLATIONS" if report.violations else "nothing lost, nothing twice, all even")
    ]
    lines += [f"    {violation}" for violation in report.violations[:10]]
    lines += [f"    before: {episode}" for episode in report.story]
    return "\n".join(lines)


def _summary(reports: list[Report], seconds: float) -> str:
    hours = sum(report.hours for report in reports)
    rounds, events = sum(report.rounds for report in reports), sum(report.events for report in reports)
    faults = sum(sum(report.faults.values()) for report in reports)
    bad = sum(bool(report.violations) for report in reports)
    verdict = f"{bad} days with violations" if bad else "no violation"
    return f"{hours:g} table hours in {seconds:.0f} s: {rounds} rounds, {events} events, {faults} faults: {verdict}"


# Many days, side by side


def _run_all(plans: list[Plan], folder: Path, jobs: int, *, quiet: bool) -> list[Report]:
    waiting: SimpleQueue[int] = SimpleQueue()
    for n in range(len(plans)):
        waiting.put(n)
    shares = [0.0] * len(plans)
    reports: dict[int, Report] = {}

    def work() -> None:
        while True:
            try:
                n = waiting.get_nowait()
            except Empty:
                return
            reports[n] = in_process(plans[n], folder / _folder_name(plans[n]), partial(shares.__setitem__, n))
            shares[n] = 1.0

    workers = [threading.Thread(target=work, daemon=True) for _ in range(min(jobs, len(plans)))]
    for worker in workers:
        worker.start()
    bar = _Bar(quiet)
    while any(worker.is_alive() for worker in workers):
        workers[0].join(0.2) if workers[0].is_alive() else time.sleep(0.2)
        bar.show(shares, sum(bool(report.violations) for report in reports.values()))
    bar.end()
    return [reports[n] for n in range(len(plans))]


def in_process(plan: Plan, folder: Path, progress: Callable[[float], None]) -> Report:
    command = [sys.executable, "-m", "controller.soak.command", msgspec.json.encode(plan).decode(), str(folder)]
    folder.mkdir(parents=True, exist_ok=True)
    with (
        (folder / "soak.log").open("w+") as log,
        subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=log, text=True) as process,
    ):
        assert process.stdout is not None
        for line in process.stdout:
            if line.startswith("{"):
                return msgspec.json.decode(line, type=Report)
            progress(float(line))
        process.wait()
        log.seek(0)
        tail = " ".join(log.read().split("\n")[-8:])
        return Report(plan.game, plan.seed, plan.hours, [f"the day ended by itself ({process.returncode}): {tail}"])


class _Bar:
    """One line that grows, on a terminal; nothing elsewhere."""

    def __init__(self, quiet: bool) -> None:
        self._shown = not quiet and sys.stderr.isatty()

    def show(self, shares: list[float], broken: int) -> None:
        if self._shown:
            share = sum(shares) / len(shares)
            filled = round(40 * share)
            done = sum(share >= 1 for share in shares)
            bad = f", {broken} with violations" if broken else ""
            print(
                f"\r[{'#' * filled}{'.' * (40 - filled)}] {share:4.0%} {done}/{len(shares)} days{bad} ",
                end="",
                file=sys.stderr,
            )

    def end(self) -> None:
        if self._shown:
            print(file=sys.stderr)


def main() -> int:
    """One day in this process: the plan as JSON and its folder; shares of the day, then the report, a line each."""
    plan, folder = msgspec.json.decode(sys.argv[1], type=Plan), Path(sys.argv[2])
    report = soak(plan, folder, lambda share, rounds: print(f"{share:.4f}", flush=True))
    print(msgspec.json.encode(report).decode(), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
