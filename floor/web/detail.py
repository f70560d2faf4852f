"""One table: its live view, its last rounds step by step, alarms, devices, drop."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import Struct
from sqlalchemy import Engine

from controller.contract import Actor, decode_event, events
from controller.evidence.words import Unknown, Words
from floor.config import FloorConfig
from floor.live.documents import LiveState
from floor.live.live_tables import LiveTable
from floor.queries.history import (
    PastAlarm,
    PastBox,
    PastDrop,
    PlayedRound,
    Step,
    last_alarms,
    last_boxes,
    last_drops,
    last_rounds,
    steps,
)
from floor.store.database import reading

_DAY_MS = 86_400_000


class History(Struct, frozen=True):
    """Of the last two gaming days."""

    rounds: list[PlayedRound]
    alarms: list[PastAlarm]
    drops: list[PastDrop]
    boxes: list[PastBox]


class Detail(Struct, frozen=True):
    """One table. `history` is none while the store is away."""

    table: str
    online: bool
    now: int
    state: LiveState
    history: History | None


class StepInWords(Struct, frozen=True):
    """An event in words: a line, or several for a settlement."""

    seq: int
    at: int
    by: str
    lines: list[str]


def detail_of(table: LiveTable, history: History | None, now: int) -> Detail:
    assert table.state is not None
    return Detail(table.name, table.is_online, now, table.state, history)


def read_history(engine: Engine, config: FloorConfig, table: str, now: int) -> History:
    """In a thread of its own."""
    days = tuple(sorted({config.calendar.day(now - _DAY_MS), config.calendar.day(now)}))
    with reading(engine) as connection:
        return History(
            last_rounds(connection, config.site, table),
            last_alarms(connection, config.site, table, days),
            last_drops(connection, config.site, table, days),
            last_boxes(connection, config.site, table, days),
        )


def read_steps(engine: Engine, site: str, table: str, journal: str, number: int) -> list[StepInWords]:
    """A round step by step, in words. In a thread of its own."""
    with reading(engine) as connection:
        found = steps(connection, site, table, journal, number)
    stakes: dict[tuple[Any, str], int] = {}
    return [_in_words(step, stakes) for step in found]


_actor = msgspec.json.Decoder(Actor).decode
_words = Words()


def _in_words(step: Step, stakes: dict[tuple[Any, str], int]) -> StepInWords:
    body = step.body.encode()
    try:
        event: events.Event | Unknown = decode_event(body)
    except msgspec.MsgspecError:
        # A kind or a field of another version than this program's.
        event = Unknown(step.kind, msgspec.json.decode(body, type=dict[str, Any]))
    if isinstance(event, events.WagerSet):
        stakes[event.place, event.wager] = event.cents
    by = "" if step.by is None else _actor(step.by).by
    return StepInWords(step.seq, step.at, by, _words.of_event(event, stakes))
