"""The card reader: a USB barcode scanner whose scans are cards.

driver   scans become numbered events
options  which code means which card
lines    its reports, for a technician
find     which USB devices are such readers

May import what a driver may: see `devices.drivers`.
"""

from __future__ import annotations

from devices.drivers.card_reader.driver import CardReaderDriver
from devices.drivers.card_reader.find import find_readers
from devices.drivers.card_reader.lines import ReaderLines
from devices.drivers.card_reader.options import CardReaderOptions
from devices.kinds import DeviceKind

KIND = DeviceKind(
    name="card_reader",
    driver=CardReaderDriver,
    options=CardReaderOptions,
    lines=lambda sealed: ReaderLines(sealed=sealed),
    on_usb=True,
    find=find_readers,
)
