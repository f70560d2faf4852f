"""Two serial ports joined back to back, so that somebody else's program can sit at the other end of ours."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sim_hw.wire.pty import Pty


@contextmanager
def null_modem(directory: Path) -> Iterator[tuple[Path, Path]]:
    """What is written to one of these paths is read at the other. Needs a running loop."""
    loop = asyncio.get_running_loop()
    near, far = Pty(directory, "near"), Pty(directory, "far")
    for port in (near, far):
        port.plug()

    def carry(source: Pty, target: Pty) -> None:
        target.write(source.read())

    loop.add_reader(near.fileno(), carry, near, far)
    loop.add_reader(far.fileno(), carry, far, near)
    try:
        yield near.path, far.path
    finally:
        for port in (near, far):
            loop.remove_reader(port.fileno())
            port.unplug()
