"""The way of a soaked table to its broker: what works there in real time does not show at the table."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from controller.soak.broker import Way
from sim_hw.time.loop import SimLoop

PUBLISH_5 = b"\x32\x08\x00\x01a\x00\x05\x00hi"
PUBLISH_6 = b"\x32\x08\x00\x01a\x00\x06\x00hi"
PUBACK_5, PUBACK_6 = b"\x40\x02\x00\x05", b"\x40\x02\x00\x06"
Serve = Callable[[socket.socket], None]


@contextlib.contextmanager
def a_broker(serve: Serve) -> Iterator[int]:
    """Takes one connection, on a thread of its own."""
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def attend() -> None:
            connection, _ = listening.accept()
            with connection:
                serve(connection)

        thread = threading.Thread(target=attend)
        thread.start()
        yield listening.getsockname()[1]
        thread.join()


class Table(asyncio.Protocol):
    """What the table reads, and when."""

    def __init__(self) -> None:
        self.read: list[tuple[bytes, float]] = []
        self.lost = asyncio.Event()

    def data_received(self, data: bytes) -> None:
        self.read.append((data, asyncio.get_running_loop().time()))

    def connection_lost(self, exc: Exception | None) -> None:
        self.lost.set()


def at_a_table(port: int, folder: Path, *packets: bytes) -> Table:
    """Sends these packets over a way to the broker, one a second; ends when the way is cut."""

    async def main() -> Table:
        loop = asyncio.get_running_loop()
        assert isinstance(loop, SimLoop)
        way = Way(loop, port, str(folder / "broker"))
        await way.lay()
        transport, table = await loop.create_unix_connection(Table, way.name)
        for packet in packets:
            transport.write(packet)
            await asyncio.sleep(1)
        way.cut()
        await table.lost.wait()
        await way.close()
        return table

    with asyncio.Runner(loop_factory=SimLoop) as runner:
        return runner.run(main())


def test_answers_come_in_the_order_of_the_questions_and_take_no_time(tmp_path: Path) -> None:
    def slow_and_out_of_order(connection: socket.socket) -> None:
        asked = b""
        while len(asked) < len(PUBLISH_5 + PUBLISH_6):
            asked += connection.recv(4096)
        assert asked == PUBLISH_5 + PUBLISH_6
        for answer in (PUBACK_6, PUBACK_5[:1], PUBACK_5[1:]):
            time.sleep(0.02)
            connection.sendall(answer)
        connection.recv(4096)

    with a_broker(slow_and_out_of_order) as port:
        table = at_a_table(port, tmp_path, PUBLISH_5 + PUBLISH_6)
    assert table.read == [(PUBACK_5 + PUBACK_6, 0.0)]


def read_all(connection: socket.socket, *packets: bytes) -> None:
    expected, came = b"".join(packets), b""
    while len(came) < len(expected):
        came += connection.recv(4096)
    assert came == expected


def test_a_message_is_acknowledged_at_once_as_the_one_before_on_its_topic(tmp_path: Path) -> None:
    ended = threading.Event()

    def acknowledge_late(connection: socket.socket) -> None:
        read_all(connection, PUBLISH_5)
        connection.sendall(PUBACK_5)
        read_all(connection, PUBLISH_6)
        time.sleep(0.2)
        connection.sendall(PUBACK_6)
        # The table hangs up only when the broker has taken everything.
        assert connection.recv(4096) == b""
        ended.set()

    with a_broker(acknowledge_late) as port:
        table = at_a_table(port, tmp_path, PUBLISH_5, PUBLISH_6)
    assert [data for data, _ in table.read] == [PUBACK_5, PUBACK_6]
    assert ended.is_set()


def test_a_broker_that_then_says_something_else_ends_the_day(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    def change_its_mind(connection: socket.socket) -> None:
        read_all(connection, PUBLISH_5)
        connection.sendall(PUBACK_5)
        read_all(connection, PUBLISH_6)
        connection.sendall(b"\x40\x03\x00\x06\x10")

    with a_broker(change_its_mind) as port:
        at_a_table(port, tmp_path, PUBLISH_5, PUBLISH_6)
    assert any("AnotherAnswer" in str(record.exc_info) for record in caplog.records if record.levelname == "ERROR")


def test_a_broker_that_hangs_up_is_lost_to_the_table_at_once(tmp_path: Path) -> None:
    def hang_up(connection: socket.socket) -> None:
        connection.recv(4096)

    with a_broker(hang_up) as port:
        table = at_a_table(port, tmp_path, PUBLISH_5)
    assert table.read == []
