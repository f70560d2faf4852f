"""Low hands: ace-to-five and deuce-to-seven, and the eight-or-better qualifier.

    >>> from controller.engine.cards.card import card
    >>> from controller.engine.ranking import DEUCE_TO_SEVEN
    >>> def cards(text: str) -> list[Card]:
    ...     return [card(code) for code in text.split()]

Ace-to-five ignores straights and flushes; the ace is low. Deuce-to-seven turns the high chart round; the ace is high:

    >>> razz, lowball = Low(ACE_TO_FIVE), Low(DEUCE_TO_SEVEN)
    >>> razz.rank(cards("5h 4h 3h 2h Ah Kd Kc")).document()
    ['high_card', '5', '4', '3', '2', 'A']
    >>> lowball.rank(cards("5h 4d 3h 2h Ah")).document(), lowball.rank(cards("6h 5d 4h 3h 2h")).document()
    (['high_card', 'A', '5', '4', '3', '2'], ['straight', '6'])

The better low is the greater rank:

    >>> razz.rank(cards("8h 4d 3h 2h Ah")) > razz.rank(cards("8h 5d 3h 2h Ah"))
    True

A joker is the card that makes the hand lowest: in ace-to-five the lowest rank not held, so it never pairs
(calgrand-poker-hand-ranking, HR-4); in deuce-to-seven it avoids a straight or flush:

    >>> Low(ACE_TO_FIVE, jokers="low").rank(cards("Ah Ad 3h 4h Jo")).document()
    ['pair', 'A', '4', '3', '2']
    >>> Low(DEUCE_TO_SEVEN, jokers="low").rank(cards("2h 3h 4h 5h Jo")).document()
    ['high_card', '7', '5', '4', '3', '2']
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations
from typing import Literal

from controller.engine.cards.card import Card
from controller.engine.ranking.chart import ACE_TO_FIVE, Category, Chart
from controller.engine.ranking.fingerprint import FLUSH_BITS, RANK_FIELDS, counts, fingerprint, flush_bias, jokers
from controller.engine.ranking.patterns import Holding, pattern
from controller.engine.ranking.rank import Rank
from controller.engine.ranking.ranking import Ranking, by_strength

LowJokers = Literal["none", "low"]


def or_better(low: Rank, highest: str = "8") -> Rank | None:
    """The low hand if it qualifies: five different ranks, none above `highest`.

    >>> from controller.engine.cards.card import card
    >>> eight = Low().rank([card(c) for c in ("8h", "5d", "3h", "2h", "Ah")])
    >>> or_better(eight).names  # the form of more.low_ranks
    ['8', '5', '3', '2', 'A']
    >>> or_better(eight, "7") is None
    True
    """
    return low if low.reaches([Category.HIGH_CARD, highest]) else None


@dataclass(frozen=True)
class Low(Ranking):
    """The lowest hand wins: a chart of that kind and what a joker does."""

    chart: Chart = ACE_TO_FIVE
    jokers: LowJokers = "none"
    _remembered: dict[tuple[int, bool], Rank] = field(default_factory=dict, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if not self.chart.lowest_wins:
            raise ValueError(f"the {self.chart.name} chart is for high hands; Low needs one where the lowest wins")

    @cached_property
    def _flush_bias(self) -> int:
        return flush_bias(self.chart.size) if self.chart.counts_suits else 0

    def rank(self, cards: Sequence[Card]) -> Rank:
        size = self.chart.size
        if len(cards) == size:
            return self._rank_hand(cards)
        if len(cards) < size:
            raise ValueError(f"a {self.chart.name} hand has {size} cards, here are {len(cards)}")
        if self.chart.counts_suits:
            return self._best_of(cards)
        key = fingerprint(cards) & RANK_FIELDS, False
        known = self._remembered.get(key)
        if known is None:
            known = self._remembered[key] = self._best_of(cards)
        return known

    def _best_of(self, cards: Sequence[Card]) -> Rank:
        return max(map(self._rank_hand, combinations(cards, self.chart.size)), key=by_strength)

    def _rank_hand(self, cards: Sequence[Card]) -> Rank:
        hand = fingerprint(cards)
        # A joker is of whatever suit does no harm, so it makes no flush.
        bias = self._flush_bias
        one_suit = bool(bias and (hand + bias) & FLUSH_BITS and not jokers(hand))
        key = hand & RANK_FIELDS, one_suit
        known = self._remembered.get(key)
        if known is None:
            known = self._remembered[key] = self._judge(counts(hand), jokers(hand), one_suit)
        return known

    def _judge(self, held: dict[int, int], wild: int, one_suit: bool) -> Rank:
        if wild:
            if self.jokers == "none":
                raise ValueError(f"a joker in a {self.chart.name} hand, but this game has none; set `jokers` to low")
            return max(self._judge(held | {r: held.get(r, 0) + 1}, wild - 1, one_suit) for r in self.chart.ranks)
        holding = Holding(self.chart, held, [tuple(held)] if one_suit else ())
        for category in self.chart.most_demanding_first:
            found = pattern(category, holding)
            if found is not None:
                return Rank.of(self.chart, category, found)
        raise AssertionError("every hand has a high card")
