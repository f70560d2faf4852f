"""The card reader: a scan is a card that was dealt, or names a card that the table waits for."""

from __future__ import annotations

from controller.engine import inputs
from controller.table.translate.common import Context, noted
from devices.drivers.card_reader.driver import CardScanned
from devices.reports import DeviceEvent, Report


def translate(report: Report, context: Context) -> inputs.AnyBody | None:
    if not isinstance(report, DeviceEvent):
        return None
    match report.body:
        case CardScanned(card=card, why=why) if context.reveal is None:
            return inputs.CardOut(card, why)
        case CardScanned(card=None, why=why):
            # A code that is no card names nothing: it is noted, and the card is passed before the reader again.
            return noted(report, "card_scanned", why=why or "")
        case CardScanned(card=str(card)) if context.reveal is not None:
            return inputs.Revealed(context.reveal, (card,))
    return noted(report)
