"""What the page shows of the store, asked every two seconds: paces of the tables, and what was kept apart.

A store that is away keeps no tile from being live.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable

from sqlalchemy import Engine
from sqlalchemy.exc import SQLAlchemyError

from floor.config import FloorConfig
from floor.queries.overview import Kept, quarantine
from floor.queries.pace import HOUR_MS, Pace, pace
from floor.store.database import reading

log = logging.getLogger("cutcard.floor")

DAY_MS = 86_400_000


class Figures:
    """Asks for them, and calls `on_figures` with the paces: None before the store has answered for the first time.

    While it is away the last ones stay, and the page states since when: a journal that was rolled back is that even so,
    and 160 tiles that lost their figures in one moment would hold the news of all tables up.
    """

    EVERY_S = 2.0

    def __init__(
        self,
        config: FloorConfig,
        engine: Engine,
        on_figures: Callable[[dict[str, Pace] | None], None],
        clock: Callable[[], int],
    ) -> None:
        self._config, self._engine, self._clock = config, engine, clock
        self._on_figures = on_figures
        self.away_since: int | None = None
        self.paces: dict[str, Pace] | None = None
        self.apart: tuple[Kept, ...] = ()
        """What was kept apart in the last day."""

    async def run(self) -> None:
        while True:
            await self.look()
            await asyncio.sleep(self.EVERY_S)

    async def look(self) -> None:
        try:
            found, self.apart = await asyncio.to_thread(self._read)
        except SQLAlchemyError as error:
            if self.away_since is None:
                log.error("the store is away; the page shows what the brokers deliver: %s", error)
                self.away_since = self._clock()
        else:
            self.away_since, self.paces = None, found
        self._on_figures(self.paces)

    def _read(self) -> tuple[dict[str, Pace], tuple[Kept, ...]]:
        now, calendar = self._clock(), self._config.calendar
        days = tuple(sorted({calendar.day(now - HOUR_MS), calendar.day(now)}))
        with reading(self._engine) as connection:
            apart = tuple(quarantine(connection, self._config.site, now - DAY_MS))
            return pace(connection, self._config.site, now, days), apart
