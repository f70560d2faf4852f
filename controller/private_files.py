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
