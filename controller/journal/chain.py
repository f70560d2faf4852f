"""What a journal entry is, and the chain of hashes that makes a change to any byte of any entry visible.

    hash = SHA-256( hash of the entry before
                    n | round | first_seq     8 bytes each, big-endian
                    count                     4 bytes
                    length of input           8 bytes
                    input | events )

The chain starts from `genesis(site, table)`, so a journal cannot be passed off as another table's. Every length is
either fixed or hashed before its bytes, so no two different entries feed the same bytes to the hash. Nothing here does
I/O; docs/journal.md tells the same without Python.
"""

from __future__ import annotations

import re
import struct
from hashlib import sha256

from msgspec import Struct

from controller.journal.links import FIELDS

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}")
"""A site's or a table's name: also a level of an MQTT topic and a line of the genesis text."""


class Entry(Struct, frozen=True):
    """One input, durable, with the events it caused: seq first_seq .. first_seq + count - 1."""

    n: int
    round: int
    input: bytes
    events: bytes
    """A JSON array."""
    first_seq: int
    count: int
    hash: bytes

    @property
    def head(self) -> Head:
        """Where a journal stands that ends with this entry."""
        return Head(self.n, self.first_seq + self.count - 1, self.hash)


class Head(Struct, frozen=True):
    """Where a journal stands: its last entry's number and hash, and the last event's seq."""

    n: int
    seq: int
    hash: bytes


class JournalEvent(Struct, frozen=True):
    """One event as it lies in the journal."""

    seq: int
    round: int
    at: int
    """The time of the input that caused it, milliseconds since the epoch."""
    index: int
    """Its place among the events of that input, from 0."""
    body: bytes
    hash: bytes
    """The hash of its entry."""
    test: bool = False
    """The table was in test mode: the last `started` input before it said so."""


def genesis(site: str, table: str) -> Head:
    """Where an empty journal stands."""
    text = f"cutcard journal 1\nsite {site}\ntable {table}\n"
    return Head(0, 0, sha256(text.encode()).digest())


def seal(before: Head, round_: int, count: int, input_: bytes, events: bytes) -> Entry:
    """The entry that follows `before`."""
    n, first_seq = before.n + 1, before.seq + 1
    numbers = FIELDS.pack(n, round_, first_seq, count, len(input_))
    digest = sha256(before.hash + numbers + input_ + events).digest()
    return Entry(n, round_, input_, events, first_seq, count, digest)


def fault(entry: Entry, before: Head) -> str | None:
    """Why `entry` is not the whole and unchanged successor of `before`, or None."""
    if entry.n != before.n + 1:
        return f"entry {before.n + 1} is missing"
    if entry.first_seq != before.seq + 1:
        return f"entry {entry.n} starts at event {entry.first_seq}, the one before it ended with {before.seq}"
    try:
        numbers = FIELDS.pack(entry.n, entry.round, entry.first_seq, entry.count, len(entry.input))
        due = sha256(before.hash + numbers + entry.input + entry.events).digest()
    except (TypeError, struct.error):  # a damaged page can hand back any type in any column
        return f"entry {entry.n} is not what was written: its columns are unreadable"
    return None if due == entry.hash else f"entry {entry.n} is not what was written: its hash does not fit"
