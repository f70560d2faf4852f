"""HID report descriptors, as far as the input reports of a device need them.

A descriptor is a list of items, each a prefix byte and up to four bytes of value (HID 1.11, section 6.2.2). *Global*
items set state that stays (usage page, report size, count and id), *local* ones name usages for the next *main* item,
and a main item takes both: an Input item puts `report count` controls of `report size` bits into the report of the
current id, behind those that are already there.

    >>> scale = parse_report_descriptor(bytes.fromhex("058d 0920 a101 7510 9501 0940 8102 c0"))
    >>> [hex(usage) for usage in scale.applications]
    ['0x8d0020']
    >>> scale.inputs[0].fields == (Field(usage=0x8D0040, offset=0, size=16, count=1),)
    True
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import IntEnum

import msgspec
from construct import Check, Const, ConstructError, Int8ul, Int16ul, Struct
from msgspec.structs import replace

from protocols.errors import ProtocolError
from protocols.layout_errors import in_words
from protocols.values import Value

MAX_DESCRIPTOR = 4096
"""Bytes; Linux takes no longer one either."""
MAX_REPORT = 1024
"""Bytes: the longest interrupt packet that USB has."""
MAX_FIELDS = 4096
"""Of all reports together: a few bytes of descriptor can name a great many."""
MAX_DEPTH = 16

HID_DESCRIPTOR = 0x21
REPORT_DESCRIPTOR = 0x22

KEYBOARD = 0x01_0006
"""The usage of an application collection: a keyboard."""


class Field(Value):
    """Controls of one usage, side by side in an input report."""

    usage: int
    """Page in the upper 16 bits, id in the lower."""
    offset: int
    """Bits from the start of the report, its id included."""
    size: int
    """Bits of one control."""
    count: int


class InputReport(Value):
    report_id: int | None
    """The first byte of the report; None where the device has only one report and no ids."""
    application: int
    """The usage of the application collection that it is in; 0 outside of any."""
    length: int
    """Bytes, the id included."""
    fields: tuple[Field, ...]
    """Variable fields with a usage. Arrays, constants and padding only take their room."""


class ReportDescriptor(Value):
    applications: tuple[int, ...]
    """The usages of the application collections, in order."""
    inputs: tuple[InputReport, ...]


def parse_report_descriptor(data: bytes) -> ReportDescriptor:
    """The input reports that this descriptor declares; `ProtocolError` says why it cannot be one."""
    if not 0 < len(data) <= MAX_DESCRIPTOR:
        raise ProtocolError(f"a report descriptor has 1 to {MAX_DESCRIPTOR} bytes, this one has {len(data)}")
    parser = _Parser()
    for tag, value, size in _items(data):
        parser.take(tag, value, size)
    return parser.result()


def report_descriptor_length(extra: bytes) -> int | None:
    """How long the report descriptor is, by the descriptors behind an interface; None when none of them says."""
    at = 0
    while at + 2 <= len(extra):
        length, kind = extra[at], extra[at + 1]
        if length < 2:
            raise ProtocolError(f"a descriptor has at least 2 bytes, this one has {length}")
        if kind == HID_DESCRIPTOR:
            return _length_in(extra[at : at + length])
        at += length
    return None


_HID_DESCRIPTOR = Struct(
    "length" / Int8ul,
    "kind" / Const(HID_DESCRIPTOR, Int8ul),
    "version" / Int16ul,
    "country" / Int8ul,
    "descriptors" / Int8ul,
    "the first class descriptor is a report descriptor" / Const(REPORT_DESCRIPTOR, Int8ul),
    "report_length" / Int16ul,
    f"a report descriptor has 1 to {MAX_DESCRIPTOR} bytes"
    / Check(lambda this: 0 < this.report_length <= MAX_DESCRIPTOR),
)


def _length_in(descriptor: bytes) -> int:
    try:
        return int(_HID_DESCRIPTOR.parse(descriptor).report_length)
    except ConstructError as error:
        raise ProtocolError(f"not a HID descriptor: {in_words(error)}") from error


class _Tag(IntEnum):
    """The prefix of an item without its two size bits."""

    INPUT = 0x80
    OUTPUT = 0x90
    COLLECTION = 0xA0
    FEATURE = 0xB0
    END_COLLECTION = 0xC0
    USAGE_PAGE = 0x04
    REPORT_SIZE = 0x74
    REPORT_ID = 0x84
    REPORT_COUNT = 0x94
    PUSH = 0xA4
    POP = 0xB4
    USAGE = 0x08
    USAGE_MINIMUM = 0x18
    USAGE_MAXIMUM = 0x28
    DELIMITER = 0xA8


_TAGS = {int(tag): tag for tag in _Tag}
_SIZES = (0, 1, 2, 4)
_LONG_ITEM = 0xFE
_APPLICATION = 0x01
_CONSTANT, _VARIABLE = 0x01, 0x02


def _items(data: bytes) -> Iterator[tuple[_Tag, int, int]]:
    """The items that matter here: tag, value, bytes of the value. Limits, units, strings and long items do not."""
    at = 0
    while at < len(data):
        prefix = data[at]
        is_long = prefix == _LONG_ITEM
        size = 2 + (data[at + 1] if at + 1 < len(data) else 0) if is_long else _SIZES[prefix & 0x03]
        value = data[at + 1 : at + 1 + size]
        if len(value) < size:
            raise ProtocolError("the report descriptor ends within an item")
        tag = None if is_long else _TAGS.get(prefix & 0xFC)
        if tag is not None:
            yield tag, int.from_bytes(value, "little"), size
        at += 1 + size


class _Globals(Value):
    usage_page: int = 0
    report_size: int = 0
    report_count: int = 0
    report_id: int | None = None


class _Usages(Value):
    """One usage, or a range of them."""

    first: int
    last: int
    with_page: bool
    """Four bytes name the page as well; fewer mean the page that is current at the main item."""


class _Draft(msgspec.Struct):
    """An input report that is growing."""

    application: int
    bits: int
    fields: list[Field]


class _Parser:
    """What is known between two items."""

    def __init__(self) -> None:
        self._globals = _Globals()
        self._pushed: list[_Globals] = []
        self._usages: list[_Usages] = []
        self._minimum: int | None = None
        self._collections: list[int | None] = []
        """The open ones: the usage of an application, None for any other."""
        self._applications: list[int] = []
        self._drafts: dict[int | None, _Draft] = {}
        self._fields = 0

    def take(self, tag: _Tag, value: int, size: int) -> None:
        match tag:
            case _Tag.USAGE_PAGE:
                self._globals = replace(self._globals, usage_page=value & 0xFFFF)
            case _Tag.REPORT_SIZE:
                self._globals = replace(self._globals, report_size=value)
            case _Tag.REPORT_COUNT:
                self._globals = replace(self._globals, report_count=value)
            case _Tag.REPORT_ID:
                if not 0 < value <= 0xFF:
                    raise ProtocolError(f"a report id is 1 to 255, not {value}")
                self._globals = replace(self._globals, report_id=value)
            case _Tag.PUSH:
                self._bound("pushes", len(self._pushed))
                self._pushed.append(self._globals)
            case _Tag.POP:
                if not self._pushed:
                    raise ProtocolError("the report descriptor pops what it never pushed")
                self._globals = self._pushed.pop()
            case _Tag.USAGE:
                self._usages.append(_Usages(value, value, size == 4))
            case _Tag.USAGE_MINIMUM:
                self._minimum = value
            case _Tag.USAGE_MAXIMUM:
                if self._minimum is None or self._minimum > value:
                    raise ProtocolError("a range of usages ends before it begins")
                self._usages.append(_Usages(self._minimum, value, size == 4))
                self._minimum = None
            case _Tag.DELIMITER:
                raise ProtocolError("the report descriptor has delimited usages, which are not understood")
            case _:
                self._take_main(tag, value)
                self._usages.clear()
                self._minimum = None

    def result(self) -> ReportDescriptor:
        if self._collections:
            raise ProtocolError("the report descriptor ends within a collection")
        if None in self._drafts and len(self._drafts) > 1:
            raise ProtocolError("some reports of the descriptor have an id and some have none")
        inputs = (
            InputReport(report_id, draft.application, (draft.bits + 7) // 8, tuple(draft.fields))
            for report_id, draft in self._drafts.items()
        )
        return ReportDescriptor(tuple(self._applications), tuple(inputs))

    def _take_main(self, tag: _Tag, value: int) -> None:
        match tag:
            case _Tag.COLLECTION:
                self._bound("nests collections", len(self._collections))
                usage = next(self._named(), 0) if value == _APPLICATION else None
                self._collections.append(usage)
                if usage is not None:
                    self._applications.append(usage)
            case _Tag.END_COLLECTION:
                if not self._collections:
                    raise ProtocolError("the report descriptor ends a collection that it never began")
                self._collections.pop()
            case _Tag.INPUT:
                self._take_input(value)

    def _take_input(self, flags: int) -> None:
        size, count = self._globals.report_size, self._globals.report_count
        report_id = self._globals.report_id
        draft = self._drafts.get(report_id)
        if draft is None:
            application = next((usage for usage in self._collections if usage is not None), 0)
            draft = self._drafts[report_id] = _Draft(application, 0 if report_id is None else 8, [])
        offset = draft.bits
        draft.bits += size * count
        if draft.bits > MAX_REPORT * 8:
            raise ProtocolError(f"an input report is longer than {MAX_REPORT} bytes")
        if flags & _CONSTANT or not flags & _VARIABLE or not size:
            return
        for usage, controls in self._shared_out(count):
            self._fields += 1
            if self._fields > MAX_FIELDS:
                raise ProtocolError(f"the report descriptor declares more than {MAX_FIELDS} fields")
            draft.fields.append(Field(usage, offset, size, controls))
            offset += size * controls

    def _shared_out(self, count: int) -> Iterator[tuple[int, int]]:
        """Each usage with its controls: one each, and the last usage has all that are left (section 6.2.2.8)."""
        held: int | None = None
        for usage in self._named():
            if held is not None:
                yield held, 1
                count -= 1
            if count <= 0:
                return
            held = usage
        if held is not None and count > 0:
            yield held, count

    def _named(self) -> Iterator[int]:
        page = self._globals.usage_page << 16
        for usages in self._usages:
            for usage in range(usages.first, usages.last + 1):
                yield usage if usages.with_page else page | usage

    @staticmethod
    def _bound(does: str, depth: int) -> None:
        if depth == MAX_DEPTH:
            raise ProtocolError(f"the report descriptor {does} more than {MAX_DEPTH} deep")
