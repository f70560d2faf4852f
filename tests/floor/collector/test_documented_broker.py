"""A collector and the broker of deploy/mosquitto, over TLS with certificates."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from sqlalchemy import Engine

from floor.collector.collector import Collector
from floor.config import Broker, FloorConfig, Tls
from tests.support.floor_store import SITE, heads, problems
from tests.support.recorded_days import FreshTable, days
from tests.support.running.brokers import eventually, needs_mosquitto
from tests.support.running.cardrooms import running_cardroom

pytestmark = [pytest.mark.broker, needs_mosquitto]


@pytest.fixture
def _every_message_keeps_the_contract() -> None:
    """The receipts here are a store's, not a table's."""


async def test_a_collector_works_through_the_documented_door_and_does_no_more_than_a_store_may(
    tmp_path: Path, store: str, engine: Engine
) -> None:
    table = FreshTable(SITE, "one", days()[1])
    with running_cardroom(tmp_path) as room:
        papers = room.papers(f"books/store/{SITE}")
        tls = Tls(ca=str(room.tables.file), cert=str(papers.certificate), key=str(papers.key))
        broker = Broker(host="127.0.0.1", port=room.people_port, tls=tls)
        collector = Collector(FloorConfig(site=SITE, store=store, brokers=(broker,)), engine)
        running = asyncio.create_task(collector.run())
        try:
            await eventually(lambda: "books/store" in room.words and bool(collector._connected()), 60)
            async with room.client(f"{SITE}/one") as client:
                await client.subscribe(f"cutcard/v2/receipt/+/store/{SITE}/one", qos=1)
                for start in range(0, len(table.events), 100):
                    some = table.events[start : start + 100]
                    await asyncio.gather(*(client.publish(m.topic, m.payload, qos=1) for m in some))
                await eventually(lambda: heads(engine).get(table.journal) == (len(table.events), table.links[-1]), 60)
                await client.topics_until(f"cutcard/v2/receipt/books/store/{SITE}/one")
        finally:
            running.cancel()
            await asyncio.gather(running, return_exceptions=True)
    assert problems(engine, [table]) == []


async def test_a_certificate_that_the_broker_does_not_trust_is_one_sentence_and_is_tried_again(
    tmp_path: Path, store: str, engine: Engine, caplog: pytest.LogCaptureFixture
) -> None:
    with running_cardroom(tmp_path) as room:
        stranger = room.tables.issue("books/store/riverside", file="stranger")
        tls = Tls(ca=str(room.tables.file), cert=str(stranger.certificate), key=str(stranger.key))
        broker = Broker(host="127.0.0.1", port=room.people_port, tls=tls)
        running = asyncio.create_task(Collector(FloorConfig(site=SITE, store=store, brokers=(broker,)), engine).run())
        try:
            await eventually(lambda: "is away, and is tried again" in caplog.text, 60)
            assert not running.done()
        finally:
            running.cancel()
            await asyncio.gather(running, return_exceptions=True)
