"""Every page in its states, as axe-core judges it."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from playwright.async_api import Browser

from controller.outputs.view_types import View
from controller.web.server import serve
from tests.browser.test_display import BETTING, DEALING, HELD
from tests.browser.test_seating import HOLDEM, laid_out
from tests.support.floor_rooms import a_room, as_published, online
from tests.support.running.axe import needs_axe, violations
from tests.support.running.brokers import needs_mosquitto
from tests.support.running.browsers import WALL, needs_chromium, open_screen
from tests.support.running.consoles import PHONE, TABLET, manned_table, sit_down
from tests.support.running.floor_pages import PINS, SITE, floor_page
from tests.web.test_feed import ScriptedTable

pytestmark = [*needs_chromium, needs_axe, pytest.mark.asyncio(loop_scope="module")]


@pytest.mark.parametrize("size", [TABLET, PHONE], ids=["tablet", "phone"])
async def test_the_console_in_its_states(browser: Browser, tmp_path: Path, size: tuple[int, int]) -> None:
    async with (
        manned_table(tmp_path, "bankers-ez-baccarat-panda-8") as table,
        sit_down(table, browser, size) as dealer,
    ):
        assert await violations(dealer.page) == [], "waiting for a shoe"
        await dealer.fresh_shoe()
        await dealer.at("wager-1-player_line").click()
        assert await violations(dealer.page) == [], "an amount is keyed"
        await dealer.amount(1000)
        assert await violations(dealer.page) == [], "bets are open"
        await dealer.tap("close_bets")
        await dealer.card("9h")
        assert await violations(dealer.page) == [], "cards are keyed"
        await dealer.cards("Kd Tc 7s")
        assert await violations(dealer.page) == [], "the hand is over"
        await dealer.at("put-in").locator("button").first.click()
        assert await violations(dealer.page) == [], "a correction"
        await dealer.at("pad-cancel").click()
        await dealer.page.context.set_offline(True)
        await dealer.screen.wait_until("stale")
        assert await violations(dealer.page) == [], "the connection is lost"
        await dealer.page.context.set_offline(False)
        await dealer.screen.wait_until("live")
        await dealer.at("who").click()
        await dealer.at("who").click()
        await dealer.at("sign-in").wait_for()
        assert await violations(dealer.page) == [], "somebody signs in"


async def test_the_shift_report(browser: Browser, tmp_path: Path) -> None:
    async with (
        manned_table(tmp_path, "bankers-ez-baccarat-panda-8") as table,
        open_screen(f"{table.page}report", TABLET, browser) as screen,
    ):
        await screen.page.get_by_test_id("choice").wait_for()
        assert await violations(screen.page) == []


@pytest.mark.broker
@needs_mosquitto
async def test_the_floor_page_in_its_states(browser: Browser, tmp_path: Path) -> None:
    async with floor_page(tmp_path) as floor, open_screen(floor.url, TABLET, browser) as screen:
        states = list(a_room(SITE, 6, time.time_ns() // 1_000_000))
        for state in states:
            await floor.tables.publish([online(state), as_published(state)])
        page = screen.page
        await page.wait_for_function(
            "count => document.querySelectorAll('[data-testid^=\"tile-\"]').length === count", arg=len(states)
        )
        assert await violations(page) == [], "the tables"
        await page.get_by_test_id("who").click()
        await page.get_by_test_id("sign-in").wait_for()
        assert await violations(page) == [], "somebody signs in"
        await page.get_by_test_id("sign-in-name").fill("ann")
        await page.get_by_test_id("sign-in-pin").fill(PINS["ann"])
        await page.get_by_test_id("sign-in-ok").click()
        await page.get_by_test_id("sign-in").wait_for(state="hidden")
        await page.locator("[data-testid^='tile-']").first.click()
        await page.get_by_test_id("detail-close").wait_for()
        assert await violations(page) == [], "one table"


@pytest.mark.parametrize(
    "shown", [DEALING, BETTING, HELD, laid_out(HOLDEM)], ids=["dealing", "betting", "held", "seats"]
)
async def test_the_wall(browser: Browser, shown: View) -> None:
    async with serve(ScriptedTable(shown).page) as url, open_screen(url, WALL, browser) as screen:
        await screen.board_at(seq=shown.seq)
        await screen.at_rest()
        assert await violations(screen.page) == []
