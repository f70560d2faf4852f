"""Receipts: what stores confirm to have, compared with this table's own journal. docs/mqtt/receipts.md is their page.

A receipt that fits is noted in the journal, at most once a minute for each store, and never where it has nothing new.
One that does not fit, because it has another link than the journal or an event that the journal does not have, is an
alarm: the store, or this journal, was put back from an older copy. The brokers deliver the retained receipts at each
connection, so an older copy of the whole board is seen when it connects.

What is late is looked at every minute, for the stores that the configuration names.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import re
from collections.abc import AsyncIterator, Callable
from typing import NoReturn

from aiomqtt import Message

from controller.config import JournalConfig
from controller.contract.messages import ReceiptDocument
from controller.contract.topics import Topics
from controller.engine.alarms import STORE_DIFFERS, STORE_LATE, AlarmName
from controller.engine.journal_inputs import StoreConfirmed
from controller.engine.reading import Unreadable, read_json
from controller.journal import JournalError
from controller.mqtt.rate_limit import RateLimitedLog
from controller.recorder.board_alarms import set_alarm
from controller.recorder.recorder import Recorder

log = logging.getLogger("cutcard.mqtt")

PAUSE_S = 60.0
"""Between two entries for one store, and between two looks at what is late."""
MOST_BYTES = 1024
MOST_STORES = 8
_MOST_WAITING = 16
"""Receipts of one store that are compared at one look; of more, the latest count."""
_MINUTE_MS = 60_000
_NAME = re.compile(r"[A-Za-z0-9_.@-]{1,64}")


class Receipts:
    """The receipts for one table."""

    def __init__(self, recorder: Recorder, limits: Callable[[], JournalConfig], pause_s: float = PAUSE_S) -> None:
        """`limits`: as they are configured now."""
        self._recorder, self._journal, self._limits, self._pause_s = recorder, recorder.journal, limits, pause_s
        self._topics = Topics(recorder.journal.site, recorder.journal.table)
        self._came = asyncio.Event()
        self._arrived: dict[str, list[ReceiptDocument]] = {}
        self._fits: dict[str, ReceiptDocument] = {}
        """By store: its newest receipt that fits the journal."""
        self._noted_at: dict[str, float] = {}
        """By store: when its last entry was made, by the loop's clock."""
        self._rejections = RateLimitedLog(log)

    def take(self, message: Message) -> None:
        """A message on a receipt topic of this table."""
        store, payload = self._topics.store_of(str(message.topic)), bytes(message.payload)
        if store is None or not payload:
            return
        if not _NAME.fullmatch(store) or len(payload) > MOST_BYTES:
            self._rejections.warn(f"a receipt on {message.topic} was rejected: its name or its size")
            return
        if store not in self._known_stores and len(self._known_stores) >= MOST_STORES:
            self._rejections.warn(f"a receipt of {store} was rejected: a table takes those of {MOST_STORES} stores")
            return
        try:
            receipt: ReceiptDocument = read_json(payload, ReceiptDocument)
        except Unreadable as error:
            self._rejections.warn(f"a receipt of {store} was rejected: {error}")
            return
        self._arrived[store] = [*self._arrived.get(store, ()), receipt][-_MOST_WAITING:]
        self._came.set()

    @property
    def _known_stores(self) -> set[str]:
        return {*self._recorder.engine.state.stores, *self._arrived, *self._fits}

    @contextlib.asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Compares the receipts in the journal. At the end, notes what is not noted yet. Entered after the first entry
        of this run."""
        for store, stored in self._recorder.engine.state.stores.items():
            await self._compare(store, ReceiptDocument(self._journal.id, stored.seq, stored.link, stored.at))
        try:
            yield
        finally:
            await self._note(pause_s=0)

    async def run(self) -> NoReturn:
        while True:
            await self.look()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(self._pause_s):
                    await self._came.wait()

    async def look(self) -> None:
        """Does whatever is due."""
        self._came.clear()
        arrived, self._arrived = self._arrived, {}
        for store, receipts in arrived.items():
            for receipt in receipts:
                await self._compare(store, receipt)
        await self._note(self._pause_s)
        await self._watch_late()

    async def _compare(self, store: str, receipt: ReceiptDocument) -> None:
        if receipt.journal != self._journal.id:
            # The store keeps each journal by itself; `rolled_back` is about one that took the place of another.
            self._rejections.warn(f"a receipt of {store} is for another journal, {receipt.journal}")
            return
        try:
            own_link = self._link_of(receipt.seq)
        except JournalError as error:
            self._rejections.warn(f"a receipt of {store} could not be compared: {error}")
            return
        if own_link != receipt.link:
            text = f"{store} has event {receipt.seq} with the link {receipt.link}; this journal has none such"
            log.error("%s", text)
            await self._set_alarm(STORE_DIFFERS.of(store), text)
        elif receipt.seq > self._confirmed_seq(store):
            self._fits[store] = receipt

    def _link_of(self, seq: int) -> str | None:
        """None where the journal has not come to this event."""
        if seq > self._journal.head.seq:
            return None
        (event,) = self._journal.events_from(seq, 1)
        return event.link.hex()

    def _confirmed_seq(self, store: str) -> int:
        """As far as we know, in the journal or not yet; 0: it has confirmed nothing."""
        fits = self._fits.get(store)
        return self._noted_seq(store) if fits is None else max(fits.seq, self._noted_seq(store))

    def _noted_seq(self, store: str) -> int:
        stored = self._recorder.engine.state.stores.get(store)
        return 0 if stored is None else stored.seq

    async def _note(self, pause_s: float) -> None:
        now = asyncio.get_running_loop().time()
        for store, receipt in self._fits.items():
            is_due = store not in self._noted_at or now - self._noted_at[store] >= pause_s
            if is_due and receipt.seq > self._noted_seq(store):
                body = StoreConfirmed(store, receipt.seq, receipt.link, receipt.at)
                try:
                    await self._recorder.submit(body, f"store:{store}")
                except JournalError as error:
                    log.warning("the receipt of %s could not be noted: %s", store, error)
                else:
                    self._noted_at[store] = now

    async def _watch_late(self) -> None:
        stores = self._limits().stores
        for store in stores:
            minutes = self._limits().store_late_minutes
            text = f"{store} has not confirmed events that are more than {minutes} minutes old"
            await self._set_alarm(STORE_LATE.of(store), text if self._is_late(store, minutes) else None)
        ours = {STORE_LATE.of(store) for store in stores}
        for alarm in [name for name in self._recorder.engine.state.alarms if name.startswith(STORE_LATE.of(""))]:
            if alarm not in ours:
                await self._set_alarm(STORE_LATE.of(alarm.removeprefix(STORE_LATE.of(""))), None)

    def _is_late(self, store: str, minutes: int) -> bool:
        next_seq = self._confirmed_seq(store) + 1
        if next_seq > self._journal.head.seq:
            return False
        try:
            (event,) = self._journal.events_from(next_seq, 1)
        except JournalError:
            return True  # it is in an archive that is away, or was deleted before this store was named
        return self._recorder.clock.now_ms() - event.at > minutes * _MINUTE_MS

    async def _set_alarm(self, alarm: AlarmName, text: str | None) -> None:
        with contextlib.suppress(JournalError):  # the table is held by that
            await set_alarm(self._recorder, alarm, text)
