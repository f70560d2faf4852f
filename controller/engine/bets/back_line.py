"""The back line: bettors other than the seated player, who bet on his hand. docs/table/back-line.md.

A back-line bettor is at a further spot of the seat: "3.2" is the second betting spot of seat 3. He has his own money on
the seat's cards. What he decides for himself, and what follows the seat, is printed in an approval or a reading of it.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from itertools import count
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from controller.engine.bets.wagers import Book, WagerRule
from controller.engine.inputs import Place, seat_of, spot_of

BackLineWagers = Literal["all", "base", "side_bets", "none"]
NOT_ALLOWED, BASE_ONLY, SIDE_BETS_ONLY = "backline_not_allowed", "backline_base_only", "backline_side_bets_only"
"""Codes of a wager that is refused behind a seat."""


class BackLine(Struct, frozen=True, forbid_unknown_fields=True, cache_hash=True):
    """What back-line bettors may do at a table."""

    wagers: BackLineWagers = "none"
    """Which wagers they may place."""
    play: Literal["own", "along", "seat"] = "seat"
    """Play, call or fold: each for himself; for what the seat bets, or folding his own; as the seat does."""
    insurance: Literal["own", "seat"] = "seat"
    """Each insures his own wager, or the seat alone insures."""
    double: Literal["own", "joins"] = "own"
    """Any bettor of a hand may double it with his own money, or only when the seat does."""
    split: Literal["own", "joins"] = "own"
    unsplit: Literal["first_hand", "second_hand"] = "first_hand"
    """Where the wager of a bettor is who does not join a split."""
    surrender: Literal["own", "seat"] = "seat"
    """Each gives up his own wager, and the hand goes on for the others; or the seat gives up the hand for all."""
    sets: Literal["seat", "largest_wager"] = "seat"
    """Who decides how a hand is set in two."""


def open_behind(rules: Iterable[WagerRule]) -> tuple[WagerRule, ...]:
    """The wagers that a back-line bettor may place."""
    return tuple(rule for rule in rules if rule.first_spot_only is None and (rule.spots is None or rule.spots > 1))


def spots_behind(book: Book, seat: int, rules: Iterable[WagerRule]) -> list[Place]:
    """The back-line spots of a seat that hold a wager, and the next free one, where its layout has one more."""
    taken = {spot_of(place) for place, wagers in book.items() if wagers and seat_of(place) == seat}
    free = next(spot for spot in count(2) if spot not in taken)
    room = any(rule.spots is None or rule.spots >= free for rule in rules)
    return [f"{seat}.{spot}" for spot in sorted({*taken, *((free,) if room else ())} - {1})]


@lru_cache(maxsize=256)
def behind(rules: tuple[WagerRule, ...], back_line: BackLine) -> tuple[WagerRule, ...]:
    """The wagers of a game, each open to the back line or refused there with a code."""

    def code(rule: WagerRule) -> str | None:
        is_base = rule.counts_as == "base"
        match back_line.wagers:
            case "none":
                return NOT_ALLOWED
            case "base" if not is_base:
                return BASE_ONLY
            case "side_bets" if is_base:
                return SIDE_BETS_ONLY
            case _:
                return None

    return tuple(replace(rule, first_spot_only=code(rule)) for rule in rules)
