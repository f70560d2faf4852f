"""What happened at each table after a mark: "since I came on shift". For one site.

A mark is where each journal ended when it was set, so what came after it is exact, whenever it is looked at: nothing is
counted twice, and nothing that the store got late is left out.
"""

from __future__ import annotations

from typing import Any

from msgspec import Struct
from sqlalchemy import ColumnElement, Connection, Select, Table, and_, func, select

from floor.store.room_schema import MARKED_JOURNALS, MARKS
from floor.store.schema import ALARMS, DROPS, FEE_LEDGER, JOURNALS, ROUNDS


class Mark(Struct, frozen=True):
    """A moment that somebody froze."""

    id: str
    at: int
    by: str
    name: str


class Since(Struct, frozen=True):
    """One table since a mark. A table that began since then counts from its beginning."""

    table: str
    events: int = 0
    rounds: int = 0
    void: int = 0
    corrected: int = 0
    wagered_cents: int = 0
    due_cents: int = 0
    """What the fee ledger added."""
    matched_cents: int = 0
    """Of it, what was seen to fall."""
    differences: int = 0
    """Drops that were short, over, or in the wrong box."""
    alarms: int = 0
    """That were raised."""


def marks(connection: Connection, site: str) -> list[Mark]:
    """The newest first."""
    m = MARKS.c
    rows = connection.execute(select(m.id, m.at, m.by, m.name).where(m.site == site).order_by(m.at.desc()).limit(100))
    return [Mark(*row) for row in rows]


def since(connection: Connection, site: str, mark: str, *, test: bool) -> list[Since]:
    """By table. `test`: rounds and fees of test mode, which involve no money, and no others."""
    j, r, f, d = JOURNALS.c, ROUNDS.c, FEE_LEDGER.c, DROPS.c
    found: dict[str, dict[str, int]] = {}

    def add(query: Select[Any]) -> None:
        for row in connection.execute(query):
            values = row._asdict()
            name = values.pop("table_name")
            place = found.setdefault(name, {})
            for key, value in values.items():
                place[key] = place.get(key, 0) + int(value or 0)

    marked = MARKED_JOURNALS
    at = func.coalesce(marked.c.seq, 0)

    def after(table: Table, *columns: ColumnElement[Any]) -> Select[Any]:
        c = table.c
        same = and_(marked.c.mark == mark, marked.c.journal == c.journal)
        query = select(c.table_name, *columns).select_from(table.outerjoin(marked, same))
        query = query.join(JOURNALS, and_(j.journal == c.journal, j.state != "unattested"))
        return query.where(c.site == site, c.seq > at, c.test == test).group_by(c.table_name)

    same = and_(marked.c.mark == mark, marked.c.journal == j.journal)
    events = select(j.table_name, func.sum(j.seq - at).label("events")).select_from(JOURNALS.outerjoin(marked, same))
    add(events.where(j.site == site).group_by(j.table_name))
    add(
        after(
            ROUNDS,
            func.count().label("rounds"),
            func.count().filter(r.void).label("void"),
            func.count().filter(r.corrections > 0).label("corrected"),
            func.sum(r.wagered_cents).filter(~r.void).label("wagered_cents"),
        )
    )
    add(after(FEE_LEDGER, func.sum(f.cents).label("due_cents")))
    matched = d.kind.in_(("matched", "matched_late"))
    add(
        after(
            DROPS,
            func.sum(d.due_cents).filter(matched).label("matched_cents"),
            func.count().filter(~matched & (d.kind != "explained")).label("differences"),
        )
    )
    add(after(ALARMS, func.count().label("alarms")))
    return [Since(table, **values) for table, values in sorted(found.items())]
