"""Signed checkpoints: where both chains ended at some moment. With one that was kept elsewhere, an older copy of a
journal, or one that was cut short and continued, is recognised.

    {"document":"head","journal":…,"site":…,"table":…,"entry":…,"seq":…,"hash":…,"link":…,"at":…,"key":…,"signature":…}

`signature` is the board's (Ed25519, purpose "checkpoint") over the bytes before `,"signature":`.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import msgspec
from msgspec import Struct

from controller.board_key import BoardKey, is_signed_document
from controller.durable_files import replace_file
from controller.journal.errors import JournalError
from controller.journal.reader import JournalReader
from controller.journal.store import beside
from controller.journal.writer import Tip

PURPOSE = "checkpoint"


class Checkpoint(Struct, frozen=True, tag_field="document", tag="head"):
    """What a board has signed."""

    journal: str
    site: str
    table: str
    entry: int
    """The number of the last entry."""
    seq: int
    hash: str
    link: str
    at: int
    key: str
    """The board's public key."""

    def __str__(self) -> str:
        return f"entry {self.entry} of journal {self.journal} with hash {self.hash}"


class BadCheckpoint(ValueError):
    """It is no checkpoint, or not as it was signed."""


def signed(journal: JournalReader, tip: Tip, at: int, key: BoardKey) -> bytes:
    """The checkpoint of this end of the journal."""
    head = tip.head
    ends = head.n, head.seq, head.hash.hex(), tip.public.link.hex()
    said = Checkpoint(journal.id, journal.site, journal.table, *ends, at, key.public)
    return key.signed_document(PURPOSE, said)


def read_checkpoint(data: bytes) -> Checkpoint:
    """A checkpoint that the board with the key in it has signed; `BadCheckpoint` if it is none."""
    data = data.strip()
    try:
        found = msgspec.json.decode(data, type=Checkpoint)
    except (msgspec.MsgspecError, ValueError):
        raise BadCheckpoint("it is no checkpoint") from None
    if not is_signed_document(found.key, PURPOSE, data):
        raise BadCheckpoint("its signature is wrong")
    return found


def contradiction(journal: JournalReader, found: Checkpoint) -> str | None:
    """Why this journal is not the one that was signed, or an older copy of it; None if it is."""
    head = journal.head
    if found.journal != journal.id:
        return f"{found} was signed; this is another journal, {journal.id}"
    if found.entry > head.n:
        return f"{found} was signed; the journal ends with entry {head.n}: it is an older copy, or was cut"
    if found.entry < journal.first_n:
        return None  # no longer kept
    with suppress(JournalError):  # an archive that is away is an alarm of its own
        entry = next(journal.entries(found.entry, found.entry + 1), None)
        if entry is not None and entry.hash.hex() != found.hash:
            return f"{found} was signed; the journal has the hash {entry.hash.hex()} there: it was written anew"
    return None


def own_file(journal: Path) -> Path:
    """Where the newest checkpoint is kept beside the journal."""
    return beside(journal, ".head")


def file_in(folder: Path, journal: JournalReader) -> Path:
    """Where it is kept in a second folder, which several tables may share."""
    return folder / f"{journal.site}.{journal.table}.head"


def keep(path: Path, checkpoint: bytes) -> None:
    """Write it to a file, durably: the old or the new one is there, whenever the power goes. `OSError` if it cannot."""
    replace_file(path, checkpoint + b"\n", 0o640)
