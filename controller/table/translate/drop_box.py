"""The drop box: what its sensors counted."""

from __future__ import annotations

from typing import Any

from msgspec.structs import asdict

from controller.engine import inputs
from controller.table.translate.common import Context
from devices.drivers.drop_box import reports
from devices.reports import Report


def translate(report: Report, _: Context) -> inputs.AnyBody | None:
    match report:
        case reports.SensorEvent():
            return _event(report)
        case reports.SensorState():
            pairs = {"model": report.model, "serial": report.serial, "firmware": report.firmware}
            facts = {"kind": "drop_box_sensor", "unit": str(report.sensor.unit)}
            facts |= {name: value for name, value in {**pairs, "detail": report.detail}.items() if value}
            state = "offline" if report.state == "silent" else report.state
            return inputs.DeviceSeen(_name(report.sensor), state, facts)
    return None


def _event(report: reports.SensorEvent) -> inputs.SensorSeen:
    what, count, cents = "met", 0, None
    facts: dict[str, Any] = {}
    match report:
        case reports.SensorMet():
            facts = {"box_id": report.mark.box_id}
        case reports.Dropped():
            what, count, facts = "dropped", report.count, {"into": report.into}
            cents = report.cents
        case reports.BoxMoved():
            what = "box_placed" if report.is_present else "box_removed"
            facts = {"box_id": report.box_id, "times_removed": report.times_removed}
        case reports.DoorMoved():
            what, facts = ("door_opened" if report.is_open else "door_closed"), {"times": report.times_opened}
        case reports.WeightChanged():
            what, facts = "weighed", {"grams": report.grams, "was": report.was, "drops": report.drops}
        case reports.SensorReset():
            what, facts = "sensor_reset", {"resets": report.resets, "last_drops": report.last_drops}
        case reports.CountDoubtful():
            what, facts = "count_doubtful", {"why": report.why, "last_drops": report.last_drops}
        case reports.SensorFault():
            what, facts = ("sensor_fault" if report.faults else "sensor_well"), {"faults": list(report.faults)}
    return inputs.SensorSeen(_name(report.sensor), report.sensor.box, what, count, facts, asdict(report.mark), cents)


def _name(sensor: reports.Sensor) -> str:
    return f"{sensor.device}.{sensor.box}"
