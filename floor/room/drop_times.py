"""When boxes may be taken out: the drop times, and drops that two people have begun."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from secrets import token_hex
from zoneinfo import ZoneInfo

from msgspec import Struct
from sqlalchemy import Engine, insert, select, update

from floor.answers import Refused
from floor.page_settings import DropTime
from floor.store.database import reading
from floor.store.room_schema import DROPS_BEGUN

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class Drop(Struct, frozen=True):
    """A drop that two people have begun."""

    id: str
    began_at: int
    by: str
    second: str
    reason: str
    """Why outside the drop times; empty: it is within them."""
    ended_at: int | None = None


def is_drop_time(times: tuple[DropTime, ...], timezone: str, at: int) -> bool:
    """Whether boxes may be taken out at this moment, by the clock on the wall.

    >>> night = (DropTime(begins="23:30", ends="01:00"),)
    >>> [is_drop_time(night, "America/Los_Angeles", 1763260000000 + hour * 3_600_000) for hour in (0, 5, 6, 7)]
    [False, False, True, False]
    """
    if not times:
        return True
    now = (_EPOCH + timedelta(milliseconds=at)).astimezone(ZoneInfo(timezone)).strftime("%H:%M")
    return any(
        each.begins <= now < each.ends if each.begins <= each.ends else now >= each.begins or now < each.ends
        for each in times
    )


class Drops:
    """Begins and ends them, in the store."""

    def __init__(self, engine: Engine, site: str, times: tuple[DropTime, ...], timezone: str) -> None:
        self._engine, self._site, self._times, self._timezone = engine, site, times, timezone

    def is_time(self, at: int) -> bool:
        return is_drop_time(self._times, self._timezone, at)

    def running(self) -> Drop | None:
        """The one that has begun and has not ended."""
        return next(iter(self._drops(DROPS_BEGUN.c.ended_at.is_(None))), None)

    def at(self, at: int) -> Drop | None:
        """The one that was running at this moment."""
        d = DROPS_BEGUN.c
        return next(iter(self._drops(d.began_at <= at, d.ended_at.is_(None) | (d.ended_at >= at))), None)

    def _drops(self, *conditions: object) -> list[Drop]:
        d = DROPS_BEGUN.c
        query = select(d.id, d.began_at, d.by, d.second, d.reason, d.ended_at).where(d.site == self._site)
        with reading(self._engine) as connection:
            rows = connection.execute(query.where(*conditions).order_by(d.began_at.desc()))  # type: ignore[arg-type]
            return [Drop(*row) for row in rows]

    def begin(self, by: str, second: str, reason: str, at: int) -> Drop:
        """`Refused` where one is running, where the two are one person, or outside the drop times without a reason."""
        if by == second:
            raise Refused("two_people", "A drop needs two people: the other one must sign in.")
        is_time = self.is_time(at)
        if not is_time and not reason:
            times = ", ".join(f"{each.begins} to {each.ends}" for each in self._times)
            raise Refused("not_drop_time", f"Drop times are {times}. State why you begin a drop now.")
        running = self.running()
        if running is not None:
            raise Refused("drop_running", f"{running.by} and {running.second} have begun a drop that has not ended.")
        drop = Drop(token_hex(16), at, by, second, "" if is_time else reason)
        with self._engine.begin() as connection:
            values = {"id": drop.id, "began_at": at, "by": by, "second": second, "reason": drop.reason}
            connection.execute(insert(DROPS_BEGUN).values(site=self._site, ended_by="", **values))
        return drop

    def end(self, by: str, at: int) -> Drop:
        running = self.running()
        if running is None:
            raise Refused("no_drop", "No drop is running.")
        with self._engine.begin() as connection:
            here = DROPS_BEGUN.c.id == running.id
            connection.execute(update(DROPS_BEGUN).where(here).values(ended_at=at, ended_by=by))
        return running
