"""The dice cup: shaken, opened, and the dice in it.

Options in the config:

    dice           the number of dice in the cup (3)
    shakes_needed  strokes without which an opening counts as not shaken (1)
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct
from msgspec.structs import asdict

from devices.kinds import DeviceKind, LinkKind
from devices.link.driver import LinkDriver
from devices.options import options_of
from devices.spec import DeviceSpec
from protocols import dice_cup as wire
from protocols.link.events import NumberedEvent
from protocols.link.session import Timings


class DiceCupOptions(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    dice: Annotated[int, Meta(ge=1, le=wire.MAX_DICE)] = 3
    shakes_needed: Annotated[int, Meta(ge=0, le=1000)] = 1


class CheckedOpened(wire.Opened, kw_only=True):
    was_shaken: bool
    """At least `shakes_needed` times."""


class CheckedDice(wire.DiceRead, kw_only=True):
    """The dice in the opened cup. Only dice without a `problem` are a roll."""

    problem: Literal["unread", "wrong_count"] | None


class DiceCupDriver(LinkDriver[wire.Message, wire.Event, wire.Status]):
    """One dice cup, over all its connections."""

    def __init__(self, spec: DeviceSpec, timings: Timings | None = None) -> None:
        super().__init__(spec, timings, kind=KIND, status_type=wire.Status)
        self._options = options_of(spec, DiceCupOptions)
        self._dice_set: int | None = None
        """In this session."""

    def _command(self, status: wire.Status) -> wire.SetDice | None:
        known = status.dice if self._dice_set is None else self._dice_set
        return None if known == self._options.dice else wire.SetDice(dice=self._options.dice)

    def _answered(self, asked: wire.Message, answer: wire.Message) -> None:
        match asked, answer:
            case wire.SetDice(dice=wanted), wire.DiceSet(dice=dice) if dice == wanted:
                self._dice_set = dice
            case _:
                super()._answered(asked, answer)

    def _gone(self) -> None:
        self._dice_set = None

    def _body(self, event: wire.Event) -> NumberedEvent:
        match event:
            case wire.Opened():
                return CheckedOpened(**asdict(event), was_shaken=event.shakes >= self._options.shakes_needed)
            case wire.DiceRead():
                problem: Literal["unread", "wrong_count"] | None = None
                if len(event.values) != self._options.dice:
                    problem = "wrong_count"
                elif None in event.values:
                    problem = "unread"
                return CheckedDice(**asdict(event), problem=problem)
        return event


KIND = DeviceKind(
    name="dice_cup",
    driver=DiceCupDriver,
    options=DiceCupOptions,
    link=LinkKind(wire.DEVICE_CLASS, wire.CODEC),
)
