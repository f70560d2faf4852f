"""What is posted on a poker table is read the same however it was written, on the first hand and on the hundredth."""

from __future__ import annotations

from typing import Any

import pytest

from controller.engine.betting.rules import FixedLimit, NoLimit, PotLimit
from controller.engine.round.felt import Setup
from controller.games.poker.core.options import PokerOptions
from controller.games.poker.core.settings import Kill, NotReady, PokerSettings, read_settings
from controller.rules import load

LIMIT: dict[str, Any] = {"kind": "fixed_limit", "low": 300, "high": 600}
SEATS = (1, 3, 4)


def read(options: PokerOptions | None = None, **settings: Any) -> PokerSettings:
    return read_settings(Setup(SEATS, button=1, settings=settings), options or PokerOptions())


def refusal(options: PokerOptions | None = None, **settings: Any) -> str:
    with pytest.raises(NotReady) as refused:
        read(options, **settings)
    return str(refused.value)


def test_seats_may_be_written_as_numbers_or_as_in_the_journal() -> None:
    options = PokerOptions()
    expected = PokerSettings(
        FixedLimit(300, 600), {3: 100, 4: 300}, (100, 300), {1: 50}, {}, {1: 0, 3: 900, 4: 900}, None, True, 3
    )
    for write in (int, str):
        settings = {
            "structure": LIMIT,
            "blinds": {write(3): 100, write(4): 300},
            "blind_sizes": [100, 300],
            "antes": {write(1): 50},
            "stacks": {write(1): 0, write(3): 900, write(4): 900},
            "kill": None,
            "button_moves": True,
            "last_winner": 3,
        }
        assert read(options, **settings) == read(options, **settings) == expected


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"stacks": {2: 900}}, "stacks: seat 2 is not in the game"),
        ({"stacks": {"2": 900}}, "stacks: seat 2 is not in the game"),
        ({"antes": {3: -5}}, "antes: seat 3 cannot have -5 cents"),
        ({"blinds": {3: 1.5}}, "expected a whole number, a number came"),
        ({"blinds": {3: True}}, "expected a whole number, true or false came"),
        ({"antes": None}, "expected an object, nothing (null) came"),
        ({"blinds": [100, 300]}, "expected an object, a list came"),
        ({"stakes": None}, "there is no field stakes"),
        ({"button_moves": 1}, "expected true or false, a whole number came"),
        ({"last_winner": "3"}, "expected a whole number or nothing (null), a text came"),
        ({"structure": {**LIMIT, "low": True}}, "expected a whole number, true or false came"),
        ({"structure": {**LIMIT, "low": 900}}, "the upper limit ($6) is below the lower one ($9)"),
        ({"kill": {"seat": 2, "kind": "voluntary"}}, "seat 2 kills, but is not in the game"),
    ],
)
def test_what_is_wrong_is_said_on_every_hand(wrong: dict[str, Any], said: str) -> None:
    options = PokerOptions()
    settings = {"structure": LIMIT, **wrong}
    first = refusal(options, **settings)
    assert said in first
    read(options, structure=LIMIT)
    assert refusal(options, **settings) == first


def test_blinds_go_by_position_to_seats_with_chips_where_none_are_named() -> None:
    options = PokerOptions(blinds=(100, 300))
    for _ in range(2):
        assert read(options, structure=LIMIT).blinds == {3: 100, 4: 300}
        assert read(options, structure=LIMIT, stacks={"1": 900, "3": 0, "4": 900}).blinds == {1: 100, 4: 300}
        assert read(options, structure=LIMIT, blind_sizes=[200], blinds=None).blinds == {3: 200}


def test_without_a_posted_minimum_the_bring_in_is_the_largest_blind_of_each_hand() -> None:
    options = PokerOptions()
    for cents in (300, 500):
        for _ in range(2):
            posted = {"structure": {"kind": "no_limit"}, "blinds": {3: 100, 4: cents}}
            assert read(options, **posted).structure == NoLimit(cents)
    killed = read(options, structure={"kind": "no_limit"}, blinds={3: 100, 4: 300}, kill={"seat": 4, "kind": "entry"})
    assert killed.structure == NoLimit(100)
    assert killed.kill == Kill(4, "entry")
    assert "no blind to take it from" in refusal(options, structure={"kind": "no_limit"})


def test_a_ruleset_may_post_the_structure_itself_and_no_ruleset_gets_anothers() -> None:
    own, none = PokerOptions(structure=FixedLimit(200, 400)), PokerOptions()
    for _ in range(2):
        assert read(own).structure == FixedLimit(200, 400)
        assert read(own, structure=LIMIT).structure == FixedLimit(300, 600)
        assert "no betting structure is posted" in refusal(none)


POT = {"kind": "pot_limit", "bring_in": 500}
ROUNDS = "pineapple lowball-ace-to-five lowball-deuce-to-seven draw-poker texas-holdem omaha seven-card-stud".split()  # noqa: SIM905


@pytest.mark.parametrize("game", ROUNDS)
def test_dollar_chips_in_the_blind_round_the_pot_of_every_pot_limit_game_that_prints_it(game: str) -> None:
    options = load(f"calgrand-{game}").options()
    assert isinstance(options, PokerOptions)

    def rounds(**settings: Any) -> bool | None:
        structure = read(options, **settings).structure
        assert isinstance(structure, PotLimit)
        return structure.dollar_chips_in_blind

    assert rounds(structure=POT, blinds={3: 200, 4: 500}) is True
    assert rounds(structure=POT, blinds={3: 500, 4: 1000}) is False
    assert rounds(structure=POT, blinds={}) is False
    # What the house states of its chips goes before.
    assert rounds(structure={**POT, "dollar_chips_in_blind": False}, blinds={3: 200, 4: 500}) is False


def test_a_pot_is_not_rounded_where_the_text_does_not_print_it() -> None:
    options = load("bankers-texas-holdem").options()
    assert isinstance(options, PokerOptions)
    structure = read(options, structure=POT, blinds={3: 200, 4: 500}).structure
    assert isinstance(structure, PotLimit) and structure.dollar_chips_in_blind is False
