"""What people do at the page, into the store: an act that cannot be written is not carried out."""

from __future__ import annotations

from secrets import token_hex

from msgspec import Struct
from sqlalchemy import Engine, insert

from floor.store.room_schema import PAGE_ACTS


class PageAct(Struct, frozen=True, kw_only=True):
    """One act. docs/floor/store.md describes the columns."""

    at: int
    by: str
    client: str
    act: str
    table: str = ""
    subject: str = ""
    ok: bool = True
    why: str = ""
    text: str = ""


def write_acts(engine: Engine, site: str, acts: list[PageAct]) -> None:
    """Durably, all of them or none."""
    if not acts:
        return
    rows = [
        {
            "id": token_hex(16),
            "site": site,
            "at": each.at,
            "by": each.by,
            "client": each.client,
            "act": each.act,
            "table_name": each.table,
            "subject": each.subject,
            "ok": each.ok,
            "why": each.why,
            "text": each.text,
        }
        for each in acts
    ]
    with engine.begin() as connection:
        connection.execute(insert(PAGE_ACTS), rows)
