"""What drivers report to the controller.

A report is a fact about one device: a card left the shoe, the lid moved, the device went away. A driver gives each
report to a `Sink` and acknowledges it to the device only when the sink has returned. A sink returns when the fact is
stored.

There are few shapes. What a device did is a `DeviceEvent` around the device's own message; what it answered is a
`DeviceAnswer`; whether it is there is a `DeviceState`. The drop box has reports of its own
(`devices.drivers.drop_box.reports`), because its sensors have counters and no events.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Literal, Protocol

from protocols.link.events import NumberedEvent
from protocols.values import Value

State = Literal["connecting", "online", "offline", "wrong_device"]


class Report(Protocol):
    """Any report: a fact about the device with this id."""

    @property
    def device(self) -> str: ...


class DeviceEvent(Value, kw_only=True):
    """Something a device did.

    `boot` (random per power-up) and `event_no` (from 1 per boot) identify the event for ever. A device sends an event
    again until it is acknowledged, also after a restart of the daemon; the sink drops a pair that it has stored.
    """

    device: str
    body: NumberedEvent
    """The device's message, or a subclass of it where the driver adds what it knows from the config."""

    @property
    def boot(self) -> int:
        return self.body.boot

    @property
    def event_no(self) -> int:
        return self.body.event_no

    @property
    def uptime_ms(self) -> int:
        """Milliseconds since the device was powered up, by its own clock."""
        return self.body.uptime_ms


class DeviceAnswer(Value, kw_only=True):
    """What a device answered to a question or a command. It has no number, and nothing is lost if it is."""

    device: str
    body: Value


class TamperingSeen(Value, kw_only=True):
    """Something between a device and the board has altered, made up or repeated a frame. The session is over, and
    nothing of that frame was taken."""

    device: str
    detail: str


class DeviceState(Value, kw_only=True):
    """Whether a device is there. Reported once per change, not once per attempt.

    `online` means resynchronised: every event that the device had kept was given to the sink before it. The counters
    are those of a dealing device, from its status.
    """

    device: str
    state: State
    model: str | None = None
    serial: str | None = None
    firmware: str | None = None
    boot: int | None = None
    draws: int | None = None
    """A shoe: cards that have left it since it was powered up. A shuffler: stacks of the deck `deck_no`."""
    deck_no: int | None = None
    up_to: int | None = None
    """The number up to which it is unlocked."""
    limit: int | None = None
    """The highest number up to which this driver has unlocked it; None where it has not."""
    cards_left: int | None = None
    detail: str = ""
    """One sentence for a person, empty when all is well."""


Sink = Callable[[Report], Awaitable[None]]
"""Takes one report and returns when it is stored. If it raises, the report was not taken and is given again."""
