"""Cards, hands and the information barrier.

A `Card` is an identity: nine of hearts. What is on the table is a `Slot`: a card that may not have been read yet,
and the audience that may know it. Engine and games work with slots; whatever leaves the engine carries a `Face`,
and the only way to get one is `Slot.face`, which raises `Unexposed` until the card was shown to everybody. A `Slot`
does not encode to JSON and its `repr` hides what nobody may know, so a leak is an error, not a habit to remember.

    >>> slot = Slot(card("9h"), Audience.NOBODY)
    >>> slot
    <face down>
    >>> slot.expose(); slot.face
    '9h'
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import IntEnum
from typing import Final, NewType

Face = NewType("Face", str)
"""The code of a card that everybody may know. Only a `Slot` hands one out."""

RANKS = "23456789TJQKA"
SUITS = "cdhs"
JOKER = "Jo"
TILE = -2
"""The suit of a Chinese domino. Tiles are written by their two fields, the lower first: `3-6`."""


class Unexposed(Exception):
    """Somebody asked for the face of a card that is not exposed."""


class Card:
    """One card's identity. Cards are interned: `card("9h") is card("9h")`."""

    __slots__ = ("_face", "code", "rank", "star", "suit")

    code: str
    rank: int
    """2..14, ace 14; 0 for a joker."""
    suit: int
    """0..3 in the order c d h s; -1 for a joker, -2 for a tile, whose rank is its number of spots."""
    star: bool
    """A bonus card of the 21.5 games."""

    def __init__(self, code: str, rank: int, suit: int, star: bool) -> None:
        self.code, self.rank, self.suit, self.star = code, rank, suit, star
        self._face = Face(code)

    @property
    def is_joker(self) -> bool:
        return self.rank == 0

    @property
    def is_tile(self) -> bool:
        return self.suit == TILE

    def __repr__(self) -> str:
        return "<card>"

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return (card, (self.code,))


def _all_cards() -> dict[str, Card]:
    cards = {JOKER: Card(JOKER, 0, -1, False)}
    for s, suit in enumerate(SUITS):
        for r, rank in enumerate(RANKS, start=2):
            cards[rank + suit] = Card(rank + suit, r, s, False)
            cards[rank + suit + "*"] = Card(rank + suit + "*", r, s, True)
    for low in range(1, 7):
        for high in range(low, 7):
            cards[f"{low}-{high}"] = Card(f"{low}-{high}", low + high, TILE, False)
    return cards


CARDS: Final = _all_cards()


def card(code: str) -> Card:
    """The card with this code; `ValueError` names a code that is none."""
    try:
        return CARDS[code]
    except KeyError:
        raise ValueError(f"{code!r} is not a card; write 9h, Td, As, Kh* or Jo, and a tile as 3-6") from None


def rank_name(rank: int) -> str:
    return RANKS[rank - 2]


def standard_deck(jokers: int = 0) -> tuple[Card, ...]:
    """52 cards in new-deck order, jokers last."""
    return tuple(CARDS[r + s] for s in SUITS for r in RANKS) + (CARDS[JOKER],) * jokers


class Audience(IntEnum):
    """Who may know a card."""

    NOBODY = 0
    DEALER = 1
    ALL = 2


_ALL: Final = Audience.ALL
"""Python 3.11 takes long to look up a member of an enum, and every card that is dealt needs one."""


class Slot:
    """A card on the table: which one, once it was read, and who may know it."""

    __slots__ = ("_card", "audience")

    def __init__(self, card: Card | None, audience: Audience = _ALL) -> None:
        self._card = card
        self.audience = audience

    @property
    def card(self) -> Card:
        """The identity, for the engine only."""
        if self._card is None:
            raise Unexposed("this card was not read; a reveal must name it first")
        return self._card

    @property
    def is_read(self) -> bool:
        return self._card is not None

    @property
    def face(self) -> Face:
        """What may leave the engine."""
        if self.audience is not _ALL:
            raise Unexposed("this card is face down; it may not leave the engine")
        return self.card._face

    @property
    def face_if_exposed(self) -> Face | None:
        if self._card is None or self.audience is not _ALL:
            return None
        return self._card._face

    def expose(self) -> None:
        self.audience = _ALL

    def name(self, card: Card) -> None:
        """A reveal or the dealer names a card that was not read."""
        self._card = card

    def __repr__(self) -> str:
        if self.audience is not _ALL:
            return "<face down>"
        return f"<{self._card.code}>" if self._card else "<unread>"


class Hand:
    """The cards of one owner, in the order they came."""

    __slots__ = ("owner", "slots")

    def __init__(self, owner: str) -> None:
        self.owner = owner
        self.slots: list[Slot] = []

    @property
    def cards(self) -> list[Card]:
        """Identities, for the engine only; raises while one is unread."""
        return [slot.card for slot in self.slots]

    @property
    def faces(self) -> list[Face]:
        return [slot.face for slot in self.slots]

    @property
    def faces_if_exposed(self) -> list[Face]:
        """The faces of a hand that everybody may know in whole; none of a hand that hides a card or lacks a reading."""
        faces: list[Face] = []
        for slot in self.slots:
            face = slot.face_if_exposed
            if face is None:
                return []
            faces.append(face)
        return faces

    @property
    def is_read(self) -> bool:
        return all(slot.is_read for slot in self.slots)

    @property
    def is_exposed(self) -> bool:
        return all(slot.audience is _ALL for slot in self.slots)

    def expose(self) -> None:
        for slot in self.slots:
            slot.audience = _ALL

    def __len__(self) -> int:
        return len(self.slots)

    def __iter__(self) -> Iterator[Slot]:
        return iter(self.slots)

    def __repr__(self) -> str:
        return f"Hand({self.owner}: {self.slots})"


def codes_if_read(slots: Iterable[Slot]) -> list[str | None]:
    """Codes for the engine's own documents; a card that was never read is null."""
    return [None if slot._card is None else slot._card.code for slot in slots]


class SplitHand(Hand):
    """A hand that began with a card split off another: it was not dealt, so it makes no natural."""

    __slots__ = ()


def codes(cards: Iterable[Card]) -> list[str]:
    """Codes for the engine's own documents; what is published uses faces."""
    return [c.code for c in cards]
