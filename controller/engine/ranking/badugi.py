"""Badugi: the most cards of different ranks and different suits, then the lowest.

>>> from controller.engine.cards import card, codes
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
from dataclasses import dataclass
from itertools import combinations

from controller.engine.cards import Card
from controller.engine.ranking.chart import BADUGI, Category, Chart
from controller.engine.ranking.rank import Rank
from controller.engine.ranking.ranking import Ranking, UseHole

_BY_COUNT = {4: Category.BADUGI_4, 3: Category.BADUGI_3, 2: Category.BADUGI_2, 1: Category.BADUGI_1}


@dataclass(frozen=True)
class Badugi(Ranking):
    """Village Club's Badugi and the Badugi half of Baduci (five cards, the best four count)."""

    chart: Chart = BADUGI

    def rank(self, cards: Sequence[Card]) -> Rank:
        if not cards:
            raise ValueError("a Badugi hand has at least one card, here is none")
        if any(card.is_joker for card in cards):
            raise ValueError("a joker in a Badugi hand, but this game has none")
        return max(map(self._rank_different, self.choices(cards)))

    def choices(self, cards: Sequence[Card]) -> list[tuple[Card, ...]]:
        """Every choice of different cards that has as many as these cards allow."""
        return _largest_choices(cards)

    def _hands(self, hole: Sequence[Card], board: Sequence[Card], use_hole: UseHole) -> Iterator[tuple[Card, ...]]:
        if board or use_hole is not None:
            raise ValueError("Badugi is played without a board; give all cards of the hand as hole cards")
        return iter(_largest_choices(hole))

    def _rank_different(self, cards: Sequence[Card]) -> Rank:
        ranks = sorted((card.rank for card in cards), key=self.chart.ranks.index, reverse=True)
        return Rank.of(self.chart, _BY_COUNT[len(cards)], tuple(ranks))


def _largest_choices(cards: Sequence[Card]) -> list[tuple[Card, ...]]:
    """Every choice of different cards that has as many as these cards allow."""
    size = min(len(cards), BADUGI.size)
    while not (choices := [choice for choice in combinations(cards, size) if _all_different(choice)]):
        size -= 1
    return choices


def _all_different(cards: Sequence[Card]) -> bool:
    return len({card.rank for card in cards}) == len({card.suit for card in cards}) == len(cards)
