"""What a device said, in the engine's words.

`hear` turns a driver's report into an input. A report that changes nothing the engine knows of becomes a fact of the
device, or is noted. Sealed cards (a stack that nobody may look at) go into `StackOut` only; never into a happening,
whose facts are published.
"""

from __future__ import annotations

import re
from typing import Any

from msgspec import Struct
from msgspec.structs import asdict

from controller.engine import inputs as happened
from controller.engine.alarms import DECK
from devices import reports
from devices.drivers.drop_box import reports as sensor_reports

KEYS: dict[str, happened.AnyBody] = {
    "no_more_bets": happened.BetsClosed(),
    "call_floor": happened.Happening("dealer_calls_floor"),
    "new_shoe": happened.ShoeStarted(),
    "cut_card": happened.CutCardOut(),
    "pack_shuffled": happened.PackReported(),
    "fees_in": happened.FeesIn(),
}
"""What a labelled key of the dealer's panel does; any other label is told as a fact of the panel."""


class Heard(Struct, frozen=True):
    """An input from a device: by whom, what, and the device's own number for it."""

    by: str
    body: happened.AnyBody
    ref: str | None = None


def hear(report: reports.Report, known: dict[str, str], *, dealing: bool, reveal: str | None = None) -> Heard | None:
    """The input that a report is, or None where there is nothing to write down.

    `known` are the facts of the device so far; `dealing`: a round is running, so what befalls its cards concerns it.
    `reveal`: whose unread cards the table waits to hear named, which a card reader does.
    """
    by = f"device:{report.device}"
    if isinstance(report, reports.CardScanned) and reveal is not None:
        # A code that is no card names nothing: it is written down, and the card is drawn past the reader again.
        named = None if report.card is None else happened.Revealed(reveal, (report.card,))
        return Heard(by, named or _noted(report, why=report.why or ""), f"{report.boot:08x}:{report.event_no}")
    if isinstance(report, reports.DeviceEvent):
        return Heard(by, _event(report, known, dealing), f"{report.boot:08x}:{report.event_no}")
    if isinstance(report, sensor_reports.SensorEvent):
        return Heard(by, _sensor(report))
    body = _state(report, known)
    return None if body is None else Heard(by, body)


def _event(report: reports.DeviceEvent, known: dict[str, str], dealing: bool) -> happened.AnyBody:
    match report:
        case reports.CardDrawn() | reports.CardScanned():
            return happened.CardOut(report.card, report.why)
        case reports.Overdraw():
            return happened.CardOut(report.card, report.why, locked=True)
        case reports.CardReturned():
            return happened.Happening("card_returned")
        case reports.CutCardOut():
            return happened.CutCardOut()
        case reports.ShoeLoaded():
            return happened.ShoeStarted(report.decks, report.cards)
        case reports.ShoeEmpty():
            return happened.Happening("shoe_empty")
        case reports.LidMoved():
            return _fact(report, known, "lid_open" if report.is_open else "online")
        case reports.StackDispensed():
            return happened.StackOut(report.cards)
        case reports.DiceShown():
            return _dice(report)
        case reports.KeyPressed():
            return _key(report)
    return _shuffler(report, known, dealing)


def _shuffler(report: reports.DeviceEvent, known: dict[str, str], dealing: bool) -> happened.AnyBody:
    """A shuffler's trouble is the round's trouble while one is dealt, and an alarm between two."""
    alarm = DECK.of(report.device)
    match report:
        case reports.ShufflerJammed() | reports.ShufflerFault() | reports.ShufflerDoorMoved(is_open=True) if dealing:
            return happened.Happening("shuffler_failure", facts=_facts(report))
        case reports.BoxedCard(stack_no=stack) if dealing and stack:
            return happened.Happening("boxed_card", facts={"stack": stack, "nth": report.card_no})
        case reports.DeckUnloaded() if report.is_wrong_count and dealing:
            return happened.Happening("wrong_card_count", facts={"count": report.count, "expected": report.expected})
        case reports.DeckUnloaded() if report.is_wrong_count:
            text = f"{report.count} cards came out of the shuffler, {report.expected} should have"
            return happened.BoardSeen(alarm, True, text)
        case reports.DeckVerified():
            return happened.PackReported(report.back or "", report.count, report.device, report.problem)
        case reports.DeckLoaded():
            if report.problem:
                return happened.BoardSeen(alarm, True, report.problem)
            return _fact(report, known, "online", back=report.back or "")
        case reports.ShufflerJamCleared():
            return _fact(report, known, "online", detail="")
        case reports.ShufflerJammed():
            return _fact(report, known, "jammed", detail=f"a card sticks {report.where or ''}".strip())
        case reports.ShufflerFault():
            return _fact(report, known, "fault", detail=f"the {report.part} is out of order")
        case reports.ShufflerDoorMoved():
            return _fact(report, known, "door_open" if report.is_open else "online")
        case reports.ShufflerModeChanged():
            return _fact(report, known, "online", mode=report.mode, mode_set_by=report.by)
        case reports.CupFault() | reports.KeyStuck():
            return _fact(report, known, "online" if report.is_over else "fault")
        case reports.ShufflerTested():
            return _fact(
                report, known, "fault" if report.failed else "online", self_test=" ".join(report.failed) or "ok"
            )
    return _noted(report)


def _dice(report: reports.DiceShown) -> happened.AnyBody:
    values = tuple(value for value in report.values if value is not None)
    if report.problem is None and len(values) == len(report.values):
        return happened.DiceRolled(values)
    return happened.Happening("dice_not_read", facts={"problem": report.problem or "unread"})


def _key(report: reports.KeyPressed) -> happened.AnyBody:
    """A key that was pressed before a restart says what somebody wanted then, not now."""
    meant = None if report.is_late else KEYS.get(report.label or "")
    return meant if meant is not None else _noted(report, key=report.label or str(report.key))


def _noted(report: reports.DeviceEvent, **facts: str) -> happened.Noted:
    """Written down under its own name; a device's count has no holes."""
    return happened.Noted(report.device, _snake(type(report).__name__), facts)


def _snake(name: str) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


def _sensor(report: sensor_reports.SensorEvent) -> happened.SensorSeen:
    what, count, cents = "met", 0, None
    facts: dict[str, Any] = {}
    match report:
        case sensor_reports.SensorMet():
            facts = {"box_id": report.mark.box_id}
        case sensor_reports.Dropped():
            what, count, facts = "dropped", report.count, {"into": report.into}
            cents = report.cents
        case sensor_reports.BoxMoved():
            what = "box_placed" if report.is_present else "box_removed"
            facts = {"box_id": report.box_id, "times_removed": report.times_removed}
        case sensor_reports.DoorMoved():
            what, facts = ("door_opened" if report.is_open else "door_closed"), {"times": report.times_opened}
        case sensor_reports.WeightChanged():
            what, facts = "weighed", {"grams": report.grams, "was": report.was, "drops": report.drops}
        case sensor_reports.SensorReset():
            what, facts = "sensor_reset", {"resets": report.resets, "last_drops": report.last_drops}
        case sensor_reports.CountDoubtful():
            what, facts = "count_doubtful", {"why": report.why, "last_drops": report.last_drops}
        case sensor_reports.SensorFault():
            what, facts = ("sensor_fault" if report.faults else "sensor_well"), {"faults": list(report.faults)}
    return happened.SensorSeen(
        _sensor_name(report.sensor), report.sensor.box, what, count, facts, asdict(report.mark), cents
    )


def _sensor_name(sensor: sensor_reports.Sensor) -> str:
    return f"{sensor.device}.{sensor.box}"


def _state(report: reports.Report, known: dict[str, str]) -> happened.AnyBody | None:
    """How it stands with a device, where nothing happened at the table."""
    match report:
        case reports.DeviceState():
            facts = {**{name: value for name, value in known.items() if name != "detail"}, **_identity(report)}
            if report.state == "connecting":
                return None
            boot = "" if report.boot is None else f"{report.boot:08x}"
            return happened.DeviceSeen(report.device, report.state, facts, boot)
        case sensor_reports.SensorState():
            facts = {"kind": "drop_box_sensor", "unit": str(report.sensor.unit), **_identity(report)}
            state = "offline" if report.state == "silent" else report.state
            return happened.DeviceSeen(_sensor_name(report.sensor), state, facts)
        case reports.ShufflerMeters():
            meters = {"shuffles": report.shuffles, "cards": report.cards, "jams": report.jams, "hours": report.hours}
            return happened.DeviceSeen(report.device, "online", {**known, **{k: str(v) for k, v in meters.items()}})
    return None


def _identity(report: reports.DeviceState | sensor_reports.SensorState) -> dict[str, str]:
    pairs = {"model": report.model, "serial": report.serial, "firmware": report.firmware, "detail": report.detail}
    return {name: value for name, value in pairs.items() if value}


def _fact(report: reports.DeviceEvent, known: dict[str, str], state: str, **facts: str) -> happened.DeviceSeen:
    return happened.DeviceSeen(report.device, state, {**known, **facts})


def _facts(report: reports.DeviceEvent) -> dict[str, Any]:
    """What a trouble report says, without the device's own numbers."""
    head = reports.DeviceEvent.__struct_fields__
    return {name: value for name, value in asdict(report).items() if name not in head}
