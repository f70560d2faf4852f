"""Which readings the house has confirmed: one file for the site, each confirmation signed.

The file (`readings.json` in the data folder) may be copied from table to table: every entry states the site, the
reading by its digest, who confirmed it and when, and is signed for itself. An entry counts where its signature is
right, its site is the table's, and its key is the board's own or one of `rules.confirmation_keys`. Any other is
refused in words and counts for nothing; the rest of the file still does. docs/compliance/readings.md is the page.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from controller.board_key import BoardKey, is_signed
from controller.durable_files import replace_file
from controller.errors import UserError
from controller.plain_files import read_plain
from controller.rules.readings import Reading
from protocols.type_errors import in_words

FILE = "readings.json"
_PURPOSE = "reading"

Text = Annotated[str, Meta(max_length=200)]
_Hex = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]


class Confirmation(Struct, frozen=True, forbid_unknown_fields=True):
    """One reading, confirmed."""

    site: Text
    of: Text
    name: Text
    letter: Text
    value: Any
    digest: _Hex
    """Of the reading: its text, lines and choices too."""
    by: Annotated[str, Meta(min_length=1, max_length=100)]
    at: Annotated[str, Meta(pattern=r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$")]
    key: _Hex
    """Public part of the key that signed it."""
    signature: Annotated[str, Meta(pattern="^[0-9a-f]{128}$")]

    @property
    def is_genuine(self) -> bool:
        return is_signed(self.key, _PURPOSE, _signed_part(self), self.signature)


class _File(Struct, frozen=True, forbid_unknown_fields=True):
    format: Annotated[int, Meta(ge=1, le=1)]
    confirmations: tuple[Confirmation, ...]


class Confirmations(Struct, frozen=True):
    """What counts at one table, and why the rest does not."""

    valid: tuple[Confirmation, ...] = ()
    refused: tuple[str, ...] = ()
    """A sentence for each entry, or for the whole file."""

    @property
    def digests(self) -> frozenset[str]:
        return frozenset(entry.digest for entry in self.valid)

    def of(self, reading: Reading) -> Confirmation | None:
        """The confirmation of a reading as it is now; the last one where there are several."""
        return next((entry for entry in reversed(self.valid) if entry.digest == reading.digest), None)

    def earlier(self, reading: Reading) -> Confirmation | None:
        """The last confirmation of this point, when its text, choices or value were others."""
        found = (entry for entry in reversed(self.valid) if (entry.of, entry.name) == (reading.of, reading.name))
        return next((entry for entry in found if entry.digest != reading.digest), None)

    def open_of(self, readings: Iterable[Reading]) -> list[Reading]:
        digests = self.digests
        return [reading for reading in readings if reading.digest not in digests]

    def standing(self, reading: Reading) -> str:
        """In words: confirmed by whom and when; or why not."""
        entry = self.of(reading)
        if entry is not None:
            return f"confirmed by {entry.by} on {entry.at[:10]}, key {entry.key[:16]}"
        before = self.earlier(reading)
        if before is None:
            return "not confirmed"
        return f"not confirmed: changed since {before.by} confirmed it on {before.at[:10]}"


def read_confirmations(path: Path, site: str, keys: Iterable[str]) -> Confirmations:
    """The confirmations in this file that count at a table of this site; nothing where there is no file."""
    try:
        entries = msgspec.json.decode(read_plain(path), type=_File).confirmations
    except FileNotFoundError:
        return Confirmations()
    except OSError as error:
        return Confirmations(refused=(f"The confirmations {path} cannot be read: {error.strerror}.",))
    except msgspec.ValidationError as error:
        return Confirmations(refused=(f"{path} is no file of confirmations: {in_words(error)}",))
    except (msgspec.DecodeError, UnicodeDecodeError):
        return Confirmations(refused=(f"{path} is no file of confirmations: it is not JSON.",))
    trusted = frozenset(keys)
    valid, refused = [], []
    for entry in entries:
        if (why := _why_not(entry, site, trusted)) is None:
            valid.append(entry)
        else:
            refused.append(f"The confirmation of {entry.name} ({entry.of}) by {entry.by} does not count: {why}.")
    return Confirmations(tuple(valid), tuple(refused))


def confirm(readings: Sequence[Reading], *, site: str, by: str, at: str, key: BoardKey) -> tuple[Confirmation, ...]:
    """Sign these readings. `at`: UTC, as 2026-11-18T16:40:00Z."""
    return tuple(_confirmed(reading, site=site, by=by, at=at, key=key) for reading in readings)


def add_confirmations(path: Path, new: Iterable[Confirmation]) -> int:
    """Add entries to the file, also those of another table's file; returns how many it did not have yet.

    `UserError` where the file is there and cannot be understood: nothing is overwritten that somebody signed."""
    old = read_file(path) if path.exists() else ()
    known = {(entry.digest, entry.signature) for entry in old}
    added = tuple(entry for entry in new if (entry.digest, entry.signature) not in known)
    if added:
        content = msgspec.json.format(msgspec.json.encode(_File(1, (*old, *added))), indent=1)
        try:
            replace_file(path, content + b"\n")
            if os.geteuid() == 0:
                folder = path.parent.stat()
                os.chown(path, folder.st_uid, folder.st_gid)
        except OSError as error:
            raise UserError(f"The confirmations cannot be written to {path}: {error.strerror}.") from None
    return len(added)


def read_file(path: Path) -> tuple[Confirmation, ...]:
    """Every entry of a file from another table, judged by nobody yet."""
    try:
        return msgspec.json.decode(read_plain(path), type=_File).confirmations
    except OSError as error:
        raise UserError(f"The confirmations {path} cannot be read: {error.strerror}.") from None
    except (msgspec.MsgspecError, UnicodeDecodeError):
        raise UserError(f"{path} is no file of confirmations. Move it away, then confirm again.") from None


def _why_not(entry: Confirmation, site: str, trusted: frozenset[str]) -> str | None:
    if not entry.is_genuine:
        return "it was changed after it was signed"
    if entry.site != site:
        return f"it is for the site {entry.site}, this table is at {site}"
    if entry.key not in trusted:
        return (
            f"the key {entry.key} is not this board's; where it is the house's, name it in confirmation_keys under "
            "[rules] in the config"
        )
    return None


def _confirmed(reading: Reading, *, site: str, by: str, at: str, key: BoardKey) -> Confirmation:
    entry = Confirmation(
        site=site,
        of=reading.of,
        name=reading.name,
        letter=reading.letter,
        value=reading.value,
        digest=reading.digest,
        by=by,
        at=at,
        key=key.public,
        signature="",
    )
    return msgspec.structs.replace(entry, signature=key.sign(_PURPOSE, _signed_part(entry)))


def _signed_part(entry: Confirmation) -> bytes:
    fields = msgspec.to_builtins(entry)
    del fields["signature"]
    return msgspec.json.encode(fields, order="deterministic")
