"""Inputs that once did harm, and others like them: each is rejected in a sentence, where it enters."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from msgspec import inspect

from controller.contract.requests import REQUESTS
from controller.engine import events as ev
from controller.engine.facts import KnownFacts
from controller.engine.inputs import (
    AnyBody,
    BetsClosed,
    CardOut,
    FloorAct,
    Happening,
    Input,
    RulesChosen,
    ShoeStarted,
    TableSet,
    WagerPlaced,
    decode_body,
)
from controller.engine.reading import Unreadable
from controller.engine.round.felt import Setup
from controller.engine.table.engine import TableEngine
from controller.engine.table.settings import TableSettings
from controller.engine.table.state import TableState
from controller.operator.offers.offers import offers
from controller.recorder.recorder import engine_from
from controller.rules import RulesError, resolve
from tests.support.hostile.hostile_inputs import OF_PEOPLE

HOLDEM = "bankers-texas-holdem"


def table(slug: str = HOLDEM) -> TableEngine[Any]:
    settings = {"structure": {"kind": "no_limit"}, "blinds": {"2": 100, "3": 300}}
    setup = Setup((1, 2, 3), button=1, settings=settings)
    return engine_from(TableState(setup, slug), resolve)


def wager(**fields: Any) -> bytes:
    return msgspec.json.encode({"kind": "wager", "place": 1, "wager": "main", "cents": 500, **fields})


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        # A raise of three times must be an amount, too. Found by the fuzzer at Turlock's Ultimate.
        (wager(cents=10**12), "cents: expected a whole number of at most 10000000000, 1000000000000 came."),
        # A limit is a wager that can be made.
        ({"kind": "choose_rules", "min_wager": 10**12}, "min_wager: expected a whole number of at most 10000000000"),
        ({"kind": "choose_rules", "max_wager": 10**12}, "max_wager: expected a whole number of at most 10000000000"),
        (wager(place=10**12), "place: expected a whole number of at most 14, 1000000000000 came."),
        (wager(place=0), "place: expected a whole number of at least 1, 0 came."),
        (wager(place="15"), "place: expected a text of another form, 15 came."),
        (wager(cents=-1), "cents: expected a whole number of at least 0, -1 came."),
        (wager(cents=2.5), "cents: expected a whole number, a number came."),
        (wager(wager="x" * 129), "wager: expected at most 128 characters, xxx"),
        (wager(coins=1), "there is no field coins."),
        (b'{"kind": "wager", "place": 1}', "the field wager is missing."),
        (b'{"kind": "winner"}', "kind: expected one of the words that are known there, 'winner' came."),
        (b'{"kind": ["wager"]}', "kind: expected a text."),
        (b'{"kind": "bank", "spots": [' + b"1," * 5000 + b"1]}", "expected at most 2000 values, more came."),
        (b'{"kind": "bank", "spots": [1,1,1,1,1,1,1,1,1,1,1,1,1,1,1]}', "spots: expected at most 14 values."),
        (b'{"kind": "amend", "round": 1, "reason": "", "changes": ' + b"[" * 9 + b"]" * 9 + b"}", "at most 8 levels"),
        (b'{"a":' * 2500 + b"1" + b"}" * 2500, "at most 8 levels of lists and objects inside each other, more came."),
        (b"[" * 16_000, "at most 8 levels of lists and objects inside each other, more came."),
        (b" " * 16_385, "expected at most 16384 bytes, 16385 came."),
        (b'{"kind": "happening", "code": "x", "facts": {"n": ' + b"9" * 30 + b"}}", "a larger one came."),
        (b'{"kind": "happening", "code": "x", "facts": {"n": NaN}}', "expected a number, NaN came."),
        (b'{"kind": "happening", "code": "x", "facts": {"n": "\\ud800"}}', "half of a character came."),
        (b'{"kind": "happening", "code": "\xff"}', "expected JSON in UTF-8, other bytes came."),
        (b'{"kind": "happening", "code": "x", "code": "y"}', "code came twice in one object; expected it once."),
        (b'{"kind": "happening", "code": "x", "facts": {"count": "two"}}', "facts.count: expected a whole number"),
        (b'{"kind": "act", "seat": 1, "do": "meld", "facts": {"board": [1]}}', "facts.board[0]: expected a list"),
        (b"", "expected JSON, something else came."),
        (b"{'kind': 1}", "It stops being JSON at character 2."),
    ],
)
def test_what_is_out_of_bounds_is_rejected_in_a_sentence(data: bytes, sentence: str) -> None:
    with pytest.raises(Unreadable) as rejected:
        decode_body(data)
    assert sentence in str(rejected.value)


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"blinds": [1, 2]}, "settings.blinds: expected an object or nothing (null), a list came."),
        ({"stacks": {"99": 100}}, "expected a whole number of at most 14"),
        ({"stacks": {"1": -100}}, "expected a whole number of at least 0"),
        ({"structure": {"kind": "no_limit", "bring_in": 10**13}}, "of at most 1000000000000"),
        ({"blinds": {"2": 10**12}}, "of at most 10000000000"),
        ({"blind_sizes": [1, 10**11]}, "of at most 10000000000"),
        ({"structure": "no_limit"}, "settings.structure: expected an object or nothing (null), a text came."),
        ({"kill": {"seat": 1}}, "settings.kill: the field kind is missing."),
        ({"positions": 10**9}, "settings.positions: expected a whole number of at most 14"),
        ({"blind": {}}, "settings.there is no field blind."),
    ],
)
def test_settings_that_no_game_could_read_are_refused_and_change_nothing(settings: Any, sentence: str) -> None:
    """`blinds: [1, 2]` was taken; then the console could not be shown."""
    engine = table()
    before = engine.state
    (refused,) = engine.apply(Input(0, "floor:ann", TableSet(settings=settings)))
    assert isinstance(refused, ev.Refused)
    assert (refused.why, sentence in refused.text) == ("bad_settings", True), refused.text
    assert engine.state == before
    assert offers(engine, keys_cards=True)


def test_null_takes_a_setting_back() -> None:
    """At a blackjack table `positions: null` was taken for a number."""
    engine = table("bankers-pure-21-5-blackjack")
    for positions in (5, None):
        engine.apply(Input(0, "floor:ann", TableSet(settings={"positions": positions})))
    assert "positions" not in engine.state.setup.settings


def test_a_seat_that_is_named_twice_is_refused() -> None:
    (refused,) = table().apply(Input(0, "floor:ann", TableSet(seats=(1, 1, 2))))
    assert isinstance(refused, ev.Refused)
    assert refused.why == "seat_twice"


@pytest.mark.parametrize(
    "chosen",
    [
        RulesChosen("no-such-game"),
        RulesChosen("../../etc/passwd"),
        RulesChosen(options={"schedule": [{"a": 1}]}),
        RulesChosen(options={"nonsense": 1}),
    ],
)
def test_unknown_rules_are_refused_and_the_table_keeps_its_own(chosen: RulesChosen) -> None:
    """An unknown ruleset from the console was a traceback."""
    engine = table()
    (refused,) = engine.apply(Input(0, "floor:ann", chosen))
    assert isinstance(refused, ev.Refused)
    assert refused.why == "bad_rules"
    assert engine.ruleset == HOLDEM


def test_an_irregularity_that_names_no_card_is_refused() -> None:
    """Blackjack's house rules took any text for a card that had left the shoe: `engine_fault`."""
    engine = engine_from(TableState(Setup((1, 2), 7), "village-no-bust-blackjack-4-0"), resolve)
    bodies: tuple[AnyBody, ...] = (
        ShoeStarted(8),
        WagerPlaced(1, "main", 1000),
        BetsClosed(),
        *map(CardOut, ("9h", "2d", "Kd", "5c")),
        Happening("signal_dispute", 1, cards=("As", "split")),
    )
    events = [event for body in bodies for event in engine.apply(Input(0, "floor:ann", body))]
    assert isinstance(events[-1], ev.Refused)
    assert (events[-1].why, events[-1].text) == ("no_such_card", "there is no card split")
    assert engine.is_dealing


def test_ids_of_schedules_are_texts() -> None:
    with pytest.raises(RulesError, match="expected the ids of schedules"):
        resolve("bankers-texas-holdem", {"schedule": [{"a": 1}]})


OPEN = {"facts", "settings", "options", "body"}
"""Plain data, whose types are checked elsewhere: `facts.py`, `settings.py`, the ruleset, the input that it is."""


def unbounded(info: inspect.Type, where: str) -> Iterator[str]:
    """Every place in a type that has no bound."""
    match info:
        case inspect.Metadata(type=inner):
            yield from unbounded(inner, where)
        case inspect.UnionType(types=types):
            for one in types:
                yield from unbounded(one, where)
        case inspect.StructType(fields=fields):
            for field in fields:
                if field.name not in OPEN:
                    yield from unbounded(field.type, f"{where}.{field.name}")
        case inspect.IntType(ge=low, gt=above, le=high):
            if high is None or (low is None and above is None):
                yield where
        case inspect.StrType(max_length=longest, pattern=pattern):
            if longest is None and pattern is None:
                yield where
        case inspect.VarTupleType(item_type=item, max_length=longest):
            yield from () if longest is not None else (where,)
            yield from unbounded(item, where)
        case inspect.DictType(key_type=key, value_type=value, max_length=longest):
            yield from () if longest is not None else (where,)
            yield from unbounded(key, where)
            yield from unbounded(value, where)
        case inspect.AnyType():
            yield where


def test_every_field_of_an_input_that_people_send_has_bounds() -> None:
    assert [place for kind in OF_PEOPLE for place in unbounded(kind, str(kind.tag))] == []


def test_every_field_of_a_request_and_of_a_setting_has_bounds() -> None:
    kinds = {**REQUESTS, "facts": KnownFacts, "settings": TableSettings}
    found = [place for name, kind in kinds.items() for place in unbounded(inspect.type_info(kind), name)]
    assert found == []


def test_a_good_input_is_read() -> None:
    assert decode_body(b'{"kind": "floor", "do": "void", "reason": "a misdeal"}') == FloorAct("void", "a misdeal")


def test_a_fact_that_is_null_is_like_one_that_is_absent() -> None:
    """A game that counts exposed cards took null for a number. Found by the fuzzer at Village's Chinese Poker."""
    body = decode_body(b'{"kind": "happening", "code": "boxed_cards", "facts": {"count": null, "order_known": false}}')
    assert isinstance(body, Happening)
    assert body.facts == {"order_known": False}
