"""The third-card rule of baccarat, on points alone: naturals, who draws, who wins.

Every room has the same chart, so the scripts and an enumeration of every shoe use these functions.

    >>> is_natural(3, 8), player_draws(5), banker_draws(3, 8), banker_draws(5, None)
    (True, True, False, True)
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from controller.engine.cards.card import Hand

POINTS: Mapping[int, int] = {rank: rank % 10 if rank < 10 else 0 for rank in range(2, 14)} | {14: 1}
"""Points of a rank: ace 1, two to nine their face, ten to king 0."""

COUNTS: Mapping[int, int] = {rank: rank for rank in range(2, 14)} | {14: 1}
"""What a rank counts for the action button: ace 1, two to ten their face, jack 11, queen 12, king 13."""


def total(hand: Hand) -> int:
    points = 0
    for slot in hand.slots:
        points += POINTS[slot.card.rank]
    return points % 10


def is_natural(player: int, banker: int) -> bool:
    """Two-card totals that end the drawing: a natural 8 or 9 on either side."""
    return player >= 8 or banker >= 8


def player_draws(player: int) -> bool:
    return player <= 5


# Row: banker total 3 to 6; the player's third cards on which the banker draws. 0-2 always draw, 7 never does.
_BANKER_DRAWS_ON: Mapping[int, frozenset[int]] = {
    3: frozenset({0, 1, 2, 3, 4, 5, 6, 7, 9}),
    4: frozenset({2, 3, 4, 5, 6, 7}),
    5: frozenset({4, 5, 6, 7}),
    6: frozenset({6, 7}),
}


def banker_draws(banker: int, player_third: int | None) -> bool:
    """Whether the banker draws, given the points of the player's third card, or None where the player stood."""
    if player_third is None:
        return banker <= 5
    return banker <= 2 or (banker <= 6 and player_third in _BANKER_DRAWS_ON[banker])


def winner(player: int, banker: int) -> Literal["player", "banker", "tie"]:
    if player == banker:
        return "tie"
    return "player" if player > banker else "banker"
