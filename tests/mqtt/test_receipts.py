"""Receipts: what a store confirms is compared with the journal, noted, shown, and decides what may be deleted."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import aiomqtt
import msgspec
import pytest

from controller.clock import SystemClock
from controller.config import JournalConfig
from controller.contract.topics import Topics
from controller.engine.inputs import AlarmExplained, BoardSeen, decode_input
from controller.journal import Journal
from controller.journal.published import read_input
from controller.mqtt.receipts import MOST_STORES, Receipts
from tests.support import contract_checks
from tests.support.journals import SITE, TABLE
from tests.support.running.askers import AskedTable, asked_table

TOPICS = Topics(SITE, TABLE)
STORE = "books"


def receipt(of: Journal, last: int, **changed: Any) -> bytes:
    """What a store sends that has everything up to this event, as it was published."""
    (event,) = of.events_from(last, 1)
    true = {"document": "receipt", "journal": of.id, "seq": last, "link": event.link.hex(), "at": 1763260000000}
    return msgspec.json.encode({**true, **changed})


class LaterClock(SystemClock):
    """Time that has passed without waiting for it."""

    ahead_ms = 0

    def now_ms(self) -> int:
        return super().now_ms() + self.ahead_ms

    def elapsed_ms(self) -> int:
        return super().elapsed_ms() + self.ahead_ms


class Stores:
    """The stores of one table, without a broker between."""

    def __init__(self, table: AskedTable, limits: JournalConfig, pause_s: float = 0.0) -> None:
        self.table, self.limits = table, limits
        self.clock = table.recorder.clock = LaterClock()
        self.receipts = Receipts(table.recorder, lambda: self.limits, pause_s)

    async def send(self, payload: bytes, store: str = STORE) -> None:
        topic = TOPICS.receipt(store)
        assert payload.startswith(b"not") or contract_checks.problem(topic, payload) is None
        self.receipts.take(aiomqtt.Message(topic, payload, 1, True, 1, None))
        await self.receipts.look()

    @property
    def noted(self) -> list[int]:
        """The seqs of the receipts in the journal."""
        entries = self.table.journal.entries()
        inputs = [decode_input(each.input) for each in entries if read_input(each.input).body.kind == "store_confirmed"]
        return [each.body.seq for each in inputs]  # type: ignore[union-attr]

    @property
    def stops(self) -> dict[str, str]:
        return self.table.recorder.engine.state.stops

    def alarm(self, name: str) -> str | None:
        return self.table.recorder.engine.state.alarms.get(f"{name}:{STORE}")


@asynccontextmanager
async def stores(tmp_path: Path, limits: JournalConfig | None = None, pause_s: float = 0.0) -> AsyncIterator[Stores]:
    async with asked_table(tmp_path) as table:
        await table.happens(*(BoardSeen("capture", True, f"note {number}") for number in range(5)))
        yield Stores(table, limits or JournalConfig(), pause_s)


async def test_a_receipt_that_fits_is_noted_in_the_journal_and_causes_no_event(tmp_path: Path) -> None:
    async with stores(tmp_path) as books:
        head = books.table.journal.head
        await books.send(receipt(books.table.journal, head.seq))
        assert books.noted == [head.seq]
        assert books.table.journal.head.seq == head.seq, "the store would have to confirm it again"
        assert books.table.recorder.engine.state.stores[STORE].seq == head.seq
        await books.send(receipt(books.table.journal, head.seq))
        await books.send(receipt(books.table.journal, head.seq - 1))
        assert books.noted == [head.seq], "the same again, and an older one, are nothing new"


async def test_receipts_that_come_faster_than_the_pause_are_one_entry(tmp_path: Path) -> None:
    async with stores(tmp_path, pause_s=3600) as books:
        for seq in range(1, 6):
            await books.send(receipt(books.table.journal, seq))
        assert books.noted == [1], "the first at once, the others when the pause is over"
        async with books.receipts.running():
            pass
        assert books.noted == [1, 5], "and the last one when the table stops"


@pytest.mark.parametrize("wrong", ["another link", "the future"])
async def test_a_receipt_that_does_not_fit_stops_the_table_until_the_floor_states_what_was_found(
    tmp_path: Path, wrong: str
) -> None:
    async with stores(tmp_path) as books:
        table = books.table
        bad = {"link": "ab" * 32} if wrong == "another link" else {"seq": table.journal.head.seq + 1}
        payload = receipt(table.journal, 3, **bad)
        await books.send(payload)
        said = books.alarm("store_differs")
        assert said is not None and said.startswith("books has event")
        assert f"store_differs:{STORE}" in books.stops, "no new round begins"
        assert not books.noted

        await table.recorder.submit(AlarmExplained(f"store_differs:{STORE}", "the store's disk was restored"), "floor")
        assert books.alarm("store_differs") is None and not books.stops
        await books.send(payload)
        assert books.alarm("store_differs") is None, "it was stated"
        await books.send(receipt(table.journal, 2, link="cd" * 32))
        assert books.alarm("store_differs") is not None, "another contradiction was not"


async def test_what_cannot_be_a_receipt_changes_nothing(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    async with stores(tmp_path) as books:
        journal, head = books.table.journal, books.table.journal.head
        for payload in (
            b"not JSON",
            b"not" + b"x" * 2000,
        ):
            await books.send(payload)
        books.receipts.take(aiomqtt.Message(TOPICS.receipt(STORE), b"", 1, True, 1, None))
        extra = {**msgspec.json.decode(receipt(journal, 2)), "colour": "red"}
        books.receipts.take(aiomqtt.Message(TOPICS.receipt(STORE), msgspec.json.encode(extra), 1, True, 1, None))
        await books.send(receipt(journal, 2, journal="0" * 32))
        assert journal.head == head
        assert "for another journal" in caplog.text and "colour" in caplog.text


async def test_a_table_takes_the_receipts_of_a_limited_number_of_stores(tmp_path: Path) -> None:
    async with stores(tmp_path) as books:
        for number in range(MOST_STORES + 3):
            await books.send(receipt(books.table.journal, 1), f"store-{number}")
        assert len(books.table.recorder.engine.state.stores) == MOST_STORES


async def test_a_store_that_is_named_and_late_is_an_alarm_until_it_has_caught_up(tmp_path: Path) -> None:
    async with stores(tmp_path, JournalConfig(stores=(STORE,), store_late_minutes=1)) as books:
        table = books.table
        await books.receipts.look()
        assert books.alarm("store_late") is None, "nothing is a minute old"
        books.clock.ahead_ms += 61_000
        await books.receipts.look()
        assert books.alarm("store_late") == "books has not confirmed events that are more than 1 minutes old"
        await books.send(receipt(table.journal, table.journal.head.seq))
        assert books.alarm("store_late") is None
        await table.happens(BoardSeen("capture", True, "one more"))
        books.clock.ahead_ms += 61_000
        await books.receipts.look()
        assert books.alarm("store_late") is not None
        books.limits = JournalConfig()
        await books.receipts.look()
        assert books.alarm("store_late") is None, "it is named no more"


async def test_an_older_copy_of_the_journal_is_seen_by_the_retained_receipt(tmp_path: Path) -> None:
    async with stores(tmp_path) as books:
        early = export(tmp_path / "early.db", books.table.journal)
        await books.table.happens(*(BoardSeen("capture", True, f"later {number}") for number in range(9)))
        later = receipt(books.table.journal, books.table.journal.head.seq)
        await books.send(later)
        assert books.alarm("store_differs") is None
    put_back(early, tmp_path / "journal.db")
    async with stores(tmp_path) as rolled_back:
        async with rolled_back.receipts.running():
            assert rolled_back.alarm("store_differs") is None, "its own journal does not show it"
        await rolled_back.send(later)
        assert rolled_back.alarm("store_differs") is not None, "the store has events that this journal does not have"


def export(to: Path, journal: Journal) -> Path:
    """A copy of the journal as it is now."""
    with sqlite3.connect(journal.path) as source, sqlite3.connect(to) as copy:
        source.backup(copy)
    return to


def put_back(copy: Path, journal: Path) -> None:
    for file in journal.parent.glob("journal.db*"):
        file.unlink()
    copy.rename(journal)


async def test_it_runs_beside_the_table_and_notes_what_comes(tmp_path: Path) -> None:
    async with stores(tmp_path, pause_s=0.01) as books:
        running = asyncio.create_task(books.receipts.run())
        try:
            journal = books.table.journal
            books.receipts.take(aiomqtt.Message(TOPICS.receipt(STORE), receipt(journal, 4), 1, True, 1, None))
            async with asyncio.timeout(10):
                while not books.noted:  # noqa: ASYNC110
                    await asyncio.sleep(0.005)
        finally:
            running.cancel()
            with suppress(asyncio.CancelledError):
                await running
        assert books.noted == [4]
