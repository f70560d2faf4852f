"""The curve of the watch: how soon a theft is found, and how often there is a false alarm: `make watch-curve [SEED=1]`.

Prints the table of docs/floor/books.md, from simulated shifts, seeded. An honest shift differs by noise, and in some of
them somebody makes a mistake of one chip: a dollar, five or twenty-five, in either direction.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator, Sequence
from statistics import mean

from msgspec import Struct

from floor.books.cusum import Chart, limit_for, noise_of
from floor.config import Watch

SETTINGS = Watch()
NOISES = (0, 50, 100, 150, 200, 250, 300)
"""Cents a shift, without the mistakes."""
MISTAKES = 0.02
CHIPS = (100, 500, 2500)
YEARS, THEFTS = 300, 4000
WITHIN = 10
HEAD = "| noise | with mistakes | limit | false alarms a table-year | a theft is found after | within ten shifts |"


class Point(Struct, frozen=True):
    """One line of the curve."""

    noise: int
    measured: float
    """With the mistakes, as the watch measures it."""
    limit: int
    false_alarms: float
    """A table-year."""
    shifts: float
    """Until a theft is found, on average."""
    within: float
    """The part that is found within ten shifts."""

    def __str__(self) -> str:
        return (
            f"| ${self.noise / 100:.2f} | ${self.measured / 100:.2f} | ${self.limit / 100:.2f} "
            f"| {self.false_alarms:.2f} | {self.shifts:.1f} shifts | {self.within:.1%} |"
        )


def honest(rng: random.Random, noise: int) -> Iterator[int]:
    """Due less dropped of honest shifts, in cents."""
    while True:
        mistake = rng.choice((-1, 1)) * rng.choice(CHIPS) if rng.random() < MISTAKES else 0
        yield round(rng.gauss(0, noise)) + mistake


def point(noise: int, *, years: int = YEARS, thefts: int = THEFTS, seed: int = 1) -> Point:
    rng = random.Random(f"{seed}/{noise}")
    shifts = honest(rng, noise)
    sample = [next(shifts) for _ in range(20_000)]
    measured = max(float(SETTINGS.noise_cents), noise_of(sample, SETTINGS.stolen_cents))
    limit = limit_for(SETTINGS.stolen_cents, measured, SETTINGS.points_a_year)
    chart = Chart(SETTINGS.stolen_cents, limit)
    alarms = sum(chart.add(next(shifts)) for _ in range(years * SETTINGS.points_a_year))
    found = [_found_after(rng, shifts, limit) for _ in range(thefts)]
    within = sum(after <= WITHIN for after in found) / len(found)
    return Point(noise, measured, limit, alarms / years, mean(found), within)


def _found_after(rng: random.Random, shifts: Iterator[int], limit: int) -> int:
    """A dealer who was honest for some shifts takes a chip in each of those that follow."""
    chart = Chart(SETTINGS.stolen_cents, limit)
    for _ in range(rng.randint(0, 20)):
        chart.add(next(shifts))
    after = 1
    while not chart.add(next(shifts) + SETTINGS.stolen_cents):
        after += 1
    return after


def lines(points: Sequence[Point]) -> str:
    return "\n".join([HEAD, "|---:|---:|---:|---:|---:|---:|", *map(str, points)])


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m tests.long.watch_curve", description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    seed = parser.parse_args().seed
    print(lines([point(noise, seed=seed) for noise in NOISES]))
