"""What becomes of the journal, as values: kinds of inputs (`inputs.py`). docs/compliance/journal.md has the archives,
docs/mqtt/receipts.md the stores."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from controller.engine.body import Body
from controller.engine.bounds import Code, Count, Milliseconds, Number, Words


class ArchiveMade(Body, tag="journal_rotated"):
    """Older entries of the journal went to a file of their own, the chain going on from its last hash."""

    file: Words
    first: Number
    last: Number
    hash: Words


class ArchiveDropped(Body, tag="archive_removed"):
    """An archive's time is over: the file is deleted once this is in the journal."""

    file: Words
    first: Number
    last: Number
    hash: Words
    keep_days: Count


class StoreConfirmed(Body, tag="store_confirmed"):
    """A store has every event up to this one, and its link is that of this journal. It causes no event, so that the
    store has nothing new to confirm by it."""

    store: Code
    seq: Number
    link: Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
    at: Milliseconds = 0
    """When it had them, by its own clock."""
