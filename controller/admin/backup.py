"""Backups: a table's records on another disk, and back on a new board.

A backup is a folder of its own, complete or not there at all: the journal and its archives, the staff file, the keys by
which devices are known, the configuration, and `backup.json` with a digest of each. It is taken while the table plays.
Of a round that is being dealt it holds nothing, as with `cutcard journal export`: a copy must not know the next card.
The table's TLS key and passwords are not in it; a new board is enrolled anew.

An archive never changes, so a backup beside an older one links to the older one's archives where the disk can.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path

import msgspec
from msgspec import Struct

from controller import __version__
from controller.config import read_config
from controller.errors import UserError
from controller.evidence.rerun import end_of_last_round
from controller.evidence.words import moment
from controller.firmware.trust import FILE as DEVICE_KEYS
from controller.journal.archives import files_beside
from controller.journal.chain import Head
from controller.journal.errors import JournalError
from controller.journal.reader import JournalReader, Progress
from controller.journal.rotation import copy_part
from controller.journal.store import beside, connect, sync_folder
from controller.operator.staff import FILE as STAFF

JOURNAL = "journal.db"
CONFIG = "cutcard.toml"
MANIFEST = "backup.json"
BESIDE_THE_JOURNAL = (STAFF, DEVICE_KEYS)
"""What else of the data folder cannot be made anew."""


class Manifest(Struct, frozen=True):
    """What a backup holds."""

    made_at: int
    """Milliseconds since the epoch."""
    version: str
    """Of the Cutcard that made it."""
    site: str
    table: str
    entries: int
    events: int
    hash: str
    """Of the last entry."""
    files: dict[str, str]
    """SHA-256 by name."""


def back_up(data: Path, config: Path, to: Path, hashing: Progress | None = None) -> tuple[Path, Manifest]:
    """Makes a backup in `to`; its folder and what is in it."""
    if not to.is_dir():
        raise UserError(f"There is no folder {to}. Is the disk mounted? Make the folder first.")
    partial: Path | None = None
    try:
        with JournalReader.read(data / JOURNAL) as journal:
            last = end_of_last_round(journal)
            final = to / f"{journal.site}-{journal.table}-{last.n:010}"
            if final.exists():
                raise UserError(f"{final} is there already: nothing was finished since that backup.")
            partial = final.with_name(final.name + ".partial")
            shutil.rmtree(partial, ignore_errors=True)
            partial.mkdir(mode=0o700)
            _copy_journal(journal, last, partial / JOURNAL)
            site, table = journal.site, journal.table
        with JournalReader.read(partial / JOURNAL) as copy:
            archives = [archive.file for archive in copy.archives() if archive.place == "beside"]
        for name in archives:
            _copy_archive(data / name, partial / name, list(_older(to, final)))
        for name in BESIDE_THE_JOURNAL:
            if (data / name).exists():
                _copy(data / name, partial / name)
        _copy(config, partial / CONFIG)
        digests = {file.name: _digest(file) for file in sorted(partial.iterdir())}
        manifest = Manifest(_now(), __version__, site, table, last.n, last.seq, last.hash.hex(), digests)
        _write(partial / MANIFEST, msgspec.json.format(msgspec.json.encode(manifest)) + b"\n")
        with JournalReader.read(partial / JOURNAL) as copy:
            if copy.verify_chain(hashing) != last:
                raise JournalError(f"The copy in {partial} does not end as the journal does. Check that disk.")
        partial.rename(final)
        sync_folder(final)
    except OSError as error:
        raise JournalError(f"The backup cannot be written: {error}. Check that disk and its room.") from error
    finally:
        if partial is not None:
            shutil.rmtree(partial, ignore_errors=True)
    return final, manifest


def restore(backup: Path, config_file: Path) -> tuple[Manifest, bool]:
    """Puts a backup in place; what it held, and whether the configuration is now the backup's.

    Refuses where a journal is, and a backup that is not what it was when it was made. Interrupted, it can be given
    again: the journal comes last, and what is there already is compared.
    """
    manifest = checked(backup)
    was_there = config_file.exists()
    config = read_config(config_file if was_there else backup / CONFIG)
    if (config.site, config.table) != (manifest.site, manifest.table):
        raise UserError(
            f"The backup is of table {manifest.table} of {manifest.site}; {config_file} is of {config.table} of "
            f"{config.site}. Restore it on the board of that table, or correct the configuration."
        )
    data = config_file.resolve().parent / config.data
    try:
        data.mkdir(parents=True, exist_ok=True, mode=0o750)
        _refuse_to_overwrite(data, manifest)
        for name in manifest.files:
            if name not in (JOURNAL, CONFIG) and not (data / name).exists():
                _place(backup / name, data / name)
        if not was_there:
            config_file.parent.mkdir(parents=True, exist_ok=True)
            _copy(backup / CONFIG, config_file, mode=0o644)
        new = beside(data / JOURNAL, ".restoring")
        _place(backup / JOURNAL, new, mode=0o600)
        _note_restore(new, backup, manifest)
        for suffix in ("-wal", "-shm"):  # an empty log that a reader left
            beside(data / JOURNAL, suffix).unlink(missing_ok=True)
        new.rename(data / JOURNAL)
        sync_folder(data / JOURNAL)
    except (OSError, sqlite3.Error) as error:
        raise JournalError(
            f"The backup cannot be put into {data}: {error}. Mend that and give the command again."
        ) from (error)
    return manifest, not was_there


def checked(backup: Path) -> Manifest:
    """What a backup holds, after every file of it was compared with its digest and the chain was gone through."""
    try:
        manifest = msgspec.json.decode((backup / MANIFEST).read_bytes(), type=Manifest)
        wrong = [name for name, digest in manifest.files.items() if _digest(backup / name) != digest]
    except (OSError, msgspec.MsgspecError) as error:
        raise UserError(f"{backup} is no whole backup: {error}. Take another one.") from None
    if wrong or JOURNAL not in manifest.files:
        raise UserError(f"{backup} is not as it was made: {', '.join(wrong) or JOURNAL}. Take another one.")
    with JournalReader.read(backup / JOURNAL) as journal:
        head = journal.verify_chain()
    if (head.n, head.hash.hex()) != (manifest.entries, manifest.hash):
        raise UserError(f"The journal in {backup} does not end as {MANIFEST} says. Take another one.")
    return manifest


def _refuse_to_overwrite(data: Path, manifest: Manifest) -> None:
    log = beside(data / JOURNAL, "-wal")
    for file in (data / JOURNAL, log):
        if file.exists() and (file != log or log.stat().st_size):
            raise UserError(
                f"{file} is there: a journal is never overwritten. If it is worthless, keep it all the same: "
                "stop the daemon, move every journal.db* of that folder to another disk, and give the command again."
            )
    for file in files_beside(data / JOURNAL):
        if manifest.files.get(file.name) != _digest(file):
            raise UserError(f"{file} is of another journal than this backup. Move it to another disk first.")


def _copy_journal(journal: JournalReader, last: Head, to: Path) -> None:
    """The entries up to the end of the last round, the list of archives, and what the table recovers from."""
    copy_part(journal, journal.live_start, last, to, to, apart=False)
    with closing(connect(journal.path, "ro")) as source, closing(connect(to, "rw")) as copy:
        rows = source.execute("SELECT n, state, hash FROM snapshot WHERE n <= ? ORDER BY n", (last.n,)).fetchall()
        copy.executemany("INSERT INTO snapshot VALUES (?, ?, ?)", rows)


def _note_restore(new: Path, backup: Path, manifest: Manifest) -> None:
    """Record in the journal that it ends where a backup did."""
    why = f"restored from a backup of {made_when(manifest)}; what came after it is not here"
    with closing(connect(new, "rw")) as db:
        db.execute(
            "INSERT INTO repair VALUES (?, 0, ?, ?, ?)", (manifest.entries, manifest.events, why, backup.resolve().name)
        )
        db.execute("PRAGMA journal_mode = WAL")


def _copy_archive(source: Path, to: Path, older: list[Path]) -> None:
    if not source.exists():
        raise JournalError(
            f"The archive {source} is missing: a backup without it is none. Put it back, or a link to where it is."
        )
    for folder in older:
        same = folder / source.name
        with suppress(OSError):
            if same.stat().st_size == source.stat().st_size:
                os.link(same, to)
                return
    _copy(source, to, mode=0o400)


def _older(to: Path, final: Path) -> Iterator[Path]:
    """Whole backups of this table, newest first."""
    prefix = final.name.rpartition("-")[0]
    for folder in sorted(to.glob(f"{prefix}-*"), reverse=True):
        if folder.name.removeprefix(prefix)[1:].isdigit() and (folder / MANIFEST).exists():
            yield folder


def _place(source: Path, to: Path, mode: int | None = None) -> None:
    """Into the data folder, as a file of the service's, whoever runs the command."""
    to.unlink(missing_ok=True)
    _copy(source, to, mode=mode if mode is not None else 0o400 if ".archive-" in to.name else 0o600)
    if os.geteuid() == 0:
        owner = to.parent.stat()
        os.chown(to, owner.st_uid, owner.st_gid)


def _copy(source: Path, to: Path, mode: int = 0o600) -> None:
    with source.open("rb") as read, os.fdopen(os.open(to, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as written:
        shutil.copyfileobj(read, written, 1 << 20)
        written.flush()
        os.fsync(written.fileno())


def _write(to: Path, data: bytes) -> None:
    with os.fdopen(os.open(to, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def _digest(file: Path) -> str:
    with file.open("rb") as data:
        return hashlib.file_digest(data, "sha256").hexdigest()


def _now() -> int:
    return time.time_ns() // 1_000_000


def made_when(manifest: Manifest) -> str:
    return f"{moment(manifest.made_at):%Y-%m-%d %H:%M:%S} UTC"
