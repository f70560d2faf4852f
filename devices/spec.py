"""What the config says about one device."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from msgspec import field

from protocols.values import Value

Kind = Literal["card_reader", "dice_cup", "drop_box", "key_panel", "reader_board", "shoe", "shuffler"]


class DeviceSpec(Value, frozen=True, kw_only=True):
    """One device of the table, by the name the cardroom gave it."""

    id: str
    kind: Kind
    url: str
    """A port by its path, best one under /dev/serial/by-id, or socket://host:port."""
    baud: int = 115_200
    required: bool = True
    """Whether the table may open without it; for the controller to judge."""
    options: Mapping[str, Any] = field(default_factory=dict)
    """What this kind of device needs besides; its driver says which keys there are."""
