"""What the supervisor expects of a driver, and how a driver fails."""

from __future__ import annotations

from typing import NoReturn, Protocol, runtime_checkable

from devices.reports import Sink
from devices.spec import DeviceSpec
from protocols.link.diagnosis import Finding
from protocols.link.session import LinkStatistics


class DriverFailure(Exception):
    """A device cannot be used now: which one, why, what to do, in one sentence. Trying again may help."""


class ConnectionLost(DriverFailure):
    """The device went away, or never answered."""

    def __init__(self, detail: str, found: Finding | None = None) -> None:
        super().__init__(detail)
        self.found = found
        """What is wrong with a device that is nearly right. Its bytes are for the bench: they may name cards."""


class LinkTampered(ConnectionLost):
    """Something on the line has altered, made up or repeated what was sent."""


class WrongDevice(DriverFailure):
    """Something is on the port, and it is not what the config says."""


class Driver(Protocol):
    """One device, over all its connections."""

    @property
    def spec(self) -> DeviceSpec: ...

    @property
    def statistics(self) -> LinkStatistics: ...

    async def run(self, sink: Sink) -> NoReturn:
        """One connection, until it fails: with a `DriverFailure`, a `ProtocolError`, or the sink's own error."""


@runtime_checkable
class Blinking(Protocol):
    """A driver whose device, or parts of it, can show a person where they are."""

    def can_blink(self, part: str) -> bool:
        """Whether the device has this part; "" is the device itself."""

    def blink(self, seconds: int, part: str = "") -> None:
        """Returns at once. While the device is away the request is dropped."""


@runtime_checkable
class Shuffling(Protocol):
    """A driver of a shuffler, of whatever make. It reports the messages of `protocols.shuffler.messages` (with what
    `devices.drivers.shuffler` adds to them), whatever its machine sends.

    All commands return at once, and each replaces the last of its kind.
    """

    def shuffle(self, *, boot: int, deck_no: int, shuffle_no: int) -> None:
        """Shuffle this deck, as shuffle `shuffle_no` of this boot: one more than the last."""

    def dispense(self, *, boot: int, known: int, deck_no: int, up_to: int, size: int) -> None:
        """Let stacks of `size` go until `up_to` of this deck have left. `known`: the last event of this boot that the
        controller has applied. No stack may leave after trouble that it has not applied."""

    def unload(self, *, boot: int, deck_no: int) -> None:
        """Give this deck back, or what is left of it."""
