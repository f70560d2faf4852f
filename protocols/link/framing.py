"""Frames on a serial line: COBS between zero bytes, with a CRC-16.

Consistent Overhead Byte Stuffing (Cheshire and Baker, 1999) rewrites a frame so that it has no zero byte, at a cost of
one byte per 254. A zero then means one thing only, the edge of a frame, so a receiver that woke up in mid-frame, or was
fed garbage, is in step again at the next zero. A frame is sent with a zero on each side: the first one ends whatever
noise the idle line has gathered, so noise costs itself and not the frame behind it.

    >>> frame = encode_frame(b"shoe")
    >>> frame.hex(" ")
    '00 07 73 68 6f 65 b7 4b 00'
    >>> Deframer().feed(b"line noise" + frame)
    [b'shoe']
"""

from __future__ import annotations

from binascii import crc_hqx
from functools import lru_cache

from msgspec import Struct

from protocols.errors import ProtocolError

DELIMITER = 0x00

MAX_BODY = 252
"""With its CRC a body fills one COBS block (254 bytes), so stuffing always costs exactly one byte."""

MAX_STUFFED = MAX_BODY + 2 + 1

SHORT = 16
"""Bytes on the wire of a frame that carries nothing (12), and some more."""

CRC_CHECK = 0xD64E
"""CRC-16/GENIBUS of the nine bytes "123456789": the catalogue's check value."""
CRC_RESIDUE = 0xE2F0
"""CRC-16/GENIBUS of any body followed by its own CRC."""


def crc16(data: bytes) -> int:
    """CRC-16/GENIBUS: polynomial 0x1021, init 0xFFFF, not reflected, xorout 0xFFFF.

    The final inversion is not decoration: without it a good frame with zeros behind it is good as well, and one flipped
    bit in a delimiter (00 to 01) puts a zero there.
    """
    return crc_hqx(data, 0xFFFF) ^ 0xFFFF


def encode_frame(body: bytes) -> bytes:
    """The bytes on the wire for one frame body."""
    if not 0 < len(body) <= MAX_BODY:
        raise ProtocolError(f"a frame body has 1 to {MAX_BODY} bytes, this one has {len(body)}")
    return b"\0" + cobs_encode(body + crc16(body).to_bytes(2, "big")) + b"\0"


class FramingStatistics(Struct):
    """What a deframer met, since it was made."""

    frames: int = 0
    crc_errors: int = 0
    overruns: int = 0
    """Runs of bytes without a delimiter, longer than any frame."""
    noise_bytes: int = 0
    """Bytes that belonged to no good frame, those of the two counts above included."""


class Deframer:
    """Finds frames in a stream of bytes. Holds at most `MAX_STUFFED` bytes, whatever it is fed."""

    def __init__(self, statistics: FramingStatistics | None = None) -> None:
        self.statistics = statistics or FramingStatistics()
        self._partial = bytearray()
        self._overrun = False
        self.met_bad_frame = False
        """Whether the last bytes fed ended a frame that was none: something was lost."""

    @property
    def held(self) -> int:
        """Bytes of the unfinished frame."""
        return len(self._partial)

    def feed(self, data: bytes) -> list[bytes]:
        """The bodies of the good frames that these bytes complete."""
        self.met_bad_frame = False
        if len(data) <= SHORT and not self._partial and not self._overrun:
            body = _only_frame(data)
            if body is not None:
                self.statistics.frames += 1
                return [body]
        *ended, rest = data.split(b"\0")
        bodies = []
        for piece in ended:
            self._hold(piece)
            body = self._close()
            if body is not None:
                bodies.append(body)
        self._hold(rest)
        return bodies

    def _hold(self, piece: bytes) -> None:
        if self._overrun or len(self._partial) + len(piece) > MAX_STUFFED:
            self.statistics.noise_bytes += len(self._partial) + len(piece)
            self._partial.clear()
            self._overrun = True
        else:
            self._partial += piece

    def _close(self) -> bytes | None:
        if self._overrun:
            self._overrun = False
            self.met_bad_frame = True
            self.statistics.overruns += 1
            return None
        if not self._partial:
            return None
        stuffed = bytes(self._partial)
        self._partial.clear()
        body = _body_of(stuffed)
        if body is not None:
            self.statistics.frames += 1
            return body
        self.met_bad_frame = True
        self.statistics.crc_errors += 1
        self.statistics.noise_bytes += len(stuffed)
        return None


def _body_of(stuffed: bytes) -> bytes | None:
    """The body of a good frame."""
    try:
        body = cobs_decode(stuffed)
    except ProtocolError:
        return None
    return body[:-2] if len(body) > 2 and crc16(body) == CRC_RESIDUE else None


@lru_cache(128)
def _only_frame(data: bytes) -> bytes | None:
    """The body, where these bytes are one good frame between its two delimiters and nothing else: what an idle line
    carries, the same keep-alives again and again."""
    is_one = len(data) > 2 and data[0] == data[-1] == DELIMITER and data.count(DELIMITER) == 2
    return _body_of(data[1:-1]) if is_one else None


def cobs_encode(data: bytes) -> bytes:
    """The same data without a zero byte: each run up to a zero, led by its length plus one. At most 254 bytes.

    >>> cobs_encode(bytes.fromhex("11 00 00 22")).hex(" ")
    '02 11 01 02 22'
    """
    return b"".join(bytes((len(run) + 1,)) + run for run in data.split(b"\0"))


def cobs_decode(stuffed: bytes) -> bytes:
    """The data again; `ProtocolError` when a run ends before its length says or holds a zero."""
    runs = []
    at = 0
    while at < len(stuffed):
        length = stuffed[at]
        run = stuffed[at + 1 : at + length]
        if length == 0 or len(run) != length - 1 or 0 in run:
            raise ProtocolError("not COBS: a run ends before its length says, or holds a zero")
        runs.append(run)
        at += length
    return b"\0".join(runs)
