"""Two rooms replicate to the company: two real clusters of PostgreSQL, one of which is killed in between."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from sqlalchemy import Engine

from controller.cli.main import main
from floor.books import sums
from floor.books.scope import Scope
from floor.store.company import BY_SITE
from floor.store.database import migrate, open_engine, reading
from tests.support.floor_store import an_intake, count, problems, rows, take
from tests.support.recorded_days import FreshTable, days
from tests.support.running.postgres import Postgres, needs_postgres, postgres
from tests.support.turns import comes

pytestmark = needs_postgres
SITES = ("hill-top", "riverside")
YEAR = ("2025-01-01", "2026-12-31")


@pytest.fixture(scope="module")
def rooms() -> Iterator[Postgres]:
    """The cluster of the rooms; the company has one of its own."""
    with postgres("wal_level = logical") as running:
        yield running


def config(folder: Path, site: str, store: str) -> str:
    path = folder / f"{site}.toml"
    path.write_text(f'site = "{site}"\nstore = "{store}"\n')
    return str(path)


def until(holds: Callable[[], bool]) -> None:
    end = time.monotonic() + 120
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.05)


def same(room: Engine, company: Engine, site: str) -> bool:
    """Whether the company has what the room has, row by row."""
    for table in BY_SITE:
        query = f"SELECT * FROM {table.name} WHERE site = '{site}'"
        if sorted(map(repr, rows(room, query))) != sorted(map(repr, rows(company, query))):
            return False
    return True


if comes(of=2):

    def test_every_room_is_at_the_company_after_the_room_was_killed(
        rooms: Postgres, cluster: Postgres, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        tables = {site: FreshTable(site, "t-1", days()[number], seed=3) for number, site in enumerate(SITES)}
        stores = {site: rooms.create(site) for site in SITES}
        office = config(tmp_path, "office", cluster.create("company"))
        assert main(["floor", "company", "make", "--config", office]) == 0
        engines = {site: open_engine(store) for site, store in stores.items()}
        company = open_engine(cluster.address("company"))
        for site, table in tables.items():
            migrate(stores[site])
            take(an_intake(engines[site]), table.events[:1000])  # is there before the company comes
            assert main(["floor", "company", "publish", "--config", config(tmp_path, site, stores[site])]) == 0
            source = f"host={rooms.folder} user=floor dbname={site}"
            assert main(["floor", "company", "add", site, "--from", source, "--config", office]) == 0
        take(an_intake(engines[SITES[0]]), tables[SITES[0]].events[1000:1500])
        rooms.kill()
        rooms.start()
        for site, table in tables.items():
            take(an_intake(engines[site]), [*table.events[1000:], table.head()])
            until(lambda site=site: same(engines[site], company, site))  # type: ignore[misc]
        assert problems(company, list(tables.values())) == []
        assert count(company, BY_SITE[0]) == sum(len(table.events) for table in tables.values())
        for site in SITES:
            with reading(engines[site]) as at_room, reading(company) as at_company:
                scope = Scope((site,), *YEAR)
                assert sums.sums(at_company, scope, "table_name") == sums.sums(at_room, scope, "table_name") != []
        plan = str(rows(company, "EXPLAIN SELECT sum(cents) FROM fee_ledger WHERE site = 'riverside'"))
        assert "fee_ledger_of_riverside" in plan and "hill_top" not in plan
        capsys.readouterr()
        of = [word for site in SITES for word in ("--site", site)]
        assert main(["floor", "books", "day", "2025-11-15", *of, "--part", "sites", "--config", office]) == 0
        printed = capsys.readouterr().out
        assert "Sites        hill-top, riverside" in printed and "  hill-top " in printed and "  riverside " in printed
        until(lambda: main(["floor", "company", "show", "--config", office]) == 0)
        assert all(site.replace("-", "_") in capsys.readouterr().out for site in ("riverside",))
        for engine in (*engines.values(), company):
            engine.dispose()
        for site in SITES:
            cluster.execute(f"DROP SUBSCRIPTION floor_{site.replace('-', '_')}", "company")


def test_a_room_that_cannot_be_published_states_what_it_needs(
    cluster: Postgres, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store = cluster.create("unpublished")
    migrate(store)
    assert main(["floor", "company", "publish", "--config", config(tmp_path, "riverside", store)]) == 2
    assert "set wal_level = logical in postgresql.conf" in capsys.readouterr().err
    path = str(tmp_path / "floor.db")
    migrate(path)
    assert main(["floor", "company", "publish", "--config", config(tmp_path, "riverside", path)]) == 2
    assert "is a SQLite file" in capsys.readouterr().err
