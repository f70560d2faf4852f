"""A sealed session: each frame carries a number and a tag that only the two ends can make.

The tag is a truncated HMAC-SHA256 over the sender, the frame and its number, with a key that both ends have computed
from this session's challenge and response. Numbers only rise. So a frame that something on the line has altered, made
up, sent again or held back until after a later one is recognised, and the session ends. A frame that is lost is sent
again under a new number.

    >>> device, controller = Seal(bytes(32), "device"), Seal(bytes(32), "controller")
    >>> sealed = device.close(bytes.fromhex("045ea51de00002"))
    >>> sealed.hex(" ")
    '14 5e a5 1d e0 00 02 00 00 00 01 a5 01 3d 89 df 99 32 02'
    >>> controller.open(sealed).hex(" ")
    '04 5e a5 1d e0 00 02'
    >>> controller.open(sealed)
    Traceback (most recent call last):
    ...
    protocols.link.seal.BadSeal: a frame came again, or after a later one
"""

from __future__ import annotations

import hmac
from struct import Struct
from typing import Literal

from protocols.errors import ProtocolError
from protocols.link.frames import HEAD_SIZE, MAX_PAYLOAD, FrameKind
from protocols.link.framing import MAX_BODY

Sender = Literal["controller", "device"]

SEALED = 0x10
"""Added to the kind of a frame that is sealed."""
KINDS = frozenset({FrameKind.DATA, FrameKind.ACK, FrameKind.KEEPALIVE, FrameKind.NAK})
"""Those that are sealed. RESET and HELLO begin a session, and DOWN is sent by a device that has none."""
TAG_SIZE = 8
_NUMBER = Struct(">I")
LAST_NUMBER = 0xFFFFFFFF
TRAILER_SIZE = _NUMBER.size + TAG_SIZE
MAX_SEALED_PAYLOAD = min(MAX_PAYLOAD, MAX_BODY - HEAD_SIZE - TRAILER_SIZE)
_LABELS: dict[Sender, bytes] = {"controller": b"C", "device": b"D"}


class BadSeal(ProtocolError):
    """A frame of a sealed session that the other end has not sent, or not now."""


def is_sealed(body: bytes) -> bool:
    return body[0] - SEALED in KINDS and len(body) >= HEAD_SIZE + TRAILER_SIZE


def stripped(body: bytes) -> bytes:
    """A sealed frame without its seal, unchecked: for those who only look on."""
    return bytes((body[0] - SEALED,)) + body[1:-TRAILER_SIZE]


class Seal:
    """One end's seal, for one session."""

    def __init__(self, key: bytes, sender: Sender) -> None:
        """`key`: of this session. `sender`: this end."""
        self._key = key
        self._ours = _LABELS[sender]
        self._theirs = _LABELS["device" if sender == "controller" else "controller"]
        self._sent = self._received = 0
        """Numbers of the last frame in each direction."""

    @property
    def has_received(self) -> bool:
        """Whether the other end seals as well."""
        return self._received > 0

    @property
    def is_used_up(self) -> bool:
        """Whether the numbers come to their end: then a new session is due."""
        return self._sent >= LAST_NUMBER - 0xFF

    def close(self, body: bytes) -> bytes:
        """The sealed frame."""
        self._sent += 1
        numbered = bytes((body[0] + SEALED,)) + body[1:] + _NUMBER.pack(self._sent)
        return numbered + self._tag(self._ours, numbered)

    def open(self, body: bytes) -> bytes:
        """The frame in a sealed one; `BadSeal` where it is not the other end's next."""
        numbered, tag = body[:-TAG_SIZE], body[-TAG_SIZE:]
        if not hmac.compare_digest(tag, self._tag(self._theirs, numbered)):
            raise BadSeal("a frame was altered, or something else has sent it")
        (number,) = _NUMBER.unpack(numbered[-_NUMBER.size :])
        if number <= self._received:
            raise BadSeal("a frame came again, or after a later one")
        self._received = number
        return stripped(body)

    def _tag(self, label: bytes, numbered: bytes) -> bytes:
        return hmac.digest(self._key, label + numbered, "sha256")[:TAG_SIZE]
