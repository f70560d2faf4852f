"""Figures of gaming days, for one site."""

from __future__ import annotations

from typing import Any

from msgspec import Struct
from sqlalchemy import ColumnElement, Connection, Select, Table, and_, func, select

from floor.store.schema import COUNTS, FEE_LEDGER, JOURNALS, ROUNDS


class Period(Struct, frozen=True):
    """Gaming days of one site, first and last included. `test`: tables in test mode, which involve no money, and no
    others."""

    site: str
    first: str
    last: str
    test: bool = False


class FeesDue(Struct, frozen=True):
    """What a box of a table is owed for a day."""

    day: str
    table: str
    box: str
    cents: int


class Rounds(Struct, frozen=True):
    """The rounds of a table on a day."""

    day: str
    table: str
    ruleset: str
    rounds: int
    void: int
    corrected: int
    wagered_cents: int


class Counted(Struct, frozen=True):
    """A box that the count room has counted."""

    day: str
    table: str
    box_id: str
    cents: int
    due_cents: int
    difference_cents: int
    by: str


def fees_due(connection: Connection, period: Period) -> list[FeesDue]:
    """By day, table and box."""
    f = FEE_LEDGER.c
    query = select(f.day, f.table_name, f.box, func.sum(f.cents).label("cents"))
    found = connection.execute(
        _of(query, FEE_LEDGER, period).group_by(f.day, f.table_name, f.box).order_by(f.day, f.table_name, f.box)
    )
    return [FeesDue(row.day, row.table_name, row.box, int(row.cents)) for row in found]


def rounds(connection: Connection, period: Period) -> list[Rounds]:
    """By day, table and ruleset."""
    r = ROUNDS.c
    query = select(
        r.day,
        r.table_name,
        r.ruleset,
        func.count().label("rounds"),
        func.count().filter(r.void).label("void"),
        func.count().filter(r.corrections > 0).label("corrected"),
        func.sum(r.wagered_cents).filter(~r.void).label("wagered"),
    )
    found = connection.execute(
        _of(query, ROUNDS, period).group_by(r.day, r.table_name, r.ruleset).order_by(r.day, r.table_name)
    )
    return [
        Rounds(row.day, row.table_name, row.ruleset, row.rounds, row.void, row.corrected, int(row.wagered or 0))
        for row in found
    ]


def counts(connection: Connection, period: Period) -> list[Counted]:
    """In the order in which they were keyed."""
    c = COUNTS.c
    query = select(c.day, c.table_name, c.box_id, c.cents, c.due_cents, c.difference_cents, c.by)
    found = connection.execute(_of(query, COUNTS, period).order_by(c.at))
    return [Counted(*row) for row in found]


def _of(query: Select[Any], table: Table, period: Period) -> Select[Any]:
    """Of one site, of these days, and of journals that a board has signed."""
    t, j = table.c, JOURNALS.c
    is_attested: ColumnElement[bool] = and_(j.journal == t.journal, j.state != "unattested")
    return query.join(JOURNALS, is_attested).where(
        t.site == period.site, t.day >= period.first, t.day <= period.last, t.test == period.test
    )
