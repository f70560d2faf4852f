"""Rotation: the older entries of a journal move to an archive, at the end of a round, and the chain continues.

What stays in the journal file is what recovery and correction need: everything since the oldest snapshot began. What
no broker has acknowledged stays too. Of two brokers, one that is away does not keep entries here: they are sent to it
from the archives.

The steps survive a kill or a power cut at any point between them:

    .archiving              the archive is being filled; thrown away if found at the next opening
    .archive-<a>-<b>        complete, read back and durable under its name; but the journal does not know it yet. If
                            found like this at the next opening it is a copy of the journal's entries, and is deleted
    a row in `archive`      one commit: from now on these entries are read from the archive
    deleting, a bit at a time, what the journal file still holds of them; the next opening deletes the rest
"""

from __future__ import annotations

import itertools
import shutil
import sqlite3
from contextlib import closing, suppress
from pathlib import Path

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from controller.durable_files import sync_folder
from controller.journal.archives import Archive, add_to_list, copy_list, files_beside, listed, name_of, newest
from controller.journal.chain import Entry, Head, LinkBroken, head_after, walk
from controller.journal.errors import KEEP_IT, JournalBroken, JournalError
from controller.journal.published import read_input
from controller.journal.reader import JournalReader, pack_state, snapshot_hash
from controller.journal.store import INSERT_ENTRY, beside, connect, create

_ENTRIES_PER_TRIM = 1024
"""Deleted in one commit: some tens of milliseconds, in which no card is written."""
_ROOM_TO_LEAVE = 32 << 20
"""Bytes on the disk that making an archive must not take up: cards are being written all the while."""
_ROOM_WORTH_GIVING_BACK = 8 << 20
"""Bytes of unused room in the journal file."""


class NotNow(JournalError):
    """Why there is nothing to rotate yet."""


class Cut(Struct, frozen=True):
    """Where a journal is to be cut: the archive ends with `last`, the journal file continues after it."""

    number: int
    before: Head
    last: Head
    state: bytes
    """The snapshot with which a re-run of the entries after the cut begins."""


class _SnapshotStart(Struct, frozen=True):
    """The part of a snapshot that the journal itself reads: the re-run begins with entry `n`."""

    n: int


_read_start = msgspec.json.Decoder(_SnapshotStart).decode


def find_cut(journal: JournalReader) -> Cut:
    """The newest end of a round before which nothing is needed any more. Raises `NotNow` where there is none."""
    before = journal.archives()[-1:]
    start = journal.live_start
    kept = itertools.takewhile(lambda snapshot: snapshot[0] > start.n, journal.snapshots())
    starts = {_starts_with(state): state for _, state in kept}
    first_needed = min(starts, default=0)
    if first_needed <= start.n + 1:
        raise NotNow(
            f"Nothing in the journal {journal.path} can go to an archive yet: what it holds is needed to recover and "
            "to correct the last rounds."
        )
    last = next(journal.entries(first_needed - 1, first_needed)).head
    if last.seq > journal.cursor:
        raise NotNow(
            f"Nothing in the journal {journal.path} can go to an archive yet: the brokers have acknowledged events up "
            f"to {journal.cursor}, and the last settled rounds begin after event {last.seq}."
        )
    return Cut(before[0].number + 1 if before else 1, start, last, starts[first_needed])


def make_archive(path: Path, cut: Cut) -> Archive:
    """Writes the archive, complete and durable under its name. The journal at `path` does not know it yet."""
    final = path.with_name(name_of(path, cut.before.n + 1, cut.last.n))
    try:
        return _make_archive(path, cut, final)
    except BaseException as error:
        with suppress(OSError):
            _clear(path)  # what is there of it takes up room
        if isinstance(error, OSError):
            why = f"{error.strerror}. Nothing was moved. Check that disk."
            raise JournalError(f"{final} cannot be written: {why}") from error
        raise


def _make_archive(path: Path, cut: Cut, final: Path) -> Archive:
    new = beside(path, ".archiving")
    _clear(path)
    with JournalReader.read(path) as journal:
        _clear_copies(journal)
        needed, free = journal.live_bytes + _ROOM_TO_LEAVE, shutil.disk_usage(path.parent).free
        if free < needed:
            raise JournalError(
                f"{final} cannot be written: it needs {needed // 1_000_000} MB of its disk, {free // 1_000_000} MB are "
                "free. Nothing was moved. Make room, for example by moving older archives to another disk."
            )
        first = copy_part(journal, cut.before, cut.last, new, final, apart=True)
        last = next(journal.entries(cut.last.n, cut.last.n + 1))
        assert first is not None
        public = journal.whose.publication.after(last, test=journal.test_mode_before(cut.last.n))
    with JournalReader.read(new) as made:
        if (made.start, made.verify_chain()) != (cut.before, cut.last):
            raise JournalError(f"The archive {final} did not come out as it should: nothing was moved. Check the disk.")
    new.chmod(0o400)
    new.rename(final)
    sync_folder(path.parent)
    times = read_input(first.input).at, read_input(last.input).at
    ends = cut.last.seq, *times, cut.last.hash, public.link, public.test
    return Archive(cut.number, final.name, cut.before.n + 1, cut.last.n, *ends)


def copy_part(journal: JournalReader, before: Head, last: Head, new: Path, final: Path, *, apart: bool) -> Entry | None:
    """A journal file of the entries after `before`, up to `last`; returns the first of them.

    `apart`: it is to be read without the archives before it, of which it holds the state that the last one left.
    """
    first: Entry | None = None
    head = before
    try:
        with closing(create(new, journal.whose, final)) as copy:
            copy.execute("BEGIN")
            with closing(connect(journal.path, "ro")) as source:
                _copy_list(source, copy, before, apart=apart)
                for row in source.execute(
                    "SELECT whole_n, removed, published, why, file FROM repair WHERE whole_n > ? AND whole_n <= ?",
                    (before.n, last.n),
                ).fetchall():
                    copy.execute("INSERT INTO repair VALUES (?, ?, ?, ?, ?)", row)
            for rows in journal.rows(before.n + 1, last.n + 1):
                page = walk(rows, head)
                first = first or next((Entry(*parts) for parts in page), None)
                head = head_after(page, head)
                copy.executemany(INSERT_ENTRY, rows)
            cursors = [(broker, min(seq, head.seq)) for broker, seq in journal.cursors.items()]
            copy.executemany("INSERT INTO cursor VALUES (?, ?)", cursors)
            copy.execute("COMMIT")
    except LinkBroken as broken:
        raise JournalBroken(f"The journal {journal.path} is broken: {broken.why}. {KEEP_IT}", broken.n) from None
    except sqlite3.Error as error:
        raise JournalError(f"{final} cannot be written: {error}. Nothing was moved. Make room on that disk.") from error
    if head != last:
        raise JournalBroken(
            f"The journal {journal.path} is broken: entry {head.n + 1} is missing. {KEEP_IT}", head.n + 1
        )
    return first


def add_archive(db: sqlite3.Connection, archive: Archive, state: bytes) -> None:
    """From the commit of this on, the archive's entries are read from it."""
    add_to_list(db, archive, pack_state(state), snapshot_hash(archive.hash, state))


def trim(db: sqlite3.Connection) -> int:
    """Deletes some of the entries that are in archives from the journal file; how many are left to delete."""
    archive = newest(db)
    lowest = db.execute("SELECT min(n) FROM entry").fetchone()[0]
    if archive is None or lowest is None or lowest > archive.last_n:
        return 0
    until = min(archive.last_n, lowest + _ENTRIES_PER_TRIM - 1)
    db.execute("DELETE FROM entry WHERE n <= ?", (until,))
    return int(archive.last_n - until)


def finish_rotation(path: Path) -> None:
    """At the opening of a journal: ends a rotation or removal that was cut short, and frees unused room."""
    _clear(path)
    with JournalReader.read(path) as journal, closing(connect(path, "rw")) as db:
        _clear_copies(journal)
        for archive in listed(db):
            if archive.place == "removed":
                path.with_name(archive.file).unlink(missing_ok=True)
        last = newest(db)
        if last is not None and path.with_name(last.file).exists():  # else what is left here may be all there is
            while trim(db):
                pass
        pages, free, size = (
            db.execute(f"PRAGMA {x}").fetchone()[0] for x in ("page_count", "freelist_count", "page_size")
        )
        if free * size > _ROOM_WORTH_GIVING_BACK and free > pages // 2:
            # On a disk without room for it, the room inside the file is used by the next entries all the same.
            with suppress(sqlite3.OperationalError):
                db.execute("PRAGMA temp_store = MEMORY")
                db.execute("VACUUM")


def _starts_with(state: bytes) -> int:
    """The entry with which a re-run from this snapshot begins; 0 where that is not known, and nothing can be cut."""
    try:
        return _read_start(state).n
    except msgspec.MsgspecError:
        return 0


def _copy_list(source: sqlite3.Connection, copy: sqlite3.Connection, before: Head, *, apart: bool) -> None:
    if not apart:
        copy_list(source, copy)
        return
    row = source.execute("SELECT state, state_hash FROM archive WHERE last_n = ?", (before.n,)).fetchone()
    last = next((archive for archive in listed(source) if archive.last_n == before.n), None)
    if row is not None and last is not None:
        add_to_list(copy, replace(last, place="apart"), *row)


def _clear(path: Path) -> None:
    for suffix in (".archiving", ".archiving-journal"):
        beside(path, suffix).unlink(missing_ok=True)


def _clear_copies(journal: JournalReader) -> None:
    """Archives that the journal does not know: left by a rotation cut short, or a sign of something worse."""
    known = {archive.file for archive in journal.archives()}
    for file in files_beside(journal.path):
        if file.name in known:
            continue
        with JournalReader.read(file) as archive:
            head = archive.head
        same = next(journal.entries(head.n, head.n + 1), None)
        if same is None or same.hash != head.hash:
            raise JournalBroken(
                f"The archive {file} ends with entry {head.n}, which the journal {journal.path} does not have, or has "
                f"otherwise: the journal was put back from an older copy, or belongs to other archives. {KEEP_IT}",
                head.n,
            )
        file.unlink()
