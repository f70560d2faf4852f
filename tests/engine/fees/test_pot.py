"""Pot, button and time fees: what is taken at which moment of a hand, and what takes the place of what."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from msgspec.structs import replace

from controller.engine.fees.banked import assess
from controller.engine.fees.clock import MINUTE, FeeClock, first_due, marks, start, time_charges
from controller.engine.fees.pot import PotFees
from controller.engine.fees.schedule import House, Schedule
from controller.rules.schedules import posted


def schedule(name: str, **house: Any) -> Schedule:
    return replace(posted(name).schedule, house=House(**house))


def played(
    name: str, players: int, moments: Sequence[str], *, pot: int | None = None, flop: bool = True, **house: Any
) -> list[tuple[str, int, str]]:
    """Kind, cents and moment of each fee of a hand that went through these moments."""
    fees = PotFees(schedule(name, **house), players, flop=flop)
    for moment in moments[:-1]:
        fees.reached(moment, pot)
    if moments[-1] == "misdeal":
        fees.misdeal()
    else:
        fees.ended(moments[-1], pot)
    return [(fee["kind"], fee["cents"], fee["due"]) for fee in fees.document()]


PREFLOP = ["dealt", "first_betting_opens"]
FLOP = [*PREFLOP, "betting_1_closed", "flop_dealt"]
RIVER = [*FLOP, "turn_dealt", "river_dealt"]


def test_a_hand_that_sees_the_river_pays_the_player_fee_and_the_late_one() -> None:
    assert played("poker-2/holdem-omaha/24", 9, [*RIVER, "showdown"]) == [
        ("player", 500, "flop_dealt"),
        ("modified_b", 100, "river_dealt"),
    ]


def test_a_hand_that_ends_before_the_flop_pays_the_modified_fee_alone() -> None:
    assert played("poker-1/limit/13", 7, [*PREFLOP, "ended"]) == [("modified", 100, "no_flop")]


def test_a_hand_that_ends_after_the_flop_pays_no_river_fee() -> None:
    assert played("poker-2/holdem-omaha/24", 9, [*FLOP, "ended"]) == [("player", 500, "flop_dealt")]


def test_a_misdeal_pays_nothing_and_gives_back_what_was_set_aside() -> None:
    fees = PotFees(schedule("poker-1/limit/13"), 7)
    for moment in FLOP:
        fees.reached(moment, 5000)
    assert fees.misdeal() == 400
    assert fees.document() == []
    assert played("poker-1/limit/13", 7, [*FLOP, "misdeal"]) == []


def test_jackpot_money_has_a_box_of_its_own() -> None:
    fees = PotFees(schedule("poker-1/limit/13"), 7)
    for moment in FLOP:
        fees.reached(moment)
    assert {charge.box: charge.cents for charge in fees.charges()} == {"collection": 300, "jackpot": 100}


def test_a_number_of_players_without_a_row_pays_nothing_and_is_known_for_it() -> None:
    fees = PotFees(schedule("poker-1/limit/13"), 4)
    assert not fees.is_posted
    assert played("poker-1/limit/13", 4, [*FLOP, "ended"]) == []


def test_in_a_game_without_a_flop_the_point_is_the_close_of_the_first_betting_round() -> None:
    # R8: Seven Card Stud under a schedule that speaks of the flop.
    assert played("poker-1/limit/13", 7, [*PREFLOP, "betting_1_closed", "ended"], flop=False) == [
        ("player", 300, "flop_to_award"),
        ("jackpot", 100, "flop_to_award"),
    ]
    assert played("poker-1/limit/13", 7, [*PREFLOP, "ended"], flop=False) == [("modified", 100, "no_flop")]


def test_once_the_second_betting_round_is_open_the_full_fee_is_due() -> None:
    # bankers draw-stud-mexican, 2574.
    name = "poker-2/stud-mexican/1"
    opened = [*PREFLOP, "betting_1_closed", "fourth_card"]
    assert played(name, 7, [*PREFLOP, "ended"], flop=False) == [("modified", 100, "ended_before_betting_2")]
    assert played(name, 7, [*opened, "ended"], flop=False) == [("player", 250, "betting_2_closed")]
    assert played(name, 5, [*opened, "betting_2_closed", "ended"], flop=False) == [("player", 150, "betting_2_closed")]
    assert played(name, 2, [*opened, "betting_2_closed", "ended"], flop=False) == [("player", 100, "betting_2_closed")]


def test_each_fee_of_mexican_poker_only_if_its_street_is_reached() -> None:
    reached = [*PREFLOP, "betting_1_closed", "third_card", "fourth_card"]
    name = "rules-mexican-poker/mexican-poker/4"
    assert played(name, 6, [*reached, "ended"], rate=3) == [
        ("early", 100, "first_betting_opens"),
        ("regular", 100, "third_card"),
    ]
    assert [kind for kind, _, _ in played(name, 6, [*reached, "fifth_card", "showdown"], rate=3)] == [
        "early",
        "regular",
        "late",
    ]


def test_a_fee_that_is_owed_from_the_first_up_card_is_paid_by_a_hand_that_ends_before_it_is_taken() -> None:
    # turlock-collections, F7; the lost late fee (F6) is taken once the house gives it.
    moments = ["first_up_card", "ended"]
    assert played("mexican-2013-8", 4, moments) == [("regular", 300, "end_of_first_betting_round")]
    late = ["first_up_card", "end_of_first_betting_round", "second_up_card", "third_up_card", "showdown"]
    assert played("mexican-2013-8", 4, late) == [("regular", 300, "end_of_first_betting_round")]
    assert played("mexican-2013-8", 4, late, missing_fee=200) == [
        ("regular", 300, "end_of_first_betting_round"),
        ("late", 200, "third_up_card"),
    ]


def test_a_pot_that_is_too_small_pays_what_it_has_and_nothing_later() -> None:
    # R11.
    fees = PotFees(schedule("holdem-2010-9"), 3)
    assert [take.cents for take in fees.reached("flop_dealt", 300)] == [300]
    assert fees.reached("betting_2_closed", 900) == []
    assert fees.ended("showdown", 900) == []
    assert (fees.collected, fees.missing) == (300, 200)


def test_at_salinas_the_rest_is_carried_into_the_later_betting_rounds() -> None:
    fees = PotFees(schedule("rules-mexican-salinas/mexican-poker-salinas/1"), 5, flop=False)
    for moment, pot in (
        ("betting_1_closed", 400),
        ("dealt", 400),
        ("betting_2_closed", 400),
        ("betting_3_closed", 800),
    ):
        fees.reached(moment, pot)
    fees.ended("showdown", 800)
    assert [(take.at, take.cents, take.still_due) for take in fees.takes] == [
        ("betting_1_closed", 400, 100),
        ("betting_3_closed", 100, 0),
    ]
    assert fees.missing == 0


def test_the_button_pays_for_the_hand_before_the_deal() -> None:
    due = assess(schedule("turlock-pineapple-button-drop/button"), [], button=3)
    assert (due.players, due.boxes) == ({3: 300}, {"collection": 300})


def test_a_row_for_hands_that_stop_short_replaces_what_was_taken_before() -> None:
    made = schedule("holdem-2010-9")
    early = replace(made.fee[0], when="first_betting_opens", fee=200)
    fees = PotFees(replace(made, fee=(early, *made.fee)), 3)
    assert [take.cents for take in fees.reached("first_betting_opens", 900)] == [200]
    assert [take.cents for take in fees.ended("ended", 900)] == [100]
    assert fees.collected == 100


@pytest.mark.parametrize(
    ("begins", "reading", "first"),
    [(70, "game_start", 100), (60, "game_start", 90), (70, "marks", 120), (60, "marks", 90), (89, "marks", 120)],
)
def test_the_first_time_fee_of_a_game(begins: int, reading: Any, first: int) -> None:
    # village F11: a game between two marks plays free up to the first; one that starts on a mark pays at the next.
    assert first_due(begins * MINUTE, 30, reading) == first * MINUTE


def test_a_time_fee_is_taken_from_everybody_seated_if_enough_are() -> None:
    made = schedule("poker-2/time-lowball-draw/1", missing_fee=700)
    assert time_charges(made, [1, 2, 3, 4, 5]) == []
    assert sum(charge.cents for charge in time_charges(made, [1, 2, 3, 4, 5, 6])) == 4200


def test_the_clock_charges_no_interval_without_a_hand() -> None:
    made = schedule("poker-2/holdem-omaha/139")
    clock = start(made, 0)
    assert clock == FeeClock(30 * MINUTE)
    assert marks(made, clock, 30 * MINUTE - 1, [1, 2]) == (clock, [])
    later, charges = marks(made, clock, 95 * MINUTE, [1, 2])
    assert [[charge.cents for charge in one] for one in charges] == [[800, 800]]
    assert later == FeeClock(120 * MINUTE, played=False)
    assert marks(made, later, 125 * MINUTE, [1, 2])[1] == []
