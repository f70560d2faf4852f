"""Archives: the files beside a journal that hold its older entries, and the journal's own list of them.

An archive is a journal file of its own: the same tables, read-only, one file without a log, with all entries from its
first to its last. The chain runs through: the hash before an archive's first entry is that of the archive before it,
and the live journal goes on from the newest archive's last hash. Numbers go on too, as if nothing had been cut.

The list is the table `archive`. A row in it means that the entries up to `last_n` are in that file from then on, so one
row, written in one commit, is the whole difference between before and after a rotation.
"""

from __future__ import annotations

import re
import sqlite3
from pathlib import Path
from typing import Any, Literal

from msgspec import Struct

from controller.journal.chain import Head

Place = Literal["beside", "removed", "apart"]
"""Where an archive is: beside the journal; removed when its time was over; or, in an archive's own list, the one before
it, with which it need not be kept together."""

_COLUMNS = "number, file, first_n, last_n, last_seq, first_at, last_at, hash, test, place"
_NAME = re.compile(r"\.archive-(\d{10,})-(\d{10,})")


class Archive(Struct, frozen=True):
    """One file of older entries."""

    number: int
    """1, 2, 3, … in the order in which they were made."""
    file: str
    """Its name, in the journal's folder."""
    first_n: int
    last_n: int
    last_seq: int
    first_at: int
    """The time of its first input, milliseconds since the epoch."""
    last_at: int
    hash: bytes
    """The hash of its last entry."""
    test: bool
    """The table was in test mode after its last entry."""
    place: Place = "beside"

    @property
    def head(self) -> Head:
        """Where the journal stood at its end."""
        return Head(self.last_n, self.last_seq, self.hash)

    @property
    def entries(self) -> str:
        return f"entries {self.first_n} to {self.last_n}"

    def removal_is_recorded_in(self, input_: bytes) -> bool:
        """Whether this is the input that reported the removal of this archive."""
        return b'"archive_removed"' in input_ and self.hash.hex().encode() in input_


def name_of(journal: Path, first_n: int, last_n: int) -> str:
    """
    >>> name_of(Path("data/journal.db"), 1, 4711)
    'journal.db.archive-0000000001-0000004711'
    """
    return f"{journal.name}.archive-{first_n:010}-{last_n:010}"


def files_beside(journal: Path) -> list[Path]:
    """Every file in the journal's folder that is named as an archive of it, whether or not it is in the list."""
    names = (path for path in journal.parent.iterdir() if path.name.startswith(journal.name))
    return sorted(path for path in names if _NAME.fullmatch(path.name.removeprefix(journal.name)))


def listed(db: sqlite3.Connection) -> list[Archive]:
    """The whole list, oldest first."""
    return [_archive(row) for row in db.execute(f"SELECT {_COLUMNS} FROM archive ORDER BY number").fetchall()]


def newest(db: sqlite3.Connection) -> Archive | None:
    """The archive that the live file goes on from."""
    row = db.execute(f"SELECT {_COLUMNS} FROM archive ORDER BY number DESC LIMIT 1").fetchone()
    return None if row is None else _archive(row)


def last_gone(db: sqlite3.Connection) -> Archive | None:
    """The newest one that cannot be read from here; what can be read begins after it."""
    row = db.execute(f"SELECT {_COLUMNS} FROM archive WHERE place <> 'beside' ORDER BY number DESC LIMIT 1").fetchone()
    return None if row is None else _archive(row)


def with_entry(db: sqlite3.Connection, n: int) -> Archive | None:
    """The archive that has entry `n`."""
    last = newest(db)
    if last is None or n > last.last_n:
        return None
    row = db.execute(f"SELECT {_COLUMNS} FROM archive WHERE last_n >= ? ORDER BY number LIMIT 1", (n,)).fetchone()
    found = _archive(row)
    return found if n >= found.first_n else None


def with_event(db: sqlite3.Connection, seq: int) -> Archive | None:
    """The archive that has event `seq`."""
    last = newest(db)
    if last is None or seq > last.last_seq:
        return None
    row = db.execute(f"SELECT {_COLUMNS} FROM archive WHERE last_seq >= ? ORDER BY number LIMIT 1", (seq,)).fetchone()
    return _archive(row)


def put_on_list(db: sqlite3.Connection, archive: Archive, state: bytes, state_hash: bytes) -> None:
    """`state` is the snapshot with which a re-run of the entries after the archive begins."""
    db.execute(
        f"INSERT INTO archive ({_COLUMNS}, state, state_hash) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            archive.number,
            archive.file,
            archive.first_n,
            archive.last_n,
            archive.last_seq,
            archive.first_at,
            archive.last_at,
            archive.hash,
            archive.test,
            archive.place,
            state,
            state_hash,
        ),
    )


def copy_list(source: sqlite3.Connection, to: sqlite3.Connection) -> None:
    """The whole list, with the states."""
    columns = f"{_COLUMNS}, state, state_hash"
    marks = ", ".join("?" * len(columns.split(",")))
    for row in source.execute(f"SELECT {columns} FROM archive ORDER BY number"):
        to.execute(f"INSERT INTO archive ({columns}) VALUES ({marks})", row)


def _archive(row: tuple[Any, ...]) -> Archive:
    number, file, first_n, last_n, last_seq, first_at, last_at, hash_, test, place = row
    return Archive(number, file, first_n, last_n, last_seq, first_at, last_at, hash_, bool(test), place)
