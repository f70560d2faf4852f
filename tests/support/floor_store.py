"""What the tests of the floor ask of a store, and messages as a collector hands them on."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from sqlalchemy import Engine, Table, func, select, text

from floor.gaming_day import Calendar
from floor.messages import Received, read
from floor.store.database import reading
from floor.store.intake import Intake, Taken
from floor.store.schema import EVENTS, JOURNALS, QUARANTINE
from tests.support.recorded_days import FreshTable, Published

SITE = "riverside"
NOON = 1_763_300_000_000
"""After every recorded day."""


def an_intake(engine: Engine, boards: dict[tuple[str, str], str] | None = None) -> Intake:
    return Intake(engine, Calendar(), boards)


def received(messages: Iterable[Published], broker: str = "a", at: int = NOON) -> list[Received]:
    return [read(broker, message.topic, message.payload, at) for message in messages]


def take(intake: Intake, messages: Iterable[Published], at_once: int = 500, broker: str = "a") -> list[Taken]:
    """In batches."""
    every = received(messages, broker)
    return [intake.take(every[start : start + at_once]) for start in range(0, len(every), at_once)]


def mixed(tables: Sequence[FreshTable]) -> list[Published]:
    """The events of these tables, as they come when all play at once."""
    longest = max(len(table.events) for table in tables)
    return [table.events[n] for n in range(longest) for table in tables if n < len(table.events)]


def count(engine: Engine, table: Table) -> int:
    with reading(engine) as connection:
        return connection.scalar(select(func.count()).select_from(table)) or 0


def rows(engine: Engine, statement: str) -> list[tuple[Any, ...]]:
    with reading(engine) as connection:
        return [tuple(row) for row in connection.execute(text(statement))]


def reasons(engine: Engine) -> dict[str, int]:
    """What is kept apart: how often, by reason."""
    q = QUARANTINE.c
    with reading(engine) as connection:
        found = connection.execute(select(q.reason, func.sum(q.times)).group_by(q.reason))
        return {reason: int(times) for reason, times in found}


def heads(engine: Engine) -> dict[str, tuple[int, str | None]]:
    """Where the chain of each journal ends in the store."""
    with reading(engine) as connection:
        found = connection.execute(select(JOURNALS.c.journal, JOURNALS.c.seq, JOURNALS.c.link))
        return {row.journal: (row.seq, row.link) for row in found}


def problems(engine: Engine, tables: Sequence[FreshTable]) -> list[str]:
    """What is lost, twice or other than what these tables have published."""
    found = []
    ends = heads(engine)
    e = EVENTS.c
    with reading(engine) as connection:
        for table in tables:
            name, last = table.table, len(table.events)
            if ends.get(table.journal) != (last, table.links[-1]):
                found.append(f"{name} ends with {ends.get(table.journal)}, not with {last} {table.links[-1]}")
            query = select(e.seq, e.link).where(e.journal == table.journal).order_by(e.seq)
            stored = [(row.seq, row.link) for row in connection.execute(query)]
            if stored != list(enumerate(table.links[1:], 1)):
                numbers = [seq for seq, _ in stored]
                lost = sorted(set(range(1, last + 1)) - set(numbers))[:5]
                found.append(f"{name}: {len(numbers)} events, {len(set(numbers))} different, lost {lost}")
    return found
