"""Wagers offered at a table: which there are, their limits, and what one needs of another.

A game lists its `WagerRule`s; the table's limits fill in minimum and maximum. `Book` is what stands on the layout.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from controller.engine.inputs import Place, seat_of

Book = dict[Place, dict[str, int]]


class WagerRule(Struct, frozen=True, omit_defaults=True, cache_hash=True):
    """One wager that may be placed before the deal."""

    id: str
    title: str = ""
    min: int = 0
    max: int | None = None
    needs: tuple[str, ...] = ()
    """At least one of these must stand on the same place."""
    needs_all: bool = False
    needs_code: str = "needs_base_wager"
    equals: str | None = None
    """Must be of the same amount as this wager of the place."""
    equals_code: str = "not_equal"
    first_spot_only: str | None = None
    """Code for a bettor who is not on the first spot of the seat."""
    seats: tuple[int, ...] | None = None
    """The only seats that may place it; absent: every seat."""
    seats_code: str = "not_offered"
    max_code: str = "above_table_max"
    min_code: str = "below_table_min"
    step: int = 1
    """Smallest unit of the amount, in cents."""
    counts_as: str = "base"
    """Its class in a collection schedule: base, bonus."""
    any_minimum: bool = False
    """May be less than the table's minimum."""


@lru_cache(maxsize=256)
def within_limits(
    rules: tuple[WagerRule, ...], base_min: int, other_min: int, table_max: int | None
) -> tuple[WagerRule, ...]:
    """The wagers of a game at a table with these limits, which count where a rule has none of its own.

    Cached, since a table asks anew for every round.
    """

    def limited(rule: WagerRule) -> WagerRule:
        least = base_min if rule.counts_as == "base" else other_min
        if rule.min or rule.max is not None or not (least or table_max):
            return rule
        return replace(rule, min=0 if rule.any_minimum else least, max=table_max)

    return tuple(map(limited, rules))


def wager_refusal(
    rules: Sequence[WagerRule], book: Book, place: Place, wager: str, cents: int
) -> tuple[str, str, dict[str, Any]] | None:
    """Code, sentence and bounds where this wager may not stand on this place now, else None."""
    for rule in rules:
        if rule.id == wager:
            break
    else:
        known = ", ".join(rule.id for rule in rules)
        return ("no_such_wager", f"{wager!r} is not offered; there is {known}", {})
    if cents == 0:
        return None
    if rule.seats is not None and seat_of(place) not in rule.seats:
        return (rule.seats_code, f"{wager} is not for seat {seat_of(place)}", {"seats": list(rule.seats)})
    if rule.first_spot_only is not None and isinstance(place, str):
        return (rule.first_spot_only, f"{wager}: only for the first betting spot of seat {seat_of(place)}", {})
    if rule.needs:
        standing = book.get(place, {})
        met = all if rule.needs_all else any
        if not met(standing.get(other) for other in rule.needs):
            word = " and " if rule.needs_all else " or "
            return (rule.needs_code, f"{wager} needs {word.join(rule.needs)} on the same place", {})
    if rule.equals is not None and cents != book.get(place, {}).get(rule.equals):
        return (rule.equals_code, f"{wager} must equal the {rule.equals} wager", {})
    if cents < rule.min:
        return (rule.min_code, f"{wager}: at least {rule.min} cents", {"min_cents": rule.min})
    if rule.max is not None and cents > rule.max:
        return (rule.max_code, f"{wager}: at most {rule.max} cents", {"max_cents": rule.max})
    if cents % rule.step:
        return ("not_in_chips", f"{wager}: in steps of {rule.step} cents", {"step": rule.step})
    return None


def action(book: Book) -> int:
    """Everything on the layout."""
    total = 0
    for wagers in book.values():
        for cents in wagers.values():
            total += cents
    return total
