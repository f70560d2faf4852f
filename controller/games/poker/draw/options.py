"""What a ruleset of a draw game may choose, and what its sheet fixes."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta
from msgspec.structs import replace

from controller.engine.betting.rules import BettingRules, Structure
from controller.games.poker.core.options import PokerOptions


class DrawOptions(PokerOptions, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What the rooms of the draw games choose, and what their sheets fix."""

    low: Literal["ace_to_five", "deuce_to_seven"] = "ace_to_five"
    """Which ranking a low hand has."""
    joker: bool = False
    """One joker in the deck; other sheets have `jokers`."""
    most_discards: Annotated[int, Meta(ge=1, le=5)] = 5
    """Cards that a seat may replace in one draw."""
    late_fifth_card: bool = False
    """At most four cards in a row; the fifth after everybody has drawn."""
    may_change_draw: bool = False
    """While no card was dealt for a request and nobody has acted on it (000:244-246, 301-303)."""
    announced_first: bool = False
    """Everybody discards, then the dealer replaces in turn; else one after the other."""
    stub: Literal["replenish", "reshuffle", "reshuffle_when_short", "no_more_draws", "floor"] = "floor"
    """What an exhausted stub means. replenish: the last card is never dealt, it is shuffled with the discards."""
    keeps_exposed: tuple[str, ...] = ()
    """Ranks (and Jo) that a seat must keep when the dealer exposes them before the draw."""
    exposed_is_burn: bool = True
    """The card that was exposed and replaced is the burn of the draw; else it goes to the discards."""
    sevens: Literal["none", "must_bet_unless_last", "first_must_bet"] = "none"
    """Who must bet a seven or better after the draw (000:254-260; 001:423)."""
    sevens_void: Literal["all_action", "pots_won"] = "all_action"
    """What is bet after the draw and goes back when a seat that checked a seven has the best hand."""
    shown_from: Literal["button", "last_bettor"] = "button"
    """Who shows first at the showdown."""
    capped: Literal["always", "limit_multiway", "multiway_at_start"] = "always"
    """When the number of raises is limited."""
    completes: bool = False
    """After the draw a short all-in bet may be completed, which is no raise (000:260)."""
    muck_code: str = ""
    """Ruling code of a hand that is not shown."""
    action_taken: bool = False
    """State of a question about missing cards; a round knows it."""
    deal_complete: bool = True

    def betting(self, structure: Structure) -> BettingRules:
        return replace(super().betting(structure), capped=self.capped)


class JacksOptions(DrawOptions, frozen=True, forbid_unknown_fields=True, kw_only=True):
    ante_rounds_limit: int | None = None
    carried_antes: dict[int, int] | None = None
    post_draw_first: Literal["opener", "left_of_button"] = "opener"
    wrong_bet: str = "wrong_amount"
    """Refusal code of an opening bet, or a bet, of another size; raises have `wrong_increment`."""


class DrawPokerOptions(DrawOptions, frozen=True, forbid_unknown_fields=True, kw_only=True):
    openers: tuple[str | int, ...] | None = None
    """The least opening hand: `[pair, J]`."""
    no_opener: Literal["reante", "progressive", "lowball"] = "reante"
    first_openers: tuple[str | int, ...] = ("pair", "J")
    """Where the progressive openers begin again after a pair of aces."""
    lowball: str = ""
    """The sheet by which a hand that nobody opened is played on."""
