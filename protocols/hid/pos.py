"""Scans of a HID point-of-sale barcode scanner (usage page 0x8C), out of its input reports and into them.

Where a scan lies in a report is read from the scanner's own descriptor (`find_scans`); a code that is longer than one
report comes in parts. The owner of a `ScanDecoder` passes reports and time in:

    scans = decoder.feed(report, now)    a report came
    scans = decoder.poll(now)            `next_deadline()` has come
    scans = decoder.end()                there will be no more

What was scanned and cannot be trusted comes out as a `BrokenScan`, never as a shorter text: the end of one code must
not pass for another. docs/protocols/card-reader.md has the layout, the states and the reasons.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum, auto
from typing import Literal

import msgspec
from msgspec import Struct

from protocols.errors import ProtocolError
from protocols.hid.descriptors import KEYBOARD, Field, InputReport, parse_report_descriptor
from protocols.values import Value

PAGE = 0x8C
BYTE_COUNT = 0x01_003B
SYMBOLOGY_IDENTIFIERS = (0x8C_00FB, 0x8C_00FC, 0x8C_00FD)
DECODED_DATA = 0x8C_00FE
DECODE_DATA_CONTINUED = 0x8C_00FF

AIM_LENGTH = 3

PART_WITHIN = 0.5
"""Seconds. Twice the longest polling interval of full-speed USB: a part that takes longer is not coming."""
MAX_SCAN = 8192
"""Bytes. More than the largest QR code holds."""

Broken = Literal["cut short", "garbled", "mixed", "too long"]


class Scan(msgspec.Struct, frozen=True, gc=False):
    """One code that was read whole."""

    data: bytes
    symbology: str
    """The AIM identifier, as "]C0"; empty when the scanner sent none."""

    def __repr__(self) -> str:
        # The text may name a card that nobody may know yet: it belongs in no log.
        return f"Scan(symbology={self.symbology!r}, {len(self.data)} bytes)"


class BrokenScan(Value):
    """Something was scanned that could not be read."""

    why: Broken


class ScanLayout(Value):
    """Where a scan lies in a scanned-data report; offsets in bytes."""

    report_id: int | None
    length: int
    data_at: int
    room: int
    """Bytes of data in one report."""
    count_at: int | None
    symbology_at: int | None
    continued_at: int | None
    continued_bit: int


Scans = Mapping[int | None, ScanLayout]
"""By report id; a scanner without ids has one, under None."""


def find_scans(descriptor: bytes) -> Scans:
    """The scanned-data reports of a scanner; `ProtocolError` says what the device is, or lacks."""
    parsed = parse_report_descriptor(descriptor)
    scans = {
        report.report_id: _layout(report)
        for report in parsed.inputs
        if report.application >> 16 == PAGE and any(field.usage == DECODED_DATA for field in report.fields)
    }
    if scans:
        return scans
    if any(usage >> 16 == PAGE for usage in parsed.applications):
        raise ProtocolError("it is a barcode scanner whose report descriptor has no decoded data")
    if KEYBOARD in parsed.applications:
        raise ProtocolError("it is a keyboard: if it is a scanner, put it in HID POS mode with its maker's setup code")
    raise ProtocolError("it is no barcode scanner: its report descriptor has no usage page 0x8C")


class ScanStatistics(Struct):
    """What a decoder met, since it was made."""

    reports: int = 0
    scans: int = 0
    broken: int = 0
    strays: int = 0
    """Reports that are none of scanned data, or hold nothing."""


class _State(Enum):
    IDLE = auto()
    PARTS = auto()
    """The beginning of a code is there."""
    SKIPPING = auto()
    """The rest of a code that was given up."""
    DISTRUST = auto()
    """A report made no sense: until the scanner was quiet, the next one may be the end of anything."""


class ScanDecoder:
    """One connection's scans. Holds at most `MAX_SCAN` bytes."""

    def __init__(self, scans: Scans, statistics: ScanStatistics | None = None) -> None:
        self.statistics = statistics or ScanStatistics()
        self._layouts = scans
        self._has_ids = None not in scans
        self._state = _State.IDLE
        self._deadline = 0.0
        self._parts = bytearray()
        self._symbology = ""

    @property
    def held(self) -> int:
        """Bytes of the unfinished code."""
        return len(self._parts)

    def next_deadline(self) -> float | None:
        return None if self._state is _State.IDLE else self._deadline

    def feed(self, report: bytes, now: float) -> list[Scan | BrokenScan]:
        """What this report completes or breaks. Never raises."""
        self.statistics.reports += 1
        layout = self._layouts.get(report[0] if self._has_ids and report else None)
        if layout is None or not report:
            self.statistics.strays += 1
            return self.poll(now)
        part = _part(layout, report)
        if part is None:
            return [*self.poll(now), *self._break("garbled", _State.DISTRUST, now)]
        data, symbology, continued = part
        if self._state is _State.IDLE and not continued:
            return self._whole(data, symbology)
        return [*self.poll(now), *self._add(data, symbology, continued, now)]

    def overran(self, now: float) -> list[Scan | BrokenScan]:
        """More came than any report has, and it is lost."""
        self.statistics.reports += 1
        return [*self.poll(now), *self._break("garbled", _State.DISTRUST, now)]

    def poll(self, now: float) -> list[Scan | BrokenScan]:
        if self._state is _State.IDLE or now < self._deadline:
            return []
        return self.end()

    def end(self) -> list[Scan | BrokenScan]:
        """The parts that are there are all there will be."""
        if self._state is _State.PARTS:
            return self._break("cut short", _State.IDLE, 0.0)
        self._state = _State.IDLE
        return []

    def _add(self, data: bytes, symbology: str, continued: bool, now: float) -> list[Scan | BrokenScan]:
        self._deadline = now + PART_WITHIN
        match self._state:
            case _State.IDLE:
                if not continued:
                    return self._whole(data, symbology)
                self._state = _State.PARTS
                self._symbology = symbology
            case _State.SKIPPING:
                self._state = _State.SKIPPING if continued else _State.IDLE
                return []
            case _State.DISTRUST:
                return [] if continued else self._break("garbled", _State.DISTRUST, now)
        after = _State.SKIPPING if continued else _State.IDLE
        if symbology != self._symbology:
            return self._break("mixed", after, now)
        if len(self._parts) + len(data) > MAX_SCAN:
            return self._break("too long", after, now)
        self._parts += data
        if continued:
            return []
        self._state = _State.IDLE
        whole = bytes(self._parts)
        self._parts.clear()
        return self._whole(whole, symbology)

    def _whole(self, data: bytes, symbology: str) -> list[Scan | BrokenScan]:
        if not data:
            self.statistics.strays += 1
            return []
        self.statistics.scans += 1
        return [Scan(data, symbology)]

    def _break(self, why: Broken, state: _State, now: float) -> list[Scan | BrokenScan]:
        self.statistics.broken += 1
        self._parts.clear()
        self._state = state
        self._deadline = now + PART_WITHIN
        return [BrokenScan(why)]


def encode_scan(layout: ScanLayout, data: bytes, symbology: str = "") -> list[bytes]:
    """The reports that a scanner with this layout sends for one code."""
    if not 0 < len(data) <= MAX_SCAN:
        raise ProtocolError(f"a code has 1 to {MAX_SCAN} bytes, this one has {len(data)}")
    if len(data) > layout.room and layout.continued_at is None:
        raise ProtocolError(f"this scanner's codes have at most {layout.room} bytes, this one has {len(data)}")
    if layout.symbology_at is None and symbology:
        raise ProtocolError("this scanner reports no symbology")
    if symbology and (len(symbology) != AIM_LENGTH or not symbology.isascii()):
        raise ProtocolError(f"an AIM identifier has three characters, as ]C0; this is {symbology!r}")
    parts = [data[at : at + layout.room] for at in range(0, len(data), layout.room)]
    return [_report(layout, part, symbology, part_no + 1 < len(parts)) for part_no, part in enumerate(parts)]


def _report(layout: ScanLayout, part: bytes, symbology: str, continued: bool) -> bytes:
    report = bytearray(layout.length)
    if layout.report_id is not None:
        report[0] = layout.report_id
    report[layout.data_at : layout.data_at + len(part)] = part
    if layout.count_at is not None:
        report[layout.count_at] = len(part)
    if layout.symbology_at is not None and symbology:
        report[layout.symbology_at : layout.symbology_at + AIM_LENGTH] = symbology.encode("ascii")
    if layout.continued_at is not None and continued:
        report[layout.continued_at] |= layout.continued_bit
    return bytes(report)


def _part(layout: ScanLayout, report: bytes) -> tuple[bytes, str, bool] | None:
    """Data, symbology, and whether the code goes on; None for a report that cannot be."""
    length = layout.length
    if len(report) != length and (len(report) < length or any(report[length:])):
        return None
    continued = layout.continued_at is not None and bool(report[layout.continued_at] & layout.continued_bit)
    if layout.count_at is not None:
        count = report[layout.count_at]
        if count > layout.room:
            return None
        data = report[layout.data_at : layout.data_at + count]
    else:
        data = report[layout.data_at : layout.data_at + layout.room]
        if not continued:
            data = data.rstrip(b"\0")
    if layout.symbology_at is None:
        return data, "", continued
    symbology = report[layout.symbology_at : layout.symbology_at + AIM_LENGTH]
    return data, symbology.rstrip(b"\0").decode("latin-1"), continued


def _layout(report: InputReport) -> ScanLayout:
    fields: dict[int, Field] = {}
    for field in report.fields:
        fields.setdefault(field.usage, field)
    data = fields[DECODED_DATA]
    count = fields.get(BYTE_COUNT)
    continued = fields.get(DECODE_DATA_CONTINUED)
    return ScanLayout(
        report_id=report.report_id,
        length=report.length,
        data_at=_byte(data, "decoded data does"),
        room=data.count,
        count_at=None if count is None else _byte(count, "byte count does"),
        symbology_at=_symbology_at([fields.get(usage) for usage in SYMBOLOGY_IDENTIFIERS]),
        continued_at=None if continued is None else continued.offset // 8,
        continued_bit=0 if continued is None else 1 << continued.offset % 8,
    )


def _symbology_at(identifiers: list[Field | None]) -> int | None:
    there = [_byte(field, "symbology identifiers do") for field in identifiers if field is not None]
    if not there:
        return None
    if there != list(range(there[0], there[0] + AIM_LENGTH)):
        raise ProtocolError("its three symbology identifiers do not stand side by side")
    return there[0]


def _byte(field: Field, name: str) -> int:
    if field.size != 8 or field.offset % 8:
        raise ProtocolError(f"its {name} not lie in whole bytes")
    return field.offset // 8
