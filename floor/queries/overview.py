"""Which tables there are, and how whole what we have of each is."""

from __future__ import annotations

from msgspec import Struct
from sqlalchemy import Connection, and_, func, or_, select

from floor.store.schema import ALARMS, DOCUMENTS, EVENTS, FEE_LEDGER, JOURNALS, QUARANTINE, ROUNDS, TABLES


class TableOverview(Struct, frozen=True):
    """One table, with its newest journal."""

    site: str
    table: str
    journal: str
    online: bool
    silent: bool
    last_seen: int
    events: int
    rounds: int
    due_cents: int
    alarms: int
    """That are raised now."""
    journal_state: str
    """whole, unattested (no board has signed it yet), disputed, rolled_back, or incomplete: a hole is being filled."""
    reason: str


class Kept(Struct, frozen=True):
    """What is kept apart, by reason and table."""

    reason: str
    site: str
    table: str
    times: int
    last_at: int
    text: str


def tables(connection: Connection) -> list[TableOverview]:
    """By site and table."""
    t, j, d, r, f, a = TABLES.c, JOURNALS.c, DOCUMENTS.c, ROUNDS.c, FEE_LEDGER.c, ALARMS.c
    online = (
        select(func.count())
        .select_from(DOCUMENTS)
        .where(d.site == t.site, d.table_name == t.table_name, d.document == "online")
        .where(d.payload.contains('"online":true'))
        .scalar_subquery()
    )
    query = (
        select(
            t.site,
            t.table_name,
            t.last_seen,
            t.silent_since,
            online.label("online"),
            j.journal,
            j.seq,
            j.known_seq,
            j.state,
            j.reason,
            select(func.count()).select_from(ROUNDS).where(r.journal == j.journal).scalar_subquery().label("rounds"),
            select(func.sum(f.cents)).where(f.journal == j.journal).scalar_subquery().label("due"),
            select(func.count())
            .select_from(ALARMS)
            .where(a.journal == j.journal, a.cleared_at.is_(None))
            .scalar_subquery()
            .label("alarms"),
        )
        .join_from(TABLES, JOURNALS, and_(t.site == j.site, t.table_name == j.table_name))
        .where((t.journal == j.journal) | t.journal.is_(None))
        .order_by(t.site, t.table_name, j.first_seen)
    )
    return [
        TableOverview(
            row.site,
            row.table_name,
            row.journal,
            row.online > 0,
            row.silent_since is not None,
            row.last_seen,
            row.seq,
            row.rounds,
            int(row.due or 0),
            row.alarms,
            "incomplete" if row.state == "whole" and row.known_seq > row.seq else row.state,
            row.reason,
        )
        for row in connection.execute(query)
    ]


def totals(connection: Connection) -> dict[str, int]:
    """How many events, rounds and lines of the fee ledger there are."""
    counted = {"events": EVENTS, "rounds": ROUNDS, "fee lines": FEE_LEDGER}
    return {name: connection.scalar(select(func.count()).select_from(of)) or 0 for name, of in counted.items()}


def quarantine(connection: Connection, site: str | None = None, after: int = 0) -> list[Kept]:
    """What is kept apart, the newest first; of one site also what names none."""
    q = QUARANTINE.c
    query = (
        select(q.reason, q.site, q.table_name, func.sum(q.times).label("times"), func.max(q.last_at).label("last_at"))
        .add_columns(func.max(q.text).label("text"))
        .where(q.last_at > after)
        .group_by(q.reason, q.site, q.table_name)
        .order_by(func.max(q.last_at).desc())
    )
    if site is not None:
        query = query.where(or_(q.site == site, q.site.is_(None)))
    return [
        Kept(row.reason, row.site or "", row.table_name or "", int(row.times), row.last_at, row.text)
        for row in connection.execute(query)
    ]
