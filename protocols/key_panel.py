"""The messages of the dealer's key panel.

Keys are numbers; what they mean is config. `Show` is always everything that the panel shows, so that sending it twice
does no harm. The digits of a PIN stay out of every `repr` and every error.

    >>> encode(AskPin(request=0x51A7E001, shortest=4, longest=8, seconds=30)).hex(" ")
    '11 51 a7 e0 01 04 08 1e'
    >>> entered = PinEntered(boot=1, event_no=2, uptime_ms=3, request=4, digits="0000")
    >>> entered
    PinEntered(boot=1, event_no=2, uptime_ms=3, request=4)
"""

from __future__ import annotations

from enum import IntEnum
from typing import Literal

from construct import (
    Array,
    BitsInteger,
    Bitwise,
    Check,
    ExprAdapter,
    Int8ub,
    Int32ub,
    Mapping,
    PascalString,
    PrefixedArray,
    Rebuild,
)

from protocols.link.events import EVENT_LAYOUT, NumberedEvent
from protocols.link.identity import SHARED, STATUS_KIND, Identify, Identity, StatusRequest
from protocols.link.messages import Codec
from protocols.values import Value

DEVICE_CLASS = 0x04
MAX_KEYS = 32
MAX_LINES = 2
MAX_COLUMNS = 20
SHORTEST_PIN = 4
LONGEST_PIN = 12
SECONDS_FOR_PIN = range(5, 121)

"""Kind, event, request, length."""

WhyNoPin = Literal["cancelled", "too late", "ended", "session over"]
WHY_BYTES: dict[WhyNoPin, int] = {"cancelled": 1, "too late": 2, "ended": 3, "session over": 4}


class KeyLamp(IntEnum):
    OFF = 0
    ON = 1
    SLOW = 2
    FAST = 3


DARK: tuple[int, ...] = (KeyLamp.OFF,) * MAX_KEYS


class KeyPressed(NumberedEvent, kw_only=True):
    key: int


class PinEntered(NumberedEvent, kw_only=True):
    """The digits that were asked for with `request`."""

    HIDDEN = frozenset({"digits"})
    request: int
    digits: str


class PinGivenUp(NumberedEvent, kw_only=True):
    request: int
    why: WhyNoPin


class KeyStuck(NumberedEvent, kw_only=True):
    key: int
    is_over: bool


class Show(Value, kw_only=True):
    """Controller: show this, and nothing else."""

    show_no: int
    lamps: tuple[int, ...]
    """A `KeyLamp` for each of 32 keys, key 1 first."""
    lines: tuple[str, ...]


class Shown(Value, kw_only=True):
    """Panel: what it shows now."""

    show_no: int


class AskPin(Value, kw_only=True):
    """Controller: let somebody enter a PIN."""

    request: int
    shortest: int
    longest: int
    seconds: int


class PinAsked(Value, kw_only=True):
    request: int
    is_taken: bool


class EndPin(Value, kw_only=True):
    """Controller: forget what was entered."""

    request: int


class PinEnded(Value, kw_only=True):
    request: int


class Status(Value, kw_only=True):
    """Panel: its status. Every event that happened before it was sent before it."""

    boot: int
    keys: int
    lines: int
    columns: int


Event = KeyPressed | PinEntered | PinGivenUp | KeyStuck
Answer = Identity | Shown | PinAsked | PinEnded | Status
Request = Identify | Show | AskPin | EndPin | StatusRequest
Message = Event | Answer | Request


def encode(message: Message) -> bytes:
    return CODEC.encode(message)


def decode(data: bytes) -> Message:
    """The message in these bytes; `ProtocolError` says why there is none."""
    return CODEC.decode(data)


def _is_line(text: str) -> bool:
    return len(text) <= MAX_COLUMNS and text.isascii() and (not text or text.isprintable())


def _is_pin(digits: str) -> bool:
    return SHORTEST_PIN <= len(digits) <= LONGEST_PIN and digits.isascii() and digits.isdigit()


_YES_NO = Mapping(Int8ub, {False: 0, True: 1})
_KEY: list[object] = ["key" / Int8ub, f"keys are 1 to {MAX_KEYS}" / Check(lambda this: 1 <= this.key <= MAX_KEYS)]
_REQUEST: list[object] = ["request" / Int32ub, "request 0 is none" / Check(lambda this: this.request != 0)]
# Latin-1 takes every byte, so that no error of the codec ever quotes the bytes of a PIN.
_DIGITS = PascalString(Int8ub, "latin-1")

CODEC: Codec[Message] = Codec(
    {
        **SHARED,
        0x10: (
            Show,
            [
                "show_no" / Int32ub,
                "lamps"
                / ExprAdapter(
                    Bitwise(Array(MAX_KEYS, BitsInteger(2))),
                    decoder=lambda lamps, _: tuple(lamps),
                    encoder=lambda lamps, _: list(lamps),
                ),
                "lines"
                / ExprAdapter(
                    PrefixedArray(Int8ub, PascalString(Int8ub, "ascii")),
                    decoder=lambda lines, _: tuple(lines),
                    encoder=lambda lines, _: list(lines),
                ),
                f"a panel has {MAX_LINES} lines of {MAX_COLUMNS} printable characters"
                / Check(lambda this: len(this.lines) <= MAX_LINES and all(map(_is_line, this.lines))),
            ],
        ),
        0x11: (
            AskPin,
            [
                *_REQUEST,
                "shortest" / Int8ub,
                "longest" / Int8ub,
                "seconds" / Int8ub,
                f"a PIN has {SHORTEST_PIN} to {LONGEST_PIN} digits"
                / Check(lambda this: SHORTEST_PIN <= this.shortest <= this.longest <= LONGEST_PIN),
                f"a PIN is waited for {SECONDS_FOR_PIN[0]} to {SECONDS_FOR_PIN[-1]} s"
                / Check(lambda this: this.seconds in SECONDS_FOR_PIN),
            ],
        ),
        0x12: (EndPin, _REQUEST),
        0x40: (
            KeyPressed,
            [
                *EVENT_LAYOUT,
                *_KEY,
                "inverted" / Rebuild(Int8ub, lambda this: 0xFF ^ this.key),
                "both copies of the key agree" / Check(lambda this: this.inverted == 0xFF ^ this.key),
            ],
        ),
        0x41: (
            PinEntered,
            [
                *EVENT_LAYOUT,
                *_REQUEST,
                "digits" / _DIGITS,
                f"a PIN has {SHORTEST_PIN} to {LONGEST_PIN} digits" / Check(lambda this: _is_pin(this.digits)),
            ],
        ),
        0x42: (PinGivenUp, [*EVENT_LAYOUT, *_REQUEST, "why" / Mapping(Int8ub, WHY_BYTES)]),
        0x43: (KeyStuck, [*EVENT_LAYOUT, *_KEY, "is_over" / _YES_NO]),
        STATUS_KIND: (
            Status,
            [
                "boot" / Int32ub,
                "keys" / Int8ub,
                "lines" / Int8ub,
                "columns" / Int8ub,
                f"a panel has 1 to {MAX_KEYS} keys" / Check(lambda this: 1 <= this["keys"] <= MAX_KEYS),
                f"a panel has at most {MAX_LINES} lines of {MAX_COLUMNS} columns"
                / Check(lambda this: this.lines <= MAX_LINES and this.columns <= MAX_COLUMNS),
            ],
        ),
        0x90: (Shown, ["show_no" / Int32ub]),
        0x91: (PinAsked, [*_REQUEST, "is_taken" / _YES_NO]),
        0x92: (PinEnded, _REQUEST),
    }
)
