"""Everything that is worked out of the events, again from the first one: into the store, or only to compare.

The rows are a function of `events`, in the order of each journal. So what came in piece by piece, in any order, from
any number of collectors, must be the same as what is made here at once; a test and `cutcard floor rebuild --check`
compare it.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
from sqlalchemy import Connection, Engine, Table, bindparam, delete, func, select, update

from controller.contract import Actor
from controller.errors import UserError
from floor.gaming_day import Calendar
from floor.store.bulk import Row
from floor.store.database import reading
from floor.store.derived import context as contexts
from floor.store.derived.about import About
from floor.store.derived.book import Unbookable, book
from floor.store.derived.page import Page
from floor.store.schema import DERIVED, EVENTS, GAPS, JOURNALS, SITES

_AT_ONCE = 5000
_actor = msgspec.json.Decoder(Actor).decode


def rebuild_all(engine: Engine) -> None:
    """In one transaction; collectors wait meanwhile."""
    with engine.begin() as connection:
        journals = connection.execute(select(JOURNALS.c.journal).order_by(JOURNALS.c.journal).with_for_update())
        names = list(journals.scalars())
        _expect_all_events(connection)
        for table in DERIVED:
            connection.execute(delete(table))
        for name in names:
            context = contexts.Context()
            for page in _pages(connection, name, context):
                page.write(connection)
            here = JOURNALS.c.journal == bindparam("of_journal")
            connection.execute(
                update(JOURNALS).where(here), [{"of_journal": name, "context": contexts.encode(context)}]
            )


def _expect_all_events(connection: Connection) -> None:
    """`UserError` where events were deleted: what came from them could not be made again."""
    e, g, j = EVENTS.c, GAPS.c, JOURNALS.c
    lost = func.coalesce(
        select(func.sum(g.last_seq - g.first_seq + 1)).where(g.journal == j.journal).scalar_subquery(), 0
    )
    kept = select(func.count()).select_from(EVENTS).where(e.journal == j.journal).scalar_subquery()
    deleted = connection.execute(select(j.site, j.table_name).where(kept + lost < j.seq)).all()
    if deleted:
        tables = ", ".join(sorted({f"{row.site}/{row.table_name}" for row in deleted}))
        raise UserError(
            f"Events of {tables} are no longer kept: what came from them cannot be worked out again. "
            "Nothing is changed."
        )


def compare(engine: Engine) -> dict[str, str]:
    """Where what is stored is not what the events give: by table, in words."""
    different: dict[str, str] = {}
    with reading(engine) as connection:
        made: dict[Table, set[Row]] = {table: set() for table in DERIVED}
        for name in connection.scalars(select(JOURNALS.c.journal).order_by(JOURNALS.c.journal)).all():
            whole = Page()
            for page in _pages(connection, name, contexts.Context(), whole):
                whole = page
            for table, rows in whole.rows().items():
                made[table].update(rows)
        for table in DERIVED:
            stored = {tuple(row) for row in connection.execute(select(table))}
            if stored != made[table]:
                missing, surplus = len(made[table] - stored), len(stored - made[table])
                different[table.name] = f"{missing} rows are missing or other, {surplus} should not be there so"
    return different


def _pages(connection: Connection, journal: str, context: contexts.Context, page: Page | None = None) -> Iterator[Page]:
    """The rows of a journal; on one page for all, or on one for each portion of events."""
    e = EVENTS.c
    calendars = {row.site: Calendar(row.timezone, row.day_begins) for row in connection.execute(select(SITES))}
    after = 0
    while True:
        query = select(EVENTS).where(e.journal == journal, e.seq > after).order_by(e.seq).limit(_AT_ONCE)
        rows = connection.execute(query).all()
        if not rows:
            return
        here = page or Page()
        for row in rows:
            day = calendars[row.site].day(row.booked_at)
            by = "" if row.by is None else _actor(row.by).by
            about = About(row.site, row.table_name, journal, row.seq, row.round, row.booked_at, day, row.test, by)
            try:
                book(context, about, row.kind, row.body.encode(), here)
            except Unbookable:
                continue
        after = rows[-1].seq
        yield here
