"""The arithmetic of the watch on due less dropped: a one-sided CUSUM (Page 1954), the quickest test there is for a
shift of the mean by a known amount (Moustakides 1986).

    S = max(0, S + x - stolen / 2)        x: due less dropped of one shift, no more than 1.5 stolen either way
    a finding where S passes the limit; then S begins at 0 again

An honest shift takes `stolen / 2` away on average, a shift with a theft adds as much. The limit follows from the noise
of honest shifts and from how rare a false alarm has to be (Siegmund 1985, the diffusion with b = h + 1.166), and is
never less than two stolen amounts: so a single honest mistake, however large, and even two of them, are no finding.

docs/floor/books.md has the curve from simulation: `make watch-curve`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

from msgspec import Struct

_ENOUGH = 100
"""Shifts by which the noise of a room is known."""
_OVERSHOOT = 1.166
"""By how many standard deviations a walk passes its limit, on average (Siegmund)."""


class Chart(Struct):
    """One sum that is watched. Cents."""

    stolen: int
    limit: int
    sum: int = 0

    def add(self, missing: int) -> bool:
        """One shift; whether it is a finding."""
        self.sum = max(0, self.sum + clipped(missing, self.stolen) - self.stolen // 2)
        if self.sum <= self.limit:
            return False
        self.sum = 0
        return True


def clipped(missing: int, stolen: int) -> int:
    """
    >>> clipped(10_000, 500), clipped(-20, 500)
    (750, -20)
    """
    most = stolen * 3 // 2
    return max(-most, min(most, missing))


def limit_for(stolen: int, noise: float, points: int) -> int:
    """The limit at which this number of honest shifts has one false alarm at most.

    >>> limit_for(500, 150, 4380), limit_for(500, 250, 4380), limit_for(500, 400, 4380)
    (1000, 1000, 2139)
    """
    drift = stolen / 2 / noise
    low, high = 0.0, 100.0 / drift
    while high - low > 1e-6:
        middle = (low + high) / 2
        if between_false_alarms(drift, middle) < points:
            low = middle
        else:
            high = middle
    return max(2 * stolen, math.ceil((high - _OVERSHOOT) * noise))


def between_false_alarms(drift: float, b: float) -> float:
    """The mean number of shifts from one false alarm to the next; `drift` and `b` in standard deviations."""
    walk = 2 * drift * b
    return math.inf if walk > 500 else (math.expm1(walk) - walk) / (2 * drift * drift)


def noise_of(values: Iterable[int], stolen: int) -> float:
    """The standard deviation of these shifts around 0, each clipped as the sum clips it; 0 of too few to know it."""
    squares = [clipped(value, stolen) ** 2 for value in values]
    return math.sqrt(sum(squares) / len(squares)) if len(squares) >= _ENOUGH else 0.0
