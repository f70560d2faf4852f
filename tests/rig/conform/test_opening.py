"""The bench's port: a device on USB takes its port away when it is switched off, and brings it back."""

from __future__ import annotations

import asyncio
from pathlib import Path

from sim_hw.conform.opening import open_line
from sim_hw.wire.pty import Pty


async def test_a_port_that_went_away_is_opened_again_when_it_is_back(tmp_path: Path) -> None:
    port, loop = Pty(tmp_path, "shoe"), asyncio.get_running_loop()
    port.plug()
    line = await open_line(port.url, 115_200)
    came, arrived = bytearray(), asyncio.Event()

    def readable() -> None:
        came.extend(port.read())
        if b"again" in came:
            arrived.set()

    port.unplug()
    await line.wait_until(is_lost=True)
    line.write(b"nobody is there")
    port.plug()
    port.attend(loop, readable)
    await line.wait_until(is_lost=False)
    line.write(b"again")
    await arrived.wait()
    assert (line.losses, b"nobody" in came) == (1, False)
    line.close()
    port.leave(loop)
    port.unplug()


async def test_a_port_that_was_closed_is_not_opened_again(tmp_path: Path) -> None:
    port = Pty(tmp_path, "shoe")
    port.plug()
    line = await open_line(port.url, 115_200)
    port.unplug()
    await line.wait_until(is_lost=True)
    line.close()
    port.plug()
    await asyncio.sleep(0)
    assert line.is_lost
    port.unplug()
