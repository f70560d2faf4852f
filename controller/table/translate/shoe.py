"""The shoe: cards, the cut card, a new shoe."""

from __future__ import annotations

from controller.engine import inputs
from controller.table.translate.common import Context, noted
from devices.reports import DeviceEvent, Report
from protocols import shoe as wire


def translate(report: Report, context: Context) -> inputs.AnyBody | None:
    if not isinstance(report, DeviceEvent):
        return None
    match report.body:
        case wire.CardDrawn() as drawn:
            return inputs.CardOut(drawn.card, drawn.why)
        case wire.Overdraw() as drawn:
            return inputs.CardOut(drawn.card, drawn.why, locked=True)
        case wire.CardReturned():
            return inputs.Happening("card_returned")
        case wire.CutCardOut():
            return inputs.CutCardOut()
        case wire.ShoeLoaded() as loaded:
            return inputs.ShoeStarted(loaded.decks, loaded.cards)
        case wire.ShoeEmpty():
            return inputs.Happening("shoe_empty")
        case wire.Lid(is_open=is_open):
            return context.seen(report, "lid_open" if is_open else "online")
    return noted(report)
