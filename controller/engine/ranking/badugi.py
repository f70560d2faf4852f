"""Badugi: the most cards of different ranks and different suits, then the lowest.

>>> from controller.engine.cards.card import card, codes
>>> def cards(text: str) -> list[Card]:
...     return [card(code) for code in text.split()]
>>> badugi = Badugi()
>>> badugi.rank(cards("7h 4d 2c 8h")).document()  # of two hearts the worse one is dropped
['badugi_3', '7', '4', '2']
>>> codes(badugi.best_cards(cards("7h 4d 2c 8h")))
['7h', '4d', '2c']
>>> badugi.rank(cards("Kh Qd Jc Ts")) > badugi.rank(cards("3h 2d Ac As"))  # four cards beat three
True
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from controller.engine.cards.card import Card
from controller.engine.ranking.chart import BADUGI, Category, Chart
from controller.engine.ranking.rank import Rank
from controller.engine.ranking.ranking import Ranking, UseHole, by_strength

_SUITS = 4
_BY_COUNT = {4: Category.BADUGI_4, 3: Category.BADUGI_3, 2: Category.BADUGI_2, 1: Category.BADUGI_1}


@dataclass(frozen=True)
class Badugi(Ranking):
    """Village Club's Badugi and the Badugi half of Baduci (five cards, the best four count)."""

    chart: Chart = BADUGI
    _remembered: dict[int, Rank] = field(default_factory=dict, init=False, repr=False, compare=False)
    """By the ranks held, a bit for each: 1,092 at most, since of each rank one card counts."""

    def rank(self, cards: Sequence[Card]) -> Rank:
        if not cards:
            raise ValueError("a Badugi hand has at least one card, here is none")
        if any(card.is_joker for card in cards):
            raise ValueError("a joker in a Badugi hand, but this game has none")
        choices = _largest_choices(cards)
        if len(choices) == 1:
            return self.rank_different(choices[0])
        return max(map(self.rank_different, choices), key=by_strength)

    def choices(self, cards: Sequence[Card]) -> list[tuple[Card, ...]]:
        """Every choice of different cards of the greatest size that these cards allow."""
        return _largest_choices(cards)

    def _hands(self, hole: Sequence[Card], board: Sequence[Card], use_hole: UseHole) -> Iterator[tuple[Card, ...]]:
        if board or use_hole is not None:
            raise ValueError("Badugi is played without a board; give all cards of the hand as hole cards")
        return iter(_largest_choices(hole))

    def rank_different(self, cards: Sequence[Card]) -> Rank:
        """Of cards that are all different: every one counts."""
        held = 0
        for card in cards:
            held |= 1 << card.rank
        known = self._remembered.get(held)
        if known is None:
            ranks = sorted([card.rank for card in cards], key=self.chart.ranks.index, reverse=True)
            known = self._remembered[held] = Rank.of(self.chart, _BY_COUNT[len(cards)], tuple(ranks))
        return known


def _largest_choices(cards: Sequence[Card]) -> list[tuple[Card, ...]]:
    """Every choice of different cards of the greatest size that these cards allow."""
    most = min(len({card.rank for card in cards}), len({card.suit for card in cards}))
    if most == len(cards):
        return [tuple(cards)]
    size = min(BADUGI.size, most)
    while not (choices := [choice for choice in combinations(cards, size) if _all_different(choice)]):
        size -= 1
    return choices


def _all_different(cards: Sequence[Card]) -> bool:
    seen = 0
    for card in cards:
        marks = 1 << card.rank + _SUITS | 1 << card.suit
        if seen & marks:
            return False
        seen |= marks
    return True
