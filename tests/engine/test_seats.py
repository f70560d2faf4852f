"""A table with more seats than the approval of its game allows: it is refused, and deals nothing."""

from __future__ import annotations

import pytest

from controller.engine import events as ev
from controller.engine.expect.expectation import prompt
from controller.engine.inputs import AnyBody, Configured, Input, RulesChosen, TableSet
from controller.engine.round.felt import Setup
from controller.engine.table.engine import TableEngine
from controller.engine.table.state import TableState
from controller.rules import RulesError, all_rulesets, load, resolve


def table(slug: str, setup: Setup) -> TableEngine:  # type: ignore[type-arg]
    ruleset = load(slug)
    return TableEngine(ruleset.game, ruleset.options(), TableState(setup, slug), slug, resolve)


def refusal(engine: TableEngine, body: AnyBody) -> str:  # type: ignore[type-arg]
    refused = [event for event in engine.apply(Input(0, "floor", body)) if isinstance(event, ev.Refused)]
    return refused[0].text if refused else ""


SEVEN = tuple(range(1, 8))


@pytest.mark.parametrize(
    ("slug", "most"),
    [
        ("bankers-three-card-poker", 8),
        ("bankers-pure-21-5-blackjack", 8),
        ("bankers-buster-blackjack", 8),
        ("bankers-pai-gow-poker", 7),
        ("bankers-ez-baccarat-panda-8", 14),
        ("turlock-three-card-holdem", 7),
        ("calgrand-three-card-poker", 10),
    ],
)
def test_the_floor_cannot_seat_more_than_the_approval_allows(slug: str, most: int) -> None:
    engine = table(slug, Setup(seats=(1, 2), player_dealer=most))
    assert refusal(engine, TableSet(seats=tuple(range(1, most)))) == ""
    text = refusal(engine, TableSet(seats=(*range(1, most), most + 1)))
    assert text == f"this room seats {most} players at a table, the player-dealer among them, and {most + 1} are set"
    assert engine.state.setup.seats == tuple(range(1, most))


def test_chinese_poker_seats_five() -> None:
    engine = table("village-chinese-poker", Setup(seats=(1, 2), button=1))
    assert refusal(engine, TableSet(seats=(1, 2, 3, 4, 5))) == ""
    text = "this room seats 5 players at a table, and 6 are set"
    assert refusal(engine, TableSet(seats=(1, 2, 3, 4, 5, 6))) == text


def test_a_game_for_fewer_seats_cannot_be_chosen_while_more_are_set() -> None:
    engine = table("bankers-three-card-poker", Setup(seats=SEVEN, player_dealer=8))
    text = "this room seats 7 players at a table, the player-dealer among them, and 8 are set"
    assert refusal(engine, RulesChosen("bankers-pai-gow-poker")) == text
    assert engine.ruleset == "bankers-three-card-poker"
    given = Configured("1", "file", ("rules.ruleset",), "bankers-pai-gow-poker", "", {}, {"seats": SEVEN})
    assert refusal(engine, given) == text


def test_a_table_that_is_too_large_deals_nothing_until_seats_are_taken_out() -> None:
    engine = table("bankers-three-card-poker", Setup(seats=(*SEVEN, 9), player_dealer=8))
    assert prompt(engine.expectation).endswith(
        "this room seats 8 players at a table, the player-dealer among them, and 9 are set"
    )
    assert refusal(engine, TableSet(seats=SEVEN)) == ""
    assert "9 are set" not in prompt(engine.expectation)


def test_more_positions_than_printed_are_too_many_as_well() -> None:
    engine = table("calgrand-hot-action-blackjack", Setup(seats=(1, 2), player_dealer=8))
    assert refusal(engine, TableSet(settings={"positions": 9})).endswith("and 9 are set")


def test_every_banked_game_states_its_seats_or_its_text_has_none() -> None:
    """The text of these has no number: 004:205-214, and a table of any size with seven active players (000:2632)."""
    without = {"village-21st-century-blackjack", "bankers-fortune-pai-gow-poker-joker-fully-wild"}
    for slug, ruleset in all_rulesets().items():
        if ruleset.game.has_player_dealer and "buster" not in slug:
            most = ruleset.game.most_seats(ruleset.options())
            assert (most is None) == (slug in without), slug


def test_a_point_that_is_not_the_posted_one_is_refused() -> None:
    with pytest.raises(
        RulesError, match="point = 500: the posted schedule village/chinese-poker/100 has a point of 10000"
    ):
        load("village-chinese-poker").options({"point": 500, "schedule": "village/chinese-poker/100"})
