"""Restoring: a backup on a new board, or on the same one after its disk was lost.

A backup comes from a memory stick that anybody may have had in his hands. So:

    the signature     is checked before anything else is read, with this board's own key or with the one that a
                      person names (`--signed-by`), never with one that the backup brings along
    the names         are those that a backup can have (`manifest`): none leads out of the data folder
    the sizes         are those of the manifest, and fit on the disk; no byte more is read
    links, devices    are never opened, and never made: a file is opened in its folder, by its own name alone
    the files         are copied to a new folder, `restoring`, owner and mode are set on the open file, and digests and
                      chain are checked on the copies. SQLite opens them with the rights of the service's user
    then              they get their names, the journal last. None of them replaces anything

Whatever fails, all of it is taken back. After a power cut the folder `restoring` is left over: no table starts beside
it unless the journal is in place, and the same command, given again, completes the work.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import sqlite3
import stat
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path

from msgspec import Struct

from controller.admin.manifest import (
    CONFIG,
    JOURNAL,
    BackupFile,
    Manifest,
    is_archive,
    made_when,
    plain_file,
    public_key,
    read_manifest,
)
from controller.board_key import BoardKey
from controller.config import Config, read_config
from controller.config.reading import parse_config
from controller.errors import UserError
from controller.journal.errors import JournalError
from controller.journal.reader import JournalReader
from controller.journal.store import connect
from controller.paths import RESTORING

_ROOM_TO_LEAVE = 32 << 20
"""Bytes on the disk that a restore must not take up: the table has to start on it."""
_EMPTY_LOG = (f"{JOURNAL}-wal", f"{JOURNAL}-shm")
"""What a reader may leave beside a journal. A log with anything in it is part of a journal."""
_NEW_FILE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC


class Restored(Struct, frozen=True):
    """What was done."""

    manifest: Manifest
    config_was_there: bool
    """It was left as it is."""
    kept: list[str]
    """Files of the data folder that were there, other than in the backup, and were left as they are."""


def restore(backup: Path, config_file: Path, signed_by: str | None = None) -> Restored:
    """Put a backup in place, if the board with the public key `signed_by`, or this very board, signed it.

    Refuses where a journal is, and a backup that is not what it was when it was made.
    """
    config = read_config(config_file) if os.path.lexists(config_file) else None
    accepted = _accepted(signed_by, config, config_file)
    try:
        with _open(backup, _FOLDER | os.O_NOFOLLOW) as source:
            manifest = read_manifest(source, str(backup), accepted)
            own = config or _config_of(source, backup, manifest, config_file)
            _expect_table(manifest, own, config_file)
            data = config_file.resolve().parent / own.data
            return _put_in_place(source, backup, manifest, data, None if config else config_file)
    except (OSError, sqlite3.Error) as error:
        raise JournalError(f"{backup} cannot be restored: {_why(error)}. Nothing was restored.") from error


def _why(error: OSError | sqlite3.Error) -> str:
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    return str(error)


def _accepted(signed_by: str | None, config: Config | None, config_file: Path) -> str:
    """The public key that must have signed the backup."""
    if signed_by is not None:
        return public_key(signed_by)
    key = None if config is None else BoardKey.load(config_file.resolve().parent / config.data)
    if key is None:
        raise UserError(
            "This board has no key of its own yet, so it cannot tell whose backup this is. Name the key of the board "
            "that made it, as its papers have it: cutcard restore --signed-by KEY."
        )
    return key.public


def _config_of(source: int, backup: Path, manifest: Manifest, config_file: Path) -> Config:
    """The backup's configuration, where the board has none yet."""
    with plain_file(source, CONFIG) as file:
        data = b"".join(_checked(file, manifest.files[CONFIG], backup / CONFIG))
    try:
        return parse_config(config_file, data.decode())
    except UnicodeDecodeError:
        raise UserError(f"{backup / CONFIG} is no text. Nothing was restored.") from None


def _expect_table(manifest: Manifest, config: Config, config_file: Path) -> None:
    if (config.site, config.table) != (manifest.site, manifest.table):
        raise UserError(
            f"The backup is of table {manifest.table} of {manifest.site}; {config_file} is of {config.table} of "
            f"{config.site}. Restore it on the board of that table, or correct the configuration."
        )


def _put_in_place(source: int, backup: Path, manifest: Manifest, data: Path, new_config: Path | None) -> Restored:
    """`new_config` is where the configuration goes, on a board without one."""
    is_new = not data.exists()
    data.mkdir(parents=True, exist_ok=True, mode=0o750)
    named: list[tuple[int, str]] = []
    with ExitStack() as folders:
        target = folders.enter_context(_folder(data))
        try:
            there = _already_there(target, data, manifest)
            _expect_room(target, data, manifest)
            staged = folders.enter_context(_new_staging(target, data))
            try:
                _fill(staged, source, backup, manifest, os.fstat(target))
                with _as_user(os.fstat(target)):
                    _check_journal(data / RESTORING / JOURNAL, backup, manifest)
                    _note_restore(data / RESTORING / JOURNAL, backup, manifest)
                for name in manifest.files:
                    if name not in (JOURNAL, CONFIG, *there):
                        _give_name(staged, name, target, name, named)
                if new_config is not None:
                    new_config.parent.mkdir(parents=True, exist_ok=True)
                    folder = folders.enter_context(_folder(new_config.parent))
                    _give_config_its_name(staged, manifest, folder, new_config.name, named)
                for name in _EMPTY_LOG:
                    _unlink(target, name)
                _give_name(staged, JOURNAL, target, JOURNAL, named)
                os.fsync(target)
            finally:
                shutil.rmtree(RESTORING, dir_fd=target)
        except BaseException:
            for folder, name in reversed(named):
                _unlink(folder, name)
            if is_new:
                data.rmdir()
            raise
    kept = sorted(name for name, is_same in there.items() if not is_same)
    return Restored(manifest, new_config is None, kept)


# What is there


def _already_there(target: int, data: Path, manifest: Manifest) -> dict[str, bool]:
    """Files of the backup that the data folder has already: whether they are the same."""
    names = set(os.listdir(target))
    log = _EMPTY_LOG[0]
    for name in (JOURNAL, log):
        if name in names and (name != log or os.stat(name, dir_fd=target, follow_symlinks=False).st_size):
            raise UserError(
                f"{data / name} is there: a journal is never overwritten. If it is worthless, keep it all the same: "
                "stop the daemon, move every journal.db* of that folder to another disk, and give the command again."
            )
    there = {}
    for name in sorted(names):
        if name in manifest.files or is_archive(name):
            with plain_file(target, name) as file, os.fdopen(file, "rb", closefd=False) as read:
                digest = hashlib.file_digest(read, "sha256").hexdigest()
            there[name] = name in manifest.files and digest == manifest.files[name].sha256
            if is_archive(name) and not there[name]:
                raise UserError(f"{data / name} is of another journal than this backup. Move it to another disk first.")
    return there


def _expect_room(target: int, data: Path, manifest: Manifest) -> None:
    disk = os.fstatvfs(target)
    room = disk.f_bavail * disk.f_frsize - _ROOM_TO_LEAVE
    if manifest.size > room:
        raise UserError(
            f"The backup has {manifest.size // 1_000_000} MB, and the disk of {data} has room for "
            f"{max(room, 0) // 1_000_000} MB. Make room, or take a larger disk. Nothing was restored."
        )


# The copies


@contextmanager
def _new_staging(target: int, data: Path) -> Iterator[int]:
    """The folder of the copies, in the data folder, empty and for nobody else."""
    with suppress(FileNotFoundError):
        if not stat.S_ISDIR(os.stat(RESTORING, dir_fd=target, follow_symlinks=False).st_mode):
            raise NotAFolder(f"{data / RESTORING} is there and is no folder")
        shutil.rmtree(RESTORING, dir_fd=target)  # left over from a power cut
    os.mkdir(RESTORING, mode=0o700, dir_fd=target)
    with _open(RESTORING, _FOLDER | os.O_NOFOLLOW, target) as staged:
        yield staged


def _fill(staged: int, source: int, backup: Path, manifest: Manifest, owner: os.stat_result) -> None:
    for name, record in manifest.files.items():
        with plain_file(source, name) as file, _open(name, _NEW_FILE, staged) as copy:
            for chunk in _checked(file, record, backup / name):
                _write(copy, chunk)
            os.fchmod(copy, 0o400 if is_archive(name) else 0o600)
            _give(copy, owner)
            os.fsync(copy)
    _give(staged, owner)


def _checked(file: int, record: BackupFile, path: Path) -> Iterator[bytes]:
    """The bytes of a file of the backup. Ends with an error if they are not those that were signed."""
    digest, left = hashlib.sha256(), record.size
    while left and (chunk := os.read(file, min(left, 1 << 20))):
        digest.update(chunk)
        left -= len(chunk)
        yield chunk
    if left or os.read(file, 1) or digest.hexdigest() != record.sha256:
        raise UserError(f"{path.parent} is not as it was made: {path.name}. Take another backup. Nothing was restored.")


def _check_journal(journal: Path, backup: Path, manifest: Manifest) -> None:
    with JournalReader.read(journal) as copy:
        if {archive.file for archive in copy.archives() if archive.place == "beside"} != manifest.archives:
            raise UserError(f"The archives in {backup} are not those of its journal. Take another backup.")
        head = copy.verify_chain()
    if (head.n, head.hash.hex()) != (manifest.entries, manifest.hash):
        raise UserError(f"The journal in {backup} does not end as its manifest states. Take another backup.")


def _note_restore(new: Path, backup: Path, manifest: Manifest) -> None:
    """Record in the journal that it ends where a backup did."""
    why = f"restored from a backup of {made_when(manifest)}; what came after it is not here"
    with closing(connect(new, "rw")) as db:
        db.execute(
            "INSERT INTO repair VALUES (?, 0, ?, ?, ?)", (manifest.entries, manifest.events, why, backup.resolve().name)
        )
        db.execute("PRAGMA journal_mode = WAL")


# Their names


def _give_name(staged: int, name: str, folder: int, to: str, named: list[tuple[int, str]]) -> None:
    """By a second link, which replaces nothing; the first goes with the folder of the copies."""
    os.link(name, to, src_dir_fd=staged, dst_dir_fd=folder, follow_symlinks=False)
    named.append((folder, to))


def _give_config_its_name(
    staged: int, manifest: Manifest, folder: int, name: str, named: list[tuple[int, str]]
) -> None:
    """It belongs to the user who runs the command, in a folder that may be on another disk."""
    fresh = f".{name}.restoring"
    _unlink(folder, fresh)
    with plain_file(staged, CONFIG) as file, _open(fresh, _NEW_FILE, folder) as copy:
        try:
            for chunk in _checked(file, manifest.files[CONFIG], Path(name)):
                _write(copy, chunk)
            os.fchmod(copy, 0o644)
            os.fsync(copy)
            _give_name(folder, fresh, folder, name, named)
        finally:
            _unlink(folder, fresh)
    os.fsync(folder)


# Open files and folders


class NotAFolder(OSError):
    """Something else where a folder should be."""


@contextmanager
def _open(name: str | Path, flags: int, folder: int | None = None) -> Iterator[int]:
    file = os.open(name, flags, 0o600, dir_fd=folder)
    try:
        yield file
    finally:
        os.close(file)


@contextmanager
def _folder(path: Path) -> Iterator[int]:
    with _open(path, _FOLDER) as folder:
        yield folder


def _write(file: int, data: bytes) -> None:
    with os.fdopen(file, "wb", closefd=False) as out:
        out.write(data)


def _give(file: int, owner: os.stat_result) -> None:
    """To the service's user, who owns the data folder."""
    if os.geteuid() == 0:
        os.fchown(file, owner.st_uid, owner.st_gid)


@contextmanager
def _as_user(user: os.stat_result) -> Iterator[None]:
    """With the rights of the service's user, where root runs the command: that user can rename things in his folder
    while SQLite opens them by name."""
    if os.geteuid() != 0 or user.st_uid == 0:
        yield
        return
    groups, group = os.getgroups(), os.getegid()
    os.setgroups([])
    os.setegid(user.st_gid)
    os.seteuid(user.st_uid)
    try:
        yield
    finally:
        os.seteuid(0)
        os.setegid(group)
        os.setgroups(groups)


def _unlink(folder: int, name: str) -> None:
    with suppress(FileNotFoundError):
        os.unlink(name, dir_fd=folder)
