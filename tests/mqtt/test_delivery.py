"""Exactly the journal reaches a subscriber, whatever happens on the way: cut wires, slow and forgetful brokers."""

from __future__ import annotations

import asyncio
import json
import shutil
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest
from aiomqtt import Message

from controller.engine.inputs import BoardSeen, ShoeStarted
from controller.journal import Journal, JournalReader
from controller.mqtt import MqttSettings, Publisher
from controller.mqtt.device_alarm_documents import DeviceAlarmDocuments
from tests.support.journals import SITE, TABLE, a_state, card_out, dealt, open_journal
from tests.support.project import ROOT
from tests.support.running.askers import AskedTable, asked_table
from tests.support.running.brokers import (
    Mosquitto,
    ScriptedBroker,
    Subscriber,
    bytes_of,
    eventually,
    mosquitto,
    needs_mosquitto,
)
from tests.support.wire.proxies import random_cuts, wire

pytestmark = [pytest.mark.broker, needs_mosquitto]

BASE = f"cutcard/v2/{SITE}/{TABLE}"
CONSUMER = ROOT / "docs" / "mqtt" / "examples" / "consumer.py"


def settings(port: int) -> MqttSettings:
    return MqttSettings(host="127.0.0.1", port=port, client_id="t7")


def seq_of(message: Message) -> int:
    return int(msgspec.json.decode(bytes_of(message))["seq"])


def without_mark(said: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in said.items() if name != "historical"}


def assert_exactly_the_journal(received: list[Message], journal: Journal) -> None:
    """After repeats by seq are removed: nothing is missing, nothing is new, and it came in order."""
    first: dict[int, dict[str, Any]] = {}
    for message in received:
        said = without_mark(msgspec.json.decode(bytes_of(message)))
        assert first.setdefault(said["seq"], said) == said
    assert list(first) == list(range(1, journal.head.seq + 1)), "a hole, or out of order"
    for event, said in zip(journal.events_from(1, len(first)), first.values(), strict=True):
        assert msgspec.json.decode(event.body) == said["body"]
        assert (event.round, event.at, event.hash.hex()) == (said["round"], said["at"], said["hash"])


async def deal(journal: Journal, publisher: Publisher, inputs: int) -> None:
    """A busy table, never far ahead of what has been published, so that the run is as long as its outages."""
    for start in range(0, inputs, 20):
        numbers = range(start, start + 20)
        await asyncio.gather(*(journal.append(1 + n // 10, card_out(n), dealt(n)) for n in numbers))
        await publisher.published(journal.head.seq - 100)


async def test_a_wire_that_is_cut_at_any_byte_loses_nothing(tmp_path: Path) -> None:
    seed = 20_260
    cuts = random_cuts(seed, times=20, most=30_000)
    with mosquitto(tmp_path) as broker, open_journal(tmp_path / "journal.db") as journal:
        async with wire(broker.port) as between, Subscriber.listening(broker.port, f"{BASE}/event/#") as cardroom:
            between.cut_after(cuts)
            publisher = Publisher(journal, settings(between.port), session="run-1")
            publisher.start()
            dealing = asyncio.create_task(deal(journal, publisher, 2000))
            await between.until_cut(len(cuts))
            await dealing
            last = journal.head.seq
            await publisher.published(last)
            await cardroom.until(lambda received: bool(received) and seq_of(received[-1]) == last)
            await publisher.stop()
        assert_exactly_the_journal(cardroom.received, journal)
        assert len(cardroom.received) > last, "what was not acknowledged was sent again"


async def test_a_slow_broker_gets_everything_and_no_more_at_once_than_it_can_take(tmp_path: Path) -> None:
    with mosquitto(tmp_path) as broker, open_journal(tmp_path / "journal.db") as journal:
        async with (
            wire(broker.port, bytes_a_second=100_000) as between,
            Subscriber.listening(broker.port, f"{BASE}/event/#") as cardroom,
        ):
            publisher = Publisher(journal, settings(between.port), session="run-1")
            publisher.start()
            for n in range(300):
                await journal.append(1, card_out(n), dealt(n))
            await publisher.published(journal.head.seq)
            await cardroom.until(lambda received: bool(received) and seq_of(received[-1]) == journal.head.seq)
            await publisher.stop()
        assert_exactly_the_journal(cardroom.received, journal)
        assert len(cardroom.received) == journal.head.seq


@asynccontextmanager
async def consumer(port: int, file: Path) -> AsyncIterator[Process]:
    """The reference consumer of docs/mqtt/examples, as anybody would run it."""
    arguments = ["127.0.0.1", str(port), SITE, TABLE, "wall", str(file)]
    process = await asyncio.create_subprocess_exec(sys.executable, str(CONSUMER), *arguments, stdout=PIPE, stderr=PIPE)
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


async def lines(process: Process, count: int) -> list[dict[str, Any]]:
    assert process.stdout is not None
    async with asyncio.timeout(60):
        return [json.loads(await process.stdout.readline()) for _ in range(count)]


@asynccontextmanager
async def published(table: AskedTable, port: int) -> AsyncIterator[Publisher]:
    """A table on the air: events, answers, documents."""
    publisher = Publisher(
        table.journal, settings(port), session="run-1", clock=lambda: table.now, on_request=table.gate.take
    )
    table.answer = publisher.answer
    table.use_the_time_of_day()

    def tell(_: object) -> None:
        seq = table.journal.head.seq
        publisher.state_changed(a_state("as it is", seq=seq, journal=table.journal.id))

    table.recorder.listen(tell)
    tell(())
    publisher.start()
    try:
        assert await publisher.first_attempt() is None
        yield publisher
    finally:
        await publisher.stop()


async def test_the_reference_consumer_fills_the_holes_that_a_full_queue_leaves(tmp_path: Path) -> None:
    """The broker keeps 300 messages for a subscriber who is away, and forgets the rest without a word."""
    with mosquitto(tmp_path, "allow_anonymous true", "max_queued_messages 300") as broker:
        async with asked_table(tmp_path) as table, published(table, broker.port) as publisher:
            file, seen = tmp_path / "last-seq", []
            async with consumer(broker.port, file) as watching:
                await table.happens(*[ShoeStarted(8)] * 5)
                seen += await lines(watching, table.journal.head.seq)
                await eventually(lambda: json.loads(file.read_text())["last"] == table.journal.head.seq)
            await table.happens(*[ShoeStarted(8)] * 400)
            await publisher.published(table.journal.head.seq)
            assert table.journal.head.seq - seen[-1]["seq"] > 700
            async with consumer(broker.port, file) as watching:
                await table.happens(ShoeStarted(8))
                seen += await lines(watching, table.journal.head.seq - seen[-1]["seq"])
            assert [said["seq"] for said in seen] == list(range(1, table.journal.head.seq + 1))
            assert [said["body"] for said in seen] == table.events()
            assert sum("historical" in said for said in seen) > 300


async def test_the_reference_consumer_says_rolled_back_when_an_older_journal_plays_on(tmp_path: Path) -> None:
    data, file = tmp_path / "data", tmp_path / "last"
    data.mkdir()
    with mosquitto(tmp_path) as broker:
        async with asked_table(data) as table, published(table, broker.port):
            await table.happens(*[ShoeStarted(8)] * 3)
        shutil.copy(data / "journal.db", tmp_path / "yesterday.db")
        async with asked_table(data) as table, published(table, broker.port), consumer(broker.port, file) as watching:
            await table.happens(*[ShoeStarted(8)] * 3)
            await lines(watching, table.journal.head.seq)
        shutil.copy(tmp_path / "yesterday.db", data / "journal.db")
        async with asked_table(data) as table, published(table, broker.port), consumer(broker.port, file) as watching:
            await table.happens(*[ShoeStarted(4)] * 9)
            async with asyncio.timeout(60):
                assert await watching.wait() == 1
            assert watching.stderr is not None
            assert b"ROLLED BACK: event" in await watching.stderr.read()


async def a_run(folder: Path, broker: Mosquitto, file: Path) -> tuple[str, list[dict[str, Any]]]:
    """A table of this folder, and what the consumer gets of it."""
    async with asked_table(folder) as table, published(table, broker.port), consumer(broker.port, file) as watching:
        await table.happens(*[ShoeStarted(8)] * 3)
        seen = await lines(watching, table.journal.head.seq)
        await eventually(lambda: json.loads(file.read_text())["last"] == table.journal.head.seq)
        return table.journal.id, seen


async def test_the_reference_consumer_begins_a_new_series_with_a_new_journal(tmp_path: Path) -> None:
    file, folders = tmp_path / "last", (tmp_path / "one", tmp_path / "two")
    with mosquitto(tmp_path) as broker:
        for folder in folders:
            folder.mkdir()
            journal, seen = await a_run(folder, broker, file)
            assert [(said["journal"], said["seq"]) for said in seen] == [(journal, n + 1) for n in range(len(seen))]
    with JournalReader.read(folders[0] / "journal.db") as first:
        assert file.with_name(f"last.{first.id}").exists(), "the first series is kept apart"


async def test_what_happened_before_the_connection_is_marked_as_history(tmp_path: Path) -> None:
    async with ScriptedBroker() as broker:
        with open_journal(tmp_path / "journal.db") as journal:
            journal.append_now(1, card_out(1), dealt(1))
            publisher = Publisher(journal, settings(broker.port), session="run-1")
            publisher.start()
            ((packet, _, _),) = await broker.next()
            broker.acknowledge(packet)
            ((packet, _, payload),) = await broker.next()
            assert msgspec.json.decode(payload)["historical"] is True
            broker.acknowledge(packet)
            await journal.append(1, card_out(4), dealt(4))
            ((packet, _, payload),) = await broker.next()
            assert "historical" not in msgspec.json.decode(payload)
            broker.hang_up()
            ((packet, _, _),) = await broker.next()
            broker.acknowledge(packet)
            ((packet, _, payload),) = await broker.next()
            said = msgspec.json.decode(payload)
            assert (said["seq"], said["historical"]) == (2, True), "the same event, published late"
            broker.acknowledge(packet)
            await publisher.published(2)
            await publisher.stop(drain=0)


async def test_each_alarm_has_a_topic_of_its_own_that_a_forgetful_broker_gets_again(tmp_path: Path) -> None:
    with mosquitto(tmp_path) as broker:
        async with asked_table(tmp_path) as table, published(table, broker.port) as publisher:
            documents = DeviceAlarmDocuments(publisher, table.recorder.journal)
            table.recorder.listen(lambda _: documents.renew(table.recorder.engine.state))
            await table.happens(BoardSeen("disk_low", True, "only 5 MB are free"), BoardSeen("capture", True, "a wire"))
            await table.recorder.submit(BoardSeen("capture", False), "board")
            await alarms_are(broker, {"disk_low": ("raised", None), "capture": ("cleared", None)})
            answer = await acknowledged(table, "disk_low")
            assert answer["ok"]
            await alarms_are(broker, {"disk_low": ("raised", "floor:pit-desk"), "capture": ("cleared", None)})
            broker.kill()
            broker.start()
            await alarms_are(broker, {"disk_low": ("raised", "floor:pit-desk"), "capture": ("cleared", None)})


async def acknowledged(table: AskedTable, alarm: str) -> dict[str, Any]:
    table.answer = table.write_down
    return await table.ask("floor", "acknowledge", alarm=alarm)


async def alarms_are(broker: Mosquitto, due: dict[str, tuple[str, str | None]]) -> None:
    """What a client receives that subscribes now."""

    def alarms(received: list[Message]) -> dict[str, tuple[str, str | None]]:
        said = [msgspec.json.decode(bytes_of(message)) for message in received]
        return {document["alarm"]: (document["state"], document["acknowledged_by"]) for document in said}

    async with Subscriber.listening(broker.port, f"{BASE}/alarm/+", client_id="late") as late:
        await late.until(lambda received: alarms(received) == due, within=20)
