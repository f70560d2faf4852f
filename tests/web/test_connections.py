"""Connections that ask for nothing: how long they may stay, and what they cost everybody else."""

from __future__ import annotations

import asyncio
import errno
import logging
import socket
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from aiohttp import ClientSession, TCPConnector

from controller.web import connections, door
from controller.web.connections import ConnectionBounds
from controller.web.server import serve
from tests.web.test_feed import PINS, ScriptedTable, a_view, staff_file

PATIENT = ConnectionBounds(most=12, most_of_client=8, burst=1000, first_request_s=600)
STRANGER, TABLET = "127.0.0.66", "127.0.0.7"
ASK = b"GET /api/view HTTP/1.1\r\nHost: localhost\r\n\r\n"


def open_files() -> int:
    return len([*Path("/proc/self/fd").iterdir()])


class Wire:
    """A connection from an address, without a browser."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer
        self._rest = ASK[1:]

    async def ask(self) -> bytes:
        self.writer.write(self._rest)
        return await self._answer()

    async def ask_whole(self) -> bytes:
        """Where nothing was sent before."""
        self.writer.write(ASK)
        return await self._answer()

    async def _answer(self) -> bytes:
        self._rest = ASK
        head = await asyncio.wait_for(self.reader.readuntil(b"\r\n\r\n"), 20)
        length = int(head.lower().partition(b"content-length: ")[2].partition(b"\r\n")[0])
        await self.reader.readexactly(length)
        return head

    async def is_closed(self) -> bool:
        """Waits until it is."""
        try:
            return await asyncio.wait_for(self.reader.read(), 20) == b""
        except ConnectionError:
            return True

    @property
    def is_open(self) -> bool:
        return not self.reader.at_eof()


class Wires:
    def __init__(self, port: int, stack: AsyncExitStack) -> None:
        self._port, self._stack = port, stack

    async def connect(self, address: str) -> Wire:
        """A connection whose request has begun: before its first byte the kernel keeps it."""
        wire = await self.connect_silently(address)
        wire.writer.write(ASK[:1])
        return wire

    async def connect_silently(self, address: str) -> Wire:
        reader, writer = await asyncio.open_connection("127.0.0.1", self._port, local_addr=(address, 0))
        self._stack.callback(writer.close)
        return Wire(reader, writer)


@asynccontextmanager
async def wired(bounds: ConnectionBounds) -> AsyncIterator[Wires]:
    table = ScriptedTable(a_view(seq=1))
    async with serve(table.page, connections=bounds) as url, AsyncExitStack() as stack:
        yield Wires(urlsplit(url).port or 0, stack)


async def test_a_connection_without_a_request_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "SWEEP_S", 0.01)
    async with wired(ConnectionBounds(first_request_s=0.05)) as wires:
        silent = await wires.connect(STRANGER)
        assert await silent.is_closed()


async def test_a_head_that_comes_drop_by_drop_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "SWEEP_S", 0.01)
    async with wired(ConnectionBounds(first_request_s=0.1)) as wires:
        slow = await wires.connect_silently(STRANGER)
        closed = asyncio.create_task(slow.is_closed())
        slow.writer.write(b"GET / HTTP/1.1\r\n")
        while not closed.done():
            slow.writer.write(b"X-Drop: y\r\n")
            await asyncio.wait({closed}, timeout=0.01)
        assert closed.result()


async def test_who_reads_no_answer_does_not_keep_a_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    """Many requests at once whose answers nobody takes."""
    monkeypatch.setattr(connections, "SWEEP_S", 0.01)
    async with wired(ConnectionBounds(request_s=0.2, idle_s=0.2)) as wires:
        deaf = await wires.connect_silently(STRANGER)
        deaf.writer.write(b"GET /static/console.js HTTP/1.1\r\nHost: localhost\r\n\r\n" * 2000)
        with pytest.raises(ConnectionError):
            async with asyncio.timeout(20):
                while True:
                    deaf.writer.write(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
                    await deaf.writer.drain()


async def test_a_connection_that_asks_again_and_again_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "SWEEP_S", 0.01)
    async with wired(ConnectionBounds(first_request_s=0.05)) as wires:
        tablet = await wires.connect(TABLET)
        assert b" 200 " in await tablet.ask()
        silent = await wires.connect(STRANGER)
        assert await silent.is_closed()
        assert b" 200 " in await tablet.ask()


async def test_half_open_connections_of_a_client_push_out_each_other() -> None:
    async with wired(PATIENT) as wires:
        tablet = await wires.connect(TABLET)
        await tablet.ask()
        half_open = [await wires.connect(STRANGER) for _ in range(30)]
        for wire in half_open[:22]:
            assert await wire.is_closed()
        assert b" 200 " in await half_open[-1].ask()
        assert b" 200 " in await tablet.ask()


async def test_a_client_that_connects_over_and_over_is_turned_away_before_it_costs_anything() -> None:
    async with wired(ConnectionBounds(burst=10, each_s=3600)) as wires:
        greedy = [await wires.connect(STRANGER) for _ in range(20)]
        for wire in greedy[10:]:
            assert await wire.is_closed()
        assert b" 200 " in await greedy[0].ask()
        assert b" 200 " in await (await wires.connect(TABLET)).ask()


async def test_in_a_crowd_strangers_may_connect_less_often_than_consoles(tmp_path: Path) -> None:
    table = ScriptedTable(a_view(seq=1), staff_file(tmp_path))
    bounds = ConnectionBounds(burst=12, few=2, each_s=3600, crowd=8, crowd_each_s=3600)
    async with serve(table.page, connections=bounds) as url, AsyncExitStack() as stack:
        connector = TCPConnector(local_addr=(TABLET, 0))
        sign_in = {"name": "sam", "pin": PINS["sam"]}
        async with ClientSession(url, connector=connector) as tablet, tablet.post("/api/login", json=sign_in) as answer:
            assert answer.status == 200
        wires = Wires(urlsplit(url).port or 0, stack)
        early = [await wires.connect(STRANGER) for _ in range(7)]
        for number in range(3):
            late = [await wires.connect(f"127.0.1.{number}") for _ in range(4)]
            assert b" 200 " in await late[0].ask() and b" 200 " in await late[1].ask()
            assert await late[2].is_closed() and await late[3].is_closed()
        assert b" 200 " in await early[-1].ask(), "it came before the crowd"
        console = [await wires.connect(TABLET) for _ in range(10)]
        assert b" 200 " in await console[-1].ask()


async def test_connections_that_send_nothing_take_no_descriptor() -> None:
    async with wired(PATIENT) as wires:
        before = open_files()
        silent = [await wires.connect_silently(STRANGER) for _ in range(100)]
        assert b" 200 " in await (await wires.connect(TABLET)).ask()
        # Ours, as the client; the tablet has one at each end.
        assert open_files() <= before + 100 + 2
        assert b" 200 " in await silent[0].ask_whole(), "it may still ask"


async def test_in_a_crowd_who_is_new_does_not_wait_behind_those_who_come_again_and_again() -> None:
    bounds = ConnectionBounds(few=30, each_s=3600, crowd=2, crowd_each_s=3600, stranger_each_s=0.5)
    async with wired(bounds) as wires:
        again = [await wires.connect(STRANGER) for _ in range(30)]
        asking = [asyncio.create_task(wire.ask()) for wire in again]
        try:
            assert b" 200 " in await (await wires.connect(TABLET)).ask()
            assert not all(task.done() for task in asking), "they wait for their turn"
        finally:
            for task in asking:
                task.cancel()
            await asyncio.gather(*asking, return_exceptions=True)


async def test_in_a_crowd_the_door_holds_a_limited_number() -> None:
    bounds = ConnectionBounds(most=8, few=30, each_s=3600, crowd=1, crowd_each_s=3600, stranger_each_s=600)
    async with wired(bounds) as wires:
        first = await wires.connect(TABLET)
        assert b" 200 " in await first.ask()
        waiting = [await wires.connect(STRANGER) for _ in range(10)]
        for wire in waiting[3:]:
            assert await wire.is_closed()
        assert b" 200 " in await waiting[0].ask(), "with it the crowd began"
        assert waiting[1].is_open and waiting[2].is_open
        assert b" 200 " in await first.ask()


async def test_half_open_connections_of_many_clients_leave_room_for_the_next() -> None:
    async with wired(PATIENT) as wires:
        tablet = await wires.connect(TABLET)
        await tablet.ask()
        half_open = [await wires.connect(f"127.0.1.{number // 2}") for number in range(40)]
        assert sum([await wire.is_closed() for wire in half_open[:20]]) == 20
        assert b" 200 " in await (await wires.connect("127.0.0.8")).ask()
        assert tablet.is_open


async def test_where_every_connection_is_at_work_the_next_is_closed() -> None:
    bounds = ConnectionBounds(most=3, most_of_client=8)
    table = ScriptedTable(a_view(seq=1))
    async with serve(table.page, connections=bounds) as url, ClientSession(url) as session, AsyncExitStack() as stack:
        for _ in range(3):
            await stack.enter_async_context(session.get("/api/stream"))
        wires = Wires(urlsplit(url).port or 0, stack)
        assert await (await wires.connect(TABLET)).is_closed()
        assert len(table.acts) == 0


async def test_the_server_leaves_half_of_the_descriptors_to_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("resource.getrlimit", lambda _: (16, 16))
    async with wired(ConnectionBounds(most=1000, first_request_s=600)) as wires:
        half_open = [await wires.connect(f"127.0.1.{number}") for number in range(20)]
        assert sum([await wire.is_closed() for wire in half_open[:12]]) == 12
        assert b" 200 " in await half_open[-1].ask()


async def test_no_descriptor_is_left_and_the_log_has_one_line(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    tries = 0
    tried_often = asyncio.Event()

    def none_left(self: socket.socket) -> Any:
        nonlocal tries
        tries += 1
        if tries >= 200:
            tried_often.set()
        raise OSError(errno.EMFILE, "Too many open files")

    monkeypatch.setattr(door, "PAUSE_S", 0.0001)
    async with wired(PATIENT) as wires:
        with monkeypatch.context() as patch, caplog.at_level(logging.WARNING):
            patch.setattr(socket.socket, "accept", none_left)
            waiting = await wires.connect(TABLET)
            await asyncio.wait_for(tried_often.wait(), 20)
        assert len(caplog.records) == 1 and "no file descriptor left" in caplog.text
        assert b" 200 " in await waiting.ask()


async def test_a_flood_of_connections_has_one_line_in_the_log(caplog: pytest.LogCaptureFixture) -> None:
    async with wired(PATIENT) as wires:
        for _ in range(200):
            await wires.connect(STRANGER)
    assert len([record for record in caplog.records if record.levelno >= logging.WARNING]) == 1


@pytest.mark.parametrize(
    "sent",
    [b"\x16\x03\x01\x02\x00\x01\x00", b"\x00" * 4096, b"GET / HTTP/9.9\r\n\r\n", b"A" * 100_000, b"\r\n" * 1000],
)
async def test_what_is_not_http_is_answered_with_an_error_and_not_in_the_log(
    sent: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    async with wired(ConnectionBounds(first_request_s=1)) as wires:
        for _ in range(20):
            stranger = await wires.connect_silently(STRANGER)
            stranger.writer.write(sent)
            stranger.writer.write_eof()
            await stranger.is_closed()
    assert [record for record in caplog.records if record.levelno >= logging.WARNING] == []


async def test_who_leaves_in_mid_request_is_not_in_the_log(caplog: pytest.LogCaptureFixture) -> None:
    head = b"POST /api/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nExpect: 100-continue\r\n"
    async with wired(PATIENT) as wires:
        tablet = await wires.connect_silently(TABLET)
        await tablet.ask_whole()
        before = open_files()
        for length in (b"Content-Length: 100\r\n\r\n", b"Transfer-Encoding: chunked\r\n\r\n"):
            stranger = await wires.connect_silently(STRANGER)
            stranger.writer.write(head + length)
            await stranger.reader.readuntil(b"100 Continue\r\n\r\n")
            stranger.writer.write(b"{")
            stranger.writer.transport.abort()
            while open_files() > before:
                await tablet.ask_whole()
        await tablet.ask_whole()
    assert [record for record in caplog.records if record.levelno >= logging.WARNING] == []
