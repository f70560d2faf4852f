"""Times in the database. In the program a moment is a whole number of milliseconds since 1970 UTC, as in the
contract; in PostgreSQL it is a `timestamptz`, in SQLite a text such as `2026-11-18 20:04:05.123`, in UTC.
"""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from functools import lru_cache
from typing import Any

from sqlalchemy import TIMESTAMP, Date, Dialect, Text
from sqlalchemy.types import TypeDecorator, TypeEngine

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_LATEST_MS = 253_402_300_799_999
"""The end of the year 9999."""


class Moment(TypeDecorator[int]):
    """Milliseconds since 1970 UTC."""

    impl = Text
    cache_ok = True

    def load_dialect_impl(self, dialect: Dialect) -> TypeEngine[Any]:
        return dialect.type_descriptor(TIMESTAMP(timezone=True) if dialect.name == "postgresql" else Text())

    def process_bind_param(self, value: int | None, dialect: Dialect) -> Any:
        if value is None:
            return None
        return as_datetime(value) if dialect.name == "postgresql" else as_text(value)

    def process_result_value(self, value: Any, dialect: Dialect) -> int | None:
        if value is None:
            return None
        return as_ms(value if isinstance(value, datetime) else datetime.fromisoformat(value).replace(tzinfo=UTC))


class Day(TypeDecorator[str]):
    """A date as text, `2026-11-18`; in PostgreSQL a `date`."""

    impl = Text
    cache_ok = True

    def load_dialect_impl(self, dialect: Dialect) -> TypeEngine[Any]:
        return dialect.type_descriptor(Date() if dialect.name == "postgresql" else Text())

    def process_bind_param(self, value: str | None, dialect: Dialect) -> Any:
        return date.fromisoformat(value) if value is not None and dialect.name == "postgresql" else value

    def process_result_value(self, value: Any, dialect: Dialect) -> str | None:
        return value.isoformat() if isinstance(value, date) else value


def as_datetime(ms: int) -> datetime:
    return _EPOCH + timedelta(milliseconds=ms)


def as_ms(moment: datetime) -> int:
    return (moment - _EPOCH) // timedelta(milliseconds=1)


@lru_cache(maxsize=4096)
def _seconds(second: int) -> str:
    return (_EPOCH + timedelta(seconds=second)).strftime("%Y-%m-%d %H:%M:%S")


def as_text(ms: int) -> str:
    """
    >>> as_text(1763260000123)
    '2025-11-16 02:26:40.123'
    """
    return f"{_seconds(ms // 1000)}.{ms % 1000:03d}"


def bounded(ms: int) -> int:
    """A table may state any number; the database keeps times up to the year 9999."""
    return min(max(ms, 0), _LATEST_MS)


def month(ms: int) -> str:
    """
    >>> month(1763260000123)
    '2025-11-01'
    """
    return _seconds(ms // 1000)[:8] + "01"
