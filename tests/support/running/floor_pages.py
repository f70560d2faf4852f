"""A floor page that runs: a broker, a store, the page; tables publish through `Tables`."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from pathlib import Path

import aiomqtt
from msgspec import Struct
from msgspec.structs import replace
from sqlalchemy import Engine

from controller.operator.roles import Role
from controller.operator.staff import read_staff, write_staff
from floor.config import Broker, FloorConfig
from floor.page_settings import AlertSettings, PageSettings, PrometheusSettings, RoomSettings
from floor.store.database import migrate, open_engine
from floor.web.serving import milliseconds, serving
from tests.support.recorded_days import Published
from tests.support.running.brokers import Mosquitto, mosquitto

SITE = "riverside"
PINS = {"ann": "482915", "bob": "739164", "tom": "618273"}
_ROLES = {"ann": Role.FLOOR, "bob": Role.FLOOR, "tom": Role.MONITOR}


def hire(path: Path) -> None:
    """Ann and Bob are of the floor, Tom watches."""
    staff = read_staff(path)
    for number, (name, role) in enumerate(_ROLES.items(), start=1001):
        staff = staff.with_member(name, role, str(number), PINS[name], cost=2)
    write_staff(path, staff)


class Tables:
    """Publishes for all tables of a room, over one connection."""

    def __init__(self, client: aiomqtt.Client) -> None:
        self.client = client

    async def publish(self, messages: Iterable[Published]) -> None:
        for message in messages:
            await self.client.publish(message.topic, message.payload, qos=1, retain=message.retain)


class RunningPage(Struct, frozen=True):
    """What a test needs of it."""

    url: str
    config: FloorConfig
    engine: Engine
    tables: Tables
    broker: Mosquitto


@asynccontextmanager
async def floor_page(
    folder: Path,
    *,
    room: RoomSettings | None = None,
    page: PageSettings | None = None,
    sections: dict[str, tuple[str, ...]] | None = None,
    alerts: AlertSettings | None = None,
    prometheus: PrometheusSettings | None = None,
    clock: Callable[[], int] = milliseconds,
) -> AsyncIterator[RunningPage]:
    """A page on a free port, its store a SQLite file in the folder."""
    store, staff = str(folder / "floor.db"), folder / "staff.json"
    migrate(store)
    hire(staff)
    settings = replace(page or PageSettings(), port=0, local_port=0, staff=str(staff))
    with mosquitto(folder) as broker:
        config = FloorConfig(
            site=SITE,
            store=store,
            brokers=(Broker(port=broker.port),),
            page=settings,
            room=room or RoomSettings(),
            sections=sections or {},
            alerts=alerts or AlertSettings(),
            prometheus=prometheus or PrometheusSettings(),
        )
        engine = open_engine(store)
        connection = aiomqtt.Client("127.0.0.1", broker.port, protocol=aiomqtt.ProtocolVersion.V5, identifier="tables")
        try:
            async with connection as client, serving(config, engine, clock) as url:
                yield RunningPage(url, config, engine, Tables(client), broker)
        finally:
            await asyncio.to_thread(engine.dispose)
