"""What a screen shows of each table from the store: how fast it plays, and whether what we have of it is whole."""

from __future__ import annotations

from msgspec import Struct
from sqlalchemy import Connection, func, select

from floor.store.schema import JOURNALS, ROUNDS, TABLES

HOUR_MS = 3_600_000
_HOLE_MS = 10_000
"""A hole that is younger is being filled."""


class Pace(Struct, frozen=True):
    """One table."""

    rounds: int
    """Rounds that ended in the last hour."""
    journal: str
    """whole, unattested, disputed, rolled_back, or incomplete: a hole was not filled at once."""
    silent_since: int | None


def pace(connection: Connection, site: str, now: int, days: tuple[str, ...]) -> dict[str, Pace]:
    """By table. `days`: the gaming days that the last hour may be in."""
    t, j, r = TABLES.c, JOURNALS.c, ROUNDS.c
    counted = select(r.table_name, func.count().label("rounds")).where(
        r.site == site, r.day.in_(days), r.at > now - HOUR_MS, ~r.void
    )
    rounds = {row.table_name: row.rounds for row in connection.execute(counted.group_by(r.table_name))}
    journals = (
        select(t.table_name, t.silent_since, j.state, j.hole_since)
        .join_from(TABLES, JOURNALS, (t.site == j.site) & (t.table_name == j.table_name))
        .where(t.site == site, (t.journal == j.journal) | t.journal.is_(None))
        .order_by(t.table_name, j.first_seen)
    )
    return {
        row.table_name: Pace(
            rounds.get(row.table_name, 0),
            "incomplete" if row.state == "whole" and (row.hole_since or now) < now - _HOLE_MS else row.state,
            row.silent_since,
        )
        for row in connection.execute(journals)
    }
