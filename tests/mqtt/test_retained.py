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


def test_what_is_set_after_everything_was_emptied_is_not_sent() -> None:
    retained = Retained(TOPICS)
    retained.set_state(1, b"state")
    retained.set_head(b"checkpoint")
    retained.release_head()
    assert sent(retained) == {TOPICS.head: b"checkpoint", TOPICS.state: b"state"}

    retained.empty_all()
    retained.release_head()  # the broker's checkpoint was compared only now
    retained.set_head(b"a later checkpoint")
    retained.set_state(2, b"a later state")
    retained.set_device("shoe", b"away")
    assert set(sent(retained).values()) == {b""}
    retained.send_all_again()
    assert set(sent(retained).values()) == {b""}


def test_the_checkpoint_waits_until_the_brokers_was_compared() -> None:
    retained = Retained(TOPICS)
    retained.set_head(b"checkpoint")
    assert sent(retained) == {}
    retained.release_head()
    assert sent(retained) == {TOPICS.head: b"checkpoint"}
