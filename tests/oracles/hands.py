"""Poker hands in three and five cards, ranked the long way: the higher tuple is the better hand."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

ORDER = "23456789TJQKA"
FIVE = (
    "high_card",
    "pair",
    "two_pair",
    "three_of_a_kind",
    "straight",
    "flush",
    "full_house",
    "four_of_a_kind",
    "straight_flush",
    "royal_flush",
)
THREE = ("high_card", "pair", "flush", "straight", "three_of_a_kind", "straight_flush", "royal_flush")
"""Of three cards: a straight is above a flush."""

Ranked = tuple[int, ...]
"""The place of the category in its list, then what breaks ties."""


def value(card: str) -> int:
    return ORDER.index(card[0]) + 2


def top_of_straight(values: Sequence[int]) -> int | None:
    """The top card of a sequence; an ace is low in the lowest one."""
    ordered = sorted(values)
    if ordered == list(range(ordered[0], ordered[0] + len(ordered))):
        return ordered[-1]
    lowest = [*range(2, len(ordered) + 1), 14]
    return len(ordered) if ordered == lowest else None


def _groups(values: Sequence[int]) -> list[tuple[int, int]]:
    """How many of each value, most first, then the highest value."""
    return sorted(((list(values).count(v), v) for v in set(values)), reverse=True)


def five(cards: Sequence[str]) -> Ranked:
    """Five cards, or fewer that nobody completes (they hold no straight or flush then)."""
    values = [value(card) for card in cards]
    groups = _groups(values)
    counts = [count for count, _ in groups]
    by_group = tuple(v for _, v in groups)
    suited = len(cards) == 5 and len({card[1] for card in cards}) == 1
    top = top_of_straight(values) if len(cards) == 5 and len(set(values)) == 5 else None
    if suited and top is not None:
        return (FIVE.index("royal_flush"),) if top == 14 else (FIVE.index("straight_flush"), top)
    if counts[0] == 4:
        return (FIVE.index("four_of_a_kind"), *by_group)
    if counts[:2] == [3, 2]:
        return (FIVE.index("full_house"), *by_group)
    if suited:
        return (FIVE.index("flush"), *by_group)
    if top is not None:
        return (FIVE.index("straight"), top)
    if counts[0] == 3:
        return (FIVE.index("three_of_a_kind"), *by_group)
    if counts[:2] == [2, 2]:
        return (FIVE.index("two_pair"), *by_group)
    if counts[0] == 2:
        return (FIVE.index("pair"), *by_group)
    return (FIVE.index("high_card"), *by_group)


def best_five(cards: Sequence[str]) -> Ranked:
    """The best five of more."""
    return max(five(chosen) for chosen in combinations(cards, 5))


def three(cards: Sequence[str], *, royal: bool = True) -> Ranked:
    """Three cards. With `royal`, suited ace, king, queen is a category of its own."""
    values = [value(card) for card in cards]
    groups = _groups(values)
    by_group = tuple(v for _, v in groups)
    suited = len({card[1] for card in cards}) == 1
    top = top_of_straight(values) if len(set(values)) == 3 else None
    if suited and top is not None:
        return (THREE.index("royal_flush"),) if royal and top == 14 else (THREE.index("straight_flush"), top)
    if groups[0][0] == 3:
        return (THREE.index("three_of_a_kind"), *by_group)
    if top is not None:
        return (THREE.index("straight"), top)
    if suited:
        # Of several decks a suited pair is a flush: card by card, high to low.
        return (THREE.index("flush"), *sorted(values, reverse=True))
    if groups[0][0] == 2:
        return (THREE.index("pair"), *by_group)
    return (THREE.index("high_card"), *by_group)


def name(ranked: Ranked, categories: Sequence[str] = FIVE) -> str:
    return categories[ranked[0]]
