"""Seven-card stud: high, low (Razz) and high-low, as two rooms play it.

Two cards down and one up; the lowest (in Razz the highest) door card must open; then a card up on fourth, fifth and
sixth street and one down on seventh, the best cards in sight acting first. What the rooms do differently is data: how
the hand is opened, what an open pair allows, what becomes of a stub that is too short, which events are ruled how.

Sheets: bankers-seven-card-stud, bankers-razz, calgrand-seven-card-stud.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from controller.engine.betting.rules import BetRound
from controller.engine.money.pots import SidePot
from controller.engine.round.felt import Move, Table
from controller.engine.round.game import Posting, Ruling
from controller.games.poker.core.game import Poker
from controller.games.poker.core.hand import PokerHand
from controller.games.poker.core.settings import PokerSettings
from controller.games.poker.core.showdown import Claims
from controller.games.poker.core.streets import Dealing, Street
from controller.games.poker.stud.hand import StudHand
from controller.games.poker.stud.moves import deal_first_three, deal_one_up, open_betting
from controller.games.poker.stud.options import StudOptions
from controller.games.poker.stud.rulings import STUD_RULINGS
from controller.games.poker.stud.seventh import deal_seventh


class FirstThree(Dealing):
    """Two cards down and one up."""

    def deal(self, hand: PokerHand, street: Street) -> Move[None]:
        assert isinstance(hand, StudHand)
        return deal_first_three(hand, street.name)


class OneUp(Dealing):
    """Burn, and one card up to everybody who is still dealt to."""

    def deal(self, hand: PokerHand, street: Street) -> Move[None]:
        assert isinstance(hand, StudHand)
        return deal_one_up(hand, street.name)


class SeventhStreet(Dealing):
    """One card down, or what the room does when the stub is too short for it."""

    def deal(self, hand: PokerHand, street: Street) -> Move[None]:
        assert isinstance(hand, StudHand)
        return deal_seventh(hand, street.name)


class StudClaims(Claims):
    """Odd chips by the highest card among the seven, rank before suit, or by the lowest (000:204, 000:208, 1157)."""

    def of(self, pot: SidePot) -> list[int]:
        order, hand = super().of(pot), self.hand
        assert isinstance(hand, StudHand)
        if hand.options.odd_chip == "lowest_card":
            order.sort(key=lambda seat: min(map(hand.card_key, hand.hole(seat).cards)))
        elif hand.options.odd_chip == "highest_card":
            order.sort(key=lambda seat: max(map(hand.card_key, hand.hole(seat).cards)), reverse=True)
        return order


class SevenCardStud(Poker[StudOptions]):
    slug = "seven-card-stud"
    title = "Seven Card Stud"
    options_type = StudOptions
    opens_with: ClassVar[tuple[Posting, ...]] = ("antes",)
    claims = StudClaims
    dealt: ClassVar[tuple[Street, ...]] = (
        Street(BetRound("third", first=True, check=False), (FirstThree(),)),
        Street(BetRound("fourth", open_pair=True), (OneUp(),)),
        Street(BetRound("fifth", "high"), (OneUp(),)),
        Street(BetRound("sixth", "high"), (OneUp(),)),
        Street(BetRound("seventh", "high"), (SeventhStreet(),)),
    )

    def streets(self, options: StudOptions) -> Sequence[Street]:
        return self.dealt

    @property
    def rulings(self) -> Mapping[str, Ruling]:
        return STUD_RULINGS

    def make_hand(self, t: Table, options: StudOptions, settings: PokerSettings) -> StudHand:
        return StudHand(t, options, settings, self.rankings(options))

    def floor_sets(self) -> tuple[Posting, ...]:
        return ("button_moves", "structure", "forced", "kill", "antes", "stacks")

    def open_betting(self, hand: PokerHand, street: Street) -> None:
        assert isinstance(hand, StudHand)
        open_betting(hand, street.bet)

    def settle(self, hand: PokerHand) -> Move[None]:
        yield from super().settle(hand)
        has_halves = hand.rankings.high is not None and hand.rankings.low is not None
        for pot in hand.t.result.pots:
            if len(set(pot.to.values())) > 1 and not has_halves:
                hand.facts.odd_chip_to = max(pot.to, key=pot.to.__getitem__)
