"""Readings: one list for each table, every one with its letter, text, lines, default and choices."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import pytest

from controller.rules import RulesError, all_rulesets, load
from controller.rules.confirmations import Confirmations
from controller.rules.confirming import described
from controller.rules.readings import Reading, readings_of

FRACTION = re.compile(r"\d+:(?!1\b)\d+")
"""Odds that are no whole multiple of the wager."""
LINES = re.compile(r"\b\d{1,4}\b")


def named(slug: str, chosen: Mapping[str, Any] | None = None) -> dict[str, Reading]:
    return {reading.name: reading for reading in readings_of(load(slug), chosen)}


def test_an_option_with_a_letter_is_a_reading_with_what_its_values_mean() -> None:
    reading = named("turlock-mexican-poker")["bring_in_tie"]
    assert (reading.letter, reading.lines) == ("A1", "3719-3721, 3788-3789, 3805-3806")
    assert (reading.default, reading.value) == ("suit", "suit")
    assert {choice.value for choice in reading.choices} == {"suit", "first_dealt"}


def test_the_choice_of_the_table_is_the_value_in_force() -> None:
    reading = named("turlock-mexican-poker", {"bring_in_tie": "first_dealt"})["bring_in_tie"]
    assert (reading.default, reading.value) == ("suit", "first_dealt")


@pytest.mark.parametrize(
    ("slug", "name"),
    [
        ("bankers-ez-baccarat-panda-8", "decks"),
        ("calgrand-hot-action-blackjack", "jokers_per_deck"),
        ("calgrand-texas-holdem", "check_raise"),
        ("village-holdem", "schedule"),
    ],
)
def test_a_default_that_no_line_states_needs_the_word_of_the_house(slug: str, name: str) -> None:
    reading = named(slug)[name]
    assert not reading.is_stated
    assert not reading.letter


def test_an_option_whose_default_is_printed_is_no_reading() -> None:
    assert "low_qualifier" not in named("village-omaha-hi-lo")


def test_the_game_under_a_side_bet_brings_its_own_readings() -> None:
    found = readings_of(load("bankers-buster-blackjack"))
    assert {reading.of for reading in found} == {"bankers-buster-blackjack", "bankers-pure-21-5-blackjack"}
    other = readings_of(load("bankers-buster-blackjack"), {"base_game": "pure-spanish-21-5"})
    assert "bankers-pure-spanish-21-5" in {reading.of for reading in other}


def test_what_a_posted_schedule_does_not_print_as_it_is_read_is_a_reading_of_the_table() -> None:
    found = named("turlock-pure-spanish-21-5", {"schedule": "ps215-own-18"})
    assert found["row 4"].of == "ps215-own-18"
    assert "$1,000 - $1,500" in found["row 4"].text


def test_a_reading_is_named_once() -> None:
    for ruleset in all_rulesets().values():
        keys = [reading.key for reading in readings_of(ruleset)]
        assert len(keys) == len(set(keys)), ruleset.slug


def test_the_digest_changes_with_the_value_and_only_with_the_reading() -> None:
    as_it_is = named("bankers-ez-baccarat-panda-8")
    with_six = named("bankers-ez-baccarat-panda-8", {"decks": 6})
    assert as_it_is["decks"].digest != with_six["decks"].digest
    others = as_it_is.keys() - {"decks"}
    assert {as_it_is[name].digest for name in others} == {with_six[name].digest for name in others}


def test_a_point_that_leaves_nothing_to_choose_is_a_reading_with_its_lines() -> None:
    reading = named("bankers-pure-21-5-blackjack")["start_of_play"]
    assert (reading.letter, reading.lines) == ("A2", "532, 541-542")
    assert [choice.value for choice in reading.choices] == ["as_read"]
    assert named("calgrand-pai-gow-poker")["dice"].letter == "PGP-1"
    assert named("calgrand-hot-action-blackjack")["second_card_of_a_split"].letter == "HAB-17"


@pytest.mark.parametrize("slug", all_rulesets())
def test_every_reading_of_a_ruleset_cites_lines(slug: str) -> None:
    for reading in readings_of(load(slug)):
        if not reading.letter or reading.of not in all_rulesets():
            continue
        assert LINES.search(reading.lines), f"{reading.key} cites no line"


def test_the_house_may_read_an_open_point_of_its_collection_otherwise() -> None:
    posted = {"id": "village/pai-gow-poker/1", "on_void": "kept"}
    found = named("village-pai-gow-poker", {"schedule": posted})
    assert (found["on_void"].value, found["on_void"].default) == ("kept", "floor_decides")
    assert load("village-pai-gow-poker").posted(posted).schedule.on_void == "kept"
    assert found["bracket_basis"].letter == "F4"
    assert "bracket_basis" not in named("village-ez-baccarat", {"schedule": "village/ez-baccarat/1"})


def test_a_printed_point_of_a_collection_is_not_the_house_s_to_read() -> None:
    with pytest.raises(RulesError, match="leaves nothing open"):
        load("bankers-texas-holdem").posted({"id": "poker-2/holdem-omaha/43", "on_void": "kept"})


@pytest.mark.parametrize("slug", all_rulesets())
def test_every_reading_has_a_text_a_name_of_its_own_and_its_lines_or_none(slug: str) -> None:
    ruleset = load(slug)
    proposed = ruleset.proposed_schedule()
    for chosen in ({}, {"schedule": proposed} if proposed else {}):
        found = readings_of(ruleset, chosen)
        keys = [reading.key for reading in found]
        assert len(keys) == len(set(keys))
        for reading in found:
            assert reading.text.strip() or not reading.letter, f"{reading.key} has no text"
            assert reading.text == " ".join(reading.text.split())
            lines = "lines " if reading.lines else "no line"
            assert lines in next(described(reading, Confirmations())), "a reading without a line states so"


@pytest.mark.parametrize("how", ["down", "nearest", "up"])
def test_rounding_is_a_reading_of_every_ruleset_whose_odds_have_a_fraction(how: str) -> None:
    for slug in all_rulesets():
        ruleset = load(slug)
        if not any(FRACTION.search(str(value)) for value in ruleset.data.pays.values()):
            continue
        found = named(slug)
        (reading,) = [found[name] for name in ("odd_cents", "broken_blind") if name in found]
        assert any(how in str(choice.value) for choice in reading.choices)
