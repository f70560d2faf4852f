"""A live table deals no round by a reading that its house has not confirmed; all of it by inputs, none by a file."""

from __future__ import annotations

from typing import Any

import pytest

from controller.config import Config, RulesConfig
from controller.contract.messages import ReadingsInForce
from controller.engine import events as ev
from controller.engine.expect.expectation import prompt
from controller.engine.inputs import (
    AnyBody,
    BetsClosed,
    CardOut,
    Configured,
    Input,
    RulesChosen,
    ShoeStarted,
    Started,
    TableClosed,
    TableOpened,
)
from controller.engine.table.engine import TableEngine
from controller.outputs.state import state
from controller.recorder.recorder import first_engine
from controller.rules import ENGINE_DIGITS, load, resolve
from controller.rules.readings import readings_of

EZ = "bankers-ez-baccarat-panda-8"
OPTIONS = {"schedule": "ca-2/ez-baccarat/1"}
TABLE = {"seats": [1, 2, 3], "player_dealer": 8}


def digests(slug: str = EZ, **chosen: Any) -> tuple[str, ...]:
    return tuple(reading.digest[:ENGINE_DIGITS] for reading in readings_of(load(slug), {**OPTIONS, **chosen}))


def started(confirmed: tuple[str, ...] | None) -> Started:
    return Started("0", EZ, "", OPTIONS, TABLE, False, confirmed=confirmed)


def a_table(confirmed: tuple[str, ...] | None) -> TableEngine[Any]:
    engine = first_engine(EZ, OPTIONS, resolve)
    feed(engine, started(confirmed))
    return engine


def feed(engine: TableEngine[Any], *bodies: AnyBody) -> list[ev.Event]:
    return [event for body in bodies for event in engine.apply(Input(0, "floor:ann", body))]


@pytest.mark.clause("CA-11CCR-2071")
def test_an_open_reading_keeps_a_live_table_from_dealing_and_the_prompt_names_it() -> None:
    engine = a_table(digests()[1:])
    text = prompt(engine.expectation)
    assert "1 reading is not confirmed by the house: decks" in text
    assert "cutcard rules confirm" in text
    (refused,) = feed(engine, BetsClosed())
    assert isinstance(refused, ev.Refused)


def test_a_table_with_every_reading_confirmed_deals() -> None:
    engine = a_table(digests())
    feed(engine, ShoeStarted(8), BetsClosed(), CardOut("9h"))
    assert engine.is_dealing


def test_test_mode_asks_for_none() -> None:
    engine = a_table(None)
    feed(engine, ShoeStarted(8), BetsClosed(), CardOut("9h"))
    assert engine.is_dealing


def test_a_closed_table_does_not_open_on_an_open_reading_and_does_after_it_is_confirmed() -> None:
    engine = a_table(())
    feed(engine, TableClosed())
    (refused,) = feed(engine, TableOpened())
    assert isinstance(refused, ev.Refused)
    assert refused.why == "readings_not_confirmed"
    assert f"{len(digests())} readings are not confirmed" in refused.text
    feed(engine, Configured("0", "", ("readings",), confirmed=digests()))
    assert [type(event) for event in feed(engine, TableOpened())] == [ev.TableOpen]


def test_confirmations_that_come_while_the_table_waits_let_it_deal() -> None:
    engine = a_table(())
    feed(engine, Configured("0", "", ("readings",), confirmed=digests()), ShoeStarted(8), BetsClosed(), CardOut("9h"))
    assert engine.is_dealing


def test_a_running_round_goes_on_when_a_reading_is_open_after_a_restart() -> None:
    engine = a_table(digests())
    feed(engine, ShoeStarted(8), BetsClosed(), CardOut("9h"), started(()))
    assert engine.is_dealing
    feed(engine, CardOut("Kd"), CardOut("Tc"), CardOut("7s"))
    assert not engine.is_dealing
    assert "not confirmed by the house" in prompt(engine.expectation)


def test_the_floor_cannot_choose_rules_with_open_readings() -> None:
    engine = a_table(digests())
    (refused,) = feed(engine, RulesChosen(options={**OPTIONS, "decks": 6}))
    assert isinstance(refused, ev.Refused)
    assert refused.why == "readings_not_confirmed"
    feed(engine, Configured("0", "", ("readings",), confirmed=(*digests(), *digests(decks=6))))
    assert [type(event) for event in feed(engine, RulesChosen(options={**OPTIONS, "decks": 6}))] == [ev.RulesSet]


def test_the_state_of_the_confirmations_outlives_a_replay() -> None:
    engine = a_table(digests()[1:])
    assert engine.state.confirmed == digests()[1:]
    feed(engine, Configured("0", "", ("mqtt.port",)))
    assert engine.state.confirmed == digests()[1:]


def test_the_state_names_the_readings_that_are_not_confirmed_and_none_in_test_mode() -> None:
    config = Config(site="riverside", table="t-1", rules=RulesConfig(EZ))

    def published(confirmed: tuple[str, ...] | None) -> ReadingsInForce | None:
        return state(a_table(confirmed), config, "0" * 32, 1).readings

    assert published(digests()) == ReadingsInForce(len(digests()), ())
    assert published(digests()[1:]) == ReadingsInForce(len(digests()), ("decks",))
    assert published(None) is None
