"""The fast paths of the engine change nothing: the same inputs cause the same without them, byte for byte."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import count
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from controller.engine.events import encode_events
from controller.engine.inputs import (
    Amended,
    BankPosted,
    BoardSeen,
    CardOut,
    Change,
    DeviceSeen,
    FloorAct,
    Input,
    SensorSeen,
    StackOut,
    WagerPlaced,
)
from controller.engine.round.kernel import Round
from controller.engine.table.engine import TableEngine
from controller.engine.table.state import TableState
from tests.engine.test_bot import DEALT, Evening, evenings


@evenings(3)
def test_a_table_without_fast_paths_comes_to_the_same(slug: str, seed: int) -> None:
    evening = Evening(slug, seed, unread_one_in=25, trouble_one_in=25).play(2)
    fast, slow = both(evening)
    for value in from_devices(evening.inputs, with_boxes=seed == 1):
        assert encode_events(fast.apply(value)) == encode_events(slow.apply(value)), value
        assert in_sight(fast) == in_sight(slow), value
    strike_out = Amended(fast.round_number, (Change(0, None),), "the floor's word")
    assert fast.preview(strike_out) == slow.preview(strike_out)


def test_the_fast_paths_are_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    """Else the comparison above would compare nothing."""
    judged: Counter[str] = Counter()
    feed = Round.feed
    for slug in {ruleset.game.slug: slug for slug, ruleset in DEALT.items()}.values():
        evening = Evening(slug, 0).play(2)
        for name, engine in zip(("fast", "slow"), both(evening), strict=True):

            def counted(current: Round, body: Any, name: str = name) -> None:
                judged[name] += 1
                feed(current, body)

            monkeypatch.setattr(Round, "feed", counted)
            for value in evening.inputs:
                engine.apply(value)
            monkeypatch.setattr(Round, "feed", feed)
    assert judged["fast"] < judged["slow"] / 2


def both(evening: Evening) -> tuple[TableEngine[Any], TableEngine[Any]]:
    """The table of an evening as it began, with and without fast paths."""
    ruleset, state = evening.ruleset, TableState(evening.setup)
    rotation = ruleset.rotation()
    fast = TableEngine(ruleset.game, ruleset.options(), state, ruleset.slug, rotation=rotation)
    slow = TableEngine(ruleset.game, ruleset.options(), state, ruleset.slug, rotation=rotation, is_fast=False)
    return fast, slow


def from_devices(inputs: list[Input], *, with_boxes: bool = False) -> Iterator[Input]:
    """The same inputs; cards come from a shoe that numbers them, leaves out a number once and restarts once. Between
    them: what is never legal, and what is not a matter of the round."""
    numbers, boot = count(1), "b1"
    if with_boxes:
        yield Input(0, "device:boxes", SensorSeen("boxes.collection", "collection", "met", mark={"box_present": True}))
    for nth, value in enumerate(replace(value, at=nth * 5_000) for nth, value in enumerate(inputs)):
        if nth % 20 == 3:
            yield Input(value.at, "dealer", BankPosted((1_000, -500)))
            yield Input(value.at, "dealer", WagerPlaced(99, "ante", 500))
        if nth % 40 == 20:
            yield Input(value.at, "device:shoe", DeviceSeen("shoe", "online", {"kind": "shoe"}, boot))
            yield Input(value.at, "board", BoardSeen("disk", wrong=nth % 80 == 20, text="nearly full"))
            yield Input(value.at, "device:boxes", SensorSeen("boxes.collection", "collection", "dropped", 2))
        if nth % 90 == 50:
            yield Input(value.at, "device:shoe", CardOut("2c", locked=True))
            yield Input(value.at, "floor", FloorAct("resume"))
        if not isinstance(value.body, CardOut | StackOut):
            yield value
            continue
        if nth in (61, 62):
            next(numbers)
        if nth == 120:
            boot = "b2"
        yield replace(value, by="device:shoe", ref=f"{boot}:{next(numbers)}")


def in_sight(engine: TableEngine[Any]) -> bytes:
    """Everything that is kept or published of a table."""
    last = None if engine.last is None else engine.last.document
    shown = (engine.state, engine.expectation, engine.public_result, last, engine.played.inputs, engine.played.began)
    return msgspec.json.encode(shown, enc_hook=repr)
