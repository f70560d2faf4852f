"""The bench's port: a device on USB takes its port away when it is switched off, and brings it back."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

from sim_hw.conform.opening import open_line
from sim_hw.wire.pty import Pty


async def until(holds: Callable[[], bool]) -> None:
    async with asyncio.timeout(30):
        while not holds():
            await asyncio.sleep(0.01)


async def test_a_port_that_went_away_is_opened_again_when_it_is_back(tmp_path: Path) -> None:
    port, loop = Pty(tmp_path, "shoe"), asyncio.get_running_loop()
    port.plug()
    line = await open_line(port.url, 115_200)
    came: list[bytes] = []
    port.unplug()
    await until(lambda: line.is_lost)
    line.write(b"nobody is there")
    port.plug()
    port.attend(loop, lambda: came.append(port.read()))
    await until(lambda: not line.is_lost)
    line.write(b"again")
    await until(lambda: b"again" in b"".join(came))
    assert (line.losses, b"nobody" in b"".join(came)) == (1, False)
    line.close()
    port.leave(loop)
    port.unplug()


async def test_a_port_that_was_closed_is_not_opened_again(tmp_path: Path) -> None:
    port = Pty(tmp_path, "shoe")
    port.plug()
    line = await open_line(port.url, 115_200)
    port.unplug()
    await until(lambda: line.is_lost)
    line.close()
    port.plug()
    await asyncio.sleep(0)
    assert line.is_lost
    port.unplug()
