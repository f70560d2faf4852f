"""What the publisher says, as values. The payloads are their JSON."""

from __future__ import annotations

import msgspec
from msgspec import Raw, Struct

from controller.journal import JournalEvent


class Envelope(Struct, frozen=True, omit_defaults=True):
    """One event on its way to the cardroom.

    `seq` is the table's gapless number: a repeat has a seq that was seen, a hole shows as one that was skipped. `hash`
    is that of the journal entry the event lies in.
    """

    seq: int
    site: str
    table: str
    round: int
    at: int
    kind: str
    body: Raw
    hash: str
    test: bool = False
    """Present, and true, when the table was in test mode: no money stood behind it."""


class Online(Struct, frozen=True, omit_defaults=True):
    """Whether the table's daemon is connected. `session` names one run of the daemon."""

    online: bool
    session: str
    since: int | None = None
    """When the connection was made, milliseconds since the epoch."""


class _Kind(Struct):
    kind: str


encode = msgspec.json.Encoder().encode
_read_kind = msgspec.json.Decoder(_Kind).decode


def envelope(site: str, table: str, event: JournalEvent) -> Envelope:
    return Envelope(
        seq=event.seq,
        site=site,
        table=table,
        round=event.round,
        at=event.at,
        kind=_read_kind(event.body).kind,
        body=Raw(event.body),
        hash=event.hash.hex(),
        test=event.test,
    )
