"""The board's TPM counter and the journal, kept in step: an older copy of the whole disk is seen at the next start.

Each count is two entries around one step of the TPM: `counting` from N, the TPM counts, `counted` to N + 1. So the
journal knows at each moment what the TPM may have. A difference of one is right only if the journal ends within a
count: then the power was cut there. Everything else is a contradiction: the alarm `rolled_back`, and an entry `found`
with what the TPM has, from which both go on.

It counts at a start, and then at most once an hour while entries are written, because the memory of a TPM wears. Nobody
waits for it: not the start, and no card. A TPM that does not answer is an alarm, and is asked again a minute later.
Whenever it answers, it is compared.
"""

from __future__ import annotations

import asyncio
import logging
from typing import Literal, NoReturn

from controller.engine import events as ev
from controller.engine.alarms import ROLLED_BACK, TPM
from controller.engine.inputs import TpmCounted
from controller.engine.table.state import TpmCount
from controller.journal.errors import JournalError
from controller.recorder.board_alarms import set_alarm
from controller.recorder.recorder import Recorder
from controller.tpm import NoCounter, Tpm, TpmError

log = logging.getLogger("cutcard.journal")

PAUSE_S = 3600.0
"""Between two counts."""
RETRY_S = 60.0
"""After a TPM that gave no answer."""


class TpmCounter:
    """The counter of one table."""

    def __init__(self, recorder: Recorder, tpm: Tpm | None) -> None:
        """`tpm` None: none is configured."""
        self._recorder, self._tpm = recorder, tpm
        self._grown = asyncio.Event()
        self._own_n = 0
        """The last entry that was written here."""
        self._trouble = ""
        """Why the TPM gave no answer the last time."""

    def follow(self, events: tuple[ev.Event, ...]) -> None:
        self._grown.set()

    async def run(self) -> NoReturn:
        while True:
            if await self.count():
                await asyncio.sleep(PAUSE_S)
                await self._until_grown()
            else:
                await asyncio.sleep(RETRY_S)

    async def count(self) -> bool:
        """Compare, and count one on. False where the TPM gave no answer, or the journal cannot be written."""
        try:
            trouble = "" if self._tpm is None else await self._count(self._tpm)
            await set_alarm(self._recorder, TPM.of(), trouble or None)
        except JournalError as error:
            log.warning("the TPM's count is not in the journal: %s", error)
            return False
        self._own_n = self._recorder.journal.head.n
        return not trouble

    async def _count(self, tpm: Tpm) -> str:
        """Why the TPM gave no answer; empty if it did."""
        try:
            value = await self._compared(tpm)
            await self._note("counting", value)
            await tpm.increment()
            now = await tpm.read()
            if value == 0:
                await self._note("counted", now)  # it chooses where it begins
            else:
                await self._compare(now)
        except TpmError as error:
            if str(error) != self._trouble:
                log.warning("the board's TPM does not count: %s\n%s", error, error.details)
            self._trouble = str(error)
            return self._trouble
        self._trouble = ""
        return ""

    async def _compared(self, tpm: Tpm) -> int:
        """What the TPM has, after the journal was compared with it. `TpmError`."""
        try:
            value = await tpm.read()
        except NoCounter:
            await self._compare(None)
            raise
        await self._compare(value)
        return value

    async def _compare(self, value: int | None) -> None:
        """`value`: what the TPM has counted to; None: it has no counter."""
        known = self._recorder.engine.state.tpm
        text = contradiction(known, value)
        if text is not None:
            log.error("%s", text)
            if ROLLED_BACK.of() not in self._recorder.engine.state.alarms:
                await set_alarm(self._recorder, ROLLED_BACK.of(), text)
            await self._note("found", value or 0)
        elif value and known is not None and value != known.value:
            await self._note("counted", value)

    async def _note(self, step: Literal["counting", "counted", "found"], value: int) -> None:
        await self._recorder.submit(TpmCounted(step, value), "board")

    async def _until_grown(self) -> None:
        """Until the journal has an entry that is not our own."""
        while self._recorder.journal.head.n == self._own_n:
            self._grown.clear()
            await self._grown.wait()


def contradiction(known: TpmCount | None, value: int | None) -> str | None:
    """Why this is not the journal that goes with the TPM, or not its end; None if it is.

    `known`: the last count in the journal. `value`: the TPM's; 0: it has never counted, None: it has no counter.

    >>> contradiction(None, 0), contradiction(TpmCount(7), 7), contradiction(TpmCount(7, is_counting=True), 8)
    (None, None, None)
    >>> contradiction(TpmCount(7), 8)
    "the board's TPM has counted to 8, the journal to 7: it is an older copy, or was cut"
    """
    last = 0 if known is None else known.value
    if value == last or (value is None and last == 0):
        return None
    if not value:
        return f"the journal has counted to {last}, and the board's TPM never: it was cleared, or is another one"
    if last == 0:
        return f"the board's TPM has counted to {value}, and the journal never: it is an older copy, or another journal"
    if value < last:
        return f"the board's TPM has counted to {value}, the journal to {last}: one of them is another board's"
    if known is not None and known.is_counting and value == last + 1:
        return None
    return f"the board's TPM has counted to {value}, the journal to {last}: it is an older copy, or was cut"
