"""The floor page in a real browser: a wall of 160 tables, a tablet, a phone; one table, an order, the books."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from msgspec.structs import replace
from playwright.async_api import Browser, Locator

from tests.support.floor_rooms import a_room, a_table, as_published, online, troubled
from tests.support.floor_store import an_intake, mixed, take
from tests.support.recorded_days import FreshTable, days
from tests.support.running.brokers import needs_mosquitto
from tests.support.running.browsers import PHONE, WALL, Screen, needs_chromium, open_screen
from tests.support.running.consoles import TABLET
from tests.support.running.floor_pages import PINS, SITE, RunningPage, floor_page
from tests.support.turns import part

pytestmark = [pytest.mark.broker, needs_mosquitto, *needs_chromium, pytest.mark.asyncio(loop_scope="module")]
ALL = 160


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def page(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[RunningPage]:
    """A house of 160 tables; of table-1 a recorded day is in the store."""
    folder = tmp_path_factory.mktemp("floor")
    async with floor_page(folder, sections={"high limit": ("table-1", "table-2")}) as running:
        day = FreshTable(SITE, "table-1", days()[0])
        take(an_intake(running.engine), [*mixed([day]), day.head()])
        now = time.time_ns() // 1_000_000
        for state in a_room(SITE, ALL, now):
            await running.tables.publish([online(state), as_published(state)])
        yield running


@asynccontextmanager
async def at_the_page(page: RunningPage, browser: Browser, size: tuple[int, int], path: str = "") -> AsyncIterator[At]:
    async with open_screen(f"{page.url}{path}", size, browser) as screen:
        yield At(screen)
        assert [text for text in screen.complaints if "status of 4" not in text] == []
        assert screen.strangers() == []


class At:
    """What a person does there."""

    def __init__(self, screen: Screen) -> None:
        self.screen, self.page = screen, screen.page

    def at(self, name: str) -> Locator:
        return self.page.get_by_test_id(name)

    async def sign_in(self, name: str) -> None:
        await self.at("sign-in-name").fill(name)
        await self.at("sign-in-pin").fill(PINS[name])
        await self.at("sign-in-ok").click()

    async def sees(self, count: int) -> None:
        await self.page.wait_for_function(
            "count => document.querySelectorAll('[data-testid^=\"tile-\"]').length === count", arg=count
        )

    async def boxes(self) -> list[dict[str, float]]:
        found: list[dict[str, float]] = await self.page.evaluate(
            """() => [...document.querySelectorAll('[data-testid^="tile-"]')].map((tile) => {
                const { left, top, right, bottom } = tile.getBoundingClientRect();
                return { left, top, right, bottom, size: parseFloat(getComputedStyle(tile).fontSize) };
            })"""
        )
        return found

    async def order(self) -> list[str]:
        found: list[str] = await self.page.evaluate(
            "() => [...document.querySelectorAll('.tiles > li')].map((tile) => tile.dataset.testid.slice(5))"
        )
        return found

    async def is_wider_than_the_screen(self) -> bool:
        wide: bool = await self.page.evaluate("() => document.documentElement.scrollWidth > window.innerWidth")
        return wide


async def test_a_wall_screen_shows_160_tables_at_once_the_one_that_needs_somebody_first(
    browser: Browser, page: RunningPage
) -> None:
    async with at_the_page(page, browser, WALL) as wall:
        await wall.sees(ALL)
        boxes = await wall.boxes()
        assert all(0 <= box["left"] < box["right"] <= 1920 and box["bottom"] <= 1080 for box in boxes)
        assert min(box["size"] for box in boxes) >= 9.5
        assert await wall.at("tiles").locator("> li").first.get_attribute("data-level") == "stopped"
        levels = await wall.page.evaluate(
            "() => [...document.querySelectorAll('.tiles > li')].map((t) => t.dataset.level)"
        )
        places = ["stopped", "urgent", "waiting", "notice", "playing", "closed"]
        assert levels == sorted(levels, key=places.index)
        # With CUTCARD_PICTURES=docs/images, the picture of docs/floor/page.md.
        await wall.screen.picture("floor")


async def test_a_table_that_is_held_comes_to_the_front_by_itself(browser: Browser, page: RunningPage) -> None:
    async with at_the_page(page, browser, WALL) as wall:
        await wall.sees(ALL)
        now = time.time_ns() // 1_000_000
        well = a_table("table-50", SITE, 50, now, seq=200)
        held = replace(troubled(well, 0, now), phase_since=now - 9_000_000)
        await page.tables.publish([as_published(held)])
        await wall.page.wait_for_function(
            "() => document.querySelector('.tiles > li').dataset.testid === 'tile-table-50'"
        )
        assert "Held: a card could not be read" in await wall.at("tile-table-50").inner_text()
        await page.tables.publish([as_published(replace(well, seq=201))])
        await wall.page.wait_for_function(
            "() => document.querySelector('.tiles > li').dataset.testid !== 'tile-table-50'"
        )


@pytest.mark.parametrize("size", part([TABLET, PHONE], of=2))
async def test_tablet_and_phone_scroll_down_and_never_sideways(
    browser: Browser, page: RunningPage, size: tuple[int, int]
) -> None:
    async with at_the_page(page, browser, size) as hand:
        await hand.sees(ALL)
        assert not await hand.is_wider_than_the_screen()
        assert min(box["size"] for box in await hand.boxes()) >= 12
        await hand.at("find").fill("table-16")
        await hand.sees(2)
        assert set(await hand.order()) == {"table-16", "table-160"}
        await hand.at("find").fill("")
        await hand.at("section").select_option("high limit")
        await hand.sees(2)


async def test_a_table_opens_with_its_rounds_step_by_step_for_who_has_signed_in(
    browser: Browser, page: RunningPage
) -> None:
    async with at_the_page(page, browser, TABLET) as hand:
        await hand.sees(ALL)
        await hand.at("tile-table-1").click()
        await hand.sign_in("tom")
        first = hand.at("detail-rounds").locator("details").first
        await first.locator("summary").click()
        await first.locator("li", has_text="The round begins").wait_for()
        assert hand.page.url.endswith("/table/table-1")
        await hand.at("detail-close").click()
        assert hand.page.url == page.url


async def test_orders_ask_first_and_show_what_each_table_answers(browser: Browser, page: RunningPage) -> None:
    async with at_the_page(page, browser, TABLET) as hand:
        await hand.sees(ALL)
        await hand.at("orders").click()
        await hand.at("order-scope").select_option("1")
        await hand.at("order-open").click()
        assert "For section high limit." in await hand.at("order").inner_text()
        await hand.at("order-ok").click()
        await hand.sign_in("ann")
        await hand.at("order-summary").wait_for()
        assert await hand.at("order-summary").inner_text() == "No table needs that."


async def test_a_moment_is_frozen_and_compared_later(browser: Browser, page: RunningPage) -> None:
    async with at_the_page(page, browser, TABLET) as hand:
        await hand.sees(ALL)
        await hand.at("marks").click()
        await hand.sign_in("ann")
        await hand.at("mark-name").fill("evening")
        await hand.at("mark-set").click()
        await hand.at("mark").first.click()
        await hand.at("since-table").wait_for()
        assert "evening" in await hand.at("since").inner_text()


async def test_the_books_are_read_and_taken_along(browser: Browser, page: RunningPage, tmp_path: Path) -> None:
    async with at_the_page(page, browser, TABLET, "books") as reader:
        await reader.sign_in("tom")
        await reader.at("table").locator("option", has_text="table-160").wait_for(state="attached")
        await reader.at("when").fill("2025-11-15")
        await reader.at("show").click()
        paper = reader.at("report")
        await paper.get_by_role("heading", name="Books of riverside, 2025-11-15").wait_for()
        assert await paper.get_by_role("heading", name="Differences").count() == 1
        for form, start in (("csv", b"table,"), ("pdf", b"%PDF-")):
            async with reader.page.expect_download() as download:
                await reader.at(form).click()
            taken: Any = await download.value
            await taken.save_as(tmp_path / form)
            assert taken.suggested_filename == f"books-2025-11-15.{form}"
            assert (tmp_path / form).read_bytes().startswith(start)
        await reader.at("who").click()
        await paper.get_by_role("heading").first.wait_for(state="detached")


async def test_a_screen_that_loses_its_broker_says_so_and_recovers(browser: Browser, tmp_path: Path) -> None:
    async with floor_page(tmp_path) as lonely, at_the_page(lonely, browser, TABLET) as hand:
        await hand.screen.wait_until("live")
        lonely.broker.kill()
        await hand.screen.wait_until("stale")
        assert "The tables cannot be reached from here" in await hand.at("connection-banner").inner_text()
        lonely.broker.start()
        await hand.screen.wait_until("live")
