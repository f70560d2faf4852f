"""The dice cup: a roll, or dice that were not read."""

from __future__ import annotations

from controller.engine import inputs
from controller.table.translate.common import Context, noted
from devices.drivers.dice_cup import CheckedDice
from devices.reports import DeviceEvent, Report
from protocols import dice_cup as wire


def translate(report: Report, context: Context) -> inputs.AnyBody | None:
    if not isinstance(report, DeviceEvent):
        return None
    match report.body:
        case CheckedDice() as dice:
            return _roll(dice)
        case wire.Fault(is_over=is_over):
            return context.seen(report, "online" if is_over else "fault")
        case wire.Shaken():
            return noted(report, "cup_shaken")
        case wire.Opened():
            return noted(report, "cup_opened")
        case wire.Shut():
            return noted(report, "cup_shut")
    return noted(report)


def _roll(dice: CheckedDice) -> inputs.AnyBody:
    values = tuple(value for value in dice.values if value is not None)
    if dice.problem is None and len(values) == len(dice.values):
        return inputs.DiceRolled(values)
    return inputs.Happening("dice_not_read", facts={"problem": dice.problem or "unread"})
