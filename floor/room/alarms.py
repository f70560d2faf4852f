"""What is wrong in the room and at no table alone: kept in the store, acknowledged at the page."""

from __future__ import annotations

from hashlib import sha256

from msgspec import Struct
from sqlalchemy import Engine, insert, select, update

from floor.answers import Refused
from floor.store.database import reading
from floor.store.room_schema import ROOM_ALARMS

MOST_SHOWN = 50


class RoomAlarm(Struct, frozen=True):
    """One of them."""

    id: str
    alarm: str
    """`licence`: more tables are open than licensed. `box_outside_drop`: a box was taken out at a wrong time."""
    table: str
    text: str
    raised_at: int
    acknowledged_by: str = ""
    acknowledged_at: int | None = None


class RoomAlarms:
    """Raises, acknowledges and clears them."""

    def __init__(self, engine: Engine, site: str) -> None:
        self._engine, self._site = engine, site

    def shown(self) -> list[RoomAlarm]:
        """Those that are not over; the newest first."""
        a = ROOM_ALARMS.c
        query = select(a.id, a.alarm, a.table_name, a.text, a.raised_at, a.acknowledged_by, a.acknowledged_at)
        with reading(self._engine) as connection:
            rows = connection.execute(
                query.where(a.site == self._site, a.cleared_at.is_(None)).order_by(a.raised_at.desc()).limit(MOST_SHOWN)
            )
            return [RoomAlarm(*row) for row in rows]

    def known(self, ids: list[str]) -> set[str]:
        """Which of these have ever been raised."""
        with reading(self._engine) as connection:
            return set(connection.scalars(select(ROOM_ALARMS.c.id).where(ROOM_ALARMS.c.id.in_(ids))))

    def raise_(self, number: str, alarm: str, table: str, text: str, at: int) -> None:
        values = {"id": number, "alarm": alarm, "table_name": table, "text": text, "raised_at": at}
        with self._engine.begin() as connection:
            connection.execute(insert(ROOM_ALARMS).values(site=self._site, acknowledged_by="", **values))

    def clear(self, alarm: str, at: int) -> None:
        """It is over."""
        a = ROOM_ALARMS.c
        here = (a.site == self._site, a.alarm == alarm, a.cleared_at.is_(None))
        with self._engine.begin() as connection:
            connection.execute(update(ROOM_ALARMS).where(*here).values(cleared_at=at))

    def acknowledge(self, number: str, by: str, at: int) -> RoomAlarm:
        """Somebody has seen it. What is about a single event is over with that; the licence ends by itself."""
        found = next((each for each in self.shown() if each.id == number), None)
        if found is None:
            raise Refused("no_such_alarm", "This alarm is over, or was never raised.")
        if found.acknowledged_by:
            raise Refused("acknowledged_before", f"{found.acknowledged_by} has acknowledged it.")
        values = {"acknowledged_by": by, "acknowledged_at": at}
        ends = {} if found.alarm == "licence" else {"cleared_at": at}
        with self._engine.begin() as connection:
            connection.execute(update(ROOM_ALARMS).where(ROOM_ALARMS.c.id == number).values(**values, **ends))
        return found


def number_of(*parts: str | int) -> str:
    """The id of an alarm about these: the same things have the same one, so it is raised once."""
    return sha256("\n".join(map(str, parts)).encode()).hexdigest()[:32]
