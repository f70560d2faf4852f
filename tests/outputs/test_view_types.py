"""The view document: counts and roads of one history, and nothing that nobody may know."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.engine.cards.card import Audience, Slot, Unexposed, card
from controller.games.baccarat.roads import Result
from controller.outputs.view_types import HandView, SideTally, Tally, decode_view, encode_view, shoe_view
from controller.web.hosts import AllowedHosts
from tests.web.test_feed import a_view

results = st.builds(
    Result,
    winner=st.sampled_from(["B", "P", "T"]),
    flags=st.lists(st.sampled_from(["natural", "dragon_7", "panda_8"]), unique=True).map(tuple),
)


def test_an_empty_shoe_has_no_percentages() -> None:
    shoe = shoe_view(1, [])
    assert shoe.hands == 0 and shoe.bead == () and shoe.big_road.cells == ()
    assert shoe.player == shoe.banker == shoe.tie == Tally(0, None)
    assert [(side.count, side.percent) for side in shoe.side_bets] == [(0, None), (0, None)]


def test_percentages_are_over_all_hands_of_the_shoe_ties_included() -> None:
    shoe = shoe_view(
        3,
        [
            Result("B", ("dragon_7",)),
            Result("P", ("panda_8",)),
            Result("T", ("natural",)),
            Result("B", ("natural",)),
            Result("B"),
            Result("P"),
        ],
        cards_out=31,
    )
    assert (shoe.number, shoe.hands, shoe.cards_out, shoe.naturals) == (3, 6, 31, 2)
    assert (shoe.banker, shoe.player, shoe.tie) == (Tally(3, 50.0), Tally(2, 33.3), Tally(1, 16.7))
    assert shoe.side_bets == (SideTally("dragon_7", "Dragon 7", 1, 16.7), SideTally("panda_8", "Panda 8", 1, 16.7))


def test_half_a_tenth_of_a_percent_rounds_up() -> None:
    assert shoe_view(1, [Result("B")] + [Result("P")] * 79).banker.percent == 1.3  # 1.25
    assert shoe_view(1, [Result("B")] * 3 + [Result("P")] * 77).banker.percent == 3.8  # 3.75


@given(st.lists(results, max_size=80))
def test_counts_and_roads_never_disagree(history: list[Result]) -> None:
    shoe = shoe_view(1, history)
    beads = [bead for column in shoe.bead for bead in column]
    assert shoe.player.count + shoe.banker.count + shoe.tie.count == shoe.hands == len(beads)
    assert [sum(bead.winner == w for bead in beads) for w in "PBT"] == [
        shoe.player.count,
        shoe.banker.count,
        shoe.tie.count,
    ]
    drawn_ties = sum(cell.ties for cell in shoe.big_road.cells)
    assert drawn_ties == (shoe.tie.count if shoe.big_road.cells else 0)
    assert len(shoe.big_road.cells) == shoe.player.count + shoe.banker.count
    assert all(len(column) == 6 for column in shoe.bead[:-1])


def test_a_view_survives_the_wire() -> None:
    view = a_view(seq=7, hands_in_shoe=40)
    assert decode_view(encode_view(view)) == view


def test_a_hand_takes_only_faces_and_a_face_down_card_has_none() -> None:
    down = Slot(card("9h"), Audience.NOBODY)
    with pytest.raises(Unexposed):
        HandView("player", "Player", (down.face,))
    view = a_view(seq=1, hands=(HandView("player", "Player", (down.face_if_exposed,)),))
    assert b"9h" not in encode_view(view)


def test_the_address_that_the_server_is_bound_to_is_one_of_its_names() -> None:
    hosts = AllowedHosts("10.20.30.40", ["pit-3.casino.example."])
    assert all(hosts.allow(name) for name in ("10.20.30.40:8080", "PIT-3.casino.example", "localhost", "[::1]"))
    assert not any(hosts.allow(name) for name in ("10.20.30.41", "casino.example", "", None))
