"""One dialog sets a poker table; calling the floor and stopping the game, at the console."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.async_api import Browser

from tests.support.running.axe import AXE, violations
from tests.support.running.browsers import needs_chromium
from tests.support.running.consoles import PHONE, TABLET, manned_table, sit_down

pytestmark = [*needs_chromium, pytest.mark.asyncio(loop_scope="module")]


@pytest.mark.parametrize("size", [TABLET, PHONE], ids=["tablet", "phone"])
async def test_seats_stakes_button_and_stacks_are_set_in_one_dialog(
    browser: Browser, tmp_path: Path, size: tuple[int, int]
) -> None:
    async with (
        manned_table(tmp_path, "bankers-texas-holdem", seats=(1, 2, 3)) as table,
        sit_down(table, browser, size) as dealer,
    ):
        await dealer.open("whole_table")
        await dealer.at("seat-5").click()
        assert await dealer.clumsy() == []
        await dealer.ok()
        assert await dealer.at("pad-wrong").inner_text() == "Choose: Stakes, Button."
        await dealer.page.get_by_role("button", name="Limit $4/$8, blinds $2 and $4").click()
        await dealer.at("choice-button-4").click()
        for seat in (1, 2, 3, 5):
            await dealer.at(f"for-seat-{seat}").fill("200")
        assert not await dealer.at("for-seat-4").is_visible(), "nobody sits there"
        if AXE.exists():
            assert await violations(dealer.page) == []
        before = await dealer.seq()
        await dealer.ok()
        await dealer.after(before)
        await dealer.at("pad").wait_for(state="hidden")
        assert await dealer.at("done").inner_text() == "Done: Set the table"
        assert table.kinds().count("table_set") == 1
        await dealer.tap("card")
        assert await dealer.at("felt").text_content() == "Button: seat 5 · Bets: seat 1 $2, seat 2 $4"


async def test_what_the_table_refuses_stays_in_the_dialog_to_be_put_right(browser: Browser, tmp_path: Path) -> None:
    async with (
        manned_table(tmp_path, "bankers-texas-holdem", seats=(1, 2, 3)) as table,
        sit_down(table, browser) as dealer,
    ):
        await dealer.page.route(
            "**/api/slips", lambda route: route.fulfill(status=409, body='{"ok": false, "text": "Not with these."}')
        )
        await dealer.open("whole_table")
        await dealer.page.get_by_role("button", name="Limit $4/$8, blinds $2 and $4").click()
        await dealer.at("choice-button-0").click()
        await dealer.at("for-seat-1").fill("200")
        await dealer.ok()
        await dealer.at("pad-wrong").get_by_text("Not with these.").wait_for()
        assert await dealer.at("for-seat-1").input_value() == "200"
        await dealer.page.unroute("**/api/slips")
        before = await dealer.seq()
        await dealer.ok()
        await dealer.after(before)
        assert table.kinds()[-1] == "table_set"


async def test_a_call_is_answered_and_ended_and_a_stop_says_who_lifts_it(browser: Browser, tmp_path: Path) -> None:
    async with (
        manned_table(tmp_path, "bankers-ez-baccarat-panda-8") as table,
        sit_down(table, browser) as dealer,
    ):
        await dealer.fresh_shoe()
        await dealer.tap("close_bets")
        await dealer.tap("call_floor")
        assert await dealer.at("done").inner_text() == "Done: Call the floor"
        assert await dealer.at("alarms-button").inner_text() == "1 alarm"
        await dealer.card("9h")
        assert not await dealer.at("held").is_visible()
        await dealer.tap("call_over")
        await dealer.at("alarms-button").wait_for(state="hidden")
        await dealer.open("stop")
        before = await dealer.seq()
        await dealer.ok()
        await dealer.after(before)
        assert await dealer.at("held").inner_text() == "Held: the dealer has stopped the game"
        assert await dealer.at("held-who").inner_text() == "Only the floor lifts it: resume, or void the round."
        assert [kind for kind in table.kinds() if kind in ("alarm_raised", "alarm_cleared", "held")] == [
            "alarm_raised",
            "alarm_cleared",
            "held",
        ]
