"""What a hand is worth: a category of a chart and the ranks that break ties.

The greater rank wins, in high and low games alike: a better low *is* greater, so `max` finds the winner of any pot.
Ranks of different charts do not compare; asking is an error, not an answer. What cases and events carry is the
document: the category, then the ranks from high to low, as strings.

    >>> from controller.engine.cards.card import card
    >>> from controller.engine.ranking import HIGH
    >>> kings = HIGH.rank([card(c) for c in ("Kh", "Kd", "Tc", "7s", "2s")])
    >>> kings.document()
    ['pair', 'K', 'T', '7', '2']
    >>> kings.reaches(["pair", "J"]), kings.reaches(["two_pair"])
    (True, False)

A rank may have been made of cards that nobody may know yet, so its `repr` shows nothing:

    >>> kings
    <rank>
"""

from __future__ import annotations

from collections.abc import Sequence

from controller.engine.cards.card import RANKS, rank_name
from controller.engine.ranking.chart import Category, Chart


class Rank:
    """One hand's value on one chart. Made by a `Ranking`, or by `Rank.of`; never changed, so that it can be kept."""

    __slots__ = ("_document", "category", "chart", "ranks", "strength")

    def __init__(self, chart: Chart, category: Category, ranks: tuple[int, ...], strength: tuple[int, ...]) -> None:
        self.chart, self.category = chart, category
        self.ranks = ranks
        """What breaks ties, most important first: 2..14, ace 14."""
        self.strength = strength
        """Its place in the chart's order, see `Chart.strength`."""
        self._document: list[str] | None = None

    @staticmethod
    def of(chart: Chart, category: Category, ranks: tuple[int, ...]) -> Rank:
        return Rank(chart, category, ranks, chart.strength(category, ranks))

    def document(self) -> list[str]:
        """`[two_pair, A, K, Q]`: the form of `ranks` in a case."""
        if self._document is None:
            self._document = [self.category.value, *self.names]
        return self._document.copy()

    @property
    def names(self) -> list[str]:
        """The tie-break ranks alone: the form of `more.low_ranks` in a case."""
        return [rank_name(rank) for rank in self.ranks]

    def reaches(self, least: Sequence[str]) -> bool:
        """Whether this hand is `least` or better: `[pair, J]` to open, `[high_card, A, K]` to qualify.

        Ranks that `least` does not name do not matter.
        """
        floor = self.chart.strength(*_parsed(self.chart, least))
        return self.strength[: len(floor)] >= floor

    def outranks(self, other: Rank) -> bool:
        """Whether this hand is higher than one of another size: the back of a pai gow hand than its front.

        Category first, then the ranks in order; with the same leading ranks the hand with more cards is higher
        (bankers-pai-gow-poker, five-against-two check).
        """
        if other.category not in self.chart.categories:
            raise ValueError(
                f"{other.category} of the {other.chart.name} chart is no row of the {self.chart.name} chart"
            )
        return self.strength > self.chart.strength(other.category, other.ranks)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Rank):
            return NotImplemented
        return self.strength == other.strength and (self.chart is other.chart or self.chart == other.chart)

    def __hash__(self) -> int:
        return hash(self.strength)

    def __lt__(self, other: Rank) -> bool:
        return self.strength < self._rival(other)

    def __le__(self, other: Rank) -> bool:
        return self.strength <= self._rival(other)

    def __gt__(self, other: Rank) -> bool:
        return self.strength > self._rival(other)

    def __ge__(self, other: Rank) -> bool:
        return self.strength >= self._rival(other)

    def _rival(self, other: Rank) -> tuple[int, ...]:
        if other.chart is not self.chart and other.chart != self.chart:
            raise ValueError(
                f"a hand of the {self.chart.name} chart does not compare with one of the {other.chart.name} chart"
            )
        return other.strength

    def __repr__(self) -> str:
        return "<rank>"


def _parsed(chart: Chart, written: Sequence[str]) -> tuple[Category, tuple[int, ...]]:
    category, *names = written
    if category not in chart.categories:
        raise ValueError(f"{category!r} is no hand of the {chart.name} chart; it has {', '.join(chart.categories)}")
    for name in names:
        if len(name) != 1 or name not in RANKS:
            raise ValueError(f"{name!r} is not a rank; write one of {' '.join(RANKS)}")
    return Category(category), tuple(RANKS.index(name) + 2 for name in names)
