"""The birth-death sequence number (bdSeq) of each edge node, kept across restarts in one small file.

A host application pairs a death with a birth by it. A number that is used twice would let a late death of the last
connection end the new one, so each is durable before the connection that uses it is begun.
"""

from __future__ import annotations

import fcntl
import os
from pathlib import Path

import msgspec

from controller.durable_files import replace_file
from controller.errors import UserError

_NUMBERS = 256


class BirthNumbers:
    """Held by one process at a time."""

    def __init__(self, path: Path) -> None:
        self._path = path
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._lock = os.open(path.with_name(f".{path.name}.lock"), os.O_RDWR | os.O_CREAT, 0o600)
        except OSError as error:
            raise UserError(
                f"The state file {path} cannot be used: {error.strerror}. Name another with --state."
            ) from None
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(self._lock)
            raise UserError(f"Another bridge uses the state file {path}: end it, or give this one its own.") from None
        try:
            self._last = self._read()
        except BaseException:
            self.close()
            raise

    def next(self, node: str) -> int:
        """The number of the node's next connection; durable when this returns."""
        number = (self._last.get(node, -1) + 1) % _NUMBERS
        self._last[node] = number
        replace_file(self._path, msgspec.json.encode(self._last))
        return number

    def close(self) -> None:
        os.close(self._lock)

    def _read(self) -> dict[str, int]:
        try:
            return msgspec.json.decode(self._path.read_bytes(), type=dict[str, int])
        except FileNotFoundError:
            return {}
        except (OSError, msgspec.MsgspecError) as error:
            raise UserError(
                f"The state file {self._path} cannot be read ({error}). Without it a birth number could be used twice. "
                "Restore it; or, when no host application knows these tables yet, delete it."
            ) from None
