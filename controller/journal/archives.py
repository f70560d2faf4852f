"""Archives: the files beside a journal that hold its older entries, and the journal's own list of them.

An archive is a journal file of its own: the same tables, read-only, one file without a log, with all entries from its
first to its last. The chain runs through: the hash before an archive's first entry is that of the archive before it,
and the live journal continues from the newest archive's last hash, with the next numbers.

The list is the table `archive`. A row in it means that the entries up to `last_n` are in that file from then on, so one
row, written in one commit, is the whole difference between before and after a rotation.
"""

from __future__ import annotations

import re
import sqlite3
from pathlib import Path
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import astuple

from controller.journal.chain import Head
from controller.journal.errors import JournalBroken
from controller.journal.published import PublicHead

Place = Literal["beside", "removed", "apart"]
"""Where an archive is: beside the journal; removed when its time was over; or, in an archive's own list, the one before
it, with which it need not be kept together."""

_COLUMNS = "number, file, first_n, last_n, last_seq, first_at, last_at, hash, link, test, place"
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
    link: bytes
    """The public chain after its last event."""
    test: bool
    """The table was in test mode after its last entry."""
    place: Place = "beside"

    @property
    def head(self) -> Head:
        """The head of the journal at its end."""
        return Head(self.last_n, self.last_seq, self.hash)

    @property
    def public_head(self) -> PublicHead:
        """The end of the public chain there."""
        return PublicHead(self.link, self.test)

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
    """The archive that the live file continues from."""
    return _first(db, "ORDER BY number DESC")


def last_gone(db: sqlite3.Connection) -> Archive | None:
    """The newest one that cannot be read from here; what can be read begins after it."""
    return _first(db, "WHERE place <> 'beside' ORDER BY number DESC")


def with_entry(db: sqlite3.Connection, n: int) -> Archive | None:
    """The archive that has entry `n`."""
    found = _holding(db, "last_n", n)
    return found if found is not None and n >= found.first_n else None


def with_event(db: sqlite3.Connection, seq: int) -> Archive | None:
    """The archive that has event `seq`."""
    return _holding(db, "last_seq", seq)


def add_to_list(db: sqlite3.Connection, archive: Archive, state: bytes, state_hash: bytes) -> None:
    """`state` is the snapshot with which a re-run of the entries after the archive begins."""
    _insert(db, (*astuple(archive), state, state_hash))


def copy_list(source: sqlite3.Connection, to: sqlite3.Connection) -> None:
    """The whole list, with the states."""
    for row in source.execute(f"SELECT {_COLUMNS}, state, state_hash FROM archive ORDER BY number"):
        _insert(to, row)


def _insert(db: sqlite3.Connection, row: tuple[Any, ...]) -> None:
    marks = ", ".join("?" * len(row))
    db.execute(f"INSERT INTO archive ({_COLUMNS}, state, state_hash) VALUES ({marks})", row)


def _holding(db: sqlite3.Connection, column: Literal["last_n", "last_seq"], value: int) -> Archive | None:
    last = newest(db)  # asked first: it answers most calls without a walk along the list
    if last is None or value > getattr(last, column):
        return None
    return _first(db, f"WHERE {column} >= ? ORDER BY number", value)


def _first(db: sqlite3.Connection, which: str, *values: int) -> Archive | None:
    row = db.execute(f"SELECT {_COLUMNS} FROM archive {which} LIMIT 1", values).fetchone()
    return None if row is None else _archive(row)


def _archive(row: tuple[Any, ...]) -> Archive:
    archive = Archive(*(*row[:9], bool(row[9]), row[10]))  # SQLite keeps `test` as 0 or 1
    file = archive.file
    if Path(file).name != file or not file.endswith(name_of(Path(), archive.first_n, archive.last_n)):
        raise JournalBroken(
            f"The journal lists {file!r} as the archive with {archive.entries}: no archive has that name."
        )
    return archive
