"""The way in: a driver's report becomes the body of an input."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module
from importlib.util import find_spec

from msgspec import Struct

from controller.engine.actor import Actor, dealer_at
from controller.engine.inputs import AnyBody, Counter, DeviceSeen, Quarantined
from controller.table.translate.common import Context, noted
from controller.table.translate.counters import counter_of
from devices.drivers.key_panel import NamedKeyPressed
from devices.link.quarantine import QuarantinedEvent, QuarantinedMessage
from devices.reports import DeviceAnswer, DeviceEvent, DeviceState, Report

Translate = Callable[[Report, Context], AnyBody | None]


class Translated(Struct, frozen=True):
    """An input from a device: who it is from, its body, the device's own number for it, and its counters."""

    by: str
    body: AnyBody
    ref: str | None = None
    counter: Counter | None = None
    person: Actor | None = None
    """Who pressed a key."""


def translate(report: Report, kind: str, context: Context) -> Translated | None:
    """The input for a report of a device of this kind; None where there is nothing to record."""
    body = _of_any_kind(report, context) or translator_of(kind)(report, context)
    if body is None:
        return None
    ref = f"{report.boot:08x}:{report.event_no}" if isinstance(report, DeviceEvent) else None
    return Translated(f"device:{report.device}", body, ref, counter_of(report), _person(report))


def _person(report: Report) -> Actor | None:
    match report:
        case DeviceEvent(body=NamedKeyPressed()):
            return dealer_at(report.device)
    return None


@cache
def translator_of(kind: str) -> Translate:
    """The translation of this kind of device."""
    module = f"controller.table.translate.{kind}"
    if find_spec(module) is None:
        return _notes
    found: Translate = import_module(module).translate
    return found


def _notes(report: Report, _: Context) -> AnyBody | None:
    return noted(report) if isinstance(report, DeviceEvent) else None


def _of_any_kind(report: Report, context: Context) -> AnyBody | None:
    """What is the same for every kind of device."""
    match report:
        case DeviceState(state="connecting"):
            return None
        case DeviceState():
            return _state(report, context)
        case DeviceEvent(body=QuarantinedEvent() as found):
            return Quarantined(report.device, found.data.hex(), found.is_known, found.draw_no is not None)
        case DeviceAnswer(body=QuarantinedMessage() as found):
            return Quarantined(report.device, found.data.hex(), found.is_known)
    return None


def _state(report: DeviceState, context: Context) -> DeviceSeen:
    pairs = {"model": report.model, "serial": report.serial, "firmware": report.firmware, "detail": report.detail}
    facts = {name: value for name, value in context.known.items() if name != "detail"}
    facts |= {name: value for name, value in pairs.items() if value}
    return DeviceSeen(report.device, report.state, facts, "" if report.boot is None else f"{report.boot:08x}")
