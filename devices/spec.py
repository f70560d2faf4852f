"""What the config says about one device."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Kind = Literal["shoe"]


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceSpec:
    """One device of the table, by the name the cardroom gave it."""

    id: str
    kind: Kind
    url: str
    """A port by its path, best one under /dev/serial/by-id, or socket://host:port."""
    baud: int = 115_200
    required: bool = True
    """Whether the table may open without it; for the controller to judge."""
