"""The messages by which a device is given new firmware.

The image (`protocols.firmware.image`) goes over in chunks, each acknowledged when it is in the device's flash, so that
a transfer goes on where it stopped, after an unplugged cable as after a power cut. Then the device verifies it, starts
it on trial, and keeps it when the controller has confirmed that it came up well; otherwise the old image runs again.
Every command names the update it is about, and every one is absolute: sent twice it does no harm.

    >>> from protocols.firmware.companion import encode
    >>> encode(UpdateChunk(update=bytes.fromhex("a1a2a3a4a5a6a7a8"), offset=512, data=b"abc")).hex(" ")
    '07 a1 a2 a3 a4 a5 a6 a7 a8 00 00 02 00 61 62 63'
"""

from __future__ import annotations

from typing import Literal

from construct import Bytes, Check, GreedyBytes, Int8ub, Int16ub, Int32ub, Mapping, PascalString

from protocols.firmware.image import ID_SIZE, MAX_FILE
from protocols.link.identity import MAX_NAME
from protocols.values import Value

NO_UPDATE = bytes(ID_SIZE)

CHUNK_HEAD = 1 + ID_SIZE + 4
"""Kind, update and offset of an `UpdateChunk`."""
MAX_CHUNK = 227
"""With kind, update and offset it fills the longest message of the link."""
MIN_CHUNK = 51
"""The same for a device that takes the shortest."""

Phase = Literal["idle", "receiving", "verified", "trial", "reverted"]

PHASE_BYTES: dict[Phase, int] = {"idle": 0, "receiving": 1, "verified": 2, "trial": 3, "reverted": 4}

Refusal = Literal[
    "not proved",
    "other update",
    "gap",
    "no room",
    "no image",
    "other device",
    "other hardware",
    "unknown signer",
    "bad signature",
    "rolled back",
    "bad digest",
    "not verified",
    "in trial",
    "busy",
]

REFUSAL_BYTES: dict[Refusal | None, int] = {
    None: 0,
    "not proved": 1,
    "other update": 2,
    "gap": 3,
    "no room": 4,
    "no image": 5,
    "other device": 6,
    "other hardware": 7,
    "unknown signer": 8,
    "bad signature": 9,
    "rolled back": 10,
    "bad digest": 11,
    "not verified": 12,
    "in trial": 13,
    "busy": 14,
}


class FirmwareRequest(Value, kw_only=True):
    """Controller: asks which image runs, and for the state of the update."""


class FirmwareState(Value, kw_only=True):
    """Device: so."""

    bootloader: str
    hardware: int
    """Revision of the board."""
    security: int
    """No image with a lower security number is taken any more."""
    image: bytes
    """The running image's id."""
    phase: Phase
    update: bytes
    """The update that `phase`, `size` and `have` are about; zeros in the phase idle."""
    size: int
    have: int
    """The number of its bytes that are in the flash."""
    chunk: int
    """The most bytes that one `UpdateChunk` may carry."""


class UpdateBegin(Value, kw_only=True):
    """Controller: an image of `size` bytes comes, head and all."""

    update: bytes
    size: int


class UpdateBegun(Value, kw_only=True):
    """Device: send from `have` on. More than 0: it was begun before."""

    update: bytes
    have: int
    refused: Refusal | None = None


class UpdateChunk(Value, kw_only=True):
    """Controller: the bytes from `offset` on."""

    HIDDEN = frozenset({"data"})
    update: bytes
    offset: int
    data: bytes


class UpdateHave(Value, kw_only=True):
    """Device: so far it is in the flash."""

    update: bytes
    have: int
    refused: Refusal | None = None


class UpdateVerify(Value, kw_only=True):
    """Controller: that was all; look whether it is whole and signed."""

    update: bytes


class UpdateVerified(Value, kw_only=True):
    update: bytes
    refused: Refusal | None = None


class UpdateActivate(Value, kw_only=True):
    """Controller: restart with it, on trial."""

    update: bytes


class UpdateActivating(Value, kw_only=True):
    """Device: I restart as soon as you have acknowledged this."""

    update: bytes
    refused: Refusal | None = None


class UpdateConfirm(Value, kw_only=True):
    """Controller: it came up well, keep it."""

    update: bytes


class UpdateConfirmed(Value, kw_only=True):
    update: bytes
    refused: Refusal | None = None


Command = UpdateBegin | UpdateChunk | UpdateVerify | UpdateActivate | UpdateConfirm
Outcome = UpdateBegun | UpdateHave | UpdateVerified | UpdateActivating | UpdateConfirmed


def _is_name(text: str) -> bool:
    return 0 < len(text) <= MAX_NAME and text.isascii() and text.isprintable()


_UPDATE: list[object] = [
    "update" / Bytes(ID_SIZE),
    "an update has an id" / Check(lambda this: this["update"] != NO_UPDATE),
]
_REFUSED: list[object] = ["refused" / Mapping(Int8ub, REFUSAL_BYTES)]

LAYOUTS: dict[int, tuple[type[FirmwareRequest | FirmwareState | Command | Outcome], list[object]]] = {
    0x05: (FirmwareRequest, []),
    0x85: (
        FirmwareState,
        [
            "bootloader" / PascalString(Int8ub, "ascii"),
            f"names have 1 to {MAX_NAME} printable characters" / Check(lambda this: _is_name(this.bootloader)),
            "hardware" / Int16ub,
            "security" / Int32ub,
            "image" / Bytes(ID_SIZE),
            "phase" / Mapping(Int8ub, PHASE_BYTES),
            "update" / Bytes(ID_SIZE),
            "size" / Int32ub,
            "have" / Int32ub,
            "there is an update except in the phase idle"
            / Check(lambda this: (this.phase == "idle") == (this["update"] == NO_UPDATE) == (this.size == 0)),
            "nothing is had beyond the size" / Check(lambda this: this.have <= this.size <= MAX_FILE),
            "chunk" / Int8ub,
            "the chunk is in range" / Check(lambda this: MIN_CHUNK <= this.chunk <= MAX_CHUNK),
        ],
    ),
    0x06: (
        UpdateBegin,
        [*_UPDATE, "size" / Int32ub, "the size is in range" / Check(lambda this: 0 < this.size <= MAX_FILE)],
    ),
    0x86: (UpdateBegun, [*_UPDATE, "have" / Int32ub, *_REFUSED]),
    0x07: (
        UpdateChunk,
        [
            *_UPDATE,
            "offset" / Int32ub,
            "data" / GreedyBytes,
            f"a chunk has 1 to {MAX_CHUNK} bytes" / Check(lambda this: 1 <= len(this.data) <= MAX_CHUNK),
        ],
    ),
    0x87: (UpdateHave, [*_UPDATE, "have" / Int32ub, *_REFUSED]),
    0x08: (UpdateVerify, _UPDATE),
    0x88: (UpdateVerified, _UPDATE + _REFUSED),
    0x09: (UpdateActivate, _UPDATE),
    0x89: (UpdateActivating, _UPDATE + _REFUSED),
    0x0A: (UpdateConfirm, _UPDATE),
    0x8A: (UpdateConfirmed, _UPDATE + _REFUSED),
}
