"""The Fortune bonus: the best paid hand among seven cards, however they were set.

The order of the pay table decides, not the base game's: three of a kind may stand above a straight, five of a kind
may have no row of its own and is then paid as four. So each row is asked in turn whether the seven cards hold it.

    >>> from controller.engine.cards.card import card
    >>> bonus = Bonus(("five_aces", "four_of_a_kind", "three_of_a_kind", "straight"), High(jokers="wild"))
    >>> def hand(text: str) -> str:
    ...     return bonus.hand([card(code) for code in text.split()])
    >>> hand("9c 9d 9h 9s Jo 4c 2d"), hand("9c 9d 9h 8s 7c 6d 5h"), hand("Kc Kd 9h 8s 4c 3d 2h")
    ('four_of_a_kind', 'three_of_a_kind', 'none')
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import combinations

from controller.engine.cards.card import Card, rank_name
from controller.engine.ranking import Category, High

NONE = "none"
"""No row of the table: the bonus bet is lost."""

Test = Callable[[Sequence[Card]], bool]

SEVEN_CARD_STRAIGHT_FLUSH = "seven_card_straight_flush"
SEVEN_CARD_STRAIGHT_FLUSH_JOKER = "seven_card_straight_flush_joker"
ROYAL_FLUSH_PLUS_ROYAL_MATCH = "royal_flush_plus_royal_match"
FIVE_ACES = "five_aces"

HANDS = frozenset(
    {
        SEVEN_CARD_STRAIGHT_FLUSH,
        SEVEN_CARD_STRAIGHT_FLUSH_JOKER,
        ROYAL_FLUSH_PLUS_ROYAL_MATCH,
        FIVE_ACES,
        *High().chart.categories,
    }
)
"""Every hand that a row of a bonus table may name."""


class Bonus:
    """The rows of a pay table, best first, for a deck whose joker plays like this."""

    def __init__(self, rows: Sequence[str], high: High) -> None:
        self._rows = [(row, _test(row, high)) for row in rows]

    def hand(self, cards: Sequence[Card]) -> str:
        """The first row that these seven cards hold."""
        return next((row for row, holds in self._rows if holds(cards)), NONE)


def _test(row: str, high: High) -> Test:
    if row in (SEVEN_CARD_STRAIGHT_FLUSH, SEVEN_CARD_STRAIGHT_FLUSH_JOKER):
        seven = _holds(Category.STRAIGHT_FLUSH, high, size=7)
        with_joker = row == SEVEN_CARD_STRAIGHT_FLUSH_JOKER
        return lambda cards: any(card.is_joker for card in cards) == with_joker and seven(cards)
    if row == ROYAL_FLUSH_PLUS_ROYAL_MATCH:
        return _royal_flush_and_match(high)
    if row == FIVE_ACES:
        return _five_aces(high)
    return _holds(Category(row), high)


def _holds(category: Category, high: High, size: int = 5) -> Test:
    """Whether some cards make this category, whatever better hand they make as well."""
    only = (category, Category.HIGH_CARD)
    alone = replace(high, chart=replace(high.chart, name=f"{category} alone", categories=only, size=size))
    return lambda cards: alone.rank(cards).category is category


def _five_aces(high: High) -> Test:
    of_a_kind = replace(
        high, chart=replace(high.chart, name="five of a kind", categories=(Category.FIVE_OF_A_KIND, Category.HIGH_CARD))
    )

    def test(cards: Sequence[Card]) -> bool:
        rank = of_a_kind.rank(cards)
        return rank.category is Category.FIVE_OF_A_KIND and rank_name(rank.ranks[0]) == "A"

    return test


def _royal_flush_and_match(high: High) -> Test:
    """A royal flush, and king and queen of one suit in the other two cards; a wild joker may stand in either part
    (turlock-fortune-pai-gow-poker, A10)."""
    royal = _holds(Category.ROYAL_FLUSH, high)

    def match(pair: Sequence[Card]) -> bool:
        natural = [card for card in pair if not card.is_joker]
        names = {rank_name(card.rank) for card in natural}
        if len(natural) < 2:
            return high.jokers == "wild" and names <= {"K", "Q"}
        return names == {"K", "Q"} and natural[0].suit == natural[1].suit

    def test(cards: Sequence[Card]) -> bool:
        return royal(cards) and any(
            match(pair) and royal([card for card in cards if card not in pair]) for pair in combinations(cards, 2)
        )

    return test
