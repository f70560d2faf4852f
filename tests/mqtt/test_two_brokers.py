"""Two brokers of one table: each gets everything, and losing one changes nothing on the other."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import aiohttp
import aiomqtt
import msgspec
import pytest
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties

from controller.contract.topics import Topics
from controller.journal import Journal
from controller.mqtt import MqttSettings, Publishers
from tests.support.journals import SITE, TABLE, a_device, a_state, card_out, dealt, open_journal
from tests.support.running.askers import AskedTable, asked_table
from tests.support.running.brokers import (
    Mosquitto,
    Subscriber,
    bytes_of,
    eventually,
    free_port,
    mosquitto,
    needs_mosquitto,
)
from tests.support.running.tables import laid_table

pytestmark = [pytest.mark.broker, needs_mosquitto]

TOPICS = Topics(SITE, TABLE)
EVENTS = f"{TOPICS.base}/event/#"
NAMES = ("first", "second")


@pytest.fixture
def brokers(tmp_path: Path) -> Iterator[dict[str, Mosquitto]]:
    with ExitStack() as stack:
        made = {}
        for name in NAMES:
            folder = tmp_path / name
            folder.mkdir()
            # It writes to a subscriber's socket before it acknowledges to us, and keeps the sessions: what it has
            # acknowledged is not lost with it.
            kept = ("persistence true", f"persistence_location {folder}/", "max_inflight_messages 0")
            made[name] = stack.enter_context(mosquitto(folder, "allow_anonymous true", *kept))
        yield made


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with open_journal(tmp_path / "journal.db") as journal:
        yield journal


def settings(brokers: dict[str, Mosquitto]) -> dict[str, MqttSettings]:
    return {name: MqttSettings(host="127.0.0.1", port=broker.port, client_id="t7") for name, broker in brokers.items()}


@asynccontextmanager
async def published(journal: Journal, where: dict[str, MqttSettings]) -> AsyncIterator[Publishers]:
    publishers = Publishers(journal, where, session="run-1")
    await publishers.start()
    try:
        assert await publishers.first_attempt() == []
        yield publishers
    finally:
        await publishers.stop(2.0)


@asynccontextmanager
async def cardrooms(brokers: dict[str, Mosquitto], topic: str = EVENTS) -> AsyncIterator[dict[str, Subscriber]]:
    """A subscriber at each broker, whose session the broker has on its disk."""
    first, second = brokers.values()
    async with Subscriber.listening(first.port, topic) as one, Subscriber.listening(second.port, topic) as other:
        for broker in brokers.values():
            broker.save()
        yield dict(zip(brokers, (one, other), strict=True))


async def write(journal: Journal, count: int) -> None:
    for n in range(count):
        await journal.append(1, card_out(n), dealt(n))


def seqs(cardroom: Subscriber) -> list[int]:
    return [int(msgspec.json.decode(bytes_of(message))["seq"]) for message in cardroom.received]


def bodies(cardroom: Subscriber) -> dict[int, set[Any]]:
    """By seq: the links under which it came."""
    found: dict[int, set[Any]] = {}
    for message in cardroom.received:
        said = msgspec.json.decode(bytes_of(message))
        found.setdefault(said["seq"], set()).add(said["link"])
    return found


async def all_are_there(cardroom: Subscriber, last: int) -> None:
    await cardroom.until(lambda received: bool(received) and last in seqs(cardroom)[-200:])
    assert sorted(bodies(cardroom)) == list(range(1, last + 1)), "an event was lost"
    assert all(len(links) == 1 for links in bodies(cardroom).values()), "an event came in two versions"


@pytest.mark.parametrize("lost", NAMES)
async def test_a_killed_broker_gets_what_it_missed_and_the_other_gets_everything_once(
    journal: Journal, brokers: dict[str, Mosquitto], lost: str
) -> None:
    (other,) = set(NAMES) - {lost}
    async with cardrooms(brokers) as subscribers, published(journal, settings(brokers)) as publishers:
        await write(journal, 200)
        before = journal.head.seq
        await publishers.by_broker[lost].published(before)
        await subscribers[lost].until(lambda received: len(received) == before)
        brokers[lost].kill()
        await write(journal, 300)
        await publishers.by_broker[other].published(journal.head.seq)
        assert publishers.connected
        assert publishers.by_broker[lost].acknowledged_seq == before
        brokers[lost].start()
        await publishers.by_broker[lost].published(journal.head.seq)
        await write(journal, 100)
        for name in NAMES:
            await publishers.by_broker[name].published(journal.head.seq)
            await all_are_there(subscribers[name], journal.head.seq)
    assert seqs(subscribers[other]) == list(range(1, journal.head.seq + 1)), "nothing twice where nothing was lost"
    assert journal.cursors == dict.fromkeys(NAMES, journal.head.seq)


async def test_a_frozen_broker_delays_nothing_at_the_other(journal: Journal, brokers: dict[str, Mosquitto]) -> None:
    async with cardrooms(brokers) as subscribers, published(journal, settings(brokers)) as publishers:
        await write(journal, 50)
        before = journal.head.seq
        for name in NAMES:
            await publishers.by_broker[name].published(before)
        brokers["first"].freeze()
        slowest = 0.0
        now = asyncio.get_running_loop().time
        for _ in range(200):
            await write(journal, 1)
            began = now()
            async with asyncio.timeout(10):
                await publishers.by_broker["second"].published(journal.head.seq)
            slowest = max(slowest, now() - began)
        assert slowest < 5, "the other broker's silence was waited for"
        assert publishers.by_broker["first"].acknowledged_seq == before
        brokers["first"].thaw()
        await publishers.by_broker["first"].published(journal.head.seq)
        for name in NAMES:
            await all_are_there(subscribers[name], journal.head.seq)
        assert seqs(subscribers["second"]) == list(range(1, journal.head.seq + 1))


async def test_each_broker_has_the_retained_documents_and_a_new_one_gets_them_too(
    journal: Journal, brokers: dict[str, Mosquitto]
) -> None:
    where = settings(brokers)
    async with published(journal, {"first": where["first"]}) as publishers:
        publishers.state_changed(a_state("as it is", seq=0))
        publishers.device_changed("shoe", a_device("shoe", "online"))
        await write(journal, 5)
        await publishers.by_broker["first"].published(journal.head.seq)
        await publishers.change(where)
        await write(journal, 1)
        await publishers.by_broker["second"].published(journal.head.seq)
        for broker in brokers.values():
            async with Subscriber.listening(broker.port, f"{TOPICS.base}/#", client_id="late") as late:
                await late.until(lambda received: len(received) >= 3)
                assert late.on(TOPICS.state) and late.on(TOPICS.device("shoe")) and late.on(TOPICS.online)
        await publishers.change({"second": where["second"]})
        assert set(publishers.by_broker) == set(journal.cursors) == {"second"}
        async with Subscriber.listening(brokers["first"].port, TOPICS.online, client_id="later") as later:
            await later.until(lambda received: b'"online":false' in bytes_of(received[-1]) if received else False)


async def test_a_broker_with_a_new_name_begins_where_the_one_furthest_behind_is(journal: Journal) -> None:
    await write(journal, 9)
    await journal.keep_cursors(NAMES)
    await journal.move_cursor("first", 9)
    await journal.move_cursor("second", 4)
    assert journal.cursor_of("third") == 4
    await journal.keep_cursors(("first", "third"))
    assert journal.cursors == {"first": 9, "third": 4}


async def test_a_table_starts_with_one_of_its_brokers_away(journal: Journal, brokers: dict[str, Mosquitto]) -> None:
    brokers["first"].freeze()
    try:
        async with published(journal, settings(brokers)) as publishers:
            assert publishers.connected and not publishers.by_broker["first"].connected
    finally:
        brokers["first"].thaw()


@asynccontextmanager
async def commanded(table: AskedTable, brokers: dict[str, Mosquitto]) -> AsyncIterator[Publishers]:
    publishers = Publishers(table.journal, settings(brokers), session="run-1", on_request=table.gate.take)
    table.use_the_time_of_day()
    await publishers.start()
    try:
        await eventually(lambda: all(each.connected for each in publishers.by_broker.values()))
        yield publishers
    finally:
        await publishers.stop(1.0)


async def ask(broker: Mosquitto, command: str, request: dict[str, Any]) -> dict[str, Any]:
    """The answer to a request of the floor over this broker, asked until it comes."""
    properties = Properties(PacketTypes.PUBLISH)  # type: ignore[no-untyped-call]
    reply = properties.ResponseTopic = TOPICS.reply("floor", "pit-desk")
    version = aiomqtt.ProtocolVersion.V5
    async with asyncio.timeout(30), aiomqtt.Client("127.0.0.1", broker.port, protocol=version) as client:
        await client.subscribe(reply, qos=1)
        for _ in itertools.count():
            await client.publish(
                TOPICS.command("floor", "pit-desk", command),
                msgspec.json.encode(request),
                qos=1,
                properties=properties,
            )
            with suppress(TimeoutError):
                async with asyncio.timeout(2):
                    async for message in client.messages:
                        return dict(msgspec.json.decode(bytes_of(message)))
    raise AssertionError("no answer")


async def test_the_same_request_over_both_brokers_is_judged_once(tmp_path: Path, brokers: dict[str, Mosquitto]) -> None:
    async with asked_table(tmp_path) as table, commanded(table, brokers):
        request = table.request(reason="end of shift")
        answers = await asyncio.gather(*(ask(broker, "close", request) for broker in brokers.values()))
        assert [answer["ok"] for answer in answers] == [True, True]
        kinds = [event.kind for event in table.journal.events_from(1, 100)]
        assert kinds.count("command") == kinds.count("table_closed") == 1


async def test_a_frozen_broker_does_not_delay_the_answers_over_the_other(
    tmp_path: Path, brokers: dict[str, Mosquitto]
) -> None:
    async with asked_table(tmp_path) as table, commanded(table, brokers):
        brokers["first"].freeze()
        try:
            for _ in range(5):
                assert (await ask(brokers["second"], "ping", table.request()))["ok"]
        finally:
            brokers["first"].thaw()
        assert (await ask(brokers["first"], "ping", table.request()))["ok"]


SECOND = """
[[mqtt.broker]]
name = "second"
port = {port}
"""


async def test_a_dealt_table_loses_each_broker_in_turn_and_both_have_every_event(
    tmp_path: Path, brokers: dict[str, Mosquitto]
) -> None:
    """The daemon as a process of its own; in the middle of a round the one broker is killed, then the other."""
    first, second = brokers.values()
    topic = "cutcard/v2/test/t-1/event/#"
    more = SECOND.format(port=second.port)
    async with (
        cardrooms(brokers, topic) as subscribers,
        laid_table(tmp_path, first.port, more=more) as table,
    ):
        await table.people.play(1)
        for name, broker in brokers.items():
            done = len(table.journal_events())
            await subscribers[name].until(lambda _, done=done, name=name: done in seqs(subscribers[name]))  # type: ignore[misc]
            playing = asyncio.create_task(table.people.play(1))
            await eventually(lambda done=done: len(table.journal_events()) > done)  # type: ignore[misc]
            broker.freeze()
            broker.kill()
            await playing
            broker.start()
        await table.people.play(1)
        last = len(table.journal_events())
        for subscriber in subscribers.values():
            await all_are_there(subscriber, last)


async def test_a_daemon_killed_between_an_entry_and_its_receipt_finds_no_contradiction(
    tmp_path: Path, brokers: dict[str, Mosquitto]
) -> None:
    """Its journal never has less than what was published: the store's retained receipt fits after every power cut."""
    broker = brokers["first"]
    topics = Topics("test", "t-1")
    async with (
        laid_table(tmp_path, broker.port, more=SECOND.format(port=free_port())) as table,
        Subscriber.listening(broker.port, f"{topics.base}/#") as store,
        aiomqtt.Client("127.0.0.1", broker.port, protocol=aiomqtt.ProtocolVersion.V5) as client,
        aiohttp.ClientSession() as session,
    ):
        events = f"{topics.base}/event/+"
        for _ in range(2):
            await table.people.play(1)
            last = len(table.journal_events())
            await store.until(
                lambda _, last=last: any(b'"seq":%d,' % last in payload for payload in store.on(events))  # type: ignore[misc]
            )
            newest = msgspec.json.decode(max(store.on(events), key=lambda payload: msgspec.json.decode(payload)["seq"]))
            receipt = {"document": "receipt", **{key: newest[key] for key in ("journal", "seq", "link", "at")}}
            table.kill()
            await table.stop()
            await client.publish(topics.receipt("books"), msgspec.json.encode(receipt), qos=1, retain=True)
            await table.start(session)
            table.seat_people()
            await store.until(
                lambda _, last=last: any(  # type: ignore[misc]
                    stored["store"] == "books" and stored["seq"] >= last
                    for stored in msgspec.json.decode(store.on(topics.state)[-1])["stores"]
                )
            )
        assert not [kind for kind in table.journal_events() if kind.get("alarm", "").startswith("store_differs")]
