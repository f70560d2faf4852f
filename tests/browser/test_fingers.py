"""Slips of the finger at the console: second taps, old pages, places that move, and taking an act back."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Browser

from tests.support.running.browsers import needs_chromium
from tests.support.running.consoles import TABLET, AtTheConsole, manned_table, sit_down

pytestmark = [*needs_chromium, pytest.mark.asyncio(loop_scope="module")]

SEATS = (1, 2, 3)


async def places(dealer: AtTheConsole) -> dict[str, Any]:
    """Where the fixed places are, in pixels."""
    boxes: dict[str, Any] = await dealer.page.evaluate(
        """() => Object.fromEntries(["slot-all", "slot-main", "slot-fold", "slot-undo"].map((id) => {
            const box = document.querySelector(`[data-testid="${id}"]`).getBoundingClientRect();
            return [id, [box.x, box.y, box.width, box.height].map(Math.round)];
        }))"""
    )
    return boxes


async def test_a_holdem_hand_with_an_impatient_finger(browser: Browser, tmp_path: Path) -> None:
    async with (
        manned_table(tmp_path, "bankers-texas-holdem", seats=SEATS) as table,
        sit_down(table, browser, quiet_ms=60_000) as dealer,
    ):
        await dealer.post_limit(SEATS)
        where = await places(dealer)
        # Two taps on one place: the second is refused in words, and no card goes to another seat.
        before = await dealer.seq()
        await dealer.open("card")
        await dealer.after(before)
        await dealer.open("card")
        await dealer.at("toast").wait_for()
        assert (
            await dealer.at("toast").inner_text() == "That was a second tap within a moment. Nothing was sent for it."
        )
        assert table.kinds().count("card_dealt") == 1
        await dealer.tap("deal_all")
        await dealer.tap("1:call")
        await dealer.page.keyboard.press("f")
        await dealer.page.wait_for_function(
            "() => document.querySelector('[data-testid=prompt]').textContent.startsWith('Seat 3')"
        )
        # One touch takes the fold back, a second one is the call that it should have been.
        await dealer.count_taps()
        await dealer.tap("take_back")
        assert (await dealer.prompt()).startswith("Seat 2")
        assert await dealer.at("verdict-2").inner_text() == ""
        assert "1:call" not in await dealer.offered()
        assert await dealer.taps() == 1
        assert await places(dealer) == where
        # For the other hand everything is on the other side, and stays there.
        await dealer.at("hand").click()
        left = await places(dealer)
        assert left["slot-main"][0] < TABLET[0] / 2 < where["slot-main"][0]
        assert [box[1:] for box in left.values()] == [box[1:] for box in where.values()]
        await dealer.page.reload()
        await dealer.screen.wait_until("live")
        assert await places(dealer) == left


async def test_an_old_page_sends_nothing_by_finger_or_key(browser: Browser, tmp_path: Path) -> None:
    async with (
        manned_table(tmp_path, "bankers-ultimate-texas-holdem", seats=SEATS) as table,
        sit_down(table, browser) as dealer,
    ):
        # A chip is dragged from the rack onto a seat: ante and blind are there.
        chip, seat = dealer.at("rack-1000"), dealer.at("seat-2-place")
        await chip.hover()
        await dealer.page.mouse.down()
        box = await seat.bounding_box()
        assert box is not None
        await dealer.page.mouse.move(box["x"] + 20, box["y"] + 10, steps=4)
        await dealer.page.mouse.up()
        await dealer.page.wait_for_function(
            "() => document.querySelector('[data-testid=bet-2]')?.textContent === '$20'"
        )
        # An ante without its blind is named before the bets are closed.
        await dealer.wager(2, "blind", 0)
        await dealer.open("close_bets")
        assert "Seat 2: ante alone" in await dealer.at("pad-body").inner_text()
        await dealer.at("pad-cancel").click()
        await dealer.wager(2, "blind", 1000)
        kinds = table.kinds()
        await dealer.page.context.set_offline(True)
        await dealer.screen.wait_until("stale")
        await dealer.page.keyboard.press("Enter")
        await dealer.at("toast").wait_for()
        assert "out of date" in await dealer.at("toast").inner_text()
        await dealer.page.context.set_offline(False)
        await dealer.screen.wait_until("live")
        assert table.kinds() == kinds
        await dealer.page.keyboard.press("Enter")
        await dealer.page.wait_for_function("() => document.body.dataset.phase === 'dealing'")
