"""A broker, the table's way to it, and a subscriber who writes down what is told.

The broker is a process of its own: Mosquitto where there is one, else the demo's embedded broker. The table reaches it
through a `Way`, which can be cut; it counts what the broker owes (acknowledgements of connections, events, pings), and
while it owes something, simulated time stands still.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import aiomqtt
import msgspec
from msgspec import Struct

from sim_hw.sim_loop import SimLoop

HOST = "127.0.0.1"
_PATH = os.pathsep.join([os.environ.get("PATH", os.defpath), "/usr/sbin", "/usr/local/sbin"])
_STARTS_S = 20.0
_ASKS = {1: 1, 3: 1, 8: 1, 10: 1, 12: 1}
"""MQTT packets that are answered: CONNECT, PUBLISH (ours are all QoS 1), SUBSCRIBE, UNSUBSCRIBE, PINGREQ."""
_ANSWERS = frozenset({2, 4, 9, 11, 13})


class NoBroker(Exception):
    """No broker could be started, in one paragraph."""


class Told(Struct, frozen=True):
    """What the subscriber keeps of an event."""

    seq: int
    hash: str


@contextlib.contextmanager
def broker(folder: Path) -> Iterator[tuple[int, str]]:
    """Gives the port and the version of MQTT that the broker speaks."""
    port = _free_port()
    mosquitto = shutil.which("mosquitto", path=_PATH)
    if mosquitto is not None:
        config = folder / "mosquitto.conf"
        user = "user root" if os.getuid() == 0 else ""
        config.write_text(
            f"listener {port} {HOST}\nallow_anonymous true\nmax_queued_messages 0\nset_tcp_nodelay true\n{user}\n"
        )
        command, version = [mosquitto, "-c", str(config)], "5"
    else:
        command, version = [sys.executable, "-m", "controller.broker", "--port", str(port)], "3.1.1"
    with (folder / "broker.log").open("wb") as log:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        try:
            _wait_for(process, port, folder / "broker.log")
            yield port, version
        finally:
            process.terminate()
            process.wait(10)


def _wait_for(process: subprocess.Popen[bytes], port: int, log: Path) -> None:
    deadline = time.monotonic() + _STARTS_S
    while True:
        try:
            socket.create_connection((HOST, port), 1).close()
            return
        except OSError:
            if process.poll() is not None or time.monotonic() > deadline:
                raise NoBroker(f"No broker came up for the soak: {log.read_text()[-500:]}") from None
            time.sleep(0.02)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        port: int = probe.getsockname()[1]
        return port


class Way:
    """The table's way to its broker."""

    def __init__(self, loop: SimLoop, broker_port: int) -> None:
        self._loop, self._broker_port = loop, broker_port
        self._open: set[asyncio.Transport] = set()
        self._server: asyncio.Server | None = None
        self.is_cut = False
        self.port = 0

    async def lay(self) -> None:
        self._server = await self._loop.create_server(lambda: _FromTable(self), HOST, 0)
        self.port = self._server.sockets[0].getsockname()[1]

    def cut(self) -> None:
        """Nothing passes, and whoever tries is turned away."""
        self.is_cut = True
        for line in list(self._open):
            line.abort()

    def mend(self) -> None:
        self.is_cut = False

    async def close(self) -> None:
        self.cut()
        if self._server is not None:
            self._server.close()
            await self._server.wait_closed()


class _Packets:
    """MQTT packet types out of a stream of bytes."""

    def __init__(self) -> None:
        self._bytes = bytearray()

    def feed(self, data: bytes) -> Iterator[int]:
        self._bytes += data
        while len(self._bytes) >= 2:
            length, at = 0, 1
            while at < len(self._bytes) and at < 5:
                length |= (self._bytes[at] & 0x7F) << 7 * (at - 1)
                at += 1
                if self._bytes[at - 1] < 0x80:
                    break
            else:
                return
            if len(self._bytes) < at + length:
                return
            yield self._bytes[0] >> 4
            del self._bytes[: at + length]


class _FromTable(asyncio.Protocol):
    """The table's end of one connection."""

    def __init__(self, way: Way) -> None:
        self.way, self.loop = way, way._loop
        self.table: asyncio.Transport | None = None
        self.broker: asyncio.Transport | None = None
        self.owed = 0
        self._waiting = b""
        self._packets = _Packets()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.table = transport
        if self.way.is_cut:
            transport.abort()
            return
        self.way._open.add(transport)
        reaching = asyncio.ensure_future(
            self.loop.create_connection(lambda: _FromBroker(self), HOST, self.way._broker_port)
        )
        self.loop.hold_until(reaching)

    def data_received(self, data: bytes) -> None:
        self.owe(sum(kind in _ASKS for kind in self._packets.feed(data)))
        if self.broker is None:
            self._waiting += data
        else:
            self.broker.write(data)

    def reached(self, broker: asyncio.Transport) -> None:
        self.broker = broker
        broker.write(self._waiting)
        self._waiting = b""
        if self.table is None or self.table.is_closing():
            broker.abort()

    def owe(self, more: int) -> None:
        before, self.owed = self.owed, max(0, self.owed + more)
        self.loop._held += bool(self.owed) - bool(before)

    def connection_lost(self, exc: Exception | None) -> None:
        self.owe(-self.owed)
        if self.table is not None:
            self.way._open.discard(self.table)
        if self.broker is not None:
            self.broker.close()


class _FromBroker(asyncio.Protocol):
    """The broker's end of it."""

    def __init__(self, table: _FromTable) -> None:
        self._table = table
        self._packets = _Packets()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._table.reached(transport)

    def data_received(self, data: bytes) -> None:
        answered = sum(kind in _ANSWERS for kind in self._packets.feed(data))
        if self._table.table is not None and not self._table.table.is_closing():
            self._table.table.write(data)
            self._table.owe(-answered)

    def connection_lost(self, exc: Exception | None) -> None:
        if self._table.table is not None:
            self._table.table.close()


class Subscriber:
    """An ordinary client, on a way of its own that is never cut."""

    def __init__(self, loop: SimLoop, port: int, version: str, topic: str) -> None:
        self._loop, self._port, self._topic = loop, port, topic
        self._protocol = aiomqtt.ProtocolVersion.V5 if version == "5" else aiomqtt.ProtocolVersion.V311
        self.events: dict[int, str] = {}
        """The hash of each event, by its seq."""
        self.repeats = 0
        self.contradictions: list[str] = []
        self.last = 0
        self._news = asyncio.Event()
        self._ready = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        self._task = asyncio.create_task(self._listen())
        if not await self._loop.real_wait(self._ready, _STARTS_S):
            raise NoBroker("The subscriber of the soak does not reach its broker.")

    async def until(self, seq: int, seconds: float = 20.0) -> bool:
        """Until it has this event; False where it does not come."""
        while self.last < seq:
            self._news.clear()
            if not await self._loop.real_wait(self._news, seconds):
                return self.last >= seq
        return True

    async def stop(self) -> None:
        if self._task is not None:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError, aiomqtt.MqttError):
                await self._task

    async def _listen(self) -> None:
        with self._loop.hold():
            client = aiomqtt.Client(HOST, self._port, identifier="soak", protocol=self._protocol, timeout=20)
            await client.__aenter__()
            await client.subscribe(self._topic, qos=1)
        self._ready.set()
        try:
            async for message in client.messages:
                self._note(message.payload)
        finally:
            with contextlib.suppress(aiomqtt.MqttError):
                await client.__aexit__(None, None, None)

    def _note(self, payload: object) -> None:
        assert isinstance(payload, bytes)
        told = msgspec.json.decode(payload, type=Told)
        if told.seq in self.events:
            self.repeats += 1
            if self.events[told.seq] != told.hash:
                self.contradictions.append(f"event {told.seq} was told twice, and differently")
        self.events[told.seq] = told.hash
        self.last = max(self.last, told.seq)
        self._news.set()
