"""Signed checkpoints of a running table: made, kept in two places, published; and compared with the journal at a start.

A checkpoint states where both chains of the journal ended. It is made at once when an entry follows a quiet minute,
then at most once a minute, and when the daemon stops. It goes to `journal.db.head`, to the second folder of the
configuration, and to the broker, retained. At a start the daemon reads those of its last run. If the journal ends
before one of them, or has another entry there, it was rolled back or cut: an alarm, which stops the table until the
floor has stated what happened. The checkpoint that was contradicted is kept as `journal.db.head-<entry>`.

The second folder may be on a share that does not answer: nobody waits for it longer than `PATIENCE_S`. Then it is an
alarm, and tried again with the next checkpoint. What is in the folder is compared before it is ever replaced.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import threading
from collections.abc import AsyncIterator, Callable
from functools import partial
from pathlib import Path
from typing import NoReturn, TypeVar

from controller.board_key import BoardKey
from controller.engine import events as ev
from controller.engine.alarms import CHECKPOINTS, ROLLED_BACK
from controller.journal.checkpoint import BadCheckpoint, contradiction, file_in, keep, own_file, read_checkpoint, signed
from controller.journal.errors import JournalError
from controller.recorder.board_alarms import set_alarm
from controller.recorder.recorder import Recorder

log = logging.getLogger("cutcard.journal")

PAUSE_S = 60.0
"""Between two checkpoints."""
PATIENCE_S = 5.0
"""With the second folder."""

T = TypeVar("T")


class Checkpoints:
    """The checkpoints of one table."""

    def __init__(
        self,
        recorder: Recorder,
        key: BoardKey,
        folder: Callable[[], str],
        publish: Callable[[bytes], None],
        patience_s: float = PATIENCE_S,
    ) -> None:
        """`folder`: the second one, as it is configured now, or an empty text; `patience_s`: with it."""
        self._recorder, self._journal = recorder, recorder.journal
        self._key, self._folder, self._publish = key, folder, publish
        self._begun, self._grown = asyncio.Event(), asyncio.Event()
        self._covered_n = 0
        self._second = _SlowFolder(patience_s)
        self._compared: Path | None = None
        """The file of the second folder that was compared."""

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
        trouble, own = "", own_file(self._journal.path)
        try:
            await asyncio.to_thread(keep, own, checkpoint)
        except OSError as error:
            trouble = f"{own}: {error.strerror}"
        await self._set_alarm(await self._use_second_folder(checkpoint) or trouble)

    async def compare_files(self) -> None:
        own = own_file(self._journal.path)
        try:
            await self.compare(await asyncio.to_thread(_read, own), str(own))
        except OSError as error:
            log.warning("the checkpoint %s cannot be read: %s", own, error.strerror)
        await self._set_alarm(await self._use_second_folder(None))

    async def _use_second_folder(self, checkpoint: bytes | None) -> str:
        """Compares with what is there, unless that was done, then keeps this one there. Why not; empty if it did."""
        folder = self._folder()
        if not folder:
            return ""
        path = file_in(Path(folder), self._journal)
        try:
            if path != self._compared:
                found = await self._second.do(partial(_read, path))
                await self.compare(found, str(path))
                self._compared = path
            if checkpoint is not None:
                await self._second.do(partial(keep, path, checkpoint))
        except TimeoutError:
            return f"{folder} does not answer"
        except OSError as error:
            return f"{path}: {error.strerror}"
        return ""

    async def _set_alarm(self, trouble: str) -> None:
        with contextlib.suppress(JournalError):
            await set_alarm(self._recorder, CHECKPOINTS.of(), trouble or None)

    async def compare_retained(self, checkpoint: bytes, broker: str) -> None:
        """The same for the one that this broker had."""
        await self._begun.wait()
        await self.compare(checkpoint, f"the broker {broker}")

    async def compare(self, checkpoint: bytes | None, where: str) -> None:
        """Compares the journal with a checkpoint that was found there. An alarm where they contradict each other."""
        if checkpoint is None:
            return
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

    def _keep_evidence(self, checkpoint: bytes, entry: int) -> None:
        own = own_file(self._journal.path)
        keep(own.with_name(f"{own.name}-{entry}"), checkpoint)


class _SlowFolder:
    """Work on a folder that may never answer, one piece at a time, each in a thread that nobody has to wait for: it
    cannot be interrupted, and must not keep the daemon from stopping."""

    def __init__(self, patience_s: float) -> None:
        self._patience_s = patience_s
        self._stuck: threading.Thread | None = None

    async def do(self, work: Callable[[], T]) -> T:
        """`TimeoutError` where it takes longer than our patience, or where the work before is not over yet."""
        if self._stuck is not None and self._stuck.is_alive():
            raise TimeoutError
        loop = asyncio.get_running_loop()
        done: asyncio.Future[T] = loop.create_future()

        def report(set_it: Callable[[], None]) -> None:
            with contextlib.suppress(RuntimeError):  # the loop is closed
                loop.call_soon_threadsafe(lambda: None if done.done() else set_it())

        def run() -> None:
            try:
                result = work()
            except Exception as error:
                report(partial(done.set_exception, error))
            else:
                report(partial(done.set_result, result))

        self._stuck = threading.Thread(target=run, name="second folder for checkpoints", daemon=True)
        self._stuck.start()
        async with asyncio.timeout(self._patience_s):
            await asyncio.wait({done})
        self._stuck = None  # it is over, though its thread may take another moment to end
        return done.result()


def _read(path: Path) -> bytes | None:
    """None where there is no such file in the folder; `OSError` where there is no folder."""
    try:
        return path.read_bytes()
    except FileNotFoundError:
        path.parent.stat()
        return None
