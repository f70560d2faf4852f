"""Collectors, brokers, the database and the tables are killed at random moments.

0 lost, 0 twice, every chain ends as the table's. The seed is printed with a
failure; CUTCARD_FLOOR_SEED, CUTCARD_FLOOR_KILLS and CUTCARD_FLOOR_TABLES repeat a run, or make a larger one
(`make floor-kills`).
"""

from __future__ import annotations

import asyncio
import os
import random
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path

import pytest
from sqlalchemy import Engine
from sqlalchemy.exc import SQLAlchemyError

from floor.store.database import migrate, open_engine
from floor.store.rebuild import compare
from tests.support.floor_store import SITE, heads, mixed, problems, reasons
from tests.support.recorded_days import FreshTable, days
from tests.support.running.brokers import Mosquitto, mosquitto, needs_mosquitto
from tests.support.running.playing_tables import playing
from tests.support.running.postgres import Postgres, needs_postgres, postgres

SEED = int(os.environ.get("CUTCARD_FLOOR_SEED", "1"))
KILLS = int(os.environ.get("CUTCARD_FLOOR_KILLS", "2"))
TABLES = int(os.environ.get("CUTCARD_FLOOR_TABLES", "6"))
PATIENCE_S = 500 + 30 * TABLES + 60 * KILLS
"""From the first event to the last one that is stored, on a machine that does much else."""

pytestmark = [pytest.mark.broker, needs_mosquitto, pytest.mark.timeout(900 if TABLES == 6 and KILLS == 2 else 0)]

OPEN = ("allow_anonymous true", "max_inflight_messages 1000", "set_tcp_nodelay true")


class CollectorProcess:
    """`cutcard floor run` as a process that can be killed and started again."""

    def __init__(self, folder: Path, name: str, store: str, ports: list[int]) -> None:
        self._config = folder / f"{name}.toml"
        brokers = "".join(f'[[brokers]]\nname = "{"ab"[n]}"\nport = {port}\n' for n, port in enumerate(ports))
        self._config.write_text(f'site = "{SITE}"\nname = "{name}"\ngroup = "g"\nstore = "{store}"\n{brokers}')
        self._log = folder / f"{name}.log"
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        command = [sys.executable, "-m", "controller.cli.main", "floor", "run", "--config", str(self._config)]
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(command, stdout=log, stderr=log)

    def kill(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()

    @property
    def log(self) -> str:
        return self._log.read_text()[-2000:]


Victim = CollectorProcess | Mosquitto | Postgres


@pytest.fixture
def cluster_to_kill() -> Iterator[Postgres]:
    with postgres() as running:
        yield running


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=needs_postgres)])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[str, Postgres | None]:
    """An empty store, and its server where it has one."""
    if request.param == "sqlite":
        return str(tmp_path / "floor.db"), None
    cluster: Postgres = request.getfixturevalue("cluster_to_kill")
    return cluster.create("floor"), cluster


async def test_nothing_is_lost_and_nothing_is_there_twice(
    tmp_path: Path, database: tuple[str, Postgres | None]
) -> None:
    store, cluster = database
    rng = random.Random(SEED)
    tables = [FreshTable(SITE, f"t-{number}", days()[number % 4], seed=SEED) for number in range(TABLES)]
    migrate(store)
    engine = open_engine(store)
    with ExitStack() as stack:
        stack.callback(engine.dispose)
        brokers = []
        for name in "ab":
            folder = tmp_path / name
            folder.mkdir()
            brokers.append(stack.enter_context(mosquitto(folder, *OPEN)))
        collectors = [
            CollectorProcess(tmp_path, name, store, [broker.port for broker in brokers]) for name in ("one", "two")
        ]
        for collector in collectors:
            collector.start()
            stack.callback(collector.kill)
        async with playing([broker.port for broker in brokers], tables) as floor:
            databases = [] if cluster is None else [[cluster]]
            victims = _victims(rng, collectors, brokers, [None], *databases)
            messages = mixed(tables)
            floor.play(messages)
            try:
                async with asyncio.timeout(PATIENCE_S):
                    for kill in range(KILLS):
                        # Spread over the whole play; the moment within its part is what is random.
                        await floor.sent(int((kill + rng.random()) * len(messages) / KILLS))
                        victim = next(victims)
                        if victim is None:
                            floor.cut()
                        else:
                            await asyncio.to_thread(_kill, victim)
                    await floor.all_sent()
                    floor.play([message for table in tables for message in (table.state(), table.head())])
                    while not await asyncio.to_thread(_is_whole, engine, tables):  # noqa: ASYNC110
                        await asyncio.sleep(0.2)
            except TimeoutError:
                logs = "\n".join(collector.log for collector in collectors)
                pytest.fail(f"seed {SEED}: {problems(engine, tables)}\n{logs}\n{floor.where()}")
    assert problems(engine, tables) == [], f"seed {SEED}"
    assert compare(engine) == {}, f"seed {SEED}"
    assert reasons(engine) == {}, f"seed {SEED}"


def _victims(rng: random.Random, *kinds: Sequence[Victim | None]) -> Iterator[Victim | None]:
    """Each kind in turn, in an order that is random; None: the tables."""
    while True:
        for kind in rng.sample(kinds, len(kinds)):
            yield rng.choice(kind)


def _kill(victim: Victim) -> None:
    """SIGKILL, and a start."""
    victim.kill()
    victim.start()


def _is_whole(engine: Engine, tables: list[FreshTable]) -> bool:
    try:
        ends = heads(engine)
    except SQLAlchemyError:
        return False
    return all(ends.get(table.journal) == (len(table.events), table.links[-1]) for table in tables)
