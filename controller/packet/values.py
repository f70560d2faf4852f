"""Names and values of the rule data in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Sized
from itertools import pairwise
from typing import Any

from controller.engine.amounts import money
from controller.rules.fee_words import words

__all__ = ["cents", "is_cents", "runs", "said", "words"]

CENTS = frozenset(
    {
        "table_min",
        "table_max",
        "chip",
        "chip_unit",
        "wager_step",
        "wager_off_step",
        "envy_from",
        "envy_five_of_a_kind",
        "min_bet",
        "kill_pot_size",
        "late_fee",
        "button_drop",
        "point",
        "blinds",
        "open_least",
        "open_most",
        "raise_by",
        "min",
        "max",
        "low",
        "high",
        "forced",
        "bring_in",
    }
)
"""Keys of the rule data whose numbers are cents."""


def said(value: Any, key: str = "") -> str:
    """A value of the rule data, as a person would write it.

    >>> said(True), said(None), said("first_card"), said(["hit", "double"]), said(2500, "table_max")
    ('yes', 'none', 'first card', 'hit, double', '$25.00')
    >>> said({"stand_hard": 17, "hit_hard": 16})
    'stand hard 17; hit hard 16'
    """
    if value is None or (isinstance(value, Sized) and not value):
        return "none"
    match value:
        case bool():
            return "yes" if value else "no"
        case Mapping():
            return "; ".join(f"{words(str(name))} {said(item, str(name))}" for name, item in value.items())
        case list() | tuple():
            return ", ".join(said(item, key) for item in value)
        case int() if is_cents(key):
            return money(value)
        case str():
            return words(value)
    return str(value)


def is_cents(key: str) -> bool:
    return key in CENTS


def cents(value: Any) -> str:
    """What a row of a pay table pays: odds, or an amount.

    >>> cents("3:2"), cents(500000)
    ('3 to 2', '$5,000.00')
    """
    return str(value).replace(":", " to ") if isinstance(value, str) else money(value)


def runs(numbers: Sequence[int]) -> str:
    """Numbers, runs of them shortened.

    >>> runs([4, 5, 6, 7, 9]), runs([8, 9]), runs([])
    ('4-7, 9', '8, 9', 'none')
    """
    if not numbers:
        return "none"
    ordered = sorted(numbers)
    starts = [ordered[0], *(b for a, b in pairwise(ordered) if b != a + 1)]
    ends = [*(a for a, b in pairwise(ordered) if b != a + 1), ordered[-1]]
    return ", ".join(_run(first, last) for first, last in zip(starts, ends, strict=True))


def _run(first: int, last: int) -> str:
    if first == last:
        return str(first)
    return f"{first}, {last}" if last == first + 1 else f"{first}-{last}"
