"""What a room may choose about Ultimate Texas Hold'em, its pay tables and its wagers."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from controller.engine.bets.back_line import BackLine, behind
from controller.engine.bets.wagers import BonusMinimum, WagerRule
from controller.engine.fees.schedule import Schedule
from controller.engine.money.bank import Odds
from controller.engine.ranking import STANDARD, Category
from controller.games.ante.options import Payoff
from controller.games.ante.settlement import whole_chip_step
from controller.games.tips import DealerTips, tip_rules


class UthPays(Struct, frozen=True, forbid_unknown_fields=True):
    """Best hand first; a hand that is not listed loses its trips bonus, and pushes a winning blind."""

    ante: Payoff
    play: Payoff
    trips: dict[Category, Payoff]
    blind: dict[Category, Payoff]

    def __post_init__(self) -> None:
        for name, table in (("trips", self.trips), ("blind", self.blind)):
            for hand in table:
                if hand not in HANDS:
                    raise ValueError(f"pays.{name}.{hand}: 52 cards without a joker do not make that hand")


class UthOptions(Struct, frozen=True, forbid_unknown_fields=True):
    """Options of Ultimate Texas Hold'em; defaults and their sources are in the rulesets."""

    deal_device: Literal["shuffler", "shoe"]
    acting_order: Literal["deal", "player_dealer_left"]
    trips_on_fold: Literal["full_hand", "board_only"]
    folded_trips_paid: Literal["in_turn", "at_fold"]
    broken_blind: Literal["round_down", "nearest", "round_up", "refuse"]
    chip_unit: Annotated[int, Meta(ge=1)]
    coverage: Literal["single_use"]
    bonus_minimum: BonusMinimum
    schedule: Schedule | None
    pays: UthPays
    back_line: BackLine = BackLine()
    dealer_tips: DealerTips = "refused"
    unruled: str = ""
    """The sheet's word for an irregularity that its text does not rule."""
    decks_in_rotation: Literal[1, 2] = 1
    """2: two decks of different back colours take turns, round by round."""
    unloads_rest: bool = False
    """What is left in the shuffler after the deal goes to the discard rack, unseen."""
    most_seats: int | None = None
    """The most seats of a table, the player-dealer's among them; absent: the text states no number."""
    asks_every_hand: bool = False
    """Ask a seat in every window, even where its play wager is made: to judge a second one."""


HANDS = frozenset(STANDARD.categories) - {Category.FIVE_OF_A_KIND}


def wager_rules(options: UthOptions) -> tuple[WagerRule, ...]:
    step = 1
    if options.broken_blind == "refuse":
        step = whole_chip_step(map(Odds, options.pays.blind.values()), options.chip_unit)
    rules = (
        WagerRule("ante", "Ante"),
        WagerRule("blind", "Blind", equals="ante", equals_code="blind_not_equal_ante", step=step),
        WagerRule(
            "trips",
            "Trips",
            needs=("ante", "blind"),
            needs_all=True,
            needs_code="needs_ante_and_blind",
            counts_as="bonus",
            any_minimum=options.bonus_minimum == "none",
        ),
    )
    tips = tip_rules(options.dealer_tips, options.schedule, "ante", options.back_line)
    return (*behind(rules, options.back_line), *tips)
