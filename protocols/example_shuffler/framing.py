"""Frames of the example vendor's line: STX, a tag, text, ETX, two hexadecimal digits.

The check is the XOR of everything from the tag to ETX. STX is in no frame but at its beginning, so a receiver that
lost its place finds the next frame.

    >>> frame = encode_frame(Frame("1", "Q"))
    >>> frame.hex(" ")
    '02 31 51 03 36 33'
    >>> FrameReader().feed(b"noise" + frame)
    [Frame(tag='1', text='Q')]
"""

from __future__ import annotations

from functools import reduce
from operator import xor

from protocols.errors import ProtocolError
from protocols.link.framing import FramingStatistics
from protocols.values import Value

STX, ETX = 0x02, 0x03
TAGS = "0123456789"
MAX_TEXT = 200
MAX_FRAME = MAX_TEXT + 5
"""STX, tag, text, ETX, check."""


class Frame(Value):
    """One frame. The text may name cards."""

    tag: str
    """Of the request; the answer has the same."""
    text: str


def encode_frame(frame: Frame) -> bytes:
    """`ProtocolError` where the text cannot be sent."""
    if len(frame.tag) != 1 or frame.tag not in TAGS:
        raise ProtocolError("the tag of a frame is one digit")
    if not _is_text(frame.text):
        raise ProtocolError(f"the text of a frame has 1 to {MAX_TEXT} printable ASCII characters")
    body = f"{frame.tag}{frame.text}".encode("ascii") + bytes((ETX,))
    return bytes((STX,)) + body + _check(body)


class FrameReader:
    """Finds frames in a stream of bytes. Holds at most `MAX_FRAME` bytes, whatever it is fed."""

    def __init__(self, statistics: FramingStatistics | None = None) -> None:
        self.statistics = statistics or FramingStatistics()
        self._partial = bytearray()

    @property
    def held(self) -> int:
        return len(self._partial)

    def feed(self, data: bytes) -> list[Frame]:
        """The frames that these bytes complete."""
        found = []
        for byte in data:
            if byte == STX:
                self._drop()
                self._partial.append(byte)
            elif not self._partial:
                self.statistics.noise_bytes += 1
            else:
                self._partial.append(byte)
                frame = self._complete()
                if frame is not None:
                    found.append(frame)
        return found

    def _complete(self) -> Frame | None:
        """The frame, if these bytes are one; what can be none is dropped."""
        partial = self._partial
        if len(partial) >= 4 and partial[-3] == ETX:
            body, check = bytes(partial[1:-2]), bytes(partial[-2:])
            frame = _frame(body) if check == _check(body) else None
            if frame is None:
                self.statistics.crc_errors += 1
                self._drop()
                return None
            partial.clear()
            self.statistics.frames += 1
            return frame
        if len(partial) >= MAX_FRAME:
            self.statistics.overruns += 1
            self._drop()
        return None

    def _drop(self) -> None:
        self.statistics.noise_bytes += len(self._partial)
        self._partial.clear()


def _frame(body: bytes) -> Frame | None:
    """None where the check is right and the text is not: nobody of ours sends that."""
    tag, text = body[:1].decode("latin-1"), body[1:-1].decode("latin-1")
    return Frame(tag, text) if tag in TAGS and _is_text(text) else None


def _is_text(text: str) -> bool:
    return 0 < len(text) <= MAX_TEXT and text.isascii() and text.isprintable()


def _check(body: bytes) -> bytes:
    return f"{reduce(xor, body):02X}".encode("ascii")
