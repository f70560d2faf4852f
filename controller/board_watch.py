"""What the board under the table knows about itself and the table has to know: as alarms, in the journal."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

from controller.config import JournalConfig
from controller.desk import Desk
from controller.engine.inputs import BoardSeen
from controller.journal import JournalError
from controller.service import ALARM as WATCHDOG
from controller.service import Hang

log = logging.getLogger(__name__)

DISK_LOOK_S = 10.0


class BoardWatch:
    """The board's own alarms at one table."""

    def __init__(self, desk: Desk, folder: Path, limits: Callable[[], JournalConfig]) -> None:
        """`folder`: where the journal is; `limits`: how full its disk may be, as it is configured now."""
        self._desk, self._folder, self._limits = desk, folder, limits

    async def recording(self, text: str) -> None:
        """A technician records the devices' wires, or no longer does: it stands in the journal."""
        if bool(text) != ("capture" in self._desk.engine.state.alarms):
            with contextlib.suppress(JournalError):
                await self._desk.submit(BoardSeen("capture", bool(text), text), "board")

    async def own_up(self, hang: Hang | None) -> None:
        """The last run stood still and was ended: it stands in the journal, until the floor has been here."""
        if hang is not None:
            log.error("the last run gave no sign of life and was ended, %s:\n%s", hang.where, hang.stacks)
        if hang is not None or WATCHDOG in self._desk.engine.state.alarms:
            text = "" if hang is None else f"the daemon stood still and was started anew; it hung {hang.where}"
            await self._desk.submit(BoardSeen(WATCHDOG, hang is not None, text), "board")

    async def watch_disk(self) -> NoReturn:
        """Warn before the journal's disk is full, and begin no round that it might not hold."""
        while True:
            limits = self._limits()
            levels = (("disk_low", limits.warn_below_mb, False), ("disk_full", limits.stop_below_mb, True))
            free = shutil.disk_usage(self._folder).free // 1_000_000
            for alarm, below, stops in levels:
                wrong = free < below
                if wrong != (alarm in self._desk.engine.state.alarms):
                    text = f"only {free} MB are free on the journal's disk" if wrong else ""
                    with contextlib.suppress(JournalError):
                        await self._desk.submit(BoardSeen(alarm, wrong, text, stops), "board")
            await asyncio.sleep(DISK_LOOK_S)
