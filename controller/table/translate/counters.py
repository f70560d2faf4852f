"""The counters that a dealing device reports with its events and with its status."""

from __future__ import annotations

from controller.engine.inputs import Counter
from devices.drivers.shoe import LimitedCardDrawn
from devices.drivers.shuffler import LimitedStack
from devices.link.quarantine import QuarantinedEvent
from devices.reports import DeviceEvent, DeviceState, Report
from protocols import shoe
from protocols.link.events import NumberedEvent


def counter_of(report: Report) -> Counter | None:
    """The counters in a report; None where it has none."""
    match report:
        case DeviceEvent(body=body):
            return _of_event(body)
        case DeviceState(state="online", boot=int(boot), draws=int(draws)):
            return Counter(
                _series(boot, report.deck_no),
                draws,
                limit=report.limit,
                up_to=report.up_to,
                left=report.cards_left,
            )
    return None


def _of_event(body: NumberedEvent) -> Counter | None:
    match body:
        case LimitedCardDrawn():
            return Counter(_series(body.boot), body.draw_no, out=1, limit=body.limit)
        case shoe.CardDrawn() | shoe.Overdraw():
            return Counter(_series(body.boot), body.draw_no, out=1)
        case shoe.CardReturned():
            return Counter(_series(body.boot), body.draw_no, out=-1)
        case shoe.CutCardOut():
            return Counter(_series(body.boot), body.draw_no)
        case shoe.ShoeEmpty():
            return Counter(_series(body.boot), body.draw_no, left=0)
        case shoe.ShoeLoaded():
            return Counter(_series(body.boot), left=body.cards, is_loaded=True)
        case QuarantinedEvent(draw_no=int(number)):
            return Counter(_series(body.boot), number, out=1)
        case LimitedStack():
            return Counter(_series(body.boot, body.deck_no), body.stack_no, out=len(body.cards), limit=body.limit)
    return None


def _series(boot: int, deck_no: int | None = None) -> str:
    """A shoe counts from its power-up on, a shuffler for each deck."""
    return f"{boot:08x}" if deck_no is None else f"{boot:08x}/{deck_no}"
