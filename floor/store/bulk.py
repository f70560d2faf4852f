"""Rows into tables, many at once: `COPY` on PostgreSQL, one prepared statement on SQLite.

Rows are tuples of plain values in the order of the table's columns: numbers, texts, booleans, bytes, None; moments are
milliseconds. Nothing is compared with what is there: a row that exists is an error.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

from sqlalchemy import BigInteger, Boolean, Column, Connection, LargeBinary, Table

from floor.store.moments import Moment, as_text

Row = tuple[Any, ...]


def insert(connection: Connection, table: Table, rows: Sequence[Row]) -> None:
    """These rows, which are not in the table yet."""
    if not rows:
        return
    driver = connection.connection.driver_connection
    assert driver is not None
    if connection.dialect.name == "postgresql":
        with driver.cursor() as cursor, cursor.copy(_copy_statement(table)) as copy:
            copy.write(as_copied(table, rows))
    else:
        driver.executemany(_insert_statement(table), [_for_sqlite(table, row) for row in rows])


def as_copied(table: Table, rows: Sequence[Row]) -> bytes:
    """Rows in the text format of `COPY`."""
    spell = _spellings(table)
    lines = ["\t".join([each(value) for each, value in zip(spell, row, strict=True)]) for row in rows]
    return ("\n".join(lines) + "\n").encode()


def _text(value: str | None) -> str:
    if value is None:
        return r"\N"
    if "\\" in value or "\n" in value or "\t" in value or "\r" in value:
        value = value.replace("\\", r"\\").replace("\n", r"\n").replace("\t", r"\t").replace("\r", r"\r")
    return value


def _number(value: int | None) -> str:
    return r"\N" if value is None else str(value)


def _flag(value: bool | None) -> str:
    return r"\N" if value is None else "t" if value else "f"


def _moment(value: int | None) -> str:
    return r"\N" if value is None else as_text(value) + "+00"


def _bytes(value: bytes | None) -> str:
    return r"\N" if value is None else r"\\x" + value.hex()


Spell = Callable[[Any], str]


@cache
def _spellings(table: Table) -> tuple[Spell, ...]:
    return tuple(map(_spelling, table.columns))


def _spelling(column: Column[Any]) -> Spell:
    match column.type:
        case Moment():
            return _moment
        case Boolean():
            return _flag
        case BigInteger():
            return _number
        case LargeBinary():
            return _bytes
    return _text


@cache
def _copy_statement(table: Table) -> str:
    return f"COPY {table.name} ({_names(table)}) FROM STDIN"


@cache
def _insert_statement(table: Table) -> str:
    return f"INSERT INTO {table.name} ({_names(table)}) VALUES ({', '.join('?' for _ in table.columns)})"


def _names(table: Table) -> str:
    return ", ".join(f'"{column.name}"' for column in table.columns)


@cache
def _moments(table: Table) -> tuple[int, ...]:
    return tuple(place for place, column in enumerate(table.columns) if isinstance(column.type, Moment))


def _for_sqlite(table: Table, row: Row) -> Row:
    changed = list(row)
    for place in _moments(table):
        if changed[place] is not None:
            changed[place] = as_text(changed[place])
    return tuple(changed)
