"""Console, wall and floor page in Debian's Firefox: a small set of what the other files here ask of Chromium.

The wall's test lays out the same rulesets as `test_seating.py`, by the same judge of what is cut.
"""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path
from urllib.parse import urlsplit

import pytest
import pytest_asyncio
from msgspec.structs import replace

from controller.web.server import serve
from tests.browser.test_connection import QUICK
from tests.browser.test_display import DEALING
from tests.browser.test_seating import HOLDEM, SIZES, WHATEVER_IS_CUT, fullest, laid_out
from tests.engine.test_bot import DEALT
from tests.support.firefox.firefox import Firefox, FirefoxPage, needs_firefox, open_firefox
from tests.support.floor_rooms import a_room, as_published, online
from tests.support.running.brokers import needs_mosquitto
from tests.support.running.browsers import WALL
from tests.support.running.consoles import PHONE, TABLET, MannedTable, manned_table
from tests.support.running.floor_pages import PINS, SITE, floor_page
from tests.support.turns import part
from tests.web.test_feed import ScriptedTable, a_view

pytestmark = [*needs_firefox, pytest.mark.asyncio(loop_scope="module")]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def firefox() -> AsyncIterator[Firefox]:
    async with open_firefox() as opened:
        yield opened


async def sign_in(page: FirefoxPage, name: str, pin: str, opens: str = "who") -> None:
    await page.tap(opens)
    await page.type("sign-in-name", name)
    await page.type("sign-in-pin", pin)
    await page.tap("sign-in-ok")
    await page.until("() => !document.querySelector('[data-testid=sign-in]').open")


async def dealt(page: FirefoxPage, table: MannedTable, touch: str) -> None:
    """Touch it, and wait until the page shows what it did."""
    seq = await page.evaluate("() => Number(document.body.dataset.seq)")
    await page.until("() => document.body.dataset.live === 'live'")
    await page.tap(touch)
    await page.until("(seq) => Number(document.body.dataset.seq) > seq", seq)


@pytest.mark.parametrize("size", [TABLET, PHONE], ids=["tablet", "phone"])
async def test_a_round_of_baccarat_is_keyed_by_touch(firefox: Firefox, tmp_path: Path, size: tuple[int, int]) -> None:
    async with (
        manned_table(tmp_path, "bankers-ez-baccarat-panda-8") as table,
        firefox.page(f"{table.page}console", size) as page,
    ):
        await page.evaluate("() => localStorage.setItem('cutcard-tablet', JSON.stringify({ quiet: 0 }))")
        await page.reload()
        await page.until("() => document.body.dataset.live === 'live' && document.body.dataset.seq")
        dealer = table.pins["dealer"]
        await sign_in(page, dealer["name"], dealer["pin"])
        await dealt(page, table, "offer-new_shoe")
        await dealt(page, table, "offer-close_bets")
        for code in ("9h", "Kd", "Tc", "7s"):
            if size == PHONE:
                await page.tap(f"rank-{code[0]}")
                await dealt(page, table, f"suit-{code[1]}")
            else:
                await dealt(page, table, f"key-{code}")
        await page.until("() => document.querySelector('[data-testid=outcome]').textContent !== ''")
        assert await page.text("outcome") == "Player wins 9 to 7 · Natural"
        assert table.settled()["hands"] == {"player": ["9h", "Tc"], "banker": ["Kd", "7s"]}
        wider = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"
        assert await page.evaluate(wider) == 0
        bars = "() => ['aside', '.table'].map((part) => getComputedStyle(document.querySelector(part)).scrollbarColor)"
        assert "auto" not in await page.evaluate(bars), "a bare scroll bar is white"
        assert page.complaints == []


async def test_nothing_is_cut_on_the_wall(firefox: Firefox) -> None:
    """Of some rulesets, others with each commit; of all in `make whole`."""
    table = ScriptedTable(DEALING)
    views = [DEALING, laid_out(HOLDEM), *(shown for slug in part(list(DEALT), 24) for shown in fullest(slug))]
    cut: list[str] = []
    async with serve(table.page) as url, firefox.page(url, WALL) as page:
        for seq, shown in enumerate(views, start=DEALING.seq + 1):
            table.show(replace(shown, seq=seq, site="Riverside Card Room", table="Table 14"))
            await page.until("(seq) => Number(document.body.dataset.seq) >= seq", seq)
            for size, window in SIZES.items():
                await page.resize(window)
                cut += [
                    f"{shown.game.slug}, {shown.phase}, {size}: {one}" for one in await page.evaluate(WHATEVER_IS_CUT)
                ]
        assert not cut, "\n".join(cut)
        assert page.complaints == []


async def test_the_wall_says_that_it_is_stale_and_comes_back(firefox: Firefox) -> None:
    async with AsyncExitStack() as pages:
        async with serve(ScriptedTable(a_view(seq=1)).page, bounds=QUICK) as url:
            page = await pages.enter_async_context(firefox.page(url, WALL))
            await page.until("() => document.body.dataset.seq === '1' && document.body.dataset.live === 'live'")
        await page.until("() => document.body.dataset.live === 'stale'")
        assert "Connection lost" in await page.text("connection-banner")
        async with serve(ScriptedTable(a_view(seq=9)).page, port=urlsplit(url).port or 0, bounds=QUICK):
            await page.until("() => document.body.dataset.seq === '9' && document.body.dataset.live === 'live'")


@pytest.mark.broker
@needs_mosquitto
async def test_the_floor_page_shows_its_tables_and_takes_a_sign_in(firefox: Firefox, tmp_path: Path) -> None:
    async with floor_page(tmp_path) as floor, firefox.page(floor.url, TABLET) as page:
        states = tuple(a_room(SITE, 8, time.time_ns() // 1_000_000))
        for state in states:
            await floor.tables.publish([online(state), as_published(state)])
        await page.until("(count) => document.querySelectorAll('[data-testid^=tile-]').length === count", len(states))
        await sign_in(page, "ann", PINS["ann"])
        assert "ann" in await page.text("who")
