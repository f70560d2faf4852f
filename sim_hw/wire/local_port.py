"""A port without a kernel's terminal in between: a socket in the file system, `unix:///path` in the daemon's config.

What is written on one side can be read on the other at once, never a moment later, so a run in simulated time
(`sim_hw.time.loop`) is the same every time. A pseudo-terminal hands its bytes over from a thread of the kernel.
"""

from __future__ import annotations

import os
import socket
from pathlib import Path

from sim_hw.wire.tcp import TcpPort


class LocalPort(TcpPort):
    """The simulator's end of one port. Unplugged at first."""

    def __init__(self, directory: Path, name: str) -> None:
        super().__init__()
        self.path = directory / name

    @property
    def url(self) -> str:
        return f"unix://{self.path}" if self.path.is_absolute() else f"unix:{self.path}"

    def plug(self) -> None:
        if self._listening is not None:
            return
        self.path.unlink(missing_ok=True)
        self._listening = socket.socket(socket.AF_UNIX)
        self._listening.setblocking(False)
        # A path in the file system may be longer than a socket's name: bind where it is.
        folder = os.open(self.path.parent, os.O_RDONLY)
        try:
            self._listening.bind(f"/proc/self/fd/{folder}/{self.path.name}")
        finally:
            os.close(folder)
        self._listening.listen()

    def unplug(self) -> None:
        self.path.unlink(missing_ok=True)
        super().unplug()
