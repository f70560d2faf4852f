"""What drivers tell the controller.

A report is a fact about one device: a card left the shoe, the lid moved, the device went away. Drivers hand each one
to a `Sink` and acknowledge it to the device only when the sink has returned, so a sink returns when the fact is safe.

Whatever a device did carries `boot` (random per power-up) and `event_no` (counts from 1 per boot). A device sends what
was not acknowledged again, after a link reset and after a restart of the daemon: the pair names the event for ever, and
the sink drops a pair that it has already stored.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Literal

State = Literal["connecting", "online", "offline", "wrong_device"]


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceEvent:
    """Something a device did."""

    device: str
    boot: int
    event_no: int
    uptime_ms: int
    """Milliseconds since the device was powered up, by its own clock."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CardDrawn(DeviceEvent):
    """A card left the shoe, permitted. `draw_no` counts every card of this boot, overdraws included, without a gap."""

    draw_no: int
    card: str | None = field(repr=False)
    """"9h", "Kh*", "Jo"; None when the card was not read. Not in the `repr`: a face-down card belongs in no log."""
    why: str | None = None
    """Why it was not read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Overdraw(DeviceEvent):
    """A card left the shoe although it was locked."""

    draw_no: int
    card: str | None = field(repr=False)
    why: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CardReturned(DeviceEvent):
    """A card was pushed back into the shoe. The draw counter stays; the card counts anew when it is drawn again."""

    draw_no: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CutCardOut(DeviceEvent):
    """The cut card came out. It is no draw: `draw_no` is that of the card before it."""

    draw_no: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ShoeLoaded(DeviceEvent):
    """Cards were put into the shoe."""

    decks: int
    cards: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ShoeEmpty(DeviceEvent):
    """The last card has left the shoe."""

    draw_no: int


@dataclass(frozen=True, slots=True, kw_only=True)
class LidMoved(DeviceEvent):
    """The shoe's lid was opened or closed."""

    is_open: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceState:
    """How it stands with a device. Given once per change, not per attempt.

    `online` means resynchronised: every event that the device had kept was given to the sink before it. `boot` and
    `draws` are what a permit is reckoned from.
    """

    device: str
    state: State
    model: str | None = None
    serial: str | None = None
    firmware: str | None = None
    boot: int | None = None
    draws: int | None = None
    detail: str = ""
    """One sentence for a person, empty when all is well."""


ShoeReport = CardDrawn | Overdraw | CardReturned | CutCardOut | ShoeLoaded | ShoeEmpty | LidMoved
Report = ShoeReport | DeviceState

Sink = Callable[[Report], Awaitable[None]]
"""Takes one report; returns when it is safe. Raising means: not taken, give it to me again."""
