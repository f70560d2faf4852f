"""An amount in the chips of the table: the largest first, exact to the cent or not at all."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from math import gcd, lcm

from msgspec import Struct


class ChipCount(Struct, frozen=True):
    """So many chips of one worth."""

    cents: int
    count: int


@lru_cache(maxsize=1024)
def in_chips(cents: int, chips: tuple[int, ...]) -> tuple[ChipCount, ...]:
    """The chips that make this amount; none where these chips cannot make it.

    >>> [(one.count, one.cents) for one in in_chips(13_750, (50, 500, 2500, 10_000))]
    [(1, 10000), (1, 2500), (2, 500), (5, 50)]

    Fewer of the largest chip, where that alone makes it exact:

    >>> [(one.count, one.cents) for one in in_chips(600, (500, 200))], in_chips(50, (100, 500))
    ([(3, 200)], ())
    """
    kinds = tuple(sorted({chip for chip in chips if chip > 0}, reverse=True))
    counts = next(_ways(cents, kinds), ())
    return tuple(ChipCount(chip, count) for chip, count in zip(kinds, counts, strict=False) if count)


def _ways(cents: int, kinds: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """Counts of each kind that come to this amount, those with the most large chips first."""
    if not cents:
        yield (0,) * len(kinds)
        return
    if not kinds or cents % gcd(*kinds):
        return
    largest, *rest = kinds
    most = cents // largest
    # As many of a large chip as the smaller ones can make together never need to be small ones.
    swapped = lcm(largest, *rest) // largest if rest else 1
    for count in range(most, max(-1, most - swapped), -1):
        for counts in _ways(cents - count * largest, tuple(rest)):
            yield (count, *counts)
