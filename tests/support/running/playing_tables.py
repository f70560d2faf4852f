"""Tables on real brokers that play recorded days: each broker has its own cursor, as a table of two brokers has."""

from __future__ import annotations

import asyncio
import io
import socket
from collections import defaultdict
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from typing import Any

import aiomqtt
import msgspec
from aiomqtt import MqttError
from msgspec import Struct

from controller.contract.requests import PingReply, ReplayReply, ReplayRequest
from controller.contract.topics import ROOT
from controller.contract.why import Why
from controller.mqtt_client import MqttClient
from tests.support.recorded_days import FreshTable, Published
from tests.support.running.brokers import bytes_of

_WINDOW = 1000


class _Numbered(Struct):
    id: str


class _Client(MqttClient):
    """Takes receipts as they are: `tests/conftest.py` judges messages by the contract of tables."""

    def _on_message(self, client: Any, userdata: Any, message: Any) -> None:
        self._queue.put_nowait(aiomqtt.Message._from_paho_message(message))


async def _end_of(client: aiomqtt.Client) -> None:
    await asyncio.wait({client._disconnected})


class PlayingTables:
    """Publishes what it is given, to every broker, in the order of each table; answers `replay` and `ping`."""

    def __init__(self, ports: Sequence[int], tables: Sequence[FreshTable], kept_from: int = 1) -> None:
        """`kept_from`: the first event that the boards still have."""
        self._ports = ports
        self.tables = {table.table: table for table in tables}
        self._kept_from = kept_from
        self._played: list[Published] = []
        self._news = [asyncio.Event() for _ in ports]
        self._sent = [0 for _ in ports]
        self._progress = asyncio.Event()
        self._clients: dict[int, _Client] = {}
        self.players: list[asyncio.Task[None]] = []
        """One for each broker; they end with the test."""
        self.is_over = False
        """The end of a connection that is already broken takes the place of a cancellation, which would be lost."""
        self.replays: dict[str, list[tuple[int, int]]] = defaultdict(list)
        """Requests for the past, by table."""
        self.receipts: dict[str, dict[str, object]] = {}
        """The newest of each table."""

    def play(self, messages: Sequence[Published]) -> None:
        """Publishes these after what it has been given before."""
        self._played += messages
        for news in self._news:
            news.set()

    def cut(self) -> None:
        """As if the power of every table went: no goodbye. What was not acknowledged is published again."""
        for client in self._clients.values():
            wire = client._client.socket()
            if isinstance(wire, socket.socket):
                with suppress(OSError):
                    wire.shutdown(socket.SHUT_RDWR)

    async def all_sent(self) -> None:
        """Until every broker has acknowledged everything."""
        await self.sent(len(self._played))

    async def sent(self, count: int) -> None:
        """Until every broker has acknowledged this number of messages. A player that has ended is an error."""
        while min(self._sent) < count:
            self._progress.clear()
            progress = asyncio.ensure_future(self._progress.wait())
            await asyncio.wait({progress, *self.players}, return_when=asyncio.FIRST_COMPLETED)
            progress.cancel()
            for player in self.players:
                if player.done():
                    raise AssertionError(f"{player.get_name()} has ended: {player!r}")

    def where(self) -> str:
        """What each player is waiting for, for a test that fails."""
        found = io.StringIO()
        for task in asyncio.all_tasks():
            task.print_stack(limit=6, file=found)
        return f"sent {self._sent} of {len(self._played)}\n{found.getvalue()}"

    async def _keep_playing(self, which: int) -> None:
        while not self.is_over:
            with suppress(MqttError, TimeoutError):
                async with _Client(
                    "127.0.0.1",
                    self._ports[which],
                    identifier="tables",
                    protocol=aiomqtt.ProtocolVersion.V5,
                    max_inflight_messages=_WINDOW,
                    max_queued_incoming_messages=None,
                    timeout=30,
                    socket_options=[(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)],
                ) as client:
                    self._clients[which] = client
                    client.pending_calls_threshold = 10 * _WINDOW
                    await client.subscribe([(f"{ROOT}/command/+/+/+/+/+", 1), (f"{ROOT}/receipt/#", 1)])
                    answering = asyncio.create_task(self._answer(client))
                    publishing = asyncio.create_task(self._publish(client, which))
                    both = {publishing, answering}
                    try:
                        # A table that publishes and no longer answers would be no table: the end of one ends both.
                        await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
                    finally:
                        for task in both:
                            task.cancel()
                        await asyncio.gather(*both, return_exceptions=True)
            await asyncio.sleep(0.05)

    async def _publish(self, client: aiomqtt.Client, which: int) -> None:
        while True:
            self._news[which].clear()
            while self._sent[which] < len(self._played):
                start = self._sent[which]
                some = self._played[start : start + _WINDOW]
                await asyncio.gather(*(client.publish(m.topic, m.payload, qos=1, retain=m.retain) for m in some))
                self._sent[which] = start + len(some)
                self._progress.set()
            waiting = asyncio.ensure_future(self._news[which].wait())
            lost = asyncio.ensure_future(_end_of(client))
            done, _ = await asyncio.wait({waiting, lost}, return_when=asyncio.FIRST_COMPLETED)
            waiting.cancel()
            if lost in done:
                raise MqttError("the broker is away")
            lost.cancel()

    async def _answer(self, client: aiomqtt.Client) -> None:
        async for message in client.messages:
            match str(message.topic).removeprefix(f"{ROOT}/").split("/"):
                case ["receipt", _, _, _, table]:
                    self.receipts[table] = msgspec.json.decode(bytes_of(message))
                case ["command", _, _, _, table, command] if table in self.tables:
                    answer_to = getattr(message.properties, "ResponseTopic", None)
                    if answer_to is not None:
                        await self._reply(client, self.tables[table], command, bytes_of(message), answer_to)

    async def _reply(
        self, client: aiomqtt.Client, table: FreshTable, command: str, payload: bytes, answer_to: str
    ) -> None:
        request = msgspec.json.decode(payload, type=_Numbered)
        if command == "ping":
            reply: object = PingReply(id=request.id, ok=True, seq=len(table.events), journal=table.journal)
        else:
            asked = msgspec.json.decode(payload, type=ReplayRequest)
            self.replays[table.table].append((asked.first, asked.last))
            reply = ReplayReply(id=request.id, ok=True, first=asked.first, last=asked.last)
            if asked.last > len(table.events):
                reply = ReplayReply(id=request.id, ok=False, why=Why.BAD_RANGE)
            elif asked.first < self._kept_from:
                reply = ReplayReply(id=request.id, ok=False, why=Why.NOT_KEPT)
            else:
                events = table.replayed(asked.first, asked.last)
                await asyncio.gather(*(client.publish(answer_to, each, qos=1) for each in events))
        await client.publish(answer_to, msgspec.json.encode(reply), qos=1)


@asynccontextmanager
async def playing(
    ports: Sequence[int], tables: Sequence[FreshTable], kept_from: int = 1
) -> AsyncIterator[PlayingTables]:
    floor = PlayingTables(ports, tables, kept_from)
    tasks = [asyncio.create_task(floor._keep_playing(n), name=f"player {n}") for n in range(len(ports))]
    floor.players += tasks
    try:
        yield floor
    finally:
        floor.is_over = True
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
