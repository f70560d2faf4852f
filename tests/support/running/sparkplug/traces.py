"""One evening of a table through the Sparkplug bridge, as every byte that it sent to a real broker.

The evening has all that the specification speaks of: a primary host that comes, sends a late death, goes and comes
back; rebirth and other commands; devices that die and return; more messages than the sequence has numbers; a table that
goes offline and returns; and the end of the bridge.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

import aiomqtt

from controller.config.broker import MqttSettings
from controller.sparkplug.birth_numbers import BirthNumbers
from controller.sparkplug.bridge import Bridge, BridgeOptions
from controller.sparkplug.payload import DataType, Metric, encode
from tests.support.running.brokers import Subscriber, bytes_of, mosquitto
from tests.support.running.sparkplug.foreign_hosts import SITE, TABLE, TableFeed, feeding
from tests.support.wire.mqtt_packets import Connection, Publish, tapped
from tests.support.wire.sparkplug_payloads import ReadPayload, read_payload

HOST = "scada"


@dataclass(frozen=True)
class Sent:
    """One Sparkplug message."""

    kind: str
    device: str
    packet: Publish
    payload: ReadPayload


def sent(packet: Publish) -> Sent:
    namespace, group, kind, node, *device = packet.topic.split("/")
    assert (namespace, group, node, len(device) <= 1) == ("spBv1.0", SITE, TABLE, True), packet.topic
    return Sent(kind, device[0] if device else "", packet, read_payload(packet.payload))


@dataclass
class Trace:
    began: int
    """Milliseconds."""
    ended: int = 0
    connections: list[Connection] = field(default_factory=list)
    """Those of the edge node, in order."""
    delivered: list[tuple[str, bytes]] = field(default_factory=list)
    """What a host application received."""
    births_before_host: int = -1
    """NBIRTHs that were delivered before the primary host was online."""
    rebirth_at: int = -1
    """How many messages the second connection had sent when the rebirth was requested."""

    @property
    def sessions(self) -> list[list[Sent]]:
        """The messages of each connection that had a birth."""
        found = [[sent(packet) for packet in each.published] for each in self.connections]
        return [messages for messages in found if messages]

    def of(self, *kinds: str) -> list[Sent]:
        return [message for session in self.sessions for message in session if message.kind in kinds]


def play(folder: Path, version: Literal["5", "3.1.1"]) -> Trace:
    return asyncio.run(_play(folder, version))


async def _play(folder: Path, version: Literal["5", "3.1.1"]) -> Trace:
    trace = Trace(_now())
    with mosquitto(folder) as broker:
        async with tapped(broker.port) as tap, Subscriber.listening(broker.port, "spBv1.0/#") as seen:
            async with feeding(broker.port) as table, aiomqtt.Client("127.0.0.1", broker.port, timeout=60) as host:
                source = MqttSettings(host="127.0.0.1", port=broker.port, client_id="bridge")
                target = MqttSettings(host="127.0.0.1", port=tap.port, client_id="cutcard", version=version)
                births = BirthNumbers(folder / "births.json")
                bridge = Bridge(source, target, BridgeOptions(primary_host=HOST), births)
                running = asyncio.create_task(bridge.run())
                try:
                    await _evening(trace, table, host, seen, lambda: len(tap.connections[-1].published))
                finally:
                    running.cancel()
                    await asyncio.gather(running, return_exceptions=True)
                    births.close()
            await tap.until_closed()
            await seen.until(lambda got: count(got, "NDEATH") >= count(got, "NBIRTH", distinct=True))
        trace.connections = tap.connections
        trace.delivered = [(str(message.topic), bytes_of(message)) for message in seen.received]
    trace.ended = _now()
    return trace


def count(messages: list[aiomqtt.Message], kind: str, *, distinct: bool = False) -> int:
    """How many were received; `distinct`: how many sessions they are of."""
    found = [read_payload(bytes_of(each)) for each in messages if str(each.topic).split("/")[2] == kind]
    return len({payload.named("bdSeq").value for payload in found}) if distinct else len(found)


async def _evening(
    trace: Trace, table: TableFeed, host: aiomqtt.Client, seen: Subscriber, published: Callable[[], int]
) -> None:
    async def state(online: bool, timestamp: int, name: str = HOST) -> None:
        payload = json.dumps({"online": online, "timestamp": timestamp})
        await host.publish(f"spBv1.0/STATE/{name}", payload, qos=1, retain=True)

    async def command(name: str, value: bool, device: str = "") -> None:
        metric = Metric(name=name, value=value, datatype=DataType.BOOLEAN, at=_now())
        topic = f"spBv1.0/{SITE}/NCMD/{TABLE}" if not device else f"spBv1.0/{SITE}/DCMD/{TABLE}/{device}"
        await host.publish(topic, encode([metric], at=_now(), seq=None, births=True), qos=0)

    async def until(kind: str, n: int) -> None:
        await seen.until(lambda got: count(got, kind) >= n)

    await state(False, 1000)
    await table.online()
    await table.device("shoe", "online", firmware="1.4")
    await table.device("sign", "online")
    await table.alarm("drop", "raised")
    await table.state(round=1, fees_due={"main": 100})
    await state(True, 5000, "another-host")
    await seen.until(lambda got: any(str(each.topic).endswith("another-host") for each in got))
    trace.births_before_host = count(seen.received, "NBIRTH")
    await state(True, 2000)
    await until("NBIRTH", 1)
    await until("DBIRTH", 2)
    await table.state(round=2, fees_due={"main": 100})
    await until("NDATA", 1)
    await table.state(round=2, fees_due={"main": 100})
    await table.device("shoe", "fault", firmware="1.4")
    await until("DDATA", 1)
    await table.device("sign", "offline")
    await until("DDEATH", 1)
    await table.device("sign", "online")
    await until("DBIRTH", 3)
    await table.remove_device("sign")
    await until("DDEATH", 2)
    for n in range(300):
        await table.event("card_dealt" if n % 2 else "round_settled", historical=n % 10 == 3)
    await until("NDATA", 301)
    await state(False, 1999)
    await command("state/round", True)
    await command("Node Control/Rebirth", True, device="shoe")
    await table.alarm("clock", "raised")  # a metric that no birth has named
    await until("NBIRTH", 2)
    trace.rebirth_at = published()
    await command("Node Control/Rebirth", True)
    await until("NBIRTH", 3)
    await state(False, 3000)
    await until("NDEATH", 1)
    await state(True, 4000)
    await until("NBIRTH", 4)
    before = count(seen.received, "NDEATH")
    await table.online(False)
    await until("NDEATH", before + 1)
    await table.online(True)
    await until("NBIRTH", 5)
    await table.state(round=3, fees_due={"main": 150, "side": 5})
    await until("NBIRTH", 6)


def _now() -> int:
    return time.time_ns() // 1_000_000
