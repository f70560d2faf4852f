"""Seven piles of seven in the middle, and how they come to the seats.

Piles are numbered from the dealer's left. By hand they grow one card at a time, back and forth or always left to right;
a shuffler delivers them whole. The action pile goes to the seat that the dice count out, the next pile to its right to
the next seat clockwise, wrapping round, to every position of the table. What lies before a seat without a wager goes to
the discards unseen.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from controller.engine import events as ev
from controller.engine.cards.card import Hand, Slot, codes
from controller.engine.round.felt import Move, Table
from controller.games.pai_gow.facts import PaiGowFacts
from controller.games.pai_gow.options import PaiGowOptions

CARDS_IN_A_PILE = 7
DISCARDS = "discards"
PLAYER_DEALER = "player_dealer"


class Positions:
    """The positions of the table, clockwise. A larger table counts the seats that are active.

    >>> seven = Positions(7, {2, 5, 7})
    >>> seven.counted(6, 3), seven.steps(6, 2)
    (2, 3)
    >>> Positions(7, {2, 4, 5, 6, 8, 9}, larger=True).seats
    [1, 2, 4, 5, 6, 8, 9]
    """

    def __init__(self, count: int, taken: Collection[int], *, larger: bool = False) -> None:
        self.seats = list(range(1, count + 1))
        if larger and any(seat > count for seat in taken):
            empty = [seat for seat in range(1, max(taken) + 1) if seat not in taken]
            self.seats = sorted([*taken, *empty[: max(0, count - len(taken))]])
        self.fits = len(self.seats) == count and set(taken) <= set(self.seats)

    def counted(self, seat: int, steps: int) -> int:
        """The position n steps clockwise of a seat."""
        return self.seats[(self.seats.index(seat) + steps) % len(self.seats)]

    def steps(self, seat: int, other: int) -> int:
        """How many steps clockwise from one seat to the other, a whole turn for the seat itself."""
        return (self.seats.index(other) - self.seats.index(seat) - 1) % len(self.seats) + 1


class Piles:
    """The piles of one round."""

    def __init__(self, t: Table, options: PaiGowOptions, facts: PaiGowFacts) -> None:
        self.t, self.options, self.facts = t, options, facts
        self.count = options.positions

    def make(self) -> Move[None]:
        """All of them, as this table makes them."""
        how = "pile_by_pile" if self.options.by_machine else self.options.hand_deal
        numbers = list(range(1, self.count + 1))
        if how == "pile_by_pile":
            for number in numbers:
                yield from self.t.deal(self[number], CARDS_IN_A_PILE, up=False)
        else:
            for row in range(CARDS_IN_A_PILE):
                back = how == "back_and_forth" and row % 2 == 1
                for number in reversed(numbers) if back else numbers:
                    yield from self.t.deal(self[number], up=False)
        left = sum(self.options.deck.values()) - self.count * CARDS_IN_A_PILE
        if self.options.deals_left_over and not self.options.by_machine and left:
            says = "Left-over cards to the discards, face down"
            yield from self.t.deal(self.t.hand(DISCARDS), left, up=False, says=says)
        self._note()

    def _note(self) -> None:
        dealt = {number: self[number] for number in range(1, self.count + 1)}
        if all(hand.is_read for hand in (*dealt.values(), self.t.hand(DISCARDS))):
            self.facts.piles = {number: codes(hand.cards) for number, hand in dealt.items()}
            self.facts.undealt = codes(self.t.hand(DISCARDS).cards)

    def __getitem__(self, number: int) -> Hand:
        return self.t.hand(f"pile_{number}")

    @property
    def slots(self) -> Iterable[tuple[Hand, int, Slot]]:
        """Every card in a pile, and where it lies."""
        for number in range(1, self.count + 1):
            hand = self.t.hands.get(f"pile_{number}")
            for nth, slot in enumerate(hand or ()):
                assert hand is not None
                yield hand, nth, slot

    def give_out(self, action_pile: int, first: int, positions: Positions, in_play: Collection[int]) -> None:
        """In their order to the seats in theirs: to those in play, to the player-dealer, or to the discards."""
        given: dict[int, int] = {}
        for step in range(self.count):
            number = (action_pile - 1 + step) % self.count + 1
            seat = positions.counted(first, step)
            owner = DISCARDS if seat not in in_play else str(seat)
            if seat == self.t.player_dealer:
                owner = PLAYER_DEALER
            self.t.hand(owner).slots += self.t.hands.pop(f"pile_{number}").slots
            self.t.emit(ev.PileGiven(number, owner))
            given[seat] = number
        dead = sorted(seat for seat in given if seat not in in_play and seat != self.t.player_dealer)
        self.facts.piles_by_seat, self.facts.dead_hands = given, dead
