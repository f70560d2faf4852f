"""Devices that babble: each a process of its own, which writes as fast as its wire takes it."""

from __future__ import annotations

import asyncio
import random
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, asynccontextmanager, contextmanager, suppress
from pathlib import Path

from devices.drivers.shoe import ShoeDriver
from devices.ports.port import AT_ONCE
from devices.ports.tap import Chunk, Tap, Taps, listening_in
from devices.reports import DeviceState, Report
from devices.spec import DeviceSpec
from devices.supervisor import Supervisor
from protocols.link import frames
from protocols.link.framing import encode_frame
from sim_hw.devices.shoe import SimulatedShoe
from sim_hw.time.clock import MAX_SPEED, SimClock
from sim_hw.wire.pty import Pty

NOISE = random.Random(1).randbytes(4000)
GOOD_FRAMES = encode_frame(frames.encode(frames.KeepAlive(7, 1))) * 300
"""Short, whole and of no session of ours: the dearest bytes there are."""

BABBLER = """
import os, select, sys
wire, block = int(sys.argv[1]), bytes.fromhex(sys.argv[2])
while True:
    select.select([], [wire], [])
    try:
        os.write(wire, block)
    except BlockingIOError:
        pass
"""


@contextmanager
def babbling(wire: int, block: bytes) -> Iterator[None]:
    """A process of its own, so that its work is not the loop's, writes as fast as the wire takes it."""
    process = subprocess.Popen([sys.executable, "-c", BABBLER, str(wire), block.hex()], pass_fds=[wire])
    try:
        yield
    finally:
        process.kill()
        process.wait()


@contextmanager
def babbling_port(folder: Path, name: str, block: bytes) -> Iterator[str]:
    port = Pty(folder, name)
    port.plug()
    with babbling(port.fileno(), block):
        yield str(port.path)
    port.unplug()


@contextmanager
def babbling_socket(block: bytes) -> Iterator[str]:
    """Takes connections one after the other, and talks each down."""
    server = subprocess.Popen(
        [
            sys.executable,
            "-c",
            "import socket, sys\n"
            "listener = socket.create_server(('127.0.0.1', 0))\n"
            "print(listener.getsockname()[1], flush=True)\n"
            "while True:\n"
            "    connection, _ = listener.accept()\n"
            "    try:\n"
            "        while True: connection.sendall(bytes.fromhex(sys.argv[1]))\n"
            "    except OSError: pass\n",
            block.hex(),
        ],
        stdout=subprocess.PIPE,
    )
    assert server.stdout is not None
    try:
        yield f"socket://127.0.0.1:{int(server.stdout.readline())}"
    finally:
        server.kill()
        server.wait()
        server.stdout.close()


class BesetTable:
    """A shoe that is dealt, and the others that are on the table with it."""

    def __init__(self, folder: Path, babblers: dict[str, str]) -> None:
        self.shoe = SimulatedShoe(Pty(folder, "shoe"), SimClock(MAX_SPEED), seed=3)
        urls = {"shoe": str(folder / "shoe"), **babblers}
        specs = [DeviceSpec(id=name, kind="shoe", url=url) for name, url in urls.items()]
        self.supervisor = Supervisor(specs, self._sink, rng=random.Random(1))
        self.taps = Taps()
        self._boot: asyncio.Future[int] = asyncio.get_running_loop().create_future()

    async def _sink(self, report: Report) -> None:
        if isinstance(report, DeviceState) and report.boot is not None and not self._boot.done():
            self._boot.set_result(report.boot)

    async def deal(self, cards: int) -> list[float]:
        """Seconds of the loop's work from each card's leaving the shoe to the controller's acknowledgement.

        Not by the clock on the wall: that also counts what other programs take of the machine, the babblers first.
        """
        self.shoe.load()
        driver = self.supervisor.driver("shoe", ShoeDriver)
        driver.permit(cards, boot=await self._boot)
        await self.shoe.wait_taken()
        took = []
        for _ in range(cards):
            await self.shoe.link.wait_until(lambda: not self.shoe.is_locked)
            began = time.thread_time()
            await self.shoe.draw()
            await self.shoe.wait_taken()
            took.append(time.thread_time() - began)
        return took


@asynccontextmanager
async def beset_table(folder: Path, babblers: dict[str, str]) -> AsyncIterator[BesetTable]:
    laid = BesetTable(folder, babblers)
    laid.shoe.plug()
    with listening_in(laid.taps):
        task = asyncio.create_task(laid.supervisor.run())
    try:
        async with asyncio.timeout(60):
            yield laid
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
        laid.shoe.unplug()


@contextmanager
def three_babblers(folder: Path) -> Iterator[dict[str, str]]:
    """Noise and good frames of no session on two terminals, good frames from the network: their urls by name."""
    with ExitStack() as stack:
        yield {
            "noise": stack.enter_context(babbling_port(folder, "noise", NOISE)),
            "frames": stack.enter_context(babbling_port(folder, "frames", GOOD_FRAMES)),
            "network": stack.enter_context(babbling_socket(GOOD_FRAMES)),
        }


async def received_from(tap: Tap) -> None:
    """Until the port has been read from many times: before that its babbling proves nothing."""
    enough = asyncio.Event()
    passed = 0

    def count(chunk: Chunk) -> None:
        nonlocal passed
        passed += len(chunk.data)
        if passed > 20 * AT_ONCE:
            enough.set()

    stop = tap.listen(count)
    await enough.wait()
    stop()
