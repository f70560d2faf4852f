"""Bytes that a decoder must not take, each with the reason and the section that says so."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from protocols.errors import ProtocolError
from protocols.link import frames
from protocols.link.frames import Data, Hello
from protocols.link.framing import MAX_BODY, cobs_encode, crc16, encode_frame
from protocols.link.messages import Codec

HELLO = frames.encode(Hello(0x5EA51DE0, 0x0BADCAFE, 1, 4, 240, 1))
DATA = frames.encode(Data(0x5EA51DE0, 0, 0, b"\x01"))
Rejected = dict[str, Any]


def framings() -> Iterator[Rejected]:
    """Wires without a good frame."""
    good = crc16(HELLO)
    yield _wire(_framed(HELLO, (good ^ 0xFFFF).to_bytes(2, "big")), "the CRC without its final XOR", "2")
    yield _wire(_framed(HELLO, good.to_bytes(2, "little")), "the CRC with its least significant byte first", "2")
    yield _wire(_framed(HELLO, b""), "no CRC", "2")
    flipped = bytearray(encode_frame(HELLO))
    flipped[5] ^= 0x10
    yield _wire(bytes(flipped), "one bit is wrong", "2")
    yield _wire(encode_frame(HELLO)[:-3] + b"\0", "the end is missing", "2")
    yield _wire(b"\0\x05\x01\x02\0", "a run ends before its length says", "2")
    yield _wire(b"\0" + b"\xa5" * 300 + b"\0", "more than 255 bytes without a zero", "2")
    yield _wire(b"\0\0\0", "empty frames: ignored, and not counted", "2")


def bodies() -> Iterator[Rejected]:
    """Good frames that must be counted and ignored."""
    head = HELLO[:7]
    yield _wire(encode_frame(HELLO[:6]), "shorter than the seven bytes of the head", "3")
    yield _wire(encode_frame(b"\x08" + head[1:]), "an unknown kind", "3")
    yield _wire(encode_frame(HELLO[:1] + bytes(4) + HELLO[5:]), "HELLO with session 0", "4, rule 2")
    yield _wire(encode_frame(HELLO[:-1]), "HELLO one byte too short", "3")
    yield _wire(encode_frame(HELLO + b"\0"), "HELLO one byte too long", "3")
    for window, longest, reason in ((0, 240, "a window of 0"), (4, 63, "messages of at most 63 bytes")):
        yield _wire(encode_frame(HELLO[:12] + bytes((window, longest, 1))), f"HELLO with {reason}", "3")
    yield _wire(encode_frame(HELLO[:12] + bytes((4, 241, 1))), "HELLO with messages of up to 241 bytes", "3")
    yield _wire(encode_frame(DATA[:7]), "DATA without a message", "3")
    yield _wire(encode_frame(DATA[:7] + bytes(MAX_BODY - 7)), "DATA with a message of more than 240 bytes", "3")
    for kind, name in ((4, "ACK"), (5, "KEEPALIVE"), (6, "DOWN"), (7, "NAK")):
        yield _wire(encode_frame(bytes((kind,)) + head[1:] + b"\0"), f"{name} with a payload", "3")
    reset = bytes((1,)) + HELLO[1:7]
    yield _wire(encode_frame(reset + bytes((0, 1, 4, 240))), "RESET with version 0", "3")
    yield _wire(encode_frame(reset + bytes((2, 1, 4, 240))), "RESET with versions from 2 to 1", "3")


def messages(codec: Codec[Any], golden: list[bytes]) -> Iterator[Rejected]:
    """Every golden message one byte shorter and one byte longer, and each of its bytes with a value that cannot be."""
    known = set(golden)
    for payload in golden:
        for wrong in (payload[:-1], payload + b"\0"):
            yield from _refused(codec, wrong, known)
        for at in range(1, len(payload)):
            wrong = payload[:at] + bytes((payload[at] ^ 0xFF,)) + payload[at + 1 :]
            yield from _refused(codec, wrong, known)


def _refused(codec: Codec[Any], payload: bytes, known: set[bytes]) -> Iterator[Rejected]:
    """With the reason, if it cannot be decoded; each once."""
    if not payload or payload in known:
        return
    try:
        codec.decode(payload)
    except ProtocolError as error:
        known.add(payload)
        yield {"bytes": payload.hex(" "), "reason": str(error)}


def _wire(wire: bytes, reason: str, section: str) -> Rejected:
    return {"wire": wire.hex(" "), "reason": reason, "section": section}


def _framed(body: bytes, crc: bytes) -> bytes:
    return b"\0" + cobs_encode(body + crc) + b"\0"
