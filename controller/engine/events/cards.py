"""Cards and dice on the felt, and the shoes and packs that the cards come from.

A card appears as `Face` only, so one that nobody may know yet cannot be put into an event (see `engine/cards.py`).
"""

from __future__ import annotations

from controller.engine.cards.card import Face
from controller.engine.events.event import Event


class CardDealt(Event, tag="card_dealt"):
    """A card reached a hand; `card` is null while it is face down or unread."""

    to: str
    nth: int
    card: Face | None = None


class CardBurned(Event, tag="card_burned"):
    card: Face | None = None


class CardsTakenBack(Event, tag="cards_taken_back"):
    """Cards left an owner again: back into the `stub`, on top of it as the next `burn`, or `aside` for now."""

    owner: str
    to: str
    cards: tuple[Face | None, ...]


class CardNamed(Event, tag="card_named"):
    """A card that the reader missed was keyed by a person."""

    to: str
    nth: int
    card: Face


class HandShown(Event, tag="hand_shown"):
    owner: str
    cards: tuple[Face, ...]


class HandSet(Event, tag="hand_set"):
    """A hand was arranged in two; published once it is shown."""

    owner: str
    way: str
    explained: str = ""
    front: tuple[Face, ...] = ()
    back: tuple[Face, ...] = ()


class DiceShown(Event, tag="dice_rolled"):
    values: tuple[int, ...]


class PileGiven(Event, tag="pile_given"):
    """A pile of the middle, by its number from the dealer's left, went to a seat."""

    pile: int
    to: str


class ShoeBegan(Event, tag="shoe_started"):
    number: int
    decks: int | None = None


class ShoeEnded(Event, tag="shoe_ended"):
    number: int
    hands: int


class CutCardSeen(Event, tag="cut_card"):
    pass


class PackReady(Event, tag="pack_ready"):
    """A pack is shuffled and counted, by a machine (`device`) or by hand, and waits to be dealt."""

    number: int
    by: str
    device: str = ""
    back: str = ""
    cards: int | None = None


class PackUnfit(Event, tag="pack_unfit"):
    """A pack may not be dealt."""

    text: str
    by: str
    back: str = ""


class PackInPlay(Event, tag="pack_in_play"):
    number: int
    back: str = ""
    cards: int | None = None


class PackEnded(Event, tag="pack_ended"):
    """A pack is out of play: what went in and what came out of it."""

    number: int
    back: str = ""
    cards: int | None = None
    out: int = 0
