"""The shuffler: stacks and decks. Its trouble is the round's trouble while one is dealt, and an alarm between two."""

from __future__ import annotations

from typing import Any

from msgspec.structs import asdict

from controller.engine import inputs
from controller.engine.alarms import DECK
from controller.table.translate.common import Context, noted
from devices.drivers.shuffler import CheckedDeckLoaded
from devices.reports import DeviceAnswer, DeviceEvent, Report
from protocols.link.events import NumberedEvent
from protocols.shuffler import messages as wire


def translate(report: Report, context: Context) -> inputs.AnyBody | None:
    match report:
        case DeviceEvent():
            trouble = _trouble(report.body) if context.dealing else None
            return trouble or _body(report, context)
        case DeviceAnswer(body=wire.Meters() as meters):
            facts = {name: str(getattr(meters, name)) for name in ("shuffles", "cards", "jams", "hours")}
            return context.seen(report, "online", **facts)
    return None


def _trouble(event: NumberedEvent) -> inputs.Happening | None:
    """What an event does to the round that is being dealt."""
    match event:
        case wire.Jammed() | wire.Fault() | wire.DoorMoved(is_open=True):
            return inputs.Happening("shuffler_failure", facts=_facts(event))
        case wire.BoxedCard(stack_no=stack) if stack:
            return inputs.Happening("boxed_card", facts={"stack": stack, "nth": event.card_no})
        case wire.DeckUnloaded(is_wrong_count=True):
            return inputs.Happening("wrong_card_count", facts={"count": event.count, "expected": event.expected})
    return None


def _body(report: DeviceEvent, context: Context) -> inputs.AnyBody:
    alarm = DECK.of(report.device)
    match report.body:
        case wire.StackDispensed(cards=cards):
            return inputs.StackOut(cards)
        case wire.DeckVerified() as deck:
            return inputs.PackReported(deck.back or "", deck.count, report.device, deck.problem)
        case wire.DeckUnloaded(is_wrong_count=True) as deck:
            text = f"{deck.count} cards came out of the shuffler, {deck.expected} should have"
            return inputs.BoardSeen(alarm, True, text)
        case CheckedDeckLoaded(problem=problem) if problem:
            return inputs.BoardSeen(alarm, True, problem)
        case CheckedDeckLoaded(back=back):
            return context.seen(report, "online", back=back or "")
        case wire.JamCleared():
            return context.seen(report, "online", detail="")
        case wire.Jammed(where=where):
            return context.seen(report, "jammed", detail=f"a card sticks {where or ''}".strip())
        case wire.Fault(part=part):
            return context.seen(report, "fault", detail=f"the {part} is out of order")
        case wire.DoorMoved(is_open=is_open):
            return context.seen(report, "door_open" if is_open else "online")
        case wire.ModeChanged(mode=mode, by=by):
            return context.seen(report, "online", mode=mode.kind, mode_set_by=by)
        case wire.SelfTestEnded(failed=failed):
            return context.seen(report, "fault" if failed else "online", self_test=" ".join(failed) or "ok")
    return noted(report)


def _facts(event: NumberedEvent) -> dict[str, Any]:
    """The fields of a message, without the device's own numbers."""
    head = NumberedEvent.__struct_fields__
    return {name: value for name, value in asdict(event).items() if name not in head}
