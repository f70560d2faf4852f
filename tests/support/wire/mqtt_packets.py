"""What an MQTT client sends, byte by byte: a tap between it and a real broker, and the packets read from it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field

from tests.support.running.brokers import eventually


@dataclass(frozen=True)
class Connect:
    client_id: str
    version: int
    clean: bool
    session_expiry: int
    """Zero where it is not stated."""
    will_topic: str = ""
    will_payload: bytes = b""
    will_qos: int = 0
    will_retain: bool = False


@dataclass(frozen=True)
class Publish:
    topic: str
    payload: bytes
    qos: int
    retain: bool


@dataclass(frozen=True)
class Subscribe:
    topics: dict[str, int]
    """With the QoS that is asked for."""


@dataclass(frozen=True)
class Disconnect:
    reason: int


Packet = Connect | Publish | Subscribe | Disconnect


@dataclass
class Connection:
    """One connection to the broker, from the client's first byte to its last."""

    packets: list[Packet] = field(default_factory=list)
    is_open: bool = True

    @property
    def connect(self) -> Connect:
        first = self.packets[0]
        assert isinstance(first, Connect)
        return first

    @property
    def published(self) -> list[Publish]:
        return [packet for packet in self.packets if isinstance(packet, Publish)]


class _Bytes:
    def __init__(self, data: bytes) -> None:
        self._data, self._at = data, 0

    def take(self, n: int) -> bytes:
        self._at += n
        return self._data[self._at - n : self._at]

    def number(self, n: int) -> int:
        return int.from_bytes(self.take(n), "big")

    def text(self) -> bytes:
        return self.take(self.number(2))

    def length(self) -> int:
        value = shift = 0
        while True:
            byte = self.number(1)
            value |= (byte & 0x7F) << shift
            shift += 7
            if not byte & 0x80:
                return value

    def properties(self) -> _Bytes:
        return _Bytes(self.take(self.length()))

    def rest(self) -> bytes:
        return self.take(len(self._data) - self._at)

    @property
    def is_empty(self) -> bool:
        return self._at >= len(self._data)


def packet_of(kind: int, flags: int, body: bytes, version: int) -> Packet | None:
    """One packet; None for those that do not matter here."""
    data = _Bytes(body)
    match kind:
        case 1:
            return _connect(data)
        case 3:
            qos = flags >> 1 & 3
            topic = data.text().decode()
            if qos:
                data.number(2)
            if version == 5:
                data.properties()
            return Publish(topic, data.rest(), qos, bool(flags & 1))
        case 8:
            data.number(2)
            if version == 5:
                data.properties()
            topics = {}
            while not data.is_empty:
                name = data.text().decode()
                topics[name] = data.number(1) & 3
            return Subscribe(topics)
        case 14:
            return Disconnect(0 if data.is_empty else data.number(1))
    return None


def _connect(data: _Bytes) -> Connect:
    data.text()
    version, flags = data.number(1), data.number(1)
    data.number(2)
    expiry = 0
    if version == 5:
        properties = data.properties()
        while not properties.is_empty:
            match properties.number(1):
                case 0x11:
                    expiry = properties.number(4)
                case 0x27:
                    properties.number(4)
                case other:
                    raise AssertionError(f"property {other:#x} is not known here")
    client_id = data.text().decode()
    topic, payload = b"", b""
    if flags & 4:
        if version == 5:
            data.properties()
        topic, payload = data.text(), data.text()
    return Connect(
        client_id,
        version,
        bool(flags & 2),
        expiry,
        topic.decode(),
        payload,
        flags >> 3 & 3,
        bool(flags & 0x20),
    )


class Tap:
    """Forwards one port of loopback to another and keeps what the clients send."""

    def __init__(self, to: int) -> None:
        self.port = 0
        self.connections: list[Connection] = []
        self._to = to
        self._tasks: set[asyncio.Task[None]] = set()

    async def until_closed(self) -> None:
        await eventually(lambda: not any(each.is_open for each in self.connections), within=20)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        connection = Connection()
        try:
            there_reader, there_writer = await asyncio.open_connection("127.0.0.1", self._to)
        except OSError:
            writer.close()
            return
        self.connections.append(connection)
        back = asyncio.create_task(_copy(there_reader, writer))
        with suppress(OSError, asyncio.CancelledError):
            await self._read(reader, there_writer, connection)
        connection.is_open = False
        back.cancel()
        for end in (writer, there_writer):
            end.close()
        self._tasks.discard(task)

    async def _read(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, connection: Connection) -> None:
        waiting, version = b"", 4
        while data := await reader.read(65_536):
            writer.write(data)
            waiting += data
            while len(waiting) >= 2:
                size, at = 0, 1
                while at < len(waiting) and waiting[at] & 0x80:
                    size |= (waiting[at] & 0x7F) << 7 * (at - 1)
                    at += 1
                if at >= len(waiting):
                    break
                size |= waiting[at] << 7 * (at - 1)
                if len(waiting) < at + 1 + size:
                    break
                kind, flags, body = waiting[0] >> 4, waiting[0] & 15, waiting[at + 1 : at + 1 + size]
                waiting = waiting[at + 1 + size :]
                packet = packet_of(kind, flags, body, version)
                if isinstance(packet, Connect):
                    version = packet.version
                if packet is not None:
                    connection.packets.append(packet)


async def _copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(OSError):
        while data := await reader.read(65_536):
            writer.write(data)
    writer.close()


@asynccontextmanager
async def tapped(to: int) -> AsyncIterator[Tap]:
    tap = Tap(to)
    server = await asyncio.start_server(tap._serve, "127.0.0.1", 0)
    tap.port = server.sockets[0].getsockname()[1]
    try:
        yield tap
    finally:
        server.close()
        for task in tuple(tap._tasks):
            task.cancel()
        await asyncio.gather(*tap._tasks, return_exceptions=True)
