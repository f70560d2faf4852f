"""A broker, the table's way to it, and a subscriber that writes everything down.

The broker is a process of its own: Mosquitto where there is one, else the demo's embedded broker. The table reaches it
through a `Way`, which can be cut. The broker works in real time, and nothing of that may show at the table: whatever
is asked of it (to take a connection, an event, a subscription) goes to it while everybody in the simulated loop waits,
until all of it is answered; and the table reads the answers in the order in which it asked.

Most of what is asked is to take a message, some ten thousand times a day, and how a broker acknowledges one of a topic
is known from the one before. So the table has that answer at once, and what the broker really says is compared a little
later (`_Line._settle`), at the latest before the connection ends. Another answer than the one that was given ends the
day.

The subscriber is outside too, on a thread of its own: when it gets an event makes no difference to the table.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import shutil
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import paho.mqtt.client as paho
from msgspec import Struct
from paho.mqtt.enums import CallbackAPIVersion

from controller.child_processes import free_port
from sim_hw.time.loop import MOST_REAL_S, OutsideHangs, SimLoop

HOST = "127.0.0.1"
_PATH = os.pathsep.join([os.environ.get("PATH", os.defpath), "/usr/sbin", "/usr/local/sbin"])
_STARTS_S = 20.0
_TRIES = 5
_RUNS = re.compile(r"mosquitto version \S+ running|broker ready")
"""What a broker writes when it listens, each its own words."""
_CONNECT, _PUBLISH, _SUBSCRIBE, _UNSUBSCRIBE, _PINGREQ = 1, 3, 8, 10, 12
_ANSWERS = {_CONNECT: 2, _PUBLISH: 4, _SUBSCRIBE: 9, _UNSUBSCRIBE: 11, _PINGREQ: 13}
"""MQTT packets that are answered, and with what. The table's messages are all QoS 1."""
_NUMBERED = frozenset({4, 9, 11})
"""Answers that name the packet which they answer."""


_Question = tuple[int, int]
"""What answers it: the kind of packet, and the number that it names."""
_MOST_UNSETTLED = 100
"""Answers that the table was given and the broker has yet to say."""


class AnotherAnswer(Exception):
    """The broker acknowledged a message in another way than those before it on the same topic."""


class NoBroker(Exception):
    """No broker could be started, in one paragraph."""


class EventHead(Struct, frozen=True):
    """What the subscriber keeps of an event."""

    seq: int
    hash: str


@contextlib.contextmanager
def broker(folder: Path) -> Iterator[tuple[int, str]]:
    """Gives the port and the version of MQTT that the broker speaks."""
    mosquitto = shutil.which("mosquitto", path=_PATH)
    version = "3.1.1" if mosquitto is None else "5"
    process, port = _started(mosquitto, folder)
    try:
        yield port, version
    finally:
        process.terminate()
        process.wait(10)


def _started(mosquitto: str | None, folder: Path) -> tuple[subprocess.Popen[bytes], int]:
    """A broker of our own: a port that was free a moment ago may by now be that of another day's broker."""
    log, output = folder / "broker.log", ""
    for _ in range(_TRIES):
        port = free_port()
        command = [sys.executable, "-m", "controller.demo.broker", "--port", str(port)]
        if mosquitto is not None:
            config = folder / "mosquitto.conf"
            user = "user root" if os.getuid() == 0 else ""
            config.write_text(
                f"listener {port} {HOST}\nallow_anonymous true\nmax_queued_messages 0\nset_tcp_nodelay true\n{user}\n"
            )
            command = [mosquitto, "-c", str(config)]
        with log.open("wb") as written:
            process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=written, stderr=written)
        deadline = time.monotonic() + _STARTS_S
        while process.poll() is None and time.monotonic() < deadline:
            if _RUNS.search(output := log.read_text()):
                return process, port
            time.sleep(0.02)
        process.kill()
        process.wait()
    raise NoBroker(f"No broker came up for the soak: {output[-500:]}")


class Way:
    """The table's way to its broker: a socket in the file system, which the table finds by its name."""

    def __init__(self, loop: SimLoop, broker_port: int, name: str) -> None:
        self._loop, self.broker_port, self.name = loop, broker_port, name
        self._open: dict[_Line, None] = {}
        self._server: asyncio.Server | None = None
        self.is_cut = False

    async def lay(self) -> None:
        self._server = await self._loop.create_unix_server(lambda: _Line(self), self.name)

    def cut(self) -> None:
        """Nothing passes, and every connection is refused."""
        self.is_cut = True
        for line in list(self._open):
            line.abort()

    def restore(self) -> None:
        self.is_cut = False

    def opened(self, line: _Line) -> None:
        self._open[line] = None

    def ended(self, line: _Line) -> None:
        self._open.pop(line, None)

    async def close(self) -> None:
        self.cut()
        if self._server is not None:
            self._server.close()
            await self._server.wait_closed()


class _Packet(Struct, frozen=True):
    """One MQTT packet."""

    kind: int
    data: bytes
    body: int
    """Where its own part begins, after the fixed header."""

    @property
    def answer(self) -> _Question | None:
        """What will answer it: the kind, and the number that the answer names; None where nothing does."""
        if self.kind not in _ANSWERS:
            return None
        at = self.body + 2 + self._number(self.body) if self.kind == _PUBLISH else self.body
        kind = _ANSWERS[self.kind]
        return kind, self._number(at) if kind in _NUMBERED else 0

    @property
    def flags_and_topic(self) -> bytes:
        """Of a PUBLISH."""
        return self.data[:1] + self.data[self.body : self.body + 2 + self._number(self.body)]

    @property
    def behind_number(self) -> bytes:
        """Of a PUBACK: how the message was taken."""
        return self.data[self.body + 2 :]

    @property
    def answers(self) -> _Question | None:
        """What it answers, in the same words; None where it was not asked for."""
        if self.kind not in _ANSWERS.values():
            return None
        return self.kind, self._number(self.body) if self.kind in _NUMBERED else 0

    def _number(self, at: int) -> int:
        return int.from_bytes(self.data[at : at + 2], "big")


class _Packets:
    """MQTT packets out of a stream of bytes."""

    def __init__(self) -> None:
        self._bytes = bytearray()

    def feed(self, data: bytes) -> Iterator[_Packet]:
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
            yield _Packet(self._bytes[0] >> 4, bytes(self._bytes[: at + length]), at)
            del self._bytes[: at + length]


class _Line(asyncio.Protocol):
    """One connection of the table, and the one to the broker that belongs to it."""

    def __init__(self, way: Way) -> None:
        self._way = way
        self._table: asyncio.Transport | None = None
        self._broker: socket.socket | None = None
        self._asked, self._answered = _Packets(), _Packets()
        self._given: dict[_Question, bytes] = {}
        """Answers that the table has and that the broker has yet to say."""
        self._acknowledged: dict[bytes, bytes] = {}
        """How the broker acknowledges a message, without its number: by the message's flags and topic. It depends on
        who listens there, and so may the table."""
        self._listens = False
        """Something came that was not an answer: where the table listens to itself, that belongs to what it sent."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._table = transport
        if self._way.is_cut:
            transport.abort()
            return
        self._way.opened(self)
        self._broker = socket.create_connection((HOST, self._way.broker_port), MOST_REAL_S)
        self._broker.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def data_received(self, data: bytes) -> None:
        assert self._table is not None
        if self._broker is None:
            return
        asked = [packet for packet in self._asked.feed(data) if packet.answer is not None]
        try:
            self._broker.sendall(data)
            self._table.write(self._answers_at_once(asked) or self._answers(asked))
        except TimeoutError:
            raise OutsideHangs(f"the broker has not answered for {MOST_REAL_S:g} seconds") from None
        except OSError:
            self._table.close()

    def _answers_at_once(self, asked: list[_Packet]) -> bytes:
        """The answers, where all of them are known; they are compared with the broker's by `_answers`."""
        answers: dict[_Question, bytes] = {}
        for packet in asked:
            how = self._acknowledged.get(packet.flags_and_topic) if packet.kind == _PUBLISH else None
            if how is None or packet.answer is None or self._listens:
                return b""
            kind, number = packet.answer
            answers[packet.answer] = bytes((kind << 4, 2 + len(how))) + number.to_bytes(2, "big") + how
        if len(self._given) + len(answers) > _MOST_UNSETTLED:
            return b""
        self._given |= answers
        return b"".join(answers.values())

    def _answers(self, asked: list[_Packet]) -> bytes:
        """Everything that the broker sends until it owes nothing more, the answers in the order of the questions; but
        what the table has already."""
        assert self._broker is not None
        owed = [packet.answer for packet in asked if packet.answer is not None]
        came: dict[_Question, _Packet] = {}
        others = b""
        while not came.keys() >= {*self._given, *owed}:
            data = self._broker.recv(65536)
            if not data:
                raise ConnectionResetError("the broker has closed the connection")
            for packet in self._answered.feed(data):
                if packet.answers is None:
                    others += packet.data
                    self._listens = True
                else:
                    came[packet.answers] = packet
        for question, given in self._given.items():
            if came[question].data != given:
                raise AnotherAnswer(f"the broker answered {came[question].data!r}, the table was given {given!r}")
        self._given.clear()
        for packet in asked:
            if packet.kind == _PUBLISH and packet.answer is not None:
                self._acknowledged[packet.flags_and_topic] = came[packet.answer].behind_number
            elif packet.kind in (_SUBSCRIBE, _UNSUBSCRIBE):
                self._acknowledged.clear()
                self._listens = False
        return others + b"".join(came[question].data for question in owed)

    def abort(self) -> None:
        if self._table is not None:
            self._table.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        self._way.ended(self)
        if self._broker is not None:
            with contextlib.suppress(OSError):
                self._answers([])
            self._broker.close()
            self._broker = None


class Subscriber:
    """An ordinary client, on a thread and a way of its own, which is never cut."""

    def __init__(self, port: int, version: str, topic: str) -> None:
        self._port, self._topic = port, topic
        self.events: dict[int, str] = {}
        """The hash of each event, by its seq."""
        self.repeats = 0
        self.contradictions: list[str] = []
        self.last = 0
        self._news = threading.Condition()
        self._ready = threading.Event()
        protocol = paho.MQTTv5 if version == "5" else paho.MQTTv311
        self._client = paho.Client(CallbackAPIVersion.VERSION2, "soak", protocol=protocol)
        self._client.on_connect = self._connected
        self._client.on_subscribe = self._subscribed
        self._client.on_message = self._received

    def start(self) -> None:
        # Without a keep-alive: a machine that is busy with something else is no reason to miss anything.
        self._client.connect(HOST, self._port, keepalive=0)
        self._client.loop_start()
        if not self._ready.wait(_STARTS_S):
            raise NoBroker("The subscriber of the soak does not reach its broker.")

    def until(self, seq: int, seconds: float = MOST_REAL_S) -> bool:
        """Until it has this event; False where nothing comes for this number of real seconds."""
        with self._news:
            while self.last < seq:
                before = self.last
                if not self._news.wait_for(lambda: self.last > before, seconds):  # noqa: B023 - waited for here
                    return False
        return True

    def stop(self) -> None:
        self._client.disconnect()
        self._client.loop_stop()

    def _connected(self, client: paho.Client, *_: Any) -> None:
        client.subscribe(self._topic, qos=1)

    def _subscribed(self, *_: Any) -> None:
        self._ready.set()

    def _received(self, client: paho.Client, userdata: Any, message: paho.MQTTMessage) -> None:
        received = msgspec.json.decode(message.payload, type=EventHead)
        with self._news:
            if received.seq in self.events:
                self.repeats += 1
                if self.events[received.seq] != received.hash:
                    self.contradictions.append(f"event {received.seq} was published twice, and differently")
            self.events[received.seq] = received.hash
            self.last = max(self.last, received.seq)
            self._news.notify_all()
