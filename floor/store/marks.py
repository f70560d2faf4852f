"""Freezing a moment: where each journal ends now."""

from __future__ import annotations

from secrets import token_hex

from sqlalchemy import Engine, insert, literal, select

from floor.store.room_schema import MARKED_JOURNALS, MARKS
from floor.store.schema import JOURNALS


def set_mark(engine: Engine, site: str, name: str, by: str, at: int) -> str:
    """Returns the mark's id. One statement reads all journals: the moment is the same for all tables."""
    number = token_hex(16)
    j = JOURNALS.c
    with engine.begin() as connection:
        connection.execute(insert(MARKS).values(id=number, site=site, at=at, by=by, name=name))
        ends = select(literal(number), j.journal, j.site, j.table_name, j.seq).where(j.site == site)
        connection.execute(insert(MARKED_JOURNALS).from_select(["mark", "journal", "site", "table_name", "seq"], ends))
    return number
