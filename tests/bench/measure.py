"""Runs in turns: what slows the machine down slows every contender down."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Mapping

from msgspec import Struct

Run = Callable[[], int]
"""Does the work once; gives how many things it did."""


class Speed(Struct, frozen=True):
    """Things a second: of the best run, and of the one in the middle."""

    best: float
    median: float


def in_turns(runs: Mapping[str, Run], repeats: int, clock: Callable[[], float] = time.perf_counter) -> dict[str, Speed]:
    """Each once to warm up, then one after the other, `repeats` times round; `clock` may be the processor's time."""
    for run in runs.values():
        run()
    speeds: dict[str, list[float]] = {name: [] for name in runs}
    for _ in range(repeats):
        for name, run in runs.items():
            began = clock()
            done = run()
            speeds[name].append(done / (clock() - began))
    return {name: Speed(max(each), statistics.median(each)) for name, each in speeds.items()}
