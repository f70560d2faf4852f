"""The retained documents of a site's tables as they are now."""

from __future__ import annotations

from msgspec import Struct
from sqlalchemy import Connection, select

from floor.store.schema import DOCUMENTS


class Document(Struct, frozen=True):
    """One document. `payload` is as the table published it; `controller.contract` has its types."""

    table: str
    document: str
    name: str
    journal: str | None
    seq: int
    received_at: int
    payload: str


def newest(connection: Connection, site: str, document: str) -> list[Document]:
    """Of each table and name the newest, whichever broker it came from. Of `online`: connected anywhere counts."""
    d = DOCUMENTS.c
    query = select(DOCUMENTS).where(d.site == site, d.document == document)
    best: dict[tuple[str, str], Document] = {}
    for row in connection.execute(query.order_by(d.table_name, d.name, d.received_at, d.seq)):
        one = Document(row.table_name, row.document, row.name, row.journal, row.seq, row.received_at, row.payload)
        place = one.table, one.name
        before = best.get(place)
        if before is None or not _is_better(before, one):
            best[place] = one
    return list(best.values())


def _is_better(one: Document, other: Document) -> bool:
    """Whether `one`, which came before, is nearer to how the table is now."""
    if one.document == "online":
        return '"online":true' in one.payload and '"online":true' not in other.payload
    return one.journal == other.journal and one.seq > other.seq
