"""Exactly the journal reaches a subscriber, whatever happens on the way: cut wires, slow and forgetful brokers."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import msgspec
import pytest
from aiomqtt import Message

from controller.engine.inputs import BoardSeen
from controller.journal import Journal
from controller.mqtt import MqttSettings, Publisher
from controller.mqtt.device_alarm_documents import DeviceAlarmDocuments
from tests.support.journals import SITE, TABLE, card_out, dealt, open_journal
from tests.support.running.askers import AskedTable, asked_table, published
from tests.support.running.brokers import (
    Mosquitto,
    ScriptedBroker,
    Subscriber,
    bytes_of,
    mosquitto,
    needs_mosquitto,
)
from tests.support.wire.proxies import random_cuts, wire

pytestmark = [pytest.mark.broker, needs_mosquitto]

BASE = f"cutcard/v2/{SITE}/{TABLE}"


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
        async with asked_table(tmp_path) as table, published(table, settings(broker.port)) as publisher:
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
    return await table.ask("floor", "acknowledge", alarm=alarm)


async def alarms_are(broker: Mosquitto, due: dict[str, tuple[str, str | None]]) -> None:
    """What a client receives that subscribes now."""

    def alarms(received: list[Message]) -> dict[str, tuple[str, str | None]]:
        said = [msgspec.json.decode(bytes_of(message)) for message in received]
        return {document["alarm"]: (document["state"], document["acknowledged_by"]) for document in said}

    async with Subscriber.listening(broker.port, f"{BASE}/alarm/+", client_id="late") as late:
        await late.until(lambda received: alarms(received) == due, within=20)
