"""A street: its dealings one after the other, then a betting round.

A game is a tuple of streets. A dealing is what happens with cards before the betting: cards face down, a burn and
cards for the board, a discard, a draw. The dealings that most games share are here; a family adds its own by
subclassing `Dealing`. How they are carried out is in `moves`.

    >>> turn = Street(BetRound("turn", "high"), (Board(1),))
    >>> turn.name, turn.moment_dealt
    ('turn', 'turn_dealt')
"""

from __future__ import annotations

from msgspec import Struct

from controller.engine.betting import BetRound
from controller.engine.felt import Move
from controller.games.poker.hand import PokerHand
from controller.games.poker.moves import deal_holes, turn_board


class Dealing(Struct, frozen=True):
    """One thing that happens with cards before a betting round."""

    def deal(self, hand: PokerHand, street: Street) -> Move[None]:
        raise NotImplementedError


class Street(Struct, frozen=True):
    """What is dealt, and how it is bet on."""

    bet: BetRound
    dealings: tuple[Dealing, ...] = ()
    moment: str = ""
    """What the collections call it when its cards are out, where that is not `<name>_dealt`: third_card."""

    @property
    def name(self) -> str:
        return self.bet.name

    @property
    def moment_dealt(self) -> str:
        return self.moment or ("dealt" if self.bet.first else f"{self.name}_dealt")


class Down(Dealing, frozen=True):
    """So many cards to each live seat, one at a time, face down, from the left of the button."""

    count: int = 1

    def deal(self, hand: PokerHand, street: Street) -> Move[None]:
        return deal_holes(hand, street, self.count)


class Board(Dealing, frozen=True):
    """Burn, where the room burns, and turn. After a reshuffle that a ruling ordered, no card is burned."""

    count: int = 1

    def deal(self, hand: PokerHand, street: Street) -> Move[None]:
        return turn_board(hand, street, self.count)
