"""What becomes of each wager, put beside what the approvals print."""

from __future__ import annotations

from functools import cache

import pytest

from controller.packet.document import Grid
from controller.packet.make import make

BACK, NONE = "goes back", "is not made"


@cache
def table(slug: str) -> dict[str, dict[str, str]]:
    """By situation and wager."""
    (found,) = [
        block
        for block in make(slug).section("settlement").blocks
        if isinstance(block, Grid) and block.title == "What becomes of each wager"
    ]
    _, *wagers = found.columns
    return {row[0]: dict(zip(wagers, row[1:], strict=True)) for row in found.rows}


@pytest.mark.parametrize(
    ("slug", "higher", "equal", "lower"),
    [
        ("calgrand-three-card-poker", "1 to 1", "1 to 1", "1 to 1"),
        ("calgrand-three-card-poker-1-3", "1 to 1", BACK, "lost"),  # 001: 3616-3620, reading A1
        ("turlock-three-card-poker", "1 to 1", "lost", "lost"),  # 002: 611-613
        ("turlock-three-card-poker-6-card-bonus", "1 to 1", "1 to 1", "1 to 1"),  # 002: 3331-3333
    ],
)
def test_the_ante_against_a_player_dealer_who_does_not_qualify(slug: str, higher: str, equal: str, lower: str) -> None:
    rows = table(slug)
    said = "player-dealer does not qualify; "
    assert rows[f"{said}player's hand higher"] == rows[f"{said}player's hand higher"] | {"ante": higher, "play": BACK}
    assert rows[f"{said}equal hands"]["ante"] == equal
    assert rows[f"{said}player's hand lower"]["ante"] == lower


def test_ultimate_resolves_play_and_blind_whether_the_player_dealer_qualifies_or_not() -> None:
    """002: 2336-2356: only the ante goes back; the blind is paid from a straight up."""
    rows = table("turlock-ultimate-texas-holdem")
    assert rows["player-dealer does not qualify; player's hand lower"] == {
        "ante": BACK,
        "play": "lost",
        "blind": "lost",
        "trips": "lost",
    }
    assert rows["player-dealer does not qualify; player's hand higher"]["blind"] == BACK
    assert rows["player-dealer qualifies; player's hand higher, a straight"]["blind"] == "1 to 1"
    assert rows["the player folds"] == {"ante": "lost", "play": NONE, "blind": "lost", "trips": "lost"}


def test_a_banker_who_wins_with_seven_in_three_cards_is_barred_where_the_text_bars_him() -> None:
    """004: 1272 bars him; 000: 1206 pays him."""
    seven = "banker hand wins with seven in three cards"
    assert table("village-ez-baccarat")[seven]["banker line"] == BACK
    assert table("bankers-ez-baccarat-panda-8")[seven]["banker line"] == "1 to 1"
    assert table("village-ez-baccarat")[seven]["dragon 7"] == "40 to 1"


def test_the_dragon_bonus_is_shown_by_the_points_between_the_hands() -> None:
    """002: 2805-2859."""
    rows = table("turlock-commission-free-baccarat-dragon-bonus")
    dragon = {said: row["player dragon"] for said, row in rows.items() if said.startswith("player")}
    assert dragon == {
        "player hand wins with a natural": "1 to 1",
        "player hand wins with eight in three cards": "lost",
        "player hand wins by nine": "30 to 1",
        "player hand wins by three, no natural": "lost",
    }
    assert rows["equal naturals"]["player dragon"] == BACK
    assert rows["banker hand wins with six in two cards"]["banker line"] == "1 to 2"


def test_no_situation_is_left_out_because_the_cards_do_not_make_it() -> None:
    assert len(table("bankers-ez-baccarat-panda-8")) == 10
    assert len(table("village-caribbean-stud")) == 7
    assert len(table("bankers-ultimate-texas-holdem")) == 9


def test_a_wager_that_needs_another_is_not_said_to_stand_alone() -> None:
    """002: 2281-2286: ante and blind are equal, and both are required."""
    (grid,) = [
        block
        for block in make("turlock-ultimate-texas-holdem").section("wagers").blocks
        if isinstance(block, Grid) and block.title == "Wagers before the deal"
    ]
    conditions = {row[0]: row[-1] for row in grid.rows}
    assert conditions["ante"] == "with blind, else no hand is dealt"


def test_insurance_and_surrender_are_shown_by_their_outcome() -> None:
    """004: 648, 652: half is lost on a surrender; insurance is paid two to one against a natural."""
    rows = table("village-no-bust-blackjack-4-0")
    assert rows["the player surrenders"] == {"main": "half of it is lost", "insurance": NONE}
    assert rows["both hold natural, insured"] == {"main": BACK, "insurance": "2 to 1"}
    assert rows["an ace of the player-dealer, no natural, insured"]["insurance"] == "lost"


@pytest.mark.parametrize(
    ("slug", "both"),
    [("bankers-pure-21-5-blackjack", BACK), ("bankers-pure-spanish-21-5", "6 to 5")],  # 000: 577, 1062
)
def test_two_naturals_end_as_the_text_has_it(slug: str, both: str) -> None:
    assert table(slug)["both hold pure"]["base"] == both
