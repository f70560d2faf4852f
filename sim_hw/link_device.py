"""What every simulated device on the device link does: it has a boot, numbers its events, tells who it is.

A device is its subclass: mechanics as methods, events through `_happened(Kind(**self._head(), ...))`. Boot numbers come
from `random.Random(f"{seed}/boot")` and the times from the simulated clock, so two runs with one seed tell the
controller the same, byte for byte.
"""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Generic, TypeVar, cast

from protocols.errors import ProtocolError
from protocols.identity import DeviceClass, Identify, Identity, StatusRequest
from protocols.link import Timings
from protocols.messages import Codec
from sim_hw.clock import SimClock
from sim_hw.link_peer import LinkPeer
from sim_hw.noise import Noise
from sim_hw.pty import Pty

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

M = TypeVar("M", bound="DataclassInstance")


class LinkDevice(ABC, Generic[M]):
    """A device on a simulated port. Unplugged at first: `plug` it."""

    def __init__(
        self,
        port: Pty,
        clock: SimClock,
        *,
        seed: int | str,
        device_class: DeviceClass,
        codec: Codec[M],
        model: str,
        serial: str,
        firmware: str,
        noise: Noise | None = None,
        timings: Timings | None = None,
    ) -> None:
        self._clock = clock
        self._codec = codec
        self._names = {"model": model, "serial": serial, "firmware": firmware}
        self._boot_rng = random.Random(f"{seed}/boot")
        self.link = LinkPeer(
            port, device_class, self._heard, rng=random.Random(f"{seed}/link"), noise=noise, timings=timings
        )
        self._boot_up()

    @abstractmethod
    def _powered_up(self) -> None:
        """Counters and what else power-up resets."""

    @abstractmethod
    def _status(self) -> M:
        """How the device stands."""

    @abstractmethod
    def _commanded(self, command: M) -> None:
        """A message of the controller's, other than the questions that every device answers alike."""

    def plug(self) -> None:
        self.link.plug()

    def unplug(self) -> None:
        self.link.unplug()

    def power_cycle(self, *, keep_events: bool = False) -> None:
        """Off and on: a new boot, counters at zero. Untaken events are lost, unless the device stores them."""
        self.link.power_cycle(keep_events=keep_events)
        self._boot_up()

    async def wait_online(self) -> None:
        """Until a controller has a session with the device."""
        await self.link.wait_until(lambda: self.link.is_up)

    async def wait_taken(self) -> None:
        """Until the controller has taken all that happened."""
        await self.link.wait_until(lambda: self.link.kept == 0)

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
        self.link.post(self._codec.encode(event), keep=True)

    def _answer(self, answer: M) -> None:
        self.link.post(self._codec.encode(answer), keep=False)

    def _heard(self, data: bytes) -> None:
        try:
            message = self._codec.decode(data)
        except ProtocolError:
            return
        if isinstance(message, Identify):
            self._answer(cast(M, Identity(boot=self.boot, **self._names)))
        elif isinstance(message, StatusRequest):
            self._answer(self._status())
        else:
            self._commanded(message)
