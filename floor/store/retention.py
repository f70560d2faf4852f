"""What is deleted, and when: `cutcard floor keep`, once a day.

Events go by whole months: on PostgreSQL a month is a partition, and dropping it costs nothing. Rounds, fees and the
other books stay; they are small. An event is deleted only where the table's journal is whole and its own month is
over by `retention.events` days; the books then say so, and `rebuild` refuses.
"""

from __future__ import annotations

import time
from datetime import datetime

from sqlalchemy import Engine, delete, func, select, text

from floor.config import Retention
from floor.store.moments import as_ms, month
from floor.store.schema import EVENTS, QUARANTINE

_DAY_MS = 86_400_000


def delete_old(engine: Engine, retention: Retention, now: int | None = None) -> dict[str, int]:
    """Deletes it; returns how much, by table."""
    now = time.time_ns() // 1_000_000 if now is None else now
    deleted: dict[str, int] = {}
    if retention.quarantine is not None:
        with engine.begin() as connection:
            old = QUARANTINE.c.last_at < now - retention.quarantine * _DAY_MS
            deleted["quarantine"] = connection.execute(delete(QUARANTINE).where(old)).rowcount
    if retention.events is not None:
        deleted["events"] = _delete_events(engine, now - retention.events * _DAY_MS)
    return deleted


def _delete_events(engine: Engine, before: int) -> int:
    """Whole months that ended before this moment."""
    first_kept = month(before)
    with engine.begin() as connection:
        if connection.dialect.name != "postgresql":
            limit = _ms(first_kept)
            return connection.execute(delete(EVENTS).where(EVENTS.c.booked_at < limit)).rowcount
        partitions = connection.scalars(
            text("SELECT inhrelid::regclass::text FROM pg_inherits WHERE inhparent = 'events'::regclass ORDER BY 1")
        ).all()
        count = 0
        for name in partitions:
            if name.removeprefix("events_") < first_kept[:7].replace("-", "_"):
                count += connection.scalar(select(func.count()).select_from(text(name))) or 0
                connection.execute(text(f"DROP TABLE {name}"))
        return count


def _ms(day: str) -> int:

    return as_ms(datetime.fromisoformat(f"{day} 00:00:00+00:00"))
