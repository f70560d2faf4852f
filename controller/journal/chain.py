"""What a journal entry is, and the chain of hashes that makes a change to any byte of any entry visible.

An entry is sealed in its row, as one run of bytes: its hash, then all that is hashed of it.

    sealed = hash | rest
    rest   = n | first_seq | round    4 bytes each, big-endian
             count                    2 bytes
             length of input          4 bytes
             salt                     16 random bytes
             link                     32 bytes: the public chain before its first event (`published`)
             input | events
    hash   = SHA-256( hash of the entry before | rest )

The chain starts from `genesis`, which names the table and the journal's id, so a journal cannot be passed off as
another. Every length is either fixed or hashed before its bytes, so no two different entries feed the same bytes to the
hash. Hashes are published, and inputs hold cards that are face down: with the salt, which never leaves the journal,
nobody can find an input by trying all of them. Nothing here does I/O; docs/compliance/journal.md describes the same
without Python.
"""

from __future__ import annotations

import re
import struct
from hashlib import sha256

from msgspec import Struct

Row = tuple[int, bytes]
"""A row of the entries' table: the number, and the entry sealed into one run of bytes."""

Parts = tuple[int, int, bytes, bytes, int, int, bytes, bytes, bytes]
"""What is in it: n, round, input, events, first_seq, count, hash, salt, link."""

HASH = 32
"""Bytes of the hash with which a sealed entry begins. All that comes after it is hashed."""
FIELDS = struct.Struct(">IIIHI")
"""What follows the hash: n, first_seq, round, count, length of input. Then salt, link, input, events.

Four bytes count the entries of a table that deals day and night for three hundred years.
"""
SALT = 16
"""Random bytes in each entry."""
LINK = 32
"""Bytes of the public chain's link."""
INPUT = HASH + FIELDS.size + SALT + LINK
"""Where in a sealed entry the input begins."""
_LINK_AT = INPUT - LINK
_SALT_AT = _LINK_AT - SALT

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
    salt: bytes
    link: bytes
    """The link of the last event before it."""

    def __repr__(self) -> str:
        return f"Entry(n={self.n}, round={self.round}, hash={self.hash.hex()})"  # no card and no salt in a log

    @property
    def head(self) -> Head:
        """The head of a journal that ends with this entry."""
        return Head(self.n, self.first_seq + self.count - 1, self.hash)

    @property
    def row(self) -> Row:
        """As it is in its table."""
        numbers = FIELDS.pack(self.n, self.first_seq, self.round, self.count, len(self.input))
        return self.n, self.hash + numbers + self.salt + self.link + self.input + self.events


class Head(Struct, frozen=True):
    """The end of a journal: its last entry's number and hash, and the last event's seq."""

    n: int
    seq: int
    hash: bytes


class JournalEvent(Struct, frozen=True):
    """One event as it is in the journal."""

    seq: int
    round: int
    at: int
    """The time of the input that caused it, milliseconds since the epoch."""
    index: int
    """Its place among the events of that input, from 0."""
    kind: str
    body: bytes
    hash: bytes
    """The hash of its entry."""
    test: bool
    """The table was in test mode: as the last `started` input before it states."""
    chained: bytes
    """The beginning of its message, which the public chain covers."""
    link: bytes


def genesis(site: str, table: str, journal: str) -> Head:
    """The head of an empty journal."""
    text = f"cutcard journal 1\nsite {site}\ntable {table}\njournal {journal}\n"
    return Head(0, 0, sha256(text.encode()).digest())


def seal(before: Head, round_: int, count: int, input_: bytes, events: bytes, *, salt: bytes, link: bytes) -> Entry:
    """The entry that follows `before`."""
    n, first_seq = before.n + 1, before.seq + 1
    numbers = FIELDS.pack(n, first_seq, round_, count, len(input_))
    digest = sha256(before.hash + numbers + salt + link + input_ + events).digest()
    return Entry(n, round_, input_, events, first_seq, count, digest, salt, link)


class Unreadable(ValueError):
    """The row holds no entry of that number: a damaged page can hand back anything."""


def unseal(row: Row) -> Entry:
    """The entry in a row, whether or not its hash fits."""
    n, sealed = row
    not_it = f"entry {n} is not what was written"
    try:
        own_n, first_seq, round_, count, length = FIELDS.unpack_from(sealed, HASH)
    except (TypeError, struct.error):
        raise Unreadable(f"{not_it}: it is unreadable") from None
    end = INPUT + length
    if own_n != n:
        raise Unreadable(f"{not_it}: it calls itself entry {own_n}")
    if end > len(sealed):
        raise Unreadable(f"{not_it}: its end is missing")
    salt, link = sealed[_SALT_AT:_LINK_AT], sealed[_LINK_AT:INPUT]
    return Entry(n, round_, sealed[INPUT:end], sealed[end:], first_seq, count, sealed[:HASH], salt, link)


def fault(row: Row, before: Head) -> str | None:
    """Why a row is not the whole and unchanged successor of `before`, or None."""
    n, sealed = row
    if n != before.n + 1:
        return f"entry {before.n + 1} is missing"
    try:
        entry = unseal(row)
    except Unreadable as why:
        return str(why)
    if entry.first_seq != before.seq + 1:
        return f"entry {n} starts at event {entry.first_seq}, the one before it ended with {before.seq}"
    due = sha256(before.hash + sealed[HASH:]).digest()
    return None if due == entry.hash else f"entry {n} is not what was written: its hash does not fit"


class LinkBroken(Exception):
    """The chain breaks at entry `n`, and why."""

    def __init__(self, n: int, why: str) -> None:
        super().__init__(why)
        self.n, self.why = n, why


def walk(rows: list[Row], before: Head) -> list[Parts]:
    """What is in rows that follow `before` one after the other. `LinkBroken` names the first that does not."""
    whole = _walk_whole(rows, before.n, before.seq, before.hash)
    if whole is not None:
        return whole
    for row in rows:
        if why := fault(row, before):
            raise LinkBroken(before.n + 1, why)
        before = unseal(row).head
    raise AssertionError("the walk stopped at an entry without a fault")


def _walk_whole(rows: list[Row], n: int, seq: int, before: bytes) -> list[Parts] | None:
    """The parts of rows that follow entry `n`, each the unchanged successor of the one before; None where one is not.

    `walk` is the slow way, which names the first wrong row.
    """
    # Looked up once, and typed, for the compiled loop. A copy of a fresh hash costs OpenSSL less than a new one.
    fields, fresh, after_hash, start = FIELDS.unpack_from, sha256(), HASH, INPUT
    salt_at, link_at = _SALT_AT, _LINK_AT
    own_n: int
    first_seq: int
    count: int
    length: int
    whole: list[Parts] = []
    try:
        for number, sealed in rows:
            own_n, first_seq, round_, count, length = fields(sealed, after_hash)
            n, end = n + 1, start + length
            if number != n or own_n != n or first_seq != seq + 1 or end > len(sealed):
                return None
            digest = fresh.copy()
            digest.update(before + sealed[after_hash:])
            before = digest.digest()
            if before != sealed[:after_hash]:
                return None
            salt, link = sealed[salt_at:link_at], sealed[link_at:start]
            whole.append((n, round_, sealed[start:end], sealed[end:], first_seq, count, before, salt, link))
            seq += count
    except (TypeError, struct.error):  # a damaged page can hand back anything: another type, nothing, too few bytes
        return None
    return whole


def head_after(page: list[Parts], before: Head) -> Head:
    """The head after these."""
    return Entry(*page[-1]).head if page else before
