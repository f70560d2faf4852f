"""Backups: a table's records on another disk. `controller.admin.restore` puts them on a new board.

A backup is a folder of its own, complete or not there at all: the journal and its archives, the staff file, the keys by
which devices are known, the configuration, and a manifest with a digest of each, signed by the board. It is taken while
the table plays. Of a round that is being dealt it holds nothing, as with `cutcard journal export`: a copy must not
know the next card. The table's keys and passwords are not in it; a new board is enrolled anew.

An archive never changes, so a backup beside an older one links to the older one's archives where the disk can.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import time
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path

from controller import __version__
from controller.admin.manifest import (
    BESIDE_THE_JOURNAL,
    CONFIG,
    JOURNAL,
    MANIFEST,
    SIGNATURE,
    BackupFile,
    Manifest,
    encoded,
    plain_file,
    signature_of,
)
from controller.board_key import BoardKey
from controller.durable_files import sync_folder, write_new
from controller.errors import UserError
from controller.evidence.rerun import end_of_last_round
from controller.journal.chain import Head
from controller.journal.errors import JournalError
from controller.journal.reader import JournalReader, Progress
from controller.journal.rotation import copy_part
from controller.journal.store import connect


def back_up(data: Path, config: Path, to: Path, hashing: Progress | None = None) -> tuple[Path, Manifest]:
    """Makes a backup in `to`; its folder and what is in it."""
    if not to.is_dir():
        raise UserError(f"There is no folder {to}. Is the disk mounted? Make the folder first.")
    key = BoardKey.load_or_create(data)
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
            _copy_plain_file(data, name, partial / name)
        _copy(config, partial / CONFIG)
        files = {file.name: BackupFile(file.stat().st_size, _digest(file)) for file in sorted(partial.iterdir())}
        manifest = Manifest(_now(), __version__, site, table, last.n, last.seq, last.hash.hex(), files)
        signed = encoded(manifest)
        write_new(partial / MANIFEST, signed)
        write_new(partial / SIGNATURE, signature_of(key, signed))
        with JournalReader.read(partial / JOURNAL) as copy:
            if copy.verify_chain(hashing) != last:
                raise JournalError(f"The copy in {partial} does not end as the journal does. Check that disk.")
        partial.rename(final)
        sync_folder(to)
    except OSError as error:
        raise JournalError(f"The backup cannot be written: {error}. Check that disk and its room.") from error
    finally:
        if partial is not None:
            shutil.rmtree(partial, ignore_errors=True)
    return final, manifest


def _copy_journal(journal: JournalReader, last: Head, to: Path) -> None:
    """The entries up to the end of the last round, the list of archives, and what the table recovers from."""
    copy_part(journal, journal.live_start, last, to, to, apart=False)
    with closing(connect(journal.path, "ro")) as source, closing(connect(to, "rw")) as copy:
        rows = source.execute("SELECT n, state, hash FROM snapshot WHERE n <= ? ORDER BY n", (last.n,)).fetchall()
        copy.executemany("INSERT INTO snapshot VALUES (?, ?, ?)", rows)


def _copy_archive(source: Path, to: Path, older: list[Path]) -> None:
    if not source.exists():
        raise JournalError(
            f"The archive {source} is missing: a backup without it is none. Put it back, or a link to where it is."
        )
    for folder in older:
        same = folder / source.name
        with suppress(OSError):
            # Somebody may have changed what is on that disk since.
            if not same.is_symlink() and _digest(same) == _digest(source):
                os.link(same, to)
                return
    _copy(source, to, mode=0o400)


def _older(to: Path, final: Path) -> Iterator[Path]:
    """Whole backups of this table, newest first."""
    prefix = final.name.rpartition("-")[0]
    for folder in sorted(to.glob(f"{prefix}-*"), reverse=True):
        if folder.name.removeprefix(prefix)[1:].isdigit() and (folder / MANIFEST).exists():
            yield folder


def _copy_plain_file(data: Path, name: str, to: Path) -> None:
    """A file of the data folder, where it is there. Not what a link of its name leads to: root runs this."""
    folder = os.open(data, os.O_RDONLY | os.O_DIRECTORY)
    try:
        with (
            suppress(FileNotFoundError),
            plain_file(folder, name) as file,
            os.fdopen(file, "rb", closefd=False) as read,
        ):
            write_new(to, read.read())
    finally:
        os.close(folder)


def _copy(source: Path, to: Path, mode: int = 0o600) -> None:
    with source.open("rb") as read, os.fdopen(os.open(to, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as written:
        shutil.copyfileobj(read, written, 1 << 20)
        written.flush()
        os.fsync(written.fileno())


def _digest(file: Path) -> str:
    with file.open("rb") as data:
        return hashlib.file_digest(data, "sha256").hexdigest()


def _now() -> int:
    return time.time_ns() // 1_000_000
