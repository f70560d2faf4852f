"""One device of the table, as the config describes it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import field

from protocols.values import Value

USUAL_BAUD = 115_200


class DeviceSpec(Value, kw_only=True):
    """One device of the table, by the name the cardroom gave it."""

    id: str
    kind: str
    """One of `devices.kinds.NAMES`."""
    url: str
    """A port by its path, best one under /dev/serial/by-id, or socket://host:port."""
    baud: int = USUAL_BAUD
    required: bool = True
    """Whether the table needs it to open; the controller decides."""
    options: Mapping[str, Any] = field(default_factory=dict)
    """What else this kind of device needs: the fields of `DeviceKind.options`."""
