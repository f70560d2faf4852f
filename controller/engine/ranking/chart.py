"""A ranking chart: which hand beats which, as data.

A cardroom prints its ranking as a chart, best hand first. Rooms differ in the order (flush above full house in the
41-card deck), in what they count at all (no straights in a Chinese front hand), in where A-2-3-4-5 ranks and in the
ranks of the deck. All that is a `Chart`; how a joker plays is not, so a hand with a joker that is only partly wild
and one with a fully wild joker meet on the same chart (bankers-mexican-stud-poker).

    >>> STANDARD.beats(Category.FLUSH, Category.STRAIGHT), THREE_CARD.beats(Category.FLUSH, Category.STRAIGHT)
    (True, False)
    >>> [straight.top for straight in MEXICAN.straights]  # ace, king, queen, jack follows seven
    [14, 13, 12, 11, 7, 6, 5]
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property
from typing import Literal, NamedTuple

ACE = 14
ACE_HIGH = (2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, ACE)
ACE_LOW = (ACE, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13)
STRIPPED_41 = (2, 3, 4, 5, 6, 7, 11, 12, 13, ACE)

Wheel = Literal["low", "second", "none"]
"""Where A-2-3-4-5 ranks among the straights: lowest, second to A-K-Q-J-T, or it is no straight at all."""

SuitedWheel = Literal["straight_flush", "flush"]
"""What a suited wheel is. Only the three-card sheets of Turlock leave it open (option `a23_suited`)."""


class Category(StrEnum):
    """The rows of a chart, by the names that cases, pay tables and events use."""

    HIGH_CARD = "high_card"
    PAIR = "pair"
    TWO_PAIR = "two_pair"
    THREE_OF_A_KIND = "three_of_a_kind"
    STRAIGHT = "straight"
    FLUSH = "flush"
    FULL_HOUSE = "full_house"
    FOUR_OF_A_KIND = "four_of_a_kind"
    STRAIGHT_FLUSH = "straight_flush"
    ROYAL_FLUSH = "royal_flush"
    MINI_ROYAL = "mini_royal"
    FIVE_OF_A_KIND = "five_of_a_kind"
    BADUGI_1 = "badugi_1"
    BADUGI_2 = "badugi_2"
    BADUGI_3 = "badugi_3"
    BADUGI_4 = "badugi_4"


class Straight(NamedTuple):
    """One sequence: the rank it is named by, and its ranks as bits."""

    top: int
    bits: int


@dataclass(frozen=True)
class Chart:
    """The rows best first, and what the rows mean. A category that is not listed does not count."""

    name: str = field(compare=False)
    categories: tuple[Category, ...]
    size: int = 5
    """Cards in a hand."""
    ranks: tuple[int, ...] = ACE_HIGH
    """The ranks of the deck, lowest first; neighbours follow each other in a straight."""
    lowest_wins: bool = False
    wheel: Wheel = "low"
    suited_wheel: SuitedWheel = "straight_flush"

    def __post_init__(self) -> None:
        if len(set(self.categories)) != len(self.categories):
            raise ValueError(f"chart {self.name}: a category is listed twice; each row of a chart is listed once")
        if not {Category.HIGH_CARD, Category.BADUGI_1} & set(self.categories):
            raise ValueError(f"chart {self.name}: no row for the poorest hand; list high_card (Badugi: badugi_1)")
        if len(set(self.ranks)) != len(self.ranks) or not set(self.ranks) <= set(ACE_HIGH):
            raise ValueError(f"chart {self.name}: ranks are 2 to 14 (ace), each once, lowest first; got {self.ranks}")
        if self.size < 1:
            raise ValueError(f"chart {self.name}: a hand has at least one card, not {self.size}")

    def beats(self, category: Category, other: Category) -> bool:
        return self._rows[category] > self._rows[other]

    @cached_property
    def straights(self) -> tuple[Straight, ...]:
        """Every sequence of this deck, best first."""
        runs = [self.ranks[i : i + self.size] for i in range(len(self.ranks) - self.size, -1, -1)]
        straights = [_straight(run) for run in runs]
        if self.wheel_straight is not None:
            straights.insert(1 if self.wheel == "second" else len(straights), self.wheel_straight)
        return tuple(straights)

    @cached_property
    def wheel_straight(self) -> Straight | None:
        """5-4-3-2-A, or 3-2-A of three cards, where the chart counts it."""
        if self.wheel == "none" or self.ranks[-1] != ACE or not 3 <= self.size <= len(self.ranks):
            return None
        return _straight((ACE, *self.ranks[: self.size - 1]))

    @cached_property
    def descending(self) -> tuple[int, ...]:
        return self.ranks[::-1]

    @cached_property
    def rank_set(self) -> frozenset[int]:
        return frozenset(self.ranks)

    @cached_property
    def most_demanding_first(self) -> tuple[Category, ...]:
        """The order in which to look for a pattern: a full house also holds a pair, so it is asked for first."""
        return self.categories[::-1] if self.lowest_wins else self.categories

    @cached_property
    def counts_suits(self) -> bool:
        """Whether a hand can be more than its ranks show."""
        return not _SUITED.isdisjoint(self.categories)

    def strength(self, category: Category, ranks: tuple[int, ...]) -> tuple[int, ...]:
        """A hand's place in the order of this chart: the greater strength wins, in low games too."""
        if category in _NAMED_BY_TOP_CARD and ranks:
            values = tuple(self._straight_values[rank] for rank in ranks)
        else:
            values = tuple(map(self.ranks.index, ranks))
        if self.lowest_wins:
            values = tuple(-value for value in values)
        return (self._rows[category], *values)

    @cached_property
    def _rows(self) -> dict[Category, int]:
        return {category: len(self.categories) - i for i, category in enumerate(self.categories)}

    @cached_property
    def _straight_values(self) -> dict[int, int]:
        return {straight.top: len(self.straights) - i for i, straight in enumerate(self.straights)}


_SUITED = frozenset({Category.FLUSH, Category.STRAIGHT_FLUSH, Category.ROYAL_FLUSH, Category.MINI_ROYAL})
_NAMED_BY_TOP_CARD = frozenset({Category.STRAIGHT, Category.STRAIGHT_FLUSH})


def _straight(run: tuple[int, ...]) -> Straight:
    return Straight(run[-1], sum(1 << rank for rank in run))


_GROUPS = (
    Category.FOUR_OF_A_KIND,
    Category.FULL_HOUSE,
    Category.THREE_OF_A_KIND,
    Category.TWO_PAIR,
    Category.PAIR,
    Category.HIGH_CARD,
)

STANDARD = Chart(
    "five-card high",
    (
        Category.FIVE_OF_A_KIND,
        Category.ROYAL_FLUSH,
        Category.STRAIGHT_FLUSH,
        Category.FOUR_OF_A_KIND,
        Category.FULL_HOUSE,
        Category.FLUSH,
        Category.STRAIGHT,
        Category.THREE_OF_A_KIND,
        Category.TWO_PAIR,
        Category.PAIR,
        Category.HIGH_CARD,
    ),
)
"""The common chart (calgrand-poker-hand-ranking, HIGH)."""


def promoted(chart: Chart, name: str, category: Category, above: Category) -> Chart:
    rest = [row for row in chart.categories if row is not category]
    rest.insert(rest.index(above), category)
    return replace(chart, name=name, categories=tuple(rest))


FORTUNE = promoted(STANDARD, "fortune bonus", Category.THREE_OF_A_KIND, above=Category.STRAIGHT)
"""The bonus pays three of a kind above a straight (turlock-fortune-pai-gow-poker, pay table)."""

MEXICAN = replace(
    promoted(STANDARD, "41-card high", Category.FLUSH, above=Category.FULL_HOUSE),
    ranks=STRIPPED_41,
)
"""Without 8, 9 and ten: flush beats full house, jack follows seven (bankers-mexican-stud-poker)."""

THREE_CARD = Chart(
    "three-card",
    (
        Category.ROYAL_FLUSH,
        Category.STRAIGHT_FLUSH,
        Category.THREE_OF_A_KIND,
        Category.STRAIGHT,
        Category.FLUSH,
        Category.PAIR,
        Category.HIGH_CARD,
    ),
    size=3,
)
"""Straight above flush; suited A-K-Q is the royal flush (bankers-three-card-poker)."""

THREE_CARD_MINI_ROYAL = replace(
    THREE_CARD, name="three-card with mini royal", categories=(Category.MINI_ROYAL, *THREE_CARD.categories[1:])
)
"""The same, suited A-K-Q named mini royal (bankers-three-card-poker-6-card-bonus)."""

THREE_CARD_HOLDEM = replace(THREE_CARD, name="three-card hold'em", categories=THREE_CARD.categories[1:])
"""No royal: suited A-K-Q is the best straight flush (turlock-three-card-holdem)."""

CHINESE_FRONT = Chart(
    "Chinese front", (Category.THREE_OF_A_KIND, Category.PAIR, Category.HIGH_CARD), size=3, wheel="none"
)
"""Straights and flushes do not count in front (village-chinese-poker, A1)."""

TWO_CARD = Chart("two-card", (Category.PAIR, Category.HIGH_CARD), size=2, wheel="none")
"""The front hand of pai gow poker."""

ACE_TO_FIVE = Chart("ace-to-five low", _GROUPS[::-1], ranks=ACE_LOW, lowest_wins=True, wheel="none")
"""Ace low, straights and flushes ignored (calgrand-poker-hand-ranking, LOW_A5)."""

DEUCE_TO_SEVEN = Chart("deuce-to-seven low", STANDARD.categories[:0:-1], ranks=ACE_HIGH, lowest_wins=True, wheel="none")
"""The high chart turned round, ace high, A-2-3-4-5 no straight (calgrand-poker-hand-ranking, LOW_27)."""

DEUCE_TO_SEVEN_HIGH = replace(STANDARD, name="five-card high of deuce-to-seven", wheel="none")
"""The high half of a deuce-to-seven pot, where A-2-3-4-5 is no straight either (001:446)."""

ACES_LOW_HIGH = replace(STANDARD, name="five-card high, aces low", ranks=ACE_LOW, wheel="none")
"""The high half of an ace-to-five pot where "aces are always low" (001:425) is read for both halves."""

BADUGI = Chart(
    "Badugi",
    (Category.BADUGI_4, Category.BADUGI_3, Category.BADUGI_2, Category.BADUGI_1),
    size=4,
    ranks=ACE_LOW,
    lowest_wins=True,
    wheel="none",
)
"""Cards of different ranks and suits, ace low (village-badugi-triple-draw)."""


def up_cards(size: int, chart: Chart = STANDARD) -> Chart:
    """The chart for `size` open cards in stud: groups and high cards count, straights and flushes do not.

    >>> up_cards(2).categories[-2:]
    (<Category.PAIR: 'pair'>, <Category.HIGH_CARD: 'high_card'>)
    """
    rows = tuple(row for row in chart.categories if row in _GROUPS)
    return replace(chart, name=f"{size} up cards, {chart.name}", categories=rows, size=size, wheel="none")
