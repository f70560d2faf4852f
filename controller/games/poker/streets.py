"""A street: its dealings one after the other, then a betting round.

A game is a tuple of streets. A dealing is what happens with cards before the betting: cards face down, a burn and
cards for the board, a discard, a draw. The dealings that most games share are here; a family adds its own by
subclassing `Dealing`.

    >>> turn = Street(BetRound("turn", "high"), (Board(1),))
    >>> turn.name, turn.moment_dealt
    ('turn', 'turn_dealt')
"""

from __future__ import annotations

from msgspec import Struct

from controller.engine import events as ev
from controller.engine.betting import BetRound
from controller.engine.expect import Expectation, WantDecision
from controller.engine.felt import Move
from controller.engine.inputs import Act
from controller.games.poker.hand import PokerHand


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


def deal_street(hand: PokerHand, street: Street) -> Move[None]:
    """The cards of a street; what is bet on them comes after."""
    for dealing in street.dealings:
        yield from dealing.deal(hand, street)
    hand.t.emit(ev.StreetDealt(street.name))
    hand.reached(street.moment_dealt)


class Down(Dealing, frozen=True):
    """So many cards to each live seat, one at a time, face down, from the left of the button."""

    count: int = 1

    def deal(self, hand: PokerHand, street: Street) -> Move[None]:
        t = hand.t
        if street.bet.first:
            hand.phase = "deal"
            t.result.phase = "deal_holes"
        owners = [t.hand(str(seat)) for seat in hand.contenders]
        for _ in range(self.count):
            for owner in owners:
                yield from t.deal(owner, up=False)
        if street.bet.first:
            hand.phase = street.name
            yield from replace_exposed(hand)


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


class Board(Dealing, frozen=True):
    """Burn, where the room burns, and turn. After a reshuffle that a ruling ordered, no card is burned."""

    count: int = 1

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


def bet(hand: PokerHand) -> Move[None]:
    """Ask seat after seat until the betting round is complete."""
    t, action = hand.t, hand.action
    t.result.phase = f"bet_{action.round.name}"
    if not hand.rounds_bet:
        hand.reached("first_betting_opens")
    while (seat := hand.next_to_act()) is not None:
        choices, barred = action.choices(seat)
        hand.asked(seat)
        act = yield Expectation((WantDecision(seat, choices),), barred)
        if type(act) is not Act:
            continue  # a ruling may have ended this hand, or changed what it may do
        t.emit(ev.Decided(act.seat, act.do, act.cents, act.to))
        action.take(seat, act.do, act.to)
        hand.acts += 1
        hand.acted(seat, act.do)
        hand.paid(seat)
    hand.betting_closed()
