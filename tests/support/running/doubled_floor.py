"""A floor without a single point that others wait for: two brokers, PostgreSQL, a collector, and the page.

Each part can be taken away by itself while tables publish over both brokers. The tables are one publisher, which keeps
a connection to each broker and sends the newest state of a table again when it is back, as tables do.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path

import aiomqtt
from aiomqtt import MqttError
from msgspec import Struct
from msgspec.structs import replace

from controller.child_processes import ChildProcess
from controller.contract.messages import StateDocument
from controller.mqtt_client import MqttClient
from floor.config import Broker, FloorConfig
from floor.page_settings import PageSettings
from floor.store.database import migrate, open_engine
from floor.web.serving import serving
from tests.support.floor_rooms import as_published, online
from tests.support.recorded_days import Published
from tests.support.running.brokers import Mosquitto, mosquitto
from tests.support.running.floor_pages import SITE, hire
from tests.support.running.postgres import Postgres, postgres


class TablesOfTwoBrokers:
    """The newest message of each topic, at each broker that is there."""

    def __init__(self, ports: list[int]) -> None:
        self._ports = ports
        self._newest: dict[str, Published] = {}
        self._unsent: list[dict[str, None]] = [{} for _ in ports]
        self._news = [asyncio.Event() for _ in ports]

    def publish(self, state: StateDocument) -> None:
        for message in (online(state), as_published(state)):
            self._newest[message.topic] = message
            for unsent, news in zip(self._unsent, self._news, strict=True):
                unsent[message.topic] = None
                news.set()

    async def run(self) -> None:
        async with asyncio.TaskGroup() as tasks:
            for which in range(len(self._ports)):
                tasks.create_task(self._keep_sending(which))

    async def _keep_sending(self, which: int) -> None:
        while True:
            with suppress(MqttError):
                client = MqttClient("127.0.0.1", self._ports[which], protocol=aiomqtt.ProtocolVersion.V5, timeout=5)
                async with client:
                    self._unsent[which] = dict.fromkeys(self._newest)
                    await self._send(client, which)
            await asyncio.sleep(0.1)

    async def _send(self, client: MqttClient, which: int) -> None:
        while True:
            self._news[which].clear()
            topics, self._unsent[which] = list(self._unsent[which]), {}
            for topic in topics:
                await client.publish(topic, self._newest[topic].payload, qos=1, retain=True)
            await self._news[which].wait()


class DoubledFloor(Struct, frozen=True):
    """What can be taken away, and the page that is to go on."""

    url: str
    tables: TablesOfTwoBrokers
    brokers: tuple[Mosquitto, Mosquitto]
    database: Postgres
    end_collector: Callable[[], None]


@asynccontextmanager
async def doubled_floor(folder: Path) -> AsyncIterator[DoubledFloor]:
    hire(folder / "staff.json")
    async with AsyncExitStack() as stack:
        cluster = stack.enter_context(postgres())
        store = cluster.create("floor")
        migrate(store)
        engine = open_engine(store)
        stack.callback(engine.dispose)
        brokers = []
        for name in "ab":
            (folder / name).mkdir()
            brokers.append(stack.enter_context(mosquitto(folder / name)))
        settings = PageSettings(port=0, local_port=0, staff=str(folder / "staff.json"))
        names = zip("ab", brokers, strict=True)
        config = FloorConfig(
            site=SITE,
            store=store,
            brokers=tuple(Broker(name=name, port=broker.port) for name, broker in names),
            page=settings,
        )
        collector = stack.enter_context(_collector(folder, config))
        url = await stack.enter_async_context(serving(config, engine))
        tables = TablesOfTwoBrokers([broker.port for broker in brokers])
        publishing = asyncio.create_task(tables.run())
        try:
            yield DoubledFloor(url, tables, (brokers[0], brokers[1]), cluster, collector.kill)
        finally:
            publishing.cancel()
            await asyncio.gather(publishing, return_exceptions=True)


def _collector(folder: Path, config: FloorConfig) -> ChildProcess:
    file = folder / "collector.toml"
    brokers = "".join(f'[[brokers]]\nname = "{each.name}"\nport = {each.port}\n' for each in config.brokers)
    file.write_text(f'site = "{config.site}"\nstore = "{config.store}"\n{brokers}')
    command = [sys.executable, "-m", "controller.cli.main", "floor", "run", "--config", str(file)]
    return ChildProcess("collector", command, folder / "collector.log")


FAILURES: dict[str, tuple[Callable[[DoubledFloor], None], Callable[[DoubledFloor], None]]] = {
    "a broker is killed": (lambda floor: floor.brokers[0].kill(), lambda floor: floor.brokers[0].start()),
    "a broker stands still": (lambda floor: floor.brokers[1].freeze(), lambda floor: floor.brokers[1].thaw()),
    "the database is killed": (lambda floor: floor.database.kill(), lambda floor: floor.database.start()),
    "the collector is killed": (lambda floor: floor.end_collector(), lambda floor: None),
}
"""What fails, and how it is there again."""


def next_of(state: StateDocument, now: int) -> StateDocument:
    """The table has done something."""
    return replace(state, seq=state.seq + 1, at=now, phase_since=now)
