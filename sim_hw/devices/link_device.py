"""What every simulated device on the device link does: it has a boot, numbers its events, identifies itself.

A device is a subclass: mechanics as methods, events through `_happened(Kind(**self._head(), ...))`. Boot numbers come
from `random.Random(f"{seed}/boot")` and the times from the simulated clock, so two runs with one seed send the
controller the same bytes.

Every device also has a place for a key (`keyholder`) and a `bootloader`, as docs/protocols/firmware.md requires: a test
can give it a key, burn in a signer, cut its power in mid-update.
"""

from __future__ import annotations

import asyncio
import random
from abc import ABC, abstractmethod
from collections import deque
from typing import Any, ClassVar, Generic, Required, TypedDict, TypeVar, Unpack, cast

from protocols.firmware import companion
from protocols.firmware.authentication import Challenge, Proof
from protocols.firmware.messages import FirmwareRequest, UpdateActivating, UpdateConfirmed
from protocols.link.identity import Identify, Identity, StatusRequest
from protocols.link.locate import Blink
from protocols.link.messages import Codec
from protocols.link.session import Timings
from protocols.values import Value
from sim_hw.devices.kinds import OnWire
from sim_hw.devices.link_peer import LinkPeer
from sim_hw.firmware.bootloader import Bootloader, factory_image
from sim_hw.firmware.flash import PowerCut
from sim_hw.firmware.keyholder import Keyholder
from sim_hw.time.clock import SimClock
from sim_hw.wire.line import Port
from sim_hw.wire.noise import Noise

M = TypeVar("M", bound=Value)

TRIAL_S = 60.0
REMEMBERED = 2000


class Hardware(TypedDict, total=False):
    """What one device of a kind has of its own."""

    seed: Required[int | str]
    noise: Noise | None
    timings: Timings | None
    model: str
    serial: str
    firmware: str


class LinkDevice(OnWire, ABC, Generic[M]):
    """A device on a simulated port. Unplugged at first: `plug` it."""

    DEVICE_CLASS: ClassVar[int]
    CODEC: ClassVar[Codec[Any]]
    MODEL: ClassVar[str]
    SERIAL: ClassVar[str]

    def __init__(self, port: Port, clock: SimClock, **hardware: Unpack[Hardware]) -> None:
        """Model, serial number and firmware are those of the kind, unless others are given."""
        seed, device_class = hardware["seed"], self.DEVICE_CLASS
        model, firmware = hardware.get("model", self.MODEL), hardware.get("firmware", "1.0.0")
        self._clock = clock
        self._model, self._serial = model, hardware.get("serial", self.SERIAL)
        self._boot_rng = random.Random(f"{seed}/boot")
        self._watchdog: asyncio.TimerHandle | None = None
        self.keyholder = Keyholder(random.Random(f"{seed}/nonces"))
        self.bootloader = Bootloader(factory_image(device_class=device_class, model=model, version=firmware).data)
        self.is_on = True
        self.commands: deque[M] = deque(maxlen=REMEMBERED)
        """The controller's commands, newest last."""
        self.blinks: deque[int] = deque(maxlen=REMEMBERED)
        """The seconds of each command to show itself, newest last."""
        self.trial_s = TRIAL_S
        """How long a new image has until it must be confirmed, in real seconds."""
        self.link = LinkPeer(
            port,
            device_class,
            self._received,
            rng=random.Random(f"{seed}/link"),
            noise=hardware.get("noise"),
            timings=hardware.get("timings"),
            in_next_session=self._in_next_session,
            on_session=self.keyholder.session_began,
            holds_events=True,
        )
        self.wire = self.link.line
        self._boot_up()

    @abstractmethod
    def _powered_up(self) -> None:
        """Counters and what else power-up resets."""

    @abstractmethod
    def _status(self) -> M:
        """The device's status."""

    @abstractmethod
    def _commanded(self, command: M) -> None:
        """A message of the controller's, other than the questions that every device answers alike."""

    def _in_next_session(self, event: bytes) -> bytes:
        """What becomes of an event that was not taken in its session: the same, unless it was a secret."""
        return event

    @property
    def events(self) -> int:
        """The number of its events since it was switched on."""
        return self._event_no

    def plug(self) -> None:
        self.link.plug()

    def unplug(self) -> None:
        self.link.unplug()

    def close(self) -> None:
        """Unplug it, and stop whatever moves."""
        self.unplug()

    def power_cycle(self, *, keep_events: bool = False) -> None:
        """Off and on: a new boot, counters at zero. Untaken events are lost, unless the device stores them."""
        self._power_off(keep_events=keep_events)
        try:
            self.bootloader.boot()
        except PowerCut:
            return
        self._boot_up()
        if self.bootloader.in_trial:
            self._watchdog = asyncio.get_running_loop().call_later(self.trial_s, self.power_cycle)
        if not self.bootloader.hangs:
            self.is_on = True
            self.link.power_on()

    async def wait_online(self) -> None:
        """Until a controller has asked for the status: whatever happens from here on is reported."""
        await self.link.wait_until(lambda: self.link.is_up and self.link.is_released)

    async def wait_taken(self) -> None:
        """Until the controller has taken all that happened."""
        await self.link.wait_until(lambda: self.link.kept == 0)

    async def settled(self) -> None:
        """Until the controller has taken all that happened, if there is one: a device on its own keeps its events."""
        if self.is_plugged and self.link.is_up and not self.wire.is_dead:
            await self.link.wait_until(lambda: self.link.kept == 0 or not self.link.is_up)

    async def wait_off(self) -> None:
        """Until the power has gone (`bootloader.flash.cut_power_after`); `power_cycle` brings it back."""
        await self.link.wait_until(lambda: not self.is_on)

    def _power_off(self, *, keep_events: bool = False) -> None:
        self.is_on = False
        if self._watchdog is not None:
            self._watchdog.cancel()
            self._watchdog = None
        self.link.power_off(keep_events=keep_events)

    def _boot_up(self) -> None:
        self.boot = self._boot_rng.randint(1, 0xFFFFFFFF)
        self._event_no = 0
        self._booted_at = self._clock.now_ms()
        self._powered_up()

    def _head(self) -> dict[str, int]:
        """What the next event begins with."""
        self._event_no += 1
        return {"boot": self.boot, "event_no": self._event_no, "uptime_ms": self._clock.now_ms() - self._booted_at}

    def _happened(self, event: M) -> None:
        self.link.post(self.CODEC.encode(event), keep=True)

    def _answer(self, answer: M) -> None:
        self.link.post(self.CODEC.encode(answer), keep=False)

    def _identity(self) -> Identity:
        firmware = self.bootloader.running.version
        return Identity(boot=self.boot, model=self._model, serial=self._serial, firmware=firmware)

    def _received(self, data: bytes) -> None:
        if companion.is_companion(data):
            try:
                self._companion_received(companion.decode(data))
            except PowerCut:
                self._power_off()
            return
        message = self.CODEC.decode(data)
        if isinstance(message, Identify):
            self._answer(cast(M, self._identity()))
        elif self.keyholder.is_closed:
            return
        elif isinstance(message, StatusRequest):
            self.link.release()
            self._answer(self._status())
        else:
            self.commands.append(message)
            self._commanded(message)

    def _companion_received(self, message: companion.Message) -> None:
        answer: companion.Answer
        match message:
            case Challenge():
                identity = self.CODEC.encode(cast(M, self._identity()))
                answer = self.keyholder.challenged(message, self.DEVICE_CLASS, identity)
                if (key := self.keyholder.session_key) is not None:
                    self.link.seal(key)
            case Proof():
                answer = self.keyholder.shown(message, is_sealed=self.link.is_sealed)
            case FirmwareRequest():
                answer = self.bootloader.state()
            case Blink():
                self.blinks.append(message.seconds)
                return
            case _ if companion.is_command(message):
                is_proved, is_busy = self.keyholder.takes_updates, self.link.kept > 0
                answer = self.bootloader.commanded(message, is_proved=is_proved, is_busy=is_busy)
            case _:
                return
        self.link.post(companion.encode(answer), keep=False)
        if isinstance(answer, UpdateActivating) and answer.refused is None:
            self.link.when_delivered(self.power_cycle)
        elif isinstance(answer, UpdateConfirmed) and answer.refused is None and self._watchdog is not None:
            self._watchdog.cancel()
