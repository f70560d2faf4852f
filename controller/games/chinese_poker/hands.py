"""Thirteen cards as three hands, and the clean sweeps that need no setting.

Front three, middle five, back five; the front may not rank higher than the middle, the middle not higher than the back.
Straights and flushes do not count in front (A1), except to make three of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement

from controller.engine.cards.card import Card
from controller.engine.ranking import CHINESE_FRONT, HIGH, High, Rank

FRONT, MIDDLE, CARDS = 3, 5, 13
SEGMENTS = ("front", "middle", "back")
ACE, ACE_LOW = 14, 1
SWEEPS = ("dragon", "six_pairs", "three_straights", "three_flushes")
"""Best first."""

_FRONT = High(CHINESE_FRONT)


@dataclass(frozen=True)
class Arranged:
    """A hand as it was set, with the rank of each segment."""

    parts: tuple[tuple[Card, ...], ...]
    ranks: tuple[Rank, ...]

    @property
    def is_legal(self) -> bool:
        front, middle, back = self.ranks
        return not _higher(front, middle) and not middle > back


def _higher(front: Rank, middle: Rank) -> bool:
    return (front.category, front.ranks) != (middle.category, middle.ranks) and not middle.outranks(front)


def arrange(cards: Sequence[Card], front: Sequence[str], middle: Sequence[str]) -> Arranged | None:
    """The hand set like this; None where that is not three, five and five of its cards."""
    left = list(cards)
    parts = []
    for codes in (front, middle):
        part = [next((card for card in left if card.code == code), None) for code in codes]
        known = tuple(card for card in part if card is not None)
        if len(set(known)) != len(codes):
            return None
        left = [card for card in left if card not in known]
        parts.append(known)
    parts.append(tuple(left))
    if [len(part) for part in parts] != [FRONT, MIDDLE, MIDDLE]:
        return None
    return Arranged(tuple(parts), (_FRONT.rank(parts[0]), HIGH.rank(parts[1]), HIGH.rank(parts[2])))


def sweeps_in(cards: Sequence[Card]) -> list[str]:
    """The clean sweeps among these thirteen cards, best first."""
    found = {
        "dragon": len({card.rank for card in cards}) == CARDS,
        "six_pairs": sum(count // 2 for count in Counter(card.rank for card in cards).values()) == CARDS // 2,
        "three_straights": _three_straights(cards),
        "three_flushes": _three_flushes(cards),
    }
    return [sweep for sweep in SWEEPS if found[sweep]]


def _three_flushes(cards: Sequence[Card]) -> bool:
    suits = sorted(Counter(card.suit for card in cards).values())
    return suits in ([3, 5, 5], [5, 8], [3, 10], [13])


def _three_straights(cards: Sequence[Card]) -> bool:
    ranks = Counter(card.rank for card in cards)
    for front in _runs(FRONT):
        left = ranks - front
        if left.total() != CARDS - FRONT:
            continue
        for middle, back in combinations_with_replacement(list(_runs(MIDDLE)), 2):
            if middle + back == left:
                return True
    return False


def _runs(length: int) -> Iterator[Counter[int]]:
    """Every straight of n ranks, the ace low or high."""
    for lowest in range(ACE_LOW, ACE - length + 2):
        yield Counter(ACE if rank == ACE_LOW else rank for rank in range(lowest, lowest + length))


def bonus(segment: int, rank: Rank, bonuses: Mapping[str, Mapping[str, int]]) -> int:
    """Extra points of a segment; a royal flush is a straight flush (A6)."""
    category = "straight_flush" if rank.category.value == "royal_flush" else rank.category.value
    return bonuses.get(category, {}).get(SEGMENTS[segment], 0)
