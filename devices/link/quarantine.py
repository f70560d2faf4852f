"""Messages of a device that the controller can never accept: they are kept, reported and passed.

An event that cannot be decoded (two copies of a card that differ) would come again in every session, and nothing behind
it could be taken. So it is asked for once more, because noise may have passed the CRC; if it comes again as it was, it
is reported with its bytes and acknowledged. A kind that this program does not know comes from a newer device: it is
reported with its bytes at once, and the session goes on.

The bytes may name a card that nobody may know: they go into the journal and nowhere else.
"""

from __future__ import annotations

from struct import Struct

from protocols.link.events import NumberedEvent
from protocols.values import Value

EVENTS = range(0x40, 0x80)
_HEAD = Struct(">BIIQ")


class QuarantinedEvent(NumberedEvent, kw_only=True):
    """An event that cannot be read, by its boot and number."""

    HIDDEN = frozenset({"data"})
    data: bytes
    """The message, its kind included."""
    is_known: bool
    """Its kind is known, what follows is not as it should be."""
    draw_no: int | None = None
    """It reports that this card left, whichever it is."""


class QuarantinedMessage(Value, kw_only=True):
    """A message that cannot be read and has no number by which it could be recognised again."""

    HIDDEN = frozenset({"data"})
    data: bytes
    is_known: bool


def words_of(data: bytes) -> str:
    """What everybody may know of such a message."""
    return f"kind 0x{data[0]:02x}, {len(data)} bytes"


def quarantined(data: bytes, *, is_known: bool, draw_no: int | None) -> QuarantinedEvent | QuarantinedMessage:
    """The report of a message that cannot be read."""
    if data[0] in EVENTS and len(data) >= _HEAD.size:
        _, boot, event_no, uptime_ms = _HEAD.unpack_from(data)
        if boot and event_no:
            return QuarantinedEvent(
                boot=boot, event_no=event_no, uptime_ms=uptime_ms, data=data, is_known=is_known, draw_no=draw_no
            )
    return QuarantinedMessage(data=data, is_known=is_known)
