"""Answers share a connection with events: neither holds up the other, and neither can harm the other."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import msgspec
import pytest

from controller.journal import Journal
from controller.mqtt import MqttSettings, Publisher
from controller.mqtt.answers import MOST_WAITING
from tests.support.journals import SITE, TABLE, card_out, open_journal
from tests.support.running.brokers import ScriptedBroker

BASE = f"cutcard/v2/{SITE}/{TABLE}"
REPLY = f"cutcard/v2/reply/wall/monitor/{SITE}/{TABLE}"
NOT_AUTHORIZED = 0x87
EVENT = [b'{"kind":"card_dealt","to":"player","nth":1,"card":"9h"}']


@asynccontextmanager
async def table(tmp_path: Path, port: int, *, events: int) -> AsyncIterator[tuple[Journal, Publisher]]:
    with open_journal(tmp_path / "journal.db") as journal:
        for n in range(events):
            journal.append_now(1, card_out(n), EVENT)
        publisher = Publisher(journal, MqttSettings(host="127.0.0.1", port=port, client_id="t7"), session="run-1")
        publisher.start()
        try:
            yield journal, publisher
        finally:
            await publisher.stop(drain=0)


def answers(count: int) -> Iterator[bytes]:
    for n in range(count):
        yield b'{"id":"r%d","ok":true}' % n


async def greeted(broker: ScriptedBroker, publisher: Publisher) -> None:
    ((packet, _, _),) = await broker.next()
    broker.acknowledge(packet)
    assert await publisher.first_attempt() is None


async def test_a_backlog_and_a_long_answer_take_turns(tmp_path: Path) -> None:
    async with ScriptedBroker() as broker, table(tmp_path, broker.port, events=600) as (_, publisher):
        await greeted(broker, publisher)
        publisher.answer(REPLY, answers(1000), None)
        topics = []
        for _ in range(600):
            ((packet, topic, _),) = await broker.next()
            broker.acknowledge(packet)
            topics.append(topic == REPLY)
        assert 70 <= sum(topics[400:]) <= 130, "about half of what was sent, once the window is open"


async def test_an_answer_that_the_broker_refuses_costs_no_event(tmp_path: Path) -> None:
    async with ScriptedBroker() as broker, table(tmp_path, broker.port, events=0) as (journal, publisher):
        await greeted(broker, publisher)
        publisher.answer(REPLY, answers(1), None)
        ((packet, topic, _),) = await broker.next()
        assert topic == REPLY
        broker.acknowledge(packet, NOT_AUTHORIZED)
        entry = await journal.append(1, card_out(1), EVENT)
        ((packet, topic, payload),) = await broker.next()
        assert (topic, msgspec.json.decode(payload)["seq"]) == (f"{BASE}/event/card_dealt", 1)
        broker.acknowledge(packet)
        await publisher.published(entry.head.seq)
        assert broker.connections == 1


async def test_a_flood_of_refusals_takes_a_bounded_place_and_every_topic_gets_an_answer(tmp_path: Path) -> None:
    """The broker acknowledges nothing while they come: 5,000 of one client, ten of another."""
    other = f"{REPLY}/2"
    async with ScriptedBroker() as broker, table(tmp_path, broker.port, events=0) as (_, publisher):
        await greeted(broker, publisher)
        for topic in [REPLY] * 5000 + [other] * 10:
            publisher.answer(topic, iter((b'{"id":"r","ok":false}',)), None)
        received: list[tuple[str, dict[str, str]]] = []
        while len(received) < MOST_WAITING + 2:
            ((packet, topic, payload),) = await broker.next()
            broker.acknowledge(packet)
            received.append((topic, msgspec.json.decode(payload)))
        assert [topic for topic, _ in received] == [REPLY] * (MOST_WAITING + 1) + [other]
        for (_, answer), count in zip(received[-2:], (5000 - MOST_WAITING, 10), strict=True):
            assert answer["why"] == "too_many" and answer["text"].startswith(f"{count} requests got no answer")
        publisher.answer(other, answers(1), None)
        ((packet, topic, payload),) = await broker.next()
        assert (topic, payload) == (other, next(answers(1))), "the flood is over"


async def test_answers_are_lost_with_their_connection_and_events_are_not(tmp_path: Path) -> None:
    async with ScriptedBroker() as broker, table(tmp_path, broker.port, events=3) as (_, publisher):
        await greeted(broker, publisher)
        publisher.answer(REPLY, answers(100), None)
        await broker.next(2)
        broker.hang_up()
        received: list[str] = []
        while "event/card_dealt" not in "".join(received[-1:]):
            ((packet, topic, payload),) = await broker.next()
            if b'"online":true' in payload:
                received.clear()
            received.append(topic)
            broker.acknowledge(packet)
        assert REPLY not in received


async def test_a_broker_that_knows_no_mqtt_5_gets_no_commands_and_the_log_says_so(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with open_journal(tmp_path / "journal.db") as journal:
        old = MqttSettings(host="127.0.0.1", port=1, client_id="t7", version="3.1.1")
        publisher = Publisher(journal, old, session="run-1", on_request=lambda _: None)
        publisher.start()
        await publisher.stop(drain=0)
        assert "takes no commands" in caplog.text
