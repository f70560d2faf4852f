"""An event of the journal as the message that the broker gets."""

from __future__ import annotations

import msgspec
from msgspec import Raw, Struct

from controller.contract.messages import CURRENCY, Envelope
from controller.journal import JournalEvent


def envelope(site: str, table: str, event: JournalEvent, *, historical: bool) -> Envelope:
    return Envelope(
        event.seq,
        site,
        table,
        event.round,
        event.at,
        _read_kind(event.body).kind,
        CURRENCY,
        Raw(event.body),
        event.hash.hex(),
        event.test,
        historical,
    )


class _Kind(Struct):
    kind: str


_read_kind = msgspec.json.Decoder(_Kind).decode
