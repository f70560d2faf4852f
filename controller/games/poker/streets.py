"""A street: cards, then a betting round."""

from __future__ import annotations

from msgspec import Struct

from controller.engine import events as ev
from controller.engine.betting import BetRound
from controller.engine.felt import Move
from controller.games.poker.hand import PokerHand


class Street(Struct, frozen=True):
    """What is dealt, and how it is bet on."""

    bet: BetRound
    hole: int = 0
    """Cards face down to each seat."""
    board: int = 0
    """Cards face up in the middle, after a burn."""

    @property
    def name(self) -> str:
        return self.bet.name


def deal_hole(hand: PokerHand, street: Street) -> Move[None]:
    """One card at a time, face down, from the left of the button."""
    hand.phase = "deal"
    t = hand.t
    for _ in range(street.hole):
        for seat in hand.seats:
            yield from t.deal(t.hand(str(seat)), up=False)
    hand.phase = street.name
    yield from replace_exposed(hand)
    t.emit(ev.StreetDealt(street.name))


def replace_exposed(hand: PokerHand) -> Move[None]:
    """A hole card that the dealer exposed comes back; the seat gets the next card, the exposed one is the first burn.

    bankers-texas-holdem, 000:103-108.
    """
    while hand.exposed:
        owner, slot = hand.exposed.pop()
        owner.slots.remove(slot)
        hand.take_back(owner.owner, "burn", (slot,))
        yield from hand.t.deal(owner, up=False)
        hand.t.queue.append(slot)


def turn_board(hand: PokerHand, street: Street) -> Move[None]:
    """Burn and turn. After a reshuffle that a ruling ordered, no card is burned."""
    if street.name in hand.early:
        hand.t.emit(ev.StreetDealt(street.name))
        return
    going_back = hand.back_to_stub.pop(street.name, None)
    if going_back is None:
        yield from hand.burn()
    else:
        hand.shuffle_back(going_back)
    hand.turning = street.name
    yield from hand.t.deal(hand.board, street.board, says=f"Turn the {street.name}")
    hand.t.emit(ev.StreetDealt(street.name))


def bet(hand: PokerHand) -> Move[None]:
    """Ask seat after seat until the betting round is complete."""
    t, action = hand.t, hand.action
    while (seat := action.next_seat()) is not None:
        choices, barred = action.choices(seat)
        act = yield from t.ask(seat, choices, barred=barred)
        action.take(seat, act.do, act.to)
        hand.acts += 1
        hand.paid(seat)
