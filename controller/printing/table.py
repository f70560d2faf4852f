"""A table as text: what every printed form is made from."""

from __future__ import annotations

from msgspec import Struct


class Table(Struct, frozen=True):
    """A heading, the names of the columns, and the rows."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    numbers: frozenset[int] = frozenset()
    """Columns that are set flush right."""
