"""The card reader: card-reader.md."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from protocols.errors import ProtocolError
from protocols.hid.card_codes import CARD_TEXTS
from protocols.hid.pos import BrokenScan, Scan, find_scans
from sim_hw.conform.hands import POWER_CYCLE, act
from sim_hw.conform.hid.bench import HidBench
from sim_hw.conform.requirement import Broken, Mutation, NotPlayed, must

LONG = "CUTCARD TEST 0123456789 ABCDEFGHIJKLMNOPQRSTUVWXYZ 0123456789"
"""A golden code of the page, longer than a report of the reference descriptor."""
NINE = act("scan", "Pass the nine of hearts over the window, once.", cards="9h")
KING = act("scan", "Pass the king of hearts with a star over the window, once.", cards="Kh*")
LONG_CODE = act("scan", f"Pass a code with the text {LONG!r} over the window, once.", text=LONG)
ON_BYTES = "whole bytes"


def _descriptor(change: Callable[[bytes], bytes]) -> Mutation:
    def mutate(reader: Any) -> None:
        (descriptor,) = (change(data) for data in reader.usb.report_descriptors.values())
        (interface,) = reader.usb.configuration.interfaces
        reader.usb.report_descriptors = {interface.fields.bInterfaceNumber: descriptor}
        # Its length is behind the interface, at the end of the HID descriptor.
        extra = interface.fields.extra_descriptors
        interface.fields.extra_descriptors = type(extra)((*extra[:-2], *len(descriptor).to_bytes(2, "little")))

    return mutate


def _reports(edit: Callable[[bytes], bytes]) -> Mutation:
    """What the reader sends, edited."""

    def mutate(reader: Any) -> None:
        send = reader.usb.send
        reader.usb.send = lambda endpoint, report: send(endpoint, edit(report))

    return mutate


def _set_up_each_time(reader: Any) -> None:
    """It scans only until its power goes: its trigger must be switched on by a program."""
    plug, send = reader.plug, reader.usb.send
    plugs = 0

    def plugged(*ports: int) -> None:
        nonlocal plugs
        plugs += 1
        plug(*ports)

    reader.plug = plugged
    reader.usb.send = lambda endpoint, report: send(endpoint, report) if plugs < 2 else None


@must("SCAN-2", "2", wrong=_descriptor(lambda data: data.replace(b"\x09\xfe", b"\x09\xf0")))
async def scanned_data(bench: HidBench) -> None:
    """The report descriptor has a scanned-data report: page 0x8C, with Decoded Data."""
    try:
        find_scans(bench.descriptor)
    except ProtocolError as error:
        if ON_BYTES not in str(error):
            raise Broken("a report descriptor with Decoded Data of page 0x8C", str(error)) from None


@must(
    "SCAN-3",
    "2",
    wrong=_descriptor(lambda data: data.replace(b"\x05\x01\x09\x3b", b"\x75\x01\x81\x03\x75\x08\x05\x01\x09\x3b")),
)
async def whole_bytes(bench: HidBench) -> None:
    """Data bytes and counts begin on byte boundaries."""
    try:
        find_scans(bench.descriptor)
    except ProtocolError as error:
        if ON_BYTES in str(error):
            raise Broken("data and count on byte boundaries", str(error)) from None


@must("SCAN-7", "3", wrong=_reports(lambda report: report.replace(b"9HD6", b"9hD6")))
async def as_printed(bench: HidBench) -> None:
    """A code arrives as it is printed on the card, in one scan."""
    bench.scans()
    await bench.hands.do(NINE)
    found = await bench.scanned()
    if not any(isinstance(scan, Scan) and CARD_TEXTS["9h"].encode() in scan.data for scan in found):
        raise Broken(f"a scan with the text {CARD_TEXTS['9h']}", f"{_words(found)}")


@must("SCAN-6", "3", wrong=_reports(lambda report: report[:40] if b"KH+92" in report else report))
async def length(bench: HidBench) -> None:
    """A report has the length that its descriptor defines."""
    layouts = bench.scans()
    await bench.hands.do(KING)
    await bench.scanned()
    for report in bench.reports:
        layout = layouts.get(report[0] if None not in layouts else None)
        if layout is not None and len(report) != layout.length:
            raise Broken(f"a report of {layout.length} bytes", f"one of {len(report)}")


@must("SCAN-4", "3", wrong=_reports(lambda report: report[:-1] + bytes((report[-1] & 0xFE,))))
async def continued(bench: HidBench) -> None:
    """Every report of a long code except the last has Continued set, so it is put together."""
    found = await _long_code(bench)
    is_mixed = any(isinstance(scan, BrokenScan) and scan.why == "mixed" for scan in found)
    if not is_mixed and not any(isinstance(scan, Scan) and LONG.encode() in scan.data for scan in found):
        raise Broken(f"one scan of {len(LONG)} characters", _words(found))


@must(
    "SCAN-5", "3", wrong=_reports(lambda report: report.replace(b"]C0", b"]C1") if b"56789" in report[5:16] else report)
)
async def one_identifier(bench: HidBench) -> None:
    """All reports of a code have the same AIM identifier and follow each other."""
    found = await _long_code(bench)
    if any(isinstance(scan, BrokenScan) and scan.why == "mixed" for scan in found):
        raise Broken("reports of one code with one AIM identifier", _words(found))


@must("SCAN-1", "1", wrong=_set_up_each_time)
async def plugged_in(bench: HidBench) -> None:
    """A reader works when it is plugged in, as its maker set it."""
    bench.scans()
    await bench.hands.do(POWER_CYCLE)
    await bench.ready()
    await bench.hands.do(NINE)
    await bench.scanned()


async def _long_code(bench: HidBench) -> list[Scan | BrokenScan]:
    layout = bench.layout()
    if layout.continued_at is None or layout.room >= len(LONG):
        raise NotPlayed(f"a report of this reader holds {layout.room} characters, and no longer codes")
    await bench.hands.do(LONG_CODE)
    return await bench.scanned()


def _words(found: list[Scan | BrokenScan]) -> str:
    """A scan of a card is no secret on a bench."""
    said = [f"{scan.data!r}" if isinstance(scan, Scan) else f"a scan that is {scan.why}" for scan in found]
    return ", ".join(said) or "none"
