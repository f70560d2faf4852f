"""The last rounds of one table, and each of them step by step."""

from __future__ import annotations

from msgspec import Struct
from sqlalchemy import Connection, func, select

from floor.store.schema import ALARMS, BOXES, DROPS, EVENTS, ROUNDS

MOST_EVENTS = 2000
"""Of one round."""


class PlayedRound(Struct, frozen=True):
    """A round that is over."""

    journal: str
    round: int
    started_at: int
    at: int
    dealer: str
    banker: str
    outcome: str
    void: bool
    void_reason: str
    corrections: int
    wagered_cents: int
    bank_net_cents: int
    test: bool


class Step(Struct, frozen=True):
    """An event as it is stored: `floor.web` puts it into words."""

    seq: int
    at: int
    kind: str
    by: str | None
    body: str


class PastAlarm(Struct, frozen=True):
    """An alarm that was raised, whether it is over or not."""

    alarm: str
    text: str
    at: int
    acknowledged_by: str
    acknowledged_at: int | None
    cleared_at: int | None


class PastDrop(Struct, frozen=True):
    """What fell against what was owed."""

    at: int
    round: int | None
    kind: str
    box: str
    due_cents: int
    low_cents: int
    high_cents: int | None
    text: str


class PastBox(Struct, frozen=True):
    """A box that was taken out."""

    at: int
    box: str
    box_id: str
    due_cents: int
    low_cents: int
    high_cents: int | None
    doubts: str


def last_rounds(connection: Connection, site: str, table: str, count: int = 20) -> list[PlayedRound]:
    """The newest first."""
    r = ROUNDS.c
    columns = (r.journal, r.round, r.started_at, r.at, r.dealer, r.banker, r.outcome, r.void, r.void_reason)
    query = select(*columns, r.corrections, r.wagered_cents, r.bank_net_cents, r.test)
    here = (r.site == site, r.table_name == table)
    days = select(func.max(r.day)).where(*here).scalar_subquery()
    rows = connection.execute(query.where(*here, r.day == days).order_by(r.at.desc(), r.round.desc()).limit(count))
    return [PlayedRound(**row._asdict()) for row in rows]


def steps(connection: Connection, site: str, table: str, journal: str, number: int) -> list[Step]:
    """The events of a round, in order; what came after its end (drops, corrections) too."""
    r, e = ROUNDS.c, EVENTS.c
    here = (r.journal == journal, r.site == site, r.table_name == table)
    before = connection.scalar(select(func.max(r.seq)).where(*here, r.round < number)) or 0
    after = connection.scalar(select(func.min(r.seq)).where(*here, r.round > number))
    query = select(e.seq, e.at, e.kind, e.by, e.body).where(e.journal == journal, e.seq > before, e.round == number)
    query = query.where(e.site == site, e.table_name == table)
    if after is not None:
        query = query.where(e.seq <= after)
    return [Step(*row) for row in connection.execute(query.order_by(e.seq).limit(MOST_EVENTS))]


def last_alarms(connection: Connection, site: str, table: str, days: tuple[str, ...]) -> list[PastAlarm]:
    """The newest first."""
    a = ALARMS.c
    query = select(a.alarm, a.text, a.at, a.acknowledged_by, a.acknowledged_at, a.cleared_at)
    here = (a.site == site, a.table_name == table, a.day.in_(days))
    return [PastAlarm(*row) for row in connection.execute(query.where(*here).order_by(a.at.desc()).limit(50))]


def last_drops(connection: Connection, site: str, table: str, days: tuple[str, ...]) -> list[PastDrop]:
    """The newest first."""
    d = DROPS.c
    query = select(d.at, d.round, d.kind, d.box, d.due_cents, d.low_cents, d.high_cents, d.text)
    here = (d.site == site, d.table_name == table, d.day.in_(days))
    return [PastDrop(*row) for row in connection.execute(query.where(*here).order_by(d.at.desc()).limit(20))]


def last_boxes(connection: Connection, site: str, table: str, days: tuple[str, ...]) -> list[PastBox]:
    """The newest first."""
    b = BOXES.c
    query = select(b.at, b.box, b.box_id, b.due_cents, b.low_cents, b.high_cents, b.doubts)
    here = (b.site == site, b.table_name == table, b.day.in_(days))
    return [PastBox(*row) for row in connection.execute(query.where(*here).order_by(b.at.desc()).limit(20))]
