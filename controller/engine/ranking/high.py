"""High hands: the best five of n, or three, or two, with the joker as the house plays it.

    >>> from controller.engine.cards.card import card
    >>> def cards(text: str) -> list[Card]:
    ...     return [card(code) for code in text.split()]

The ace is high, or low in the wheel, which is the lowest straight unless the chart says otherwise:

    >>> high = High()
    >>> high.rank(cards("5h 4d 3c 2s Ah")).document()
    ['straight', '5']
    >>> high.rank(cards("Ah Kh Qh Jh Th 9h 2c")).document()
    ['royal_flush']

As a bug the joker is an ace, or completes a straight or flush; fully wild it is any card:

    >>> bug, wild = High(jokers="bug"), High(jokers="wild")
    >>> bug.rank(cards("9h 9d Jo 4c 2s")).document(), wild.rank(cards("9h 9d Jo 4c 2s")).document()
    (['pair', '9', 'A', '4', '2'], ['three_of_a_kind', '9', '4', '2'])
    >>> bug.rank(cards("9h 8d Jo 6c 5s")).document()
    ['straight', '9']
    >>> bug.rank(cards("Ah Kh Jo 6h 5h")).document()  # in a flush, the highest card that is missing
    ['flush', 'A', 'K', 'Q', '6', '5']
    >>> bug.rank(cards("Ah Ad Ac As Jo")).document(), wild.rank(cards("7h 7d 7c 7s Jo")).document()
    (['five_of_a_kind', 'A'], ['five_of_a_kind', '7'])

A joker that only pairs makes two pairs of one pair, and a full house of three of a kind:

    >>> pairs = High(jokers="pairs", five_of_a_kind="aces")
    >>> [pairs.rank(cards(hand)).document() for hand in ("9h 9d Jo 4c 2s", "9h 9d 9c Jo 2s", "9h 9d 4c 4s Jo")]
    [['two_pair', '9', '4', '2'], ['full_house', '9', '2'], ['two_pair', '9', '4', 'A']]
    >>> pairs.rank(cards("Ah Ad Ac As Jo")).document(), pairs.rank(cards("7h 7d 7c 7s Jo")).document()
    (['five_of_a_kind', 'A'], ['four_of_a_kind', '7', 'A'])

Where only aces make five of a kind, a wild joker beside four sevens is the best kicker
(bankers-fortune-pai-gow-poker-1-1):

    >>> High(jokers="wild", five_of_a_kind="aces").rank(cards("7h 7d 7c 7s Jo")).document()
    ['four_of_a_kind', '7', 'A']
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from controller.engine.cards.card import Card, rank_name
from controller.engine.ranking.chart import ACE, STANDARD, Chart
from controller.engine.ranking.fingerprint import (
    FLUSH_BITS,
    MOST_CARDS,
    RANK_FIELDS,
    counts,
    fingerprint,
    flush_bias,
    jokers,
)
from controller.engine.ranking.patterns import FiveOfAKind, Holding, pattern
from controller.engine.ranking.rank import Rank
from controller.engine.ranking.ranking import Ranking

Jokers = Literal["none", "bug", "pairs", "wild"]
"""`pairs`: pairs a single card or completes a straight or flush, but makes no three of a kind; four aces and the joker
are five aces all the same (village-pai-gow-poker, A1)."""

REMEMBERED_HANDS = 1 << 16
"""Enough for every seven-card hand without a flush (49,205), about 10 MB; then it starts anew."""


@dataclass(frozen=True)
class High(Ranking):
    """A chart and the ways of its joker, as a ruleset states them."""

    chart: Chart = STANDARD
    jokers: Jokers = "none"
    five_of_a_kind: FiveOfAKind = "any"
    """What a joker (or several decks) may make: none (a partly wild joker, turlock-mexican-poker), only aces, any."""
    flush_pairs: bool = False
    """A wild joker that may duplicate a card doubles the ace of a flush (bankers-pai-gow-poker, 000:367)."""
    _remembered: dict[int, Rank] = field(default_factory=dict, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if self.chart.lowest_wins:
            raise ValueError(f"the {self.chart.name} chart is for low hands; High needs one where the highest wins")
        if self.jokers != "none" and self.chart.suited_wheel == "flush":
            raise ValueError(
                f"the {self.chart.name} chart calls a suited wheel a flush; that is for games without joker"
            )

    def rank(self, cards: Sequence[Card]) -> Rank:
        hand = fingerprint(cards)
        if (hand + self._flush_bias) & FLUSH_BITS:
            return self._judge(hand, self._long_suits(cards))
        ranks = hand & RANK_FIELDS
        known = self._remembered.get(ranks)
        if known is None:
            known = self._judge(hand, ())
            if len(self._remembered) >= REMEMBERED_HANDS:
                self._remembered.clear()
            self._remembered[ranks] = known
        return known

    @cached_property
    def _flush_bias(self) -> int:
        return flush_bias(self.chart.size) if self.chart.counts_suits else 0

    def _long_suits(self, cards: Sequence[Card]) -> list[list[int]]:
        suits: list[list[int]] = [[], [], [], []]
        wild = 0
        for card in cards:
            if card.is_joker:
                wild += 1
            else:
                suits[card.suit].append(card.rank)
        return [ranks for ranks in suits if len(ranks) + wild >= self.chart.size]

    def _judge(self, hand: int, suited: Sequence[Sequence[int]]) -> Rank:
        natural, wild = counts(hand), jokers(hand)
        self._check(natural, wild)
        holding = Holding(
            self.chart,
            natural,
            suited,
            completing=wild,
            matching=wild if self.jokers in ("wild", "pairs") else 0,
            pairs_only=self.jokers == "pairs",
            grouped=natural | {ACE: natural.get(ACE, 0) + wild} if wild and self.jokers == "bug" else None,
            five_of_a_kind=self.five_of_a_kind,
            flush_pairs=self.flush_pairs,
        )
        for category in self.chart.most_demanding_first:
            found = pattern(category, holding)
            if found is not None:
                return Rank.of(self.chart, category, found)
        raise AssertionError("every hand has a high card")

    def _check(self, natural: dict[int, int], wild: int) -> None:
        held = sum(natural.values()) + wild
        if held < self.chart.size:
            raise ValueError(f"a {self.chart.name} hand has {self.chart.size} cards, here are {held}")
        if held > MOST_CARDS:
            raise ValueError(f"{held} cards are no hand; at most {MOST_CARDS} can be ranked")
        if wild and self.jokers == "none":
            raise ValueError(
                f"a joker in a {self.chart.name} hand, but this game has none; set `jokers` to bug or wild"
            )
        if strangers := natural.keys() - self.chart.rank_set:
            names = ", ".join(rank_name(rank) for rank in sorted(strangers))
            raise ValueError(f"the deck of the {self.chart.name} chart has no {names}")
