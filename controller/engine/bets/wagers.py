"""Wagers offered at a table: which there are, their limits, and what one needs of another.

A game lists its `WagerRule`s; the table's limits fill in minimum and maximum. `Book` is what is on the layout.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from controller.engine.amounts import dollars
from controller.engine.inputs import Place, seat_of, spot_of

Book = dict[Place, dict[str, int]]
BonusMinimum = Literal["table", "none"]
"""Whether a bonus or side bet must reach the table's minimum; no text lets one go above the maximum."""
DEALER_TIP = "dealer_tip"
"""A wager that a player places for the house dealer, and its class in a collection schedule."""
_NO_LIMIT = 2**62


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
    needs_on_first_spot: bool = False
    """Only the seat itself needs them; a bettor behind it does not."""
    equals: str | None = None
    """Must be of the same amount as this wager of the place."""
    equals_code: str = "not_equal"
    at_most: str | None = None
    """May not be above this wager of the place."""
    at_most_code: str = "above_base_wager"
    once: str | None = None
    """Code for a second one on a place where it is down already; taking it back first is allowed."""
    first_spot_only: str | None = None
    """Code for a bettor who is not on the first spot of the seat."""
    seats: tuple[int, ...] | None = None
    """The only seats that may place it; absent: every seat."""
    seats_code: str = "not_offered"
    max_code: str = "above_table_max"
    min_code: str = "below_table_min"
    step: int = 1
    """Smallest unit of the amount, in cents."""
    off_step: tuple[int, ...] = ()
    """Amounts that are taken although they are no whole steps."""
    step_code: str = "not_in_chips"
    position_max: int | None = None
    """The most that all wagers of a seat, its further spots included, may come to."""
    position_code: str = "above_position_limit"
    spots: int | None = None
    """How many betting spots of a seat take it; absent: any number."""
    spots_code: str = "no_such_spot"
    same_on_seat: str | None = None
    """Code for an amount that differs from another bettor's on the same seat, where all must be equal."""
    counts_as: str = "base"
    """Its class in a collection schedule: base, bonus."""
    any_minimum: bool = False
    """May be less than the table's minimum."""


@lru_cache(maxsize=256)
def within_limits(rules: tuple[WagerRule, ...], table_min: int, table_max: int | None) -> tuple[WagerRule, ...]:
    """The wagers of a game at a table with these limits, which count where a rule has none of its own.

    Cached, since a table asks anew for every round.
    """

    def limited(rule: WagerRule) -> WagerRule:
        least = 0 if rule.any_minimum else table_min
        if rule.min or not (least or table_max):
            return rule
        return replace(rule, min=least, max=table_max if rule.max is None else rule.max)

    return tuple(map(limited, rules))


@lru_cache(maxsize=64)
def with_bonus_minimum(rules: tuple[WagerRule, ...], minimum: BonusMinimum) -> tuple[WagerRule, ...]:
    """The wagers of a game whose text has bonus and side bets reach the table's minimum, or not."""
    if minimum == "table":
        return rules
    return tuple(rule if rule.counts_as == "base" else replace(rule, any_minimum=True) for rule in rules)


@lru_cache(maxsize=256)
def plain_limits(rules: tuple[WagerRule, ...]) -> dict[str, tuple[int, int]]:
    """The wagers that ask for nothing but an amount within limits, where they are a seat's own: least and most."""
    return {
        rule.id: (max(rule.min, 1), _NO_LIMIT if rule.max is None else rule.max)
        for rule in rules
        if rule.seats is None
        and (rule.spots is None or rule.spots > 0)
        and not rule.needs
        and rule.equals is None
        and rule.once is None
        and rule.at_most is None
        and rule.step == 1
        and rule.position_max is None
        and rule.same_on_seat is None
    }


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
        text = f"{wager} is not for seat {seat_of(place)}" if rule.seats else f"{wager} is not open at this table"
        return (rule.seats_code, text, {"seats": list(rule.seats)})
    if rule.first_spot_only is not None and isinstance(place, str):
        text = f"{wager}: not behind seat {seat_of(place)}, only on its own betting spot"
        return (rule.first_spot_only, text, {})
    if rule.spots is not None and spot_of(place) > rule.spots:
        return (rule.spots_code, f"{wager}: a seat has {rule.spots} spots for it", {"spots": rule.spots})
    if rule.needs and not (rule.needs_on_first_spot and isinstance(place, str)):
        placed = book.get(place, {})
        met = all if rule.needs_all else any
        if not met(placed.get(other) for other in rule.needs):
            word = " and " if rule.needs_all else " or "
            return (rule.needs_code, f"{wager} needs {word.join(rule.needs)} on the same place", {})
    if rule.equals is not None and cents != (other := book.get(place, {}).get(rule.equals, 0)):
        return (rule.equals_code, f"{wager} must equal the {rule.equals} wager", {"equals_cents": other})
    if rule.once is not None and book.get(place, {}).get(wager):
        return (rule.once, f"{wager}: one on a place, and it is there already", {})
    if rule.at_most is not None and cents > book.get(place, {}).get(rule.at_most, 0):
        return (rule.at_most_code, f"{wager} may not be above the {rule.at_most} wager", {})
    if cents < rule.min:
        return (rule.min_code, f"{wager}: at least {dollars(rule.min)}", {"min_cents": rule.min})
    if rule.max is not None and cents > rule.max:
        return (rule.max_code, f"{wager}: at most {dollars(rule.max)}", {"max_cents": rule.max})
    if cents % rule.step and cents not in rule.off_step:
        return (rule.step_code, f"{wager}: in steps of {dollars(rule.step)}", {"step": rule.step})
    if rule.position_max is not None and cents + _beside(book, place, wager) > rule.position_max:
        text = f"seat {seat_of(place)}: at most {dollars(rule.position_max)} in all"
        return (rule.position_code, text, {"max_cents": rule.position_max})
    if rule.same_on_seat is not None and _differs(book, place, wager, cents):
        return (rule.same_on_seat, f"{wager}: all on one square bet the same", {})
    return None


def _differs(book: Book, place: Place, wager: str, cents: int) -> bool:
    """Whether another bettor of the seat has this wager of another amount."""
    there = [wagers for other, wagers in book.items() if other != place and seat_of(other) == seat_of(place)]
    return any(wagers.get(wager) not in (None, cents) for wagers in there)


def _beside(book: Book, place: Place, wager: str) -> int:
    """Everything else that is on the seat of this place."""
    there = {where: wagers for where, wagers in book.items() if seat_of(where) == seat_of(place)}
    return sum(sum(wagers.values()) for wagers in there.values()) - book.get(place, {}).get(wager, 0)


def action(book: Book) -> int:
    """Everything on the layout."""
    total = 0
    for wagers in book.values():
        for cents in wagers.values():
            total += cents
    return total
