"""What a house reads otherwise in its collection is charged, and only where the document leaves it open."""

from __future__ import annotations

from typing import Any, get_args, get_type_hints

import pytest
from msgspec.structs import fields, replace

from controller.engine.fees.banked import Stake, assess
from controller.engine.fees.open_points import is_open, read_otherwise
from controller.engine.fees.schedule import OPEN_POINTS, House, Schedule
from controller.rules import RulesError, load
from controller.rules.schedules import all_schedules, problems


def posted(ruleset: str, name: str, **points: Any) -> Schedule:
    return load(ruleset).posted({"id": name, **points}).schedule


def test_every_open_point_is_a_field_of_the_schedule_and_of_the_house() -> None:
    on_schedule, on_house = ({field.name for field in fields(kind)} for kind in (Schedule, House))
    assert set(OPEN_POINTS) <= on_schedule & on_house
    assert on_schedule & on_house == set(OPEN_POINTS), "a field of both that cannot be chosen"


def test_each_reading_with_choices_is_open_for_a_schedule_of_its_file() -> None:
    found = all_schedules().values()
    named = {(item.file, name) for item in found for name, data in item.readings.items() if data.choices}
    used = {(item.file, name) for item in found for name in item.readings if is_open(item.schedule, name)}
    assert named <= used
    assert {name for _, name in named} == set(OPEN_POINTS)


def test_every_other_reading_of_every_schedule_can_be_charged_by() -> None:
    kinds = get_type_hints(Schedule)
    for item in all_schedules().values():
        for name in item.readings.keys() & set(OPEN_POINTS):
            if not is_open(item.schedule, name):
                continue
            values = get_args(kinds[name])
            assert getattr(item.schedule, name) in values
            for value in values:
                made = read_otherwise(replace(item.schedule, house=House(**{name: value})))
                assert getattr(made, name) == value
                assert name == "below_bands" or not list(problems(made)), (item.schedule.id, name, value)


def test_a_point_that_changes_nothing_in_the_posted_schedule_is_refused() -> None:
    with pytest.raises(RulesError, match="insurance_in_action: the document leaves nothing open here"):
        posted("calgrand-hot-action-blackjack", "bjpg-r2-A", insurance_in_action="counted")
    with pytest.raises(RulesError, match="leaves nothing open"):
        posted("calgrand-pai-gow-tiles", "bjpg-r2-E", insurance_in_action="counted")
    with pytest.raises(RulesError, match="leaves nothing open"):
        posted("village-holdem", "village/holdem/40-80", drop_payer="button")


def test_the_button_cannot_get_its_drop_back_without_a_flop() -> None:
    with pytest.raises(RulesError, match="the fee is taken before the deal"):
        posted("village-holdem", "village/holdem/6-12", drop_payer="button", no_flop="free")


def test_a_drop_of_the_button_for_a_number_of_players_that_is_not_posted_is_not_guessed() -> None:
    schedule = posted("village-holdem", "village/holdem/6-12", drop_payer="button")
    assert assess(schedule, [], dealt=range(1, 10), button=3).players == {3: 500}
    with pytest.raises(Exception, match="no fee is posted for 10 players"):
        assess(schedule, [], dealt=range(1, 11), button=3)


def test_a_wager_that_is_no_circle_pays_nothing_by_the_table() -> None:
    schedule = posted("village-pai-gow-poker", "village/pai-gow-poker/1", bracket_basis="table")
    stakes = [Stake(2, "main", "base", 1000), Stake(2, "tip", "dealer_tip", 9000)]
    assert assess(schedule, stakes, first_action=2).by_wager == [50, 0]
