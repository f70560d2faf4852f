"""The messages of the dice cup.

The opening is sent before the dice are read, because the opening closes the bets. What was read is one value per die,
in no order, each sent twice, the second time inverted; a die that was not read for certain is None.

    >>> encode(SetDice(dice=3)).hex(" ")
    '10 03'
    >>> decode(bytes.fromhex("42 d1ce0001 00000003 000000000000f67c 00000001 03 030406 fcfbf9")).values
    (3, 4, 6)
"""

from __future__ import annotations

from typing import Literal

from construct import Array, Check, ExprAdapter, Int8ub, Int16ub, Int32ub, Mapping, PrefixedArray, Rebuild

from protocols.link.events import EVENT_LAYOUT, NumberedEvent
from protocols.link.identity import SHARED, STATUS_KIND, Identify, Identity, StatusRequest
from protocols.link.messages import Codec
from protocols.values import Value

DEVICE_CLASS = 0x03
MAX_DICE = 8
FACES = 6

CupFault = Literal["reader", "switch", "motion sensor"]
FAULT_BYTES: dict[CupFault, int] = {"reader": 1, "switch": 2, "motion sensor": 3}


class Shaken(NumberedEvent, kw_only=True):
    """The cup, shut, is at rest again after this number of strokes since it was shut."""

    shakes: int


class Opened(NumberedEvent, kw_only=True):
    """The cup was opened; the dice will be read. `shakes` 0: it was not shaken since it was shut."""

    roll_no: int
    shakes: int


class DiceRead(NumberedEvent, kw_only=True):
    """The dice that the opened cup sees; None for one that was not read."""

    roll_no: int
    values: tuple[int | None, ...]


class Shut(NumberedEvent, kw_only=True):
    roll_no: int
    """Of the opening before it; 0 when there was none."""


class Fault(NumberedEvent, kw_only=True):
    fault: CupFault
    is_over: bool


class SetDice(Value, kw_only=True):
    """Controller: this number of dice belongs in the cup."""

    dice: int


class DiceSet(Value, kw_only=True):
    """Cup: the number that is set now."""

    dice: int


class Status(Value, kw_only=True):
    """Cup: its status. Every event that happened before it was sent before it."""

    boot: int
    roll_no: int
    is_open: bool
    shakes: int
    dice: int


Event = Shaken | Opened | DiceRead | Shut | Fault
Answer = Identity | DiceSet | Status
Request = Identify | SetDice | StatusRequest
Message = Event | Answer | Request


def encode(message: Message) -> bytes:
    return CODEC.encode(message)


def decode(data: bytes) -> Message:
    """The message in these bytes; `ProtocolError` says why there is none."""
    return CODEC.decode(data)


def _inverted(values: tuple[int | None, ...]) -> list[int]:
    return [0xFF ^ (value or 0) for value in values]


_YES_NO = Mapping(Int8ub, {False: 0, True: 1})
_DIE_BYTES: dict[int | None, int] = {None: 0, **{face: face for face in range(1, FACES + 1)}}
_ROLL_NO: list[object] = ["roll_no" / Int32ub, "openings count from 1" / Check(lambda this: this.roll_no >= 1)]
_DICE: list[object] = [
    "dice" / Int8ub,
    f"1 to {MAX_DICE} dice belong in a cup" / Check(lambda this: 1 <= this.dice <= MAX_DICE),
]

CODEC: Codec[Message] = Codec(
    {
        **SHARED,
        0x10: (SetDice, _DICE),
        0x40: (
            Shaken,
            [*EVENT_LAYOUT, "shakes" / Int16ub, "a shaking has a stroke" / Check(lambda this: this.shakes >= 1)],
        ),
        0x41: (Opened, [*EVENT_LAYOUT, *_ROLL_NO, "shakes" / Int16ub]),
        0x42: (
            DiceRead,
            [
                *EVENT_LAYOUT,
                *_ROLL_NO,
                "values"
                / ExprAdapter(
                    PrefixedArray(Int8ub, Mapping(Int8ub, _DIE_BYTES)),
                    decoder=lambda dice, _: tuple(dice),
                    encoder=lambda dice, _: list(dice),
                ),
                # In brackets: a parsed message is a dict, which has a method of that name.
                f"a cup sees at most {MAX_DICE} dice" / Check(lambda this: len(this["values"]) <= MAX_DICE),
                "inverted"
                / Rebuild(Array(lambda this: len(this["values"]), Int8ub), lambda this: _inverted(this["values"])),
                "both copies of the dice agree" / Check(lambda this: list(this.inverted) == _inverted(this["values"])),
            ],
        ),
        0x43: (Shut, [*EVENT_LAYOUT, "roll_no" / Int32ub]),
        0x44: (Fault, [*EVENT_LAYOUT, "fault" / Mapping(Int8ub, FAULT_BYTES), "is_over" / _YES_NO]),
        STATUS_KIND: (Status, ["boot" / Int32ub, "roll_no" / Int32ub, "is_open" / _YES_NO, "shakes" / Int16ub, *_DICE]),
        0x90: (DiceSet, _DICE),
    }
)
