"""Which USB devices are barcode readers of the HID point-of-sale class."""

from __future__ import annotations

from devices.driver import DriverFailure
from devices.kinds import Section
from devices.ports.usb import hid_urls, open_hid
from protocols.errors import ProtocolError
from protocols.hid.pos import find_scans


def find_readers() -> list[Section]:
    """Each reader on the USB bus; none where USB cannot be used."""
    try:
        urls = hid_urls()
    except DriverFailure:
        return []
    return [{"kind": "card_reader", "url": url} for url in urls if _is_reader(url)]


def _is_reader(url: str) -> bool:
    try:
        open_hid(url, find_scans).close()
    except (DriverFailure, ProtocolError):
        return False
    return True
