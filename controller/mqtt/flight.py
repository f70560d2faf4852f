"""What is on its way over one connection: sent, not yet acknowledged.

Acknowledgements may come in any order; the cursor follows only the unbroken row of them from the start, so that a
connection lost at any moment costs repeats, never a hole. A refused message breaks the row.

The window starts with one message and grows by one with each event acknowledged. A broker that refuses a message may
close the connection at once (Mosquitto 2.0 does), and if more messages are on their way to it then, the network throws
its answer away with them. A message sent alone gets its answer; and the one that was refused is the first event of the
next connection.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

from paho.mqtt.reasoncodes import ReasonCode


class _Sent:
    __slots__ = ("acknowledged", "is_answer", "seq", "topic")

    def __init__(self, topic: str, seq: int | None, is_answer: bool) -> None:
        self.topic = topic
        self.seq = seq
        """None: not an event, but a retained message or an answer."""
        self.is_answer = is_answer
        self.acknowledged = False


class Flight:
    """What one connection has sent."""

    def __init__(self, cursor: int, widest: int, now: Callable[[], float]) -> None:
        """`now`: the loop's time."""
        self.acknowledged_seq = cursor
        """Every event up to here has been acknowledged."""
        self.sent_seq = cursor
        """Every event up to here has been sent."""
        self.refusal: tuple[str, ReasonCode] | None = None
        """The topic of the first message that the broker refused, and why."""
        self.was_answered = False
        """The broker has taken something."""
        self.widest = widest
        """The most messages that may be unacknowledged at once."""
        self._window = 1
        self._row: deque[_Sent] = deque()
        self._answers = 0
        """How many of them are answers."""
        self._by_packet: dict[int, _Sent] = {}
        self._now = now
        self._progress_at = now()

    @property
    def has_room(self) -> bool:
        return len(self._row) - self._answers < self._window and len(self._row) < self.widest

    @property
    def has_room_for_answer(self) -> bool:
        """Answers need not go one by one at first, since one that is refused costs nobody an event; but half of the
        room is for events, however many requests come."""
        return self.was_answered and self._answers <= self.widest // 2 and len(self._row) < self.widest

    @property
    def is_empty(self) -> bool:
        return not self._row

    def add(self, packet: int, topic: str, seq: int | None = None, *, is_answer: bool = False) -> None:
        """A message was sent: an event, or with no `seq` a retained one or an answer."""
        if not self._row:
            self._progress_at = self._now()
        sent = self._by_packet[packet] = _Sent(topic, seq, is_answer)
        self._row.append(sent)
        self._answers += is_answer
        if seq is not None:
            self.sent_seq = seq

    def awaits(self, packet: int) -> bool:
        """Whether this message is still to be acknowledged."""
        return packet in self._by_packet

    def on_ack(self, packet: int, reason: ReasonCode) -> None:
        sent = self._by_packet.pop(packet)
        if reason.is_failure and not sent.is_answer:
            self.refusal = self.refusal or (sent.topic, reason)
            return
        self._progress_at = self._now()
        self.was_answered = True
        self._window += sent.seq is not None
        sent.acknowledged = True
        while self._row and self._row[0].acknowledged:
            first = self._row.popleft()
            self._answers -= first.is_answer
            if first.seq is not None:
                self.acknowledged_seq = first.seq

    def silence(self) -> float:
        """Seconds for which something has been in flight without any acknowledgement."""
        return self._now() - self._progress_at if self._row else 0.0
