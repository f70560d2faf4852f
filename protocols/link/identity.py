"""The messages that every device on the link understands: who are you, and how do you stand?

The kind of device is already in the link's HELLO (`DeviceClass`), so a driver never has to guess whose messages it
reads.
"""

from __future__ import annotations

from enum import IntEnum

from construct import Check, Int8ub, Int32ub, PascalString

from protocols.values import Value

MAX_NAME = 16


class DeviceClass(IntEnum):
    SHOE = 0x01
    SHUFFLER = 0x02
    DICE_CUP = 0x03
    KEY_PANEL = 0x04


class Identify(Value, frozen=True):
    """Controller: who are you?"""


class Identity(Value, frozen=True):
    """Device: this is me."""

    boot: int
    """Random per power-up; 0 is none."""
    model: str
    serial: str
    firmware: str


class StatusRequest(Value, frozen=True, kw_only=True):
    """Controller: how do you stand? Each kind of device has its own answer, of kind 0x82."""


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
