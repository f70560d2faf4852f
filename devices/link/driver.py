"""The session that every driver on the device link has. A subclass adds what is particular to its kind of device.

Connect, check the device class, ask who the device is and check that too (`devices.link.companion`), ask for its
status, then one report per event. A report goes to the sink first and is acknowledged to the device when the sink has
returned. If the sink raises, the device keeps the event and sends it again in the next session, with the same boot and
number.

One command is under way at a time, so a device never has to catch up with old commands. A subclass keeps what was
requested and returns the next command from `_command`, which is called after every message and by `_offer`. A request
therefore survives a reconnection, and the last one wins.
"""

from __future__ import annotations

import asyncio
from typing import Generic, NoReturn, TypeVar, cast

from devices.driver import ConnectionLost, LinkTampered, WrongDevice
from devices.kinds import DeviceKind, name_of_class
from devices.link.authentication import DeviceVetted
from devices.link.companion import Companion, NotTrusted
from devices.link.connection import LinkConnection, connect
from devices.link.firmware import Transfer
from devices.link.quarantine import EVENTS, QuarantinedMessage, quarantined, words_of
from devices.link.recent import RecentLink
from devices.patience import PATIENCE
from devices.reports import DeviceAnswer, DeviceEvent, DeviceState, Report, Sink, TamperingSeen
from devices.spec import DeviceSpec
from protocols.errors import ProtocolError
from protocols.firmware import companion
from protocols.firmware.companion import is_companion
from protocols.firmware.image import Image
from protocols.link.events import NumberedEvent
from protocols.link.identity import Identify, Identity, StatusRequest
from protocols.link.locate import Blink
from protocols.link.messages import Codec, is_request
from protocols.link.session import LinkStatistics, Timings
from protocols.values import Value

ANSWER_WITHIN = 2.0
"""Seconds. A device answers in milliseconds; one that is silent for this long while its link is alive has hung."""

M = TypeVar("M", bound=Value)
"""All messages of the device."""
E = TypeVar("E", bound=NumberedEvent)
"""Those that are events."""
S = TypeVar("S", bound=Value)
"""Its answer to a `StatusRequest`."""


class LinkDriver(Generic[M, E, S]):
    """One device on the link, over all its connections."""

    def __init__(
        self,
        spec: DeviceSpec,
        timings: Timings | None,
        *,
        kind: DeviceKind,
        status_type: type[S],
    ) -> None:
        self.spec = spec
        self.statistics = LinkStatistics.fresh()
        self.status: S | None = None
        """As last reported by the device; None while it is away."""
        self.companion = Companion(spec.id)
        self.recent: RecentLink | None = None
        """The last ten minutes, from the first session on."""
        self._timings = timings or Timings()
        self._answer_within = ANSWER_WITHIN
        assert kind.link is not None
        self._kind, self._link = kind, kind.link
        self._codec: Codec[M] = kind.link.codec
        self._status_type = status_type
        self._connection: LinkConnection | None = None
        self._patience: asyncio.Timeout | None = None
        """Runs while the driver waits for a message."""
        self._asked: M | None = None
        self._asked_at: float | None = None
        """When the question was asked that was not answered yet."""
        self._later: asyncio.TimerHandle | None = None
        self._unreadable = b""
        """The head of the event that could not be read and ended the last session."""

    def _body(self, event: E) -> NumberedEvent:
        """What is reported for an event: the message itself, or a subclass of it that says more."""
        return event

    def _online(self, identity: Identity, status: S) -> DeviceState:
        """The state to report when the device has sent its identity and status in a new session."""
        return DeviceState(
            device=self.spec.id,
            state="online",
            model=identity.model,
            serial=identity.serial,
            firmware=identity.firmware,
            boot=identity.boot,
        )

    def _command(self, status: S) -> M | None:
        """The command to send now, if any. `status` is that of the beginning of the session."""
        return None

    def _status_report(self, status: S) -> Report | None:
        """What to report of a status, before the device is reported online."""
        return None

    def _draw_in(self, data: bytes) -> int | None:
        """The number of the card that an event reports, where the rest of it cannot be read."""
        return None

    def _answered(self, asked: M, answer: M) -> Report | None:
        """Take the answer to a command and return what to report of it; `ProtocolError` when it is no answer to it."""
        raise ProtocolError(f"{self.name} answered {type(asked).__name__} with {type(answer).__name__}")

    def _gone(self) -> None:
        """The session is over: drop what was known of the device."""

    @property
    def name(self) -> str:
        """For sentences: "the shoe"."""
        return f"the {self._kind.words}"

    @property
    def is_online(self) -> bool:
        return self.status is not None

    def update(self, image: Image, *, running: str) -> Transfer:
        """Give the device new firmware, now or when it is there; it goes on over reconnections."""
        self.companion.transfer = Transfer(image, running=running)
        self._offer()
        return self.companion.transfer

    def can_blink(self, part: str) -> bool:
        """A device on the link has no parts."""
        return not part

    def blink(self, seconds: int, part: str = "") -> None:
        """Let the device show where it is. While it is away the request is dropped: later it would help nobody."""
        if self._connection is not None and self._connection.can_send:
            self._connection.send(companion.encode(Blink(seconds=seconds)))

    def look_again(self) -> DeviceVetted | None:
        """Check the device again, after somebody enrolled or accepted it; None while it is away."""
        self._offer()
        return self.companion.vetted_again()

    async def run(self, sink: Sink) -> NoReturn:
        """One connection, until it fails: with a `DriverFailure`, a `ProtocolError`, or the sink's own error."""
        self._answer_within = ANSWER_WITHIN * PATIENCE.get()
        self.recent = self.recent or RecentLink(self.statistics, asyncio.get_running_loop().time())
        try:
            async with connect(self.spec, self.statistics, self._timings) as connection:
                if connection.device_class != self._link.device_class:
                    raise WrongDevice(
                        f"the device on {self.spec.url} is {name_of_class(connection.device_class)}, "
                        f"not a {self._kind.words}"
                    )
                await self._run_session(connection, sink)
        except LinkTampered as tampered:
            await sink(TamperingSeen(device=self.spec.id, detail=str(tampered)))
            raise
        finally:
            self._connection = self.status = self._asked = self._asked_at = None
            self.companion.gone()
            self._gone()

    def _offer(self) -> None:
        """Send the next command, if there is one and it can be sent."""
        connection, status = self._connection, self.status
        if connection is None or status is None or self._asked is not None or not connection.can_send:
            return
        if self.companion.is_waiting:
            return
        now = asyncio.get_running_loop().time()
        self._seal(connection)
        command = self._command(status)
        data = self.companion.command(now) if command is None else self._codec.encode(command)
        if data is None:
            self._offer_at(self.companion.not_before, now)
            return
        connection.send(data)
        self._asked, self._asked_at = command, now
        if self._patience is not None:
            self._patience.reschedule(now + (self.companion.patience or self._answer_within))

    def _offer_at(self, time: float, now: float) -> None:
        if self._later is not None:
            self._later.cancel()
            self._later = None
        if time > now:
            self._later = asyncio.get_running_loop().call_at(time, self._offer)

    async def _run_session(self, connection: LinkConnection, sink: Sink) -> NoReturn:
        vetted: DeviceVetted | None = None
        identity: Identity | None = None
        last: NumberedEvent | None = None
        for question in (*self.companion.questions(), self._codec.encode(cast(M, Identify()))):
            connection.send(question)
        self._asked_at = asyncio.get_running_loop().time()
        while True:
            data = await self._receive(connection)
            if is_companion(data):
                self._note_answer()
                self.companion.received(data, asyncio.get_running_loop().time())
                connection.taken()
                self._offer()
                continue
            message = self._decoded(data)
            if message is None:
                last = await self._quarantine(data, last, sink)
            elif isinstance(message, Identity):
                self._note_answer()
                identity = message
                vetted = await self._meet(identity, data, connection, sink)
            elif isinstance(message, self._status_type):
                self._note_answer()
                if identity is None or vetted is None:
                    raise ProtocolError(f"{self.name} reported its status before its identity")
                report = self._status_report(message)
                if report is not None:
                    await sink(report)
                await sink(self._online(identity, message))
                self._connection, self.status = connection, message
                self.companion.in_step(vetted)
            elif isinstance(message, NumberedEvent):
                self._expect_trusted()
                self._expect_next(last, message)
                await sink(DeviceEvent(device=self.spec.id, body=self._body(cast(E, message))))
                last = message
            elif is_request(data):
                raise ProtocolError(f"{self.name} sent a {type(message).__name__}, which is the controller's to send")
            elif self._asked is None:
                raise ProtocolError(f"{self.name} sent a {type(message).__name__} that nobody asked for")
            else:
                self._note_answer()
                report = self._answered(self._asked, message)
                self._asked = None
                if report is not None:
                    await sink(report)
            connection.taken()
            self._offer()

    def _decoded(self, data: bytes) -> M | None:
        """The message; None where it is an event that cannot be read, or of a kind that is not known."""
        try:
            return self._codec.decode(data)
        except ProtocolError:
            if data[0] in EVENTS or not self._codec.knows(data[0]):
                return None
            raise

    async def _quarantine(self, data: bytes, last: NumberedEvent | None, sink: Sink) -> NumberedEvent | None:
        """Report a message that cannot be read, so that it can be acknowledged; the last event after it. One of a known
        kind ends the session the first time: noise may have passed the CRC, and then it comes again as it should."""
        self._expect_trusted()
        is_known, head = self._codec.knows(data[0]), data[:9]
        if is_known and head != self._unreadable:
            self._unreadable = head
            raise ProtocolError(f"{self.name} sent an event that cannot be read: {words_of(data)}")
        self._unreadable = b""
        found = quarantined(data, is_known=is_known, draw_no=self._draw_in(data) if is_known else None)
        if isinstance(found, QuarantinedMessage):
            await sink(DeviceAnswer(device=self.spec.id, body=found))
            return last
        self._expect_next(last, found)
        await sink(DeviceEvent(device=self.spec.id, body=found))
        return found

    def _expect_trusted(self) -> None:
        if self.companion.must_judge_first:
            raise NotTrusted(f"{self.name} sent an event before it had identified itself; nothing is taken from it")

    async def _meet(self, identity: Identity, data: bytes, connection: LinkConnection, sink: Sink) -> DeviceVetted:
        """The device has sent its identity: check it, prove ours, ask for the status."""
        vetted = self.companion.judge(identity, data, self._link.device_class)
        await sink(vetted)
        if vetted.refused:
            raise NotTrusted(vetted.detail)
        self._seal(connection)
        proof = self.companion.proof()
        if proof is not None:
            connection.send(proof)
        if connection.is_sealed:
            connection.send(self.companion.question_again())
        connection.send(self._codec.encode(cast(M, StatusRequest())))
        self._asked_at = asyncio.get_running_loop().time()
        return vetted

    def _seal(self, connection: LinkConnection) -> None:
        """As soon as both ends know the session's key, no frame goes without a seal."""
        key = None if connection.is_sealed else self.companion.session_key()
        if key is not None:
            connection.seal(key)
            self.companion.max_message = connection.max_message

    async def _receive(self, connection: LinkConnection) -> bytes:
        answer_due = self.status is None or self._asked is not None or self.companion.is_waiting
        patience = self.companion.patience or self._answer_within
        try:
            async with asyncio.timeout(patience if answer_due else None) as self._patience:
                data = await connection.receive()
        except TimeoutError:
            detail = f"{self.name} gave no answer in {patience:g} s{connection.found}"
            raise ConnectionLost(detail, connection.finding) from None
        finally:
            self._patience = None
        if self.recent is not None:
            self.recent.came(asyncio.get_running_loop().time())
        return data

    def _note_answer(self) -> None:
        """The question that was asked last is answered: how long it took."""
        if self._asked_at is not None and self.recent is not None:
            now = asyncio.get_running_loop().time()
            self.recent.answered(now - self._asked_at, now)
        self._asked_at = None

    def _expect_next(self, last: NumberedEvent | None, event: NumberedEvent) -> None:
        """Within a session the numbers of a boot have no gap: a missing event is requested again, not skipped."""
        if last is not None and last.boot == event.boot and event.event_no != last.event_no + 1:
            raise ProtocolError(f"{self.name} sent event {event.event_no} after event {last.event_no}")
