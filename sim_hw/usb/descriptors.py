"""What a simulated USB device is made of: descriptors in bytes, and what they say.

The bytes are those that a device's firmware holds; `parse_configuration` reads them as a host does, each class
descriptor hanging on the standard one before it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import SimpleNamespace

from construct import Int8ul, Int16ul, Struct

DEVICE, CONFIGURATION, STRING, INTERFACE, ENDPOINT = 1, 2, 3, 4, 5
"""Descriptor types."""
HID, REPORT = 0x21, 0x22
HID_CLASS = 3
INTERRUPT = 3
ENGLISH = 0x0409
FULL_SPEED = 2

LAYOUTS: Mapping[int, Struct] = {
    DEVICE: Struct(
        "bLength" / Int8ul,
        "bDescriptorType" / Int8ul,
        "bcdUSB" / Int16ul,
        "bDeviceClass" / Int8ul,
        "bDeviceSubClass" / Int8ul,
        "bDeviceProtocol" / Int8ul,
        "bMaxPacketSize0" / Int8ul,
        "idVendor" / Int16ul,
        "idProduct" / Int16ul,
        "bcdDevice" / Int16ul,
        "iManufacturer" / Int8ul,
        "iProduct" / Int8ul,
        "iSerialNumber" / Int8ul,
        "bNumConfigurations" / Int8ul,
    ),
    CONFIGURATION: Struct(
        "bLength" / Int8ul,
        "bDescriptorType" / Int8ul,
        "wTotalLength" / Int16ul,
        "bNumInterfaces" / Int8ul,
        "bConfigurationValue" / Int8ul,
        "iConfiguration" / Int8ul,
        "bmAttributes" / Int8ul,
        "bMaxPower" / Int8ul,
    ),
    INTERFACE: Struct(
        "bLength" / Int8ul,
        "bDescriptorType" / Int8ul,
        "bInterfaceNumber" / Int8ul,
        "bAlternateSetting" / Int8ul,
        "bNumEndpoints" / Int8ul,
        "bInterfaceClass" / Int8ul,
        "bInterfaceSubClass" / Int8ul,
        "bInterfaceProtocol" / Int8ul,
        "iInterface" / Int8ul,
    ),
    ENDPOINT: Struct(
        "bLength" / Int8ul,
        "bDescriptorType" / Int8ul,
        "bEndpointAddress" / Int8ul,
        "bmAttributes" / Int8ul,
        "wMaxPacketSize" / Int16ul,
        "bInterval" / Int8ul,
    ),
    HID: Struct(
        "bLength" / Int8ul,
        "bDescriptorType" / Int8ul,
        "bcdHID" / Int16ul,
        "bCountryCode" / Int8ul,
        "bNumDescriptors" / Int8ul,
        "bReportType" / Int8ul,
        "wReportLength" / Int16ul,
    ),
}


def descriptor(kind: int, **fields: int) -> bytes:
    """A descriptor's bytes; its length and type are filled in, and a field that is not given is 0."""
    layout = LAYOUTS[kind]
    names = [part.name for part in layout.subcons]
    values = dict.fromkeys(names, 0) | fields | {"bLength": layout.sizeof(), "bDescriptorType": kind}
    built: bytes = layout.build(values)
    return built


def configuration(*interfaces: bytes) -> bytes:
    """A configuration with these interfaces, each with what belongs to it behind it."""
    inside = b"".join(interfaces)
    total = LAYOUTS[CONFIGURATION].sizeof() + len(inside)
    return (
        descriptor(
            CONFIGURATION,
            wTotalLength=total,
            bNumInterfaces=len(interfaces),
            bConfigurationValue=1,
            bmAttributes=0x80,
            bMaxPower=125,
        )
        + inside
    )


def hid_interface(
    number: int, report_descriptor: bytes, *, endpoint: int, packet: int, is_keyboard: bool = False
) -> bytes:
    """A HID interface with one interrupt endpoint."""
    return (
        descriptor(
            INTERFACE,
            bInterfaceNumber=number,
            bNumEndpoints=1,
            bInterfaceClass=HID_CLASS,
            bInterfaceSubClass=int(is_keyboard),
            bInterfaceProtocol=int(is_keyboard),
        )
        + descriptor(HID, bcdHID=0x0111, bNumDescriptors=1, bReportType=REPORT, wReportLength=len(report_descriptor))
        + descriptor(ENDPOINT, bEndpointAddress=endpoint, bmAttributes=INTERRUPT, wMaxPacketSize=packet, bInterval=1)
    )


def string_descriptor(text: str) -> bytes:
    encoded = text.encode("utf-16-le")
    return bytes((2 + len(encoded), STRING)) + encoded


LANGUAGES = bytes((4, STRING)) + ENGLISH.to_bytes(2, "little")


@dataclass(frozen=True, slots=True)
class ParsedInterface:
    fields: SimpleNamespace
    endpoints: list[SimpleNamespace] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class ParsedConfiguration:
    fields: SimpleNamespace
    interfaces: list[ParsedInterface] = field(default_factory=list)
    """In the order of their numbers; none of ours has alternate settings."""


def parse(data: bytes) -> SimpleNamespace:
    """The fields of one standard descriptor, as pyusb names them."""
    parsed = LAYOUTS[data[1]].parse(data)
    fields = {name: value for name, value in parsed.items() if not name.startswith("_")}
    return SimpleNamespace(**fields, extra_descriptors=[])


def parse_configuration(data: bytes) -> ParsedConfiguration:
    """A configuration with its interfaces and endpoints."""
    found = ParsedConfiguration(parse(data))
    latest = found.fields
    at = data[0]
    while at < len(data):
        piece = data[at : at + data[at]]
        at += len(piece)
        if piece[1] == INTERFACE:
            latest = parse(piece)
            found.interfaces.append(ParsedInterface(latest))
        elif piece[1] == ENDPOINT:
            latest = parse(piece)
            latest.bRefresh = latest.bSynchAddress = 0
            found.interfaces[-1].endpoints.append(latest)
        else:
            latest.extra_descriptors.extend(piece)
    return found
