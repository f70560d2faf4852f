"""Cards thrown away face down: who still must, which card it was, and whether the hand holds it.

A hand that is not read throws a card away that nobody knows; the cards that are left are named when the hand is shown.
Where cards are read as they are dealt, a discard is named (read again, or keyed sealed), and one that is not named is
a card that no reader had read.

Sheets: calgrand-pineapple, village-pineapple-hi-lo, turlock-pineapple-high-low-split.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from controller.engine import events as ev
from controller.engine.cards.card import CARDS, Audience, Hand, Slot
from controller.engine.expect.choices import Choice, WantDecision
from controller.engine.expect.expectation import Expectation
from controller.engine.expect.want import Refusal
from controller.engine.inputs import Act, Happening, seat_of
from controller.engine.round.felt import Move, Table, Unruled
from controller.games.poker.core.hand import PokerHand, hand_of, known
from controller.games.poker.core.streets import Dealing, Street

DISCARD: Final = "discard"
_NOBODY: Final = Audience.NOBODY


class Discard(Dealing):
    """Every live hand, all-in or not, comes down to `keep` cards."""

    def __init__(self, keep: int = 2, *, in_turn: bool = False) -> None:
        self.keep, self.in_turn = keep, in_turn
        """In turn: from the left of the button, one after the other; else in any order."""

    def deal(self, hand: PokerHand, street: Street) -> Move[None]:
        t, betting = hand.t, hand.phase
        hand.phase = t.result.phase = DISCARD
        while waiting := self.still_to_discard(hand):
            asked = waiting[:1] if self.in_turn else waiting
            body = yield Expectation(tuple(self._want(hand, seat) for seat in asked))
            if type(body) is not Act:
                continue
            owner = hand.hole(seat_of(body.seat))
            problem = discard_problem(t, owner, body.cards or ())
            if problem is not None:
                t.refuse(body, problem)
                continue
            t.emit(ev.Decided(body.seat, body.do))
            hand.acts += 1
            hand.take_back(owner.owner, "muck", throw_away(t, owner, body.cards or (), count=1))
        hand.phase = betting

    def still_to_discard(self, hand: PokerHand) -> list[int]:
        return [seat for seat in hand.contenders if seat not in hand.missed and len(hand.hole(seat)) > self.keep]

    def _want(self, hand: PokerHand, seat: int) -> WantDecision:
        least = 1 if hand.hole(seat).is_read else 0
        return WantDecision(seat, (Choice(DISCARD, label="discard one card", count=(least, 1)),))


def discard_problem(t: Table, owner: Hand, codes: Sequence[str]) -> Refusal | None:
    """Why these cannot be thrown away: the hand does not hold them. The text names no card: they are face down."""
    if not codes:
        return None
    held = known(owner.slots)
    unread = held.count(None)
    for code in codes:
        if code in held:
            held.remove(code)
            continue
        unread -= 1
        if unread < 0 or t.card_problem((code,)) is not None:
            return Refusal("not_your_card", "a card is named that this hand does not hold")
    return None


def throw_away(t: Table, owner: Hand, codes: Sequence[str], count: int) -> list[Slot]:
    """Take `count` cards out of a hand: those named, the others from those that nobody has read."""
    thrown: list[Slot] = []
    held = known(owner.slots) if codes else []
    for code in codes:
        at = held.index(code if code in held else None)
        slot = owner.slots.pop(at)
        if held.pop(at) is None:
            slot.name(CARDS[code])
            t.count_out(code)
        thrown.append(slot)
    for _ in range(count - len(thrown)):
        slot = next(slot for slot in owner.slots if not slot.is_read)
        owner.slots.remove(slot)
        thrown.append(slot)
    for slot in thrown:
        slot.audience = _NOBODY
    return thrown


def discard_missed(t: Table, happening: Happening) -> None:
    """A hand that has not discarded when the next board cards come is dead; its chips stay (calgrand-pineapple)."""
    hand = hand_of(t)
    code = hand.options.rulings.get(happening.code)
    alive = [seat for seat in hand.contenders if seat not in hand.missed]
    if code is None:
        raise Unruled("a discard is missing, and this room has no rule for it: the board waits")
    if hand.phase != DISCARD or happening.seat not in alive:
        raise Unruled("nobody has a discard to make now, or not this seat")
    if len(alive) == 1:
        raise Unruled("every other hand is dead already")
    # The cards that stopped the table are the board's.
    t.queue.extend(t.take_out([slot.card.code if slot.is_read else None for slot in t.strays]))
    t.strays.clear()
    hand.missed.add(happening.seat)
    t.rule(code, happening.seat)
