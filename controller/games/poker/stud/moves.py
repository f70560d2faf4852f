"""The cards of stud on the streets before the last, and who opens the betting on each.

No Struct is defined here: the module can be compiled. Sheets: as in `stud`.
"""

from __future__ import annotations

from functools import partial

from controller.engine import events as ev
from controller.engine.betting.rules import BetRound, FixedLimit
from controller.engine.round.felt import Move
from controller.games.poker.core.hand import known
from controller.games.poker.stud.hand import HOLE_CARDS, StudHand


def deal_first_three(hand: StudHand, street: str) -> Move[None]:
    """Two rounds down, one up, from the lowest seat; a hole card that came up makes the third one go down."""
    hand.phase = "deal"
    hand.begin(street, hand.seats)
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


def _is_dealt_to(hand: StudHand, seat: int) -> bool:
    return hand.stud.dead_seat_gets_door_card or seat not in hand.purse.folded


def _door_comes_up(hand: StudHand, seat: int) -> bool:
    return seat not in hand.door


def deal_one_up(hand: StudHand, street: str) -> Move[None]:
    """Burn, and one card up to everybody who is still dealt to."""
    hand.begin(street, hand.recipients)
    yield from hand.burn()
    while hand.is_contested and (serves := [seat for seat in hand.serves if seat not in hand.served]):
        yield from hand.t.deal_in_turn([hand.hole(seat) for seat in serves], served=hand.served, up=True)


def open_betting(hand: StudHand, round: BetRound) -> None:
    """The best cards in sight act first; on third street the door cards say who must open."""
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
