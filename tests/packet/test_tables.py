"""The card tables of the packet, put beside the tables that the approvals print."""

from __future__ import annotations

from functools import cache

import pytest

from controller.packet.document import Grid, Packet
from controller.packet.make import make


@cache
def packet(slug: str) -> Packet:
    return make(slug)


def table(slug: str, section: str, title: str) -> dict[str, tuple[str, ...]]:
    """The rows of a table by their first cell."""
    (found,) = [
        block
        for block in packet(slug).section(section).blocks
        if isinstance(block, Grid) and block.title.startswith(title)
    ]
    return {row[0]: row[1:] for row in found.rows}


@pytest.mark.parametrize("slug", ["bankers-ez-baccarat-panda-8", "village-ez-baccarat"])
def test_the_third_card_table_is_the_printed_one(slug: str) -> None:
    """000: 1180-1185. Draws on the player's third card 0 to 9, then where the player stood."""
    assert {total: "".join(row) for total, row in table(slug, "ranking", "The banker hand").items()} == {
        "0": "DDDDDDDDDDD",
        "1": "DDDDDDDDDDD",
        "2": "DDDDDDDDDDD",
        "3": "DDDDDDDDSDD",
        "4": "SSDDDDDDSSD",
        "5": "SSSSDDDDSSD",
        "6": "SSSSSSDDSSS",
        "7": "SSSSSSSSSSS",
    }


def test_the_button_table_of_hot_action_is_the_printed_one() -> None:
    """001: 1330-1336."""
    assert table("calgrand-hot-action-blackjack", "ranking", "Action button") == {
        "1": ("A 8",),
        "2": ("2 9",),
        "3": ("3 T",),
        "4": ("4 J",),
        "5": ("5 Q",),
        "6": ("6 K",),
        "7": ("7 joker",),
    }


def test_the_button_table_of_caribbean_stud_is_the_printed_one() -> None:
    """001: 80-88, Table 2: there the player-dealer is position one, and his left neighbour two."""
    found = table("calgrand-caribbean-stud-poker", "ranking", "Action button")
    assert [row[0] for row in found.values()] == ["A 8", "2 9", "3 T", "4 J", "5 Q", "6 K", "7"]


def test_three_dice_count_the_player_dealer_as_one() -> None:
    found = table("bankers-fortune-pai-gow-poker-1-1", "ranking", "Action button")
    assert found["7 (player-dealer)"] == ("8 15",)
    assert found["2"] == ("3 10 17",)


def test_a_flush_beats_a_full_house_in_the_deck_of_41() -> None:
    rows = table("bankers-mexican-stud-poker", "ranking", "Ranking")
    order = [row[0] for row in rows.values()]
    assert order.index("flush") < order.index("full house")


def test_who_wins_is_judged_by_the_function_that_settles() -> None:
    """Pure 21.5: three eights of the player-dealer push a hand that is over."""
    found = packet("bankers-pure-21-5-blackjack").section("ranking").blocks
    (grid,) = [block for block in found if isinstance(block, Grid) and block.title.startswith("Who wins")]
    eights = next(at for at, name in enumerate(grid.columns) if name.startswith("8-8-8"))
    over = next(row for row in grid.rows if row[0].endswith("(22)"))
    assert over[eights] == "push"


def test_the_deal_is_shown_in_the_order_of_the_text() -> None:
    """000: 1176: one card to each side in rotation, until each has two; all face up."""
    steps = table("bankers-ez-baccarat-panda-8", "deal", "Order of the deal")
    assert steps["2"][0].startswith("one card each, face up, to player, banker,")


def test_wagers_are_within_the_posted_limits() -> None:
    made = make("bankers-ez-baccarat-panda-8", {"schedule": "ca-2/ez-baccarat/1"})
    (grid,) = [block for block in made.section("wagers").blocks if isinstance(block, Grid)]
    assert grid.rows[0][2] == "from $10 to $500"


def test_the_posted_collection_is_printed_beside_its_reading() -> None:
    made = make("bankers-ez-baccarat-panda-8", {"schedule": "ca-2/ez-baccarat/2"})
    (grid,) = [block for block in made.section("collection").blocks if isinstance(block, Grid)]
    ((lines, printed, read),) = grid.rows
    assert lines == "2058-2062"
    assert "2 | $10-$500 | $301-$700 | $4.00 | $0.00" in printed
    assert "$301.00-$700.00 $4.00" in read
