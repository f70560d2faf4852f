"""Listening in on a port, and a line that cannot be set as asked."""

from __future__ import annotations

import asyncio
import termios
from collections.abc import Iterator
from pathlib import Path

import pytest

from devices.ports.tap import Chunk, Direction, Taps, listening_in
from devices.ports.transport import PortError, open_port
from sim_hw.wire.pty import Pty
from tests.support.wire.ports import a_port


class Driver(asyncio.Protocol):
    """Sends what a test asks for and keeps what comes."""

    def __init__(self) -> None:
        self.received = bytearray()
        self.news, self.lost = asyncio.Event(), asyncio.Event()

    def data_received(self, data: bytes) -> None:
        self.received += data
        self.news.set()

    def connection_lost(self, exc: Exception | None) -> None:
        self.lost.set()


@pytest.fixture
def port(tmp_path: Path) -> Iterator[Pty]:
    yield from a_port(tmp_path, "shoe", plugged=True)


async def talk(port: Pty, taps: Taps | None) -> None:
    """The driver says hello, the device answers; the port is free again afterwards."""
    driver = Driver()
    if taps is None:
        transport = await open_port(str(port.path), 115_200, driver)
    else:
        with listening_in(taps):
            # In a task, as drivers are: it inherits the taps.
            transport = await asyncio.create_task(open_port(str(port.path), 115_200, driver))
    transport.write(b"hello")
    port.write(b"9h")
    async with asyncio.timeout(60):
        await driver.news.wait()
        transport.abort()
        await driver.lost.wait()
    assert bytes(driver.received) == b"9h"


async def test_a_tap_gets_both_directions_over_all_openings_of_its_port(port: Pty) -> None:
    taps, chunks = Taps(), list[Chunk]()
    stop = taps[str(port.path)].listen(chunks.append)
    await talk(port, taps)
    await talk(port, taps)
    assert [(chunk.direction, chunk.data) for chunk in chunks] == 2 * [(Direction.OUT, b"hello"), (Direction.IN, b"9h")]
    assert [chunk.at_ns for chunk in chunks] == sorted(chunk.at_ns for chunk in chunks)
    stop()
    await talk(port, taps)
    assert len(chunks) == 4


async def test_several_may_listen_and_each_stops_for_himself(port: Pty) -> None:
    taps, first, second = Taps(), list[Chunk](), list[Chunk]()
    stop_first = taps[str(port.path)].listen(first.append)
    taps[str(port.path)].listen(second.append)
    await talk(port, taps)
    stop_first()
    await talk(port, taps)
    assert (len(first), len(second)) == (2, 4)


async def test_a_tap_gets_its_own_port_and_nothing_is_tapped_without_taps(port: Pty) -> None:
    taps, chunks = Taps(), list[Chunk]()
    taps["/dev/another"].listen(chunks.append)
    await talk(port, taps)
    taps[str(port.path)].listen(chunks.append)
    await talk(port, None)
    assert chunks == []


def test_a_chunk_is_not_written_into_a_log() -> None:
    assert "9h" not in repr(Chunk(1, Direction.IN, b"9h"))


async def test_a_line_that_cannot_be_set_as_asked(port: Pty, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise termios.error(22, "Invalid argument")

    monkeypatch.setattr(termios, "tcsetattr", refuse)
    with pytest.raises(PortError, match="cannot be set to 19200 baud with parity even: Invalid argument"):
        await open_port(str(port.path), 19_200, Driver(), parity="even")
