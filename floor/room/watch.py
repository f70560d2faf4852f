"""Looks at the room's rules every two seconds: what they forbid and has happened all the same is an alarm.

Nothing of it is remembered here: an alarm has the id of what it is about, so a restart raises none twice, and what
happened while the page was down is found when it is back, up to a day.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable

from sqlalchemy import Engine
from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from floor.config import FloorConfig
from floor.queries.room import BoxTaken, boxes_taken
from floor.room.alarms import RoomAlarm, RoomAlarms, number_of
from floor.room.drop_times import Drop, Drops
from floor.room.licence import Licence
from floor.store.database import reading

log = logging.getLogger("cutcard.floor")

DAY_MS = 86_400_000


class RoomWatch:
    """Looks, and keeps what is shown."""

    EVERY_S = 2.0

    def __init__(
        self,
        config: FloorConfig,
        engine: Engine,
        licence: Licence,
        on_change: Callable[[], None],
        clock: Callable[[], int],
    ) -> None:
        self._config, self._engine, self._licence = config, engine, licence
        self._on_change, self._clock = on_change, clock
        self.room_alarms = RoomAlarms(engine, config.site)
        self.drops = Drops(engine, config.site, config.room.drop_times, config.day.timezone)
        self.alarms: tuple[RoomAlarm, ...] = ()
        self.drop: Drop | None = None

    async def run(self) -> None:
        while True:
            try:
                await self.look()
            except SQLAlchemyError as error:
                log.debug("the store is away: %s", error)
            await asyncio.sleep(self.EVERY_S)

    async def look(self) -> None:
        """Once."""
        open_now = self._licence.open
        before = self.alarms, self.drop
        self.alarms, self.drop = await asyncio.to_thread(self._look, open_now)
        if before != (self.alarms, self.drop):
            self._on_change()

    def _look(self, open_now: int) -> tuple[tuple[RoomAlarm, ...], Drop | None]:
        now = self._clock()
        self._look_at_licence(open_now, now)
        self._look_at_boxes(now)
        return tuple(self.room_alarms.shown()), self.drops.running()

    def _look_at_licence(self, open_now: int, now: int) -> None:
        licensed = self._licence.licensed
        shown = next((each for each in self.room_alarms.shown() if each.alarm == "licence"), None)
        if licensed is None or open_now <= licensed:
            if shown is not None:
                self.room_alarms.clear("licence", now)
        elif shown is None:
            text = f"{open_now} tables are open, and the licence is for {licensed}"
            self._raise(number_of("licence", self._config.site, now), "licence", "", text, now)

    def _look_at_boxes(self, now: int) -> None:
        if not self._config.room.drop_times:
            return
        calendar = self._config.calendar
        days = tuple(sorted({calendar.day(now - DAY_MS), calendar.day(now)}))
        with reading(self._engine) as connection:
            taken = boxes_taken(connection, self._config.site, days, now - DAY_MS)
        wrong = {
            number_of("box", box.journal, box.seq): (box, text)
            for box in taken
            if (text := self._what_is_wrong(box)) is not None
        }
        for number in wrong.keys() - self.room_alarms.known(list(wrong)):
            box, text = wrong[number]
            self._raise(number, "box_outside_drop", box.table, text, box.at)

    def _what_is_wrong(self, box: BoxTaken) -> str | None:
        drop = self.drops.at(box.at)
        name = f"the {box.box} box {box.box_id}".rstrip()
        if drop is None and not self.drops.is_time(box.at):
            return f"{name} was taken out outside the drop times, and nobody had begun a drop"
        if drop is None:
            return f"{name} was taken out, and nobody had begun a drop"
        if drop.reason:
            return (
                f"{name} was taken out in a drop of {drop.by} and {drop.second} outside the drop times: {drop.reason}"
            )
        return None

    def _raise(self, number: str, alarm: str, table: str, text: str, at: int) -> None:
        try:
            self.room_alarms.raise_(number, alarm, table, text, at)
        except IntegrityError:
            log.debug("another page has raised %s", alarm)
