"""The dice cup: shaken, opened, and what lies in it.

Options in the config:

    dice           how many belong in the cup (3)
    shakes_needed  strokes without which an opening counts as not shaken (1)
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from devices import reports
from devices.link.driver import LinkDriver
from devices.options import options_of
from devices.reports import DiceReport
from devices.spec import DeviceSpec
from protocols import dice_cup as wire
from protocols.link.identity import DeviceClass
from protocols.link.session import Timings


class DiceCupOptions(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    dice: Annotated[int, Meta(ge=1, le=wire.MAX_DICE)] = 3
    shakes_needed: Annotated[int, Meta(ge=0, le=1000)] = 1


class DiceCupDriver(LinkDriver[wire.Message, wire.Event, wire.Status]):
    """One dice cup, over all its connections."""

    def __init__(self, spec: DeviceSpec, timings: Timings | None = None) -> None:
        super().__init__(spec, timings, device_class=DeviceClass.DICE_CUP, codec=wire.CODEC, status_type=wire.Status)
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

    def _report(self, event: wire.Event) -> DiceReport:
        of, boot, no, at = self.spec.id, event.boot, event.event_no, event.uptime_ms
        match event:
            case wire.Shaken(shakes=shakes):
                return reports.CupShaken(device=of, boot=boot, event_no=no, uptime_ms=at, shakes=shakes)
            case wire.Opened(roll_no=roll, shakes=shakes):
                return reports.CupOpened(
                    device=of,
                    boot=boot,
                    event_no=no,
                    uptime_ms=at,
                    roll_no=roll,
                    shakes=shakes,
                    was_shaken=shakes >= self._options.shakes_needed,
                )
            case wire.DiceRead(roll_no=roll, values=values):
                problem: reports.DiceProblem | None = None
                if len(values) != self._options.dice:
                    problem = "wrong_count"
                elif None in values:
                    problem = "unread"
                return reports.DiceShown(
                    device=of, boot=boot, event_no=no, uptime_ms=at, roll_no=roll, values=values, problem=problem
                )
            case wire.Shut(roll_no=roll):
                return reports.CupShut(device=of, boot=boot, event_no=no, uptime_ms=at, roll_no=roll)
            case wire.Fault(fault=fault, is_over=is_over):
                return reports.CupFault(device=of, boot=boot, event_no=no, uptime_ms=at, fault=fault, is_over=is_over)
