"""A serial port with a stable name: a pseudo-terminal behind a symbolic link.

The simulator keeps both ends of the terminal open, so a driver may close and open it as often as it likes, as with a
real port. `unplug` closes both: the driver reads the end of the line, and the name is gone until `plug`, when another
terminal is behind it.
"""

from __future__ import annotations

import asyncio
import os
import tty
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path


class Pty:
    """The simulator's end of one port."""

    def __init__(self, directory: Path, name: str) -> None:
        self.path = directory / name
        """What the driver opens."""
        self._ours: int | None = None
        self._theirs: int | None = None

    @property
    def is_plugged(self) -> bool:
        return self._ours is not None

    @property
    def url(self) -> str:
        return str(self.path)

    def fileno(self) -> int:
        if self._ours is None:
            raise OSError(f"{self.path} is unplugged")
        return self._ours

    def plug(self) -> None:
        """Make the port appear."""
        if self.is_plugged:
            return
        ours, theirs = os.openpty()
        tty.setraw(theirs)
        os.set_blocking(ours, False)
        self._ours, self._theirs = ours, theirs
        link = self.path.with_name(f".{self.path.name}.new")
        link.unlink(missing_ok=True)
        link.symlink_to(os.ttyname(theirs))
        link.replace(self.path)

    def unplug(self) -> None:
        """Make it disappear, also while somebody has it open."""
        if self._ours is None or self._theirs is None:
            return
        self.path.unlink(missing_ok=True)
        os.close(self._theirs)
        os.close(self._ours)
        self._ours = self._theirs = None

    def attend(self, loop: asyncio.AbstractEventLoop, readable: Callable[[], None]) -> None:
        loop.add_reader(self.fileno(), readable)

    def leave(self, loop: asyncio.AbstractEventLoop) -> None:
        loop.remove_reader(self.fileno())

    def read(self) -> bytes:
        """What the driver has written; empty when there is nothing."""
        try:
            return os.read(self.fileno(), 4096)
        except BlockingIOError:
            return b""

    def write(self, data: bytes) -> None:
        """Send to the driver. What nobody reads overflows and is lost, as on a wire."""
        with suppress(BlockingIOError):
            os.write(self.fileno(), data)

    def forget_input(self) -> None:
        """Lose what has come in and was not read: the power was off."""
        while self.read():
            pass
