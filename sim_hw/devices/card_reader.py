"""The simulated card reader: a barcode scanner in HID point-of-sale mode, on the simulated USB bus.

It does what docs/protocols/card-reader.md asks of a reader. A dealer's hand is `scan`; what a scanner does on a bad
day is a method each. Which character a misread gets wrong, and what garbage looks like, comes from the seed.
"""

from __future__ import annotations

import random
from collections.abc import Mapping

from msgspec import Struct

from protocols.hid.card_codes import CARD_TEXTS
from protocols.hid.pos import ScanLayout, encode_scan, find_scans
from sim_hw.devices.kinds import Cards, Fault, Making, SimulatedKind, cards_of
from sim_hw.usb import descriptors
from sim_hw.usb.backend import SimulatedBus, UsbDevice

VENDOR, PRODUCT = 0x1209, 0x0001
"""pid.codes gives these numbers to tests: no real device has them."""
ENDPOINT_IN = 0x82
KEYBOARD_ENDPOINT_IN = 0x81
PACKET = 64

REFERENCE = bytes.fromhex(
    "058c 0902 a101 0912 a102 8502 1500 26ff00 7508 9501 0501 093b 8102 058c 9503 09fb 09fc 09fd 8102"
    "9538 09fe 820201 9502 8103 2501 7501 9501 09ff 8102 9507 8103 c0 c0"
)
"""The reference descriptor: report id 2, a byte count, the AIM identifier, 56 bytes, the flag."""
PLAIN = bytes.fromhex("058c 0902 a101 1500 26ff00 7508 9520 09fe 820201 c0")
"""As little as a scanner can have: 32 bytes, zeros behind; no id, no identifier, no long codes."""
KEYBOARD = bytes.fromhex(
    "0501 0906 a101 0507 19e0 29e7 1500 2501 7501 9508 8102 9501 7508 8103 9506 7508 2565 1900 2965 8100 c0"
)
"""A boot keyboard: how scanners leave the factory."""


class SimulatedCardReader:
    """A reader that is unplugged at first: `plug` it."""

    def __init__(
        self,
        bus: SimulatedBus,
        *,
        seed: int | str,
        serial: str | None = "SIM-0001",
        model: str = "SIM-READER",
        firmware: int = 0x0142,
        descriptor: bytes = REFERENCE,
        beside_keyboard: bool = False,
        packet: int = PACKET,
        texts: Mapping[str, str] = CARD_TEXTS,
        symbology: str = "]C0",
    ) -> None:
        """`beside_keyboard`: the scanner is the second interface, as in readers that can also type."""
        self._rng = random.Random(f"{seed}/reader")
        self._texts = texts
        self.serial = serial
        self._layout: ScanLayout | None = None
        if descriptor != KEYBOARD:
            (self._layout,) = find_scans(descriptor).values()
        self._symbology = symbology if self._layout is not None and self._layout.symbology_at is not None else ""
        interfaces = [(KEYBOARD, KEYBOARD_ENDPOINT_IN)] if beside_keyboard else []
        interfaces.append((descriptor, ENDPOINT_IN))
        names = {1: "Cutcard", 2: model} | ({} if serial is None else {3: serial})
        self.usb = UsbDevice(
            bus,
            device=descriptors.descriptor(
                descriptors.DEVICE,
                bcdUSB=0x0200,
                bMaxPacketSize0=64,
                idVendor=VENDOR,
                idProduct=PRODUCT,
                bcdDevice=firmware,
                iManufacturer=1,
                iProduct=2,
                iSerialNumber=3 if serial is not None else 0,
                bNumConfigurations=1,
            ),
            configuration=descriptors.configuration(
                *(
                    descriptors.hid_interface(
                        number, report, endpoint=endpoint, packet=packet, is_keyboard=report == KEYBOARD
                    )
                    for number, (report, endpoint) in enumerate(interfaces)
                )
            ),
            strings=names,
            report_descriptors={number: report for number, (report, _) in enumerate(interfaces)},
        )

    @property
    def url(self) -> str:
        return f"usb://{VENDOR:04x}:{PRODUCT:04x}/{self.serial}"

    @property
    def wire(self) -> None:
        return None

    @property
    def is_plugged(self) -> bool:
        return self.usb.is_plugged

    def plug(self, *ports: int) -> None:
        self.usb.plug(*ports)

    def unplug(self) -> None:
        self.usb.unplug()

    def close(self) -> None:
        self.unplug()

    def power_cycle(self, *, keep_events: bool = False) -> None:
        """A reader keeps nothing."""
        self.unplug()
        self.plug()

    def hang(self) -> None:
        self.usb.hang()

    def restart(self) -> None:
        self.power_cycle()

    async def wait_online(self) -> None:
        await self.usb.wait_opened()

    async def wait_taken(self) -> None:
        await self.usb.wait_taken()

    def scan(self, card: str) -> None:
        """A card passes the window and is read."""
        self.scan_text(self._texts[card])

    def scan_twice(self, card: str) -> None:
        """A card passes slowly and is read twice."""
        self.scan(card)
        self.scan(card)

    def scan_text(self, text: str, symbology: str | None = None) -> None:
        """Any code, in as many reports as it takes."""
        for report in self._reports(text, symbology):
            self.usb.send(ENDPOINT_IN, report)

    def misread(self, card: str) -> str:
        """A card whose code is read with one wrong character, as when the print is worn; gives what was read."""
        text = self._texts[card]
        at = self._rng.randrange(len(text))
        wrong = self._rng.choice([letter for letter in "0123456789ABCDEF" if letter != text[at]])
        read = text[:at] + wrong + text[at + 1 :]
        self.scan_text(read)
        return read

    def scan_half(self, text: str) -> None:
        """A long code of which the last report never comes."""
        for report in self._reports(text, None)[:-1]:
            self.usb.send(ENDPOINT_IN, report)

    def send_garbage(self) -> None:
        """A report that counts more bytes than it has: firmware gone wrong."""
        report = bytearray(self._rng.randbytes(PACKET))
        report[:2] = bytes((0x02, 0xFF))
        self.usb.send(ENDPOINT_IN, bytes(report))

    def babble(self, reports: int) -> None:
        """Random codes, as fast as the host takes them."""
        for _ in range(reports):
            self.scan_text(self._rng.randbytes(4).hex())

    def send_too_much(self) -> None:
        """A packet longer than the endpoint has any."""
        self.usb.send(ENDPOINT_IN, self._rng.randbytes(PACKET + 8))

    def stall(self) -> None:
        """Halt the endpoint until the host clears it."""
        self.usb.halt(ENDPOINT_IN)

    def _reports(self, text: str, symbology: str | None) -> list[bytes]:
        if self._layout is None:
            raise ValueError("this reader is in keyboard mode: it sends no scans")
        return encode_scan(self._layout, text.encode("latin-1"), self._symbology if symbology is None else symbology)


# What people do with it


async def scan(reader: SimulatedCardReader, *, cards: Cards = None, text: str | None = None) -> None:
    """Draw cards past the window one by one, or anything with this code on it."""
    for card in cards_of(cards):
        reader.scan(card)
        await reader.wait_taken()
    if text is not None:
        reader.scan_text(text)
        await reader.wait_taken()


# What goes wrong


async def garbage(reader: SimulatedCardReader) -> None:
    """It sends one report of nonsense."""
    reader.send_garbage()


async def misread(reader: SimulatedCardReader, *, card: str = "As") -> None:
    """This card is read with a wrong character."""
    reader.misread(card)


class ReaderModel(Struct, forbid_unknown_fields=True):
    serial: str = "SIM-0001"
    beside_keyboard: bool = False


def _build(making: Making) -> SimulatedCardReader:
    model: ReaderModel = making.model
    codes = making.options.get("codes")
    return SimulatedCardReader(
        making.usb,
        seed=making.seed,
        serial=model.serial,
        beside_keyboard=model.beside_keyboard,
        texts=CARD_TEXTS if codes is None else {card: text for text, card in codes.items()},
    )


KIND = SimulatedKind(
    name="card_reader",
    build=_build,
    model=ReaderModel,
    on_usb=True,
    acts=(scan,),
    faults=(Fault(garbage), Fault(misread)),
)
