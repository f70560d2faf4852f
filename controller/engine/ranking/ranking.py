"""What every way of ranking shares: the best hand of hole cards and board, and the cards that make it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from itertools import combinations
from operator import attrgetter

from controller.engine.cards.card import Card
from controller.engine.ranking.chart import Chart
from controller.engine.ranking.rank import Rank

UseHole = int | tuple[int, ...] | None
"""How many hole cards a hand uses: any number (None), exactly two (2, Omaha), or one of these ((1, 2, 3), Tahoe)."""

by_strength = attrgetter("strength")
"""The order of ranks of one chart, for `max` over many."""


class Ranking(ABC):
    """Ranks hands on one chart."""

    chart: Chart

    @abstractmethod
    def rank(self, cards: Sequence[Card]) -> Rank:
        """The best hand among these cards, which may be more than a hand has."""

    def best(self, hole: Sequence[Card], board: Sequence[Card], use_hole: UseHole = None) -> Rank:
        """The best hand of hole cards and board.

        >>> from controller.engine.cards.card import card
        >>> from controller.engine.ranking import HIGH
        >>> hole = [card(c) for c in ("9s", "9h", "9d", "2c")]
        >>> board = [card(c) for c in ("Qh", "Jd", "Tc", "4s", "3h")]
        >>> HIGH.best(hole, board).document()
        ['three_of_a_kind', '9', 'Q', 'J']
        >>> HIGH.best(hole, board, use_hole=2).document()  # Omaha: two of the nines, no more
        ['pair', '9', 'Q', 'J', 'T']
        """
        if use_hole is None:
            return self.rank((*hole, *board))
        best = max(map(self.rank, self._hands(hole, board, use_hole)), key=by_strength, default=None)
        if best is None:
            raise ValueError(
                f"{len(hole)} hole cards and {len(board)} on the board make no hand of {self.chart.size} cards "
                f"that uses {use_hole} of the hole cards"
            )
        return best

    def best_cards(
        self, hole: Sequence[Card], board: Sequence[Card] = (), use_hole: UseHole = None
    ) -> tuple[Card, ...]:
        """The cards that make the best hand; of several choices the one that uses the cards dealt first.

        >>> from controller.engine.cards.card import card, codes
        >>> from controller.engine.ranking import HIGH
        >>> codes(HIGH.best_cards([card(c) for c in ("9s", "4h", "9d", "2c", "Kc", "Kh", "7d")]))
        ['9s', '9d', 'Kc', 'Kh', '7d']
        """
        best = self.best(hole, board, use_hole)
        return next(hand for hand in self._hands(hole, board, use_hole) if self.rank(hand) == best)

    def plays_board(self, hole: Sequence[Card], board: Sequence[Card]) -> bool:
        """Whether no hand of this value contains one of its hole cards (bankers-texas-holdem, A14).

        >>> from controller.engine.cards.card import card
        >>> from controller.engine.ranking import HIGH
        >>> board = [card(c) for c in ("Kh", "Kd", "Qc", "Qs", "9s")]
        >>> HIGH.plays_board([card("8h"), card("7h")], board)
        True
        >>> HIGH.plays_board([card("9h"), card("7h")], board)  # the nine in the hand serves as well
        False
        """
        if len(board) < self.chart.size:
            return False
        best = self.rank((*hole, *board))
        with_hole = tuple(range(1, len(hole) + 1))
        return all(self.rank(hand) != best for hand in self._hands(hole, board, with_hole))

    def _hands(self, hole: Sequence[Card], board: Sequence[Card], use_hole: UseHole) -> Iterator[tuple[Card, ...]]:
        """Every hand that may be made, those with the cards dealt first before others."""
        if use_hole is None:
            yield from combinations((*hole, *board), self.chart.size)
            return
        for held in (use_hole,) if isinstance(use_hole, int) else use_hole:
            if held <= self.chart.size:
                for own in combinations(hole, held):
                    for common in combinations(board, self.chart.size - held):
                        yield (*own, *common)
