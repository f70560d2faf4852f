"""Seven piles of seven in the middle, and how they come to the seats.

Piles are numbered from the dealer's left. By hand they grow one card at a time, back and forth; a shuffler delivers
them whole. The action pile goes to the seat that the dice count out, the next pile to its right to the next seat
clockwise, wrapping round, to every position of the table. What lies before a seat without a wager goes to the
discards unseen.
"""

from __future__ import annotations

from collections.abc import Collection

from controller.engine import events as ev
from controller.engine.action_button import counted
from controller.engine.cards import Hand
from controller.engine.felt import Move, Table

CARDS_IN_A_PILE = 7
DISCARDS = "discards"
PLAYER_DEALER = "player_dealer"


def deliver(t: Table, piles: int) -> Move[None]:
    """The shuffler's way: one pile after the other; what is left stays in the machine."""
    for number in range(1, piles + 1):
        yield from t.deal(_pile(t, number), CARDS_IN_A_PILE, up=False)


def deal_back_and_forth(t: Table, piles: int, left_over: int) -> Move[None]:
    """The hand deal: one card at a time, first row left to right, the next right to left, and so on."""
    numbers = list(range(1, piles + 1))
    for row in range(CARDS_IN_A_PILE):
        for number in numbers if row % 2 == 0 else reversed(numbers):
            yield from t.deal(_pile(t, number), up=False)
    yield from t.deal(t.hand(DISCARDS), left_over, up=False, says="Left-over cards to the discards, face down")


def distribute(t: Table, piles: int, action_pile: int, first_seat: int, in_play: Collection[int]) -> None:
    """The piles in their order to the seats in theirs: to those in play, to the player-dealer, or to the discards."""
    for step in range(piles):
        number, seat = counted(action_pile, step, piles), counted(first_seat, step, piles)
        if seat == t.player_dealer:
            owner = PLAYER_DEALER
        else:
            owner = str(seat) if seat in in_play else DISCARDS
        t.hand(owner).slots += t.hands.pop(_name(number)).slots
        t.emit(ev.PileGiven(number, owner))


def _pile(t: Table, number: int) -> Hand:
    return t.hand(_name(number))


def _name(number: int) -> str:
    return f"pile_{number}"
