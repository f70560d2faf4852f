"""Rows into tables, many at once: `COPY` on PostgreSQL, one prepared statement on SQLite. Changes to rows likewise.

Rows are tuples of plain values in the order of the table's columns: numbers, texts, booleans, bytes, None; moments are
milliseconds. Nothing is compared with what is there: a row that exists is an error.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache, lru_cache
from typing import Any

import msgspec
from sqlalchemy import BigInteger, Boolean, Column, Connection, LargeBinary, Table, bindparam, update
from sqlalchemy.dialects import postgresql

from floor.store.moments import Moment, as_text

Row = tuple[Any, ...]


def insert(connection: Connection, table: Table, rows: Sequence[Row]) -> None:
    """These rows, which are not in the table yet."""
    if rows:
        with inserting(connection, table) as more:
            more(rows)


@contextmanager
def inserting(connection: Connection, table: Table) -> Iterator[Callable[[Sequence[Row]], None]]:
    """Takes rows portion by portion: PostgreSQL stores one while the next is made. Nothing else may use the connection
    meanwhile."""
    driver = connection.connection.driver_connection
    assert driver is not None
    if connection.dialect.name == "postgresql":
        with driver.cursor() as cursor, cursor.copy(_copy_statement(table)) as copy:
            yield lambda rows: copy.write(as_copied(table, rows))
    else:
        statement = _insert_statement(table)
        yield lambda rows: driver.executemany(statement, [_for_sqlite(table, row) for row in rows])


def change(connection: Connection, table: Table, rows: Sequence[dict[str, Any]]) -> None:
    """Columns of rows that are in the table: each has the same columns, the key of one column first. PostgreSQL gets
    them in one statement, as JSON: one for each row would take longer than the rows themselves."""
    if not rows:
        return
    key, *names = rows[0]
    if connection.dialect.name == "postgresql":
        data = [{name: _in_json(table.c[name], value) for name, value in row.items()} for row in rows]
        driver = connection.connection.driver_connection
        assert driver is not None
        driver.execute(_change_statement(table, (key, *names)), [msgspec.json.encode(data).decode()])
    else:
        statement = update(table).where(table.c[key] == bindparam(f"the_{key}"))
        connection.execute(
            statement, [{f"the_{key}" if name == key else name: row[name] for name in row} for row in rows]
        )


@cache
def _change_statement(table: Table, names: tuple[str, ...]) -> str:
    key, *others = names
    types = {name: table.c[name].type.compile(postgresql.dialect()) for name in names}  # type: ignore[no-untyped-call]
    columns = ", ".join(f'"{name}" {"text" if kind == "BYTEA" else kind}' for name, kind in types.items())
    values = {
        name: f"convert_to(new.\"{name}\", 'UTF8')" if kind == "BYTEA" else f'new."{name}"'
        for name, kind in types.items()
    }
    changes = ", ".join(f'"{name}" = {values[name]}' for name in others)
    return (
        f"UPDATE {table.name} SET {changes} FROM json_to_recordset(%s::json) AS new({columns}) "
        f'WHERE {table.name}."{key}" = new."{key}"'
    )


def _in_json(column: Column[Any], value: Any) -> Any:
    if value is None:
        return None
    match column.type:
        case Moment():
            return as_text(value) + "+00"
        case LargeBinary():
            return value.decode()
    return value


def as_copied(table: Table, rows: Sequence[Row]) -> bytes:
    """Rows in the text format of `COPY`. Column by column: most columns need no look at each of their values."""
    columns = zip(*rows, strict=True)
    spelled = [spell(values) for spell, values in zip(_spellings(table), columns, strict=True)]
    return ("\n".join(map("\t".join, zip(*spelled, strict=True))) + "\n").encode()


Values = Sequence[Any]
"""Of one column."""
Spell = Callable[[Values], Iterable[str]]
_NULL = r"\N"
_ESCAPES = {"\\": r"\\", "\n": r"\n", "\t": r"\t", "\r": r"\r"}
"""The backslash first: the others bring some."""


def _texts(values: Values) -> Iterable[str]:
    if None in values:
        return [_NULL if value is None else _escaped(value) for value in values]
    whole = "".join(values)
    return map(_escaped, values) if any(letter in whole for letter in _ESCAPES) else values


def _escaped(value: str) -> str:
    for letter, spelled in _ESCAPES.items():
        if letter in value:
            value = value.replace(letter, spelled)
    return value


def _numbers(values: Values) -> Iterable[str]:
    return [_NULL if value is None else str(value) for value in values] if None in values else map(str, values)


def _flags(values: Values) -> Iterable[str]:
    return [_NULL if value is None else "t" if value else "f" for value in values]


def _moments_of(values: Values) -> Iterable[str]:
    return map(_moment, values)


@lru_cache(maxsize=8192)
def _moment(value: int | None) -> str:
    """Events of one input happened at the same moment, are booked under it, and came at the same."""
    return _NULL if value is None else as_text(value) + "+00"


def _bytes(values: Values) -> Iterable[str]:
    return [_NULL if value is None else r"\\x" + value.hex() for value in values]


@cache
def _spellings(table: Table) -> tuple[Spell, ...]:
    return tuple(map(_spelling, table.columns))


def _spelling(column: Column[Any]) -> Spell:
    match column.type:
        case Moment():
            return _moments_of
        case Boolean():
            return _flags
        case BigInteger():
            return _numbers
        case LargeBinary():
            return _bytes
    return _texts


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
