"""Which part of a long check a run takes: another one with each commit, the same one whenever a commit is run again."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import TypeVar

T = TypeVar("T")


def turn() -> int:
    """A number that the commit gives; 0 where there is no repository."""
    done = subprocess.run(
        ["git", "rev-parse", "HEAD"], cwd=Path(__file__).parent, capture_output=True, text=True, check=False
    )
    return int(done.stdout[:8], 16) if done.returncode == 0 else 0


def this_turn(choices: Sequence[T]) -> T:
    return choices[turn() % len(choices)]


def part(choices: Sequence[T], of: int) -> list[T]:
    """Every `of`-th of them, others with each commit; CUTCARD_WHOLE=1: all."""
    return list(choices) if os.environ.get("CUTCARD_WHOLE") else list(choices[turn() % of :: of])
