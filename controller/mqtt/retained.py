"""The retained topics: what the broker sends to a later subscriber. Only the latest value counts.

The table's state goes out after the events that led to it, so that a page which shows both never shows a state whose
reasons it has not received. Under a stream of events the newest state always waits for events still to be sent. So the
waiting state is kept until it is sent, and the newest is queued behind it.

Devices and alarms go out at once: after an outage a subscriber gets first what is wrong, then how it came about.

What an earlier journal of this table, or an earlier run, has left there and nobody would renew is cleared (`clear`).
The newest checkpoint (`head`) waits on each connection until the one that the broker had was compared: sent before
that, it would take the evidence away.

A table that goes out of use (`end`, then `end_head`) leaves nothing: from then on every topic is emptied, and whatever
is set afterwards is not sent.
"""

from __future__ import annotations

from controller.contract.topics import Topics

_NOTHING = b""
"""An empty message takes a retained one away."""


class Retained:
    """What the retained topics should hold, and what of it is still to be sent."""

    def __init__(self, topics: Topics) -> None:
        self._topics = topics
        self._state: tuple[int, bytes] | None = None
        """The newest state, and the last event that led to it."""
        self._waiting: tuple[int, bytes] | None = None
        """The state that is sent next."""
        self._holds: dict[str, bytes] = {}
        """What each of the other topics holds."""
        self._unsent: dict[str, None] = {}
        self._head: bytes | None = None
        self._head_waits = True
        self._has_ended = False

    def set_head(self, body: bytes) -> None:
        if self._has_ended:
            return
        self._head = body
        if not self._head_waits:
            self._set(self._topics.head, body)

    def release_head(self) -> None:
        """The broker's checkpoint has been compared, or it has none."""
        self._head_waits = False
        if self._head is not None:
            self._put(self._topics.head, self._head)

    def clear(self, topic: str) -> bool:
        """Empty a topic on which something is retained, unless it is one of ours; whether that is so."""
        if topic in self._holds:
            return False
        self._set(topic, _NOTHING)
        return True

    def set_state(self, after_seq: int, body: bytes) -> None:
        if self._has_ended:
            return
        self._state = (after_seq, body)
        if self._waiting is None:
            self._waiting = self._state

    def set_device(self, device_id: str, body: bytes) -> None:
        self._set(self._topics.device(device_id), body)

    def set_alarm(self, name: str, body: bytes | None) -> None:
        """None: it is no longer remembered."""
        self._set(self._topics.alarm(name), _NOTHING if body is None else body)

    def set_certificate(self, broker: str, body: bytes) -> None:
        self._set(self._topics.certificate(broker), body)

    def _set(self, topic: str, body: bytes) -> None:
        if self._has_ended:
            body = _NOTHING
        if self._holds.get(topic) != body:
            self._put(topic, body)

    def _put(self, topic: str, body: bytes) -> None:
        self._holds[topic] = body
        self._unsent[topic] = None

    def end(self) -> None:
        """The table is out of use, and the broker has all its events: the newest checkpoint is sent once more, every
        other topic is emptied."""
        self._has_ended = True
        self._state = self._waiting = None
        for topic in (self._topics.state, *self._holds):
            if topic != self._topics.head:
                self._put(topic, _NOTHING)
        self.release_head()

    def end_head(self) -> None:
        """The broker has had the last checkpoint, and so has everybody who listens there: it is emptied too."""
        self._head = None
        self._put(self._topics.head, _NOTHING)

    def send_all_again(self) -> None:
        """A new connection: the broker may have forgotten everything."""
        self._waiting = self._state
        self._head_waits = True
        self._holds.pop(self._topics.head, None)
        self._unsent = dict.fromkeys(self._holds)

    def due(self, sent_seq: int) -> tuple[str, bytes] | None:
        """The next message to send, now that the events up to `sent_seq` are on their way."""
        for topic in self._unsent:
            del self._unsent[topic]
            return topic, self._holds[topic]
        if self._waiting and self._waiting[0] <= sent_seq:
            body = self._waiting[1]
            self._waiting = self._state if self._state is not self._waiting else None
            return self._topics.state, body
        return None
