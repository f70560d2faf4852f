"""A firmware image: what a device is sent, and what lies in a file.

A head of 156 bytes at fixed places, then the payload, which is the device's own business. The head says for which
device the payload is, what it is called and how it can be checked, and is signed (Ed25519) over all that comes before
the signature. Nothing here does cryptography: who checks a signature brings a key.
"""

from __future__ import annotations

from hashlib import sha256
from typing import Protocol

from construct import Bytes, Check, Const, ConstructError, Int8ub, Int16ub, Int32ub, Struct
from msgspec.structs import asdict

from protocols.errors import ProtocolError
from protocols.layout_errors import in_words
from protocols.link.identity import MAX_NAME
from protocols.values import Value

SIGNED_SIZE = 92
"""The number of bytes that are signed."""
SIGNATURE_SIZE = 64
HEAD_SIZE = SIGNED_SIZE + SIGNATURE_SIZE
MAX_FILE = 16 * 1024 * 1024
ID_SIZE = 8
"""Of an image: the first bytes of the SHA-256 of the whole file. Of a signing key: of its 32 bytes."""


class Manifest(Value, kw_only=True):
    """What an image says about itself."""

    device_class: int
    hardware_from: int
    hardware_to: int
    """Board revisions that it runs on, both included."""
    security: int
    """Once an image is confirmed, the device takes none with a lower number. 0 all the time: any may follow any."""
    size: int
    """Of the payload."""
    model: str
    version: str
    sha256: bytes
    """Of the payload."""
    key_id: bytes
    """Of the key that it is signed with."""


class Image(Value):
    """A whole image, its parts in agreement. Whether the signature is good is not known here."""

    manifest: Manifest
    signature: bytes
    data: bytes
    """The file as it lies."""

    @property
    def id(self) -> bytes:
        return id_of(self.data)

    @property
    def signed(self) -> bytes:
        return self.data[:SIGNED_SIZE]


def id_of(data: bytes) -> bytes:
    return sha256(data).digest()[:ID_SIZE]


def pack(manifest: Manifest, signature: bytes, payload: bytes) -> Image:
    """An image of these parts."""
    return Image(manifest, signature, encode_manifest(manifest) + signature + payload)


def unpack(data: bytes) -> Image:
    """The image in a file; `ProtocolError` says why there is none."""
    manifest, signature = parse_head(data)
    payload = data[HEAD_SIZE:]
    if len(payload) != manifest.size:
        raise ProtocolError(f"the image's head says {manifest.size} bytes, {len(payload)} follow")
    if sha256(payload).digest() != manifest.sha256:
        raise ProtocolError("the image's payload is not the one that its head was made for: the digest differs")
    return Image(manifest, signature, data)


def parse_head(data: bytes) -> tuple[Manifest, bytes]:
    """Manifest and signature at the beginning of an image."""
    if len(data) < HEAD_SIZE:
        raise ProtocolError(f"an image begins with a head of {HEAD_SIZE} bytes, here are {len(data)}")
    try:
        parsed = _LAYOUT.parse(data[:SIGNED_SIZE])
    except ConstructError as error:
        raise ProtocolError(f"not the head of an image: {in_words(error)}") from error
    manifest = Manifest(
        device_class=parsed.device_class,
        hardware_from=parsed.hardware_from,
        hardware_to=parsed.hardware_to,
        security=parsed.security,
        size=parsed.size,
        model=_name(parsed.model),
        version=_name(parsed.version),
        sha256=parsed.sha256,
        key_id=parsed.key_id,
    )
    return manifest, data[SIGNED_SIZE:HEAD_SIZE]


def encode_manifest(manifest: Manifest) -> bytes:
    """The bytes that are signed."""
    values: dict[str, object] = asdict(manifest)
    values["model"], values["version"] = _field(manifest.model), _field(manifest.version)
    try:
        return _LAYOUT.build(values)
    except ConstructError as error:
        raise ProtocolError(f"this manifest does not fit an image's head: {in_words(error)}") from error


def _field(name: str) -> bytes:
    if not (0 < len(name) <= MAX_NAME and name.isascii() and name.isprintable()):
        raise ProtocolError(f"model and version have 1 to {MAX_NAME} printable characters, not {name!r}")
    return name.encode().ljust(MAX_NAME, b"\0")


def _name(raw: bytes) -> str:
    text = raw.rstrip(b"\0").decode("latin-1")
    if _field(text) != raw:
        raise ProtocolError(f"model and version are padded with zeros at the end, not {raw!r}")
    return text


class _Parsed(Protocol):
    device_class: int
    hardware_from: int
    hardware_to: int
    security: int
    size: int
    model: bytes
    version: bytes
    sha256: bytes
    key_id: bytes


class _Layout(Protocol):
    def parse(self, data: bytes) -> _Parsed: ...

    def build(self, obj: dict[str, object]) -> bytes: ...


_LAYOUT: _Layout = Struct(
    "magic" / Const(b"CCFW"),
    "format" / Const(1, Int8ub),
    "device_class" / Int8ub,
    "hardware_from" / Int16ub,
    "hardware_to" / Int16ub,
    "hardware revisions go from low to high" / Check(lambda this: this.hardware_from <= this.hardware_to),
    "reserved" / Const(bytes(2)),
    "security" / Int32ub,
    "size" / Int32ub,
    "the size is in range" / Check(lambda this: 0 < this.size <= MAX_FILE - HEAD_SIZE),
    "model" / Bytes(MAX_NAME),
    "version" / Bytes(MAX_NAME),
    "sha256" / Bytes(32),
    "key_id" / Bytes(ID_SIZE),
)
