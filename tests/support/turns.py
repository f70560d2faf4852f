"""Which part of a long check a run takes: another one with each commit, the same one whenever a commit is run again."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import TypeVar

T = TypeVar("T")


@cache
def turn() -> int:
    """A number that the commit gives; 0 where there is no repository."""
    done = subprocess.run(
        ["git", "rev-parse", "HEAD"], cwd=Path(__file__).parent, capture_output=True, text=True, check=False
    )
    return int(done.stdout[:8], 16) if done.returncode == 0 else 0


def this_turn(choices: Sequence[T]) -> T:
    return choices[turn() % len(choices)]


def is_whole() -> bool:
    """CUTCARD_WHOLE=1, as `make whole` has it: nothing is left for another commit."""
    return bool(os.environ.get("CUTCARD_WHOLE"))


def part(choices: Sequence[T], of: int) -> list[T]:
    """Every `of`-th of them, others with each commit; in a whole run all of them."""
    return list(choices) if is_whole() else list(choices[turn() % of :: of])


def comes(of: int) -> bool:
    """Whether this is the turn of a test that one commit in `of` runs. Such a test is defined under this, not skipped:
    a skipped test is one that the machine could not run."""
    return is_whole() or turn() % of == 0
