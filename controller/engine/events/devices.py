"""The devices: there or away, their firmware; and the alarms, of devices and of everything else."""

from __future__ import annotations

from typing import Any

from controller.engine.events.event import Event


class DeviceChanged(Event, tag="device"):
    device: str
    state: str
    facts: dict[str, str] = {}


class UpdateStarted(Event, tag="update_started"):
    """A device is being given new firmware; no round begins before it has ended."""

    device: str
    version: str
    before: str
    image: str = ""
    signer: str = ""


class UpdateVerified(Event, tag="update_verified"):
    """The device runs the new image: it came up, proved itself and was confirmed."""

    device: str
    version: str
    before: str
    image: str = ""
    signer: str = ""


class UpdateFailed(Event, tag="update_failed"):
    """The update was given up. The device runs a whole image: the old one, unless it reports another later."""

    device: str
    version: str
    before: str
    image: str = ""
    signer: str = ""
    text: str = ""


class AlarmRaised(Event, tag="alarm_raised"):
    alarm: str
    text: str
    facts: dict[str, Any] = {}
    """The evidence, where an alarm has some."""


class AlarmChanged(Event, tag="alarm_changed"):
    """Another text for the same trouble: the device that is away is now missed for another reason. Since when, and who
    has acknowledged it, stays."""

    alarm: str
    text: str


class AlarmCleared(Event, tag="alarm_cleared"):
    alarm: str


class AlarmSettled(Event, tag="alarm_settled"):
    """The floor has stated what was found, and the alarm is cleared by that."""

    alarm: str
    reason: str
    by: str


class AlarmAcknowledged(Event, tag="alarm_acknowledged"):
    """Somebody has seen to an alarm; it lasts until what raised it is over."""

    alarm: str
    by: str
