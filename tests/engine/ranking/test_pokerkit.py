"""PokerKit's order and ours agree on every pair of a large random sample of hands.

A run takes a quarter of the sample, another one with each commit; `make whole` takes all.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import pairwise
from random import Random
from typing import Protocol

import pytest
from pokerkit import (
    BadugiHand,
    EightOrBetterLowHand,
    OmahaEightOrBetterLowHand,
    OmahaHoldemHand,
    RegularLowHand,
    RhodeIslandHoldemHand,
    StandardHighHand,
    StandardLowHand,
)

from controller.engine.cards.card import Card, codes, standard_deck
from controller.engine.ranking import (
    ACE_TO_FIVE,
    DEUCE_TO_SEVEN,
    HIGH,
    THREE_CARD_HOLDEM,
    Badugi,
    High,
    Low,
    Rank,
    or_better,
)
from tests.support.turns import is_whole, turn

DECK = standard_deck()
A5 = Low(ACE_TO_FIVE)
D7 = Low(DEUCE_TO_SEVEN)


class Ordered(Protocol):
    def __lt__(self, other: Ordered, /) -> bool: ...


Theirs = Callable[[str, str], Ordered | None]
Ours = Callable[[list[Card], list[Card]], Rank | None]


def omaha_low(hole: list[Card], board: list[Card]) -> Rank | None:
    return or_better(A5.best(hole, board, use_hole=2))


def low_of_seven(hole: list[Card], board: list[Card]) -> Rank | None:
    return or_better(A5.best(hole, board))


@pytest.mark.parametrize(
    ("hole", "board", "hands", "ours", "theirs"),
    [
        pytest.param(5, 0, 20_000, HIGH.best, StandardHighHand.from_game_or_none, id="five-card high"),
        pytest.param(6, 0, 5_000, HIGH.best, StandardHighHand.from_game_or_none, id="best five of six"),
        pytest.param(2, 5, 5_000, HIGH.best, StandardHighHand.from_game_or_none, id="hold'em"),
        pytest.param(4, 5, 1_500, partial(HIGH.best, use_hole=2), OmahaHoldemHand.from_game_or_none, id="Omaha high"),
        pytest.param(4, 5, 1_500, omaha_low, OmahaEightOrBetterLowHand.from_game_or_none, id="Omaha eight or better"),
        pytest.param(7, 0, 5_000, low_of_seven, EightOrBetterLowHand.from_game_or_none, id="stud eight or better"),
        pytest.param(5, 0, 20_000, A5.best, RegularLowHand.from_game_or_none, id="ace-to-five"),
        pytest.param(7, 0, 4_000, A5.best, RegularLowHand.from_game_or_none, id="razz"),
        pytest.param(5, 0, 20_000, D7.best, StandardLowHand.from_game_or_none, id="deuce-to-seven"),
        pytest.param(
            3, 0, 20_000, High(THREE_CARD_HOLDEM).best, RhodeIslandHoldemHand.from_game_or_none, id="three-card"
        ),
        pytest.param(4, 0, 10_000, Badugi().best, BadugiHand.from_game_or_none, id="Badugi"),
    ],
)
def test_the_order_of_hands_is_pokerkits(hole: int, board: int, hands: int, ours: Ours, theirs: Theirs) -> None:
    sample = hands if is_whole() else hands // 4
    random = Random(f"{hole}+{board}+{turn()}")
    agreed: list[tuple[Rank, Ordered]] = []
    for _ in range(sample):
        dealt = random.sample(DECK, hole + board)
        own, common = dealt[:hole], dealt[hole:]
        mine, other = ours(own, common), theirs("".join(codes(own)), "".join(codes(common)))
        assert (mine is None) == (other is None), codes(dealt)
        if mine is not None and other is not None:
            agreed.append((mine, other))
    assert len(agreed) > sample // 10
    # Sorted by one order, neighbours suffice: two orders that agree on all neighbours agree on all pairs.
    agreed.sort(key=lambda pair: pair[0])
    for (mine, other), (my_next, other_next) in pairwise(agreed):
        assert (mine < my_next, mine == my_next) == (other < other_next, other == other_next), mine.document()
