"""Flipped bits in a journal: `python -m tests.long.flips [--times 1000] [--seed S]`.

A journal with a dealt evening is copied, one bit of its file is flipped, and `cutcard verify` reads it. Either that
finds something, or the journal refuses to be read, or everything in it is what it was (the bit was in a free part of a
page). Anything else is damage that was accepted silently.
"""

from __future__ import annotations

import argparse
import random
import sqlite3
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

from controller.evidence.verify import verify
from controller.journal import JournalError
from controller.rules import RulesError, resolve
from tests.support.evidence_journals import play_at_random

RULESET = "bankers-ultimate-texas-holdem"
ROUNDS = 4


class Accepted(AssertionError):
    """A changed journal passed for a whole one."""


def content(path: Path) -> dict[str, list[tuple[Any, ...]]]:
    """Every row of every table."""
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as db:
        tables = [name for (name,) in db.execute("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")]
        return {table: db.execute(f"SELECT * FROM {table} ORDER BY 1").fetchall() for table in tables}


def flips(folder: Path, times: int, seed: int, say: Callable[[str], None] = lambda text: None) -> Counter[str]:
    """How many flips were found, made the journal unreadable, or changed nothing."""
    whole, damaged = folder / "whole.db", folder / "journal.db"
    play_at_random(whole, RULESET, seed, rounds=ROUNDS)
    before, good = content(whole), whole.read_bytes()
    rng, results = random.Random(seed), Counter[str]()
    for number in range(1, times + 1):
        at, bit = rng.randrange(len(good)), rng.randrange(8)
        damaged.write_bytes(good[:at] + bytes([good[at] ^ 1 << bit]) + good[at + 1 :])
        results[_result(damaged, before, f"bit {bit} of byte {at}")] += 1
        for extra in folder.glob("journal.db-*"):
            extra.unlink()
        if number % 100 == 0:
            say(f"{number} flips: {dict(results)}")
    return results


def _result(damaged: Path, before: dict[str, list[tuple[Any, ...]]], where: str) -> str:
    try:
        if verify(damaged, resolve).findings:
            return "found"
    except (JournalError, RulesError):
        return "not readable"
    if content(damaged) != before:
        raise Accepted(f"{where} was flipped, and nothing was found")
    return "without effect"


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.long.flips", description=__doc__)
    parser.add_argument("--times", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        results = flips(Path(folder), chosen.times, chosen.seed, lambda text: print(text, flush=True))
    print(f"{chosen.times} flipped bits, none accepted: {dict(results)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
