"""Seven-card stud: high, low (Razz) and high-low, as two rooms play it.

Two cards down and one up; the lowest (in Razz the highest) door card must open; then a card up on fourth, fifth and
sixth street and one down on seventh, the best cards in sight acting first. What the rooms do differently is data: how
the hand is opened, what an open pair allows, what happens when the stub is too short, which events are ruled how.

Sheets: bankers-seven-card-stud, bankers-razz, calgrand-seven-card-stud.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import ClassVar

from controller.engine import events as ev
from controller.engine.betting.rules import BetRound, FixedLimit
from controller.engine.round.felt import Move, Table
from controller.engine.round.game import Posting, Ruling
from controller.games.poker.core.hand import PokerHand, known
from controller.games.poker.core.script import Poker
from controller.games.poker.core.settings import PokerSettings
from controller.games.poker.core.streets import Dealing, Street
from controller.games.poker.stud.hand import HOLE_CARDS, StudHand
from controller.games.poker.stud.options import StudOptions
from controller.games.poker.stud.rulings import STUD_RULINGS
from controller.games.poker.stud.seventh import deal_seventh
from controller.games.poker.stud.showdown import StudClaims


class FirstThree(Dealing):
    """Two rounds down, one up, from the lowest seat; a hole card that came up makes the third one go down."""

    def deal(self, hand: PokerHand, street: Street) -> Move[None]:
        assert isinstance(hand, StudHand)
        hand.phase = "deal"
        hand.begin(street.name, hand.seats)
        for _ in range(HOLE_CARDS):
            hand.served.clear()
            while serves := [seat for seat in hand.seats if seat not in hand.served and _is_dealt_to(hand, seat)]:
                yield from hand.t.deal_in_turn([hand.hole(seat) for seat in serves], served=hand.served)
        hand.served.clear()
        while serves := [seat for seat in hand.seats if seat not in hand.served and _is_dealt_to(hand, seat)]:
            yield from hand.serve(serves, partial(_door_comes_up, hand))
        for seat, slot in hand.door.items():
            slots = hand.hole(seat).slots
            slots.remove(slot)
            slots.append(slot)
        dealt = {seat: hand.hole(seat).slots for seat in hand.seats}
        hand.facts.down = {seat: known(slots[:HOLE_CARDS]) for seat, slots in dealt.items()}
        hand.facts.up = {seat: known(slots[HOLE_CARDS:]) for seat, slots in dealt.items()}


class OneUp(Dealing):
    """Burn, and one card up to everybody who is still dealt to."""

    def deal(self, hand: PokerHand, street: Street) -> Move[None]:
        assert isinstance(hand, StudHand)
        hand.begin(street.name, hand.recipients)
        yield from hand.burn()
        while hand.is_contested and (serves := [seat for seat in hand.serves if seat not in hand.served]):
            yield from hand.t.deal_in_turn([hand.hole(seat) for seat in serves], served=hand.served, up=True)


class SeventhStreet(Dealing):
    """One card down, or what the room does when the stub is too short for it."""

    def deal(self, hand: PokerHand, street: Street) -> Move[None]:
        assert isinstance(hand, StudHand)
        return deal_seventh(hand, street.name)


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
        """The best cards in sight act first; on third street the door cards decide who must open."""
        assert isinstance(hand, StudHand)
        round = street.bet
        if not hand.is_contested:
            hand.act_in(hand.contenders, round)
        elif round.first:
            _open_third(hand, round)
        elif round.name == "seventh" and hand.no_betting:
            hand.act_in([], round)
        else:
            # On seventh street nothing new is in sight, or not to count; only a community card is (000:194, 000:202).
            counts = round.name == "seventh" and hand.stud.shortage == "scramble"
            hand.act_in(hand.clockwise_from(hand.best_in_sight(community=counts)), round)
            if round.open_pair:
                hand.action.open_pairs = hand.open_pairs()

    def settle(self, hand: PokerHand) -> Move[None]:
        yield from super().settle(hand)
        has_halves = hand.rankings.high is not None and hand.rankings.low is not None
        for pot in hand.t.result.pots:
            if len(set(pot.to.values())) > 1 and not has_halves:
                hand.facts.odd_chip_to = max(pot.to, key=pot.to.__getitem__)


def _is_dealt_to(hand: StudHand, seat: int) -> bool:
    return hand.stud.dead_seat_gets_door_card or seat not in hand.purse.folded


def _door_comes_up(hand: StudHand, seat: int) -> bool:
    return seat not in hand.door


def _open_third(hand: StudHand, round: BetRound) -> None:
    """By the door cards; a blind that is in already is a bet, and nobody must open."""
    if hand.stud.bring_in_is_posted and not hand.action.current:
        _bring_in(hand, round)
        return
    first = hand.opener(hand.purse.able(hand.contenders) or hand.contenders)
    hand.act_in(hand.clockwise_from(first), round)
    if hand.opens != "none" and not hand.action.current and hand.purse.can_act(first):
        hand.action.opener = hand.facts.opener = first


def _bring_in(hand: StudHand, round: BetRound) -> None:
    """Posted by the rules; where its owner is dead or all-in the next seat may open or fold (000:167, 000:171)."""
    with_door = [seat for seat in hand.seats if len(hand.hole(seat)) > HOLE_CARDS]
    low = hand.facts.low_card_seat = hand.opener(with_door)
    hand.act_in(hand.t.clockwise(low, hand.contenders), round)
    structure = hand.structure
    if not hand.purse.can_act(low):
        hand.action.opening_is_free = True
        if low not in hand.purse.folded:
            hand.facts.all_in_for_ante = low
        return
    forced = structure.forced if isinstance(structure, FixedLimit) else None
    posted = hand.action.open(low, forced or structure.unit(round))
    hand.facts.bring_in_seat = low
    hand.paid(low)
    hand.t.emit(ev.WagerSet(low, "bring_in", posted))
    if low in hand.absent:
        hand.forfeit(low)
