"""The frames of the device link, as they are inside the framing.

Each frame is one class. All have the same seven-byte head: kind, session, sequence number, acknowledgement, with zeros
where a kind has no use for them. At each reset the device names a session that it has not used before, and the
controller a token that the HELLO repeats: a frame out of an earlier conversation is a stray, whatever its numbers say.
"""

from __future__ import annotations

from enum import IntEnum
from functools import lru_cache
from struct import Struct

from protocols.errors import ProtocolError
from protocols.link.framing import MAX_BODY
from protocols.values import Value

_HEAD = Struct(">BIBB")
HEAD_SIZE = _HEAD.size
_HELLO = Struct(">IBBBB")
HELLO_SIZE = _HELLO.size

MAX_PAYLOAD = 240
"""Room for the longest message; head and payload stay within one frame body."""

MIN_MAX_PAYLOAD = 64
"""Every message without a list fits into this, so the smallest microcontroller can join."""

LOWEST_VERSION = 1
HIGHEST_VERSION = 1
REFUSED = 0
"""The version of a HELLO that found none in common."""


class FrameKind(IntEnum):
    RESET = 0x01
    HELLO = 0x02
    DATA = 0x03
    ACK = 0x04
    KEEPALIVE = 0x05
    DOWN = 0x06
    NAK = 0x07


class Reset(Value):
    """Controller to device: forget what was, begin a session. Repeated with the same token until the HELLO comes."""

    token: int
    lowest: int
    highest: int
    """Link versions that the controller speaks."""
    window: int
    """Frames that the controller can hold."""
    max_payload: int


class Hello(Value):
    """Device to controller: the session that answers the RESET with this token."""

    session: int
    token: int
    version: int
    """The highest one in common, or 0: none."""
    window: int
    max_payload: int
    device_class: int


class Data(Value):
    """One message."""

    session: int
    seq: int
    ack: int
    payload: bytes


class Ack(Value):
    """Every DATA frame before `ack` was taken."""

    session: int
    ack: int


class KeepAlive(Value):
    """I am here; nothing to say. Acknowledges as an ACK does."""

    session: int
    ack: int


class Nak(Value):
    """Something went astray: send again from `seq` on. Acknowledges as an ACK does."""

    session: int
    seq: int
    ack: int


class Down(Value):
    """Device to controller: I have no such session, reset me. Session 0: I was just powered up."""

    session: int


Frame = Reset | Hello | Data | Ack | KeepAlive | Nak | Down


def encode(frame: Frame) -> bytes:
    """The body of a frame, ready for `framing.encode_frame`."""
    match frame:
        case Reset(token, lowest, highest, window, max_payload):
            return _HEAD.pack(FrameKind.RESET, token, 0, 0) + bytes((lowest, highest, window, max_payload))
        case Hello(session, token, version, window, max_payload, device_class):
            return _HEAD.pack(FrameKind.HELLO, session, 0, 0) + _HELLO.pack(
                token, version, window, max_payload, device_class
            )
        case Data(session, seq, ack, payload):
            return _HEAD.pack(FrameKind.DATA, session, seq, ack) + payload
        case Ack(session, ack):
            return _HEAD.pack(FrameKind.ACK, session, 0, ack)
        case KeepAlive(session, ack):
            return _HEAD.pack(FrameKind.KEEPALIVE, session, 0, ack)
        case Nak(session, seq, ack):
            return _HEAD.pack(FrameKind.NAK, session, seq, ack)
        case Down(session):
            return _HEAD.pack(FrameKind.DOWN, session, 0, 0)


def decode(body: bytes) -> Frame:
    """The frame in a body; `ProtocolError` says why it is none."""
    # An idle line carries the same keep-alive twice a second, in each direction.
    return _decode_known(body) if len(body) == HEAD_SIZE else _decode(body)


def _decode(body: bytes) -> Frame:
    if not _HEAD.size <= len(body) <= MAX_BODY:
        raise ProtocolError(f"a frame has {_HEAD.size} to {MAX_BODY} bytes, this one has {len(body)}")
    kind, session, seq, ack = _HEAD.unpack_from(body)
    payload = body[_HEAD.size :]
    match kind:
        case FrameKind.DATA:
            if not 1 <= len(payload) <= MAX_PAYLOAD:
                raise ProtocolError(f"DATA carries 1 to {MAX_PAYLOAD} bytes, this one has {len(payload)}")
            return Data(session, seq, ack, payload)
        case FrameKind.ACK:
            _expect_length("ACK", payload, 0)
            return Ack(session, ack)
        case FrameKind.KEEPALIVE:
            _expect_length("KEEPALIVE", payload, 0)
            return KeepAlive(session, ack)
        case FrameKind.NAK:
            _expect_length("NAK", payload, 0)
            return Nak(session, seq, ack)
        case FrameKind.RESET:
            _expect_length("RESET", payload, 4)
            lowest, highest, window, max_payload = payload
            if not 1 <= lowest <= highest:
                raise ProtocolError(f"RESET names versions from low to high, this one {lowest} to {highest}")
            _expect_room(window, max_payload)
            return Reset(session, lowest, highest, window, max_payload)
        case FrameKind.HELLO:
            _expect_length("HELLO", payload, HELLO_SIZE)
            token, version, window, max_payload, device_class = _HELLO.unpack(payload)
            _expect_room(window, max_payload)
            if session == 0:
                raise ProtocolError("session 0 is no session")
            return Hello(session, token, version, window, max_payload, device_class)
        case FrameKind.DOWN:
            _expect_length("DOWN", payload, 0)
            return Down(session)
    raise ProtocolError(f"frame kind 0x{kind:02x} is not one of the link's")


_decode_known = lru_cache(128)(_decode)
"""Of frames without a payload: nothing that is secret is kept."""


def _expect_length(name: str, payload: bytes, length: int) -> None:
    if len(payload) != length:
        raise ProtocolError(f"{name} carries {length} bytes, this one has {len(payload)}")


def _expect_room(window: int, max_payload: int) -> None:
    if window == 0 or not MIN_MAX_PAYLOAD <= max_payload <= MAX_PAYLOAD:
        raise ProtocolError(
            f"an end offers a window of 1 or more and a payload of {MIN_MAX_PAYLOAD} to {MAX_PAYLOAD} bytes, "
            f"this one a window of {window} and {max_payload} bytes"
        )
