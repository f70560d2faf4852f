"""How many touches a keyed hand takes at a tablet, from the first bet to the last chip: counted by the page itself."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.async_api import Browser

from tests.support.running.browsers import needs_chromium
from tests.support.running.consoles import manned_table, sit_down

pytestmark = [*needs_chromium, pytest.mark.asyncio(loop_scope="module")]


async def test_a_holdem_hand_of_six_seats_that_all_show_down_takes_at_most_35(browser: Browser, tmp_path: Path) -> None:
    seats = (1, 2, 3, 4, 5, 6)
    shown = {2: "Kh Qd", 3: "9c 9d", 4: "Ah 8h", 5: "Tc 9s", 6: "6c 6d", 1: "As Kd"}
    async with (
        manned_table(tmp_path, "bankers-texas-holdem", seats=seats) as table,
        sit_down(table, browser) as dealer,
    ):
        await dealer.post_limit(seats)
        await dealer.count_taps()
        await dealer.tap("deal_all")
        # Each seat by itself before the flop.
        for seat in (4, 5, 6, 1, 2):
            await dealer.tap(f"{seat}:call")
        await dealer.tap("3:check")
        await dealer.cards("2c 7d Js")
        await dealer.tap("everyone:check")
        await dealer.card("Qs")
        await dealer.tap("everyone:check")
        await dealer.card("3d")
        await dealer.tap("everyone:check")
        for codes in shown.values():
            await dealer.cards_at_once(codes)
        assert await dealer.taps() <= 35
        assert table.settled()["pots"][0]["to"] == {"2": 1200}
        assert "Pair of queens" in await dealer.at("settling-steps").inner_text()
        # Every act is an entry of its own.
        kinds = [event["kind"] for event in table.journal_events()]
        assert kinds.count("decision") == 6 + 3 * 6 + 6


async def test_an_ultimate_hand_of_five_seats_takes_at_most_20(browser: Browser, tmp_path: Path) -> None:
    async with (
        manned_table(tmp_path, "bankers-ultimate-texas-holdem", seats=(1, 2, 3, 4, 5)) as table,
        sit_down(table, browser) as dealer,
    ):
        await dealer.at("rack-1000").click()
        for seat in (1, 2, 3, 4, 5):
            before = await dealer.seq()
            await dealer.at(f"bet-on-{seat}").click()
            await dealer.after(before)
        assert [await dealer.at(f"wager-{seat}-blind").inner_text() for seat in (1, 5)] == ["$10", "$10"]
        await dealer.tap("close_bets")
        await dealer.tap("deal_all")
        await dealer.tap("everyone:check")
        await dealer.cards_at_once("2c 7d Js")
        await dealer.tap("everyone:check")
        await dealer.cards_at_once("Qs 3d")
        for seat in (1, 2, 3, 4, 5):
            await dealer.tap(f"{seat}:fold")
        await dealer.settle_up()
        await dealer.count_taps()
        await dealer.tap("same_bets_closed")
        await dealer.tap("deal_all")
        await dealer.tap("everyone:check")
        await dealer.cards_at_once("2c 7d Js")
        await dealer.tap("everyone:check")
        await dealer.cards_at_once("Qs 3d")
        await dealer.tap("1:fold")
        await dealer.tap("2:fold")
        await dealer.tap("everyone:bet1x")
        await dealer.cards_at_once("Ah Kh")
        for codes in ("Jh Jd", "9c 9d", "4c 5d"):
            await dealer.cards_at_once(codes)
        assert await dealer.taps() <= 20
        assert table.settled()["outcome"] == {"1": "fold", "2": "fold", "3": "win", "4": "win", "5": "lose"}


async def test_a_blackjack_hand_of_five_seats_takes_at_most_30(browser: Browser, tmp_path: Path) -> None:
    async with (
        manned_table(tmp_path, "bankers-pure-21-5-blackjack", seats=(1, 2, 3, 4, 5)) as table,
        sit_down(table, browser) as dealer,
    ):
        await dealer.tap("new_shoe")
        await dealer.count_taps()
        await dealer.at("rack-1000").click()
        for seat in (1, 2, 3, 4, 5):
            before = await dealer.seq()
            await dealer.at(f"bet-on-{seat}").click()
            await dealer.after(before)
        await dealer.tap("close_bets")
        for code in ("9h", "8h", "7h", "6h", "5h", "Kd", "9c", "8c", "7c", "6c", "5c"):
            await dealer.card(code)
        await dealer.tap("card")
        # The dealer looks at it, and it stays down.
        await dealer.reveal("player_dealer", "7d")
        for act in ("1:stand", "2:stand", "3:stand", "4:stand", "5:hit"):
            await dealer.tap(act)
        await dealer.card("7s")
        await dealer.tap("5:stand")
        assert await dealer.taps() <= 30
        assert table.settled()["totals"]["player_dealer"] == [17]
