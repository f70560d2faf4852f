"""The dealer's key panel: what a labelled key does."""

from __future__ import annotations

from controller.engine import inputs
from controller.table.translate.common import Context, noted
from devices.drivers.key_panel import NamedKeyPressed, NamedKeyStuck
from devices.reports import DeviceEvent, Report

KEYS: dict[str, inputs.AnyBody] = {
    "no_more_bets": inputs.BetsClosed(),
    "call_floor": inputs.FloorCalled(),
    "stop": inputs.Happening("dealer_stops"),
    "new_shoe": inputs.ShoeStarted(),
    "cut_card": inputs.CutCardOut(),
    "pack_shuffled": inputs.PackReported(),
    "fees_in": inputs.FeesIn(),
}
"""By the key's label in the config. A key with any other label is only noted."""


def translate(report: Report, context: Context) -> inputs.AnyBody | None:
    if not isinstance(report, DeviceEvent):
        return None
    match report.body:
        case NamedKeyPressed(is_late=False, label=str(label)) if label in KEYS:
            return KEYS[label]
        case NamedKeyPressed(key=key, label=label):
            # A key that was pressed before a restart shows what somebody wanted then, not now.
            return noted(report, "key_pressed", key=label or str(key))
        case NamedKeyStuck(is_over=is_over):
            return context.seen(report, "online" if is_over else "fault")
    return noted(report)
