"""The health of the board under the table, as alarms in the journal: full disk, a hang, a recording under way."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

from controller.config import JournalConfig
from controller.engine import alarms
from controller.engine.actor import Actor
from controller.engine.alarms import AlarmKind
from controller.engine.inputs import TimePassed
from controller.journal import JournalError
from controller.recorder.board_alarms import set_alarm
from controller.recorder.recorder import Recorder
from controller.runtime.systemd import Hang

log = logging.getLogger(__name__)

DISK_LOOK_S = 10.0


class BoardHealth:
    """The board's own alarms at one table."""

    def __init__(self, recorder: Recorder, folder: Path, limits: Callable[[], JournalConfig]) -> None:
        """`folder`: where the journal is; `limits`: how full its disk may be, as it is configured now."""
        self._recorder, self._folder, self._limits = recorder, folder, limits
        self._stated_mb: dict[AlarmKind, int] = {}
        """The free space that each alarm about the disk states."""

    async def recording(self, text: str, by: str | Actor = "board") -> None:
        """Raise the alarm while a technician records the devices' wires; clear it with an empty text."""
        with contextlib.suppress(JournalError):
            await set_alarm(self._recorder, alarms.CAPTURE.of(), text or None, by)

    async def report_last_hang(self, hang: Hang | None) -> None:
        """Raise an alarm if the last run hung and was ended. It stays until the floor signs in."""
        if hang is not None:
            log.error("the last run gave no sign of life and was ended, %s:\n%s", hang.where, hang.stacks)
        text = None if hang is None else f"the daemon stood still and was started anew; it hung {hang.where}"
        await set_alarm(self._recorder, alarms.WATCHDOG.of(), text)

    async def watch_disk(self) -> NoReturn:
        """Warn before the journal's disk is full, and begin no round that it might not hold."""
        while True:
            with contextlib.suppress(JournalError):
                await self._recorder.look_at_clock()
                await self.look()
            await asyncio.sleep(DISK_LOOK_S)

    async def look(self) -> None:
        """How full the disk is; and where the journal could not be written, whether it can be now."""
        limits = self._limits()
        free = shutil.disk_usage(self._folder).free // 1_000_000
        for kind, below in ((alarms.DISK_LOW, limits.warn_below_mb), (alarms.DISK_FULL, limits.stop_below_mb)):
            if free < below:
                text = f"only {self._rounded(kind, free)} MB are free on the journal's disk"
                await set_alarm(self._recorder, kind.of(), text)
            else:
                self._stated_mb.pop(kind, None)
                await set_alarm(self._recorder, kind.of(), None)
        if self._recorder.trouble is not None:
            # Nothing else may happen at a table that is held for this; the first entry that is written ends it.
            await self._recorder.submit(TimePassed(), "board")

    def _rounded(self, kind: AlarmKind, free: int) -> int:
        """The free space that the alarm states: as it was, until it has halved or doubled. Each text is an entry, and a
        disk that fills up must not be filled by that."""
        stated = self._stated_mb.get(kind)
        if stated is None or not stated < 2 * free <= 4 * stated:
            stated = self._stated_mb[kind] = free
        return stated
