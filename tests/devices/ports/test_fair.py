"""A device that babbles or hangs costs the others next to nothing: bounded buffers, a share of the loop for each."""

from __future__ import annotations

import asyncio
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from devices.ports.port import AT_ONCE, BURST, MAX_UNSENT, SHARE
from devices.ports.transport import open_port
from sim_hw.wire.pty import Pty
from tests.support.wire.babblers import (
    NOISE,
    babbling_port,
    babbling_socket,
    beset_table,
    received_from,
    three_babblers,
)

CARDS = 100


async def test_cards_are_dealt_beside_three_babblers(tmp_path: Path) -> None:
    """How long that takes is a figure of `make bench`: tests/bench/babblers.py."""
    with three_babblers(tmp_path) as babblers:
        async with beset_table(tmp_path, babblers) as table:
            for url in babblers.values():
                await received_from(table.taps[url])
            assert len(await table.deal(CARDS)) == CARDS


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
