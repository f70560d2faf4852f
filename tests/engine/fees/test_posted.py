"""What is posted binds the table: no other stakes than those of the schedule, and no live table without one."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from controller.engine import events as ev
from controller.engine.bets.limits import FixedLimit, NoLimit, PotLimit, SpreadLimit, StraightLimit
from controller.engine.expect.expectation import prompt
from controller.engine.fees.posted import blinds_problem, buy_in_problem, structure_of, structure_problem
from controller.engine.fees.schedule import Schedule
from controller.engine.inputs import AnyBody, CardOut, Input, RulesChosen, TableOpened, TableSet, WagerPlaced
from controller.engine.round.setup import Setup
from controller.engine.table.engine import TableEngine
from controller.engine.table.state import TableState
from controller.rules import RulesError, Ruleset, all_rulesets, load, resolve
from controller.rules.schedules import all_schedules, posted

TURLOCK = "turlock-texas-holdem"
OWN: dict[str, Any] = {
    "id": "house/holdem-4-8",
    "document": "the house's approval",
    "structure": "limit",
    "stakes": [400, 800],
    "blinds": [200, 400],
    "fee": [{"payer": "pot", "basis": "per_hand", "when": "flop_dealt", "fee": 400}],
}


class Table:
    """A table of hold'em between two hands."""

    def __init__(self, schedule: Any = "holdem-2010-4", *, live: bool = False, ruleset: str = TURLOCK) -> None:
        options = {"schedule": schedule} if schedule else {}
        rules = resolve(ruleset, options)
        others = (
            resolve(ruleset, options | {"schedule": "holdem-2010-9"}).readings if live and schedule is not OWN else ()
        )
        confirmed = tuple(reading.digest for reading in (*rules.readings, *others)) if live else None
        state = TableState(Setup((1, 2, 3), button=3), ruleset, options, confirmed=confirmed)
        self.engine = TableEngine(rules.game, rules.options, state, ruleset, resolve)

    def refused(self, body: AnyBody) -> tuple[str, str]:
        """Why, and in which words; empty where it was taken."""
        for event in self.engine.apply(Input(1, "floor", body)):
            if isinstance(event, ev.Refused):
                return event.why, event.text
        return "", ""

    def sets(self, **settings: Any) -> tuple[str, str]:
        return self.refused(TableSet(settings=settings))


def named(name: str) -> Schedule:
    return posted(name).schedule


def test_the_sentence_names_schedule_lines_and_what_to_do() -> None:
    why, text = Table().sets(structure={"kind": "fixed_limit", "low": 5000, "high": 10000})
    assert why == "not_posted"
    assert text == (
        "the posted schedule holdem-2010-4 (002:6637-6647) has limit $4/$8; limit $50/$100 is not posted. Other stakes "
        "are another schedule, which the floor chooses between hands."
    )


def test_a_refused_setting_changes_nothing() -> None:
    table = Table()
    before = table.engine.state
    assert table.sets(structure={"kind": "no_limit"})[0] == "not_posted"
    assert table.engine.state == before


@pytest.mark.parametrize(
    ("schedule", "taken", "refused"),
    [
        ("holdem-2010-4", [FixedLimit(400, 800)], [FixedLimit(400, 900), StraightLimit(400), SpreadLimit(400, 800)]),
        ("holdem-2010-22", [NoLimit(), NoLimit(300)], [NoLimit(200), PotLimit(), FixedLimit(200, 400)]),
        ("lowball-2010-1", [SpreadLimit(200, 1000)], [SpreadLimit(200, 900), FixedLimit(200, 400)]),
        ("pineapple-2010-1", [FixedLimit(sizes=(200, 400, 600, 800)), SpreadLimit(200, 800)], [FixedLimit(200, 800)]),
        ("mexican-2013-1", [FixedLimit(100, 200), NoLimit(100)], [FixedLimit(200, 400), NoLimit(50)]),
        ("mexican-2013-6", [FixedLimit(200, 400), NoLimit(minimum=500)], [FixedLimit(100, 200)]),
        ("poker-1/no-limit/7", [NoLimit(), PotLimit(200)], [NoLimit(100), SpreadLimit(100, 200)]),
        ("poker-2/draw-stud-mexican/1", [FixedLimit(400, 800, 100), FixedLimit(7500, 15000)], [FixedLimit(300, 600)]),
        ("turlock-pineapple-button-drop/button", [FixedLimit(200, 800), NoLimit(100)], []),
    ],
)
def test_the_structures_that_a_schedule_admits(schedule: str, taken: list[Any], refused: list[Any]) -> None:
    assert [structure for structure in taken if structure_problem(named(schedule), structure)] == []
    assert [structure for structure in refused if not structure_problem(named(schedule), structure)] == []


def test_the_structure_of_every_schedule_is_one_that_it_posts() -> None:
    for name, found in all_schedules().items():
        structure = structure_of(found.schedule)
        assert structure is None or not structure_problem(found.schedule, structure), name


def test_the_small_blind_may_be_dead_and_a_kill_may_be_in_place_of_one() -> None:
    schedule = named("holdem-2010-4")
    assert blinds_problem(schedule, [200, 400]) == blinds_problem(schedule, [400]) == ""
    assert blinds_problem(schedule, [200], killed=True) == ""
    for wrong in ([], [200], [200, 200, 400], [400, 400]):
        assert "has blinds of $2/$4" in blinds_problem(schedule, wrong)


def test_a_kill_blind_is_none_of_the_posted_ones() -> None:
    table = Table()
    kill = {"seat": 3, "kind": "forced_two_wins"}
    assert table.sets(kill=kill, blinds={"1": 200, "2": 400, "3": 800}) == ("", "")
    assert table.sets(kill=None)[0] == "not_posted"


def test_who_has_chips_does_not_buy_in() -> None:
    schedule = named("holdem-2010-22")
    assert "a buy-in of $40 to $200, and seat 1 has $39" in buy_in_problem(schedule, {1: 3900}, {})
    assert "seat 1 has $201" in buy_in_problem(schedule, {1: 20100}, {"1": 0})
    assert buy_in_problem(schedule, {1: 3900}, {"1": 100}) == buy_in_problem(schedule, {1: 0}, {}) == ""


def test_who_sat_out_comes_back_with_his_chips_until_the_table_is_opened_anew() -> None:
    table = Table("holdem-2010-22")
    assert table.sets(stacks={"1": 4000, "2": 4000, "3": 4000}) == ("", "")
    assert table.sets(stacks={"1": 1500, "2": 10500}) == ("", "")
    assert table.refused(TableSet(seats=(2, 3), settings={"stacks": {"2": 10500, "3": 4000}})) == ("", "")
    assert table.refused(TableSet(seats=(1, 2), settings={"stacks": {"1": 1500, "2": 10500}})) == ("", "")
    table.engine.lasting.change(closed=True, setup=Setup((1, 2), button=2))
    table.engine.apply(Input(2, "floor", TableOpened()))
    assert table.sets(stacks={"1": 1500, "2": 10500})[0] == "not_posted"


def test_another_schedule_takes_off_the_stakes_that_it_does_not_post_and_leaves_the_stacks() -> None:
    table = Table()
    stacks = {"1": 4000, "2": 9000, "3": 9000}
    limit = {"kind": "fixed_limit", "low": 400, "high": 800}
    assert table.sets(structure=limit, blinds={"1": 200, "2": 400}, stacks=stacks) == ("", "")
    assert table.refused(RulesChosen(options={"schedule": "holdem-2010-9"})) == ("", "")
    assert table.engine.state.setup.settings == {"stacks": stacks}
    table.engine.apply(Input(2, "device:shoe", CardOut("As")))
    assert table.engine.is_dealing


def test_no_schedule_is_chosen_during_a_hand() -> None:
    table = Table()
    table.engine.apply(Input(1, "device:shoe", CardOut("As")))
    assert table.refused(RulesChosen(options={"schedule": "holdem-2010-9"}))[0] == "round_running"


def test_a_table_whose_stakes_are_not_posted_deals_nothing() -> None:
    """However they came there: by a start with another configuration, for example."""
    table = Table()
    setup = replace(table.engine.state.setup, settings={"structure": {"kind": "no_limit", "bring_in": 400}})
    engine = TableEngine(table.engine.game, table.engine.options, TableState(setup), TURLOCK)
    assert "no limit with a least bet of $4 is not posted" in prompt(engine.expectation)
    engine.apply(Input(1, "device:shoe", CardOut("As")))
    assert not engine.is_dealing


# A live table and its collection


def test_a_live_table_takes_no_rules_without_a_collection() -> None:
    table = Table(live=True)
    why, text = table.refused(RulesChosen(options={}))
    assert why == "no_collection"
    assert text.startswith("no collection is posted, and a live table does not open without one")
    assert table.refused(RulesChosen(options={"schedule": "holdem-2010-9"})) == ("", "")


def test_a_live_table_that_has_none_deals_nothing() -> None:
    """Whatever left it so: rules that were chosen in test mode, for example."""
    table = Table()
    assert table.refused(RulesChosen(options={})) == ("", "")
    table.engine.lasting.change(confirmed=tuple(reading.digest for reading in resolve(TURLOCK, {}).readings))
    table.engine.current.prepare()
    assert "no collection is posted" in prompt(table.engine.expectation)


def test_no_approval_allows_a_table_without_a_collection() -> None:
    """000:1942, 002:3508, 4763: under review. 001:1630, 2279, 3309, 3496: a waiver, hand by hand."""
    for slug, ruleset in all_rulesets().items():
        option = ruleset.data.options.get("schedule")
        assert option is None or not option.none, slug
    with pytest.raises(RulesError, match="no line of this approval allows a table without a collection"):
        load(TURLOCK).options({"schedule": "none"})


def test_a_line_that_allows_it_lets_the_house_choose_no_collection() -> None:
    found = load(TURLOCK)
    options = dict(found.data.options)
    options["schedule"] = replace(options["schedule"], none="12-13")
    ruleset = Ruleset(replace(found.data, options=options), found.game, found.file, found.digest)
    chosen = {"schedule": "none"}
    assert getattr(ruleset.options(chosen), "schedule", "") is None
    assert ruleset.lacks_collection(chosen) == ""
    assert "'none' is allowed (12-13)" in ruleset.lacks_collection({})
    assert ruleset.digest_with(chosen) != ruleset.digest_with({})


def test_every_game_that_is_dealt_has_a_printed_schedule_to_propose_or_takes_the_houses_own() -> None:
    without = {slug for slug, ruleset in all_rulesets().items() if ruleset.proposed_schedule() is None}
    assert without == {
        "calgrand-betting-structures",
        "calgrand-caribbean-stud-poker",
        "calgrand-draw-poker",
        "calgrand-lowball-ace-to-five",
        "calgrand-lowball-deuce-to-seven",
        "calgrand-omaha",
        "calgrand-panguingue",
        "calgrand-pineapple",
        "calgrand-seven-card-stud",
        "calgrand-texas-holdem",
        "village-21st-century-blackjack",
        "village-no-bust-blackjack-joker",
    }
    for slug in without - {"calgrand-betting-structures"}:
        assert "write the house's own" in load(slug).lacks_collection({})
        assert "schedule" in load(slug).data.options


def test_the_houses_own_schedule_binds_like_a_printed_one() -> None:
    table = Table(OWN, live=True, ruleset="calgrand-texas-holdem")
    why, text = table.sets(structure={"kind": "no_limit"})
    assert (why, text.split(";")[0]) == (
        "not_posted",
        "the posted schedule house/holdem-4-8 (the house's approval) has limit $4/$8",
    )


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        ({"document": ""}, "name the approval that prints it"),
        ({"fee": [{"payer": "pot", "basis": "per_hand", "fee": "5%"}]}, "a percentage"),
        ({"fee": []}, "no rows"),
        ({"colour": 3}, "there is no field colour"),
    ],
)
def test_a_schedule_that_nobody_could_charge_by_is_refused(changed: dict[str, Any], says: str) -> None:
    with pytest.raises(RulesError, match=says):
        load("calgrand-texas-holdem").options({"schedule": OWN | changed})


def test_a_house_writes_no_schedule_where_some_are_printed() -> None:
    with pytest.raises(RulesError, match="texas-holdem at turlock has 24 printed schedules"):
        load(TURLOCK).options({"schedule": OWN})


def test_a_schedule_of_another_structure_cannot_be_posted_where_the_text_fixes_one() -> None:
    with pytest.raises(RulesError, match=r"has limit \$4/\$8 to \$75/\$150; no limit is not posted"):
        load("bankers-mexican-poker-salinas").options({"schedule": "poker-2/draw-stud-mexican/1"})
    with pytest.raises(RulesError, match="chip = 200: the posted schedule panguingue-2010-1 has a kondition of 100"):
        load("turlock-panguingue").options({"chip": 200, "schedule": {"id": "panguingue-2010-1", "per_hand": True}})


@pytest.mark.parametrize(
    ("cents", "why"), [(900, "below_table_min"), (1000, ""), (50_000, ""), (50_100, "above_table_max")]
)
def test_where_no_top_is_printed_the_houses_own_binds(cents: int, why: str) -> None:
    ruleset, options = "turlock-pai-gow-poker", {"schedule": "paigow-2016-4"}
    rules = resolve(ruleset, options)
    setup = Setup((1, 2, 3), 6, bank=(1_000_000,), max_wager=50_000)
    table = TableEngine(rules.game, rules.options, TableState(setup, ruleset, options), ruleset, resolve)
    events = table.apply(Input(1, "dealer", WagerPlaced(1, "pai_gow", cents)))
    assert [event.why for event in events if isinstance(event, ev.Refused)] == ([why] if why else [])
