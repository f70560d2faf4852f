"""Which messages a device on the link speaks, by the class in its HELLO: for those who only listen in."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from devices.spec import Kind
from protocols import dice_cup, key_panel, shoe
from protocols.errors import ProtocolError
from protocols.firmware import companion
from protocols.link.identity import DeviceClass
from protocols.link.messages import Codec
from protocols.shuffler import codec
from protocols.values import Value

AnyCodec = Codec[Value]

CODECS: Mapping[DeviceClass, AnyCodec] = {
    DeviceClass.SHOE: cast("AnyCodec", shoe.CODEC),
    DeviceClass.SHUFFLER: cast("AnyCodec", codec.CODEC),
    DeviceClass.DICE_CUP: cast("AnyCodec", dice_cup.CODEC),
    DeviceClass.KEY_PANEL: cast("AnyCodec", key_panel.CODEC),
}


def device_class_of(number: int) -> DeviceClass | None:
    """The class with this number, where it is one of ours."""
    try:
        return DeviceClass(number)
    except ValueError:
        return None


def class_of(kind: Kind) -> DeviceClass | None:
    """The class of a kind of device that is on the link; None for the others."""
    return DeviceClass.__members__.get(kind.upper())


def decode(device_class: DeviceClass | None, message: bytes) -> Value:
    """The message, of the device's own or of those that all devices share; `ProtocolError` where it is none."""
    if companion.is_companion(message):
        return companion.decode(message)
    if device_class is None:
        raise ProtocolError("the kind of device is not known")
    return CODECS[device_class].decode(message)
