"""The rows that a batch of events makes or changes, written together at its end."""

from __future__ import annotations

from collections import defaultdict

from sqlalchemy import Connection, Table, delete, tuple_

from floor.store import bulk
from floor.store.bulk import Row

Key = tuple[str, int]
"""Of the rows of one thing: the journal, and its round or the event that began it."""

_LARGEST = 2**63 - 1


class TooLarge(ValueError):
    """A number of an event that no column can have."""


class Page:
    """Rows to be written."""

    def __init__(self) -> None:
        self._rows: dict[Table, list[Row]] = defaultdict(list)
        self._things: dict[Table, dict[Key, list[Row]]] = defaultdict(dict)
        self._stale: dict[Table, set[Key]] = defaultdict(set)

    def add(self, table: Table, row: Row) -> None:
        """A row that never changes again."""
        self._rows[table].append(checked(row))

    def put(self, table: Table, key: Key, rows: list[Row], *, again: bool) -> None:
        """The rows of one thing as they are now; `again`: it has rows in the database already."""
        if again and key not in self._things[table]:
            self._stale[table].add(key)
        self._things[table][key] = [checked(row) for row in rows]

    def rows(self) -> dict[Table, list[Row]]:
        """All rows that there would be."""
        found = {table: list(rows) for table, rows in self._rows.items()}
        for table, things in self._things.items():
            found.setdefault(table, []).extend(row for rows in things.values() for row in rows)
        return found

    def write(self, connection: Connection) -> None:
        for table, keys in self._stale.items():
            of_thing = tuple_(
                table.c.journal, table.c.round if "wager" in table.c or table.name == "rounds" else table.c.seq
            )
            connection.execute(delete(table).where(of_thing.in_(sorted(keys))))
        for table, rows in self._rows.items():
            bulk.insert(connection, table, rows)
        for table, things in self._things.items():
            bulk.insert(connection, table, [row for rows in things.values() for row in rows])


def checked(row: Row) -> Row:
    """A row that a database takes; `TooLarge` where a number does not fit its column. PostgreSQL keeps no zero byte
    in a text, which JSON may have."""
    has_zero = False
    for value in row:
        if type(value) is int and not -_LARGEST <= value <= _LARGEST:
            raise TooLarge(f"the number {value} is too large to be kept")
        if type(value) is str and "\0" in value:
            has_zero = True
    if not has_zero:
        return row
    return tuple(value.replace("\0", "\ufffd") if type(value) is str else value for value in row)
