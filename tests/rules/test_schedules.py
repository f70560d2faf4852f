"""Collection schedules as data: all of them are there, nothing was dropped, and only what may be posted can be."""

from __future__ import annotations

import re
import tomllib
from importlib import resources
from pathlib import Path
from typing import Any

import pytest

from controller.engine.fees.schedule import House, Schedule
from controller.rules import RulesError, load
from controller.rules.check import check
from controller.rules.schedules import all_schedules, available, choose, find, index, not_ready, posted, read_schedules

COUNTS = {"bankers": (508, 1745), "calgrand": (220, 1743), "turlock": (221, 1028), "village": (120, 355)}
"""Schedules and rows by cardroom, as the rulebook has them."""


def test_every_schedule_and_every_row_of_the_four_cardrooms_is_there() -> None:
    came = dict.fromkeys(COUNTS, (0, 0))
    for item in all_schedules().values():
        schedules, rows = came[item.cardroom]
        came[item.cardroom] = schedules + 1, rows + len(item.schedule.fee)
    assert came == COUNTS


def test_only_the_schedule_that_is_asked_for_is_parsed(monkeypatch: pytest.MonkeyPatch) -> None:
    parsed = []
    real = tomllib.loads

    def noted(text: str) -> dict[str, Any]:
        parsed.append(text)
        return real(text)

    monkeypatch.setattr("controller.rules.schedules.tomllib.loads", noted)
    posted.cache_clear()
    assert find("poker-2/holdem-omaha/24", "bankers", "texas-holdem").schedule.option == "24"
    assert sum(text.count("[[schedule]]") for text in parsed) == 1
    assert len(index()) == 1069


def test_a_list_of_schedules_reads_no_part_of_a_file_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    """The console lists up to 287 of them in the middle of a day; each with its whole head took 230 ms."""
    read = 0
    real = tomllib.loads

    def noted(text: str) -> dict[str, Any]:
        nonlocal read
        read += len(text)
        return real(text)

    listed = [index()[name] for name in available("bankers", "texas-holdem")]
    monkeypatch.setattr("controller.rules.schedules.tomllib.loads", noted)
    assert len({entry.posted().schedule.id for entry in listed}) == len(listed) > 200
    assert read < sum(len(_text(file)) for file in {entry.file for entry in listed})


def test_a_schedule_that_is_read_by_itself_is_the_one_of_its_whole_file() -> None:
    file = "bankers/collections/holdem-omaha.toml"
    whole = {item.schedule.id: item for item in read_schedules(_text(file), file, "bankers")}
    assert whole == {name: entry.posted() for name, entry in index().items() if entry.file == file} != {}


def _text(file: str) -> str:
    return (resources.files("controller.rules") / file).read_text("utf-8")


def of_game(name: str) -> Schedule:
    found = posted(name).schedule
    return found.for_game(found.games[0])


def test_the_rooms_readings_come_with_the_schedule() -> None:
    assert of_game("ca-2/ez-baccarat/1").on_void == "kept"
    assert of_game("bjpg-r2-A").between_bands == "lower"
    assert of_game("village/ez-baccarat/1").below_bands == "first"
    assert of_game("village/pai-gow-poker/1").no_action == "free_collection_button"
    assert of_game("village/deuce-seven-triple-draw/1").time_from == "marks"
    assert posted("bjpg-r2-A").schedule.for_game("pai-gow-poker").waiver == "before_player_dealer_exposed"
    assert posted("bjpg-r2-A").schedule.for_game("hot-action-blackjack").collect_at == "before_settlement"


def test_a_game_without_a_schedule_of_its_own_takes_anothers() -> None:
    assert available("bankers", "razz") == available("bankers", "seven-card-stud")
    assert not available("village", "razz")


@pytest.mark.parametrize(
    ("schedule", "house", "wanted"),
    [
        ("rules-mexican-poker/mexican-poker/4", {}, "rate: the house posts one of 1, 2, 3, 4, 5"),
        ("rules-mexican-poker/mexican-poker/4", {"rate": 6}, "rate: the house posts one of 1, 2, 3, 4, 5"),
        ("rules-mexican-poker/mexican-poker/4", {"rate": 3}, None),
        ("lowball-2010-1", {}, "minutes: the house posts one interval, 30 or 60"),
        ("lowball-2010-1", {"minutes": 60}, None),
        ("poker-2/time-lowball-draw/1", {}, "fee_unknown: the document does not print this amount"),
        ("poker-2/time-lowball-draw/1", {"missing_fee": 700}, None),
        ("panguingue-2010-1", {}, "the document prints no unit for this fee"),
        ("panguingue-2010-1", {"per_hand": True}, None),
        ("bjpg-r2-J-jp2", {}, "jackpot_minimum_hands: the posted number of hands"),
        ("bjpg-r2-J-jp2", {"jackpot_minimum_hands": 4}, None),
        ("ca-1/pure-21-5/2", {}, None),
        ("ca-1/pure-21-5/2", {"strict": True}, "strict: it rests on a reading"),
        ("mexican-2013-1", {}, None),
    ],
)
def test_what_the_document_leaves_open_the_house_says_before_a_schedule_can_be_posted(
    schedule: str, house: dict[str, Any], wanted: str | None
) -> None:
    found = posted(schedule)
    chosen = {"id": schedule, **house}
    if wanted is None:
        made = choose(chosen, found.cardroom, found.schedule.games[0])
        assert made.schedule.house == House(**house)
        assert not list(not_ready(made.schedule))
        return
    with pytest.raises(RulesError, match=wanted):
        choose(chosen, found.cardroom, found.schedule.games[0])


def test_a_schedule_is_chosen_with_keys_that_exist() -> None:
    with pytest.raises(RulesError, match="there is no field speed"):
        choose({"id": "lowball-2010-1", "speed": 1}, "turlock", "lowball")
    with pytest.raises(RulesError, match="name it"):
        choose({"rate": 1}, "turlock", "lowball")


def test_options_for_different_numbers_of_players_are_posted_together() -> None:
    names = [f"poker-1/limit/{n}" for n in (13, 14)]
    made = choose(names, "bankers", "texas-holdem").schedule
    assert made.id == "poker-1/limit/13 + poker-1/limit/14"
    assert {(row.lowest, row.highest) for row in made.fee} == {(7, None), (5, 6)}
    with pytest.raises(RulesError, match="two rows of the same fee for 7 players"):
        choose(["poker-1/limit/13", "poker-1/limit/13"], "bankers", "texas-holdem")
    with pytest.raises(RulesError, match="stakes is not the same in the options posted together"):
        choose(["poker-1/limit/13", "poker-1/limit/2"], "bankers", "texas-holdem")
    with pytest.raises(RulesError, match="only options for different numbers of players"):
        choose(["ca-2/ez-baccarat/1", "ca-2/ez-baccarat/2"], "bankers", "ez-baccarat-panda-8")


def test_a_schedule_taken_at_a_moment_that_the_game_does_not_have_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = load("bankers-ez-baccarat-panda-8")
    assert rules.posted("ca-2/ez-baccarat/1").schedule.collect_at in rules.game.fee_moments
    uth = load("turlock-ultimate-texas-holdem")
    assert uth.posted("tcp-uth-2016-1").schedule.collect_at == "after_initial_deal"
    monkeypatch.setattr(type(uth.game), "fee_moments", ("before_deal",))
    with pytest.raises(RulesError, match=r"is collected after_initial_deal; the game .* knows before_deal"):
        uth.posted("tcp-uth-2016-1")


def test_what_the_house_says_is_part_of_the_rules_in_force() -> None:
    rules = load("bankers-texas-holdem")
    digests = {
        rules.digest_with({"schedule": chosen})
        for chosen in ("poker-1/limit/13", "poker-1/limit/14", ["poker-1/limit/13", "poker-1/limit/14"])
    }
    assert len(digests) == 3


FILE = """
between_bands = "next"
on_void = "kept"
[[schedule]]
id = "x/1"
games = ["x"]
collect_at = "before_deal"
table_min = 1000
fee = [
  { payer = "player_dealer", basis = "total_table_action", from = 1000, fee = 100 },
]
"""


@pytest.mark.parametrize(
    ("printed", "instead", "reason"),
    [
        ('"total_table_action"', '"winnings"', r"fixed before the first card.*Penal Code 337j\(f\)"),
        ("fee = 100", 'fee = "2%"', r"a percentage.*Penal Code 337j\(f\)"),
        ('collect_at = "before_deal"\n', "", "collect_at: missing; say when the fees are taken"),
        (", fee = 100", "", "fee: no amount; say lost = true"),
    ],
)
def test_the_law_is_enforced_when_a_schedule_is_read(printed: str, instead: str, reason: str, tmp_path: Path) -> None:
    draft = tmp_path / "draft.toml"
    draft.write_text(FILE)
    assert check(str(draft)).problems == []
    assert printed in FILE
    draft.write_text(FILE.replace(printed, instead))
    (problem,) = check(str(draft)).problems
    assert re.search(reason, problem), problem
