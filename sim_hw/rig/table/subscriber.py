"""A subscriber: an ordinary MQTT client that keeps everything that a table publishes.

It keeps its session, so what is published while the connection is away arrives later. It drops repeats and counts holes
as docs/mqtt/README.md asks of a subscriber.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from functools import partial
from typing import Any

import aiomqtt
import msgspec
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties
from paho.mqtt.subscribeoptions import SubscribeOptions

Document = dict[str, Any]


class Subscription:
    """Some topics of a broker on this machine, received for as long as `listening` is entered. It keeps its session and
    connects again whenever the connection ends."""

    def __init__(
        self, port: int, topics: Sequence[str], take: Callable[[aiomqtt.Message], None], *, client_id: str, version: str
    ) -> None:
        """`take` is called with every message; `version` is that of MQTT, "5" or "3.1.1"."""
        self._port, self._topics, self._take = port, topics, take
        self._client_id, self._version = client_id, version
        self._news = asyncio.Condition()
        self._subscribed = asyncio.Event()

    @asynccontextmanager
    async def listening(self) -> AsyncIterator[None]:
        task = asyncio.create_task(self._listen())
        try:
            async with asyncio.timeout(20):
                await self._subscribed.wait()
            yield
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    async def until(self, holds: Callable[[], bool]) -> None:
        """Until something holds that a message can bring about."""
        async with self._news:
            await self._news.wait_for(holds)

    async def _listen(self) -> None:
        while True:
            with suppress(aiomqtt.MqttError):
                async with self._client() as client:
                    await self._subscribe(client)
                    self._subscribed.set()
                    async for message in client.messages:
                        self._take(message)
                        async with self._news:
                            self._news.notify_all()
            await asyncio.sleep(0.05)  # between attempts to reach a broker that may be down

    def _client(self) -> aiomqtt.Client:
        where = partial(aiomqtt.Client, "127.0.0.1", self._port, identifier=self._client_id, timeout=30)
        if self._version != "5":
            return where(protocol=aiomqtt.ProtocolVersion.V311, clean_session=False)
        keep = Properties(PacketTypes.CONNECT)  # type: ignore[no-untyped-call]
        keep.SessionExpiryInterval = 3600
        return where(protocol=aiomqtt.ProtocolVersion.V5, clean_start=False, properties=keep)

    async def _subscribe(self, client: aiomqtt.Client) -> None:
        if self._version == "5":
            await client.subscribe([(topic, SubscribeOptions(qos=1)) for topic in self._topics])
        else:
            await client.subscribe([(topic, 1) for topic in self._topics])


class Subscriber:
    """Everything that one table has published so far."""

    def __init__(self, port: int, *, site: str, table: str, version: str = "5") -> None:
        self.events: list[Document] = []
        """Bodies of events by `seq`, each once, with `seq`, `round` and `at`."""
        self.state: Document = {}
        self.devices: dict[str, Document] = {}
        self.online: bool | None = None
        self.holes: list[tuple[int, int]] = []
        """Numbers that were left out: the last before and the first after."""
        self._topic = f"cutcard/v2/{site}/{table}"
        self._subscription = Subscription(
            port, [f"{self._topic}/#"], self._take, client_id=f"rig-{site}-{table}", version=version
        )

    @property
    def last_seq(self) -> int:
        return self.events[-1]["seq"] if self.events else 0

    @asynccontextmanager
    async def listening(self) -> AsyncIterator[Subscriber]:
        async with self._subscription.listening():
            yield self

    async def until(self, holds: Callable[[], bool]) -> None:
        """Until something holds that a message can bring about."""
        await self._subscription.until(holds)

    def _take(self, message: aiomqtt.Message) -> None:
        payload = message.payload
        if not isinstance(payload, bytes) or not payload:
            return
        what, _, name = str(message.topic).removeprefix(self._topic + "/").partition("/")
        document: Document = msgspec.json.decode(payload)
        match what:
            case "event":
                self._event(document)
            case "state":
                self.state = document
            case "device":
                self.devices[name] = document
            case "online":
                self.online = document.get("online")

    def _event(self, document: Document) -> None:
        seq = document["seq"]
        if seq <= self.last_seq:
            return
        if self.events and seq != self.last_seq + 1:
            self.holes.append((self.last_seq, seq))
        self.events.append({**document["body"], "seq": seq, "round": document["round"], "at": document["at"]})
