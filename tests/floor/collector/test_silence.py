"""A table that is online and publishes nothing: it is asked, and shown as silent where no answer comes."""

from __future__ import annotations

import pytest
from sqlalchemy import Engine

from floor.collector.requests import Requests
from floor.config import FloorConfig
from floor.queries import overview
from floor.store.database import reading
from tests.support.floor_store import NOON, SITE, an_intake, received, rows
from tests.support.recorded_days import FreshTable, days

SECOND = 1000


class FakeWire:
    """A connection that keeps what is sent."""

    is_v5 = True

    def __init__(self) -> None:
        self.sent: list[str] = []

    def send(self, topic: str, payload: bytes, *, retain: bool = False, answer_to: str | None = None) -> None:
        self.sent.append(topic)


@pytest.fixture
def tables() -> list[FreshTable]:
    return [FreshTable(SITE, name, days()[0], seed=4) for name in ("quiet", "off", "busy")]


async def test_a_table_that_is_online_and_silent_is_asked_then_shown_and_is_back_with_its_next_message(
    engine: Engine, tables: list[FreshTable], caplog: pytest.LogCaptureFixture
) -> None:
    quiet, off, busy = tables
    intake, wire, now = an_intake(engine), FakeWire(), [NOON]
    config = FloorConfig(site=SITE, store="unused")
    requests = Requests(config, engine, intake, lambda: [wire], lambda: now[0])  # type: ignore[list-item]
    intake.take(received([quiet.events[0], quiet.online(), off.events[0], off.online(online=False)]))
    intake.take(received([busy.events[0], busy.online()]))

    def silent() -> list[str]:
        with reading(engine) as connection:
            return [each.table for each in overview.tables(connection) if each.silent]

    now[0] += 70 * SECOND
    intake.take(received([busy.events[1]], at=now[0]))
    await requests.look()
    assert wire.sent == [f"cutcard/v2/command/books/store/{SITE}/quiet/ping"]
    assert silent() == []
    now[0] += 30 * SECOND
    await requests.look()
    assert silent() == ["quiet"]
    assert "online, but silent: quiet" in caplog.text
    now[0] += 10 * SECOND
    await requests.look()
    assert caplog.text.count("online, but silent") == 1
    intake.take(received([quiet.events[1]], at=now[0]))
    assert silent() == []
    assert rows(engine, "SELECT count(*) FROM tables WHERE silent_since IS NOT NULL") == [(0,)]
