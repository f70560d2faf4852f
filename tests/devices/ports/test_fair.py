"""A device that babbles or hangs costs the others next to nothing: bounded buffers, a share of the loop for each."""

from __future__ import annotations

import asyncio
import random
import socket
import statistics
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path

import pytest

from devices.drivers.shoe import ShoeDriver
from devices.ports.port import AT_ONCE, BURST, MAX_UNSENT, SHARE
from devices.ports.tap import Chunk, Tap, Taps, listening_in
from devices.ports.transport import open_port
from devices.reports import DeviceState, Report
from devices.spec import DeviceSpec
from devices.supervisor import Supervisor
from protocols.link import frames
from protocols.link.framing import encode_frame
from sim_hw.devices.shoe import SimulatedShoe
from sim_hw.time.clock import MAX_SPEED, SimClock
from sim_hw.wire.pty import Pty

CARDS = 100
TIMES_AS_LONG = 6.0
"""The figure: with three devices that send as fast as the machine can carry, the loop works at most this many times
as long from a card leaving the shoe to its acknowledgement as at a quiet table. Measured: 2 to 3 times; 15 times where
ports have no share, and up to 50 where a TCP connection is read a quarter of a megabyte at once besides."""
GRACE_S = 0.001
"""Beside it, for a quiet table whose figure came out low."""

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


class Table:
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

    async def deal(self) -> list[float]:
        """Seconds of the loop's work from each card's leaving the shoe to the controller's acknowledgement.

        Not by the clock on the wall: that also counts what other programs take of the machine, the babblers first.
        """
        self.shoe.load()
        driver = self.supervisor.driver("shoe", ShoeDriver)
        driver.permit(CARDS, boot=await self._boot)
        await self.shoe.wait_taken()
        took = []
        for _ in range(CARDS):
            await self.shoe.link.wait_until(lambda: not self.shoe.is_locked)
            began = time.thread_time()
            await self.shoe.draw()
            await self.shoe.wait_taken()
            took.append(time.thread_time() - began)
        return took


@asynccontextmanager
async def table(folder: Path, babblers: dict[str, str]) -> AsyncIterator[Table]:
    laid = Table(folder, babblers)
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


async def test_three_babblers_do_not_hold_a_card_up(tmp_path: Path) -> None:
    async with table(tmp_path, {}) as quiet:
        alone = statistics.median(await quiet.deal())
    with (
        babbling_port(tmp_path, "noise", NOISE) as noise,
        babbling_port(tmp_path, "frames", GOOD_FRAMES) as good,
        babbling_socket(GOOD_FRAMES) as network,
    ):
        babblers = {"noise": noise, "frames": good, "network": network}
        async with table(tmp_path, babblers) as loud:
            for url in babblers.values():
                await heard_from(loud.taps[url])
            beset = statistics.median(await loud.deal())
    print(f"a card is acknowledged in {alone * 1000:.2f} ms, beset by babblers in {beset * 1000:.2f} ms")
    assert beset <= TIMES_AS_LONG * alone + GRACE_S


async def heard_from(tap: Tap) -> None:
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


async def test_a_babbler_gets_its_share_of_the_loop_and_no_more() -> None:
    meter = Meter()
    with babbling_socket(NOISE) as url:
        transport = await open_port(url, 115_200, meter)
        began = time.perf_counter()
        async with asyncio.timeout(60):
            while meter.busy < 20 * BURST:
                meter.news.clear()
                await meter.news.wait()
        took = time.perf_counter() - began
        transport.abort()
        await meter.lost.wait()
    assert meter.busy - BURST - meter.longest <= 1.1 * SHARE * took
    assert meter.most == AT_ONCE


class Meter(asyncio.Protocol):
    """Takes half a millisecond of work for whatever it is given, and reckons it up."""

    def __init__(self) -> None:
        self.busy = self.longest = 0.0
        self.most = 0
        self.news, self.lost = asyncio.Event(), asyncio.Event()

    def data_received(self, data: bytes) -> None:
        began = time.thread_time()
        while time.thread_time() - began < 0.0005:
            pass
        took = time.thread_time() - began
        self.busy += took
        self.longest = max(self.longest, took)
        self.most = max(self.most, len(data))
        self.news.set()

    def connection_lost(self, exc: Exception | None) -> None:
        self.lost.set()


class Writer(asyncio.Protocol):
    def __init__(self) -> None:
        self.lost: asyncio.Future[Exception | None] = asyncio.get_running_loop().create_future()

    def connection_lost(self, exc: Exception | None) -> None:
        self.lost.set_result(exc)


@pytest.mark.parametrize("link", ["terminal", "network"])
async def test_a_device_that_takes_no_bytes_is_given_up_before_they_fill_the_memory(tmp_path: Path, link: str) -> None:
    with stuck(tmp_path, link) as url:
        writer = Writer()
        transport = await open_port(url, 115_200, writer)
        most = 0
        async with asyncio.timeout(30):
            while not transport.is_closing():
                transport.write(bytes(4096))
                most = max(most, transport.get_write_buffer_size())
                await asyncio.sleep(0)
            failure = await writer.lost
        assert str(failure) == f"it has not taken the last {MAX_UNSENT} bytes"
        assert most <= MAX_UNSENT


@contextmanager
def stuck(folder: Path, link: str) -> Iterator[str]:
    """A port behind which nobody reads."""
    if link == "terminal":
        port = Pty(folder, "stuck")
        port.plug()
        yield str(port.path)
        port.unplug()
    else:
        with socket.create_server(("127.0.0.1", 0)) as listener:
            yield f"socket://127.0.0.1:{listener.getsockname()[1]}"


async def test_a_driver_that_does_not_want_to_read_is_not_made_to_by_the_end_of_a_wait(tmp_path: Path) -> None:
    meter = Meter()
    with babbling_port(tmp_path, "noise", NOISE) as url:
        transport = await open_port(url, 115_200, meter)
        async with asyncio.timeout(30):
            while meter.busy < 3 * BURST:
                meter.news.clear()
                await meter.news.wait()
            transport.pause_reading()
            before = meter.busy
            meter.news.clear()
            with suppress(TimeoutError):
                async with asyncio.timeout(2 * BURST / SHARE):
                    await meter.news.wait()
            assert meter.busy == before
            transport.resume_reading()
            await meter.news.wait()
        transport.abort()
        await meter.lost.wait()
