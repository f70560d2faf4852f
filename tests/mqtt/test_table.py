"""The whole daemon and a real broker: commands reach the table, a killed daemon comes back with everything."""

from __future__ import annotations

import asyncio
import time
import uuid
from pathlib import Path
from typing import Any

import aiohttp
import aiomqtt
import msgspec
import pytest
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties

from controller.contract.topics import Topics
from tests.support.running.brokers import Subscriber, bytes_of, eventually, mosquitto, needs_mosquitto
from tests.support.running.tables import LaidTable, laid_table

pytestmark = [pytest.mark.broker, needs_mosquitto]

RETIRED = 3
"""The exit code of a daemon whose table is out of use, at every broker: docs/mqtt/README.md."""
BASE, TOPICS = "cutcard/v2/test/t-1", Topics("test", "t-1")


async def ask(port: int, role: str, command: str, **fields: Any) -> dict[str, Any]:
    """One request of the client "desk", over the broker, and its answer."""
    number = uuid.uuid4().hex
    reply = f"{TOPICS.reply(role, 'desk')}/{number}"
    properties = Properties(PacketTypes.PUBLISH)  # type: ignore[no-untyped-call]
    properties.ResponseTopic = reply
    properties.CorrelationData = number.encode()
    request = {"id": number, "expires": time.time_ns() // 1_000_000 + 60_000, **fields}
    async with asyncio.timeout(30), aiomqtt.Client("127.0.0.1", port, protocol=aiomqtt.ProtocolVersion.V5) as client:
        await client.subscribe(reply, qos=1)
        await client.publish(
            TOPICS.command(role, "desk", command), msgspec.json.encode(request), qos=1, properties=properties
        )
        async for message in client.messages:
            assert message.properties is not None
            assert message.properties.CorrelationData == number.encode()  # type: ignore[attr-defined]
            answer: dict[str, Any] = msgspec.json.decode(bytes_of(message))
            return answer
    raise AssertionError("no answer")


def documents(received: list[aiomqtt.Message], topic: str) -> list[dict[str, Any]]:
    return [msgspec.json.decode(bytes_of(message)) for message in received if message.topic.matches(f"{BASE}/{topic}")]


def exactly_the_journal(cardroom: Subscriber, table: LaidTable) -> bool:
    published: dict[int, Any] = {}
    for said in documents(cardroom.received, "event/#"):
        published.setdefault(said["seq"], {"seq": said["seq"], "hash": said["hash"], **said["body"]})
    return list(published.values()) == table.journal_events()


async def test_a_killed_daemon_comes_back_and_the_cardroom_has_exactly_its_journal(tmp_path: Path) -> None:
    with mosquitto(tmp_path) as broker:
        async with (
            Subscriber.listening(broker.port, f"{BASE}/#") as cardroom,
            laid_table(tmp_path, broker.port) as table,
        ):
            await table.people.play(2)
            await cardroom.until(lambda received: any(said["online"] for said in documents(received, "online")))
            first = documents(cardroom.received, "online")[0]["session"]
            table.kill()
            await cardroom.until(lambda received: not documents(received, "online")[-1]["online"])
            assert documents(cardroom.received, "online")[-1]["session"] == first, "the will is that run's"

            async with aiohttp.ClientSession() as session:
                await table.start(session)
                table.seat_people()
                await table.people.play(1)
            await cardroom.until(lambda received: documents(received, "online")[-1]["online"])
            assert documents(cardroom.received, "online")[-1]["session"] != first
            await cardroom.until(lambda _: exactly_the_journal(cardroom, table))
            await cardroom.until(
                lambda received: documents(received, "state")[-1]["seq"] == table.journal_events()[-1]["seq"]
            )
            assert documents(cardroom.received, "device/shoe")[-1]["state"] == "online"


async def test_the_floor_commands_a_table_over_the_broker(tmp_path: Path) -> None:
    with mosquitto(tmp_path) as broker:
        async with (
            Subscriber.listening(broker.port, f"{BASE}/#") as cardroom,
            laid_table(tmp_path, broker.port) as table,
        ):
            await cardroom.until(lambda received: any(said["online"] for said in documents(received, "online")))
            pong = await ask(broker.port, "monitor", "ping")
            assert (pong["ok"], pong["session"]) == (True, documents(cardroom.received, "online")[-1]["session"])
            assert (await ask(broker.port, "monitor", "close"))["why"] == "not_allowed"

            # A device that is away does not get the request later.
            await cardroom.until(
                lambda received: [said["state"] for said in documents(received, "device/shoe")][-1:] == ["online"]
            )
            assert (await ask(broker.port, "technician", "blink", device="shoe", seconds=20))["ok"]
            await eventually(lambda: list(table.shoe.blinks) == [20])

            assert (await ask(broker.port, "floor", "close", reason="break"))["ok"]
            await cardroom.until(lambda received: documents(received, "state")[-1]["phase"] == "closed")
            closed = documents(cardroom.received, "state")[-1]
            assert (closed["open"], closed["prompt"]) == (False, "The table is closed")
            assert (await table.console.view())["phase"] == "closed"
            assert (await ask(broker.port, "floor", "open"))["ok"]
            await cardroom.until(lambda received: documents(received, "state")[-1]["open"])

            table.shoe.unplug()
            await cardroom.until(lambda received: shoe_alarm(received) == "raised")
            assert (await ask(broker.port, "floor", "acknowledge", alarm="device_away:shoe"))["ok"]
            table.shoe.plug()
            await cardroom.until(lambda received: shoe_alarm(received) == "cleared")
            alarm = documents(cardroom.received, "alarm/device_away:shoe")[-1]
            assert alarm["acknowledged_by"] == "floor:desk"
            assert alarm["raised_at"] <= alarm["acknowledged_at"] <= alarm["cleared_at"]
            await cardroom.until(lambda _: exactly_the_journal(cardroom, table))


def shoe_alarm(received: list[aiomqtt.Message]) -> str:
    """Whether the shoe is missed; it may have been at the start, too."""
    return "".join([said["state"] for said in documents(received, "alarm/device_away:shoe")][-1:])


async def test_a_retired_table_leaves_nothing_at_the_broker_but_the_signed_end_of_its_journal(tmp_path: Path) -> None:
    with mosquitto(tmp_path) as broker:
        async with (
            Subscriber.listening(broker.port, f"{BASE}/#") as cardroom,
            laid_table(tmp_path, broker.port) as table,
        ):
            await cardroom.until(lambda received: any(said["online"] for said in filled(received, "online")))
            assert (await ask(broker.port, "floor", "retire", reason="sold"))["why"] == "table_open"
            assert (await ask(broker.port, "floor", "close"))["ok"]
            assert (await ask(broker.port, "floor", "retire", reason="sold"))["ok"]
            await cardroom.until(lambda received: is_gone(received[-1]))
            last = filled(cardroom.received, "event/#")[-1]
            assert last["kind"] == "command" and last["by"]["name"] == "desk"
            head = filled(cardroom.received, "head")[-1]
            assert (head["seq"], head["link"]) == (last["seq"], last["link"]), "the last checkpoint is of the end"
            kept: dict[str, Any] = {}
            for message in cardroom.received:
                kept[str(message.topic)] = message.payload
            assert [topic for topic, body in kept.items() if "/event/" not in topic and body] == []
            assert await table.ended() == RETIRED

            # Its board is switched on again, without its devices.
            table.shoe.unplug()
            seen = len(cardroom.received)
            await table.launch()
            assert await table.ended() == RETIRED
            await cardroom.until(lambda received: is_gone(received[-1]) and len(received) > seen)
            shown = [(str(message.topic), message.payload) for message in cardroom.received[seen:] if message.payload]
            assert [topic for topic, _ in shown] == [f"{BASE}/head"], "its end once more, and nothing of a table"
            assert "was retired, and its journal has ended" in (tmp_path / "daemon.log").read_text()


async def test_a_broker_that_was_away_when_the_table_was_retired_gets_the_end_when_it_is_back(tmp_path: Path) -> None:
    folders = [tmp_path / name for name in ("first", "second")]
    for folder in folders:
        folder.mkdir()
    with mosquitto(folders[0]) as first, mosquitto(folders[1]) as second:
        more = f'[[mqtt.broker]]\nname = "second"\nport = {second.port}\n'
        async with (
            Subscriber.listening(first.port, f"{BASE}/#") as at_first,
            laid_table(tmp_path, first.port, more=more) as table,
        ):
            async with Subscriber.listening(second.port, f"{BASE}/#") as at_second:
                await at_second.until(lambda received: any(said["online"] for said in filled(received, "online")))
            second.kill()
            assert (await ask(first.port, "floor", "close"))["ok"]
            assert (await ask(first.port, "floor", "retire", reason="sold"))["ok"]
            await at_first.until(lambda received: is_gone(received[-1]))
            # It waits for the second. Its board is switched off, and on again without its devices.
            assert await table.stop() == 0, "and systemd would start it again"
            assert "brokers have not got the end of its journal: second" in (tmp_path / "daemon.log").read_text()
            table.shoe.unplug()
            seen = len(at_first.received)
            await table.launch()
            await at_first.until(lambda received: is_gone(received[-1]) and len(received) > seen)
            second.start()  # it has forgotten everything
            async with Subscriber.listening(second.port, f"{BASE}/#") as at_second:
                await at_second.until(lambda received: bool(received) and is_gone(received[-1]))
            assert await table.ended() == RETIRED
            assert [said["kind"] for said in filled(at_second.received, "event/#")][-2:] == ["table_retired", "command"]
            last = filled(at_second.received, "event/#")[-1]
            assert last["historical"]
            assert filled(at_second.received, "head")[-1]["seq"] == last["seq"]
            assert filled(at_second.received, "online") == filled(at_second.received, "state") == []
            assert filled(at_first.received[seen:], "online") == filled(at_first.received[seen:], "state") == []


def is_gone(message: aiomqtt.Message) -> bool:
    """The table has emptied the last of its topics."""
    return message.topic.matches(f"{BASE}/online") and not message.payload


def filled(received: list[aiomqtt.Message], topic: str) -> list[dict[str, Any]]:
    """The documents on a topic that was not emptied."""
    return documents([message for message in received if message.payload], topic)
