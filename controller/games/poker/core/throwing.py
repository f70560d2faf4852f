"""A card is thrown away face down: whether the hand holds it, and out of the hand it goes.

A hand that is not read throws a card away that nobody knows. No Struct is defined here: it can be compiled.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from controller.engine.cards.card import CARDS, Audience, Hand, Slot
from controller.engine.expect.expectation import Refusal
from controller.engine.round.felt import Table
from controller.games.poker.core.hand import known

DISCARD: Final = "discard"
_NOBODY: Final = Audience.NOBODY


def discard_problem(t: Table, owner: Hand, codes: Sequence[str]) -> Refusal | None:
    """Why these cannot be thrown away: not of this hand. The text names no card, they lie face down."""
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
    """Take so many cards out of a hand: those named, the others from those that nobody has read."""
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
