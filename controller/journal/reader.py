"""Reading a journal: by the daemon, and by tools while the daemon writes.

Entries that were moved to archives are read from there, as if they had never left: a reader need not know.

Reads are short statements, never one long one: an open read holds back SQLite's checkpoint and lets the log file grow.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from types import TracebackType
from typing import Any, Self
from zlib import compress, decompressobj
from zlib import error as zlib_error

from msgspec import Struct

from controller.journal import archives as archive_list
from controller.journal.archives import Archive
from controller.journal.chain import (
    Entry,
    Head,
    JournalEvent,
    LinkBroken,
    Parts,
    Row,
    Unreadable,
    head_after,
    unseal,
    walk,
)
from controller.journal.errors import JournalBroken, JournalError
from controller.journal.published import PublicHead, read_input
from controller.journal.store import DAMAGED, HASH_OF, IS_STARTED, LONGEST, Identity, beside, connect, identify, reading

_PAGE = 512
"""Entries fetched by one statement."""

_END = 2**63 - 1
"""Beyond every entry: SQLite's greatest integer."""

Progress = Callable[[int, int], None]
"""Called with entries done and entries in all."""


class Repair(Struct, frozen=True):
    """A torn or corrupted tail that was cut off when the journal was opened."""

    whole_n: int
    """The last whole entry: the journal was cut back to it."""
    removed: int
    """Entries that were still there in some form and no longer are."""
    published: int
    """The last event the broker had acknowledged. If that is beyond the journal's end, the cardroom knows events that
    the journal has lost, and their seq will be used again."""
    why: str
    file: str
    """Beside the journal: what was cut off, as it was found."""


class Ended(Struct, frozen=True):
    """A place between two entries: the next event, the next entry, and the mode that the table is in there."""

    seq: int
    n: int
    test: bool


class JournalReader:
    """A journal, read only."""

    def __init__(self, path: Path, db: sqlite3.Connection, whose: Identity) -> None:
        self.path = path
        self.site, self.table, self.id = whose.site, whose.table, whose.journal
        self.whose = whose
        self._db = db
        self._ended: Ended | None = None
        """Where the last reading of events ended: a follower of the journal continues from there."""

    @classmethod
    def read(cls, path: Path | str) -> JournalReader:
        """Opens a journal to read, whether or not a daemon is writing it."""
        path = Path(path)
        if not path.is_file():
            raise JournalError(f"There is no journal at {path}.")
        try:
            db = connect(path, "ro")
            db.execute("SELECT count(*) FROM sqlite_schema").fetchone()
        except sqlite3.OperationalError as error:
            # A log needs its index file; on read-only media SQLite cannot make one. Without a log it can do without.
            log = beside(path, "-wal")
            if log.exists() and log.stat().st_size > 0:
                raise JournalError(
                    f"The journal {path} cannot be read ({error}): its newest entries are in {log.name}. Copy both "
                    "files to a folder you may write to, and read them there."
                ) from error
            db = connect(path, "immutable")
        except DAMAGED:
            pass  # `identify` has the words for it
        try:
            return JournalReader(path, db, identify(path, db))
        except JournalError:
            db.close()
            raise

    @property
    def head(self) -> Head:
        last = self._entry("ORDER BY n DESC LIMIT 1")
        return self.live_start if last is None else last.head

    @property
    def last_n(self) -> int:
        """The number of the last entry, whatever is left of that."""
        row = self._one("SELECT max(n) FROM entry")
        return self.live_start.n if row is None or row[0] is None else int(row[0])

    @property
    def start(self) -> Head:
        """What can be read begins after this: the table's first day, or the last archive that was removed."""
        with reading(self.path):
            gone = archive_list.last_gone(self._db)
        return self.whose.genesis if gone is None else gone.head

    @property
    def live_start(self) -> Head:
        """What the journal file itself holds begins after this: the end of the newest archive."""
        with reading(self.path):
            before = archive_list.newest(self._db)
        return self.whose.genesis if before is None else before.head

    @property
    def public_start(self) -> PublicHead:
        """`start` of the public chain."""
        with reading(self.path):
            gone = archive_list.last_gone(self._db)
        return self.whose.publication.start if gone is None else gone.public_head

    @property
    def public_head(self) -> PublicHead:
        """The end of the public chain, after all entries."""
        last = self._entry("ORDER BY n DESC LIMIT 1")
        if last is not None:
            return self.whose.publication.after(last, test=self.test_mode_before(last.n))
        with reading(self.path):
            before = archive_list.newest(self._db)
        return self.whose.publication.start if before is None else before.public_head

    @property
    def first_n(self) -> int:
        """The first entry that can be read, once there is one."""
        return self.start.n + 1

    @property
    def live_n(self) -> int:
        """The first entry of the journal file itself."""
        return self.live_start.n + 1

    @property
    def live_bytes(self) -> int:
        """What the entries in the journal file take up; the file may be larger, with room in it."""
        counts = [self._one(f"PRAGMA {count}") for count in ("page_count", "freelist_count", "page_size")]
        pages, free, size = (0 if row is None else int(row[0]) for row in counts)
        return (pages - free) * size

    def archives(self) -> list[Archive]:
        """Every archive that was ever made of this journal, oldest first, those included that were removed since."""
        with reading(self.path):
            return archive_list.listed(self._db)

    def missing(self) -> list[Archive]:
        """The archives that should be beside the journal and are not."""
        return [one for one in self.archives() if one.place == "beside" and not (self.path.parent / one.file).exists()]

    def head_before(self, n: int) -> Head:
        """The head of the journal before entry `n`."""
        start = self.start
        return start if n == start.n + 1 else next(self.entries(n - 1, n)).head

    @property
    def cursors(self) -> dict[str, int]:
        """By broker: the last event that it has acknowledged, with all before it."""
        with reading(self.path):
            return dict(self._db.execute("SELECT broker, seq FROM cursor ORDER BY broker"))

    @property
    def cursor(self) -> int:
        """The last event that any broker has acknowledged, with all before it: so far the journal was published."""
        return max(self.cursors.values(), default=0)

    def cursor_of(self, broker: str) -> int:
        """Where the events for this broker begin, less one. One that is new begins where the broker is that has the
        least: nothing was lost until there."""
        cursors = self.cursors
        return cursors.get(broker, min(cursors.values(), default=0))

    def entries(self, start_n: int = 1, stop_n: int | None = None) -> Iterator[Entry]:
        """The entries from `start_n` on, in order, up to but without `stop_n`; of those, the ones that are kept."""
        return self._entries(start_n, stop_n if stop_n is not None else _END, _PAGE)

    def events_from(self, seq: int, limit: int) -> list[JournalEvent]:
        """The events `seq`, `seq` + 1, …: at most `limit` of them, in order."""
        ended = self._ended
        if ended is None or ended.seq != seq:
            first = self._entry_of(seq)
            if first is None:
                return []
            ended = Ended(seq, first, self.test_mode_before(first))
        found: list[JournalEvent] = []
        self._ended = self._collect(ended, limit, found)
        return found

    def _collect(self, ended: Ended, limit: int, found: list[JournalEvent]) -> Ended | None:
        """Reads on from there; None where it stopped within an entry."""
        next_n, test = ended.n, ended.test
        for entry in self._following(ended.n, min(limit, _PAGE)):
            for event in self.whose.publication.events(entry, test=test):
                if event.seq >= ended.seq:
                    found.append(event)
                    if len(found) == limit:
                        return None
            head = read_input(entry.input)
            if head.body.kind == "started":
                test = head.body.test
            next_n = entry.n + 1
        return Ended(ended.seq + len(found), next_n, test)

    def _following(self, n: int, page: int) -> Iterable[Entry]:
        """The entries from `n` on."""
        return self._entries(n, _END, page)

    def last_snapshot(self, up_to_n: int | None = None) -> tuple[int, bytes] | None:
        """The newest undamaged snapshot and the entry after which it was taken; `up_to_n` asks for an older one."""
        return next(self.snapshots(up_to_n), None)

    def snapshots(self, up_to_n: int | None = None) -> Iterator[tuple[int, bytes]]:
        """Every undamaged snapshot, newest first; the oldest are those at the ends of archives."""
        for statement in (
            f"SELECT n, state, snapshot.hash, {HASH_OF} FROM snapshot JOIN entry USING (n)"
            " WHERE n <= ? ORDER BY n DESC",
            "SELECT last_n, state, state_hash, hash FROM archive WHERE last_n <= ? ORDER BY number DESC",
        ):
            with reading(self.path):
                # Row by row: hardly anybody wants more than the first, and a table has hundreds of archives one day.
                for n, stored, digest, entry_hash in self._db.execute(
                    statement, (up_to_n if up_to_n is not None else _END,)
                ):
                    if (state := unpack_state(stored)) is not None and snapshot_hash(entry_hash, state) == digest:
                        yield int(n), state

    def unfit_snapshots(self) -> list[tuple[int, bool]]:
        """The snapshots that nobody may start from: the entry each was taken after, and whether that entry is here."""
        statement = f"SELECT n, state, snapshot.hash, {HASH_OF} FROM snapshot LEFT JOIN entry USING (n) ORDER BY n"
        with reading(self.path):
            rows = self._db.execute(statement).fetchall()
        return [
            (int(n), entry_hash is not None)
            for n, stored, digest, entry_hash in rows
            if entry_hash is None
            or (state := unpack_state(stored)) is None
            or snapshot_hash(entry_hash, state) != digest
        ]

    def repairs(self) -> list[Repair]:
        """Every cut this journal ever suffered, oldest first."""
        with reading(self.path):
            rows = self._db.execute(
                "SELECT whole_n, removed, published, why, file FROM repair ORDER BY rowid"
            ).fetchall()
        return [Repair(*row) for row in rows]

    def damage(self) -> str | None:
        """What SQLite finds wrong with the file itself, the parts that hold no entry included; None if nothing."""
        with reading(self.path):
            (text,) = self._db.execute("PRAGMA integrity_check(1)").fetchone()
        return None if text == "ok" else str(text).removeprefix("*** in database main ***\n")

    def verify_chain(self, progress: Progress | None = None) -> Head:
        """Recomputes both chains from the first entry on; `JournalBroken` names the first entry that does not fit."""
        head = self.start
        for page in self.whole_pages(progress):
            head = head_after(page, head)
        return head

    def whole_pages(self, progress: Progress | None = None) -> Iterator[list[Parts]]:
        """Every entry, in order, some at a time, once their hashes have been recomputed. `JournalBroken` names the
        first that does not fit.

        For a caller that checks the chain and reads the entries too: reading them is half of the work.
        """
        start, total = self.start, self.last_n
        head, archives = start, self.archives()
        unrecorded = next((archive for archive in reversed(archives) if archive.place == "removed"), None)
        for page, head in self.walked(start, self.public_start, _END, archives):
            if unrecorded is not None and any(unrecorded.removal_is_recorded_in(parts[2]) for parts in page):
                unrecorded = None
            if progress and len(page) == _PAGE:
                progress(head.n, max(total, head.n))
            yield page
        if self.cursor > head.seq:
            raise JournalBroken(
                f"The journal {self.path} is broken: it ends with event {head.seq}, but a broker has acknowledged "
                f"event {self.cursor}: entries were taken away from its end.",
                head.n + 1,
            )
        if unrecorded is not None:
            raise JournalBroken(
                f"The journal {self.path} has the archive {unrecorded.file} ({unrecorded.entries}) down as removed, "
                "but no entry records the removal: somebody else took it away."
            )
        if progress:
            progress(head.n, head.n)

    def walked(
        self, head: Head, public: PublicHead, stop_n: int, archives: Sequence[Archive]
    ) -> Iterator[tuple[list[Parts], Head]]:
        """The entries that follow `head` and `public`, up to but without `stop_n`, some at a time, each page with the
        head after it. `JournalBroken` names the first that does not fit, or the archive that ends otherwise."""
        ends = {archive.last_n: archive for archive in archives if archive.place == "beside"}
        for rows in self._pages(head.n + 1, stop_n, _PAGE):
            try:
                page = walk(rows, head)
                public = self.whose.publication.walk(page, public)
            except LinkBroken as broken:
                raise JournalBroken(f"{self._holder(broken.n)} is broken: {broken.why}.", broken.n) from None
            head = head_after(page, head)
            if head.n in ends and (head, public) != (ends[head.n].head, ends[head.n].public_head):
                raise JournalBroken(
                    f"{self._holder(head.n)} is broken: it is not the archive that was made, its last hash is another.",
                    ends[head.n].first_n,
                )
            if page:
                yield page, head

    def close(self) -> None:
        self._db.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _one(self, statement: str, *values: int) -> tuple[Any, ...] | None:
        with reading(self.path):
            row: tuple[Any, ...] | None = self._db.execute(statement, values).fetchone()
        return row

    def _entries(self, start: int, stop: int, page: int) -> Iterator[Entry]:
        for rows in self._pages(start, stop, page):
            yield from map(self._unsealed, rows)

    def _entry(self, which: str, *values: int) -> Entry | None:
        row = self._one(f"SELECT n, sealed FROM entry {which}", *values)
        return None if row is None else self._unsealed((row[0], row[1]))

    def _unsealed(self, row: Row) -> Entry:
        try:
            return unseal(row)
        except Unreadable as why:
            raise JournalBroken(f"{self._holder(row[0])} is broken: {why}.", row[0]) from None

    def rows(self, start_n: int, stop_n: int | None = None) -> Iterator[list[Row]]:
        """`entries` as they are in their table, some at a time."""
        return self._pages(start_n, stop_n if stop_n is not None else _END, _PAGE)

    def _pages(self, start: int, stop: int, page: int) -> Iterator[list[Row]]:
        statement = "SELECT n, sealed FROM entry WHERE n >= ? AND n < ? ORDER BY n LIMIT ?"
        while start < stop:
            with reading(self.path):
                rows = self._db.execute(statement, (start, stop, page)).fetchall()
                # Asked in this order, because a daemon may be rotating: an entry is on the list before it leaves here.
                moved = None if rows and rows[0][0] == start else archive_list.with_entry(self._db, start)
            if moved is not None:
                if moved.place == "beside":
                    with self._opened(moved) as archive:
                        yield from archive._pages(start, min(stop, moved.last_n + 1), page)
                start = moved.last_n + 1
                continue
            yield rows
            if len(rows) < page:
                return
            start = rows[-1][0] + 1

    def _opened(self, archive: Archive) -> JournalReader:
        path = self.path.parent / archive.file
        if not path.exists():
            raise JournalBroken(
                f"The archive {path} is missing, with {archive.entries}. Put it back beside the journal "
                f"{self.path.name}, or a link to where it is.",
                archive.first_n,
            )
        opened = JournalReader.read(path)
        its = (opened.site, opened.table, opened.id, opened.first_n)
        # What it lists itself comes before it. Else two files could send a reader to each other without end.
        if its != (self.site, self.table, self.id, archive.first_n) or opened.live_start.n >= archive.first_n:
            opened.close()
            raise JournalBroken(
                f"The archive {path} is not the one that was made: it should hold {archive.entries} of table "
                f"{self.table} of {self.site}.",
                archive.first_n,
            )
        return opened

    def _holder(self, n: int) -> str:
        """The file that has entry `n`, or should have it."""
        with reading(self.path):
            archive = archive_list.with_entry(self._db, n)
        return f"The journal {self.path}" if archive is None else f"The archive {self.path.parent / archive.file}"

    def _entry_of(self, seq: int) -> int | None:
        """The entry that holds event `seq`: found by halving, since an index on it would cost every append a page."""
        with reading(self.path):
            moved = archive_list.with_event(self._db, seq)
        if moved is not None and moved.place != "beside":
            raise JournalError(f"Event {seq} is no longer kept: it was in the archive {moved.file}, {moved.entries}.")
        if moved is not None:
            with self._opened(moved) as archive:
                return archive._entry_of(seq)
        first = self._one("SELECT min(n) FROM entry")
        high = self._entry("ORDER BY n DESC LIMIT 1")
        if first is None or high is None or seq > high.head.seq:
            return None
        lowest: int = first[0]
        highest = high.n
        while lowest < highest:
            middle = (lowest + highest + 1) // 2
            entry = self._entry("WHERE n = ?", middle)
            if entry is None:
                if middle < self.live_n:
                    return self._entry_of(seq)  # moved to an archive since we asked
                raise JournalBroken(f"The journal {self.path} is broken: entry {middle} is missing.", middle)
            if entry.first_seq <= seq:
                lowest = middle
            else:
                highest = middle - 1
        return lowest

    def test_mode_before(self, n: int) -> bool:
        """Whether the table was in test mode when entry `n` came: as the last `started` input states."""
        with reading(self.path):
            holder, before = archive_list.with_entry(self._db, n), archive_list.newest(self._db)
        if holder is not None and holder.place == "beside":
            with self._opened(holder) as archive:
                return archive.test_mode_before(n)
        while entry := self._entry(f"WHERE {IS_STARTED} AND n < ? ORDER BY n DESC LIMIT 1", n):
            n, head = entry.n, read_input(entry.input)
            if head.body.kind == "started":
                return head.body.test
        return before is not None and before.test


def pack_state(state: bytes) -> bytes:
    """A snapshot's state as it is in its row. Less than a fifth of its JSON: it is written after every round."""
    return compress(state)


def unpack_state(stored: bytes) -> bytes | None:
    """The state in a row; None where the row is damaged, or would be more than a journal may hold."""
    unpacking = decompressobj()
    try:
        state = unpacking.decompress(stored, LONGEST)
    except (zlib_error, TypeError):
        return None
    return state if unpacking.eof else None


def snapshot_hash(entry_hash: bytes, state: bytes) -> bytes:
    """Binds a snapshot to the chain, so that a damaged one is passed over instead of believed."""
    return sha256(entry_hash + state).digest()
