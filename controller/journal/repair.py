"""What happens to a damaged journal when it is opened.

A torn tail (nothing whole comes after the break) is cut back to the last whole entry: the good entries are copied to a
new file that takes the journal's place, and the damaged file is kept beside it, untouched, as `*.cut-<n>`. Whole
entries after a break mean that somebody or something changed the past; that is for people to judge, and the journal
stays shut.

Only the last entries are checked here, so that a table is back seconds after a power cut; `verify_chain` checks all.

The steps of a cut survive a power cut of their own:

    .repair      the new file is being filled; thrown away if found at the next opening
    .cut-<n>     second name of the damaged file, and of its log
    .repaired    the new file is complete: from here on the cut is finished, now or at the next opening
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

from controller.durable_files import sync_folder, write_new
from controller.journal import archives
from controller.journal.chain import Head, LinkBroken, Row, Unreadable, fault, head_after, unseal, walk
from controller.journal.errors import KEEP_IT, JournalBroken, JournalError
from controller.journal.log import torn_pages
from controller.journal.reader import JournalReader, Repair
from controller.journal.store import DAMAGED, INSERT_ENTRY, Identity, beside, connect, create, identify

_CHECKED_ON_OPENING = 10_000
_SMALLEST_ENTRY = 64
"""Bytes on disk: a bound on how many entries can be behind an unreadable page."""


def repair_tail(path: Path, expected: Identity) -> Identity:
    """Checks the end of a journal and cuts it back if it is torn. Raises `JournalBroken` for any other damage.

    `expected` names the table; the result also has the journal's own id, which is in the file.
    """
    log = beside(path, "-wal")
    torn = torn_pages(log)
    torn_log = log.read_bytes() if torn else b""
    with closing(connect(path, "salvage")) as db:
        whose = _check_owner(path, db, expected)
        why = _fault_near_end(path, db, whose)
        if why:
            _cut_back(path, db, whose, why, torn_log)
        elif torn:
            _note_torn_log(path, db, whose, torn, torn_log)
    finish_repair(path)
    return whose


def finish_repair(path: Path) -> None:
    """Puts a complete new file in the place of the damaged one; clears away an incomplete one."""
    beside(path, ".repair").unlink(missing_ok=True)
    beside(path, ".repair-journal").unlink(missing_ok=True)
    repaired = beside(path, ".repaired")
    if repaired.exists():
        # The damaged file's log must not be read into the new one.
        beside(path, "-wal").unlink(missing_ok=True)
        beside(path, "-shm").unlink(missing_ok=True)
        repaired.replace(path)
        sync_folder(path.parent)


def _check_owner(path: Path, db: sqlite3.Connection, whose: Identity) -> Identity:
    found = identify(path, db)
    if (found.site, found.table) != (whose.site, whose.table):
        raise JournalError(
            f"The journal {path} belongs to table {found.table!r} of site {found.site!r}, not to {whose.table!r} of "
            f"{whose.site!r}. Correct the names in the configuration, or name another journal file there."
        )
    return found


def _fault_near_end(path: Path, db: sqlite3.Connection, whose: Identity) -> str | None:
    reader = JournalReader(path, db, whose)
    try:
        connect(path, "rw").close()
        end_n, head = reader.last_n, reader.live_start
        first = max(head.n + 1, end_n - _CHECKED_ON_OPENING + 1)
        if first > head.n + 1:
            head = next(reader.entries(first - 1)).head
        for rows in reader.rows(first):
            head = head_after(walk(rows, head), head)
        snapshot_n = db.execute("SELECT max(n) FROM snapshot").fetchone()[0] or 0
        known_seq = reader.cursor
    except (LinkBroken, JournalBroken, *DAMAGED) as error:
        return str(error.__cause__ or error)
    if known_seq > head.seq or snapshot_n > head.n:
        raise JournalBroken(
            f"The journal {path} ends with entry {head.n} and event {head.seq}, but a snapshot was taken after entry "
            f"{snapshot_n} and a broker has acknowledged event {known_seq}: whole entries were taken away from its "
            f"end. {KEEP_IT}",
            head.n + 1,
        )
    return None


def _cut_back(path: Path, db: sqlite3.Connection, whose: Identity, why: str, torn_log: bytes) -> None:
    start = _live_start(path, db, whose)
    whole, removed = _last_whole(path, db, start, why)
    cursors = _cursors(db)
    published = max(cursors.values(), default=0)
    kept = _free_name(path, whole.n + 1)
    new = beside(path, ".repair")
    try:
        with closing(create(new, whose, path)) as copy:
            copy.execute("BEGIN")
            archives.copy_list(db, copy)
            for n in range(start.n + 1, whole.n + 1):
                row = _row(db, n)
                assert row is not None
                copy.execute(INSERT_ENTRY, row)
            for snapshot in _rows(db, "SELECT n, state, hash FROM snapshot WHERE n <= ?", whole.n):
                copy.execute("INSERT INTO snapshot VALUES (?, ?, ?)", snapshot)
            for broker, seq in cursors.items():
                copy.execute("INSERT INTO cursor VALUES (?, ?)", (broker, min(seq, whole.seq)))
            for repair in _rows(
                db, "SELECT whole_n, removed, published, why, file FROM repair WHERE whole_n <= ?", whole.n
            ):
                copy.execute("INSERT INTO repair VALUES (?, ?, ?, ?, ?)", repair)
            _note(copy, Repair(whole.n, removed, published, why, kept.name))
            copy.execute("COMMIT")
            copy.execute("PRAGMA journal_mode = WAL")
    except sqlite3.Error as error:
        raise JournalError(
            f"The journal {path} is damaged at its end ({why}) and could not be cut back to entry {whole.n}: {error}. "
            "Make room for a second copy of it and start again."
        ) from error
    if not kept.exists():
        os.link(path, kept)
    log, kept_log = beside(path, "-wal"), beside(kept, "-wal")
    if torn_log:
        write_new(kept_log, torn_log)
    elif log.exists() and log.stat().st_size > 0:
        os.link(log, kept_log)
    new.rename(beside(path, ".repaired"))
    sync_folder(path.parent)


def _note_torn_log(path: Path, db: sqlite3.Connection, whose: Identity, pages: int, torn_log: bytes) -> None:
    reader = JournalReader(path, db, whose)
    kept = beside(_free_name(path, reader.head.n + 1), "-wal")
    write_new(kept, torn_log)
    sync_folder(path.parent)
    why = (
        f"the log ended in {pages} pages that are no whole commit: a write that was cut short before it was "
        "acknowledged, or a damaged log"
    )
    _note(db, Repair(reader.head.n, 0, reader.cursor, why, kept.name))


def _note(db: sqlite3.Connection, repair: Repair) -> None:
    db.execute(
        "INSERT INTO repair VALUES (?, ?, ?, ?, ?)",
        (repair.whole_n, repair.removed, repair.published, repair.why, repair.file),
    )


def _live_start(path: Path, db: sqlite3.Connection, whose: Identity) -> Head:
    try:
        before = archives.newest(db)
    except DAMAGED as error:
        raise JournalBroken(f"The list of archives in the journal {path} is damaged: {error}. {KEEP_IT}") from error
    return whose.genesis if before is None else before.head


def _last_whole(path: Path, db: sqlite3.Connection, start: Head, why: str) -> tuple[Head, int]:
    """The end of the unbroken chain, and how many entries are readable after it; refuses if one of those is whole."""
    whole = start
    while (row := _row(db, whole.n + 1)) and not fault(row, whole):
        whole = unseal(row).head
    removed = 0
    before: Head | None = None
    for n in range(whole.n + 1, _highest_possible(path, db) + 1):
        row = _row(db, n)
        if row:
            removed += 1
            if before and fault(row, before) is None:
                raise JournalBroken(
                    f"The journal {path} is broken: {why}. Entry {whole.n} is the last of the unbroken chain, yet "
                    f"entry {n} after it is whole, so this is no torn end: the journal was changed, or its disk is "
                    f"failing. {KEEP_IT}",
                    whole.n + 1,
                )
        before = _head(row)
    return whole, removed


def _highest_possible(path: Path, db: sqlite3.Connection) -> int:
    try:
        return int(db.execute("SELECT max(n) FROM entry").fetchone()[0] or 0)
    except DAMAGED:
        log = beside(path, "-wal")
        size = path.stat().st_size + (log.stat().st_size if log.exists() else 0)
        return size // _SMALLEST_ENTRY


def _row(db: sqlite3.Connection, n: int) -> Row | None:
    """Entry `n` as it is there, or None if it is missing or on a page that cannot be read."""
    for number, sealed in _rows(db, "SELECT n, sealed FROM entry WHERE n = ?", n):
        return number, sealed
    return None


def _head(row: Row | None) -> Head | None:
    """The head after this entry, if it were whole; None where there is none to be read."""
    try:
        return None if row is None else unseal(row).head
    except Unreadable:
        return None


def _cursors(db: sqlite3.Connection) -> dict[str, int]:
    """By broker. Those that cannot be read are left out, and their brokers begin where the one with the least is, or
    with event 1: events may be sent twice, never be left out."""
    return {str(broker): int(seq) for broker, seq in _rows(db, "SELECT broker, seq FROM cursor WHERE seq >= ?", 0)}


def _rows(db: sqlite3.Connection, statement: str, value: int | str) -> Iterator[tuple[Any, ...]]:
    """What can be read of a damaged table."""
    try:
        yield from db.execute(statement, (value,)).fetchall()
    except DAMAGED:
        return


def _free_name(path: Path, n: int) -> Path:
    """`journal.db.cut-17`; the same again where this very cut was begun before and interrupted."""
    name, again = beside(path, f".cut-{n}"), 1
    while beside(name, "-wal").exists() or (name.exists() and not name.samefile(path)):
        again += 1
        name = beside(path, f".cut-{n}.{again}")
    return name
