"""Seven bits and even parity over a port of eight bits.

Both have ten bits per character on the line, with the parity where the eighth data bit would be, so a port that is set
to 8N1 speaks 7E1 when each byte carries its own parity. A serial-device server need not know.

    >>> add_parity(b"AC").hex(" ")
    '41 c3'
"""

from __future__ import annotations

from protocols.errors import ProtocolError

SPOILT = 0x0E
"""Replaces a byte that arrived with wrong parity. It means nothing anywhere, so whatever it is in is dropped; leaving
the byte out would not do, for a command that has lost its ETX is a good command without a checksum."""

_WITH_PARITY = bytes(byte | (byte.bit_count() % 2) << 7 for byte in range(128))
_WITHOUT_PARITY = bytes(SPOILT if byte.bit_count() % 2 else byte & 0x7F for byte in range(256))


def add_parity(data: bytes) -> bytes:
    """Each byte with its parity as the top bit."""
    if not data.isascii():
        raise ProtocolError("a line of seven bits carries the bytes 00 to 7f only")
    return data.translate(_WITH_PARITY + bytes(128))


def strip_parity(data: bytes) -> bytes:
    """The seven bits of each byte, or `SPOILT`."""
    return data.translate(_WITHOUT_PARITY)
