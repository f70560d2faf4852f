"""The draw: five cards face down, some of them thrown away and replaced off the stub.

`Hands` deals, `Draw` exchanges: who is asked when, how many cards may go, what comes last, and what happens when the
stub runs out are the room's (`DrawOptions`).

How it is carried out is in `drawing`.

Sheets: bankers-draw-jacks-or-better, bankers-lowball-a5, bankers-lowball-27, calgrand-draw-poker,
calgrand-lowball-ace-to-five, calgrand-lowball-deuce-to-seven, turlock-lowball, village-deuce-seven-triple-draw,
village-badugi-triple-draw, village-baduci.
"""

from __future__ import annotations

from controller.engine.round.felt import Move
from controller.games.poker.core.hand import PokerHand
from controller.games.poker.core.streets import Dealing, Street
from controller.games.poker.draw.drawing import DRAW, deal_hands, draw
from controller.games.poker.draw.hand import DrawHand


class Hands(Dealing):
    """So many cards each, one at a time, face down; then what the dealer exposed is replaced."""

    def __init__(self, count: int = 5) -> None:
        self.count = count

    def deal(self, hand: PokerHand, street: Street) -> Move[None]:
        assert isinstance(hand, DrawHand)
        return deal_hands(hand, street, self.count)


class Draw(Dealing):
    """Every live seat, all-in or not, throws cards away and receives as many."""

    def __init__(self, name: str = DRAW) -> None:
        self.name = name
        """What the facts call it where a hand has several."""

    def deal(self, hand: PokerHand, street: Street) -> Move[None]:
        assert isinstance(hand, DrawHand)
        return draw(hand, self.name)
