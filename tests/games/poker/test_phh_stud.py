"""Hand histories of seven-card stud in PHH: dealt at our table they end as they tell, and as PokerKit says.

The sample is ours. The thirty stud, high-low and Razz hands of the public collection (uoftcprg/phh-dataset,
data/wsop/2023/43/5) were dealt the same way; docs/compliance/poker.md says what came of it.
"""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tests.games.poker.phh.history import History
from tests.games.poker.phh.pokerkit_table import finishing_stacks
from tests.games.poker.phh.stud import StudTable

DEALT = {
    "F7S": ["d dh p1 Td3c4c", "d dh p2 KdKh4d", "d dh p3 As8d5c"],
    "F7S/8": ["d dh p1 Td3c4d", "d dh p2 Ad2hKc", "d dh p3 As8d5c"],
    "FR": ["d dh p1 7c3hKc", "d dh p2 8s6s5s", "d dh p3 3s2c8h"],
}
HANDS = [
    ("F7S", ["p1 pb", "p2 cbr 200", "p3 f", "p1 f"]),
    (
        "F7S",
        [
            *("p1 pb", "p2 cbr 200", "p3 cc", "p1 f"),
            *("d dh p2 6d", "d dh p3 9s", "p3 cc", "p2 cbr 200", "p3 cbr 400", "p2 cc"),
            *("d dh p2 Ah", "d dh p3 Ad", "p3 cc", "p2 cbr 400", "p3 cc"),
            *("d dh p2 2c", "d dh p3 2d", "p3 cc", "p2 cc"),
            *("d dh p2 7h", "d dh p3 Jc", "p3 cc", "p2 cbr 400", "p3 cc"),
        ],
    ),
    (
        "F7S/8",
        [
            *("p1 pb", "p2 cbr 200", "p3 cc", "p1 f"),
            *("d dh p2 6d", "d dh p3 4s", "p2 cbr 200", "p3 cc"),
            *("d dh p2 Kh", "d dh p3 7d", "p2 cbr 400", "p3 cc"),
            *("d dh p2 Jc", "d dh p3 Qh", "p2 cc", "p3 cc"),
            *("d dh p2 Th", "d dh p3 2s", "p2 cc", "p3 cc"),
        ],
    ),
    (
        "FR",
        [
            *("p1 pb", "p2 cbr 200", "p3 cc", "p1 f"),
            *("d dh p2 Jh", "d dh p3 6c", "p3 cbr 200", "p2 cc"),
            *("d dh p2 Ks", "d dh p3 Js", "p3 cbr 400", "p2 cc"),
            *("d dh p2 2d", "d dh p3 3c", "p3 cc", "p2 cc"),
            *("d dh p2 As", "d dh p3 Kd", "p3 cc", "p2 cc"),
        ],
    ),
    (
        # Player 3 has 250 left after the ante: all-in on fourth street, and the others are dealt on without betting.
        "FR",
        [
            *("p1 pb", "p2 cbr 200", "p3 cc", "p1 f"),
            *("d dh p2 Jh", "d dh p3 6c", "p3 cbr 50", "p2 cc"),
            *("d dh p2 Ks", "d dh p3 Js", "d dh p2 2d", "d dh p3 3c", "d dh p2 As", "d dh p3 Kd"),
        ],
    ),
]


def history(variant: str, actions: list[str]) -> History:
    stacks = [10000, 10000, 300 if "p3 cbr 50" in actions else 10000]
    return History(
        variant,
        antes=[50, 50, 50],
        blinds_or_straddles=[0, 0, 0],
        min_bet=200,
        small_bet=200,
        big_bet=400,
        bring_in=100,
        starting_stacks=stacks,
        actions=[*DEALT[variant], *actions],
    )


@pytest.mark.parametrize(("variant", "actions"), HANDS)
def test_a_stud_history_ends_at_our_table_as_in_pokerkit(variant: str, actions: list[str]) -> None:
    hand = history(variant, actions)
    ours = StudTable(hand).finishing_stacks()
    assert ours == finishing_stacks(hand)
    assert sum(ours) == sum(hand.starting_stacks)


def test_hidden_cards_of_a_hand_that_folds_are_dealt_unread() -> None:
    hand = history("F7S", ["p1 pb", "p2 cbr 200", "p3 f", "p1 f"])
    hidden = [action.replace("As8d5c", "??????") for action in hand.actions]
    assert StudTable(replace(hand, actions=hidden)).finishing_stacks() == [9850, 10200, 9950]
