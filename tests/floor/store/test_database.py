"""Migrations, rebuilding, retention, roles: what looks after a store."""

from __future__ import annotations

import re

import psycopg
import pytest
from sqlalchemy import Engine, inspect, text
from sqlalchemy.exc import ProgrammingError

from controller.errors import UserError
from floor.books import sums
from floor.books.scope import Scope
from floor.config import Retention
from floor.messages import Received, read
from floor.queries import documents, overview
from floor.store.database import address, migrate, open_engine, reading
from floor.store.marks import set_mark
from floor.store.page_acts import PageAct, write_acts
from floor.store.rebuild import compare, rebuild_all
from floor.store.retention import delete_old
from floor.store.schema import DERIVED, METADATA
from tests.support.floor_store import NOON, SITE, an_intake, count, mixed, problems, rows, take
from tests.support.project import ROOT
from tests.support.recorded_days import FreshTable, Published, days
from tests.support.running.postgres import Postgres, needs_postgres

ONCE_A_DAY = [f"t-{number}" for number in range(4)]


@pytest.fixture
def tables() -> list[FreshTable]:
    return [FreshTable(SITE, name, day, seed=3) for name, day in zip(ONCE_A_DAY, days(), strict=True)]


def test_an_empty_database_gets_the_tables_of_the_program(empty: str) -> None:
    migrate(empty)
    migrate(empty)  # a second time changes nothing
    engine = open_engine(empty)
    found = inspect(engine)
    for name, table in METADATA.tables.items():
        columns = {column["name"]: column["nullable"] for column in found.get_columns(name)}
        assert columns == {column.name: column.nullable for column in table.columns}, name
        key = found.get_pk_constraint(name)["constrained_columns"]
        assert sorted(key) == sorted(column.name for column in table.primary_key.columns), name
    engine.dispose()


def test_the_questions_in_the_docs_have_answers(engine: Engine, tables: list[FreshTable]) -> None:
    take(an_intake(engine), [*mixed(tables), *(table.head() for table in tables)])
    questions = re.findall(r"```sql\n(.*?)```", (ROOT / "docs" / "floor" / "store.md").read_text(), re.S)
    assert len(questions) == 10
    answers = [rows(engine, question) for question in questions]
    owed, _, wrong, _, uncounted, by_dealer, drops, alarms, firmware, broken = answers
    assert owed and uncounted and by_dealer and drops and alarms and firmware
    assert wrong == [] and broken == []


def test_a_rebuild_gives_what_was_there(engine: Engine, tables: list[FreshTable]) -> None:
    take(an_intake(engine), mixed(tables), at_once=333)
    before = {table.name: sorted(map(repr, rows(engine, f"SELECT * FROM {table.name}"))) for table in DERIVED}
    with engine.begin() as connection:
        connection.execute(text("DELETE FROM rounds WHERE round > 10"))
        connection.execute(text("UPDATE fee_ledger SET cents = cents + 1"))
    assert set(compare(engine)) == {"rounds", "fee_ledger"}
    rebuild_all(engine)
    assert compare(engine) == {}
    assert before == {table.name: sorted(map(repr, rows(engine, f"SELECT * FROM {table.name}"))) for table in DERIVED}


def test_collecting_goes_on_after_a_rebuild(engine: Engine, tables: list[FreshTable]) -> None:
    table = tables[0]
    take(an_intake(engine), table.events[:1000])
    rebuild_all(engine)
    take(an_intake(engine), table.events[1000:])
    assert problems(engine, [table]) == []
    assert compare(engine) == {}


def test_what_is_old_is_deleted_and_no_longer_rebuilt(engine: Engine, tables: list[FreshTable]) -> None:
    late = FreshTable(SITE, "late", days()[0], seed=3, began=NOON - 10_000_000 + 90 * 86_400_000)
    intake = an_intake(engine)
    take(intake, [*tables[0].events, Published(tables[0].events[0].topic, b"x")])
    intake.take([*_later(late)])
    fees = count(engine, METADATA.tables["fee_ledger"])
    deleted = delete_old(engine, Retention(events=60, quarantine=30), NOON + 90 * 86_400_000)
    assert deleted == {"quarantine": 1, "events": len(tables[0].events)}
    assert count(engine, METADATA.tables["fee_ledger"]) == fees
    assert rows(engine, "SELECT DISTINCT table_name FROM events") == [("late",)]
    with pytest.raises(UserError, match="riverside/t-0 are no longer kept"):
        rebuild_all(engine)


def _later(table: FreshTable) -> list[Received]:
    return [read("a", message.topic, message.payload, NOON + 91 * 86_400_000) for message in table.events]


def test_figures_leave_out_what_no_board_has_signed(engine: Engine, tables: list[FreshTable]) -> None:
    intake = an_intake(engine)
    take(intake, mixed(tables[:2]))
    year = Scope((SITE,), "2025-01-01", "2026-12-31")
    with reading(engine) as connection:
        assert sums.sums(connection, year, "table_name") == []
    take(intake, [tables[0].head()])
    with reading(engine) as connection:
        (found,) = sums.sums(connection, year, "table_name")
        assert found.name == "t-0" and found.rounds > 100 and found.due > 0
        assert sums.sums(connection, Scope((SITE,), "2025-01-01", "2026-12-31", test=True), "") == []


def test_no_query_crosses_sites_without_naming_them(engine: Engine, tables: list[FreshTable]) -> None:
    other = FreshTable("hilltop", "t-0", days()[0], seed=3)
    intake = an_intake(engine)
    take(intake, [*tables[0].events, *other.events, tables[0].head(), other.head(), other.state(), tables[0].state()])
    for site in (SITE, "hilltop"):
        with reading(engine) as connection:
            (found,) = sums.sums(connection, Scope((site,), "2025-01-01", "2026-12-31"), "")
            assert found.rounds == 108
            (state,) = documents.newest(connection, site, "state")
            assert f'"site":"{site}"' in state.payload
    with reading(engine) as connection:
        assert [(each.site, each.journal_state) for each in overview.tables(connection)] == [
            ("hilltop", "whole"),
            (SITE, "whole"),
        ]


@pytest.mark.parametrize("store", ["mysql://a/b", "postgresql://host:port/x", "oracle://x"])
def test_an_address_that_is_no_store_is_explained(store: str) -> None:
    with pytest.raises(UserError, match="Expected a path, or postgresql://"):
        address(store)


@needs_postgres
def test_the_roles_may_do_what_they_are_for_and_no_more(cluster: Postgres, tables: list[FreshTable]) -> None:
    store = cluster.create("roles")
    migrate(store)
    with psycopg.connect(cluster.address("roles"), autocommit=True) as connection:
        for _ in range(2):
            connection.execute((ROOT / "deploy" / "floor" / "roles.sql").read_bytes())
        for role in ("writer", "reader", "auditor", "page"):
            connection.execute(f"CREATE ROLE a_{role} LOGIN IN ROLE floor_{role}".encode())
    as_role = {
        role: open_engine(store.replace("floor@", f"a_{role}@")) for role in ("writer", "reader", "auditor", "page")
    }
    writer = as_role["writer"]
    intake = an_intake(writer)
    take(intake, [*tables[0].events[20:], *tables[0].events[:20], tables[0].head(), tables[0].state()])
    take(intake, [Published(tables[0].events[0].topic, b"x")])
    assert problems(writer, tables[:1]) == []
    for statement in ("UPDATE events SET body = '{}'", "DELETE FROM events", "UPDATE fee_ledger SET cents = 0"):
        with pytest.raises(ProgrammingError, match="permission denied"), writer.begin() as connection:
            connection.execute(text(statement))
    for role in ("reader", "auditor"):
        assert count(as_role[role], METADATA.tables["events"]) == len(tables[0].events)
        with pytest.raises(ProgrammingError, match="permission denied"), as_role[role].begin() as connection:
            connection.execute(text("DELETE FROM quarantine"))
    assert rows(as_role["auditor"], "SELECT payload FROM quarantine") == [(b"x",)]
    with pytest.raises(ProgrammingError, match="permission denied"):
        rows(as_role["reader"], "SELECT payload FROM quarantine")
    page = as_role["page"]
    write_acts(page, SITE, [PageAct(at=NOON, by="floor:ann", client="::1", act="signed_in")])
    set_mark(page, SITE, "evening", "floor:ann", NOON)
    for statement in ("UPDATE page_acts SET ok = false", "DELETE FROM marks", "UPDATE events SET body = '{}'"):
        with pytest.raises(ProgrammingError, match="permission denied"), page.begin() as connection:
            connection.execute(text(statement))
    for engine in as_role.values():
        engine.dispose()
