"""Files that people name: read where they are ordinary files of a sensible size, and never waited for.

A pipe is waited for until somebody writes, and `/dev/zero` has no end: who may name a file, or put another in its
place, must not stop or fill the program by it.
"""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

MOST_BYTES = 32 << 20


def read_plain(path: Path) -> bytes:
    """What is in the file; `OSError` also where it is a pipe, a device or a folder, or is too large."""
    with open(path, "rb", opener=_at_once) as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise OSError(errno.EINVAL, "it is no ordinary file", str(path))
        content = file.read(MOST_BYTES + 1)
    if len(content) > MOST_BYTES:
        raise OSError(errno.EFBIG, f"it has more than {MOST_BYTES >> 20} MB", str(path))
    return content


def _at_once(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_NONBLOCK)
