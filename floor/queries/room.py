"""What the room's rules need from the store, for one site."""

from __future__ import annotations

from msgspec import Struct
from sqlalchemy import Connection, select

from floor.store.schema import BOXES


class BoxTaken(Struct, frozen=True):
    """A box that was taken out."""

    journal: str
    seq: int
    table: str
    at: int
    box: str
    box_id: str
    due_cents: int
    test: bool


def boxes_taken(connection: Connection, site: str, days: tuple[str, ...], after: int) -> list[BoxTaken]:
    """After this moment, on these gaming days; in order."""
    b = BOXES.c
    query = select(b.journal, b.seq, b.table_name, b.at, b.box, b.box_id, b.due_cents, b.test)
    rows = connection.execute(query.where(b.site == site, b.day.in_(days), b.at > after).order_by(b.at, b.seq))
    return [BoxTaken(*row) for row in rows]
