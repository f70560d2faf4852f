"""The messages that every device on the link understands: who it is, and its status.

The link's HELLO already has the device class, a number. Each kind's module in `protocols` declares its own
(`DEVICE_CLASS`), so a driver knows whose messages it reads.
"""

from __future__ import annotations

from typing import Any

from construct import Check, Int8ub, Int32ub, PascalString

from protocols.values import Value

MAX_NAME = 16


class Identify(Value):
    """Controller: asks who the device is."""


class Identity(Value):
    """Device: who it is."""

    boot: int
    """Random per power-up; 0 is none."""
    model: str
    serial: str
    firmware: str


class StatusRequest(Value, kw_only=True):
    """Controller: asks for the status. Each kind of device has its own answer, of kind 0x82."""


IDENTIFY_KIND = 0x01
IDENTITY_KIND = 0x81
STATUS_REQUEST_KIND = 0x02
STATUS_KIND = 0x82


def _is_name(text: str) -> bool:
    return 0 < len(text) <= MAX_NAME and text.isascii() and text.isprintable()


IDENTIFY_LAYOUT: list[object] = []
STATUS_REQUEST_LAYOUT: list[object] = []
IDENTITY_LAYOUT: list[object] = [
    "boot" / Int32ub,
    "model" / PascalString(Int8ub, "ascii"),
    "serial" / PascalString(Int8ub, "ascii"),
    "firmware" / PascalString(Int8ub, "ascii"),
    f"names have 1 to {MAX_NAME} printable characters"
    / Check(lambda this: all(map(_is_name, (this.model, this.serial, this.firmware)))),
]

SHARED: dict[int, tuple[type[Any], list[object]]] = {
    IDENTIFY_KIND: (Identify, IDENTIFY_LAYOUT),
    STATUS_REQUEST_KIND: (StatusRequest, STATUS_REQUEST_LAYOUT),
    IDENTITY_KIND: (Identity, IDENTITY_LAYOUT),
}
"""For the codec of every device on the link."""
