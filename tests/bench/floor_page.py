"""The floor page with a house full of tables: from an event at the broker to its tile on a screen.

A real Mosquitto, the page, a real browser at the size of a wall screen. Tables publish their states at the mean rate of
play, one after the other. The browser notes when the tile of a state is painted: the second animation frame after the
change. Publisher and browser have the same clock. The floor beside it is the same page with one table.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from msgspec.structs import replace
from playwright.async_api import Page, async_playwright

from tests.bench.figures import Figure
from tests.support.floor_rooms import a_room, as_published, online
from tests.support.running.browsers import WALL, chromium_path, open_screen
from tests.support.running.floor_pages import SITE, RunningPage, floor_page

A_SECOND = 123.0
"""States of 160 tables that play round the clock: 2,760 events an hour each (docs/floor/company.md)."""
TARGET_S = 1.0

NOTE_PAINTS = """() => {
    window.painted = {};
    const note = (tile) => {
        const what = `${tile.dataset.testid.slice(5)} ${tile.dataset.seq}`;
        requestAnimationFrame(() => requestAnimationFrame(() => { window.painted[what] ??= Date.now(); }));
    };
    new MutationObserver((changes) => changes.forEach(({ target }) => note(target)))
        .observe(document.querySelector(".tiles"), { subtree: true, attributes: true, attributeFilter: ["data-seq"] });
}"""


async def figures(folder: Path, states: int) -> list[Figure]:
    """Median and 95th percentile; nothing without a browser."""
    if chromium_path() is None:
        return []
    house, alone = await _seconds(folder, 160, states), await _seconds(folder, 1, max(50, states // 10))
    return [
        _figure("event to tile, 160 tables, median", house, alone, 0.50),
        _figure("event to tile, 160 tables, 95th percentile", house, alone, 0.95),
    ]


def _figure(name: str, house: Sequence[float], alone: Sequence[float], at: float) -> Figure:
    ours, theirs = (sorted(each)[int(at * (len(each) - 1))] for each in (house, alone))
    is_target = at > 0.5
    return Figure(
        name,
        ours * 1000,
        ours * 1000,
        "the same page with one table",
        theirs * 1000,
        ours / theirs,
        f"under {TARGET_S:.0f} s" if is_target else "",
        ours < TARGET_S if is_target else None,
        unit=" ms",
        worse="larger",
    )


async def _seconds(folder: Path, tables: int, states: int) -> list[float]:
    """From the publish to the paint of each state that was painted as itself, not replaced by a newer one."""
    async with _a_wall(folder / f"wall-{tables}", tables) as (page, screen):
        rng = random.Random(1)
        now = time.time_ns() // 1_000_000
        room = list(a_room(SITE, tables, now))
        sent: dict[str, float] = {}
        for number in range(states):
            state = replace(rng.choice(room), seq=1000 + number, phase_since=now, at=now)
            sent[f"{state.table} {state.seq}"] = time.time() * 1000
            await page.tables.publish([as_published(state)])
            await asyncio.sleep(rng.expovariate(A_SECOND))
        last = list(sent)[-1]
        await screen.wait_for_function("what => window.painted[what] !== undefined", arg=last)
        painted: dict[str, float] = await screen.evaluate("() => window.painted")
    return [(painted[what] - at) / 1000 for what, at in sent.items() if what in painted]


@asynccontextmanager
async def _a_wall(folder: Path, tables: int) -> AsyncIterator[tuple[RunningPage, Page]]:
    await asyncio.to_thread(folder.mkdir, parents=True)
    async with floor_page(folder) as page, async_playwright() as driver:
        for state in a_room(SITE, tables, time.time_ns() // 1_000_000):
            await page.tables.publish([online(state), as_published(state)])
        browser = await driver.chromium.launch(executable_path=chromium_path(), args=["--no-sandbox", "--disable-gpu"])
        try:
            async with open_screen(page.url, WALL, browser) as screen:
                await screen.page.wait_for_function(
                    "count => document.querySelectorAll('.tiles > li').length === count", arg=tables
                )
                await screen.page.evaluate(NOTE_PAINTS)
                yield page, screen.page
        finally:
            await browser.close()
