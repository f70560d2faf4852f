"""What a number of pieces in a drop box can be worth. Pure arithmetic, no table.

A slot counts pieces, not money. With the chips that a fee may be paid in, n pieces are worth one of a set of sums; with
their weights, a scale narrows that set. `compare` says which of four things the count proves about an amount that was
due; it never says more than the sensors do.

    >>> dollars = (Chip(100), Chip(500))
    >>> [compare(Fallen(pieces), 200, 0, dollars) for pieces in (0, 1, 2, 3)]
    ['short', 'wrong_amount', 'fits', 'over']
    >>> worth(Fallen(2), dollars)
    Worth(low=200, high=1000)

Where no chips are configured a piece is worth an unknown amount: it proves that a fee was dropped,
not that all of it was.

    >>> [compare(Fallen(pieces), 200, 0, ()) for pieces in (0, 1, 9)]
    ['short', 'fits', 'fits']
"""

from __future__ import annotations

from functools import lru_cache
from math import gcd
from typing import Literal

from msgspec import Struct

Verdict = Literal["fits", "short", "over", "wrong_amount"]
"""`wrong_amount`: it cannot be the sum that was due, and may be less or more."""
Proof = Literal["value", "count", "presence"]
"""What a fit rests on: the worth is known; that number of pieces can be that sum; something fell."""

_FEW = 64
"""Up to this number of pieces every possible sum is looked at, beyond that the bounds and the step between sums."""
_MIXTURES = 20_000
"""Mixtures of chips that are looked at; beyond that only the lightest and the heaviest."""


class Chip(Struct, frozen=True, omit_defaults=True):
    """A chip that fees are paid in."""

    cents: int
    milligrams: int = 0
    """0: its weight is not known, and no scale helps."""


class DropTerms(Struct, frozen=True, omit_defaults=True):
    """By what the house judges its drops."""

    grace_ms: int = 60_000
    """What a round owes must have fallen so long after its end."""
    tolerance: int = 0
    """Cents by which a round's drop may differ."""
    chips: tuple[Chip, ...] = ()
    """What fees are paid in; empty: what a piece is worth is not known."""
    scale_g: int = 5
    """Grams by which two weighings of the same thing may differ."""
    seals: bool = False
    """Whether the seal of a box that is put in must be keyed."""


class Fallen(Struct, frozen=True, omit_defaults=True):
    """Pieces that fell through a slot."""

    pieces: int = 0
    known: int = 0
    """Of these, those whose worth the sensor reported."""
    cents: int = 0
    """What those are worth."""

    def __add__(self, other: Fallen) -> Fallen:
        return Fallen(self.pieces + other.pieces, self.known + other.known, self.cents + other.cents)


class Worth(Struct, frozen=True):
    """What pieces are worth, between two bounds in cents; `high` is None where it is not known."""

    low: int
    high: int | None

    def __add__(self, other: Worth) -> Worth:
        return Worth(self.low + other.low, None if self.high is None or other.high is None else self.high + other.high)


NOTHING = Worth(0, 0)


def worth(fallen: Fallen, chips: tuple[Chip, ...]) -> Worth:
    """The bounds of what fell."""
    unknown = fallen.pieces - fallen.known
    if not unknown:
        return Worth(fallen.cents, fallen.cents)
    if not chips:
        return Worth(fallen.cents + unknown, None)
    values = [chip.cents for chip in chips]
    return Worth(fallen.cents + unknown * min(values), fallen.cents + unknown * max(values))


def compare(fallen: Fallen, due: int, tolerance: int, chips: tuple[Chip, ...]) -> Verdict:
    """What is proved about an amount due; a difference within the tolerance is none."""
    bounds = worth(fallen, chips)
    if bounds.high is not None and bounds.high < due - tolerance:
        return "short"
    if bounds.low > due + tolerance:
        return "over"
    unknown = fallen.pieces - fallen.known
    if not unknown or not chips:
        return "fits"
    low, high = due - tolerance - fallen.cents, due + tolerance - fallen.cents
    values = tuple(sorted({chip.cents for chip in chips}))
    return "fits" if _some_sum_within(unknown, values, low, high) else "wrong_amount"


def proof(fallen: Fallen, chips: tuple[Chip, ...]) -> Proof:
    """What it rests on that the amount fits."""
    bounds = worth(fallen, chips)
    if bounds.high is None:
        return "presence"
    return "value" if bounds.low == bounds.high else "count"


def weighed(pieces: int, grams: int, chips: tuple[Chip, ...], scale_g: int) -> Worth | None:
    """What a number of pieces are worth that made a box heavier by this weight; None where that cannot be.

    Two weighings of the same thing differ by `scale_g` at most: the scale's step, its drift, a hand on the table.

    >>> light_and_heavy = (Chip(100, 8500), Chip(500, 11500))
    >>> weighed(10, 85, light_and_heavy, 5), weighed(10, 100, light_and_heavy, 3), weighed(10, 150, light_and_heavy, 5)
    (Worth(low=1000, high=1400), Worth(low=2600, high=3400), None)
    """
    least, most = 1000 * (grams - scale_g), 1000 * (grams + scale_g)
    if not pieces:
        return NOTHING if least <= 0 <= most else None
    if not weights_known(chips):
        return worth(Fallen(pieces), chips)
    mixtures = _mixtures(pieces, chips)
    if mixtures is None:
        lightest, heaviest = (pick(chip.milligrams for chip in chips) * pieces for pick in (min, max))
        return worth(Fallen(pieces), chips) if lightest <= most and least <= heaviest else None
    sums = [cents for milligrams, cents in mixtures if least <= milligrams <= most]
    return Worth(min(sums), max(sums)) if sums else None


def weights_known(chips: tuple[Chip, ...]) -> bool:
    return bool(chips) and all(chip.milligrams for chip in chips)


@lru_cache(256)
def _some_sum_within(pieces: int, values: tuple[int, ...], low: int, high: int) -> bool:
    """Whether exactly this number of chips of these values can come to an amount between the bounds."""
    if pieces > _FEW:
        first = pieces * values[0]
        step = gcd(*(value - values[0] for value in values)) or 1
        return (high - first) // step * step + first >= low
    unit = gcd(*values)
    sums = 1
    for _ in range(pieces):
        added = 0
        for value in values:
            added |= sums << (value // unit)
        sums = added
    least, most = max(0, -(-low // unit)), high // unit
    return most >= least and bool(sums >> least & ((1 << (most - least + 1)) - 1))


def _mixtures(pieces: int, chips: tuple[Chip, ...]) -> set[tuple[int, int]] | None:
    """Weight and worth of every mixture of this number of chips; None where there are too many."""
    found = {(0, 0)}
    for _ in range(pieces):
        if len(found) > _MIXTURES:
            return None
        found = {(mg + chip.milligrams, cents + chip.cents) for mg, cents in found for chip in chips}
    return found
