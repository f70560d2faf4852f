"""The company's database: the stores of all its rooms in one, by PostgreSQL's own logical replication.

    room: publication ══► company: one subscription for each room ─► the same tables, partitioned by site

A room publishes what follows from its events, and its events; not what was kept apart, and not the page's. Nothing is
written at the company but by replication. docs/floor/company.md is its page.
"""

from __future__ import annotations

from msgspec import Struct
from sqlalchemy import Connection, Engine, MetaData, Table, text
from sqlalchemy.exc import ProgrammingError

from controller.errors import UserError
from floor.store.database import open_engine
from floor.store.schema import CHECKPOINTS, COUNT_SHEETS, DERIVED, EVENTS, GAPS, JOURNALS, SITES, TABLES

PUBLICATION = "floor_company"
BY_SITE = (EVENTS, *DERIVED, COUNT_SHEETS)
"""Partitioned by site at the company. Their keys have the site."""
AS_THEY_ARE = (SITES, TABLES, JOURNALS, GAPS, CHECKPOINTS)


class SiteThere(Struct, frozen=True):
    """How far a room has come at the company."""

    site: str
    is_running: bool
    behind_bytes: int | None
    """Of the room's log that was received and is not applied yet; None: nothing is received now."""
    last: str
    """When the last message came."""


def publish(store: str, site: str) -> None:
    """At a room: publish its rows. A row of another site is never published."""
    engine = _postgresql(store)
    try:
        with engine.begin() as connection:
            if connection.scalar(text("SHOW wal_level")) != "logical":
                raise UserError(
                    "PostgreSQL does not write what replication needs: set wal_level = logical in postgresql.conf, and "
                    "restart it."
                )
            quoted = _literal(connection, site)
            tables = [f'"{table.name}" WHERE (site = {quoted})' for table in (SITES, TABLES, *BY_SITE)]
            tables += [f'"{table.name}"' for table in (JOURNALS, GAPS, CHECKPOINTS)]
            connection.execute(text(f"DROP PUBLICATION IF EXISTS {PUBLICATION}"))
            # Not `truncate`: it would empty the tables of every room.
            connection.execute(
                text(
                    f"CREATE PUBLICATION {PUBLICATION} FOR TABLE {', '.join(tables)} "
                    "WITH (publish = 'insert, update, delete', publish_via_partition_root = true)"
                )
            )
    finally:
        engine.dispose()


def make(store: str, revision: str) -> None:
    """At the company: the tables, without a site yet, in an empty database. `revision`: the version of the rooms."""
    engine, metadata = _postgresql(store), MetaData()
    for table in AS_THEY_ARE:
        table.to_metadata(metadata)
    for table in BY_SITE:
        copied = table.to_metadata(metadata)
        copied.dialect_options["postgresql"]["partition_by"] = "LIST (site)"
    try:
        with engine.begin() as connection:
            metadata.create_all(connection, checkfirst=False)
            connection.execute(text("CREATE TABLE alembic_version (version_num text PRIMARY KEY)"))
            connection.execute(text("INSERT INTO alembic_version VALUES (:revision)"), {"revision": revision})
    except ProgrammingError as error:
        raise UserError(f"The company's tables cannot be made: {_reason(error)}.") from None
    finally:
        engine.dispose()


def add_site(store: str, site: str, source: str) -> None:
    """At the company: partitions for one more room, and its subscription. `source`: how the room's database is
    reached, as libpq has it."""
    engine = _postgresql(store)
    try:
        with engine.begin() as connection:
            for table in BY_SITE:
                connection.execute(text(_partition(connection, table, site)))
        with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            what = f"CREATE SUBSCRIPTION {_name(site)} CONNECTION {_literal(connection, source)}"
            connection.execute(text(f"{what} PUBLICATION {PUBLICATION} WITH (slot_name = {_name(site)})"))
    except ProgrammingError as error:
        raise UserError(f"The room {site} cannot be added: {_reason(error)}.") from None
    finally:
        engine.dispose()


def sites_there(connection: Connection) -> list[SiteThere]:
    """At the company: every room that was added."""
    rows = connection.execute(
        text(
            "SELECT s.subname, st.pid IS NOT NULL AS running, "
            "pg_wal_lsn_diff(st.received_lsn, st.latest_end_lsn) AS behind, "
            "to_char(st.last_msg_receipt_time, 'YYYY-MM-DD HH24:MI:SS') AS last "
            "FROM pg_subscription s LEFT JOIN pg_stat_subscription st ON st.subid = s.oid AND st.relid IS NULL "
            "WHERE s.subname LIKE 'floor\\_%' ORDER BY 1"
        )
    )
    return [
        SiteThere(
            row.subname.removeprefix("floor_"),
            row.running,
            None if row.behind is None else max(0, int(row.behind)),
            row.last or "",
        )
        for row in rows
    ]


def _partition(connection: Connection, table: Table, site: str) -> str:
    name = f"{table.name}_of_{site.replace('-', '_')}"
    return f'CREATE TABLE "{name}" PARTITION OF "{table.name}" FOR VALUES IN ({_literal(connection, site)})'


def _name(site: str) -> str:
    """Of subscription and slot: a slot's name has small letters, digits and underscores."""
    return f"floor_{site.replace('-', '_')}"


def _literal(connection: Connection, value: str) -> str:
    quoted = connection.scalar(text("SELECT quote_literal(:value)"), {"value": value})
    # A colon would be a parameter to SQLAlchemy.
    return str(quoted).replace(":", "\\:")


def _postgresql(store: str) -> Engine:
    engine = open_engine(store)
    if engine.dialect.name != "postgresql":
        raise UserError(f"{store} is a SQLite file: a company's rooms keep their stores in PostgreSQL.")
    return engine


def _reason(error: ProgrammingError) -> str:
    return str(error.orig).strip().splitlines()[0]
