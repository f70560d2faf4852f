"""The shift report in a real browser: the floor signs in, chooses a shift, reads it and takes it along."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Browser

from tests.support.running.browsers import needs_chromium, open_screen
from tests.support.running.consoles import PHONE, TABLET, AtTheConsole, MannedTable, manned_table

pytestmark = [*needs_chromium, pytest.mark.asyncio(loop_scope="module")]

HOUSE = """
[report]
timezone = "America/Los_Angeles"
shifts = { day = "06:00", swing = "14:00", graveyard = "22:00" }
"""


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def table(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[MannedTable]:
    """A table where one round was dealt that owes two dollars."""
    options = {"schedule": "ca-2/ez-baccarat/1"}
    folder = tmp_path_factory.mktemp("table")
    async with manned_table(folder, "bankers-ez-baccarat-panda-8", options=options, more=HOUSE) as table:
        await table.console.act({"kind": "shoe_started"})
        await table.console.act({"kind": "bank", "spots": [10_000_000]})
        await table.console.act({"kind": "wager", "place": 1, "wager": "player_line", "cents": 20100})
        await table.console.act({"kind": "close_bets"})
        for card in ("9h", "Kd", "Tc", "7s"):
            await table.console.act({"kind": "card_out", "card": card})
        assert table.settled()["fees"] == {"collection": 200}
        yield table


@asynccontextmanager
async def at_the_report(
    table: MannedTable, browser: Browser, size: tuple[int, int] = TABLET
) -> AsyncIterator[AtTheConsole]:
    async with open_screen(f"{table.page}report", size, browser) as screen:
        yield AtTheConsole(screen, table)
        assert [text for text in screen.complaints if "status of 4" not in text] == []
        assert screen.strangers() == []


async def test_the_floor_reads_the_shift_and_it_goes_when_the_floor_goes(browser: Browser, table: MannedTable) -> None:
    async with at_the_report(table, browser) as floor:
        await floor.at("show").click()
        assert await floor.at("sign-in-title").inner_text() == "Floor, please"
        await floor.sign_in("floor")
        report = floor.at("report")
        await report.get_by_role("heading", name="Fees due and counted").wait_for()
        said = await report.locator("body").inner_text()
        assert "America/Los_Angeles" in said and "sam" in said and "$2" in said
        colour = await report.locator("path.due, polyline.due").first.evaluate("node => getComputedStyle(node).stroke")
        assert colour == "rgb(179, 38, 30)", "the report's own style is not applied"
        assert await floor.clumsy() == []
        await floor.at("who").click()
        await report.wait_for(state="hidden")
        assert "sam" not in await floor.text()
        assert await floor.at("who").inner_text() == "Sign in"


async def test_a_dealer_is_not_shown_it(browser: Browser, table: MannedTable) -> None:
    async with at_the_report(table, browser) as dealer:
        await dealer.at("show").click()
        person = table.pins["dealer"]
        await dealer.at("sign-in-name").fill(person["name"])
        await dealer.at("sign-in-pin").fill(person["pin"])
        await dealer.at("sign-in-ok").click()
        # The dialog is there again, empty, and asks for the floor.
        await dealer.page.wait_for_function(
            """() => sessionStorage.getItem("cutcard-sessions")?.includes('"dealer"')
                && document.querySelector('[data-testid="sign-in"]').open"""
        )
        assert await dealer.at("sign-in-title").inner_text() == "Floor, please"
        await dealer.at("sign-in-cancel").click()
        assert await dealer.at("report").is_hidden()
        await dealer.at("show").click()
        await dealer.sign_in("floor")
        await dealer.at("report").wait_for()
        await dealer.at("who").click()
        await dealer.at("report").wait_for(state="hidden")
        kept = await dealer.page.evaluate("""() => JSON.parse(sessionStorage["cutcard-sessions"]).map((s) => s.role)""")
        assert kept == ["dealer"], "the floor signs out and the dealer stays"


async def test_a_shift_of_a_day_is_saved_as_a_file(browser: Browser, table: MannedTable, tmp_path: Path) -> None:
    async with at_the_report(table, browser, PHONE) as floor:
        await floor.sign_in("floor")
        await floor.at("shift").locator("option", has_text="swing").wait_for(state="attached")
        assert await floor.at("shift").locator("option").all_inner_texts() == [
            "the last one",
            "day",
            "swing",
            "graveyard",
        ]
        await floor.at("shift").select_option("swing")
        await floor.at("date").fill("2020-02-29")
        async with floor.page.expect_download() as saving:
            await floor.at("csv").click()
        saved = await saving.value
        assert saved.suggested_filename == "shift-report-2020-02-29-swing.csv"
        await saved.save_as(tmp_path / "report.csv")
        assert (tmp_path / "report.csv").read_text().startswith("kind,")
        assert await floor.clumsy() == []


async def test_what_cannot_be_reported_is_said(browser: Browser, table: MannedTable) -> None:
    async with at_the_report(table, browser) as floor:
        await floor.sign_in("floor")
        await floor.page.evaluate(
            """() => document.querySelector('[data-testid="shift"]').append(new Option("noon", "noon", true, true))"""
        )
        await floor.at("show").click()
        await floor.page.wait_for_function("""() => document.querySelector('[data-testid="wrong"]').textContent""")
        assert "There is no shift 'noon'" in await floor.at("wrong").inner_text()
        assert await floor.at("report").is_hidden()
