"""Files that are whole after a power cut: the old content or the new one."""

from __future__ import annotations

import os
from pathlib import Path


def write_new(path: Path, data: bytes, mode: int = 0o600, *, owner: os.stat_result | None = None) -> None:
    """Write a file that is not there yet, down to the disk. Root gives it to this `owner`."""
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as file:
        file.write(data)
        if owner is not None and os.geteuid() == 0:
            os.fchown(file.fileno(), owner.st_uid, owner.st_gid)
        file.flush()
        os.fsync(file.fileno())


def replace_file(path: Path, data: bytes, mode: int = 0o600, *, owner: os.stat_result | None = None) -> None:
    """Replace a file as a whole, whether it is there or not. `OSError` if it cannot."""
    fresh = fresh_name(path)
    fresh.unlink(missing_ok=True)
    write_new(fresh, data, mode, owner=owner)
    fresh.replace(path)
    sync_folder(path.parent)


def fresh_name(path: Path) -> Path:
    """Where the new content is until it is complete."""
    return path.with_name(f".{path.name}.new")


def sync_folder(folder: Path) -> None:
    """Make the names in a folder durable."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
