"""A hand as one number, so that hands worth the same are found in one look-up.

Each card is a number with a byte per rank, a byte per suit and a byte for jokers; the sum over a hand counts them
all. Where no flush is possible, the ranks alone decide: 49,205 different sums stand for the 133,784,560 hands of
seven cards. A joker adds one to every suit, because it can be of any: a suit's byte is how long a flush may get.

    >>> from controller.engine.cards.card import card
    >>> hand = fingerprint([card(c) for c in ("Kh", "Kd", "Jo")])
    >>> counts(hand), jokers(hand)
    ({13: 2}, 1)
"""

from __future__ import annotations

from collections.abc import Iterable

from controller.engine.cards.card import CARDS, Card

MOST_CARDS = 127
"""A byte keeps its top bit free for the flush test."""

_BYTE = 8
_SUITS_AT = 15 * _BYTE
_EACH_SUIT = sum(1 << (_SUITS_AT + suit * _BYTE) for suit in range(4))

RANK_FIELDS = (1 << _SUITS_AT) - 1
"""Masks what is left of a fingerprint when suits do not matter: ranks and jokers."""

FLUSH_BITS = _EACH_SUIT << (_BYTE - 1)


def _of_card(card: Card) -> int:
    if card.is_joker:
        return 1 + _EACH_SUIT
    return (1 << (card.rank * _BYTE)) + (1 << (_SUITS_AT + card.suit * _BYTE))


_FINGERPRINTS = {card: _of_card(card) for card in CARDS.values() if not card.is_tile}
_fingerprint_of = _FINGERPRINTS.__getitem__


def fingerprint(cards: Iterable[Card]) -> int:
    return sum(map(_fingerprint_of, cards))


def flush_bias(size: int) -> int:
    """Added to a fingerprint, it sets one of `FLUSH_BITS` if some suit has `size` cards or more, jokers included."""
    return _EACH_SUIT * ((1 << (_BYTE - 1)) - size)


def jokers(fingerprint: int) -> int:
    return fingerprint & 0xFF


def counts(fingerprint: int) -> dict[int, int]:
    """How many cards of each rank, jokers apart, highest rank first."""
    return {rank: held for rank in range(14, 1, -1) if (held := fingerprint >> rank * _BYTE & 0xFF)}
