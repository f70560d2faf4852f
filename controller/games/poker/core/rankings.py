"""How the hands of a poker game are compared: one ranking, or one for each half of the pot.

`Rankings` is a declaration: the ranking of the first half (or of the whole pot), that of the second, how many hole
cards a hand must use, what qualifies for the second half. `standard` makes the common one out of a ruleset's options.

    >>> from controller.engine.cards.card import card
    >>> def cards(text: str) -> list[Card]:
    ...     return [card(code) for code in text.split()]
    >>> omaha = Rankings(High(), Low(), use_hole=2, qualifier=8)
    >>> hole, board = cards("As 2s Kh Kd"), cards("3c 5d 8h Kc Qc")
    >>> omaha.best_high(hole, board).document(), omaha.best_low(hole, board).names
    (['three_of_a_kind', 'K', 'Q', '8'], ['8', '5', '3', '2', 'A'])
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from controller.engine.cards.card import CARDS, JOKER, Card, rank_name
from controller.engine.ranking import High, Low, Rank, Ranking, UseHole, or_better
from controller.games.poker.core.options import PokerOptions

HIGHEST_OF_A_LOW = 13
"""A king: the ace is low."""


class Rankings:
    """How the hands of one ruleset are compared, for the high and the low part of the pot."""

    def __init__(
        self,
        high: Ranking | None,
        low: Ranking | None = None,
        *,
        use_hole: UseHole = None,
        qualifier: int | None = None,
        wild: Sequence[str] = (),
    ) -> None:
        assert high is not None or low is not None, "a game without any ranking"
        self.high, self.low, self.use_hole = high, low, use_hole
        self.qualifier = None if qualifier is None or high is None else rank_name(qualifier)
        """The highest rank of a low hand that takes its half; a game of low hands alone has none."""
        self._wild = frozenset(wild)

    @property
    def has_wild_cards(self) -> bool:
        """Whether some are posted, besides jokers."""
        return bool(self._wild)

    def best_high(self, hole: Sequence[Card], board: Sequence[Card] = ()) -> Rank | None:
        return None if self.high is None else self._best(self.high, hole, board)

    def best_low(self, hole: Sequence[Card], board: Sequence[Card] = ()) -> Rank | None:
        """The low hand, if there is a low part and the hand qualifies for it."""
        if self.low is None:
            return None
        best = self._best(self.low, hole, board)
        return best if self.qualifier is None else or_better(best, self.qualifier)

    def _best(self, ranking: Ranking, hole: Sequence[Card], board: Sequence[Card]) -> Rank:
        if self._wild:
            hole, board = self.seen(hole), self.seen(board)
        if self.use_hole is None:
            return ranking.rank((*hole, *board))
        return ranking.best(hole, board, self.use_hole)

    def plays_board(self, hole: Sequence[Card], board: Sequence[Card]) -> bool:
        """No hand of this value contains one of the hole cards (bankers-texas-holdem, A14)."""
        if self.high is None or self.use_hole is not None:
            return False
        hole, board = self.seen(hole), self.seen(board)
        return self.high.rank(board) == self.high.best(hole, board) and self.high.plays_board(hole, board)

    def seen(self, held: Sequence[Card]) -> Sequence[Card]:
        """Posted wild cards play as jokers that may be any card (calgrand-poker-hand-ranking, 1307)."""
        return [CARDS[JOKER] if card.code in self._wild else card for card in held] if self._wild else held


@lru_cache(maxsize=64)
def _standard(variant: str, jokers: int, wild: tuple[str, ...], qualifier: int | None, use_hole: UseHole) -> Rankings:
    high = High(jokers="wild" if wild else "bug" if jokers else "none") if variant != "low" else None
    low = Low(jokers="low" if wild or jokers else "none") if variant != "high" else None
    return Rankings(high, low, use_hole=use_hole, qualifier=qualifier, wild=wild)


def standard(options: PokerOptions, use_hole: UseHole = None) -> Rankings:
    """High, ace-to-five low or both, by the options. One value for all hands of a ruleset: it caches ranks."""
    qualifier = options.low_qualifier
    if qualifier is None and options.low_is_unpaired:
        qualifier = HIGHEST_OF_A_LOW
    return _standard(options.variant, options.jokers, options.wild_cards, qualifier, use_hole)
