"""The publisher against a broker that does what the test says: windows, acknowledgements, refusals, silence."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest

from controller.journal import Journal
from controller.mqtt import BrokerAway, BrokerRefused, MqttSettings, Publisher, Topics
from tests.support.journals import AT, JOURNAL_ID, SITE, TABLE, a_device, a_state, card_out, open_journal, started
from tests.support.running.brokers import ScriptedBroker, free_port

BASE = f"cutcard/v2/{SITE}/{TABLE}"
NOT_AUTHORIZED = 0x87
STARTED = [b'{"kind":"table_started","version":"0.1.0","ruleset":"r","digest":"d"}']
EVENT = [b'{"kind":"card_dealt","to":"player","nth":1,"card":"9h"}']


@asynccontextmanager
async def table(
    tmp_path: Path, port: int, *, events: int = 0, patience: float = 30.0
) -> AsyncIterator[tuple[Journal, Publisher]]:
    """A table with some events in its journal and a publisher at work."""
    with open_journal(tmp_path / "journal.db") as journal:
        for n in range(events):
            journal.append_now(1, card_out(n), EVENT)
        settings = MqttSettings(host="127.0.0.1", port=port, client_id="t7")
        publisher = Publisher(journal, settings, session="run-1", clock=lambda: AT, patience=patience)
        publisher.start()
        try:
            yield journal, publisher
        finally:
            await publisher.stop(drain=0)


async def met(broker: ScriptedBroker) -> None:
    """Takes the greeting and acknowledges it."""
    ((packet, topic, payload),) = await broker.next()
    assert topic == f"{BASE}/online"
    online = {"document": "online", "online": True, "session": "run-1", "journal": JOURNAL_ID, "since": AT}
    assert msgspec.json.decode(payload) == online
    broker.acknowledge(packet)


async def taken(broker: ScriptedBroker, count: int) -> list[tuple[int, str, bytes]]:
    """Takes messages and acknowledges each as it comes: the publisher dares one more at once for each."""
    messages = []
    for _ in range(count):
        (message,) = await broker.next()
        broker.acknowledge(message[0])
        messages.append(message)
    return messages


async def test_the_topics_are_those_of_the_design() -> None:
    topics, own = Topics(SITE, TABLE), f"{SITE}/{TABLE}"
    assert topics.event("card_dealt") == f"{BASE}/event/card_dealt"
    assert topics.device("shoe") == f"{BASE}/device/shoe"
    assert topics.command("floor", "pit-desk", "void") == f"cutcard/v2/command/pit-desk/floor/{own}/void"
    assert topics.reply("floor", "pit-desk") == f"cutcard/v2/reply/pit-desk/floor/{own}"
    assert topics.alarm("device_away:shoe") == f"{BASE}/alarm/device_away:shoe"
    assert (topics.state, topics.online) == (f"{BASE}/state", f"{BASE}/online")
    for name in ("", "a/b", "+", "#", "a\0b"):
        with pytest.raises(ValueError):
            topics.event(name)


async def test_an_event_carries_all_that_a_subscriber_needs(tmp_path: Path) -> None:
    async with ScriptedBroker() as broker, table(tmp_path, broker.port) as (journal, _):
        await met(broker)
        entry = await journal.append(12, card_out(3), EVENT)
        ((_, topic, payload),) = await broker.next()
        assert topic == f"{BASE}/event/card_dealt"
        assert msgspec.json.decode(payload) == {
            "seq": 1,
            "journal": JOURNAL_ID,
            "site": SITE,
            "table": TABLE,
            "round": 12,
            "round_id": f"{JOURNAL_ID}-12",
            "at": AT + 3000,
            "kind": "card_dealt",
            "currency": "USD",
            "body": {"kind": "card_dealt", "to": "player", "nth": 1, "card": "9h"},
            "hash": entry.hash.hex(),
            "link": journal.public_head.link.hex(),
        }


async def test_an_event_of_a_table_in_test_mode_says_so(tmp_path: Path) -> None:
    async with ScriptedBroker() as broker, table(tmp_path, broker.port) as (journal, _):
        await met(broker)
        await journal.append(0, started(test=True), STARTED)
        await journal.append(1, card_out(1), EVENT)
        await journal.append(0, started(test=False), STARTED)
        said = [msgspec.json.decode(payload) for _, _, payload in await taken(broker, 3)]
        assert [event.get("test") for event in said] == [True, True, None]


async def test_a_bounded_number_of_events_is_in_flight(tmp_path: Path) -> None:
    async with ScriptedBroker() as broker, table(tmp_path, broker.port, events=200):
        await met(broker)
        assert [seq(message) for message in await taken(broker, 80)] == list(range(1, 81))
        in_flight = await broker.next(64)
        assert [seq(message) for message in in_flight] == list(range(81, 145))
        await loop_turns()
        assert broker.received.empty()
        for packet, _, _ in in_flight[:10]:
            broker.acknowledge(packet)
        assert [seq(message) for message in await broker.next(10)] == list(range(145, 155))
        await loop_turns()
        assert broker.received.empty()


async def test_a_connection_begins_with_one_message_at_a_time(tmp_path: Path) -> None:
    """So that the answer of a broker that refuses it and hangs up is not lost with what was sent after it."""
    async with ScriptedBroker() as broker, table(tmp_path, broker.port, events=9):
        ((greeting, _, _),) = await broker.next()
        await loop_turns()
        assert broker.received.empty()
        broker.acknowledge(greeting)
        ((first, _, _),) = await broker.next()
        await loop_turns()
        assert broker.received.empty()
        broker.acknowledge(first)
        assert len(await broker.next(2)) == 2
        await loop_turns()
        assert broker.received.empty()


async def test_a_broker_that_wants_fewer_in_flight_gets_fewer(tmp_path: Path) -> None:
    receive_maximum_3 = b"\x00\x00\x03\x21\x00\x03"
    async with ScriptedBroker(receive_maximum_3) as broker, table(tmp_path, broker.port, events=9):
        await met(broker)
        await taken(broker, 5)
        assert len(await broker.next(3)) == 3
        await loop_turns()
        assert broker.received.empty()


async def test_the_cursor_waits_for_the_earliest_event_that_is_not_acknowledged(tmp_path: Path) -> None:
    async with ScriptedBroker() as broker, table(tmp_path, broker.port, events=10) as (_, publisher):
        await met(broker)
        await taken(broker, 5)
        packets = [packet for packet, _, _ in await broker.next(5)]
        for packet in (packets[4], packets[2], packets[1]):
            broker.acknowledge(packet)
        await loop_turns()
        assert publisher.acknowledged_seq == 5
        broker.acknowledge(packets[0])
        await publisher.published(8)
        assert publisher.acknowledged_seq == 8

        broker.hang_up()
        await met(broker)
        assert [seq(message) for message in await taken(broker, 2)] == [9, 10]


async def test_the_durable_cursor_follows_and_a_stop_brings_it_up_to_date(tmp_path: Path) -> None:
    async with ScriptedBroker() as broker:
        async with table(tmp_path, broker.port, events=3) as (journal, publisher):
            await met(broker)
            await taken(broker, 3)
            await publisher.published(3)
            await publisher.stop(drain=0)
            assert journal.cursor == 3
        with open_journal(tmp_path / "journal.db") as journal:
            assert journal.cursor == 3


async def test_an_event_that_the_broker_refuses_is_never_passed_over(tmp_path: Path) -> None:
    """MQTT 5 acknowledges what it refuses, with the reason: that is no acknowledgement."""
    async with ScriptedBroker() as broker, table(tmp_path, broker.port, events=6) as (_, publisher):
        await met(broker)
        await taken(broker, 3)
        packets = [packet for packet, _, _ in await broker.next(3)]
        broker.acknowledge(packets[1], NOT_AUTHORIZED)
        broker.acknowledge(packets[2])
        broker.acknowledge(packets[0])
        ((greeting, _, _),) = await broker.next()
        assert broker.connections == 2
        assert isinstance(publisher.last_error, BrokerRefused)
        assert f"{BASE}/event/card_dealt" in str(publisher.last_error)
        assert "\n" not in str(publisher.last_error)
        broker.acknowledge(greeting)
        assert publisher.acknowledged_seq == 4
        assert [seq(message) for message in await taken(broker, 2)] == [5, 6]
        await publisher.published(6)
        assert publisher.last_error is None


async def test_a_table_whose_greeting_is_refused_is_refused_at_the_start(tmp_path: Path) -> None:
    async with ScriptedBroker() as broker, table(tmp_path, broker.port) as (_, publisher):
        ((packet, _, _),) = await broker.next()
        broker.acknowledge(packet, NOT_AUTHORIZED)
        problem = await publisher.first_attempt()
        assert isinstance(problem, BrokerRefused)
        assert f"{BASE}/online" in str(problem)


async def test_a_broker_that_acknowledges_nothing_is_left_and_tried_again(tmp_path: Path) -> None:
    async with ScriptedBroker() as broker, table(tmp_path, broker.port, events=2, patience=1.0) as (_, publisher):
        await met(broker)
        assert [seq(message) for message in await broker.next()] == [1]
        ((greeting, _, _),) = await broker.next()
        assert broker.connections == 2
        assert isinstance(publisher.last_error, BrokerAway)
        assert "acknowledged nothing" in str(publisher.last_error)
        broker.acknowledge(greeting)
        assert [seq(message) for message in await taken(broker, 2)] == [1, 2]


async def test_a_broker_of_the_old_protocol_is_refused_with_the_way_out(tmp_path: Path) -> None:
    unacceptable_protocol = b"\x00\x01"
    async with ScriptedBroker(unacceptable_protocol) as broker, table(tmp_path, broker.port) as (_, publisher):
        problem = await publisher.first_attempt()
        assert isinstance(problem, BrokerRefused)
        assert 'mqtt.broker.version = "3.1.1"' in str(problem)


async def test_a_busy_broker_is_away_not_refusing(tmp_path: Path) -> None:
    server_busy = b"\x00\x89\x00"
    async with ScriptedBroker(server_busy) as broker, table(tmp_path, broker.port) as (_, publisher):
        assert isinstance(await publisher.first_attempt(), BrokerAway)


async def test_a_broker_that_is_not_there_is_away(tmp_path: Path) -> None:
    async with table(tmp_path, free_port(), events=2) as (journal, publisher):
        problem = await publisher.first_attempt()
        assert isinstance(problem, BrokerAway)
        assert "is away" in str(problem)
        assert "\n" not in str(problem)
        assert publisher.last_error is problem
        await journal.append(1, card_out(1), EVENT)


async def test_a_broker_that_hangs_up_before_answering_is_away_at_once(tmp_path: Path) -> None:
    async def hang_up(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.close()

    server = await asyncio.start_server(hang_up, "127.0.0.1", 0)
    async with server, table(tmp_path, server.sockets[0].getsockname()[1]) as (_, publisher):
        async with asyncio.timeout(2):
            problem = await publisher.first_attempt()
        assert isinstance(problem, BrokerAway)
        assert "before answering" in str(problem)


async def test_stopping_does_not_wait_for_a_broker_that_is_away_or_silent(tmp_path: Path) -> None:
    async with table(tmp_path, free_port(), events=2) as (_, publisher):
        await publisher.first_attempt()
        async with asyncio.timeout(30):
            await publisher.stop(drain=60)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        (tmp_path / "second").mkdir()
        async with table(tmp_path / "second", silent.getsockname()[1]) as (_, publisher):
            async with asyncio.timeout(6):
                await publisher.stop(drain=0.1)


async def test_the_state_follows_the_events_that_led_to_it(tmp_path: Path) -> None:
    async with ScriptedBroker() as broker, table(tmp_path, broker.port, events=8) as (journal, publisher):
        publisher.state_changed(a_state("after 8"))
        await met(broker)
        first = await broker.next()
        publisher.state_changed(a_state("after 8, newer"))
        await journal.append(1, card_out(9), EVENT)
        publisher.state_changed(a_state("after 9"))
        for packet, _, _ in first:
            broker.acknowledge(packet)
        rest = await taken(broker, 10)
        assert [seq(message) for message in rest[:7]] == list(range(2, 9))
        assert rest[7][1:] == (f"{BASE}/state", a_state("after 8"))
        assert seq(rest[8]) == 9
        assert rest[9][1:] == (f"{BASE}/state", a_state("after 9"))


async def test_only_the_latest_state_of_a_device_is_sent(tmp_path: Path) -> None:
    async with ScriptedBroker() as broker, table(tmp_path, broker.port) as (_, publisher):
        publisher.device_changed("shoe", a_device("shoe", "away"))
        publisher.device_changed("shoe", a_device("shoe", "ready"))
        await met(broker)
        topic = f"{BASE}/device/shoe"
        assert [message[1:] for message in await taken(broker, 1)] == [(topic, a_device("shoe", "ready"))]
        publisher.device_changed("shoe", a_device("shoe", "jam"))
        assert [message[1:] for message in await taken(broker, 1)] == [(topic, a_device("shoe", "jam"))]


async def test_a_missing_password_file_is_named_and_the_table_plays_on(tmp_path: Path) -> None:
    async with ScriptedBroker() as broker:
        with open_journal(tmp_path / "journal.db") as journal:
            settings = MqttSettings(
                host="127.0.0.1",
                port=broker.port,
                client_id="t7",
                username="t7",
                password_file=str(tmp_path / "password"),
            )
            publisher = Publisher(journal, settings, session="run-1", clock=lambda: AT)
            publisher.start()
            problem = await publisher.first_attempt()
            assert isinstance(problem, BrokerRefused)
            assert str(tmp_path / "password") in str(problem)
            (tmp_path / "password").touch(mode=0o600)
            (tmp_path / "password").write_text("open sesame\n")
            await met(broker)
            await publisher.stop(drain=0)


def seq(message: tuple[int, str, bytes]) -> int:
    said: Any = msgspec.json.decode(message[2])
    return int(said["seq"])


async def loop_turns() -> None:
    """Lets everything happen that can: both ends of the loopback connection are on this loop."""
    for _ in range(200):
        await asyncio.sleep(0)
