"""How fast the floor stores what tables publish.

The store's stage: received messages, read and taken in batches, beside `COPY` of the same rows of `events` in the same
batches, from text that was made before, into a table with the same columns, key and index. Broker to store: a collector
that begins with an empty store, beside a bare subscriber of the same library, with the same Receive Maximum, that
acknowledges each message when it comes and only counts. Both name `TCP_NODELAY`, and so does the broker: otherwise each
acknowledgement waits in a kernel, and what is measured is that wait.
"""

from __future__ import annotations

import asyncio
import socket
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import aiomqtt
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties
from sqlalchemy import Engine, select, text

from floor.collector.collector import Collector
from floor.config import Broker, FloorConfig
from floor.gaming_day import Calendar
from floor.messages import read
from floor.store import bulk
from floor.store.database import migrate, open_engine, reading
from floor.store.intake import Intake, Taken
from floor.store.schema import EVENTS
from tests.bench.figures import Figure
from tests.support.floor_store import NOON, SITE, mixed
from tests.support.recorded_days import FreshTable, Published, days
from tests.support.running.brokers import MOSQUITTO, mosquitto
from tests.support.running.postgres import BINARIES, Postgres, postgres

_BATCH = 2000
_IN_FLIGHT = FloorConfig(site=SITE, store="").in_flight
_NO_DELAY = [(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)]
_BROKER = ("allow_anonymous true", "max_inflight_messages 1000", "max_queued_messages 0", "set_tcp_nodelay true")
_STORE_TARGET, _BROKER_TARGET, _EVENTS_TARGET = 0.5, 0.5, 5000


async def figures(folder: Path, tables: int, repeats: int) -> list[Figure]:
    """None where there is no PostgreSQL."""
    if BINARIES is None:
        return []
    with postgres() as cluster:
        found = [_store_stage(cluster, tables, repeats)]
        if MOSQUITTO is not None:
            found.append(await _from_broker(folder, cluster, tables, repeats))
    return found


def _messages(tables: int, run: int) -> list[Published]:
    return mixed([FreshTable(SITE, f"t-{n}", days()[n % len(days())], seed=run) for n in range(tables)])


def _timed(work: Callable[[], int]) -> float:
    began = time.perf_counter()
    return work() / (time.perf_counter() - began)


def _store_stage(cluster: Postgres, tables: int, repeats: int) -> Figure:
    store = cluster.create("stage")
    migrate(store)
    engine = open_engine(store)
    with engine.begin() as connection:
        connection.execute(text("CREATE TABLE bare (LIKE events INCLUDING ALL)"))
    ours, theirs = [], []
    for run in range(repeats):
        messages = _messages(tables, run)
        ours.append(_timed(lambda messages=messages: _take(engine, messages)))  # type: ignore[misc]
        with reading(engine) as connection:
            rows = [tuple(row) for row in connection.execute(select(EVENTS))]
        copies = [bulk.as_copied(EVENTS, rows[start : start + _BATCH]) for start in range(0, len(rows), _BATCH)]
        theirs.append(_timed(lambda copies=copies, rows=rows: _copy(engine, copies, len(rows))))  # type: ignore[misc]
        with engine.begin() as connection:
            connection.execute(text("TRUNCATE bare, events, rounds, wagers, fee_ledger, drops"))
    engine.dispose()
    ratio = max(ours) / max(theirs)
    return Figure(
        name=f"events of {tables} tables into PostgreSQL",
        ours=max(ours),
        median=sorted(ours)[len(ours) // 2],
        beside="COPY of the same rows",
        theirs=max(theirs),
        ratio=ratio,
        target=f">= {_STORE_TARGET}",
        met=ratio >= _STORE_TARGET,
        worse="smaller",
    )


def _take(engine: Engine, messages: list[Published]) -> int:
    intake = Intake(engine, Calendar())
    booked = 0
    for start in range(0, len(messages), _BATCH):
        some = messages[start : start + _BATCH]
        booked += intake.take([read("a", message.topic, message.payload, NOON) for message in some]).booked
    assert booked == len(messages)
    return booked


def _copy(engine: Engine, copies: list[bytes], rows: int) -> int:
    for data in copies:
        with engine.begin() as connection:
            driver = connection.connection.driver_connection
            assert driver is not None
            with driver.cursor() as cursor, cursor.copy("COPY bare FROM STDIN") as copy:
                copy.write(data)
    return rows


async def _from_broker(folder: Path, cluster: Postgres, tables: int, repeats: int) -> Figure:
    ours, theirs = [], []
    with mosquitto(folder, *_BROKER) as broker:
        for run in range(repeats):
            messages = _messages(tables, run)
            store = cluster.create(f"wire_{run}")
            migrate(store)
            config = FloorConfig(site=SITE, store=store, brokers=(Broker(port=broker.port),))
            engine = open_engine(store)
            ours.append(await _collected(config, engine, broker.port, messages))
            engine.dispose()
            theirs.append(await _subscribed(broker.port, messages))
    ratio = max(ours) / max(theirs)
    return Figure(
        name=f"events of {tables} tables, broker to PostgreSQL",
        ours=max(ours),
        median=sorted(ours)[len(ours) // 2],
        beside="a bare subscriber, QoS 1",
        theirs=max(theirs),
        ratio=ratio,
        target=f">= {_BROKER_TARGET}, {_EVENTS_TARGET:,}/s",
        met=ratio >= _BROKER_TARGET and max(ours) >= _EVENTS_TARGET,
        worse="smaller",
    )


async def _collected(config: FloorConfig, engine: Engine, port: int, messages: list[Published]) -> float:
    """The session exists, the broker has queued everything, and then the collector comes."""
    done = asyncio.Event()
    booked = 0

    def count(taken: Taken) -> None:
        nonlocal booked
        booked += taken.booked
        if booked == len(messages):
            done.set()

    await _queue_for(f"{config.name}/store/{SITE}", port, messages)
    collector = Collector(config, engine, on_batch=count)
    began = time.perf_counter()
    task = asyncio.create_task(collector.run())
    async with asyncio.timeout(600):
        await done.wait()
    rate = len(messages) / (time.perf_counter() - began)
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    return rate


class _Counter(aiomqtt.Client):
    """Counts what comes."""

    def __init__(self, name: str, port: int) -> None:
        session = Properties(PacketTypes.CONNECT)  # type: ignore[no-untyped-call]
        session.SessionExpiryInterval = 3600
        session.ReceiveMaximum = _IN_FLIGHT
        super().__init__(
            "127.0.0.1",
            port,
            identifier=name,
            protocol=aiomqtt.ProtocolVersion.V5,
            clean_start=False,
            properties=session,
            timeout=60,
            socket_options=_NO_DELAY,
        )
        self._missing = 0
        self._all_there = asyncio.Event()

    async def receive(self, count: int) -> None:
        """Connects, and returns when this number of messages has come."""
        self._missing = count
        async with self:
            await self._all_there.wait()

    def _on_message(self, client: Any, userdata: Any, message: Any) -> None:
        self._missing -= 1
        if self._missing == 0:
            self._all_there.set()


async def _subscribed(port: int, messages: list[Published]) -> float:
    await _queue_for("bare", port, messages)
    counter = _Counter("bare", port)
    began = time.perf_counter()
    async with asyncio.timeout(600):
        await counter.receive(len(messages))
    return len(messages) / (time.perf_counter() - began)


async def _queue_for(name: str, port: int, messages: list[Published]) -> None:
    """The broker has these for this client, which is away."""
    async with _Counter(name, port) as client:
        await client.subscribe(f"cutcard/v2/{SITE}/+/event/+", qos=1)
    async with aiomqtt.Client(
        "127.0.0.1",
        port,
        identifier="tables",
        protocol=aiomqtt.ProtocolVersion.V5,
        max_inflight_messages=500,
        timeout=60,
        socket_options=_NO_DELAY,
    ) as client:
        client.pending_calls_threshold = 10_000
        for start in range(0, len(messages), 500):
            some = messages[start : start + 500]
            await asyncio.gather(*(client.publish(message.topic, message.payload, qos=1) for message in some))
