"""What differs between the rooms that deal Three Card Poker, and the wagers that follow from it."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import Annotated, Literal

from msgspec import Meta, Struct

from controller.engine.bets.back_line import BackLine, behind
from controller.engine.bets.wagers import BonusMinimum, WagerRule
from controller.engine.fees.schedule import Schedule
from controller.engine.money.bank import Odds
from controller.engine.ranking import THREE_CARD, THREE_CARD_MINI_ROYAL, Category, High
from controller.games.ante.options import Payoff
from controller.games.ante.settlement import pay_table

TRIPS = Category.THREE_OF_A_KIND
NO_SCHEDULE = Schedule("", (), ())
STEP_CODE = "not_a_multiple_of_5_dollars"
CountedCards = Literal["three_cards", "six_cards"]
Coverage = Literal["single_use", "collect_then_pay"]


class Bonus(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A bonus bet, paid by the hand alone."""

    title: str
    by: CountedCards = "three_cards"
    """The player's own cards, or the best five of those and the player-dealer's."""
    lives_after_fold: bool = False
    amount: Literal["any", "equal_to_ante", "up_to_ante"] = "any"
    needs_code: str = "needs_ante"
    amount_code: str = ""
    once: bool = False
    pays: dict[Category, Payoff]


class ThreeCardPays(Struct, frozen=True, forbid_unknown_fields=True):
    ante: Payoff
    play: Payoff


class ThreeCardOptions(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, dict=True):
    """Options of all six rulesets; each names its own, with defaults and sources."""

    decks: Annotated[int, Meta(ge=1, le=6)] = 1
    device: Literal["shuffler", "shoe"] | None = None
    deal: Literal["packets", "one_at_a_time"] = "packets"
    nonqualify_not_beaten: Literal["pay", "push", "lose"] = "lose"
    nonqualify_lower_hand: Literal["lose", "return"] = "lose"
    nonqualify_tie: Literal["push", "lose"] = "push"
    coverage: Coverage = "single_use"
    a23_suited: Literal["straight_flush", "flush"] = "straight_flush"
    settlement_start: Literal["left_of_player_dealer", "action_button", "posted_button"] = "left_of_player_dealer"
    """The seat whose wagers are settled first."""
    six_card_three_of_a_kind: Annotated[int, Meta(ge=1)] | None = None
    bonus_minimum: BonusMinimum = "table"
    schedule: Schedule | None = None

    most_seats: int | None = None
    """The most seats of a table, the player-dealer's among them; absent: the text states no number."""
    positions: int = 8
    """Places at the table, the player-dealer's included."""
    deal_from: Literal["player_dealer", "house_dealer"] = "player_dealer"
    """From whose left the deal and the decisions run."""
    nonqualify: Literal["pay_all", "beat_to_win", "showdown"]
    """The ante when the player-dealer does not qualify: paid to all; by `nonqualify_not_beaten`; by the hands."""
    mini_royal: bool = False
    """Suited A-K-Q is called so."""
    folds_first: bool = False
    """Forfeited wagers use the player-dealer's money before all others; else at their seat's turn."""
    back_line: BackLine = BackLine()
    back_line_last: bool = False
    """Bettors behind are settled after all seated ones, second spots before third; else with their seat."""
    trips_must_be_set: bool = False
    """The six-card payoff of three of a kind is not printed: the house posts it before the bet is open."""
    button_told: bool = False
    """The result names the seat settled first."""
    up_card_points: bool = False
    """The result names the seat that the player-dealer's up card counts out, whether settlement begins there or not."""
    play_code: str = "play_not_equal_ante"
    unruled: str = ""
    """The sheet's word for an irregularity that its text does not rule."""
    decks_in_rotation: Literal[1, 2] = 1
    """2: two decks of different back colours take turns, round by round."""
    unloads_rest: bool = False
    """What is left in the shuffler after the deal goes to the discard rack, unseen."""
    bonuses: dict[str, Bonus]
    """The bonus bets of the room; what they pay is among the pay tables."""
    pays: ThreeCardPays

    @cached_property
    def ranking(self) -> High:
        chart = THREE_CARD_MINI_ROYAL if self.mini_royal else THREE_CARD
        return High(replace(chart, suited_wheel="flush") if self.a23_suited == "flush" else chart)

    @cached_property
    def tables(self) -> dict[str, dict[Category, Odds]]:
        tables = {name: pay_table(bonus.pays) for name, bonus in self.bonuses.items()}
        if self.six_card_three_of_a_kind is not None:
            for name, bonus in self.bonuses.items():
                if bonus.by == "six_cards":
                    tables[name][TRIPS] = Odds(f"{self.six_card_three_of_a_kind}:1")
        return tables

    def wagers(self) -> tuple[WagerRule, ...]:
        posted = self.schedule or NO_SCHEDULE
        ante = WagerRule(
            "ante",
            "Ante",
            step=posted.wager_step,
            off_step=posted.off_step,
            step_code=STEP_CODE,
            position_max=posted.house.position_limit,
        )
        bonuses = (self._bonus_rule(name, bonus) for name, bonus in self.bonuses.items())
        return behind((ante, *bonuses), self.back_line)

    def _bonus_rule(self, name: str, bonus: Bonus) -> WagerRule:
        unset = self.trips_must_be_set and bonus.by == "six_cards" and self.six_card_three_of_a_kind is None
        posted = self.schedule or NO_SCHEDULE
        once = "one_per_player_per_position" if posted.bonus_per == "position" else "one_per_regular_wager"
        return WagerRule(
            name,
            bonus.title,
            needs=("ante",) if bonus.amount != "equal_to_ante" else (),
            needs_code=bonus.needs_code,
            equals="ante" if bonus.amount == "equal_to_ante" else None,
            equals_code=bonus.amount_code,
            at_most="ante" if bonus.amount == "up_to_ante" else None,
            at_most_code=bonus.amount_code or "above_base_wager",
            once=once if bonus.once else None,
            counts_as="bonus",
            any_minimum=self.bonus_minimum == "none",
            step=posted.wager_step,
            off_step=posted.off_step,
            step_code=STEP_CODE,
            position_max=posted.house.position_limit,
            seats=() if unset else None,
            seats_code="payoff_not_set" if unset else "not_offered",
        )


class ThreeCardSettings(Struct, frozen=True):
    action_button: int | None = None
    """The seat settled first, where the house uses a button."""
