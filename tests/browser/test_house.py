"""The house on its wall: logo and slides, a big hand, and what spares the screen."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace
from playwright.async_api import Browser

from controller.outputs.view_types import HouseView, PostedTable, View
from controller.web.house_pictures import HousePictures, address_of
from controller.web.server import serve
from tests.browser.test_seating import SIZES, WHATEVER_IS_CUT
from tests.support.running.browsers import needs_chromium, open_screen
from tests.web.test_feed import ScriptedTable, a_view
from tests.web.test_house_pictures import png

pytestmark = [*needs_chromium, pytest.mark.asyncio(loop_scope="module")]

POSTED = (PostedTable("Dragon 7", (("Banker wins with seven", "40 to 1"),)),)


def closed(seq: int, house: HouseView) -> View:
    return replace(a_view(seq=seq, phase="closed", prompt="The table is closed"), posted=POSTED, house=house)


async def test_a_closed_table_shows_what_is_posted_and_the_slides_in_turn(browser: Browser, tmp_path: Path) -> None:
    (tmp_path / "logo.png").write_bytes(png(120, 60))
    for name, shade in (("a.png", 90), ("b.png", 160)):
        (tmp_path / name).write_bytes(png(800, 450, shade))
    pictures = HousePictures(lambda: str(tmp_path), lambda: None)
    await pictures.look()
    logo, slides = pictures.now.logo, tuple(map(address_of, pictures.now.slides))
    assert logo is not None
    house = HouseView(address_of(logo), slides)
    table = ScriptedTable(closed(1, house))
    async with serve(table.page, extensions=[pictures.add_to]) as url, open_screen(url, browser=browser) as screen:
        page = screen.page
        await page.clock.install()
        await page.reload()
        await screen.board_at(seq=1)
        assert await page.locator(".mark").get_attribute("src") == address_of(logo)
        assert await page.get_by_test_id("posted").is_visible()
        shown = []
        for _ in range(3):
            await page.clock.run_for(12_100)
            slide = page.get_by_test_id("slide")
            shown.append(await slide.get_attribute("src") if await slide.is_visible() else "posted")
            if shown[-1] != "posted":
                await page.wait_for_function("() => document.querySelector('.slide').naturalWidth > 0")
                for size, window in SIZES.items():
                    await screen.resize(window)
                    assert (size, await page.evaluate(WHATEVER_IS_CUT)) == (size, [])
                await screen.resize(SIZES["wall"])
        assert shown == [*slides, "posted"]
        table.show(replace(a_view(seq=2), house=house))
        await screen.board_at(seq=2)
        assert not await page.get_by_test_id("slide").is_visible()
        assert (screen.complaints, screen.strangers()) == ([], [])


async def test_a_closed_table_is_dimmed_after_a_while_and_the_picture_moves(browser: Browser) -> None:
    table = ScriptedTable(closed(1, HouseView(dim_after_min=5)))
    async with serve(table.page) as url, open_screen(url, browser=browser) as screen:
        page = screen.page
        await page.clock.install()
        await page.reload()
        await screen.board_at(seq=1)
        first = await page.locator(".board").bounding_box()
        await page.clock.run_for(2 * 60_000)
        second = await page.locator(".board").bounding_box()
        assert first is not None and second is not None and first != second
        assert abs(first["x"] - second["x"]) <= 4 and abs(first["y"] - second["y"]) <= 4
        assert await page.evaluate("() => document.body.dataset.dim") == "no"
        await page.clock.run_for(4 * 60_000)
        assert await page.evaluate("() => document.body.dataset.dim") == "yes"
        table.show(a_view(seq=2))
        await screen.board_at(seq=2)
        assert await page.evaluate("() => document.body.dataset.dim") == "no"


async def test_a_big_hand_has_its_moment_once(browser: Browser) -> None:
    quiet = a_view(seq=1, phase="dealing")
    dragon = replace(a_view(seq=2, phase="settled"), celebrates="Dragon 7", house=HouseView(sounds=True))
    table = ScriptedTable(quiet)
    async with serve(table.page) as url, open_screen(url, browser=browser) as screen:
        await screen.board_at(seq=1)
        banner = screen.page.get_by_test_id("celebration")
        assert not await banner.is_visible()
        await screen.page.evaluate(
            """() => { window.notes = 0; const start = OscillatorNode.prototype.start;
                OscillatorNode.prototype.start = function (at) { window.notes += 1; return start.call(this, at); }; }"""
        )
        table.show(dragon)
        await screen.board_at(seq=2)
        assert await banner.inner_text() == "Dragon 7"
        assert await screen.page.evaluate("() => window.notes") == 3
        table.show(replace(dragon, seq=3))
        await screen.board_at(seq=3)
        assert await screen.page.evaluate("() => window.notes") == 3, "once for each hand"
        table.show(a_view(seq=4))
        await screen.board_at(seq=4)
        assert not await banner.is_visible()


async def test_a_page_that_comes_after_the_hand_celebrates_nothing(browser: Browser) -> None:
    dragon = replace(a_view(seq=2, phase="settled"), celebrates="Dragon 7")
    async with serve(ScriptedTable(dragon).page) as url, open_screen(url, browser=browser) as screen:
        await screen.board_at(seq=2)
        assert not await screen.page.get_by_test_id("celebration").is_visible()
