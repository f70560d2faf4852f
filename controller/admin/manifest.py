"""The manifest of a backup: which files belong to it, signed by the board that made it.

`backup.json` is the manifest: site, table, the journal's last entry, and the size and SHA-256 of each file.
`backup.sig` is the signature of its bytes with the board's own key (`controller.board_key`). Nothing of a manifest is
read before its signature is checked, and only the names that a backup can have are accepted in it.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from controller.board_key import BoardKey, is_signed
from controller.errors import UserError
from controller.evidence.words import moment
from controller.firmware.trust import FILE as DEVICE_KEYS
from controller.operator.staff import FILE as STAFF
from controller.rules.confirmations import FILE as READINGS

JOURNAL = "journal.db"
CONFIG = "cutcard.toml"
MANIFEST = "backup.json"
SIGNATURE = "backup.sig"
BESIDE_THE_JOURNAL = (STAFF, DEVICE_KEYS, READINGS)
"""What else of the data folder cannot be made anew."""

_PURPOSE = "backup"
_ARCHIVE = re.compile(r"journal\.db\.archive-[0-9]{10,19}-[0-9]{10,19}")
_LARGEST = {CONFIG: 1 << 20, STAFF: 16 << 20, DEVICE_KEYS: 16 << 20, READINGS: 32 << 20}
"""Bytes. A journal and its archives may fill the disk that they are restored to, not more."""
_LARGEST_MANIFEST = 4 << 20
_LARGEST_SIGNATURE = 1 << 10
_YEAR_10000 = 253_402_300_800_000


class BackupFile(Struct, frozen=True, forbid_unknown_fields=True):
    """One file of a backup."""

    size: Annotated[int, Meta(ge=0, le=2**62)]
    sha256: Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]


class Manifest(Struct, frozen=True, forbid_unknown_fields=True):
    """What a backup holds."""

    made_at: Annotated[int, Meta(ge=0, lt=_YEAR_10000)]
    """Milliseconds since the epoch."""
    version: str
    """Of the Cutcard that made it."""
    site: str
    table: str
    entries: Annotated[int, Meta(ge=0, le=2**62)]
    events: Annotated[int, Meta(ge=0, le=2**62)]
    hash: str
    """Of the last entry."""
    files: dict[str, BackupFile]

    @property
    def size(self) -> int:
        """Bytes of all files."""
        return sum(file.size for file in self.files.values())

    @property
    def archives(self) -> set[str]:
        return {name for name in self.files if is_archive(name)}


class Signature(Struct, frozen=True, forbid_unknown_fields=True):
    """Of the manifest's bytes."""

    board: str
    """The public key of the board that signed, for a person to compare. It proves nothing by itself."""
    signature: str


def encoded(manifest: Manifest) -> bytes:
    return msgspec.json.format(msgspec.json.encode(manifest)) + b"\n"


def signature_of(key: BoardKey, manifest: bytes) -> bytes:
    return msgspec.json.format(msgspec.json.encode(Signature(key.public, key.sign(_PURPOSE, manifest)))) + b"\n"


def public_key(digits: str) -> str:
    """A board's public key as a person typed it: 64 hex digits, in groups or not."""
    public = "".join(digits.split()).lower()
    if not re.fullmatch("[0-9a-f]{64}", public):
        raise UserError(
            f"{digits!r} is no board's key: that is 64 digits, 0 to 9 and a to f, as `cutcard enroll` printed them."
        )
    return public


def read_manifest(folder: int, name: str, accepted: str) -> Manifest:
    """The manifest of the backup in this open folder, if the board with the `accepted` public key signed it."""
    try:
        data = _read(folder, MANIFEST, _LARGEST_MANIFEST)
        signature = msgspec.json.decode(_read(folder, SIGNATURE, _LARGEST_SIGNATURE), type=Signature)
    except (msgspec.MsgspecError, RecursionError):
        raise UserError(f"{name} is no whole backup: its {SIGNATURE} is no signature. Take another one.") from None
    except OSError as error:
        raise UserError(f"{name} is no whole backup: {error}. Take another one.") from None
    if not is_signed(accepted, _PURPOSE, data, signature.signature):
        raise UserError(
            f"{name} is not signed by the board {accepted}: it is of another board, or somebody changed it. If the "
            "backup is of another board, name the key that is in that board's papers: --signed-by KEY."
        )
    try:
        manifest = msgspec.json.decode(data, type=Manifest)
    except (msgspec.MsgspecError, RecursionError):
        raise UserError(f"{MANIFEST} in {name} is no list of a backup's files. Take another backup.") from None
    for file, record in manifest.files.items():
        if file not in (JOURNAL, *_LARGEST) and not is_archive(file):
            raise UserError(f"{name} names a file that no backup has: {file[:100]!r}. Nothing was restored.")
        if record.size > _LARGEST.get(file, record.size):
            raise UserError(f"{file} in {name} is too large: {record.size} bytes. Nothing was restored.")
    missing = [file for file in (JOURNAL, CONFIG) if file not in manifest.files]
    if missing:
        raise UserError(f"{name} is no whole backup: it lacks {' and '.join(missing)}. Take another one.")
    return manifest


def is_archive(name: str) -> bool:
    return _ARCHIVE.fullmatch(name) is not None


def made_when(manifest: Manifest) -> str:
    return f"{moment(manifest.made_at):%Y-%m-%d %H:%M:%S} UTC"


class NotAFile(OSError):
    """A link, a device, a pipe or a folder, where a file should be."""


@contextmanager
def plain_file(folder: int, name: str) -> Iterator[int]:
    """A file of an open folder, to read. `NotAFile` for everything else that can have a name."""
    try:
        # Not blocking: to open a pipe would wait for somebody who writes to it.
        file = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=folder)
    except OSError as error:
        if name in os.listdir(folder):
            raise NotAFile(f"{name} is not an ordinary file that can be read") from error
        raise
    try:
        if not stat.S_ISREG(os.fstat(file).st_mode):
            raise NotAFile(f"{name} is not an ordinary file")
        yield file
    finally:
        os.close(file)


def _read(folder: int, name: str, largest: int) -> bytes:
    with plain_file(folder, name) as file, os.fdopen(file, "rb", closefd=False) as read:
        data = read.read(largest + 1)
    if len(data) > largest:
        raise OSError(f"{name} is larger than {largest} bytes")
    return data
