"""Keeps a running table's journal small, and its archives for as long as configured.

It looks after every round, and once a minute at a table where nothing happens; always between two rounds. When the
journal file has grown too large or too old, the older entries go to an archive; when an archive's time is over and the
configuration requires it, it is deleted. Either is an input of the table, so it is in the journal and on the broker. An
archive that somebody took away, or that could not be made, is an alarm.

Each archive is reported once. Its number is the reference of the input: after a power cut, an archive that was
reported before is known as a repeat, and one that was not is reported at the next look.
"""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from typing import NoReturn

from controller.config import JournalConfig
from controller.engine import events as ev
from controller.engine.alarms import ARCHIVE_FAILED, ARCHIVE_MISSING
from controller.engine.journal_inputs import ArchiveDropped, ArchiveMade
from controller.journal.archives import Archive
from controller.journal.errors import JournalError
from controller.journal.published import read_input
from controller.journal.rotation import NotNow
from controller.recorder.board_alarms import set_alarm
from controller.recorder.recorder import Recorder

log = logging.getLogger("cutcard.journal")

_LOOK_S = 60.0
_RETRY_S = 600.0
"""After an archive could not be made: to try costs as much of the disk as to succeed."""
_MEGABYTE = 1_000_000
_DAY_MS = 24 * 60 * 60 * 1000

_ROTATION, _RETENTION = "board:rotation", "board:retention"
"""Who reports it. Each counts the archives for itself, as a device counts its reports."""


class Archivist:
    """Rotates one table's journal and removes old archives."""

    def __init__(self, recorder: Recorder, limits: JournalConfig) -> None:
        self._recorder = recorder
        self._journal = recorder.journal
        self.limits = limits
        self._round_is_over = asyncio.Event()
        self._rotate_from = 0.0
        """No attempt before this, by the loop's clock."""

    def follow(self, events: tuple[ev.Event, ...]) -> None:
        """Look after each round: the next one has not begun."""
        if any(isinstance(event, ev.RoundSettled | ev.RoundVoided) for event in events):
            self._round_is_over.set()

    async def run(self) -> NoReturn:
        while True:
            await self.look()
            with suppress(TimeoutError):
                async with asyncio.timeout(_LOOK_S):
                    await self._round_is_over.wait()
            self._round_is_over.clear()

    async def look(self) -> None:
        """Does whatever is due, if no round is running."""
        if not self._between_rounds():
            return
        try:
            if not self._is_due():
                await set_alarm(self._recorder, ARCHIVE_FAILED.of(), None)
            elif asyncio.get_running_loop().time() >= self._rotate_from:
                await self._rotate()
                if not self._between_rounds():
                    return  # it took a while; the next look reports it
            await self._report()
            await self._remove()
            lost = ", ".join(archive.file for archive in self._journal.missing())
            text = f"no longer beside the journal: {lost}" if lost else None
            await set_alarm(self._recorder, ARCHIVE_MISSING.of(), text)
        except JournalError as error:
            log.warning("the journal was not looked after: %s", error)

    def _between_rounds(self) -> bool:
        running = self._recorder.engine.round
        return running is None or not running.begun

    def _is_due(self) -> bool:
        size, days = self.limits.rotate_at_mb, self.limits.rotate_after_days
        if size and self._journal.live_bytes >= size * _MEGABYTE:
            return True
        start = self._journal.live_n
        first = next(self._journal.entries(start, start + 1), None) if days else None
        return first is not None and self._days_since(read_input(first.input).at) >= days

    async def _rotate(self) -> None:
        try:
            archive = await self._journal.rotate()
        except NotNow as reason:
            log.debug("%s", reason)
        except JournalError as error:
            self._rotate_from = asyncio.get_running_loop().time() + _RETRY_S
            await set_alarm(self._recorder, ARCHIVE_FAILED.of(), str(error))
        else:
            log.info("%s of the journal are in %s now", archive.entries, archive.file)
            await set_alarm(self._recorder, ARCHIVE_FAILED.of(), None)

    async def _report(self) -> None:
        """Report every archive that the table has not reported yet, and every removal."""
        for archive in self._journal.archives():
            await self._submit(_made(archive), _ROTATION, archive)
            if archive.place == "removed":
                await self._submit(_dropped(archive, self.limits.keep_days), _RETENTION, archive)

    async def _remove(self) -> None:
        """Remove what has been kept for long enough, oldest first; it is reported before it is done."""
        for archive in self._journal.archives():
            if archive.place == "removed":
                continue
            if not self.limits.keep_days or self._days_since(archive.last_at) < self.limits.keep_days:
                return
            if not self._is_elsewhere(archive):
                return  # `store_late` and the brokers' metrics show why the disk fills
            await self._submit(_dropped(archive, self.limits.keep_days), _RETENTION, archive)
            await self._journal.remove(archive)
            log.info("%s is removed after %s days", archive.file, self.limits.keep_days)

    def _is_elsewhere(self, archive: Archive) -> bool:
        """Whether every broker and every store that the configuration names has all of it."""
        confirmed = self._recorder.engine.state.stores
        stores = (confirmed[name].seq if name in confirmed else 0 for name in self.limits.stores)
        return min((*self._journal.cursors.values(), *stores), default=0) >= archive.last_seq

    async def _submit(self, body: ArchiveMade | ArchiveDropped, by: str, archive: Archive) -> None:
        await self._recorder.submit(body, by, f"0:{archive.number}")

    def _days_since(self, at: int) -> float:
        return (self._recorder.clock.now_ms() - at) / _DAY_MS


def _made(archive: Archive) -> ArchiveMade:
    return ArchiveMade(archive.file, archive.first_n, archive.last_n, archive.hash.hex())


def _dropped(archive: Archive, keep_days: int) -> ArchiveDropped:
    return ArchiveDropped(archive.file, archive.first_n, archive.last_n, archive.hash.hex(), keep_days)
