"""Hand histories in the PHH format, dealt at our draw tables; the public ones are in docs/compliance/poker.md."""

from __future__ import annotations

from tests.games.poker.phh.draw import DrawTable
from tests.games.poker.phh.history import History

DEAL = ["d dh p1 7h6c4c3d2c", "d dh p2 ??????????", "d dh p3 AsQs8s5c3c"]


def triple_draw(*actions: str) -> list[int]:
    return DrawTable(
        History("F2L3D", [0, 0, 0], [1000, 2000, 0], 2000, [50000, 40000, 30000], [*DEAL, *actions], [], 2000, 4000)
    ).finishing_stacks()


def test_a_triple_draw_hand_whose_folded_cards_are_not_recorded() -> None:
    stacks = triple_draw(
        *("p3 cbr 4000", "p1 cbr 6000", "p2 f", "p3 cc"),
        *("p1 sd", "p3 sd AsQs", "d dh p3 2hQh", "p1 cbr 2000", "p3 cc"),
        *("p1 sd", "p3 sd Qh", "d dh p3 4d", "p1 cbr 4000", "p3 cc"),
        *("p1 sd", "p3 sd 8s", "d dh p3 7c", "p1 cbr 4000", "p3 cc"),
        *("p1 sm 7h6c4c3d2c", "p3 sm 5c3c2h4d7c"),
    )
    # 7-5-4-3-2 beats 7-6-4-3-2: 16000 from the first player, 2000 from the big blind.
    assert stacks == [34000, 38000, 48000]


def test_a_hidden_hand_draws_by_number_and_is_named_when_it_is_shown() -> None:
    stacks = triple_draw(
        *("p3 f", "p1 cc", "p2 cc"),
        *("p1 sd", "p2 sd ????", "d dh p2 ????", "p1 cc", "p2 cc"),
        *("p1 sd", "p2 sd ??", "d dh p2 8h", "p1 cc", "p2 cc"),
        *("p1 sd", "p2 sd", "p1 cc", "p2 cc"),
        *("p1 sm 7h6c4c3d2c", "p2 sm 9h8h5d4h2d"),
    )
    assert stacks == [52000, 38000, 30000]
