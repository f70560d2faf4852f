"""Seven-card stud: high, low (Razz) and high-low, as two rooms play it.

Two cards down and one up; the lowest (in Razz the highest) door card must open; then a card up on fourth, fifth and
sixth street and one down on seventh, the best cards in sight acting first. What the rooms do differently is data: how
the hand is opened, what an open pair allows, what becomes of a stub that is too short, which events are ruled how.

Sheets: bankers-seven-card-stud, bankers-razz, calgrand-seven-card-stud.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from controller.engine import events as ev
from controller.engine.betting import BetRound, FixedLimit
from controller.engine.felt import Move, Table
from controller.engine.game import Ruling
from controller.engine.pots import SidePot
from controller.games.poker.game import Poker
from controller.games.poker.hand import PokerHand
from controller.games.poker.settings import PokerSettings
from controller.games.poker.showdown import Claims
from controller.games.poker.streets import Dealing, Street
from controller.games.poker.stud_hand import HOLE_CARDS, StudHand
from controller.games.poker.stud_moves import deal_first_three, deal_one_up
from controller.games.poker.stud_options import StudOptions
from controller.games.poker.stud_rulings import STUD_RULINGS
from controller.games.poker.stud_seventh import deal_seventh


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

    def open_betting(self, hand: PokerHand, street: Street) -> None:
        assert isinstance(hand, StudHand)
        if len(hand.contenders) == 1:
            hand.act_in(hand.contenders, street.bet)
        elif street.bet.first:
            self._open_third(hand, street.bet)
        elif street.name == "seventh" and hand.no_betting:
            hand.act_in([], street.bet)
        else:
            # On seventh street nothing new is in sight, or not to count; only a community card is (000:194, 000:202).
            counts = hand.stud.shortage == "scramble" and street.name == "seventh"
            hand.act_in(hand.clockwise_from(hand.best_in_sight(community=counts)), street.bet)
            if street.bet.open_pair:
                hand.action.open_pairs = hand.open_pairs()

    def _open_third(self, hand: StudHand, round: BetRound) -> None:
        """By the door cards; a blind that is in already is a bet, and nobody must open."""
        if hand.stud.bring_in_is_posted and not hand.action.current:
            self._bring_in(hand, round)
            return
        able = [seat for seat in hand.contenders if hand.purse.can_act(seat)] or hand.contenders
        first = hand.opener(able)
        hand.act_in(hand.clockwise_from(first), round)
        if hand.stud.opens(hand.structure) != "none" and not hand.action.current and hand.purse.can_act(first):
            hand.action.opener = hand.facts["opener"] = first

    def _bring_in(self, hand: StudHand, round: BetRound) -> None:
        """Posted by the rules; where its owner is dead or all-in the next seat may open or fold (000:167, 000:171)."""
        with_door = [seat for seat in hand.seats if len(hand.hole(seat)) > HOLE_CARDS]
        low = hand.facts["low_card_seat"] = hand.opener(with_door)
        hand.act_in(hand.t.clockwise(low, hand.contenders), round)
        structure = hand.structure
        if not hand.purse.can_act(low):
            hand.action.opening_is_free = True
            if low not in hand.purse.folded:
                hand.facts["all_in_for_ante"] = low
            return
        forced = structure.forced if isinstance(structure, FixedLimit) else None
        posted = hand.action.open(low, forced or structure.unit(round))
        hand.facts["bring_in_seat"] = low
        hand.paid(low)
        hand.t.emit(ev.WagerSet(low, "bring_in", posted))
        if low in hand.absent:
            hand.forfeit(low)

    def settle(self, hand: PokerHand) -> Move[None]:
        yield from super().settle(hand)
        has_halves = hand.rankings.high is not None and hand.rankings.low is not None
        for pot in hand.t.result.pots:
            if len(set(pot.to.values())) > 1 and not has_halves:
                hand.facts["odd_chip_to"] = max(pot.to, key=pot.to.__getitem__)
