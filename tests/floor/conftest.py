"""Stores for the tests of the floor: each test that wants one runs on SQLite and on a real PostgreSQL."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import pytest
from sqlalchemy import Engine

from floor.store.database import migrate, open_engine
from tests.support.running.postgres import Postgres, needs_postgres, postgres

_COMPANY = (
    "wal_retrieve_retry_interval = 100ms",
    "max_logical_replication_workers = 12",
    "max_sync_workers_per_subscription = 5",
    "max_worker_processes = 20",
)
"""Where rooms replicate to it, it does not wait five seconds for each table."""


@pytest.fixture(scope="session")
def cluster() -> Iterator[Postgres]:
    with postgres(*_COMPANY) as running:
        yield running


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=needs_postgres)])
def empty(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of an empty store."""
    if request.param == "sqlite":
        return str(tmp_path / "floor.db")
    running: Postgres = request.getfixturevalue("cluster")
    return running.create(f"floor_{uuid4().hex[:12]}")


@pytest.fixture
def store(empty: str) -> str:
    """The address of a store without a row."""
    migrate(empty)
    return empty


@pytest.fixture
def engine(store: str) -> Iterator[Engine]:
    opened = open_engine(store)
    yield opened
    opened.dispose()
