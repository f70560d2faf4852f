"""What a ruleset and a table choose at Fortune Pai Gow Poker."""

from __future__ import annotations

from functools import cached_property
from typing import Annotated, Literal

from msgspec import Meta, Struct

from controller.engine.collections import Schedule
from controller.engine.house_way import HouseWay, HouseWayData, Seven
from controller.engine.money import Odds
from controller.engine.ranking import High
from controller.engine.wagers import WagerRule
from controller.games.pai_gow.bonus import HANDS, NONE, Bonus

Payoff = Annotated[str, Meta(pattern=r"^[1-9]\d*:[1-9]\d*$")]
Cents = Annotated[int, Meta(ge=0)]


class FortunePays(Struct, frozen=True, forbid_unknown_fields=True):
    """Bonus rows stand best first: the order of the table is the ranking of the bonus."""

    base: Payoff
    fortune: dict[str, Payoff]
    envy: dict[str, Cents]
    """Fixed amounts for the holder of an Envy button, by the other player's hand."""
    envy_from: Cents
    """The Fortune bet that brings an Envy button."""

    def __post_init__(self) -> None:
        for name in self.fortune:
            if name not in HANDS:
                raise ValueError(f"pays.fortune.{name}: seven of 53 cards make no such hand")
        for name in self.envy:
            if name not in self.fortune:
                raise ValueError(f"pays.envy.{name}: the Fortune table has no such row")


class FortuneOptions(Struct, frozen=True, forbid_unknown_fields=True, dict=True):
    """Options of Fortune Pai Gow Poker; defaults and their sources are in the ruleset."""

    deal_device: Literal["shuffler", "hand"]
    joker: Literal["fully_wild", "semi_wild"]
    coverage: Literal["single_use"]
    envy_trigger: Literal["any_player", "fortune_bettor"]
    schedule: Schedule | None
    table_min: Cents | None
    table_max: Cents | None
    base_wager: str
    positions: Annotated[int, Meta(ge=2, le=7)]
    player_dealer_counts: int
    """The number that the dice count the player-dealer as."""
    pays: FortunePays
    house_way: HouseWayData

    @cached_property
    def ranking(self) -> Seven:
        return Seven(High(jokers="wild" if self.joker == "fully_wild" else "bug"))

    @cached_property
    def setter(self) -> HouseWay:
        return HouseWay(self.house_way, self.ranking)

    @cached_property
    def bonus(self) -> Bonus:
        return Bonus(tuple(self.pays.fortune), self.ranking.back)

    @cached_property
    def wagers(self) -> tuple[WagerRule, ...]:
        return (
            WagerRule(self.base_wager, "Pai Gow", min=self.table_min or 0, max=self.table_max),
            WagerRule(
                "fortune",
                "Fortune",
                max=self.table_max,
                needs=(self.base_wager,),
                needs_code="needs_base_wager",
                first_spot_only="backline_base_only",
                counts_as="bonus",
                any_minimum=True,
            ),
        )

    def payoff(self, hand: str, stake: int) -> int | None:
        """What a Fortune bet wins with this hand; None where it loses."""
        return None if hand == NONE else Odds(self.pays.fortune[hand]).payoff(stake)
