"""The device link: both ends' state machines, without I/O.

The controller opens: it sends RESET until the device's HELLO comes, then messages go both ways, each once and in
order, until one end has received nothing for too long. A `ControllerLink` lives for one session; when it is `Down` the
driver makes another. A `DeviceLink` lives as long as the device is powered and goes from session to session.

                    RESET ─►                             silence, DOWN ─►
    controller  RESETTING ──── HELLO ──► UP ───────────────────────────► DOWN
    device      LISTENING ──── RESET ──► UP ── silence ──► LISTENING;  RESET in UP begins the next session

The owner of a link passes bytes and time in and carries bytes and events out:

    events = link.receive(data, now)     bytes came
    events = link.poll(now)              `next_deadline()` has come
    link.send(message)                   something to say
    events = link.taken(now)             the last `Received` is safe: acknowledge it, give me the next
    link.seal(key)                       controller: from now on every frame is sealed; device: sealed frames may come
    port.write(link.outgoing(now))       after each of these

Nothing here raises on what comes in: bytes that are no good frame are counted, strays are ignored, and the other end
sends again. Buffers are bounded: one frame in the deframer, a window in each direction, a short queue to send.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from enum import Enum, auto
from functools import lru_cache

from msgspec import Struct
from msgspec.structs import replace

from protocols.errors import ProtocolError
from protocols.link import frames
from protocols.link.arq import Arrival, Receiver, RetransmissionTimer, Sender
from protocols.link.diagnosis import Diagnosis, Finding
from protocols.link.frames import Ack, Data, Frame, Hello, KeepAlive, Nak, Reset
from protocols.link.framing import Deframer, FramingStatistics, encode_frame
from protocols.link.seal import KINDS as SEALED_KINDS
from protocols.link.seal import MAX_SEALED_PAYLOAD, BadSeal, Seal, is_sealed, stripped
from protocols.values import Value


class Timings(Value):
    """Seconds. The reasons are for 115,200 baud; docs/protocols/device-link.md has the table."""

    reset_every: float = 0.25
    """A device that is just booting misses few of these."""
    connect_within: float = 3.0
    """A port that does not answer for this long has no device of ours on it."""
    rto_first: float = 0.25
    """Before the first measurement: longer than any healthy answer, disk commit included."""
    rto_floor: float = 0.05
    """Two 16 ms latency timers of a USB adapter and a card's frame fit in: a healthy line sends nothing twice."""
    rto_ceiling: float = 1.0
    """A dealer waits at most about this long for a card after the line is well again."""
    nak_every: float = 0.05
    """A noisy line must not be filled with complaints about it."""
    keepalive_every: float = 0.5
    dead_after: float = 2.5
    """Five keep-alives in a row: noise does not do that, a pulled cable does."""

    def patient(self, factor: float) -> Timings:
        """The same, but it takes this much longer until the other end is given up."""
        return replace(self, connect_within=self.connect_within * factor, dead_after=self.dead_after * factor)


WINDOW = 4
"""Frames in flight: more would only queue behind the controller's disk."""
QUEUE_LIMIT = 16
"""Messages that `send` takes before the first is acknowledged."""


class LinkStatistics(Struct):
    """Counters that outlive sessions: give the same object to the next link."""

    framing: FramingStatistics
    sessions: int = 0
    frames_sent: int = 0
    messages_sent: int = 0
    messages_taken: int = 0
    retransmissions: int = 0
    duplicates: int = 0
    gaps: int = 0
    rejections: int = 0
    """NAKs sent."""
    malformed: int = 0
    """Good frames that the link does not know."""
    strays: int = 0
    """Frames of another session."""
    tampered: int = 0
    """Sessions that ended because of a frame with a wrong seal, or without one."""
    round_trip_ms: float | None = None

    @classmethod
    def fresh(cls) -> LinkStatistics:
        return cls(FramingStatistics())


class Up(Value):
    """A new session: what was unacknowledged before must be sent again."""

    session: int
    device_class: int
    """What kind of device it is; docs/protocols/device-link.md lists them."""


class Received(Value):
    """The next message. There will be no other before `taken`."""

    message: bytes


class Acknowledged(Value):
    """The oldest `count` messages were taken by the other end."""

    count: int


class Refused(Value):
    """The device speaks no version that we speak. The link is down."""

    detail: str


class Down(Value):
    """The session is over."""

    detail: str
    found: Finding | None = None
    """What is wrong with the device, where it is nearly right."""


class Tampered(Value):
    """The session is over: something on the line has altered, made up or repeated a frame of it."""

    detail: str


LinkEvent = Up | Received | Acknowledged | Refused | Down | Tampered


class LinkState(Enum):
    RESETTING = auto()
    LISTENING = auto()
    UP = auto()
    DOWN = auto()


class _Link:
    """What both ends do alike: a session once it is established."""

    def __init__(
        self, state: LinkState, timings: Timings, statistics: LinkStatistics | None, diagnosis: Diagnosis
    ) -> None:
        self.state = state
        self.diagnosis = diagnosis
        """What is wrong with the other end, where it is nearly right."""
        self.statistics = statistics or LinkStatistics.fresh()
        self._timings = timings
        self._deframer = Deframer(self.statistics.framing)
        self._session = 0
        self._max_payload = frames.MAX_PAYLOAD
        self._received_at = 0.0
        self._said_at = 0.0
        self._ack_due = False
        self._nak_due = False
        self._nak_at = -math.inf
        self._begin(0, WINDOW, frames.MAX_PAYLOAD, 0.0)

    @property
    def held(self) -> int:
        """Bytes and messages held, for those who watch that it stays bounded."""
        return self._deframer.held + len(self._sender) + len(self._receiver)

    @property
    def can_send(self) -> bool:
        return self.state is LinkState.UP and len(self._sender) < QUEUE_LIMIT

    @property
    def is_sealed(self) -> bool:
        """Whether this end seals what it sends."""
        return self._seal is not None

    @property
    def max_message(self) -> int:
        """Bytes of the longest message that can be sent."""
        return min(self._max_payload, MAX_SEALED_PAYLOAD) if self.is_sealed else self._max_payload

    def send(self, message: bytes) -> None:
        """Queue a message; it is acknowledged by an `Acknowledged`, or lost with the session."""
        if not self.can_send:
            raise ProtocolError(
                f"the link is {self.state.name} with {len(self._sender)} messages queued; it takes no more"
            )
        if not 1 <= len(message) <= self.max_message:
            raise ProtocolError(f"a message has 1 to {self.max_message} bytes, this one has {len(message)}")
        self._sender.offer(message)

    def receive(self, data: bytes, now: float) -> list[LinkEvent]:
        events: list[LinkEvent] = []
        overruns = self.statistics.framing.overruns
        bodies = self._deframer.feed(data)
        if self.statistics.framing.overruns > overruns:
            self.diagnosis.overrun(data)
        self._nak_due = self._deframer.met_bad_frame
        for body in bodies:
            try:
                opened = self._opened(body)
            except BadSeal as error:
                self.statistics.tampered += 1
                return [*(event for event in events if not isinstance(event, Received)), *self._tampered(str(error))]
            if opened is None:
                self.statistics.strays += 1
                continue
            try:
                frame = frames.decode(opened)
            except ProtocolError as error:
                self.statistics.malformed += 1
                self.diagnosis.ignored(opened, error)
                continue
            for event in self._frame(frame, now):
                if isinstance(event, Up):
                    # A message of the session before can no longer be taken; its sender will send it again.
                    events = [earlier for earlier in events if not isinstance(earlier, Received)]
                events.append(event)
        return events

    def _opened(self, body: bytes) -> bytes | None:
        """The frame without its seal; None where it is not of this session, or from before the other end sealed.
        `BadSeal` where it is a forgery."""
        raise NotImplementedError

    def _is_of_this_session(self, body: bytes) -> bool:
        in_session = self.state is LinkState.UP and len(body) >= frames.HEAD_SIZE
        return in_session and int.from_bytes(body[1:5]) == self._session

    def taken(self, now: float) -> list[LinkEvent]:
        """The layer above has made the last received message safe. Too late for a session that is over: no harm."""
        if self.state is not LinkState.UP:
            return []
        if self._receiver.first is None:
            raise ProtocolError("there is no message to take")
        self._receiver.taken()
        self._ack_due = True
        self.statistics.messages_taken += 1
        following = self._receiver.first
        return [] if following is None else [Received(following)]

    def poll(self, now: float) -> list[LinkEvent]:
        """What has become due."""
        if self.state is not LinkState.UP:
            return []
        if now >= self._received_at + self._timings.dead_after:
            return self._lost(f"nothing received for {self._timings.dead_after:g} s{self.diagnosis.words}")
        if self._seal is not None and self._seal.is_used_up:
            return self._lost("the numbers of this sealed session are used up")
        deadline = self._sender.deadline()
        if deadline is not None and now >= deadline:
            self._sender.timed_out()
        return []

    def next_deadline(self) -> float | None:
        """When `poll` and `outgoing` should be called, if nothing else happens."""
        if self.state is not LinkState.UP:
            return None
        idle = min(self._received_at + self._timings.dead_after, self._said_at + self._timings.keepalive_every)
        retransmit = self._sender.deadline()
        return idle if retransmit is None else min(idle, retransmit)

    def outgoing(self, now: float) -> bytes:
        """The bytes to write now."""
        if self.state is not LinkState.UP:
            return b""
        out: list[Frame] = []
        if self._nak_due and now >= self._nak_at + self._timings.nak_every:
            out.append(Nak(self._session, self._receiver.missing, self._receiver.ack))
            self.statistics.rejections += 1
            self._nak_at = now
        self._nak_due = False
        for seq, message, again in self._sender.to_send(now):
            out.append(Data(self._session, seq, self._receiver.ack, message))
            if again:
                self.statistics.retransmissions += 1
            else:
                self.statistics.messages_sent += 1
        if not out and self._ack_due:
            out.append(Ack(self._session, self._receiver.ack))
        if not out and now >= self._said_at + self._timings.keepalive_every:
            out.append(KeepAlive(self._session, self._receiver.ack))
        if out:
            self._ack_due = False
            self._said_at = now
        return self._wire(out)

    def _wire(self, out: list[Frame]) -> bytes:
        self.statistics.frames_sent += len(out)
        if self._seal is None and len(out) == 1 and type(out[0]) in (Ack, KeepAlive):
            return _encoded(out[0])
        return b"".join(encode_frame(self._sealed(frames.encode(frame))) for frame in out)

    def _sealed(self, body: bytes) -> bytes:
        return body if self._seal is None or body[0] not in SEALED_KINDS else self._seal.close(body)

    def _begin(self, session: int, window: int, max_payload: int, now: float) -> None:
        timings = self._timings
        self._timer = RetransmissionTimer(timings.rto_first, timings.rto_floor, timings.rto_ceiling)
        self._sender = Sender(min(window, WINDOW), self._timer)
        self._receiver = Receiver(WINDOW)
        self._session = session
        self._max_payload = min(max_payload, frames.MAX_PAYLOAD)
        self._received_at = self._said_at = now
        self._seal: Seal | None = None
        self._offered: Seal | None = None
        self._has_received = False
        self._ack_due = self._nak_due = False
        self._nak_at = -math.inf

    def _frame(self, frame: Frame, now: float) -> list[LinkEvent]:
        raise NotImplementedError

    def _lost(self, detail: str) -> list[LinkEvent]:
        raise NotImplementedError

    def _tampered(self, detail: str) -> list[LinkEvent]:
        return [Tampered(detail), *self._lost(detail)]

    def _conversation(self, frame: Data | Ack | KeepAlive | Nak, now: float) -> list[LinkEvent]:
        """A frame of the current session."""
        if self.state is not LinkState.UP or frame.session != self._session:
            self.statistics.strays += 1
            self.diagnosis.stray(frame, self._session)
            return []
        self.diagnosis.of_this_session()
        self._received_at = now
        self._has_received = True
        events: list[LinkEvent] = []
        count = self._sender.acknowledged(frame.ack, now)
        if count:
            events.append(Acknowledged(count))
            if self._timer.smoothed is not None:
                self.statistics.round_trip_ms = round(self._timer.smoothed * 1000, 3)
        match frame:
            case Data():
                events += self._arrived(frame)
            case Nak():
                self._sender.rejected(frame.seq)
        return events

    def _arrived(self, frame: Data) -> list[LinkEvent]:
        match self._receiver.arrived(frame.seq, frame.payload):
            case Arrival.HELD:
                return [Received(frame.payload)] if len(self._receiver) == 1 else []
            case Arrival.REPEAT_TAKEN:
                self.statistics.duplicates += 1
                self._ack_due = True
            case Arrival.REPEAT_HELD:
                self.statistics.duplicates += 1
            case Arrival.GAP:
                self.statistics.gaps += 1
                self._nak_due = True
        return []


@lru_cache(128)
def _encoded(frame: Frame) -> bytes:
    """On the wire, without a seal. For frames that an idle line carries again and again."""
    return encode_frame(frames.encode(frame))


class ControllerLink(_Link):
    """The controller's end of one session: RESETTING, UP, DOWN."""

    def __init__(
        self, token: int, now: float, timings: Timings | None = None, statistics: LinkStatistics | None = None
    ) -> None:
        """`token`: 32 random bits, new for each link, so that a late HELLO to somebody else is not taken for ours."""
        super().__init__(LinkState.RESETTING, timings or Timings(), statistics, Diagnosis(token))
        self._token = token
        self._give_up_at = now + self._timings.connect_within
        self._reset_at = now

    def seal(self, key: bytes) -> None:
        """Seal every frame from now on, and take none from the device that is not sealed. `key`: of this session."""
        self._seal = Seal(key, "controller")

    def _opened(self, body: bytes) -> bytes | None:
        seal = self._seal
        if is_sealed(body):
            return None if seal is None or not self._is_of_this_session(body) else seal.open(body)
        if seal is not None and body[0] in SEALED_KINDS and self._is_of_this_session(body):
            if seal.has_received:
                raise BadSeal("a frame without a seal came in a sealed session")
            return None
        return body

    def poll(self, now: float) -> list[LinkEvent]:
        if self.state is LinkState.RESETTING and now >= self._give_up_at:
            found = self.diagnosis.of_no_session()
            within = f"{self._timings.connect_within:g} s"
            if found is None:
                return self._lost(f"no answer to the link reset in {within}")
            self.state = LinkState.DOWN
            return [Down(f"no session in {within}: {found}", found)]
        return super().poll(now)

    def receive(self, data: bytes, now: float) -> list[LinkEvent]:
        if self.state is LinkState.RESETTING:
            self.diagnosis.before_session(data)
        return super().receive(data, now)

    def next_deadline(self) -> float | None:
        if self.state is LinkState.RESETTING:
            return min(self._reset_at, self._give_up_at)
        return super().next_deadline()

    def outgoing(self, now: float) -> bytes:
        if self.state is LinkState.RESETTING and now >= self._reset_at:
            self._reset_at = now + self._timings.reset_every
            versions = frames.LOWEST_VERSION, frames.HIGHEST_VERSION
            return self._wire([Reset(self._token, *versions, WINDOW, frames.MAX_PAYLOAD)])
        return super().outgoing(now)

    def _frame(self, frame: Frame, now: float) -> list[LinkEvent]:
        match frame:
            case Hello() if frame.token == self._token and self.state is LinkState.RESETTING:
                return self._hello(frame, now)
            case Hello() if (
                self.state is LinkState.UP and frame.token == self._token and frame.session != self._session
            ):
                self.diagnosis.second_hello(frames.encode(frame), self._session)
            case frames.Down() if self.state is LinkState.UP and frame.session in (0, self._session):
                return self._lost("the device has lost the session")
            case Data() | Ack() | KeepAlive() | Nak():
                return self._conversation(frame, now)
        self.statistics.strays += 1
        return []

    def _hello(self, hello: Hello, now: float) -> list[LinkEvent]:
        if not frames.LOWEST_VERSION <= hello.version <= frames.HIGHEST_VERSION:
            self.state = LinkState.DOWN
            ours = f"{frames.LOWEST_VERSION} to {frames.HIGHEST_VERSION}"
            return [Refused(f"the device speaks none of the link versions {ours}")]
        self.state = LinkState.UP
        self.statistics.sessions += 1
        self._begin(hello.session, hello.window, hello.max_payload, now)
        return [Up(hello.session, hello.device_class)]

    def _lost(self, detail: str) -> list[LinkEvent]:
        self.state = LinkState.DOWN
        return [Down(detail, self.diagnosis.of_the_session())]


class DeviceLink(_Link):
    """The device's end: LISTENING and UP, session after session."""

    def __init__(
        self,
        device_class: int,
        new_session: Callable[[], int],
        timings: Timings | None = None,
        statistics: LinkStatistics | None = None,
    ) -> None:
        """`new_session`: a 32-bit number, not 0, that this device has not used before."""
        super().__init__(LinkState.LISTENING, timings or Timings(), statistics, Diagnosis(None))
        self._device_class = device_class
        self._new_session = new_session
        self._token: int | None = None
        self._answer: Frame | None = frames.Down(0)
        """Of the frames outside a session at most one is due; the last one wins."""

    def seal(self, key: bytes) -> None:
        """The controller may seal from now on; its first sealed frame makes the session sealed, in both directions.
        `key`: of this session."""
        self._offered = Seal(key, "device")

    def _opened(self, body: bytes) -> bytes | None:
        if is_sealed(body):
            if self.state is LinkState.LISTENING:
                return stripped(body)
            if self._offered is None or not self._is_of_this_session(body):
                return None
            opened = self._offered.open(body)
            self._seal = self._offered
            return opened
        if self.is_sealed and body[0] in SEALED_KINDS and self._is_of_this_session(body):
            raise BadSeal("a frame without a seal came in a sealed session")
        return body

    def outgoing(self, now: float) -> bytes:
        answer, self._answer = self._answer, None
        return (self._wire([answer]) if answer else b"") + super().outgoing(now)

    def _frame(self, frame: Frame, now: float) -> list[LinkEvent]:
        match frame:
            case Reset():
                return self._reset(frame, now)
            case Data() | Ack() | KeepAlive() | Nak():
                if self.state is LinkState.LISTENING:
                    self._answer = frames.Down(frame.session)
                return self._conversation(frame, now)
        self.statistics.strays += 1
        return []

    def _reset(self, reset: Reset, now: float) -> list[LinkEvent]:
        version = min(reset.highest, frames.HIGHEST_VERSION)
        if version < max(reset.lowest, frames.LOWEST_VERSION):
            refusal = self._session or self._new_session()
            self._answer = self._hello(refusal, reset.token, frames.REFUSED)
            return []
        if self.state is LinkState.UP and reset.token == self._token and not self._has_received:
            # Our HELLO went astray. Once the controller has spoken in the session, a RESET is always a new one.
            self._received_at = now
            self._answer = self._hello(self._session, reset.token, version)
            return []
        self._token = reset.token
        self.state = LinkState.UP
        self.statistics.sessions += 1
        self._begin(self._new_session(), reset.window, reset.max_payload, now)
        self._answer = self._hello(self._session, reset.token, version)
        return [Up(self._session, self._device_class)]

    def _hello(self, session: int, token: int, version: int) -> Hello:
        return Hello(session, token, version, WINDOW, frames.MAX_PAYLOAD, self._device_class)

    def _lost(self, detail: str) -> list[LinkEvent]:
        self.state = LinkState.LISTENING
        return [Down(detail)]
