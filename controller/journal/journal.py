"""The journal of one table: what the daemon opens, appends to, and recovers from."""

from __future__ import annotations

import asyncio
import fcntl
import os
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import Annotated, ClassVar

import msgspec
from msgspec import Meta, Struct

from controller.durable_files import sync_folder
from controller.journal.archives import Archive, files_beside
from controller.journal.chain import Entry, Head
from controller.journal.errors import JournalBusy, JournalError
from controller.journal.published import PublicHead, read_input
from controller.journal.randomness import SYSTEM, Randomness
from controller.journal.reader import JournalReader
from controller.journal.repair import finish_repair, repair_tail
from controller.journal.rotation import find_cut, finish_rotation, make_archive
from controller.journal.store import Identity, beside, connect, create, reading
from controller.journal.writer import (
    AddArchive,
    Answer,
    Append,
    KeepCursors,
    MoveCursor,
    Remove,
    SetLimit,
    Tip,
    Trim,
    WriteCursors,
    Writer,
)

_MOST_WAITING = 1024
"""Appends that may wait for the disk; a further caller waits for a place first."""


class Journal(JournalReader):
    """A journal, to read and to append to. One process at a time has it open."""

    writes_with: ClassVar[type[Writer]] = Writer

    def __init__(self, path: Path, whose: Identity, lock: int, max_bytes: int | None, chance: Randomness) -> None:
        super().__init__(path, connect(path, "rw"), whose)
        self._lock = lock
        self._places = asyncio.Semaphore(_MOST_WAITING)
        tip = Tip(super().head, super().public_head)
        self.writer = self.writes_with(path, whose.publication, tip, super().cursors, max_bytes, chance)
        """Takes the entries of the recorder as they are (`commit`); everybody else calls `append`."""
        repairs = self.repairs()
        self.repair = repairs[-1] if repairs and repairs[-1].whole_n == self.head.n else None
        """The tail that was cut off on opening; reported again at every opening until the first entry after it."""

    @classmethod
    def open(
        cls, path: Path | str, *, site: str, table: str, max_bytes: int | None = None, chance: Randomness = SYSTEM
    ) -> Journal:
        """Opens the journal of a table, or begins it; `max_bytes` keeps it from filling a disk it shares.

        `chance`: where the random bytes come from; `Seeded` only in test mode.
        """
        path, new = Path(path), Identity(site, table, chance.journal_id())
        if not path.parent.is_dir():
            raise JournalError(
                f"The journal {path} cannot be opened: the folder {path.parent} does not exist. Create it."
            )
        lock = _take_lock(path)
        try:
            with reading(path):
                finish_repair(path)
                if not path.exists():
                    _begin(path, new)
                whose = repair_tail(path, new)
                finish_rotation(path)
                return cls(path, whose, lock, max_bytes, chance)
        except BaseException:
            os.close(lock)
            raise

    @property
    def head(self) -> Head:
        return self.writer.tip.head

    @property
    def public_head(self) -> PublicHead:
        return self.writer.tip.public

    @property
    def tip(self) -> Tip:
        """Both heads after the same entry."""
        return self.writer.tip

    @property
    def cursors(self) -> dict[str, int]:
        return self.writer.cursors

    def _following(self, n: int, page: int) -> Iterable[Entry]:
        # The publisher asks for what was committed a moment ago: it is still in memory.
        latest = self.writer.latest
        return latest if latest and latest[0].n == n else super()._following(n, page)

    async def append(self, round: int, input: bytes, events: Sequence[bytes], snapshot: bytes | None = None) -> Entry:
        """Writes one input with the events it caused; durable when it returns.

        Raises `JournalFull` or another `JournalError`, and then nothing was written. A caller that is cancelled while
        waiting does not know: the entry may be written or not.
        """
        work = _append(round, input, events, snapshot)
        async with self._places:
            entry = await self.writer.do(work)
        assert isinstance(entry, Entry)
        return entry

    def append_now(self, round: int, input: bytes, events: Sequence[bytes], snapshot: bytes | None = None) -> Entry:
        """`append` for tools without an event loop."""
        entry = self.writer.do_now(_append(round, input, events, snapshot))
        assert isinstance(entry, Entry)
        return entry

    async def move_cursor(self, broker: str, seq: int) -> None:
        """Notes that the broker has acknowledged every event up to `seq`. It is durable with the next snapshot or
        `write_cursors`, or when the file is `FARTHEST_CURSOR` events behind: a start may send those once more."""
        if not 0 <= seq <= self.head.seq:
            raise ValueError(f"the cursor cannot move to event {seq}: the journal ends with {self.head.seq}")
        await self.writer.do(MoveCursor(broker, seq))

    async def write_cursors(self) -> None:
        """Makes durable what `move_cursor` has noted."""
        await self.writer.do(WriteCursors())

    async def keep_cursors(self, brokers: Iterable[str]) -> None:
        """Notes which brokers there are: a new one gets its cursor, one that is no more loses it."""
        await self.writer.do(KeepCursors(frozenset(brokers)))

    async def set_max_bytes(self, max_bytes: int | None) -> None:
        """Changes how large the journal may grow; None: as large as the disk."""
        await self.writer.do(SetLimit(max_bytes))

    async def rotate(self) -> Archive:
        """Moves to an archive what is needed neither to recover, nor to correct, nor to publish; `NotNow` if nothing.

        Entries can be appended all the while. The archive is made on a thread of its own; a caller that is cancelled
        meanwhile gets the cancellation when it is complete.
        """
        cut = find_cut(self)
        making = asyncio.ensure_future(asyncio.to_thread(make_archive, self.path, cut))
        try:
            archive = await asyncio.shield(making)
        except asyncio.CancelledError:
            await asyncio.wait({making})
            raise
        await self.writer.do(AddArchive(archive, cut.state))
        while await self.writer.do(Trim()):
            pass
        return archive

    def rotate_now(self) -> Archive:
        """`rotate` for tools without an event loop."""
        cut = find_cut(self)
        archive = make_archive(self.path, cut)
        self.writer.do_now(AddArchive(archive, cut.state))
        while self.writer.do_now(Trim()):
            pass
        return archive

    async def remove(self, archive: Archive) -> None:
        """Delete an archive whose time is over. The journal must have the report first: `verify_chain` looks for it."""
        await self.writer.do(Remove(archive.number))
        file = self.path.with_name(archive.file)
        try:
            file.unlink(missing_ok=True)
            sync_folder(self.path.parent)
        except OSError as error:
            raise JournalError(f"The archive {file} cannot be deleted: {error.strerror}. Check that disk.") from error

    async def answers(self) -> None:
        """Returns when the writing thread has answered, whether it can write or not."""
        with suppress(JournalError):
            await self.writer.do(Answer())

    def watch(self, call: Callable[[], None]) -> Callable[[], None]:
        """Calls `call` on the running loop whenever entries were added, until the function it returns is called."""
        return self.writer.watch(call)

    def close(self) -> None:
        super().close()
        self.writer.close()
        if self._lock >= 0:
            os.close(self._lock)
            self._lock = -1


class _EventHead(Struct):
    """What the journal asks of an event: a kind that can be a level of an MQTT topic."""

    kind: Annotated[str, Meta(pattern=r"^[a-z0-9_]+$")]


_read_events = msgspec.json.Decoder(list[_EventHead]).decode


def _append(round: int, input: bytes, events: Sequence[bytes], snapshot: bytes | None) -> Append:
    """Refuses what could be written but never read again."""
    if not 0 <= round < 2**32:
        raise ValueError(f"no round has the number {round}")
    array = b"[%b]" % b",".join(events)
    try:
        read_input(input)
        count = len(_read_events(array))
    except msgspec.MsgspecError as error:
        raise ValueError(
            f"the journal takes inputs with `at` and `body.kind`, and events with `kind`: {error}"
        ) from error
    if count != len(events):
        raise ValueError(f"{len(events)} events were given, but their bytes hold {count}")
    if count >= 2**16:
        raise ValueError(f"no input causes {count} events")
    return Append(round, bytes(input), array, count, snapshot)


def _take_lock(path: Path) -> int:
    """One writer per journal. The lock ends with the process, however that ends."""
    side = beside(path, ".lock")
    try:
        fd = os.open(side, os.O_CREAT | os.O_RDWR, 0o600)
    except OSError as error:
        raise JournalError(f"The journal {path} cannot be opened: {side}: {error.strerror}.") from error
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        owner = os.read(fd, 32).decode("ascii", "replace").strip() or "unknown"
        os.close(fd)
        raise JournalBusy(
            f"The journal {path} is in use by another Cutcard daemon (process {owner}). A table has one daemon: stop "
            "that one first, or give this one a journal of its own in the configuration."
        ) from error
    os.ftruncate(fd, 0)
    os.write(fd, f"{os.getpid()}\n".encode())
    return fd


def _begin(path: Path, whose: Identity) -> None:
    if archives := files_beside(path):
        raise JournalError(
            f"There is no journal at {path}, but its archive {archives[-1].name} is there: the journal was moved or "
            "deleted without it. Put the journal back beside its archives, or move them away to begin a new journal."
        )
    if beside(path, "-wal").exists():
        raise JournalError(
            f"There is no journal at {path}, but its log {path.name}-wal is there: the journal was moved or deleted "
            "without it. Put the journal back beside its log, or move the log away to begin a new journal."
        )
    new = beside(path, ".new")
    new.unlink(missing_ok=True)
    with closing(create(new, whose, path)) as db:
        db.execute("PRAGMA journal_mode = WAL")
    new.rename(path)
    sync_folder(path.parent)
