"""Seven cards in two hands, a front of two and a back of five, and whether that is allowed.

    >>> from controller.engine.cards.card import card
    >>> def cards(text: str) -> list[Card]:
    ...     return [card(code) for code in text.split()]
    >>> wild = Seven(High(jokers="wild"))
    >>> seven = cards("Ac Ad Kh Ks 4c 3d 2h")
    >>> wild.arrange(seven, cards("Kh Ks")).is_legal, wild.arrange(seven, cards("Ac Ad")).is_legal
    (True, False)

With the same leading ranks the back is the higher hand, because it has more cards:

    >>> wild.arrange(cards("Ac Ad Ah As Kc 7d 2h"), cards("Ac Ad")).is_legal
    True
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

from controller.engine.cards.card import Card
from controller.engine.ranking import TWO_CARD, Category, High, Rank

COMPLETE = frozenset({Category.STRAIGHT, Category.FLUSH, Category.STRAIGHT_FLUSH, Category.ROYAL_FLUSH})
"""A complete hand: all five cards of the back serve it."""


@dataclass(frozen=True)
class Seven:
    """How seven cards are ranked when they are set in two hands."""

    back: High
    front: High = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "front", High(TWO_CARD, self.back.jokers, self.back.five_of_a_kind))

    def arrange(self, cards: Sequence[Card], front: Sequence[Card]) -> Arranged:
        """These two cards in front, the rest behind."""
        back = list(cards)
        for card in front:
            # One by one: a deck may have two jokers.
            back.remove(card)
        return Arranged(tuple(front), tuple(back), self)


@dataclass(frozen=True, eq=False, repr=False)
class Arranged:
    """Seven cards in two hands. May hold cards that nobody may know yet, so its `repr` shows nothing."""

    front: tuple[Card, ...]
    back: tuple[Card, ...]
    ranking: Seven

    @cached_property
    def front_rank(self) -> Rank:
        return self.ranking.front.rank(self.front)

    @cached_property
    def back_rank(self) -> Rank:
        return self.ranking.back.rank(self.back)

    @property
    def is_legal(self) -> bool:
        """The five-card hand must be the higher one."""
        return self.back_rank.outranks(self.front_rank)

    @property
    def worth(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Highest front first, then highest back."""
        return self.front_rank.strength, self.back_rank.strength
