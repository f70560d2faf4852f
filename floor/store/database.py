"""Opening a store, and what differs between SQLite and PostgreSQL.

A transaction that has ended is on the disk: SQLite writes its log through (`synchronous = FULL`), and PostgreSQL does
by itself (`synchronous_commit`). Receipts and acknowledgements rest on that.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url, text
from sqlalchemy.exc import ArgumentError, NoSuchModuleError, OperationalError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from controller.errors import UserError

if TYPE_CHECKING:
    from alembic.config import Config
    from alembic.script import ScriptDirectory

_BUSY_MS = 30_000
"""How long one writer of a SQLite file waits for another."""
MIGRATIONS = Path(__file__).with_name("migrations")


def address(store: str) -> URL:
    """Where the store is: `sqlite:///floor.db`, `postgresql:///cutcard`; a bare path is a SQLite file."""
    try:
        url = make_url(store) if "://" in store else URL.create("sqlite", database=store)
    except (ArgumentError, ValueError):
        raise UserError(f"{store!r} is no store. Expected a path, or postgresql://USER@HOST/DATABASE.") from None
    backend = url.get_backend_name()
    if backend == "postgresql":
        return url.set(drivername="postgresql+psycopg")
    if backend != "sqlite" or not url.database:
        raise UserError(f"{store!r} is no store. Expected a path, or postgresql://USER@HOST/DATABASE.")
    return url


def open_engine(store: str) -> Engine:
    """Connects when it is used first."""
    url = address(store)
    try:
        if url.get_backend_name() == "sqlite":
            engine = create_engine(url, connect_args={"timeout": _BUSY_MS / 1000, "check_same_thread": False})
            event.listen(engine, "connect", _set_up_sqlite)
            event.listen(engine, "begin", _begin_sqlite)
            return engine
        return create_engine(url, pool_pre_ping=True, pool_size=4, max_overflow=4)
    except (NoSuchModuleError, ModuleNotFoundError):
        raise UserError("PostgreSQL needs psycopg: `pip install 'cutcard[floor]'`.") from None


def _set_up_sqlite(connection: Any, _record: Any) -> None:
    connection.isolation_level = None  # We begin transactions ourselves, in `_begin_sqlite`.
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")


def _begin_sqlite(connection: Connection) -> None:
    """A transaction that writes takes the lock first: it never finds, half-way, that another was faster."""
    reads = connection.get_execution_options().get("floor_reads", False)
    connection.exec_driver_sql("BEGIN" if reads else "BEGIN IMMEDIATE")


@contextmanager
def reading(engine: Engine) -> Iterator[Connection]:
    """One view of the store that does not change meanwhile, and keeps nobody from writing."""
    with engine.connect().execution_options(floor_reads=True) as connection:
        if connection.dialect.name == "postgresql":
            connection.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
        with connection.begin():
            yield connection


_SQLITE_SAYS_NO = frozenset(
    {
        sqlite3.SQLITE_ERROR,
        sqlite3.SQLITE_CONSTRAINT,
        sqlite3.SQLITE_TOOBIG,
        sqlite3.SQLITE_MISMATCH,
        sqlite3.SQLITE_RANGE,
        sqlite3.SQLITE_MISUSE,
    }
)
"""What is asked for cannot be done. Any other error is of the file or its disk: full, locked, gone, damaged."""
_POSTGRES_IS_AWAY = frozenset({"08", "25", "40", "53", "55", "57", "58"})
"""Classes of its codes: the connection, a transaction to be repeated, no room, somebody's lock, an end, its disk.
54 is none of them: a text that is too long for an index will be too long the next time."""


def is_away(error: Exception) -> bool:
    """Whether the same work may be done later: it is the store's trouble, and not that of what was to be written."""
    cause = getattr(error, "orig", None) or error
    if isinstance(cause, sqlite3.Error):
        code = getattr(cause, "sqlite_errorcode", None)
        return code is not None and code & 0xFF not in _SQLITE_SAYS_NO
    state = getattr(cause, "sqlstate", None)
    if state is not None:
        return str(state)[:2] in _POSTGRES_IS_AWAY
    names = {f"{kind.__module__.partition('.')[0]}.{kind.__name__}" for kind in type(cause).__mro__}
    return isinstance(error, PoolTimeout) or bool(names & {"psycopg.OperationalError", "psycopg.InterfaceError"})


class StoreAway(UserError):
    """The database server cannot be reached now. Another attempt may find it."""


def migrate(store: str) -> None:
    """Brings a database to the tables of this version: from empty, or from any version before."""
    from alembic import command

    from floor.store.room_schema import METADATA

    url = address(store)
    if url.get_backend_name() == "sqlite" and url.database is not None:
        try:
            Path(url.database).parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise UserError(f"The store {store} cannot be made: {error.strerror}.") from None
    config = _alembic()
    engine = open_engine(store)
    try:
        with engine.begin() as connection:
            if connection.dialect.name == "postgresql":
                # Two that start together: one migrates, the other finds it done.
                connection.execute(text("SELECT pg_advisory_xact_lock(7266501)"))
            version = _version(connection)
            _expect_known(store, version)
            config.attributes["connection"] = connection
            if version is not None:
                command.upgrade(config, "head")
            else:
                METADATA.create_all(connection, checkfirst=False)
                command.stamp(config, "head")
    except SQLAlchemyError as error:
        raise unreachable(store, error) from None
    finally:
        engine.dispose()


def with_store(store: str, work: Callable[[Engine], int]) -> int:
    """Something that a person does with a store that is there; returns what it returns."""
    if "://" not in store and not Path(store).exists():
        raise UserError(f"There is no store {store} yet: `cutcard floor run` makes it.")
    engine = open_engine(store)
    try:
        expect_current(store, engine)
        return work(engine)
    except SQLAlchemyError as error:
        raise unreachable(store, error) from None
    finally:
        engine.dispose()


def expect_current(store: str, engine: Engine) -> None:
    """`UserError` where the tables are not those of this version, and what to do then."""
    try:
        with reading(engine) as connection:
            version = _version(connection)
    except SQLAlchemyError as error:
        raise unreachable(store, error) from None
    if version is None:
        raise UserError(f"There is nothing in the store {_shown(store)} yet: `cutcard floor run` makes its tables.")
    _expect_known(store, version)
    if version != current_revision():
        raise UserError(f"The store {_shown(store)} is of an older version: run `cutcard floor migrate`.")


def _expect_known(store: str, version: str | None) -> None:
    known = {script.revision for script in _scripts().walk_revisions()}
    if version is not None and version not in known:
        raise UserError(
            f"The store {_shown(store)} is of a newer version ({version}) than this program knows. Install the newer "
            "Cutcard here; nothing is changed."
        )


def _version(connection: Connection) -> str | None:
    from alembic.migration import MigrationContext

    return MigrationContext.configure(connection).get_current_revision()


def current_revision() -> str:
    """The version of the tables that this program makes."""
    return str(_scripts().get_current_head())


def _scripts() -> ScriptDirectory:
    from alembic.script import ScriptDirectory

    return ScriptDirectory.from_config(_alembic())


def _alembic() -> Config:
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    return config


def _shown(store: str) -> str:
    url = address(store)
    if url.get_backend_name() == "sqlite":
        return str(url.database)
    return url.set(drivername="postgresql").render_as_string()


def unreachable(store: str, error: SQLAlchemyError) -> UserError:
    """In words for the person who started the program."""
    why = str(getattr(error, "orig", None) or error).strip().splitlines()[0]
    if not isinstance(error, OperationalError):
        return UserError(f"The store {_shown(store)} cannot be used: {why}.")
    kind = UserError if address(store).get_backend_name() == "sqlite" else StoreAway
    return kind(f"The store {_shown(store)} cannot be reached: {why}.")
