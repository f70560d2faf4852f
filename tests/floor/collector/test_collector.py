"""A collector between real brokers and a store: everything arrives, once, and what is missing is requested."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, asynccontextmanager
from functools import partial
from pathlib import Path

import pytest
from sqlalchemy import Engine

from floor.collector.collector import Collector
from floor.config import Broker, FloorConfig
from floor.store.intake import Taken
from floor.store.rebuild import compare
from tests.support.floor_store import SITE, heads, mixed, problems, reasons, rows
from tests.support.recorded_days import FreshTable, Published, days
from tests.support.running.brokers import Mosquitto, mosquitto, needs_mosquitto
from tests.support.running.playing_tables import playing

pytestmark = [pytest.mark.broker, needs_mosquitto]

OPEN = ("allow_anonymous true", "max_inflight_messages 1000", "set_tcp_nodelay true")
PATIENCE_S = 120


@pytest.fixture
def brokers(tmp_path: Path) -> Iterator[list[Mosquitto]]:
    with ExitStack() as stack:
        folders = [tmp_path / name for name in "ab"]
        for folder in folders:
            folder.mkdir()
        yield [stack.enter_context(mosquitto(folder, *OPEN)) for folder in folders]


@pytest.fixture
def tables() -> list[FreshTable]:
    return [FreshTable(SITE, f"t-{number}", name, seed=2) for number, name in enumerate(days())]


def config(brokers: list[Mosquitto], store: str, name: str = "books", group: str | None = None) -> FloorConfig:
    named = tuple(Broker(name=each, port=broker.port) for each, broker in zip("ab", brokers, strict=False))
    return FloorConfig(site=SITE, store=store, name=name, group=group, brokers=named)


@asynccontextmanager
async def collecting(settings: FloorConfig, engine: Engine) -> AsyncIterator[Collector]:
    collector = Collector(settings, engine)
    task = asyncio.create_task(collector.run())
    try:
        await until(lambda: len(collector._connected()) == len(settings.brokers))
        yield collector
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def until(holds: object, within: float = PATIENCE_S) -> None:
    async with asyncio.timeout(within):
        while not holds():  # type: ignore[operator]  # noqa: ASYNC110
            await asyncio.sleep(0.05)


def whole(engine: Engine, tables: list[FreshTable]) -> bool:
    ends = heads(engine)
    return all(ends.get(table.journal) == (len(table.events), table.links[-1]) for table in tables)


async def test_everything_from_two_brokers_is_in_the_store_once(
    brokers: list[Mosquitto], store: str, engine: Engine, tables: list[FreshTable]
) -> None:
    async with (
        playing([broker.port for broker in brokers], tables) as floor,
        collecting(config(brokers, store), engine),
    ):
        floor.play([*(table.online() for table in tables), *mixed(tables)])
        await until(lambda: whole(engine, tables))
        floor.play([message for table in tables for message in (table.state(), table.head())])
        await until(lambda: len(floor.receipts) == len(tables))
        await until(lambda: rows(engine, "SELECT DISTINCT state FROM journals") == [("whole",)])
    assert problems(engine, tables) == []
    assert reasons(engine) == {}
    assert compare(engine) == {}
    for table in tables:
        receipt = floor.receipts[table.table]
        assert (receipt["journal"], receipt["link"]) == (table.journal, table.links[int(str(receipt["seq"]))])


async def test_a_table_that_was_there_before_us_is_collected_from_its_first_event(
    brokers: list[Mosquitto], store: str, engine: Engine, tables: list[FreshTable]
) -> None:
    table = tables[1]
    async with playing([brokers[0].port], tables) as floor:
        floor.play([*table.events[:900], table.state(900)])
        await floor.all_sent()
        async with collecting(config(brokers[:1], store), engine):
            await until(lambda: heads(engine).get(table.journal, (0, ""))[0] == 900)
    assert floor.replays[table.table][0] == (1, 500)


async def test_a_hole_is_filled_by_a_replay_and_nothing_is_booked_before(
    brokers: list[Mosquitto], store: str, engine: Engine, tables: list[FreshTable]
) -> None:
    table = tables[0]
    async with playing([brokers[0].port], tables) as floor, collecting(config(brokers[:1], store), engine):
        floor.play([*table.events[:100], *table.events[150:]])
        await until(lambda: whole(engine, [table]))
    # Once, or again where the machine was too slow to answer in time; never anything else.
    assert set(floor.replays[table.table]) == {(101, 150)}
    assert problems(engine, [table]) == []


async def test_what_the_board_no_longer_has_is_a_gap_and_the_rest_is_collected(
    brokers: list[Mosquitto], store: str, engine: Engine, tables: list[FreshTable]
) -> None:
    table = tables[0]
    async with (
        playing([brokers[0].port], tables, kept_from=238) as floor,
        collecting(config(brokers[:1], store), engine),
    ):
        floor.play([*table.events[300:], table.state()])
        await until(lambda: whole(engine, [table]))
    assert rows(engine, "SELECT first_seq, last_seq FROM gaps") == [(1, 237)]
    numbers = [seq for (seq,) in rows(engine, "SELECT seq FROM events ORDER BY seq")]
    assert numbers == list(range(238, len(table.events) + 1))


async def test_an_invented_event_beyond_the_end_does_not_keep_a_hole_open(
    brokers: list[Mosquitto], store: str, engine: Engine, tables: list[FreshTable]
) -> None:
    table = tables[0]
    invented = FreshTable(SITE, table.table, days()[0], seed=2).events[2000]
    del table.events[1000:], table.links[1001:]
    async with playing([brokers[0].port], tables) as floor, collecting(config(brokers[:1], store), engine):
        floor.play([*table.events, Published(invented.topic, invented.payload)])
        await until(lambda: reasons(engine) == {"beyond_the_end": 1})
        await until(lambda: rows(engine, "SELECT seq, waiting, hole_since FROM journals") == [(1000, 0, None)])


def _share(shares: dict[str, int], name: str, taken: Taken) -> None:
    shares[name] = shares.get(name, 0) + taken.booked + taken.waiting + taken.repeats


async def test_two_collectors_share_the_work(
    brokers: list[Mosquitto], store: str, engine: Engine, tables: list[FreshTable]
) -> None:
    shares: dict[str, int] = {}
    async with (
        playing([broker.port for broker in brokers], tables) as floor,
        collecting(config(brokers, store, "one", "g"), engine) as one,
        collecting(config(brokers, store, "two", "g"), engine) as two,
    ):
        for name, collector in (("one", one), ("two", two)):
            collector._on_batch = partial(_share, shares, name)
        floor.play([*mixed(tables), *(table.state() for table in tables)])
        await until(lambda: whole(engine, tables))
    assert problems(engine, tables) == []
    assert compare(engine) == {}
    assert min(shares.values()) > 500, shares
