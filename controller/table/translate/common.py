"""What the translations of all kinds share."""

from __future__ import annotations

import re
from collections.abc import Mapping

from msgspec import Struct

from controller.engine.inputs import DeviceSeen, Noted
from devices.reports import DeviceEvent, Report


class Context(Struct, frozen=True):
    """What a translation may depend on besides the report."""

    known: Mapping[str, str] = {}
    """The facts of the device so far."""
    dealing: bool = False
    """A round is running, so trouble with the cards is trouble of the round."""
    reveal: str | None = None
    """Whose unread cards the table waits to have named; a card reader does that."""

    def seen(self, report: Report, state: str, **facts: str) -> DeviceSeen:
        """The device is in this state, and these facts are new."""
        return DeviceSeen(report.device, state, {**self.known, **facts})


def noted(event: DeviceEvent, name: str = "", **facts: str) -> Noted:
    """An event that changes nothing in the engine. It is in the journal all the same: a device's count has no holes.

    It is recorded under `name`, or under that of its message: `StackRemoved` is `stack_removed`.
    """
    name = name or re.sub(r"(?<!^)(?=[A-Z])", "_", type(event.body).__name__).lower()
    return Noted(event.device, name, facts)
