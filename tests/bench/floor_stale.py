"""How old a screen of the floor gets when one part fails: a broker is killed or stands still, the database, the
collector.

160 tables on two Mosquittos, a collector, PostgreSQL, the page, a wall screen in a real browser. One table publishes a
state ten times a second over both brokers. The browser notes when each is painted. The age of the screen at a paint is
the time since the first state was published that it did not show before. The worst age of five seconds counts,
beginning with the failure; then the part comes back, and the worst age of the next five seconds counts as well.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from pathlib import Path

from msgspec.structs import replace
from playwright.async_api import Page, async_playwright

from controller.contract.messages import StateDocument
from tests.bench.figures import Figure
from tests.bench.floor_page import NOTE_PAINTS
from tests.support.floor_rooms import a_room
from tests.support.running.brokers import MOSQUITTO
from tests.support.running.browsers import WALL, chromium_path, open_screen
from tests.support.running.doubled_floor import FAILURES, DoubledFloor, doubled_floor, next_of
from tests.support.running.floor_pages import SITE
from tests.support.running.postgres import BINARIES

TARGET_S = 2.0
_EVERY_S = 0.1
_TABLES = 160


async def figures(folder: Path, window_s: float) -> list[Figure]:
    """The screen is watched for `window_s` after each failure. Nothing without a browser, Mosquitto and PostgreSQL."""
    if chromium_path() is None or MOSQUITTO is None or BINARIES is None:
        return []
    folder = folder / "stale"
    folder.mkdir()
    async with doubled_floor(folder) as floor, async_playwright() as driver:
        room = list(a_room(SITE, _TABLES, _now()))
        for state in room:
            floor.tables.publish(state)
        browser = await driver.chromium.launch(executable_path=chromium_path(), args=["--no-sandbox", "--disable-gpu"])
        try:
            async with open_screen(floor.url, WALL, browser) as screen:
                await screen.page.wait_for_function(
                    "count => document.querySelectorAll('.tiles > li').length === count", arg=_TABLES
                )
                await screen.page.evaluate(NOTE_PAINTS)
                watched = _Watched(screen.page, floor, room[0], window_s)
                usual = await watched.worst(lambda: None)
                found = [_figure("every part is there", usual, usual)]
                for name, (fail, restore) in FAILURES.items():
                    found.append(_figure(name, await watched.worst(lambda fail=fail: fail(floor)), usual))  # type: ignore[misc]
                    back = await watched.worst(lambda restore=restore: restore(floor))  # type: ignore[misc]
                    found.append(_figure(f"{name}, and is back", back, usual))
                return found
        finally:
            await browser.close()


def _figure(name: str, ours: float, usual: float) -> Figure:
    return Figure(
        f"oldest screen, {name}",
        ours * 1000,
        ours * 1000,
        "every part is there",
        usual * 1000,
        ours / usual,
        "at most 2,000 ms",
        ours <= TARGET_S,
        " ms",
    )


class _Watched:
    """A table that does something all the time, and the screen that shows it."""

    def __init__(self, page: Page, floor: DoubledFloor, state: StateDocument, window_s: float) -> None:
        self._window_s = window_s
        self._page, self._floor, self._state = page, floor, replace(state, seq=10_000)

    async def worst(self, happens: Callable[[], None]) -> float:
        """The worst age of the screen in the time that begins when this happens."""
        sent: dict[int, float] = {}
        happening = asyncio.create_task(asyncio.to_thread(happens))
        until = time.monotonic() + self._window_s
        while time.monotonic() < until:
            self._state = next_of(self._state, _now())
            sent[self._state.seq] = time.time() * 1000
            self._floor.tables.publish(self._state)
            await asyncio.sleep(_EVERY_S)
        await happening
        table = self._state.table
        await self._page.wait_for_function(
            "what => window.painted[what]", arg=f"{table} {self._state.seq}", timeout=60_000
        )
        painted: dict[str, float] = await self._page.evaluate("() => window.painted")
        shown = sorted((at, int(what.split()[1])) for what, at in painted.items() if what.startswith(f"{table} "))
        ages, unseen = [], min(sent)
        for at, seq in shown:
            if seq >= unseen and seq in sent:
                ages.append(at - sent[unseen])
                unseen = seq + 1
        return max(ages) / 1000


def _now() -> int:
    return time.time_ns() // 1_000_000
