"""The register map of a drop-box sensor: its input registers to a `Reading` and back.

docs/protocols/drop-box.md has the map: 26 registers, and eight more where the sensor reads what the pieces are worth.
Two holding registers make the lamp; the sensor says who it is over Modbus's own identification.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from struct import Struct, error
from typing import Literal

from msgspec.structs import astuple

from protocols.errors import ProtocolError
from protocols.modbus.frames import ReadIdentification, ReadInputRegisters, WriteRegisters
from protocols.values import Value

MAP, WORTH_MAP = 0xDB01, 0xDB02
"""Register 0 of every sensor that has this map; the second: one that reads the worth of what fell."""
REGISTERS, WORTH_REGISTERS = 26, 34
NO_WEIGHT = -0x80000000
PIECES_PER_SECOND = 20
"""The slot lets no more through: a counter that runs faster is not believed."""
MOVES_PER_SECOND = 5
"""Nor does a hand move a box or a door more often."""
MAX_IDENTIFY_S = 600
MAX_TEXT = 8

PRODUCT_OBJECT, FIRMWARE_OBJECT = 1, 2

READ = ReadInputRegisters(address=0, count=REGISTERS)
READ_WORTH = ReadInputRegisters(address=0, count=WORTH_REGISTERS)
IDENTIFY = ReadIdentification(level=1, object_id=0)

Fault = Literal["slot blocked", "slot sensor", "scale", "box full"]

BOX_PRESENT, DOOR_OPEN, WEIGHT_SETTLED, BOX_ID_READ = 1 << 0, 1 << 1, 1 << 2, 1 << 3
FAULT_BITS: dict[Fault, int] = {"slot blocked": 1 << 4, "slot sensor": 1 << 5, "scale": 1 << 6, "box full": 1 << 7}


class Lamp(IntEnum):
    OFF = 0
    ON = 1
    BLINKING = 2


class Worth(Value, kw_only=True):
    """The counters of a sensor that knows chips: now, and when the box was last taken out."""

    pieces: int
    """Of those that the slot counted, the ones whose worth was read."""
    cents: int
    """What these are worth together."""
    pieces_at_removal: int
    cents_at_removal: int


class Reading(Value, kw_only=True):
    """All values of a sensor at one moment."""

    boot: int
    uptime_ms: int
    resets: int
    counter_bits: int
    drops: int
    drops_at_removal: int
    removals: int
    openings: int
    grams: int | None
    """None: no scale, or no box on it."""
    box_id: str | None
    """None: not read."""
    serial: str
    box_present: bool
    door_open: bool
    weight_settled: bool
    faults: tuple[Fault, ...]
    worth: Worth | None = None
    """None: a sensor that counts and does not read what a piece is worth."""


def show(lamp: Lamp, identify_s: int = 0) -> WriteRegisters:
    """Set the lamp, and blink for this number of seconds so that a person finds the box."""
    if not 0 <= identify_s <= MAX_IDENTIFY_S:
        raise ProtocolError(f"a sensor blinks for 0 to {MAX_IDENTIFY_S} s, not {identify_s}")
    return WriteRegisters(address=0, values=(lamp, identify_s))


def decode(registers: Sequence[int]) -> Reading:
    """The reading in all input registers of a sensor; `ProtocolError` says why there is none."""
    reads_worth = len(registers) == WORTH_REGISTERS
    if len(registers) not in (REGISTERS, WORTH_REGISTERS) or not all(0 <= value <= 0xFFFF for value in registers):
        raise ProtocolError(
            f"a reading is {REGISTERS} or {WORTH_REGISTERS} registers of 16 bits, this one has {len(registers)}"
        )
    found_map: int
    flags: int
    grams: int
    (
        found_map,
        flags,
        boot,
        uptime_ms,
        resets,
        counter_bits,
        drops,
        drops_at_removal,
        removals,
        openings,
        grams,
        box_id,
        serial,
    ) = _LAYOUT.unpack(_WORDS.pack(*registers[:REGISTERS]))
    expected_map = WORTH_MAP if reads_worth else MAP
    if found_map != expected_map:
        raise ProtocolError(
            f"register 0 is 0x{found_map:04x}, a drop-box sensor of {len(registers)} registers has "
            f"0x{expected_map:04x} there"
        )
    reading = Reading(
        boot=boot,
        uptime_ms=uptime_ms,
        resets=resets,
        counter_bits=counter_bits,
        drops=drops,
        drops_at_removal=drops_at_removal,
        removals=removals,
        openings=openings,
        grams=None if grams == NO_WEIGHT else grams,
        box_id=_text(box_id) or None,
        serial=_text(serial),
        box_present=bool(flags & BOX_PRESENT),
        door_open=bool(flags & DOOR_OPEN),
        weight_settled=bool(flags & WEIGHT_SETTLED),
        faults=tuple(fault for fault, bit in FAULT_BITS.items() if flags & bit),
        worth=_worth_counters(registers[REGISTERS:]) if reads_worth else None,
    )
    _check(reading)
    if bool(flags & BOX_ID_READ) != (reading.box_id is not None):
        raise ProtocolError("the flag for a read box id and the box id do not agree")
    return reading


def encode(reading: Reading) -> tuple[int, ...]:
    """The input registers for a reading."""
    _check(reading)
    flags = sum(FAULT_BITS[fault] for fault in reading.faults)
    flags |= BOX_PRESENT if reading.box_present else 0
    flags |= DOOR_OPEN if reading.door_open else 0
    flags |= WEIGHT_SETTLED if reading.weight_settled else 0
    flags |= BOX_ID_READ if reading.box_id is not None else 0
    try:
        packed = _LAYOUT.pack(
            MAP if reading.worth is None else WORTH_MAP,
            flags,
            reading.boot,
            reading.uptime_ms,
            reading.resets,
            reading.counter_bits,
            reading.drops,
            reading.drops_at_removal,
            reading.removals,
            reading.openings,
            NO_WEIGHT if reading.grams is None else reading.grams,
            (reading.box_id or "").encode("ascii"),
            reading.serial.encode("ascii"),
        )
        behind = () if reading.worth is None else _WORTH_WORDS.unpack(_WORTH.pack(*astuple(reading.worth)))
    except error as problem:
        raise ProtocolError(f"this reading does not fit its registers: {problem}") from problem
    return (*_WORDS.unpack(packed), *behind)


_LAYOUT = Struct(">HHIQHHIIHHi8s8s")
"""Map, flags, boot, uptime, resets, counter bits, drops, at removal, removals, openings, weight, box id, serial."""
_WORDS = Struct(f">{REGISTERS}H")
_WORTH = Struct(">IIII")
"""As the fields of `Worth`."""
_WORTH_WORDS = Struct(f">{WORTH_REGISTERS - REGISTERS}H")


def _worth_counters(registers: Sequence[int]) -> Worth:
    pieces, cents, pieces_at_removal, cents_at_removal = _WORTH.unpack(_WORTH_WORDS.pack(*registers))
    return Worth(pieces=pieces, cents=cents, pieces_at_removal=pieces_at_removal, cents_at_removal=cents_at_removal)


def _check(reading: Reading) -> None:
    """What must hold of every reading; the sentence says what does not."""
    worth = reading.worth
    highest = (1 << reading.counter_bits) - 1 if reading.counter_bits in (16, 32) else -1
    if reading.boot == 0:
        raise ProtocolError("boot 0 is none")
    if highest < 0:
        raise ProtocolError(f"a slot counter has 16 or 32 bits, not {reading.counter_bits}")
    if max(reading.drops, reading.drops_at_removal) > highest:
        raise ProtocolError("the slot counter is beyond its own highest value")
    if worth is not None and max(worth.pieces, worth.pieces_at_removal) > highest:
        raise ProtocolError("the counter of pieces with a known worth is beyond the slot counter's highest value")
    if reading.box_id is not None and not reading.box_present:
        raise ProtocolError("a box id without a box")
    if not _is_text(reading.serial):
        raise ProtocolError("a sensor has a serial number of 1 to 8 printable characters")
    if reading.box_id is not None and not _is_text(reading.box_id):
        raise ProtocolError("a box id has 1 to 8 printable characters")


def _is_text(text: str) -> bool:
    return 0 < len(text) <= MAX_TEXT and text.isascii() and text.isprintable()


def _text(field: bytes) -> str:
    return field.rstrip(b"\0").decode("latin-1")
