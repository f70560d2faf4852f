"""The conversation that every driver on the device link holds; what is particular to a device is its subclass's.

Connect, see that it is the right kind of device, ask who it is and look it over (`devices.link.companion`), ask for its
status, then one report per event. A
report goes to the sink first and is acknowledged to the device when the sink has returned; if the sink raises, the
device keeps the event and sends it again in the next session, with the same boot and number.

One command is under way at a time: a device never has to catch up with wishes of the past. A subclass keeps what is
wished and names the next command when it is asked for it (`_command`): after every message, and whenever it calls
`_offer`. A wish therefore survives a reconnection, and the last one wins.
"""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from typing import Generic, NoReturn, TypeVar, cast

from devices.driver import ConnectionLost, WrongDevice
from devices.link.authentication import DeviceVetted
from devices.link.companion import Companion, NotTrusted
from devices.link.connection import LinkConnection, connect
from devices.link.firmware import Transfer
from devices.reports import DeviceState, Report, Sink
from devices.spec import DeviceSpec
from protocols.errors import ProtocolError
from protocols.firmware import companion
from protocols.firmware.companion import is_companion
from protocols.firmware.image import Image
from protocols.link.events import NumberedEvent
from protocols.link.identity import DeviceClass, Identify, Identity, StatusRequest
from protocols.link.locate import Blink
from protocols.link.messages import Codec, is_request
from protocols.link.session import LinkStatistics, Timings
from protocols.values import Value

ANSWER_WITHIN = 2.0
"""A device answers in milliseconds; one that is silent for so long while its link is alive has hung."""

M = TypeVar("M", bound=Value)
"""All messages of the device."""
E = TypeVar("E", bound=NumberedEvent)
"""Those that are events."""
S = TypeVar("S", bound=Value)
"""Its answer to a `StatusRequest`."""


class LinkDriver(ABC, Generic[M, E, S]):
    """One device on the link, over all its connections."""

    def __init__(
        self,
        spec: DeviceSpec,
        timings: Timings | None,
        *,
        device_class: DeviceClass,
        codec: Codec[M],
        status_type: type[S],
    ) -> None:
        self.spec = spec
        self.statistics = LinkStatistics.fresh()
        self.status: S | None = None
        """How the device stood when it was last asked; None while it is away."""
        self.companion = Companion(spec.id)
        self._timings = timings or Timings()
        self._device_class = device_class
        self._codec = codec
        self._status_type = status_type
        self._connection: LinkConnection | None = None
        self._patience: asyncio.Timeout | None = None
        """Runs while the driver waits for a message."""
        self._asked: M | None = None
        self._later: asyncio.TimerHandle | None = None

    @abstractmethod
    def _report(self, event: E) -> Report:
        """An event of the device, in the controller's words."""

    def _online(self, identity: Identity, status: S) -> DeviceState:
        """The device has told who it is and how it stands, in a new session."""
        return DeviceState(
            device=self.spec.id,
            state="online",
            model=identity.model,
            serial=identity.serial,
            firmware=identity.firmware,
            boot=identity.boot,
        )

    def _command(self, status: S) -> M | None:
        """What the device should be asked for now, if anything. `status` is how it stood when the session began."""
        return None

    def _stands(self, status: S) -> Report | None:
        """What the controller should know of a device's status, before it is told that the device is online."""
        return None

    def _answered(self, asked: M, answer: M) -> Report | None:
        """The answer to a command, and what of it the controller should know; `ProtocolError` when it cannot be one."""
        raise ProtocolError(f"{self.name} answered {type(asked).__name__} with {type(answer).__name__}")

    def _gone(self) -> None:
        """The session is over: forget what was known of the device."""

    @property
    def name(self) -> str:
        """For sentences: "the shoe"."""
        return f"the {_words(self._device_class)}"

    @property
    def is_online(self) -> bool:
        return self.status is not None

    def update(self, image: Image, *, running: str) -> Transfer:
        """Give the device new firmware, now or when it is there; it goes on over reconnections."""
        self.companion.transfer = Transfer(image, running=running)
        self._offer()
        return self.companion.transfer

    def blink(self, seconds: int) -> None:
        """Let the device show where it is, if it is there; a wish that comes too late is nobody's any more."""
        if self._connection is not None and self._connection.can_send:
            self._connection.send(companion.encode(Blink(seconds=seconds)))

    def look_again(self) -> DeviceVetted | None:
        """Judge the device anew, after somebody enrolled or accepted it; None while it is away."""
        self._offer()
        return self.companion.vetted_again()

    async def run(self, sink: Sink) -> NoReturn:
        """One connection, until it fails: with a `DriverFailure`, a `ProtocolError`, or the sink's own error."""
        try:
            async with connect(self.spec, self.statistics, self._timings) as connection:
                if connection.device_class != self._device_class:
                    raise WrongDevice(
                        f"the device on {self.spec.url} is {_which(connection.device_class)}, "
                        f"not a {_words(self._device_class)}"
                    )
                await self._converse(connection, sink)
        finally:
            self._connection = self.status = self._asked = None
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
        command = self._command(status)
        data = self.companion.command(now) if command is None else self._codec.encode(command)
        if data is None:
            self._offer_at(self.companion.not_before, now)
            return
        connection.send(data)
        self._asked = command
        if self._patience is not None:
            self._patience.reschedule(now + (self.companion.patience or ANSWER_WITHIN))

    def _offer_at(self, time: float, now: float) -> None:
        if self._later is not None:
            self._later.cancel()
            self._later = None
        if time > now:
            self._later = asyncio.get_running_loop().call_at(time, self._offer)

    async def _converse(self, connection: LinkConnection, sink: Sink) -> NoReturn:
        vetted: DeviceVetted | None = None
        identity: Identity | None = None
        last: NumberedEvent | None = None
        for question in (*self.companion.questions(), self._codec.encode(cast(M, Identify()))):
            connection.send(question)
        while True:
            data = await self._receive(connection)
            if is_companion(data):
                self.companion.heard(data, asyncio.get_running_loop().time())
                connection.taken()
                self._offer()
                continue
            message = self._codec.decode(data)
            if isinstance(message, Identity):
                identity = message
                vetted = await self._meet(identity, data, connection, sink)
            elif isinstance(message, self._status_type):
                if identity is None or vetted is None:
                    raise ProtocolError(f"{self.name} told its status before its identity")
                standing = self._stands(message)
                if standing is not None:
                    await sink(standing)
                await sink(self._online(identity, message))
                self._connection, self.status = connection, message
                self.companion.in_step(vetted)
            elif isinstance(message, NumberedEvent):
                if self.companion.must_judge_first:
                    raise NotTrusted(f"{self.name} sent an event before it told who it is; nothing is taken from it")
                self._expect_next(last, message)
                await sink(self._report(cast(E, message)))
                last = message
            elif is_request(data):
                raise ProtocolError(f"{self.name} sent a {type(message).__name__}, which is the controller's to send")
            elif self._asked is None:
                raise ProtocolError(f"{self.name} sent a {type(message).__name__} that nobody asked for")
            else:
                told = self._answered(self._asked, message)
                self._asked = None
                if told is not None:
                    await sink(told)
            connection.taken()
            self._offer()

    async def _meet(self, identity: Identity, data: bytes, connection: LinkConnection, sink: Sink) -> DeviceVetted:
        """The device has told who it is: look it over, prove ourselves, ask how it stands."""
        vetted = self.companion.judge(identity, data, self._device_class)
        await sink(vetted)
        if vetted.refused:
            raise NotTrusted(vetted.detail)
        proof = self.companion.proof()
        if proof is not None:
            connection.send(proof)
        connection.send(self._codec.encode(cast(M, StatusRequest())))
        return vetted

    async def _receive(self, connection: LinkConnection) -> bytes:
        answer_due = self.status is None or self._asked is not None or self.companion.is_waiting
        patience = self.companion.patience or ANSWER_WITHIN
        try:
            async with asyncio.timeout(patience if answer_due else None) as self._patience:
                return await connection.receive()
        except TimeoutError:
            raise ConnectionLost(f"{self.name} gave no answer in {patience:g} s") from None
        finally:
            self._patience = None

    def _expect_next(self, last: NumberedEvent | None, event: NumberedEvent) -> None:
        """Within a session the numbers of a boot have no gap: a missing event is asked for again, not passed over."""
        if last is not None and last.boot == event.boot and event.event_no != last.event_no + 1:
            raise ProtocolError(f"{self.name} sent event {event.event_no} after event {last.event_no}")


def _words(device_class: DeviceClass) -> str:
    return device_class.name.lower().replace("_", " ")


def _which(device_class: int | None) -> str:
    try:
        return f"a {_words(DeviceClass(device_class or 0))}"
    except ValueError:
        return f"of the unknown class {device_class}"
