"""What the retained topics hold, without a broker."""

from __future__ import annotations

from controller.contract.topics import Topics
from controller.mqtt.retained import Retained

TOPICS = Topics("riverside", "t-1")


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
