"""Hands that differ only by the names of their suits, one for all: 134,459 stand for 2,598,960 of five cards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import combinations, combinations_with_replacement, groupby, product
from math import factorial, prod

from controller.engine.cards.card import RANKS, SUITS, Card, card


@cache
def suit_classes(cards: int) -> list[tuple[list[Card], int]]:
    """One hand of each kind that differs by more than the names of its suits, and how many are of that kind."""
    return list(_suit_classes(cards))


def _suit_classes(cards: int) -> Iterator[tuple[list[Card], int]]:
    for sizes in combinations_with_replacement(range(cards, -1, -1), len(SUITS)):
        if sum(sizes) != cards:
            continue
        alike = [(size, len(list(group))) for size, group in groupby(sizes)]
        choices = [combinations_with_replacement(combinations(RANKS, size), times) for size, times in alike]
        for chosen in product(*choices):
            suits = [ranks for group in chosen for ranks in group]
            ways = factorial(len(SUITS)) // prod(factorial(times) for times in Counter(suits).values())
            yield [card(rank + suit) for suit, ranks in zip(SUITS, suits, strict=True) for rank in ranks], ways
