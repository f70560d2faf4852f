"""Sequence numbers, acknowledgement and retransmission: one direction of a link session, from each side.

Go-back-N over a small window. The sender numbers messages modulo 256 and keeps each until it is acknowledged; when
the oldest has waited too long, it sends all of them again, and when the receiver says that something went astray, it
sends from there on at once. The receiver accepts messages only in order, holds at most a
window of them, and gives out one at a time: a message is acknowledged when the layer above says that it has *taken* it,
so an acknowledged event is on the controller's disk and the device may forget it.

The waiting time adapts as TCP's does (Jacobson 1988, RFC 6298): smoothed round trip plus four mean deviations. After
Karn and Partridge (1987), a message that was sent twice gives no sample, and the doubled time holds until one comes
that was sent once.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from enum import Enum, auto

from msgspec import Struct

MODULUS = 256


class RetransmissionTimer:
    """How long to wait for an acknowledgement."""

    def __init__(self, first: float, floor: float, ceiling: float) -> None:
        self._floor, self._ceiling = floor, ceiling
        self._deviation = 0.0
        self.smoothed: float | None = None
        """The smoothed round trip in seconds, once one was measured."""
        self.seconds = first

    def sample(self, round_trip: float) -> None:
        if self.smoothed is None:
            self.smoothed = round_trip
            self._deviation = round_trip / 2
        else:
            self._deviation += (abs(round_trip - self.smoothed) - self._deviation) / 4
            self.smoothed += (round_trip - self.smoothed) / 8
        self.seconds = min(max(self.smoothed + 4 * self._deviation, self._floor), self._ceiling)

    def back_off(self) -> None:
        self.seconds = min(2 * self.seconds, self._ceiling)


class _InFlight(Struct):
    seq: int
    message: bytes
    sent_at: float
    resent: bool = False


class Sender:
    """The messages that one end sends: waiting, in flight, acknowledged."""

    def __init__(self, window: int, timer: RetransmissionTimer) -> None:
        self._window = window
        self._timer = timer
        self._waiting: deque[bytes] = deque()
        self._in_flight: deque[_InFlight] = deque()
        self._next_seq = 0
        self._resend_from: int | None = None
        """An index into what is in flight."""
        self._wait_from = 0.0

    def __len__(self) -> int:
        """Messages not yet acknowledged."""
        return len(self._waiting) + len(self._in_flight)

    def offer(self, message: bytes) -> None:
        self._waiting.append(message)

    def deadline(self) -> float | None:
        """When the oldest message in flight has waited too long."""
        return self._wait_from + self._timer.seconds if self._in_flight else None

    def timed_out(self) -> None:
        """The deadline passed: everything in flight goes out again."""
        self._resend_from = 0
        self._timer.back_off()

    def rejected(self, seq: int) -> None:
        """The receiver misses `seq`. Noise, not a slow receiver: the waiting time stays as it is."""
        if not self._in_flight:
            return
        index = (seq - self._in_flight[0].seq) % MODULUS
        if index < len(self._in_flight):
            self._resend_from = index

    def to_send(self, now: float) -> Iterator[tuple[int, bytes, bool]]:
        """Sequence number, message, and whether it is sent again: for all that should go out now."""
        if self._resend_from is not None:
            again = list(self._in_flight)[self._resend_from :]
            self._resend_from = None
            self._wait_from = now
            for frame in again:
                frame.resent = True
                yield frame.seq, frame.message, True
        while self._waiting and len(self._in_flight) < self._window:
            if not self._in_flight:
                self._wait_from = now
            frame = _InFlight(self._next_seq, self._waiting.popleft(), now)
            self._in_flight.append(frame)
            self._next_seq = (self._next_seq + 1) % MODULUS
            yield frame.seq, frame.message, False

    def acknowledged(self, ack: int, now: float) -> int:
        """How many messages this acknowledgement frees; 0 for an old or an impossible one."""
        if not self._in_flight:
            return 0
        count = (ack - self._in_flight[0].seq) % MODULUS
        if not 0 < count <= len(self._in_flight):
            return 0
        for _ in range(count):
            newest = self._in_flight.popleft()
        if not newest.resent:
            self._timer.sample(now - newest.sent_at)
        self._wait_from = now
        if self._resend_from is not None:
            self._resend_from = max(0, self._resend_from - count)
        return count


class Arrival(Enum):
    """What became of a DATA frame."""

    HELD = auto()
    """Next in order; it is held until it is taken."""
    REPEAT_HELD = auto()
    """It is here already and was not taken yet: say nothing."""
    REPEAT_TAKEN = auto()
    """It was taken before; its acknowledgement went astray: acknowledge again."""
    GAP = auto()
    """One before it is missing, or there is no room: the sender will go back."""


class Receiver:
    """The messages that one end receives: held in order, given out one at a time, taken."""

    def __init__(self, window: int) -> None:
        self._window = window
        self._held: deque[bytes] = deque()
        self.ack = 0
        """The sequence number of the first message that was not taken."""

    @property
    def first(self) -> bytes | None:
        """The message to be taken next."""
        return self._held[0] if self._held else None

    @property
    def missing(self) -> int:
        """The sequence number of the first message that has not come."""
        return (self.ack + len(self._held)) % MODULUS

    def __len__(self) -> int:
        return len(self._held)

    def arrived(self, seq: int, message: bytes) -> Arrival:
        ahead = (seq - self.ack) % MODULUS
        if ahead < len(self._held):
            return Arrival.REPEAT_HELD
        if ahead == len(self._held) and ahead < self._window:
            self._held.append(message)
            return Arrival.HELD
        return Arrival.REPEAT_TAKEN if ahead >= MODULUS // 2 else Arrival.GAP

    def taken(self) -> None:
        """The first held message is safe with the layer above."""
        self._held.popleft()
        self.ack = (self.ack + 1) % MODULUS
