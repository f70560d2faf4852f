"""The board's own key: an Ed25519 key in the data folder that signs backups and journal checkpoints.

`cutcard enroll` makes it, and so does the first command that needs it. It stays on the board: no backup holds it, no
message or log shows it. Its public part, 64 hex digits, is the board's name for those who check its signatures. Each
signature is for one purpose, so that a signed checkpoint can never pass for a signed backup.

A signed document is a JSON object whose last field is the signature of all bytes before it.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

import msgspec
from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from msgspec import Struct

from controller.durable_files import fresh_name, write_new
from controller.errors import UserError
from controller.private_files import NotPrivate, expect_private

FILE = "board.key"
_SIGNATURE_KEY = b',"signature":'


class BoardKey:
    """The private key of one board."""

    def __init__(self, key: Ed25519PrivateKey) -> None:
        self._key = key
        self.public = key.public_key().public_bytes_raw().hex()
        """The public part, as 64 hex digits."""

    @classmethod
    def load(cls, data: Path) -> BoardKey | None:
        """The key in this data folder; None if there is none. `UserError` if others may read it, or it is damaged."""
        if not (data / FILE).exists():
            return None
        return cls(read_key(data / FILE, owner=data.stat().st_uid))

    @classmethod
    def load_or_create(cls, data: Path) -> BoardKey:
        """The key in this data folder, made if there is none; it belongs to the owner of the folder."""
        try:
            data.mkdir(parents=True, exist_ok=True, mode=0o750)
        except OSError as error:
            raise UserError(f"The folder {data} cannot be made: {error.strerror}.") from None
        key = cls.load(data)
        return cls(new_key(data / FILE, like=data)) if key is None else key

    def sign(self, purpose: str, data: bytes) -> str:
        """The signature of these bytes for this purpose ("backup", "checkpoint"), as 128 hex digits."""
        return self._key.sign(_signed_bytes(purpose, data)).hex()

    def signed_document(self, purpose: str, document: Struct) -> bytes:
        """The document with its signature as the last field."""
        covered = msgspec.json.encode(document)[:-1]
        return covered + _SIGNATURE_KEY + b'"' + self.sign(purpose, covered).encode() + b'"}'


def is_signed(public: str, purpose: str, data: bytes, signature: str) -> bool:
    """Whether the board with this public key signed these bytes for this purpose. False for malformed hex digits."""
    with suppress(InvalidSignature, ValueError, UnsupportedAlgorithm):
        key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(public))
        key.verify(bytes.fromhex(signature), _signed_bytes(purpose, data))
        return True
    return False


class _Signature(Struct, frozen=True):
    signature: str


def is_signed_document(public: str, purpose: str, data: bytes) -> bool:
    """Whether the board with this public key signed this document."""
    try:
        signature = msgspec.json.decode(data, type=_Signature).signature
        covered = data[: data.rindex(_SIGNATURE_KEY)]
    except (msgspec.MsgspecError, ValueError):
        return False
    return is_signed(public, purpose, covered, signature)


def _signed_bytes(purpose: str, data: bytes) -> bytes:
    return b"cutcard " + purpose.encode() + b"\0" + data


def read_key(path: Path, *, owner: int | None = None) -> Ed25519PrivateKey:
    """The Ed25519 key in this PEM file, which nobody else may read; `owner` is a user who may own it beside us."""
    try:
        expect_private(path, owner=owner)
        key = serialization.load_pem_private_key(path.read_bytes(), password=None)
    except (OSError, NotPrivate) as error:
        raise UserError(f"The signing key {path} cannot be used: {error}") from None
    except (ValueError, TypeError, UnsupportedAlgorithm):
        # Not the library's words: they are about the key.
        raise UserError(f"{path} is no private key in PEM without a password.") from None
    if not isinstance(key, Ed25519PrivateKey):
        raise UserError(f"{path} is not an Ed25519 key.")
    return key


def new_key(path: Path, *, like: Path | None = None) -> Ed25519PrivateKey:
    """Make a key, never over an existing file; root gives it to the owner of `like`."""
    key = Ed25519PrivateKey.generate()
    pem = key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    try:
        # Complete before it has its name: a power cut must not leave half a key.
        fresh = fresh_name(path)
        fresh.unlink(missing_ok=True)
        write_new(fresh, pem, owner=None if like is None else like.stat())
        try:
            os.link(fresh, path)
        finally:
            fresh.unlink()
    except OSError as error:
        raise UserError(f"The key cannot be written to {path}: {error.strerror}.") from None
    return key
