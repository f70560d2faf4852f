"""The messages of the card-reading shoe.

The shoe counts the cards that leave it (`draw_no`, from 1 per boot, overdraws included) and holds a permit, the number
up to which it lets them go: at `draw_no == up_to` it is locked. A permit is absolute, so that sending it twice does no
harm, and names the boot it was computed for, so that a permit from before a power cut cannot open a shoe that counts
from zero again.

    >>> encode(Permit(boot=0xC0FFEE01, up_to=4)).hex(" ")
    '10 c0 ff ee 01 00 00 00 04'
    >>> decode(bytes.fromhex("10 c0 ff ee 01 00 00 00 04"))
    Permit(boot=3237998081, up_to=4)
"""

from __future__ import annotations

from typing import Literal

from construct import Check, Int8ub, Int16ub, Int32ub, Mapping, Rebuild

from protocols.cards import CARD_BYTES
from protocols.link.events import EVENT_LAYOUT, NumberedEvent
from protocols.link.identity import SHARED, STATUS_KIND, Identify, Identity, StatusRequest
from protocols.link.messages import Codec
from protocols.values import Value

DEVICE_CLASS = 0x01

Why = Literal["not seen", "ambiguous", "face up", "too fast", "reader fault"]
"""Why a card was not read."""

WHY_BYTES: dict[Why | None, int] = {
    None: 0,
    "not seen": 1,
    "ambiguous": 2,
    "face up": 3,
    "too fast": 4,
    "reader fault": 5,
}

CARD_KINDS = (0x40, 0x41)
CARD_LENGTH = 24
"""Bytes of a message about a card, its kind included."""
MAX_DECKS = 16
MAX_CARDS = 1000
CARDS_UNKNOWN = 0xFFFF
LAST_DRAW_NO = 0xFFFFFFFF
"""The highest that its four bytes hold."""


class CardDrawn(NumberedEvent, kw_only=True):
    """A card left the shoe, permitted. `why` is set exactly when `card` is None.

    Which card it is stays out of the `repr`, and so out of every log: it may be one that nobody may know yet.
    """

    HIDDEN = frozenset({"card"})
    draw_no: int
    card: str | None
    why: Why | None = None


class Overdraw(NumberedEvent, kw_only=True):
    """A card left the shoe although it was locked."""

    HIDDEN = frozenset({"card"})
    draw_no: int
    card: str | None
    why: Why | None = None


class CardReturned(NumberedEvent, kw_only=True):
    """A card was pushed back. `draw_no` is the counter, which never goes down."""

    draw_no: int


class CutCardOut(NumberedEvent, kw_only=True):
    """The cut card left the shoe after draw `draw_no`; it is not counted."""

    draw_no: int


class ShoeLoaded(NumberedEvent, kw_only=True):
    decks: int
    cards: int


class ShoeEmpty(NumberedEvent, kw_only=True):
    """The last card left with draw `draw_no`."""

    draw_no: int


class Lid(NumberedEvent, kw_only=True):
    is_open: bool


class Permit(Value, kw_only=True):
    """Controller: release cards until the draw counter of this boot is `up_to`."""

    boot: int
    up_to: int


class PermitState(Value, kw_only=True):
    """Shoe: its permit now. With another boot than in the request: the permit was not for this one."""

    boot: int
    draw_no: int
    up_to: int


class Status(Value, kw_only=True):
    """Shoe: its status. Every event that happened before it was sent before it."""

    boot: int
    draw_no: int
    up_to: int
    lid_open: bool
    cards_left: int | None


Event = CardDrawn | Overdraw | CardReturned | CutCardOut | ShoeLoaded | ShoeEmpty | Lid
Answer = Identity | PermitState | Status
Request = Identify | Permit | StatusRequest
Message = Event | Answer | Request


def encode(message: Message) -> bytes:
    return CODEC.encode(message)


def decode(data: bytes) -> Message:
    """The message in these bytes; `ProtocolError` says why there is none."""
    return CODEC.decode(data)


_CARDS_LEFT: dict[int | None, int] = {None: CARDS_UNKNOWN, **{n: n for n in range(MAX_CARDS + 1)}}
_YES_NO = Mapping(Int8ub, {False: 0, True: 1})

_DRAW_NO: list[object] = ["draw_no" / Int32ub]
_CARD: list[object] = [
    "draw_no" / Int32ub,
    "draws count from 1" / Check(lambda this: this.draw_no >= 1),
    "card" / Mapping(Int8ub, CARD_BYTES),
    # The card is sent twice, the second time inverted: no noise that slips through the CRC turns a nine into an eight.
    "inverted" / Rebuild(Int8ub, lambda this: 0xFF ^ CARD_BYTES[this.card]),
    "both copies of the card agree" / Check(lambda this: this.inverted == 0xFF ^ CARD_BYTES[this.card]),
    "why" / Mapping(Int8ub, WHY_BYTES),
    "only an unread card has a reason" / Check(lambda this: (this.card is None) == (this.why is not None)),
]

CODEC: Codec[Message] = Codec(
    {
        **SHARED,
        0x10: (Permit, ["boot" / Int32ub, "up_to" / Int32ub]),
        0x40: (CardDrawn, EVENT_LAYOUT + _CARD),
        0x41: (Overdraw, EVENT_LAYOUT + _CARD),
        0x42: (CardReturned, EVENT_LAYOUT + _DRAW_NO),
        0x43: (CutCardOut, EVENT_LAYOUT + _DRAW_NO),
        0x44: (
            ShoeLoaded,
            [
                *EVENT_LAYOUT,
                "decks" / Int8ub,
                "cards" / Int16ub,
                "decks and cards are in range"
                / Check(lambda this: 1 <= this.decks <= MAX_DECKS and 1 <= this.cards <= MAX_CARDS),
            ],
        ),
        0x45: (ShoeEmpty, EVENT_LAYOUT + _DRAW_NO),
        0x46: (Lid, [*EVENT_LAYOUT, "is_open" / _YES_NO]),
        STATUS_KIND: (
            Status,
            [
                "boot" / Int32ub,
                "draw_no" / Int32ub,
                "up_to" / Int32ub,
                "lid_open" / _YES_NO,
                "cards_left" / Mapping(Int16ub, _CARDS_LEFT),
            ],
        ),
        0x90: (PermitState, ["boot" / Int32ub, "draw_no" / Int32ub, "up_to" / Int32ub]),
    }
)
