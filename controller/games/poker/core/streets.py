"""A street: its dealings one after the other, then a betting round.

A game is a tuple of streets. A dealing is what happens with cards before the betting: cards face down, a burn and
cards for the board, a discard, a draw. The dealings that most games share are here; a family adds its own by
subclassing `Dealing`. How they are carried out is in `moves`.

    >>> turn = Street(BetRound("turn", "high"), (Board(1),))
    >>> turn.name, turn.moment_dealt
    ('turn', 'turn_dealt')
"""

from __future__ import annotations

from controller.engine.betting.rules import BetRound
from controller.engine.native import mypyc_attr
from controller.engine.round.felt import Move
from controller.games.poker.core.hand import PokerHand
from controller.games.poker.core.moves import deal_holes, turn_board


@mypyc_attr(allow_interpreted_subclasses=True)
class Dealing:
    """One thing that happens with cards before a betting round."""

    def deal(self, hand: PokerHand, street: Street) -> Move[None]:
        raise NotImplementedError


class Street:
    """What is dealt, and how it is bet on."""

    __slots__ = ("bet", "dealings", "is_first", "moment_dealt", "name")

    def __init__(self, bet: BetRound, dealings: tuple[Dealing, ...] = (), moment: str = "") -> None:
        self.bet, self.dealings = bet, dealings
        self.name, self.is_first = bet.name, bet.first
        self.moment_dealt = moment or ("dealt" if bet.first else f"{bet.name}_dealt")
        """What the collections call it when its cards are out: `<name>_dealt`, or the `moment` given: third_card."""


class Down(Dealing):
    """So many cards to each live seat, one at a time, face down, from the left of the button."""

    def __init__(self, count: int = 1) -> None:
        self.count = count

    def deal(self, hand: PokerHand, street: Street) -> Move[None]:
        return deal_holes(hand, street, self.count)


class Board(Dealing):
    """Burn, where the room burns, and turn. After a reshuffle that a ruling ordered, no card is burned."""

    def __init__(self, count: int = 1) -> None:
        self.count = count

    def deal(self, hand: PokerHand, street: Street) -> Move[None]:
        return turn_board(hand, street, self.count)
