"""A pseudo-terminal for one test."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from sim_hw.wire.pty import Pty


def a_port(folder: Path, name: str, *, plugged: bool = False) -> Iterator[Pty]:
    """Unplugged when the test ends."""
    port = Pty(folder, name)
    if plugged:
        port.plug()
    yield port
    port.unplug()
