"""Pot fees, the jackpot box and fees by the clock: reconciled at a poker table."""

from __future__ import annotations

from msgspec.structs import replace

from controller.engine import events as ev
from controller.engine.drop.worth import Chip, DropTerms
from controller.engine.fees.clock import MINUTE
from controller.engine.inputs import SensorSeen, TableSet, TimePassed
from tests.engine.fees.test_table import LIMIT_5_10, At, holdem, play

GRACE = 20_000


def with_boxes(table: At) -> At:
    """The same table with a sensor at each box, and fees in dollar chips."""
    setup = replace(table.engine.state.setup, drop=DropTerms(GRACE, chips=(Chip(100),)))
    table.engine.lasting.change(setup=setup)
    for box in ("collection", "jackpot"):
        table.do(SensorSeen(f"boxes.{box}", box, "met", mark={"box_id": f"{box}-1", "box_present": True}))
    return table


def drop(table: At, box: str, pieces: int) -> None:
    table.do(SensorSeen(f"boxes.{box}", box, "dropped", pieces))


def test_player_and_jackpot_fee_of_a_hand_go_each_into_its_box_when_the_pot_is_pushed() -> None:
    table = with_boxes(holdem(LIMIT_5_10))
    play(table)
    drop(table, "collection", 3)
    drop(table, "jackpot", 1)
    table.now += GRACE
    table.do(TimePassed())
    assert [(event.box, event.due, event.pieces, event.box_id) for event in table.all(ev.DropMatched)] == [
        ("collection", 300, 3, "collection-1"),
        ("jackpot", 100, 1, "jackpot-1"),
    ]


def test_both_fees_in_one_box_are_a_wrong_box_and_not_two_differences() -> None:
    table = with_boxes(holdem(LIMIT_5_10))
    play(table)
    drop(table, "collection", 4)
    table.now += GRACE
    table.do(TimePassed())
    (wrong,) = table.all(ev.DropDiffers)
    assert (wrong.what, wrong.box, wrong.due, wrong.facts["into"]) == ("wrong_box", "jackpot", 100, "collection")


def test_a_fee_by_the_clock_has_a_grace_of_its_own() -> None:
    table = with_boxes(holdem("poker-2/holdem-omaha/139", seats=3))
    play(table)
    table.now = 30 * MINUTE
    table.do(TableSet(button=1))
    drop(table, "collection", 24)
    table.now += GRACE
    table.do(TimePassed())
    (matched,) = table.all(ev.DropMatched)
    assert (matched.due, matched.pieces, matched.by_the_clock) == (2400, 24, True)
