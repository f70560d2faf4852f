"""The SQLite file: its tables, how it comes into being, how it is opened.

A journal file appears whole or not at all: it is made under another name, synced and renamed. So an empty or headless
file at the journal's path is damage, never a journal that is about to begin, and is never replaced silently.
"""

from __future__ import annotations

import os
import re
import sqlite3
import struct
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import cache
from pathlib import Path
from typing import Literal

from controller.journal.chain import FIELDS, HASH, INPUT, NAME, Head, genesis
from controller.journal.errors import KEEP_IT, JournalBroken, JournalError
from controller.journal.published import Publication

APPLICATION_ID = 0x43757463
"""`Cutc`: `file journal.db` and SQLite's own tools show whose file it is."""
FORMAT = 1
PAGE_SIZE = 1024
"""Bytes. A commit writes one to three pages to the log. Measured for an evening of EZ rounds (tests/bench/wear.py):
135 KB a round with pages of 4096 bytes, 106 with 2048, 93 with 1024, 92 with 512."""
_ID = re.compile(r"[0-9a-f]{32}")
"""A journal's identity."""

INSERT_ENTRY = "INSERT INTO entry (n, sealed) VALUES (?, ?)"
"""With an entry's row."""
HASH_OF = f"substr(sealed, 1, {HASH})"
"""SQL: the hash of an entry."""

_STARTED = b'"started"'
IS_STARTED = f"instr(sealed, x'{_STARTED.hex()}') > 0"
"""SQL: the entry may hold a `started` input. Also the condition of an index, so a query must use these very words."""


def _number(place: int) -> str:
    """SQL: the number at this place among `FIELDS`, which are hexadecimal in `h`; in `d` are the digits but 0, so
    that `instr` knows what each is worth. SQLite has no better word for it."""
    sizes = [2 * struct.calcsize(f">{code}") for code in FIELDS.format[1:]]
    first, last = 1 + sum(sizes[:place]), sum(sizes[: place + 1])
    return " | ".join(f"(instr(d, substr(h, {at}, 1)) << {4 * (last - at)})" for at in range(first, last + 1))


_FOR_PEOPLE = f"""
    CREATE VIEW entries AS
    WITH hexadecimal AS (
        SELECT n, sealed, hex(substr(sealed, {HASH + 1}, {FIELDS.size})) AS h, '123456789ABCDEF' AS d FROM entry
    ), counted AS (
        SELECT n, sealed, {_number(1)} AS first_seq, {_number(2)} AS round, {_number(3)} AS count,
            {_number(4)} AS length
        FROM hexadecimal
    )
    SELECT n, round, CAST(substr(sealed, {INPUT + 1}, length) AS TEXT) AS input,
        CAST(substr(sealed, {INPUT + 1} + length) AS TEXT) AS events, first_seq, count, {HASH_OF} AS hash
    FROM counted;
"""
"""What is in the sealed entries, for people who open the file with other tools. This program has no use for it."""

_SCHEMA = f"""
    PRAGMA application_id = {APPLICATION_ID};
    PRAGMA user_version = {FORMAT};
    CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
    CREATE TABLE entry (n INTEGER PRIMARY KEY, sealed BLOB NOT NULL) STRICT;
    CREATE INDEX started ON entry (n) WHERE {IS_STARTED};
    {_FOR_PEOPLE}
    CREATE TABLE snapshot (n INTEGER PRIMARY KEY, state BLOB NOT NULL, hash BLOB NOT NULL) STRICT;
    CREATE TABLE cursor (broker TEXT PRIMARY KEY, seq INTEGER NOT NULL) STRICT;
    CREATE TABLE repair (
        whole_n INTEGER NOT NULL,
        removed INTEGER NOT NULL,
        published INTEGER NOT NULL,
        why TEXT NOT NULL,
        file TEXT NOT NULL
    ) STRICT;
    CREATE TABLE archive (
        number INTEGER PRIMARY KEY,
        file TEXT NOT NULL,
        first_n INTEGER NOT NULL,
        last_n INTEGER NOT NULL,
        last_seq INTEGER NOT NULL,
        first_at INTEGER NOT NULL,
        last_at INTEGER NOT NULL,
        hash BLOB NOT NULL,
        link BLOB NOT NULL,
        test INTEGER NOT NULL,
        place TEXT NOT NULL,
        state BLOB NOT NULL,
        state_hash BLOB NOT NULL
    ) STRICT;
"""


class Identity:
    """Whose journal a file is, and which: `journal` is its own random id, 32 hex digits."""

    def __init__(self, site: str, table: str, journal: str) -> None:
        for what, name in (("site", site), ("table", table)):
            if not NAME.fullmatch(name):
                raise JournalError(
                    f"The {what} name {name!r} cannot name a journal: use 1 to 64 letters, digits, '-', '_' or '.', "
                    "beginning with a letter or digit."
                )
        self.site, self.table, self.journal = site, table, journal
        self.genesis: Head = genesis(site, table, journal)
        self.publication = Publication(site, table, journal)


def beside(path: Path, suffix: str) -> Path:
    """`journal.db` and ".lock": `journal.db.lock`."""
    return path.with_name(path.name + suffix)


_MODES = {"rw": "mode=rw", "ro": "mode=ro", "immutable": "immutable=1", "salvage": "mode=rw"}


LONGEST = 64 * 1024 * 1024
"""Bytes of a value. The longest that a journal has, the state of a table, is a few hundred kilobytes."""


def connect(path: Path, mode: Literal["rw", "ro", "immutable", "salvage"]) -> sqlite3.Connection:
    """Opens an existing file; every statement commits by itself unless a transaction is begun."""
    uri = f"{path.absolute().as_uri()}?{_MODES[mode]}"
    # Connections move between the loop's thread and tool threads; SQLite itself is built serialised.
    db = sqlite3.connect(uri, uri=True, timeout=5, isolation_level=None, check_same_thread=False)
    db.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LONGEST)
    if mode == "salvage":
        # Has SQLite read what is there of a file that is shorter than its header states, instead of nothing.
        db.execute("PRAGMA writable_schema = ON")
    elif mode == "rw":
        # FULL in WAL mode: the log is synced before COMMIT returns.
        db.execute("PRAGMA synchronous = FULL")
    return db


_MOST_DECLARED = 100
"""That are looked at: a journal has a tenth of it."""

DAMAGED = (sqlite3.DatabaseError, UnicodeDecodeError)
"""What reading a damaged file raises. A damaged text, or SQLite's message that quotes one, cannot be decoded."""


def create(path: Path, whose: Identity, final: Path, page_size: int = PAGE_SIZE) -> sqlite3.Connection:
    """A new, empty journal at `path` that is to become `final`; not yet in WAL mode, so it is one file."""
    fd = os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600)
    os.close(fd)
    try:
        db = connect(path, "rw")
        db.execute(f"PRAGMA page_size = {page_size}")
        db.executescript(f"BEGIN; {_SCHEMA}")
        names = [("site", whose.site), ("table", whose.table), ("journal", whose.journal)]
        db.executemany("INSERT INTO meta VALUES (?, ?)", names)
        db.execute("COMMIT")
    except sqlite3.Error as error:
        path.unlink()
        raise JournalError(f"The journal {final} cannot be created: {error}.") from error
    return db


def _declared(db: sqlite3.Connection) -> list[tuple[str, str, str]]:
    """Every table, index, view and trigger, with the statement that made it."""
    few = _MOST_DECLARED
    return db.execute(f"SELECT type, name, sql FROM sqlite_schema ORDER BY type, name LIMIT {few}").fetchall()


@cache
def _declared_by_us() -> list[tuple[str, str, str]]:
    with closing(sqlite3.connect(":memory:")) as db:
        db.executescript(_SCHEMA)
        return _declared(db)


def identify(path: Path, db: sqlite3.Connection) -> Identity:
    """Whose journal this is; refuses what is no journal of ours."""
    not_ours = f"{path} is not a journal that this Cutcard can read"
    try:
        application = db.execute("PRAGMA application_id").fetchone()[0]
        form = db.execute("PRAGMA user_version").fetchone()[0]
        if application != APPLICATION_ID:
            raise JournalBroken(
                f"{not_ours}: it does not begin as a journal does. If it was one, it is damaged. {KEEP_IT}"
            )
        if form != FORMAT:
            raise JournalError(f"{not_ours}: its format is {form}, this program knows {FORMAT}. Use the newer program.")
        if _declared(db) != _declared_by_us():
            raise JournalBroken(f"{not_ours}: its tables are not declared as those of a journal. {KEEP_IT}")
        meta = dict(db.execute("SELECT name, value FROM meta").fetchall())
        if not _ID.fullmatch(meta["journal"]):
            raise JournalBroken(f"{not_ours}: its identity is damaged. {KEEP_IT}")
        return Identity(meta["site"], meta["table"], meta["journal"])
    except (*DAMAGED, KeyError) as error:
        raise JournalBroken(f"{not_ours}: {error}. {KEEP_IT}") from error


@contextmanager
def reading(path: Path) -> Iterator[None]:
    """Turns SQLite's complaints on reading into the journal's."""
    try:
        yield
    except (sqlite3.OperationalError, sqlite3.ProgrammingError) as error:
        raise JournalError(f"The journal {path} cannot be read now: {error}.") from error
    except DAMAGED as error:
        raise JournalBroken(f"The journal {path} is damaged: {error}. {KEEP_IT}") from error
