"""A lost or restored connection to the broker is reported at once, to the callback and to the screens."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from controller.journal import Journal
from controller.mqtt import MqttSettings, Publisher
from tests.support.journals import open_journal, write
from tests.support.running.brokers import free_port, mosquitto, needs_mosquitto
from tests.support.running.tables import laid_table

pytestmark = [pytest.mark.broker, needs_mosquitto]


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with open_journal(tmp_path / "journal.db") as journal:
        yield journal


async def test_each_change_of_the_connection_is_shown_once(journal: Journal, tmp_path: Path) -> None:
    write(journal, range(5))
    changes: asyncio.Queue[bool] = asyncio.Queue()
    with mosquitto(tmp_path) as broker:
        settings = MqttSettings(host="127.0.0.1", port=broker.port, client_id="t7")
        publisher = Publisher(
            journal, settings, session="run-1", on_connection=lambda: changes.put_nowait(publisher.connected)
        )
        publisher.start()
        async with asyncio.timeout(30):
            assert await changes.get() is True
            broker.kill()
            assert await changes.get() is False
            broker.start()
            assert await changes.get() is True
            write(journal, range(5, 10))
            await publisher.published(journal.head.seq)
            await publisher.stop()
            assert await changes.get() is False
    assert changes.empty()


async def test_a_broker_that_never_answers_is_no_change(journal: Journal) -> None:
    changes: list[bool] = []
    settings = MqttSettings(host="127.0.0.1", port=free_port(), client_id="t7")
    publisher = Publisher(journal, settings, session="run-1", on_connection=lambda: changes.append(publisher.connected))
    publisher.start()
    assert await publisher.first_attempt() is not None
    await publisher.stop(0.1)
    assert changes == []


async def test_the_screens_show_at_once_that_the_broker_went_or_came(tmp_path: Path) -> None:
    """Nothing is dealt meanwhile: no card and no wager updates the screens."""
    with mosquitto(tmp_path) as broker:
        async with laid_table(tmp_path, broker.port) as table:
            await table.until(lambda view: view.get("broker_online", True))
            broker.kill()
            await table.until(lambda view: not view.get("broker_online", True))
            broker.start()
            await table.until(lambda view: view.get("broker_online", True))
