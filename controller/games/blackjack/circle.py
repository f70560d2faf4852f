"""A betting circle: one wager before the deal, one hand or, after splits, up to the number that the rules allow.

The card split off becomes the hand right after the one it came from. Hands are named and numbered in playing order
("3", "3/2", "3/3"), so a split moves the names of the hands that still wait; their cards are published again.

Further spots of a seat are circles of their own, or back-line: bettors behind the seat who share its hand. The first
bettor of a hand who has not surrendered decides whether it draws; one behind may double or split it with his own money.
The others may join before the next card; who does not keeps his single wager, which stays on one of the two hands
(`BackLine.unsplit`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from controller.engine import events as ev
from controller.engine.cards.card import Card, Hand, SplitHand
from controller.engine.inputs import Place, seat_of
from controller.engine.round.felt import Table

DealFrom = Literal["player_dealer_left", "house_dealer_left"]
"""Whose left neighbour gets the first card; seat 1 is at the house dealer's left."""

FurtherSpots = Literal["own_hands", "behind"]
"""What the second and later spots of a seat are: circles with hands of their own, or bettors behind its hand."""


@dataclass(eq=False)
class Bet:
    """One bettor's money on a hand."""

    place: Place
    stake: int
    """The wager before the deal, or the equal one laid down at a split; 0 where the table records no wagers."""
    doubles: list[int] = field(default_factory=list)
    """What was added, doubling by doubling."""
    rescued: bool = False
    """The last doubling was taken back, the rest is forfeited; those who did not double it play on."""
    surrendered: bool = False
    """Half of it is given up; the hand goes on for those who did not."""

    @property
    def wager(self) -> int:
        return self.stake + sum(self.doubles)

    @property
    def last_double(self) -> int:
        return self.doubles[-1] if self.doubles else 0


@dataclass(eq=False)
class BetHand:
    """One hand of a circle and the money on it, in the order of the spots."""

    cards: Hand
    bets: list[Bet]
    doublings: int = 0
    dead: bool = False
    """A ruling took it out of the round: its wagers go back."""
    closed: bool = False
    """No more cards: it stood, doubled, surrendered or was rescued."""

    @property
    def bet(self) -> Bet:
        """The money of the bettor who decides: who doubled the hand, or the first who has not surrendered."""
        return next((bet for bet in self.bets if bet.doubles), next(iter(self.staying), self.bets[0]))

    @property
    def staying(self) -> list[Bet]:
        """Those who have not surrendered."""
        return [bet for bet in self.bets if not bet.surrendered]

    @property
    def surrendered(self) -> bool:
        return not self.staying

    @property
    def wager(self) -> int:
        return self.bet.wager

    @property
    def is_split(self) -> bool:
        return isinstance(self.cards, SplitHand)

    @property
    def has_first_cards_only(self) -> bool:
        return len(self.cards) == 2

    def bet_of(self, place: Place) -> Bet:
        return next(bet for bet in self.bets if bet.place == place)

    def wager_of(self, place: Place) -> int:
        """Nothing on a hand that a bettor behind has split off."""
        return sum(bet.wager for bet in self.bets if bet.place == place)

    def kill(self) -> None:
        self.dead = self.closed = True

    def give_up(self, *bets: Bet) -> None:
        """These bettors surrender, or all; the hand is over when nobody is left."""
        for bet in bets or self.bets:
            bet.surrendered = True
        self.closed = self.closed or self.surrendered


@dataclass(eq=False)
class Circle:
    """A betting circle that is dealt in."""

    place: Place
    base: int
    hands: list[BetHand] = field(default_factory=list)
    dealt: tuple[Card, ...] = ()
    """Its first two cards, which side bets look at, whatever was split since."""
    insured: dict[Place, int] = field(default_factory=dict)
    """Insurance wagers, by bettor."""
    even_money: set[Place] = field(default_factory=set)
    """Who took even money on a natural."""
    abandoned: bool = False
    """Its player has left: the dealer plays its hands by the house's rule."""

    @property
    def seat(self) -> int:
        return seat_of(self.place)

    @property
    def name(self) -> str:
        return str(self.place)

    @property
    def splits(self) -> int:
        return len(self.hands) - 1

    @property
    def places(self) -> list[Place]:
        """Everybody with money on its hands, the circle itself first."""
        found = {bet.place: bet for hand in self.hands for bet in hand.bets}
        return [bet.place for bet in sorted(found.values(), key=self.rank_of)]

    def rank_of(self, bet: Bet) -> tuple[bool, str]:
        """The order of a bettor among those of the circle: its own first, then spot by spot."""
        return bet.place != self.place, str(bet.place)

    def split(self, t: Table, hand: BetHand, by: Place) -> tuple[BetHand, BetHand]:
        """Two cards become two hands. All wagers stay with the first; the player who splits adds an equal wager."""
        at, own = self.hands.index(hand), hand.bet_of(by)
        bets: Sequence[list[Bet]] = (hand.bets, [Bet(by, own.stake)])
        halves = []
        for slot, on_it in zip(hand.cards.slots, bets, strict=True):
            half = SplitHand(self.name)
            half.slots.append(slot)
            halves.append(BetHand(half, on_it))
        self.hands[at : at + 1] = halves
        for nth, each in enumerate(self.hands[at:], at + 1):
            each.cards.owner = self.name if nth == 1 else f"{self.name}/{nth}"
            t.hands[each.cards.owner] = each.cards
            t.emit(ev.HandShown(each.cards.owner, tuple(each.cards.faces)))
        return halves[0], halves[1]


def lay_down(t: Table, place: Place, wager: str, cents: int) -> None:
    """More money of this place, so that a void returns it and the floor can see it."""
    if cents:
        standing = t.book[place]
        standing[wager] = standing.get(wager, 0) + cents
        t.emit(ev.WagerSet(place, wager, standing[wager]))


def circles_of(t: Table, base_wager: str, deal_from: DealFrom, further_spots: FurtherSpots) -> list[Circle]:
    """The circles that are dealt in, in the order of the deal, spots of a seat in their order.

    A table that records no wagers deals one hand to every seat.
    """
    first = (t.player_dealer or 0) if deal_from == "player_dealer_left" else 0
    if not t.setup.records_wagers:
        seats = [seat for seat in t.clockwise(first) if seat != t.player_dealer]
        return [_circle(t, [Bet(seat, 0)]) for seat in seats]
    found = []
    for seat in t.clockwise(first, {seat_of(place) for place in t.book}):
        bets = [Bet(place, t.book[place][base_wager]) for place in t.places(seat) if t.book[place].get(base_wager)]
        hands = [[bet] for bet in bets] if further_spots == "own_hands" else [bets]
        found += [_circle(t, on_it) for on_it in hands if on_it]
    return found


def _circle(t: Table, bets: list[Bet]) -> Circle:
    circle = Circle(bets[0].place, bets[0].stake)
    circle.hands.append(BetHand(t.hand(circle.name), bets))
    return circle
