"""The promise to the cardroom: through any outage of the broker, exactly the journal, in order, repeats aside."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from aiomqtt import Message

from controller.journal import Journal
from controller.mqtt import MqttSettings, Publisher
from tests.support.journals import (
    JOURNAL_ID,
    SITE,
    TABLE,
    a_device,
    a_state,
    card_out,
    dealt,
    events_of,
    open_journal,
    write,
)
from tests.support.project import ROOT
from tests.support.running.brokers import Mosquitto, Subscriber, bytes_of, mosquitto, needs_mosquitto

pytestmark = [pytest.mark.broker, needs_mosquitto]

BASE = f"cutcard/v2/{SITE}/{TABLE}"
INPUTS = 6000


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with open_journal(tmp_path / "journal.db") as journal:
        yield journal


def settings(broker: Mosquitto) -> MqttSettings:
    return MqttSettings(host="127.0.0.1", port=broker.port, client_id="t7")


async def test_a_subscriber_receives_exactly_the_journal_though_the_broker_is_killed_twice(
    journal: Journal, tmp_path: Path
) -> None:
    """The broker dies by SIGKILL in the middle of the stream, with unacknowledged events on their way to it.

    Whose promise is tested: an event that the broker has acknowledged is the broker's to deliver, and a killed
    Mosquitto forgets what it only held in memory. So here it never holds any. With no limit of messages in flight it
    writes an event to the subscriber's socket before it acknowledges it to us; each time it is frozen first, and killed
    once the subscriber has read all that was acknowledged (were any missing, the test would fail there). What it had
    received but not acknowledged dies with it: those events are ours to send again. The subscriber's session is on the
    broker's disk, so that it queues for the subscriber from its first moment after the restart.
    """
    persistence = ("persistence true", f"persistence_location {tmp_path}/", "max_inflight_messages 0")
    with mosquitto(tmp_path, "allow_anonymous true", *persistence) as broker:
        async with Subscriber.listening(broker.port, f"{BASE}/event/#") as cardroom:
            broker.save()
            publisher = Publisher(journal, settings(broker), session="run-1")
            publisher.start()
            assert await publisher.first_attempt() is None
            dealing = asyncio.create_task(deal(journal, publisher))

            for events in (INPUTS // 3, 2 * INPUTS // 3):
                await publisher.published(events)
                broker.freeze()
                await asyncio.gather(*(journal.append(1, card_out(n), dealt(n)) for n in range(100)))
                await quiet(lambda: (publisher.acknowledged_seq, len(cardroom.received)))
                acknowledged = publisher.acknowledged_seq
                assert seq_of(cardroom.received[-1]) >= acknowledged
                assert journal.head.seq > acknowledged
                broker.kill()
                await asyncio.gather(*(journal.append(1, card_out(n), dealt(n)) for n in range(100)))
                assert publisher.acknowledged_seq == acknowledged
                broker.start()

            await dealing
            last = journal.head.seq
            await publisher.published(last)
            await cardroom.until(lambda received: seq_of(received[-1]) == last)

        async with Subscriber.listening(broker.port, f"{BASE}/state", f"{BASE}/online", client_id="late") as late:
            await late.until(lambda received: len(received) == 2)
            assert late.on(f"{BASE}/state") == [a_state(f"{INPUTS} inputs")]
            (online,) = late.on(f"{BASE}/online")
            assert msgspec.json.decode(online)["online"] is True
            await publisher.stop()
            await late.until(lambda received: len(received) == 3)
            assert late.on(f"{BASE}/online")[1] == an_online()

    assert journal.cursor == last
    first_received: dict[int, Any] = {}
    for message in cardroom.received:
        said = msgspec.json.decode(bytes_of(message))
        said.pop("historical", None)  # whether it was published late is not in the journal
        assert str(message.topic) == f"{BASE}/event/{said['kind']}"
        assert first_received.setdefault(said["seq"], said) == said
    assert list(first_received) == list(range(1, last + 1)), "a hole, or out of order"
    assert list(first_received.values()) == in_the_journal(journal)


async def test_the_table_plays_on_while_the_broker_is_away_and_all_is_sent_when_it_comes(
    journal: Journal, tmp_path: Path
) -> None:
    broker = Mosquitto(tmp_path)
    publisher = Publisher(journal, settings(broker), session="run-1")
    publisher.start()
    assert await publisher.first_attempt() is not None
    entries = await asyncio.gather(*(journal.append(1, card_out(n), dealt(n)) for n in range(100)))
    publisher.state_changed(a_state("deal"))
    publisher.device_changed("shoe", a_device("shoe", "ready"))
    assert not publisher.connected
    assert publisher.acknowledged_seq == 0
    broker.start()
    try:
        await publisher.published(entries[-1].head.seq)
        assert publisher.connected
        assert publisher.last_error is None
        async with Subscriber.listening(broker.port, f"{BASE}/#") as late:
            await late.until(lambda received: len(received) == 3)
            assert late.on(f"{BASE}/state") == [a_state("deal")]
            assert late.on(f"{BASE}/device/shoe") == [a_device("shoe", "ready")]
        await publisher.stop()
    finally:
        broker.stop()


async def test_a_broker_that_has_forgotten_everything_gets_all_retained_topics_again(
    journal: Journal, tmp_path: Path
) -> None:
    with mosquitto(tmp_path) as broker:
        publisher = Publisher(journal, settings(broker), session="run-1", clock=lambda: 1763260000000)
        publisher.state_changed(a_state("wagers"))
        publisher.device_changed("shoe", a_device("shoe", "ready"))
        publisher.device_changed("drop-box", a_device("drop-box", "open"))
        publisher.start()
        assert await publisher.first_attempt() is None
        broker.kill()
        broker.start()
        async with Subscriber.listening(broker.port, f"{BASE}/#") as cardroom:
            await cardroom.until(lambda received: len({str(message.topic) for message in received}) == 4)
            assert cardroom.on(f"{BASE}/online") == [an_online(b'"since":1763260000000', b"true")]
            assert cardroom.on(f"{BASE}/state") == [a_state("wagers")]
            assert cardroom.on(f"{BASE}/device/shoe") == [a_device("shoe", "ready")]
            assert cardroom.on(f"{BASE}/device/drop-box") == [a_device("drop-box", "open")]
        await publisher.stop()


async def test_a_new_daemon_goes_on_where_the_last_one_was_acknowledged(tmp_path: Path) -> None:
    with mosquitto(tmp_path) as broker:
        async with Subscriber.listening(broker.port, f"{BASE}/event/#") as cardroom:
            for run in ("run-1", "run-2"):
                with open_journal(tmp_path / "journal.db") as journal:
                    publisher = Publisher(journal, settings(broker), session=run)
                    publisher.start()
                    assert await publisher.first_attempt() is None
                    write(journal, range(50))
                    await publisher.stop(drain=10)
                    last = journal.head.seq
                    assert journal.cursor == last
            await cardroom.until(lambda received: seq_of(received[-1]) == last)
            assert [seq_of(message) for message in cardroom.received] == list(range(1, last + 1))


DAEMON = """
import asyncio, sys
from controller.mqtt import *
from tests.support.journals import *

async def main():
    with open_journal(Path(sys.argv[1])) as journal:
        write(journal, range(30))
        where = MqttSettings(host="127.0.0.1", port=int(sys.argv[2]), client_id="t7")
        publisher = Publisher(journal, where, session="doomed")
        publisher.start()
        await publisher.published(journal.head.seq)
        await asyncio.Event().wait()

asyncio.run(main())
"""


async def test_when_the_daemon_dies_its_last_will_says_so(tmp_path: Path) -> None:
    with mosquitto(tmp_path) as broker:
        async with Subscriber.listening(broker.port, f"{BASE}/#") as cardroom:
            daemon = start_daemon(tmp_path / "journal.db", broker.port)
            try:
                await cardroom.until(lambda received: len(received) == 31)
                assert msgspec.json.decode(cardroom.on(f"{BASE}/online")[-1])["online"] is True
            finally:
                os.kill(daemon.pid, signal.SIGKILL)
                daemon.wait()
            await cardroom.until(lambda received: len(received) == 32)
            assert cardroom.on(f"{BASE}/online")[-1] == an_online(session=b"doomed")


def start_daemon(path: Path, port: int) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, "-c", DAEMON, str(path), str(port)], cwd=ROOT)


async def deal(journal: Journal, publisher: Publisher) -> None:
    """A busy table, never far ahead of what has been published, so that the run is as long as its outages."""
    for start in range(0, INPUTS, 20):
        inputs = range(start, start + 20)
        await asyncio.gather(*(journal.append(1 + n // 10, card_out(n), dealt(n)) for n in inputs))
        publisher.state_changed(a_state(f"{start + 20} inputs"))
        await publisher.published(journal.head.seq - 300)


async def quiet(measure: Callable[[], object]) -> None:
    """With the broker frozen: lets the loop turn until nothing more comes out of the sockets."""
    turns, last = 0, measure()
    while turns < 300:
        await asyncio.sleep(0)
        turns = turns + 1 if measure() == last else 0
        last = measure()


def an_online(more: bytes = b"", online: bytes = b"false", session: bytes = b"run-1") -> bytes:
    end = b"," + more if more else b""
    return b'{"document":"online","online":%b,"session":"%b","journal":"%b"%b}' % (
        online,
        session,
        JOURNAL_ID.encode(),
        end,
    )


def seq_of(message: Message) -> int:
    return int(msgspec.json.decode(bytes_of(message))["seq"])


def in_the_journal(journal: Journal) -> list[dict[str, Any]]:
    links = {event.seq: event.link.hex() for event in journal.events_from(1, journal.head.seq)}
    return [
        {
            "seq": entry.first_seq + index,
            "journal": journal.id,
            "site": SITE,
            "table": TABLE,
            "round": entry.round,
            "round_id": f"{journal.id}-{entry.round}",
            "at": msgspec.json.decode(entry.input)["at"],
            "kind": msgspec.json.decode(body)["kind"],
            "currency": "USD",
            "body": msgspec.json.decode(body),
            "hash": entry.hash.hex(),
            "link": links[entry.first_seq + index],
        }
        for entry in journal.entries()
        for index, body in enumerate(events_of(entry))
    ]
