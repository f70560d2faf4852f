"""Hostile bodies and requests at a running table: each is answered, nothing is faulty, and the journal is whole."""

from __future__ import annotations

import random
import time
from pathlib import Path
from typing import Any

import msgspec
import pytest

from controller.contract.requests import REQUESTS
from controller.engine.actor import Actor
from controller.engine.inputs import AnyBody, Happening, WagerPlaced, decode_input
from controller.engine.reading import Unreadable
from controller.journal import JournalReader
from controller.outputs.device_commands import DeviceCommands
from controller.table.acts import OperatorActions
from devices.supervisor import Supervisor
from tests.support.hostile.fuzz import how_many
from tests.support.hostile.hostile_inputs import a_value, garbage, mutated, some
from tests.support.running.askers import TOPICS, AskedTable, asked_table

TODAY = int(time.time() // 86_400)
A_TENTH = 10
"""Each of these is a durable entry: a tenth of the inputs that the engine alone gets."""


async def nobody(report: Any) -> None:
    raise AssertionError("there is no device")


def faults(table: AskedTable) -> list[dict[str, Any]]:
    return [event for event in table.events() if event.get("code") == "engine_fault"]


def is_in_our_words(text: str) -> bool:
    """A library puts its types between such marks; we do so with one command, which lists the rulesets."""
    return "`" not in text.replace("`cutcard rules list`", "")


async def test_every_hostile_act_is_answered_in_words(tmp_path: Path) -> None:
    rng = random.Random(TODAY)
    floor = Actor("floor", "ann", "console", "board")
    good = [
        {"kind": "shoe_started", "decks": 8},
        {"kind": "wager", "place": 1, "wager": "player_line", "cents": 1000},
        {"kind": "close_bets"},
        *({"kind": "card_out", "card": code} for code in ("9h", "2d", "Kd", "5c")),
        {"kind": "floor", "do": "void", "reason": "x"},
        {"kind": "table_set", "settings": {"positions": 5}},
        {"kind": "choose_rules", "ruleset": "bankers-texas-holdem"},
        {"kind": "amend", "round": 1, "changes": [{"index": 0, "body": None}], "reason": "x", "preview": True},
    ]
    async with asked_table(tmp_path) as table:
        actions = OperatorActions(table.recorder, DeviceCommands(Supervisor([], nobody), {}), lambda: True)
        seen = set()
        for _ in range(how_many() // A_TENTH):
            data = some(rng, lambda: rng.choice(good))
            if b"retire_table" in data:
                continue  # It ends the journal, and what comes after it is another test's.
            result = await actions.act(data, floor)
            seen.add(result.outcome)
            assert result.outcome in ("done", "refused", "malformed", "not_allowed"), data
            assert result.ok or result.text, data
            assert is_in_our_words(result.text), (data, result.text)
        assert seen == {"done", "refused", "malformed", "not_allowed"}
        assert not faults(table)
    with JournalReader.read(tmp_path / "journal.db") as journal:
        assert all(decode_input(entry.input) for entry in journal.entries(1))


async def test_every_hostile_request_is_answered_in_words(tmp_path: Path) -> None:
    rng = random.Random(TODAY)
    infos = {command: msgspec.inspect.type_info(kind) for command, kind in REQUESTS.items()}
    async with asked_table(tmp_path) as table:
        answered = {True: 0, False: 0}
        for n in range(how_many() // A_TENTH):
            command = rng.choice(tuple(REQUESTS))
            request = {**a_value(rng, infos[command]), "id": f"n{n}", "expires": table.now + 60_000}
            request.pop("by", None)
            data = garbage(rng) if rng.random() < 0.1 else mutated(rng, request)
            topic = TOPICS.command("floor", f"desk-{n}", command)
            _, replies, _ = await table.send_raw(topic, data)
            reply = replies[-1]
            answered[reply["ok"]] += 1
            assert reply["ok"] or reply["text"], data
            assert is_in_our_words(reply.get("text", "")), (data, reply)
        assert all(answered.values()), answered
        assert not faults(table)


async def test_an_input_that_could_not_be_read_again_is_not_written(tmp_path: Path) -> None:
    """It was applied and written, and the next start could not read its own journal, or another Python than the table's
    could not: how many levels it can read differs."""

    def nested(levels: int) -> Any:
        value: Any = 1
        for _ in range(levels):
            value = [value]
        return value

    async with asked_table(tmp_path) as table:
        head, state = table.journal.head, table.recorder.engine.state
        too_deep = [Happening("x", facts={"n": nested(levels)}) for levels in (120, 5000)]
        bodies: list[AnyBody] = [WagerPlaced(99, "player_line", 500), *too_deep]
        for body in bodies:
            with pytest.raises(Unreadable, match="expected"):
                await table.recorder.submit(body, "device:x")
        assert (table.journal.head, table.recorder.engine.state) == (head, state)
