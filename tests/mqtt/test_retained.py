"""What the retained topics hold; the end of a retired table at a broker, wherever its connection breaks."""

from __future__ import annotations

import random
from pathlib import Path

from controller.board_key import BoardKey
from controller.contract.topics import Topics
from controller.journal.checkpoint import signed
from controller.mqtt import MqttSettings, Publisher
from controller.mqtt.retained import Retained
from tests.support.journals import AT, SITE, TABLE, a_device, a_state, open_journal, write
from tests.support.running.brokers import ScriptedBroker, eventually

TOPICS = Topics("riverside", "t-1")
AN_ALARM = b"-"
"""Never sent."""


class WithoutPause(random.Random):
    """Connects again at once."""

    def uniform(self, a: float, b: float) -> float:
        return 0.0


def sent(retained: Retained) -> dict[str, bytes]:
    messages: dict[str, bytes] = {}
    while message := retained.due(sent_seq=100):
        messages[message[0]] = message[1]
    return messages


def an_ended_table() -> Retained:
    retained = Retained(TOPICS)
    retained.set_state(1, b"state")
    retained.set_device("shoe", b"online")
    retained.set_alarm("disk_low", b"raised")
    retained.set_head(b"checkpoint")
    retained.release_head()
    assert sent(retained)[TOPICS.state] == b"state"
    retained.end()
    return retained


def test_a_table_that_ends_sends_its_last_checkpoint_and_empties_every_topic() -> None:
    retained = an_ended_table()
    emptied = dict.fromkeys((TOPICS.state, TOPICS.device("shoe"), TOPICS.alarm("disk_low")), b"")
    assert sent(retained) == {**emptied, TOPICS.head: b"checkpoint"}
    retained.end_head()
    assert sent(retained) == {TOPICS.head: b""}


def test_nothing_that_is_set_after_the_end_is_sent() -> None:
    retained = an_ended_table()
    retained.end_head()
    retained.release_head()  # the broker's checkpoint was compared only now
    retained.set_head(b"a later checkpoint")
    retained.set_state(2, b"a later state")
    retained.set_device("shoe", b"away")
    retained.set_device("never there before", b"away")
    retained.set_alarm("disk_low", b"cleared")
    assert retained.clear(TOPICS.alarm("of an earlier journal"))
    assert set(sent(retained).values()) == {b""}
    assert sent(retained) == {}


def test_a_connection_that_was_lost_at_the_end_sends_all_of_the_end_again() -> None:
    retained = an_ended_table()
    sent(retained)
    retained.send_all_again()
    retained.end()
    assert sent(retained)[TOPICS.head] == b"checkpoint", "nobody knows whether the broker has had it"
    retained.end_head()
    sent(retained)
    retained.send_all_again()
    retained.end()
    retained.end_head()
    assert sent(retained) == dict.fromkeys(
        (TOPICS.state, TOPICS.device("shoe"), TOPICS.alarm("disk_low"), TOPICS.head), b""
    )


def test_the_checkpoint_waits_until_the_brokers_was_compared() -> None:
    retained = Retained(TOPICS)
    retained.set_head(b"checkpoint")
    assert sent(retained) == {}
    retained.release_head()
    assert sent(retained) == {TOPICS.head: b"checkpoint"}


async def test_wherever_its_connection_breaks_nothing_of_a_retired_table_stays_at_the_broker(tmp_path: Path) -> None:
    topics = Topics(SITE, TABLE)
    with open_journal(tmp_path / "journal.db") as journal:
        write(journal, range(3))
        async with ScriptedBroker() as broker:
            settings = MqttSettings(host="127.0.0.1", port=broker.port, client_id="t7")
            publisher = Publisher(journal, settings, session="run-1", rng=WithoutPause(), is_retired=True)
            publisher.state_changed(a_state("The table is closed", seq=journal.head.seq))
            publisher.device_changed("shoe", a_device("shoe", "online"))
            publisher.alarm_changed("disk_low", AN_ALARM)
            publisher.head_changed(signed(journal, journal.tip, AT, BoardKey.load_or_create(tmp_path)))
            publisher.start()
            received: list[tuple[int, str, bytes]] = []
            while not publisher.is_cleared:
                # Each connection gets one acknowledgement more than the one before, then breaks.
                connection = broker.connections
                for _ in range(connection):
                    ((packet, topic, payload),) = await broker.next()
                    received.append((packet, topic, payload))
                    broker.acknowledge(packet)
                    if topic == topics.online:
                        await publisher.ended()
                        break
                else:
                    broker.hang_up()
                    while not broker.received.empty():
                        received.append(broker.received.get_nowait())
                    await eventually(lambda last=connection: broker.connections > last)  # type: ignore[misc]
            await publisher.stop(drain=0)
    assert broker.wills == 0, "what a broker sends for a connection that was lost would stay"
    kept = {topic: payload for _, topic, payload in received if "/event/" not in topic}
    filled = {topic for _, topic, payload in received if payload and "/event/" not in topic}
    assert filled == {topics.head}
    every = {topics.state, topics.device("shoe"), topics.alarm("disk_low"), topics.head, topics.online}
    assert kept == dict.fromkeys(every, b"")
