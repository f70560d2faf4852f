"""What the drop-box driver reports to the controller.

A sensor has no events of its own, only counters; a report is the difference between two readings. Each carries a
`DropMark`, what was reported of the box so far. A controller that stores the mark with the report and gives it back
after a restart (`DropBoxDriver.resume`) counts every piece once, also those that fell while it was away.
"""

from __future__ import annotations

from typing import Literal

from protocols.values import Value

SensorCondition = Literal["online", "silent", "wrong_device"]


class Sensor(Value, kw_only=True):
    """One sensor on the bus, and the box that it watches."""

    device: str
    unit: int
    box: str


class DropMark(Value, kw_only=True):
    """What was reported of a box so far: what the next reading of its sensor is compared with."""

    serial: str
    boot: int
    uptime_ms: int
    drops: int
    """The slot counter as it stood."""
    total: int
    """Every piece that was reported for this box since the controller first met its sensor; never goes down."""
    removals: int
    openings: int
    box_present: bool
    box_id: str | None
    """Of the box that is in, once it was read."""
    door_open: bool
    grams: int | None
    """As last reported; None when the box was not weighed since it was put in."""
    weighed_total: int
    """The total when it was weighed."""
    faults: tuple[str, ...]
    reported_pieces: int | None = None
    reported_cents: int | None = None
    """The counters of a sensor that reads the worth; None: it does not, or had not been asked."""


class SensorEvent(Value, kw_only=True):
    """Something that happened at a box."""

    sensor: Sensor
    uptime_ms: int
    """Milliseconds since the sensor was powered up, by its own clock, when it was seen."""
    mark: DropMark

    @property
    def device(self) -> str:
        return self.sensor.device


class SensorMet(SensorEvent, kw_only=True):
    """A sensor that the controller never met: the count of its box begins here."""


class Dropped(SensorEvent, kw_only=True):
    """Pieces fell through the slot."""

    count: int
    total: int
    into: str | None
    """The id of the box they fell into; None when there was no box or it was not read."""
    cents: int | None = None
    """What they are worth together, from a sensor that reads it."""


class BoxMoved(SensorEvent, kw_only=True):
    """The box was taken out or put in, or another one is there."""

    is_present: bool
    box_id: str | None
    times_removed: int
    """Since the last report. 1 and present: it was taken out and put back between two readings."""


class DoorMoved(SensorEvent, kw_only=True):
    is_open: bool
    times_opened: int
    """Since the last report."""


class WeightChanged(SensorEvent, kw_only=True):
    """The settled weight moved. `drops` pieces fell meanwhile; none: drift, or somebody's hand."""

    grams: int
    was: int | None
    """None: the box was put in since."""
    drops: int


class SensorReset(SensorEvent, kw_only=True):
    """The sensor was restarted or exchanged. What fell after its last reading and before that is not known."""

    resets: int
    """By its own count."""
    last_drops: int
    """The slot counter at the last reading before."""


class CountDoubtful(SensorEvent, kw_only=True):
    """The counters went where they cannot go. Nothing was counted; they are followed from here."""

    why: str
    last_drops: int
    drops: int


class SensorFault(SensorEvent, kw_only=True):
    """What the sensor finds wrong with itself or its box now; empty when all is well again."""

    faults: tuple[str, ...]


class SensorState(Value, kw_only=True):
    """Whether one sensor of the bus is there. Reported once per change; nothing happened at the box."""

    sensor: Sensor
    state: SensorCondition
    model: str | None = None
    serial: str | None = None
    firmware: str | None = None
    detail: str = ""
    """One sentence for a person, empty when all is well."""

    @property
    def device(self) -> str:
        return self.sensor.device


BoxEvent = SensorMet | Dropped | BoxMoved | DoorMoved | WeightChanged | SensorReset | CountDoubtful | SensorFault
