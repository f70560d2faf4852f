"""A street: its dealings one after the other, then a betting round.

A game is a tuple of streets. A dealing is what happens with cards before the betting: cards face down, a burn and
community cards, a discard, a draw. The dealings that most games share are here; a family adds its own by subclassing
`Dealing`.

    >>> turn = Street(BetRound("turn", "high"), (CommunityCards(1),))
    >>> turn.name, turn.moment_dealt
    ('turn', 'turn_dealt')
"""

from __future__ import annotations

from controller.engine import events as ev
from controller.engine.betting.rules import BetRound
from controller.engine.native import mypyc_attr
from controller.engine.round.felt import Move
from controller.games.poker.core.hand import PokerHand


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

    def deal(self, hand: PokerHand) -> Move[None]:
        """The cards of the street; what is bet on them comes after."""
        for dealing in self.dealings:
            yield from dealing.deal(hand, self)
        if hand.reopened:
            return
        hand.t.emit(ev.StreetDealt(self.name))
        hand.reached(self.moment_dealt)


class Down(Dealing):
    """Cards to each live seat, one at a time, face down, from the left of the button."""

    def __init__(self, count: int = 1) -> None:
        self.count = count

    def deal(self, hand: PokerHand, street: Street) -> Move[None]:
        t = hand.t
        if street.is_first:
            hand.phase = "deal"
            t.result.phase = "deal_holes"
        yield from t.deal_in_turn([hand.hole(seat) for seat in hand.contenders], self.count)
        if street.is_first:
            hand.phase = street.name
            yield from replace_exposed(hand)


def replace_exposed(hand: PokerHand) -> Move[None]:
    """A hole card that the dealer exposed comes back; the seat gets the next card, the exposed one is the first burn.

    bankers-texas-holdem, 000:103-108.
    """
    while hand.exposed:
        owner, slot = hand.exposed[-1]
        owner.slots.remove(slot)
        hand.take_back(owner.owner, "burn", (slot,))
        yield from hand.t.deal(owner, up=False)
        hand.t.queue.append(slot)
        hand.exposed.pop()  # not before: while its replacement is awaited, a second exposed card is the floor's


class CommunityCards(Dealing):
    """Burn, where the room burns, and turn. After a reshuffle that a ruling ordered, no card is burned."""

    def __init__(self, count: int = 1) -> None:
        self.count = count

    def deal(self, hand: PokerHand, street: Street) -> Move[None]:
        if street.name in hand.early:
            return
        hand.t.result.phase = street.name
        going_back = hand.back_to_stub.pop(street.name, None)
        if going_back is not None:
            hand.shuffle_back(going_back)
        elif hand.options.burn:
            yield from hand.burn()
        hand.turning = street.name
        yield from hand.t.deal(hand.board, self.count, says=f"Turn the {street.name}")
        if hand.missed:
            hand.bury_missed(street.name)
