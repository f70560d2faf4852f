"""The cards of stud on the streets before the last.

No Struct is defined here: the module can be compiled. Sheets: as in `stud`.
"""

from __future__ import annotations

from functools import partial

from controller.engine.felt import Move
from controller.games.poker.hand import known
from controller.games.poker.stud_hand import HOLE_CARDS, StudHand


def deal_first_three(hand: StudHand, street: str) -> Move[None]:
    """Two rounds down, one up, from the lowest seat; a hole card that came up makes the third one go down."""
    hand.phase = "deal"
    hand.begin(street, hand.seats)
    for _ in range(HOLE_CARDS):
        hand.served.clear()
        while serves := [seat for seat in hand.seats if seat not in hand.served and _is_dealt_to(hand, seat)]:
            yield from hand.t.deal_in_turn([hand.hole(seat) for seat in serves], served=hand.served)
    hand.served.clear()
    for seat in hand.seats:
        if _is_dealt_to(hand, seat):
            yield from hand.serve(seat, up=partial(_door_comes_up, hand, seat))
    for seat, slot in hand.door.items():
        slots = hand.hole(seat).slots
        slots.remove(slot)
        slots.append(slot)
    dealt = {seat: hand.hole(seat).slots for seat in hand.seats}
    hand.facts["down"] = {seat: known(slots[:HOLE_CARDS]) for seat, slots in dealt.items()}
    hand.facts["up"] = {seat: known(slots[HOLE_CARDS:]) for seat, slots in dealt.items()}


def _is_dealt_to(hand: StudHand, seat: int) -> bool:
    return hand.stud.dead_seat_gets_door_card or seat not in hand.purse.folded


def _door_comes_up(hand: StudHand, seat: int) -> bool:
    return seat not in hand.door


def deal_one_up(hand: StudHand, street: str) -> Move[None]:
    """Burn, and one card up to everybody who is still dealt to."""
    hand.begin(street, hand.recipients)
    yield from hand.burn()
    for seat in hand.serves:
        if hand.is_contested:
            yield from hand.serve_plainly(seat, up=True)
