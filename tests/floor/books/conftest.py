"""A room of four tables, each with one of the recorded days; made once for SQLite and once for PostgreSQL."""

from __future__ import annotations

from collections.abc import Iterator
from uuid import uuid4

import pytest
from sqlalchemy import Connection, Engine

from floor.config import FloorConfig
from floor.store.database import migrate, open_engine, reading
from tests.support.floor_store import SITE, an_intake, mixed, take
from tests.support.recorded_days import FreshTable, days
from tests.support.running.postgres import Postgres, needs_postgres

DAY = "2025-11-15"
"""The gaming day of every recorded day."""
TABLES = {f"t-{number}": name for number, name in enumerate(days())}
CONFIG = FloorConfig(site=SITE, store="unused", sections={"high": ("t-0", "t-1")})


@pytest.fixture(scope="session", params=["sqlite", pytest.param("postgresql", marks=needs_postgres)])
def room_store(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> str:
    if request.param == "sqlite":
        store = str(tmp_path_factory.mktemp("room") / "floor.db")
    else:
        cluster: Postgres = request.getfixturevalue("cluster")
        store = cluster.create(f"room_{uuid4().hex[:12]}")
    migrate(store)
    engine = open_engine(store)
    tables = [FreshTable(SITE, name, day) for name, day in TABLES.items()]
    take(an_intake(engine), [*mixed(tables), *(table.head() for table in tables)])
    engine.dispose()
    return store


@pytest.fixture(scope="session")
def room(room_store: str) -> Iterator[Engine]:
    """Read it, and leave it as it is."""
    engine = open_engine(room_store)
    yield engine
    engine.dispose()


@pytest.fixture
def connection(room: Engine) -> Iterator[Connection]:
    with reading(room) as connection:
        yield connection
