"""What a ruleset of the blackjack family lays down.

The fields are data from the cardroom's file, each an option or a reading of its sheet; the methods are the few rules
that no table of numbers tells: which cards are a natural, which may be split, who beats whom. A game of the family
fills in both.
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from controller.engine.cards import Card, Hand
from controller.engine.collections import Schedule
from controller.engine.money import Odds
from controller.engine.wagers import WagerRule
from controller.games.blackjack.counting import VALUES, Chart, Count

Outcome = str
"""What became of a hand, in the sheet's word: win, lose, push, surrender, and what a game adds."""


class Refusals(Struct, frozen=True, forbid_unknown_fields=True):
    """A sheet's codes for what it refuses; where it has none, the kernel's own words."""

    must_hit: str = "must_hit"
    must_stand: str = "must_stand"
    double_above: str = "above_maximum"
    split_not_equal: str = "not_equal"
    no_more_splits: str = "not_offered"
    insurance_above: str = "above_maximum"
    insurance_not_offered: str = "not_offered"


class BlackjackRules(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The data that every ruleset of the family has."""

    decks: Annotated[int, Meta(ge=1, le=8)]
    base_wager: str
    """What the sheet calls the wager before the deal."""
    wager_step: Annotated[int, Meta(ge=1)]
    player_chart: Chart
    player_dealer_chart: Chart
    max_splits: Annotated[int, Meta(ge=0, le=7)]
    double_after_split: bool
    resplit_aces: bool
    one_card_on_split_aces: bool
    double_on_must_stand: bool
    surrender: Literal["late", "early"]
    insurance: bool
    insurance_settled: Literal["at_check", "after_base"]
    action_card: Literal["rank", "count"]
    coverage: Literal["single_use"]
    schedule: Schedule | None = None
    """The collection schedule posted at the table."""
    refusals: Refusals = Refusals()

    def __post_init__(self) -> None:
        if not self.player_dealer_chart.leaves_no_choice:
            raise ValueError(
                "player_dealer_chart must say hit or stand to every hand: give stand_soft and hit_soft too"
            )

    @property
    def wagers(self) -> tuple[WagerRule, ...]:
        return (WagerRule(self.base_wager, "Wager", step=self.wager_step),)

    def count(self, hand: Hand) -> Count:
        """What a hand counts, marked where it is a natural."""
        raise NotImplementedError

    def shown(self, count: Count) -> int | float:
        """The total as the results write it."""
        return count.total

    def may_split(self, one: Card, other: Card) -> bool:
        raise NotImplementedError

    def is_checked(self, up: Card) -> bool:
        """Whether the dealer looks under this up card for a natural before anybody draws."""
        raise NotImplementedError

    def insures(self, up: Card) -> bool:
        """Whether insurance is offered against this up card."""
        raise NotImplementedError

    def outcome(self, count: Count, bank: Count, bank_hand: Hand) -> Outcome:
        """A hand that was played to its end against the player-dealer's."""
        raise NotImplementedError

    def odds(self, outcome: Outcome, *, even_money: bool) -> Odds | None:
        """What an outcome pays; None where it does not win."""
        raise NotImplementedError

    @property
    def insurance_odds(self) -> Odds:
        raise NotImplementedError

    def flags(self, bank_hand: Hand) -> dict[str, bool]:
        """Named facts of the player-dealer's complete hand."""
        return {}

    def button_count(self, down: Card) -> int:
        """How many seats the action button goes, by the player-dealer's down card."""
        ace_to_king = 1 if down.rank == 14 else down.rank
        return ace_to_king if self.action_card == "rank" else VALUES[down.rank]
