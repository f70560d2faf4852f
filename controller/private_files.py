"""Files with secrets in them: readable by their owner alone, or not read at all."""

from __future__ import annotations

import os
import stat
from pathlib import Path


class NotPrivate(Exception):
    """Others can read the file: which, and what to do."""


def expect_private(path: Path, *, owner: int | None = None) -> None:
    """`NotPrivate` unless the file is ours, or root's, or of this `owner`, and nobody else has any right to it."""
    state = path.stat()
    if stat.S_IMODE(state.st_mode) & 0o077:
        raise NotPrivate(
            f"others may read {path} (mode {stat.S_IMODE(state.st_mode):04o}). Consider its keys known, replace them, "
            f"and `chmod 600 {path}`."
        )
    if state.st_uid not in (os.geteuid(), 0, owner):
        raise NotPrivate(f"{path} belongs to another user. `chown` it to the one that runs Cutcard.")


def write_private(path: Path, data: bytes) -> None:
    """Replace the file as a whole, for its owner alone; after a power cut it is the old one or the new one."""
    fresh = path.with_name(f".{path.name}.new")
    fresh.unlink(missing_ok=True)
    file = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(file, "wb") as out:
        out.write(data)
        out.flush()
        os.fsync(out.fileno())
    fresh.replace(path)
    sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """Make the names in a folder durable."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
