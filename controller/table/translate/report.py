"""The way in: a driver's report becomes the body of an input."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module
from importlib.util import find_spec

from msgspec import Struct

from controller.engine.inputs import AnyBody, DeviceSeen
from controller.table.translate.common import Context, noted
from devices.reports import DeviceEvent, DeviceState, Report

Translate = Callable[[Report, Context], AnyBody | None]


class Translated(Struct, frozen=True):
    """An input from a device: who it is from, its body, and the device's own number for it."""

    by: str
    body: AnyBody
    ref: str | None = None


def translate(report: Report, kind: str, context: Context) -> Translated | None:
    """The input for a report of a device of this kind; None where there is nothing to record."""
    body = _state(report, context) if isinstance(report, DeviceState) else translator_of(kind)(report, context)
    if body is None:
        return None
    ref = f"{report.boot:08x}:{report.event_no}" if isinstance(report, DeviceEvent) else None
    return Translated(f"device:{report.device}", body, ref)


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


def _state(report: DeviceState, context: Context) -> DeviceSeen | None:
    if report.state == "connecting":
        return None
    pairs = {"model": report.model, "serial": report.serial, "firmware": report.firmware, "detail": report.detail}
    facts = {name: value for name, value in context.known.items() if name != "detail"}
    facts |= {name: value for name, value in pairs.items() if value}
    return DeviceSeen(report.device, report.state, facts, "" if report.boot is None else f"{report.boot:08x}")
