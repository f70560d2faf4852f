"""Calling the floor and holding the table are two things; a hold states what is so."""

from __future__ import annotations

from typing import Any

import pytest

from controller.engine import events as ev
from controller.engine.alarms import FLOOR_CALLED
from controller.engine.expect.wants import WantFloor
from controller.engine.inputs import (
    AnyBody,
    BetsClosed,
    CardOut,
    DeviceSeen,
    FloorAct,
    FloorCalled,
    Happening,
    Input,
    ShoeStarted,
)
from controller.engine.round.setup import Setup
from controller.engine.table.engine import TableEngine
from controller.outputs.view import lifted_by
from controller.rules import all_rulesets
from tests.engine.test_bot import new_table

EZ = "bankers-ez-baccarat-panda-8"
SHOE = {"kind": "shoe"}


class ATable:
    """A round of baccarat has begun."""

    def __init__(self) -> None:
        self.engine: TableEngine[Any] = new_table(all_rulesets()[EZ], Setup(seats=(1, 2), player_dealer=8))
        self.shoe_is("online")
        self.do(ShoeStarted(8))
        self.do(BetsClosed())

    def do(self, body: AnyBody, by: str = "dealer:sam") -> list[ev.Event]:
        return self.engine.apply(Input(0, by, body))

    def shoe_is(self, state: str, device: str = "shoe") -> list[ev.Event]:
        return self.do(DeviceSeen(device, state, SHOE), "device:shoe")

    @property
    def held(self) -> WantFloor | None:
        return next((want for want in self.engine.expectation.wants if type(want) is WantFloor), None)


def test_a_call_is_an_alarm_and_the_game_goes_on() -> None:
    table = ATable()
    (raised,) = table.do(FloorCalled())
    assert raised == ev.AlarmRaised(FLOOR_CALLED.of(), "the floor is called", {})
    assert table.held is None
    assert any(type(event) is ev.CardDealt for event in table.do(CardOut("9h"), "device:shoe"))
    (over,) = table.do(FloorCalled(is_over=True))
    assert type(over) is ev.AlarmCleared


def test_a_second_call_says_more_or_is_refused() -> None:
    table = ATable()
    table.do(FloorCalled())
    (refused,) = table.do(FloorCalled())
    assert type(refused) is ev.Refused and refused.why == "called_already"
    assert table.do(FloorCalled("a question about seat 3")) == [
        ev.AlarmChanged(FLOOR_CALLED.of(), "a question about seat 3")
    ]


def test_nobody_ends_a_call_that_there_is_not() -> None:
    (refused,) = ATable().do(FloorCalled(is_over=True))
    assert type(refused) is ev.Refused and refused.why == "nobody_called"


def test_the_dealer_stops_the_game_and_the_floor_alone_goes_on() -> None:
    table = ATable()
    table.do(Happening("dealer_stops"))
    assert table.held is not None and table.held.text == "the dealer has stopped the game"
    assert lifted_by(table.held) == "Only the floor lifts it: resume, or void the round."


def test_a_reader_that_is_back_is_not_offline() -> None:
    table = ATable()
    table.do(CardOut("9h"), "device:shoe")
    table.shoe_is("offline")
    assert table.held is not None
    assert (table.held.code, table.held.text) == ("reader_offline", "shoe does not answer: it gives no card")
    events = table.shoe_is("online")
    assert table.held is not None
    assert (table.held.code, table.held.text) == ("reader_back", "shoe was away and answers again")
    assert not [event for event in events if type(event) is ev.Held], "it is held once"
    table.do(FloorAct("resume", "the cards are all there"), "floor:ann")
    assert table.held is None


def test_while_another_reader_is_away_the_table_stays_held_for_it() -> None:
    table = ATable()
    table.shoe_is("online", "second")
    table.shoe_is("offline")
    table.shoe_is("offline", "second")
    table.shoe_is("online")
    assert table.held is not None and table.held.code == "reader_offline"


@pytest.mark.parametrize("code", ["card_exposed", "dealer_stops"])
def test_a_hold_for_something_else_stays_as_it_is(code: str) -> None:
    table = ATable()
    table.do(Happening(code))
    held = table.held
    table.shoe_is("offline")
    table.shoe_is("online")
    assert held is not None and table.held is not None
    assert (table.held.code, table.held.text) == (held.code, held.text)
