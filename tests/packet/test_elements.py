"""What a compliance officer ticks off beside the approval, and a packet once left out."""

from __future__ import annotations

import pytest

from controller.packet.document import Grid, Packet
from controller.packet.make import make


def rows(made: Packet, section: str, title: str) -> list[tuple[str, ...]]:
    blocks = made.section(section).blocks
    return [row for block in blocks if isinstance(block, Grid) and block.title == title for row in block.rows]


@pytest.mark.parametrize(
    ("slug", "act", "share"),
    [
        ("bankers-three-card-poker", "play", "exactly the seat's first wager"),
        ("village-caribbean-stud", "call", "exactly 2 times the seat's first wager"),
        ("turlock-ultimate-texas-holdem", "bet4x", "exactly 4 times the seat's first wager"),
        ("calgrand-hot-action-blackjack", "insurance", "exactly half of the seat's first wager"),
    ],
)
def test_a_wager_in_the_middle_of_the_round_has_its_amount(slug: str, act: str, share: str) -> None:
    """000: 672; 004: 447; 002: 2315; 001: 1432."""
    decisions = rows(make(slug), "decisions", "Decisions that the table asks for")
    assert share in {row[2] for row in decisions if row[1] == act}


def test_the_card_of_the_player_dealer_that_lies_open_is_in_the_order_of_the_deal() -> None:
    order = [row[1] for row in rows(make("bankers-three-card-poker"), "deal", "Order of the deal")]
    assert "3 cards, face down, 1 of them turned up, to player-dealer" in order


def test_what_became_of_a_wager_is_stated_where_no_table_of_situations_has_it() -> None:
    title = "What became of each wager, in the rounds that were played"
    became = {row[0]: row[1] for row in rows(make("bankers-pai-gow-tiles"), "settlement", title)}
    assert became["base"] == "is paid, is lost, goes back", "000: 389-391"
    assert not rows(make("bankers-three-card-poker"), "settlement", title)
