"""The certificates of a site's tables as their boards have published them: until when each is good, and who asks for
the next one."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct
from sqlalchemy import Connection, select

from controller.certificates.published import BadRequest, PublishedCertificate, expect_request, name_in, read_published
from floor.queries.documents import newest
from floor.store.schema import TABLES

Standing = Literal["good", "asks", "wrong"]


class TableCertificate(Struct, frozen=True):
    """One table's, for one of its brokers."""

    table: str
    broker: str
    expires_at: int | None
    """Null where what came cannot be believed."""
    standing: Standing
    text: str
    """Why it cannot be believed; else empty."""
    request: str = ""
    """What waits to be signed, in PEM."""


def certificates(connection: Connection, site: str, boards: dict[str, str]) -> list[TableCertificate]:
    """The first to expire first, and before them what cannot be believed. `boards`: keys that the configuration
    names."""
    t = TABLES.c
    known = {
        row.table_name: row.board_key
        for row in connection.execute(select(t.table_name, t.board_key).where(t.site == site))
    }
    known |= boards
    found = []
    for each in newest(connection, site, "certificate"):
        try:
            document = read_published(each.payload.encode())
            request = _expect_of(document, site, each.table, known.get(each.table))
        except BadRequest as error:
            found.append(TableCertificate(each.table, each.name, None, "wrong", str(error)))
            continue
        standing: Standing = "asks" if request else "good"
        found.append(TableCertificate(each.table, each.name, document.expires_at, standing, "", request))
    return sorted(found, key=lambda each: (each.expires_at or 0, each.table, each.broker))


def _expect_of(document: PublishedCertificate, site: str, table: str, key: str | None) -> str:
    """The request in it, where it is this table's and signed by its board; empty: there is none."""
    if (document.site, document.table) != (site, table):
        raise BadRequest(f"it is signed for {document.site}/{document.table}")
    if key is None:
        raise BadRequest("the key of the table's board is not known yet: it comes with its first checkpoint")
    if document.key != key:
        raise BadRequest(f"it is signed with the key {document.key}, and that of the table's board is {key}")
    if document.request is None:
        return ""
    if (name := name_in(expect_request(document.request.encode()))) != f"{site}/{table}":
        raise BadRequest(f"the request in it is for {name}")
    return document.request
