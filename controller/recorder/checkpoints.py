"""Signed checkpoints of a running table: made, kept in two places, published; and compared with the journal at a start.

A checkpoint states where both chains of the journal ended. It is made at once when an entry follows a quiet minute,
then at most once a minute, and when the daemon stops. It goes to `journal.db.head`, to the second folder of the
configuration, and to the broker, retained. At a start the daemon reads those of its last run. If the journal ends
before one of them, or has another entry there, it was rolled back or cut: an alarm, which stops the table until the
floor has stated what happened. The checkpoint that was contradicted is kept as `journal.db.head-<entry>`.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import NoReturn

from controller.board_key import BoardKey
from controller.engine import events as ev
from controller.engine.alarms import ROLLED_BACK
from controller.journal.checkpoint import BadCheckpoint, contradiction, file_in, keep, own_file, read_checkpoint, signed
from controller.journal.errors import JournalError
from controller.recorder.board_alarms import set_alarm
from controller.recorder.recorder import Recorder

log = logging.getLogger("cutcard.journal")

PAUSE_S = 60.0
"""Between two checkpoints."""


class Checkpoints:
    """The checkpoints of one table."""

    def __init__(
        self, recorder: Recorder, key: BoardKey, folder: Callable[[], str], publish: Callable[[bytes], None]
    ) -> None:
        """`folder`: the second one, as it is configured now, or an empty text."""
        self._recorder, self._journal = recorder, recorder.journal
        self._key, self._folder, self._publish = key, folder, publish
        self._begun, self._grown = asyncio.Event(), asyncio.Event()
        self._covered_n = 0
        self._trouble = ""
        """Why the last one could not be kept."""

    def follow(self, events: tuple[ev.Event, ...]) -> None:
        self._grown.set()

    async def run(self) -> NoReturn:
        while True:
            await self._grown.wait()
            self._grown.clear()
            await self.make()
            await asyncio.sleep(PAUSE_S)

    @contextlib.asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Compares with the last run's; makes one when the table stops. Entered after the first entry of this run."""
        self._begun.set()
        await self.compare_files()
        try:
            yield
        finally:
            await self.make()

    async def make(self) -> None:
        """The checkpoint of the journal as it is now, unless there is one already."""
        tip = self._journal.tip
        if tip.head.n == self._covered_n:
            return
        self._covered_n = tip.head.n
        checkpoint = signed(self._journal, tip, self._recorder.clock.now_ms(), self._key)
        self._publish(checkpoint)
        trouble = await asyncio.to_thread(self._keep, checkpoint)
        if trouble and trouble != self._trouble:
            log.warning("a checkpoint of the journal is not kept: %s", trouble)
        self._trouble = trouble

    async def compare_files(self) -> None:
        for path in self._files():
            try:
                found = await asyncio.to_thread(path.read_bytes)
            except FileNotFoundError:
                continue
            except OSError as error:
                log.warning("the checkpoint %s cannot be read: %s", path, error.strerror)
                continue
            await self.compare(found, str(path))

    async def compare_retained(self, checkpoint: bytes) -> None:
        """The same for the one that the broker had."""
        await self._begun.wait()
        await self.compare(checkpoint, "the broker")

    async def compare(self, checkpoint: bytes, where: str) -> None:
        """Compares the journal with a checkpoint that was found there. An alarm where they contradict each other."""
        try:
            found = read_checkpoint(checkpoint)
            text, entry = contradiction(self._journal, found), found.entry
        except BadCheckpoint as error:
            text, entry = f"what should be a checkpoint cannot be believed: {error}", 0
        if text is None:
            return
        log.error("%s: %s", where, text)
        with contextlib.suppress(OSError):
            await asyncio.to_thread(self._keep_evidence, checkpoint, entry)
        if ROLLED_BACK.of() not in self._recorder.engine.state.alarms:
            with contextlib.suppress(JournalError):
                await set_alarm(self._recorder, ROLLED_BACK.of(), f"{where}: {text}")

    def _files(self) -> list[Path]:
        own, folder = own_file(self._journal.path), self._folder()
        return [own] if not folder else [own, file_in(Path(folder), self._journal)]

    def _keep(self, checkpoint: bytes) -> str:
        """Why one of the files could not be written; empty if all are."""
        trouble = ""
        for path in self._files():
            try:
                keep(path, checkpoint)
            except OSError as error:
                trouble = f"{path}: {error.strerror}"
        return trouble

    def _keep_evidence(self, checkpoint: bytes, entry: int) -> None:
        own = own_file(self._journal.path)
        keep(own.with_name(f"{own.name}-{entry}"), checkpoint)
