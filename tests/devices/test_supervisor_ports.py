"""Opening a port: each way it fails is one sentence, and no port can hold the daemon up."""

from __future__ import annotations

import asyncio
import errno
import os
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
import serial

from devices.ports.transport import PortError, open_port
from sim_hw.wire.pty import Pty
from tests.support.wire.ports import a_port


class Listener(asyncio.Protocol):
    """Notes what a port does."""

    def __init__(self) -> None:
        self.lost = asyncio.Event()

    def connection_lost(self, exc: Exception | None) -> None:
        self.lost.set()


@pytest.fixture
def port(tmp_path: Path) -> Iterator[Pty]:
    yield from a_port(tmp_path, "shoe", plugged=True)


async def sentence(url: str, baud: int = 115_200) -> str:
    with pytest.raises(PortError) as refused:
        await open_port(url, baud, Listener())
    return str(refused.value)


async def test_a_missing_port(tmp_path: Path) -> None:
    says = await sentence(str(tmp_path / "nothing"))
    assert says.startswith(f"there is no port {tmp_path / 'nothing'}: check the device's cable and power")


async def test_a_port_that_another_program_has(port: Pty) -> None:
    with serial.Serial(str(port.path), exclusive=True):
        assert (await sentence(str(port.path))).startswith(f"{port.path} is in use by another program")
    transport = await open_port(str(port.path), 115_200, listener := Listener())
    transport.abort()
    await listener.lost.wait()


async def test_a_port_that_we_may_not_open(port: Pty, monkeypatch: pytest.MonkeyPatch) -> None:
    really_open = os.open

    def refuse(path: str, flags: int, mode: int = 0o777) -> int:
        if path == str(port.path):
            raise PermissionError(errno.EACCES, "Permission denied", path)
        return really_open(path, flags, mode)

    monkeypatch.setattr(os, "open", refuse)
    assert (await sentence(str(port.path))).startswith(f"no permission to open {port.path}")


async def test_a_file_that_is_no_port(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert await sentence(str(tmp_path / "file")) == f"{tmp_path / 'file'} is not a serial port"


async def test_a_speed_that_is_none(port: Pty) -> None:
    assert "cannot be opened at -5 baud" in await sentence(str(port.path), baud=-5)


@pytest.mark.parametrize(
    ("url", "says"),
    [
        ("loop://", "give a path, usb://VID:PID, rfc2217://host:port or socket://host:port"),
        ("socket://nowhere", "names no host and port"),
    ],
)
async def test_a_url_that_is_none_of_ours(url: str, says: str) -> None:
    assert says in await sentence(url)


async def test_a_socket_that_nobody_listens_on() -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        url = f"socket://127.0.0.1:{unused.getsockname()[1]}"
        assert f"{url} does not answer" in await sentence(url)


@pytest.mark.parametrize("size", [1, 16, 64])
async def test_a_device_that_stops_reading_does_not_stop_the_daemon(port: Pty, size: int) -> None:
    listener = Listener()
    async with asyncio.timeout(20):
        transport = await open_port(str(port.path), 115_200, listener)
        written = 0
        while transport.get_write_buffer_size() < 1000:
            transport.write(bytes(size))
            written += size
            assert written < 1_000_000, "the terminal should be full by now"
            await asyncio.sleep(0)
        transport.abort()
        await listener.lost.wait()


async def test_a_cancelled_opening_leaves_the_port_free(port: Pty) -> None:
    opening = asyncio.create_task(open_port(str(port.path), 115_200, Listener()))
    await asyncio.sleep(0)
    opening.cancel()
    with pytest.raises(asyncio.CancelledError):
        await opening
    async with asyncio.timeout(60):
        while True:
            try:
                transport = await open_port(str(port.path), 115_200, listener := Listener())
                break
            except PortError as busy:
                assert "in use" in str(busy)
        transport.abort()
        await listener.lost.wait()
