"""The one thread that writes a journal, in group commits.

Whatever waits in the queue when the thread comes back from a commit goes into the next one together, in the order it
was asked for: one sync to disk for all of them. An entry gets its number, its seq and its hash inside the commit, and
the head moves only when the commit has succeeded; so a failed commit leaves no trace and no gap.

When a commit fails, everything that was asked for before its callers learned of the failure fails with it. Those later
inputs were judged at a table where the failed ones had happened; writing them alone would put a round into the journal
that was never dealt. Each request carries the `epoch` in which it was made, and a failure ends the epoch.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections import defaultdict
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from contextlib import suppress
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from typing import Any

from msgspec import Struct

from controller.journal.archives import Archive
from controller.journal.chain import Entry, Head, seal
from controller.journal.errors import JournalBroken, JournalError, JournalFull
from controller.journal.published import Publication, PublicHead
from controller.journal.randomness import Randomness
from controller.journal.reader import pack_state, snapshot_hash
from controller.journal.rotation import add_archive, trim
from controller.journal.store import HASH_OF, INSERT_ENTRY, connect

_LARGEST_COMMIT = 256
_SNAPSHOTS_KEPT = 3
"""The newest, and two to fall back on should it turn out damaged."""

FARTHEST_CURSOR = 256
"""Events that a broker may have acknowledged beyond its cursor in the file. After a kill they are sent once more."""

LOG_PAGES = 1024
"""1 MB: pages after which the log starts again. Few, because syncing a log that overwrites itself costs the disk half
of what a growing file costs; not fewer, because each new start costs two more syncs."""


class Tip(Struct, frozen=True):
    """The ends of both chains, after the same entry."""

    head: Head
    public: PublicHead


class Append(Struct, frozen=True):
    """An entry to be written; its number, seq and hash come with the commit."""

    round: int
    input: bytes
    events: bytes
    """A JSON array."""
    count: int
    """Of events."""
    snapshot: bytes | None


class AppendTogether(Struct, frozen=True):
    """Entries of which all are written or none; the result is the last of them."""

    entries: tuple[Append, ...]


class Commit(asyncio.Future[Entry]):
    """An entry on its way to the disk. It cannot be called back: a waiting caller that is cancelled gets the
    cancellation when it is done."""

    def cancel(self, msg: object = None) -> bool:
        return False


class MoveCursor(Struct, frozen=True):
    """It moves in memory at once. In the file with the next snapshot, archive or `WriteCursors`, or when it is far
    behind: a page for each acknowledgement would double what a card wears down by."""

    broker: str
    seq: int


class WriteCursors(Struct, frozen=True):
    """Where the cursors are, durable."""


class KeepCursors(Struct, frozen=True):
    """These are the brokers from now on."""

    brokers: frozenset[str]


class SetLimit(Struct, frozen=True):
    max_bytes: int | None


class AddArchive(Struct, frozen=True):
    """The archive's entries are read from it from now on."""

    archive: Archive
    state: bytes


class Trim(Struct, frozen=True):
    """Deletes some of what is in archives; the result is how many entries are left to delete."""


class Remove(Struct, frozen=True):
    """The archive of this number is no longer kept."""

    number: int


class Answer(Struct, frozen=True):
    """Nothing is to be written: only the writing thread's answer is wanted."""


CursorWork = MoveCursor | WriteCursors | KeepCursors
Work = Append | AppendTogether | CursorWork | SetLimit | AddArchive | Trim | Remove | Answer
Result = Entry | int | None


class Request:
    """Some work, and who waits for it where."""

    __slots__ = ("epoch", "future", "loop", "work")

    def __init__(
        self,
        work: Work,
        epoch: int,
        future: asyncio.Future[Any] | Future[Any],
        loop: asyncio.AbstractEventLoop | None,
    ) -> None:
        self.work = work
        self.epoch = epoch
        self.future = future
        self.loop = loop


class _Hop:
    """What one loop is informed of after a commit."""

    __slots__ = ("answers", "calls")

    def __init__(self) -> None:
        self.answers: list[tuple[Request, JournalError | Result]] = []
        self.calls: list[Callable[[], None]] = []


class Writer:
    """Takes work from any thread, does it on its own."""

    def __init__(  # noqa: PLR0917 - a subclass hands them on
        self,
        path: Path,
        publication: Publication,
        tip: Tip,
        cursors: dict[str, int],
        max_bytes: int | None,
        chance: Randomness,
    ) -> None:
        self.tip = tip
        self.cursors = cursors
        """By broker. Never changed: replaced by another."""
        self.written_cursors = cursors
        """As they are in the file."""
        self._publication = publication
        self.latest: tuple[Entry, ...] = ()
        """The entries of the last commit that had any."""
        self._path = path
        self._max_bytes = max_bytes
        self._chance = chance
        self._db = self._connect()
        self._sure = True
        """The file ends with `tip`: not so after a failure, until it has been looked up."""
        self._epoch = 0
        self._ended_epoch = -1
        self._watchers: list[tuple[asyncio.AbstractEventLoop, Callable[[], None]]] = []
        self._closed = False
        self._begin()

    def _begin(self) -> None:
        """Starts the thread."""
        self._queue: SimpleQueue[Request | None] = SimpleQueue()
        self._thread = Thread(target=self._run, name="journal", daemon=True)
        self._thread.start()

    def do(self, work: Work) -> asyncio.Future[Result]:
        """Has the work done; the future is the running loop's."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[Result] = loop.create_future()
        self._ask(Request(work, self._epoch, future, loop))
        return future

    def commit(self, new: Append | AppendTogether) -> Commit:
        """Has an entry of the engine's own bytes written, or several as one; the commit is the running loop's.

        For one caller at a time: the bytes get no second look, and it waits for no place in the queue.
        """
        loop = asyncio.get_running_loop()
        commit = Commit(loop=loop)
        self._ask(Request(new, self._epoch, commit, loop))
        return commit

    def do_now(self, work: Work) -> Result:
        """Has the work done while the calling thread waits."""
        future: Future[Result] = Future()
        self._ask(Request(work, self._epoch, future, None))
        return future.result()

    def watch(self, call: Callable[[], None]) -> Callable[[], None]:
        """Has `call` called on the running loop after each commit that added entries; returns what ends that."""
        watcher = (asyncio.get_running_loop(), call)
        self._watchers.append(watcher)
        return lambda: self._watchers.remove(watcher)

    def close(self) -> None:
        """Finishes what was asked for, then ends the thread."""
        if not self._closed:
            self._closed = True
            self._end()

    def _end(self) -> None:
        self._queue.put(None)
        self._thread.join()

    def _ask(self, request: Request) -> None:
        if self._closed:
            raise JournalError(f"The journal {self._path} is closed.")
        self._pass_on(request)

    def _pass_on(self, request: Request) -> None:
        """To the thread."""
        self._queue.put(request)

    def _run(self) -> None:
        while first := self._queue.get():
            batch = [first]
            last = False
            while len(batch) < _LARGEST_COMMIT and not last and not self._queue.empty():
                request = self._queue.get()
                if request is None:
                    last = True
                else:
                    batch.append(request)
            self._serve(batch)
            if last:
                break
        self._close_file()

    def _close_file(self) -> None:
        # Should this fail, the log stays beside the journal and is read at the next opening.
        with suppress(sqlite3.Error):
            self.written_cursors = self._write_cursors(self.cursors)
        with suppress(sqlite3.Error):
            self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        self._db.close()

    def _serve(self, batch: Sequence[Request]) -> None:
        if batch[0].epoch <= self._ended_epoch:
            late = [request for request in batch if request.epoch <= self._ended_epoch]
            why = f"Not written to the journal {self._path}: a write that was asked for before this one failed."
            self._settle(late, [JournalError(why)] * len(late))
            batch = [request for request in batch if request.epoch > self._ended_epoch]
            if not batch:
                return
        answers: Sequence[JournalError | Result]
        try:
            answers = self._commit(batch)
        except Exception as error:
            self._ended_epoch = batch[-1].epoch
            self._sure = False
            answers = [self._explain(error)] * len(batch)
        self._settle(batch, answers)

    def _commit(self, batch: Sequence[Request]) -> list[Result]:
        self._make_sure()
        db, tip, cursors = self._db, self.tip, self.cursors
        results: list[Result] = []
        written: list[Entry] = []
        if len(batch) == 1 and isinstance(alone := batch[0].work, Append) and alone.snapshot is None:
            # The common case by far, and a single statement is its own transaction.
            entry = self._seal(tip, alone)
            self._insert(entry, None)
            self.latest = (entry,)
            self.tip = self._after(entry, tip)
            return [entry]
        if all(type(request.work) is MoveCursor for request in batch):
            moved = {request.work.broker: request.work.seq for request in batch if type(request.work) is MoveCursor}
            if not self._are_far({**cursors, **moved}):
                self.cursors = {**cursors, **moved}
                return [None] * len(batch)
        is_due = False
        db.execute("BEGIN IMMEDIATE")
        try:
            for request in batch:
                match request.work:
                    case Append() | AppendTogether() as work:
                        for new in work.entries if isinstance(work, AppendTogether) else (work,):
                            entry = self._seal(tip, new)
                            tip = self._after(entry, tip)
                            self._insert(entry, new.snapshot)
                            written.append(entry)
                            is_due = is_due or new.snapshot is not None
                        results.append(written[-1])
                    case MoveCursor(broker, seq):
                        cursors = {**cursors, broker: seq}
                        results.append(None)
                    case WriteCursors():
                        is_due = True
                        results.append(None)
                    case KeepCursors(brokers):
                        least = min(cursors.values(), default=0)
                        cursors = {broker: cursors.get(broker, least) for broker in sorted(brokers)}
                        is_due = True
                        results.append(None)
                    case SetLimit(max_bytes):
                        self._max_bytes = max_bytes
                        self._limit(db)
                        results.append(None)
                    case AddArchive(archive, state):
                        add_archive(db, archive, state)
                        is_due = True
                        results.append(None)
                    case Trim():
                        results.append(trim(db))
                    case Remove(number):
                        db.execute("UPDATE archive SET place = 'removed' WHERE number = ?", (number,))
                        results.append(None)
                    case Answer():
                        results.append(None)
            in_file = self.written_cursors
            if is_due or self._are_far(cursors):
                in_file = self._write_cursors(cursors)
            db.execute("COMMIT")
        except BaseException:
            if db.in_transaction:
                db.execute("ROLLBACK")
            raise
        self.latest = tuple(written) or self.latest
        self.tip, self.cursors, self.written_cursors = tip, cursors, in_file
        return results

    def _are_far(self, cursors: dict[str, int]) -> bool:
        """Whether the file is too far behind these."""
        in_file = self.written_cursors
        return any(seq > in_file.get(broker, -1) + FARTHEST_CURSOR for broker, seq in cursors.items())

    def _write_cursors(self, cursors: dict[str, int]) -> dict[str, int]:
        """Into the file, where they differ from it; returns what is in it then."""
        if cursors != self.written_cursors:
            gone = [(broker,) for broker in self.written_cursors if broker not in cursors]
            self._db.executemany("DELETE FROM cursor WHERE broker = ?", gone)
            self._db.executemany("INSERT OR REPLACE INTO cursor VALUES (?, ?)", cursors.items())
        return cursors

    def _seal(self, tip: Tip, new: Append) -> Entry:
        salt, link = self._chance.salt(tip.head.n + 1), tip.public.link
        return seal(tip.head, new.round, new.count, new.input, new.events, salt=salt, link=link)

    def _after(self, entry: Entry, before: Tip) -> Tip:
        return Tip(entry.head, self._publication.after(entry, test=before.public.test))

    def _insert(self, entry: Entry, snapshot: bytes | None) -> None:
        self._db.execute(INSERT_ENTRY, entry.row)
        if snapshot is not None:
            self._db.execute(
                "INSERT INTO snapshot VALUES (?, ?, ?)",
                (entry.n, pack_state(snapshot), snapshot_hash(entry.hash, snapshot)),
            )
            self._db.execute(
                "DELETE FROM snapshot WHERE n <= (SELECT n FROM snapshot ORDER BY n DESC LIMIT 1 OFFSET ?)",
                (_SNAPSHOTS_KEPT,),
            )

    def _make_sure(self) -> None:
        """After a failure: opens the file again and compares. A commit that failed must not be there after all."""
        if self._sure:
            return
        self._db.close()
        self._db = self._connect()
        row = self._db.execute(
            f"SELECT n, {HASH_OF} FROM entry UNION ALL SELECT last_n, hash FROM archive ORDER BY n DESC LIMIT 1"
        ).fetchone()
        head = self.tip.head
        if row != ((head.n, head.hash) if head.n else None):
            raise JournalBroken(
                f"After a failed write the journal {self._path} does not end with entry {head.n} as it should. "
                "Restart the daemon: it then uses what is on the disk."
            )
        self._sure = True

    def _connect(self) -> sqlite3.Connection:
        db = connect(self._path, "rw")
        db.execute(f"PRAGMA wal_autocheckpoint = {LOG_PAGES}")
        self._limit(db)
        return db

    def _limit(self, db: sqlite3.Connection) -> None:
        page_size = db.execute("PRAGMA page_size").fetchone()[0]
        pages = 2**32 - 2 if self._max_bytes is None else max(1, self._max_bytes // page_size)
        db.execute(f"PRAGMA max_page_count = {pages}")

    def _explain(self, error: Exception) -> JournalError:
        match error:
            case JournalError():
                return error
            case sqlite3.OperationalError() if error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_FULL:
                return JournalFull(
                    f"The journal {self._path} has no room: {error}. Nothing was written and nothing is lost. Free "
                    "space on that disk; the journal then continues by itself."
                )
            case _:
                return JournalError(f"The journal {self._path} cannot be written: {error}. Check its disk.")

    def _settle(self, batch: Sequence[Request], answers: Sequence[JournalError | Result]) -> None:
        """Answers each caller on the caller's own loop: one hop for the whole batch."""
        hops: defaultdict[asyncio.AbstractEventLoop, _Hop] = defaultdict(_Hop)
        added = False
        for request, answer in zip(batch, answers, strict=True):
            added = added or type(answer) is Entry
            if request.loop is None:
                self._answer(request, answer)
            else:
                hops[request.loop].answers.append((request, answer))
        if added:
            for loop, call in tuple(self._watchers):
                hops[loop].calls.append(call)
        for loop, hop in hops.items():
            # A loop that is closed has no caller left; what was written is written.
            with suppress(RuntimeError):
                loop.call_soon_threadsafe(self._arrive, hop)

    def _arrive(self, hop: _Hop) -> None:
        # Watchers first: the event goes out before the callers update the screens and the lock.
        for call in hop.calls:
            call()
        for request, answer in hop.answers:
            self._answer(request, answer)

    def _answer(self, request: Request, answer: JournalError | Result) -> None:
        if isinstance(answer, JournalError):
            self._epoch = max(self._epoch, request.epoch + 1)
            if not request.future.done():
                request.future.set_exception(answer)
        elif not request.future.done():
            request.future.set_result(answer)
