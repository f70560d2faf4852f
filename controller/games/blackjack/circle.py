"""A betting circle: one wager before the deal, one hand or, after splits, up to as many as the rules allow.

The card split off becomes the hand right after the one it came from. Hands are named and numbered in playing order
("3", "3/2", "3/3"), so a split moves the names of the hands that still wait; what lies under each name is told again.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from controller.engine import events as ev
from controller.engine.cards import Hand
from controller.engine.felt import Table
from controller.engine.inputs import Place, seat_of


class SplitHand(Hand):
    """A hand that began with a split card: it was not dealt, so it makes no natural."""

    __slots__ = ()


@dataclass(eq=False)
class BetHand:
    """One hand of a circle and the money on it."""

    cards: Hand
    stake: int
    """The circle's wager, or the equal one laid down at a split; 0 where the table records no wagers."""
    doubled: int = 0
    surrendered: bool = False
    closed: bool = False
    """No more cards: it stood, doubled or surrendered."""

    @property
    def wager(self) -> int:
        return self.stake + self.doubled

    @property
    def is_split(self) -> bool:
        return isinstance(self.cards, SplitHand)

    @property
    def has_first_cards_only(self) -> bool:
        return len(self.cards) == 2


@dataclass(eq=False)
class Circle:
    """A betting circle that is dealt in."""

    place: Place
    base: int
    hands: list[BetHand] = field(default_factory=list)
    insurance: int = 0
    even_money: bool = False

    @property
    def seat(self) -> int:
        return seat_of(self.place)

    @property
    def name(self) -> str:
        return str(self.place)

    @property
    def splits(self) -> int:
        return len(self.hands) - 1

    def split(self, t: Table, hand: BetHand) -> None:
        """Two cards become two hands, each with a wager as large as the first."""
        at = self.hands.index(hand)
        halves = []
        for slot in hand.cards.slots:
            half = SplitHand(self.name)
            half.slots.append(slot)
            halves.append(BetHand(half, self.base))
        self.hands[at : at + 1] = halves
        for nth, each in enumerate(self.hands[at:], at + 1):
            each.cards.owner = self.name if nth == 1 else f"{self.name}/{nth}"
            t.hands[each.cards.owner] = each.cards
            t.emit(ev.HandShown(each.cards.owner, tuple(each.cards.faces)))

    def lay_down(self, t: Table, wager: str, cents: int) -> None:
        """More money of this circle, so that a void gives it back and the floor can see it."""
        if cents:
            standing = t.book[self.place]
            standing[wager] = standing.get(wager, 0) + cents
            t.emit(ev.WagerSet(self.place, wager, standing[wager]))


def circles_of(t: Table, base_wager: str) -> list[Circle]:
    """The circles that are dealt in, clockwise from the left of the player-dealer, spots of a seat in their order.

    A table that records no wagers deals one hand to every seat.
    """
    first = t.player_dealer or 0
    if not t.setup.records_wagers:
        found = [Circle(seat, 0) for seat in t.clockwise(first) if seat != t.player_dealer]
    else:
        seats = t.clockwise(first, {seat_of(place) for place in t.book})
        places = [place for seat in seats for place in t.places(seat) if t.book[place].get(base_wager)]
        found = [Circle(place, t.book[place][base_wager]) for place in places]
    for circle in found:
        circle.hands.append(BetHand(t.hand(circle.name), circle.base))
    return found
