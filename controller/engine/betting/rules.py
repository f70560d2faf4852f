"""What is posted about betting, and what a seat may do: the values that a betting round works with.

A betting round itself is an `Action` (`controller.engine.betting.betting_round`). How much may be bet is the
structure's business (`limits`), the chips are the purse's (`pots`). What a cardroom forbids is data: `Codes` names each
refusal in the words of its sheet.

Sheet: calgrand-betting-structures, sections 2 to 4 and 8; bankers-texas-holdem, A3, A9, A10, A13.
"""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct

from controller.engine.bets.limits import (
    Amounts,
    BetRound,
    FixedLimit,
    NoLimit,
    PotLimit,
    SpreadLimit,
    StraightLimit,
    Structure,
)

ShortAllInBars = Literal["bettors", "all_who_acted"]
MaxRaises = int | Literal["by_structure"] | None
"""Raises of one round; None: any number; `by_structure`: three in limit games with three or more hands live."""

LIMIT_RAISES = 3
"""bankers-texas-holdem, A3 (000:1704): three raises, but heads-up and without a limit any number."""


class Codes(Struct, frozen=True, forbid_unknown_fields=True, cache_hash=True):
    """How a sheet names what it refuses (calgrand-betting-structures, section 8)."""

    check_not_allowed: str = "check_not_allowed"
    below_minimum: str = "below_minimum"
    below_minimum_bet: str = "below_minimum"
    """An opening bet under the least amount."""
    above_maximum: str = "above_maximum"
    above_pot: str = "above_pot"
    wrong_increment: str = "wrong_increment"
    wrong_call: str = "below_minimum"
    """A call of another amount in fixed or straight limit."""
    wrong_step: str = "wrong_increment"
    """Stud, fourth street with an open pair: after a higher bet or raise, a step of the lower limit."""
    table_stakes: str = "table_stakes"
    raise_barred_short_all_in: str = "raise_barred_short_all_in"
    raise_cap: str = "raise_cap"
    check_raise_barred: str = "check_raise_barred"
    bet_already_made: str = "bet_already_made"


class BettingRules(Struct, frozen=True, cache_hash=True):
    """What is posted on a table about betting, and how its cardroom reads the text."""

    structure: Structure
    codes: Codes = Codes()
    max_raises: MaxRaises = None
    check_raise: bool = True
    min_raise_basis: Literal["last_full", "to_call"] = "last_full"
    short_all_in_bars: ShortAllInBars = "bettors"
    unraised_blind: tuple[Literal["check", "call"], ...] = ("call",)
    """What the last blind does that is not raised and does not raise itself (BS-2)."""
    opener_may_bring_in_low: bool = True
    bring_in: Literal["forced", "either_limit"] = "forced"
    """What the forced opener of a fixed limit game may choose: `forced` (or `low`), or one of the two limits."""
    capped: Literal["always", "limit_multiway", "multiway_at_start"] = "always"
    """When `max_raises` holds: always; in limit games while three or more hands are live (000:249); in rounds that
    three or more hands began (village-deuce-seven-triple-draw, A2)."""
    completing: Literal["raise", "complete"] = "raise"
    """How a room calls it when the forced bet is made a full one."""
    open_pair_for: Literal["holder", "anyone"] = "holder"


class Legal(Struct, frozen=True):
    """Every choice of one seat, besides folding."""

    check: bool = False
    call: int | None = None
    bet: Amounts | None = None
    raise_to: Amounts | None = None
    bring_in: Amounts | None = None
    """Stud: the forced opener may not fold."""
    no_raise: str = ""
    """The code where a raise is barred for another reason than the chips."""

    def document(self) -> dict[str, Any]:
        """The form of `expect.legal` in a legality case."""
        doc: dict[str, Any] = {"fold": self.bring_in is None or self.bet is not None, "check": self.check}
        doc["call"] = False if self.call is None else self.call
        doc["bet"] = _described(self.bet)
        doc["raise"] = _described(self.raise_to)
        if self.bring_in is not None:
            doc["bring_in"] = _described(self.bring_in)
            doc["bet"] = doc["bring_in"] if self.bet is None else doc["bet"]
        return doc


def _described(amounts: Amounts | None) -> dict[str, Any] | Literal[False]:
    """Every true description of the amounts: a range of one amount is also exactly that."""
    if amounts is None:
        return False
    if amounts.all_in:
        return {"only_all_in_to": amounts.most}
    if len(amounts.one_of) > 1:
        return {"one_of": list(amounts.one_of)}
    if amounts.one_of:
        return {"exactly_to": amounts.most}
    doc: dict[str, Any] = {"min_to": amounts.least, "max_to": amounts.most}
    if amounts.least == amounts.most:
        doc["exactly_to"] = amounts.most
        if amounts.end == "stack":
            doc["only_all_in_to"] = amounts.most
    return doc


__all__ = [
    "BetRound",
    "BettingRules",
    "Codes",
    "FixedLimit",
    "Legal",
    "NoLimit",
    "PotLimit",
    "SpreadLimit",
    "StraightLimit",
    "Structure",
]
