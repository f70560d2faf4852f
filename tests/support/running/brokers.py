"""Brokers for tests: a real Mosquitto that can be killed and started again, a scripted one that misbehaves to order.

Tests with a real one carry the marker `broker` (`pytestmark = [pytest.mark.broker, needs_mosquitto]`).
"""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import socket
import subprocess
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path

import aiomqtt
import pytest

from sim_hw.rig.table.subscriber import Subscription

_PATH = os.pathsep.join([os.environ.get("PATH", os.defpath), "/usr/sbin", "/usr/local/sbin"])
MOSQUITTO = shutil.which("mosquitto", path=_PATH)

needs_mosquitto = pytest.mark.skipif(
    MOSQUITTO is None, reason="NO MOSQUITTO: nothing was tested against a real broker (Debian: apt install mosquitto)"
)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


STOPS_WITHIN = 20.0
"""Seconds; it writes what it keeps to the disk before it ends."""


class Mosquitto:
    """One broker on one port of loopback; `settings` are further lines of its configuration."""

    def __init__(self, folder: Path, *settings: str) -> None:
        self.port = free_port()
        self._config = folder / "mosquitto.conf"
        self._config.write_text(
            "\n".join(
                [
                    f"listener {self.port} 127.0.0.1",
                    "log_dest stderr",
                    "user root" if os.getuid() == 0 else "",
                    # Ours or none: a slow test machine must not make the broker drop what it owes a subscriber.
                    "max_queued_messages 0",
                    *(settings or ("allow_anonymous true",)),
                    "",
                ]
            )
        )
        self._process: subprocess.Popen[bytes] | None = None
        self._words: list[str] = []

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    @property
    def words(self) -> str:
        """What it has logged since it was started."""
        return "".join(self._words)

    def start(self) -> None:
        """Returns when it accepts connections."""
        assert MOSQUITTO is not None
        self._words = []
        self._process = subprocess.Popen([MOSQUITTO, "-c", str(self._config)], stderr=subprocess.PIPE)
        running = threading.Event()
        threading.Thread(target=self._listen, args=(self._process, running), daemon=True).start()
        assert running.wait(20), self.words
        assert self._process.poll() is None, self.words

    def _listen(self, process: subprocess.Popen[bytes], running: threading.Event) -> None:
        assert process.stderr is not None
        with process.stderr:
            for line in process.stderr:
                self._words.append(line.decode("utf-8", "replace"))
                if b" running" in line:
                    running.set()
        running.set()

    def signal(self, number: signal.Signals) -> None:
        assert self._process is not None
        self._process.send_signal(number)

    def save(self) -> None:
        """Has it write its sessions to its disk, as it does by itself every half hour; returns when they are there."""
        self.signal(signal.SIGUSR1)
        until = time.monotonic() + 10
        while not (self._config.parent / "mosquitto.db").exists():
            assert time.monotonic() < until, self.words
            time.sleep(0.01)

    def freeze(self) -> None:
        """Stops it in the middle of whatever it does; returns when it is frozen."""
        assert self._process is not None
        self._process.send_signal(signal.SIGSTOP)
        os.waitpid(self._process.pid, os.WUNTRACED)

    def thaw(self) -> None:
        """Goes on as if nothing had been."""
        self.signal(signal.SIGCONT)

    def kill(self) -> None:
        """SIGKILL: no goodbye to anybody, nothing saved."""
        assert self._process is not None
        self._process.kill()
        self._process.wait()

    def stop(self) -> None:
        if self._process is not None and self._process.poll() is None:
            self._process.send_signal(signal.SIGCONT)
            self._process.terminate()
            try:
                self._process.wait(STOPS_WITHIN)
            except subprocess.TimeoutExpired:
                # It does not end for a signal that comes while it is still starting.
                self.kill()


@contextmanager
def mosquitto(folder: Path, *settings: str) -> Iterator[Mosquitto]:
    broker = Mosquitto(folder, *settings)
    broker.start()
    try:
        yield broker
    finally:
        broker.stop()


class Subscriber:
    """An ordinary client that keeps what it receives. It keeps its session, and reconnects after every loss."""

    def __init__(self, port: int, *topics: str, client_id: str = "cardroom") -> None:
        self.received: list[aiomqtt.Message] = []
        self._subscription = Subscription(port, topics, self.received.append, client_id=client_id, version="5")

    async def until(self, holds: Callable[[list[aiomqtt.Message]], bool], within: float = 60) -> None:
        """Waits until `holds` is true of what was received."""
        try:
            async with asyncio.timeout(within):
                await self._subscription.until(lambda: holds(self.received))
        except TimeoutError:
            last = [(str(message.topic), message.payload) for message in self.received[-3:]]
            pytest.fail(
                f"received {len(self.received)} messages in {within} s, but not what was waited for; the last: {last}"
            )

    def on(self, topic: str) -> list[bytes]:
        """The payloads received on a topic."""
        return [bytes_of(message) for message in self.received if message.topic.matches(topic)]

    @classmethod
    @asynccontextmanager
    async def listening(cls, port: int, *topics: str, client_id: str = "cardroom") -> AsyncIterator[Subscriber]:
        subscriber = cls(port, *topics, client_id=client_id)
        async with subscriber._subscription.listening():
            yield subscriber


async def eventually(holds: Callable[[], bool], within: float = 10) -> None:
    """For what has no event to wait for."""
    async with asyncio.timeout(within):
        while not holds():  # noqa: ASYNC110
            await asyncio.sleep(0.005)


def bytes_of(message: aiomqtt.Message) -> bytes:
    assert isinstance(message.payload, bytes)
    return message.payload


_CONNECT_FLAGS, _HAS_WILL = 7, 0x04
"""After the protocol's name (6 bytes) and version."""


class ScriptedBroker:
    """Speaks just enough MQTT 5 to accept a publisher, and acknowledges what, when and how the test says.

    A goodbye it acknowledges by itself, so that a test need not wait for the end of the publisher's politeness.
    """

    def __init__(self, connack: bytes = b"\x00\x00\x00") -> None:
        """`connack`: flags, reason code, length of properties, properties."""
        self.connections = 0
        self.wills = 0
        """Connections with a last will."""
        self.received: asyncio.Queue[tuple[int, str, bytes]] = asyncio.Queue()
        """Packet id, topic and payload of every PUBLISH."""
        self._connack = connack
        self._writer: asyncio.StreamWriter | None = None
        self._server: asyncio.Server | None = None
        self.port = 0

    async def __aenter__(self) -> ScriptedBroker:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._server is not None
        self._server.close()
        self.hang_up()

    async def next(self, count: int = 1, within: float = 10) -> list[tuple[int, str, bytes]]:
        async with asyncio.timeout(within):
            return [await self.received.get() for _ in range(count)]

    def acknowledge(self, packet: int, reason: int = 0) -> None:
        self._send(0x40, packet.to_bytes(2, "big") + (bytes([reason, 0]) if reason else b""))

    def hang_up(self) -> None:
        """Nothing more of this connection is received."""
        if self._writer is not None:
            self._writer.close()
            self._writer = None

    def _send(self, kind: int, body: bytes) -> None:
        if self._writer is not None:
            self._writer.write(bytes([kind, len(body)]) + body)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._writer = writer
        with suppress(asyncio.IncompleteReadError, ConnectionError):
            while True:
                kind = (await reader.readexactly(1))[0]
                body = await reader.readexactly(await _remaining_length(reader))
                if self._writer is not writer:
                    break
                match kind >> 4:
                    case 1:
                        self.connections += 1
                        self.wills += bool(body[_CONNECT_FLAGS] & _HAS_WILL)
                        self._send(0x20, self._connack)
                    case 3:
                        end = 2 + int.from_bytes(body[:2], "big")
                        packet = int.from_bytes(body[end : end + 2], "big")
                        start = end + 3 + body[end + 2]
                        topic, payload = body[2:end].decode(), body[start:]
                        assert not payload or b"application/json" in body[end + 3 : start]
                        if b'"online":false' in payload:
                            self.acknowledge(packet)
                        else:
                            self.received.put_nowait((packet, topic, payload))
                    case 12:
                        self._send(0xD0, b"")
                    case _:
                        break
        writer.close()


async def _remaining_length(reader: asyncio.StreamReader) -> int:
    length = shift = 0
    while True:
        byte = (await reader.readexactly(1))[0]
        length |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            return length
