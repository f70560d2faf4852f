"""How many touches a keyed hand takes at a tablet, from the first bet to the last chip: counted by the page itself."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.async_api import Browser

from tests.support.running.browsers import needs_chromium
from tests.support.running.consoles import AtTheConsole, manned_table, sit_down

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


async def test_a_stud_hand_of_four_seats_takes_ten_touches_beside_its_cards(browser: Browser, tmp_path: Path) -> None:
    """Sixteen cards lie open and are keyed, twelve are named at the showdown; a hand of hold'em has seventeen."""
    seats, ups = (1, 2, 3, 4), ("3c 5h 8d Jh", "Kd 9s Th 4c", "6s 7h Qc 2d", "8s Tc 5d Jc")
    downs = ("Ah Ad 2c", "Kc Ks 2s", "Qd Qs 2h", "Jd Js 4d")
    async with (
        manned_table(tmp_path, "calgrand-seven-card-stud", seats=seats) as table,
        sit_down(table, browser) as dealer,
    ):
        await dealer.open("whole_table")
        await dealer.page.get_by_role("button", name="Limit $4/$8").click()
        for seat in seats:
            await dealer.at(f"for-seat-{seat}").fill("200")
        before = await dealer.seq()
        await dealer.ok()
        await dealer.after(before)
        await dealer.count_taps()
        await dealer.tap("deal_all")
        await dealer.cards(ups[0])
        await play_along(dealer)
        for street in ups[1:]:
            await dealer.cards(street)
            await play_along(dealer)
        await dealer.tap("deal_all")
        await play_along(dealer)
        for codes in downs:
            await dealer.cards_at_once(codes)
        cards = 4 * 4 + 4 * 3
        assert await dealer.taps() <= cards + 10
        assert table.kinds().count("round_settled") == 1


async def play_along(dealer: AtTheConsole) -> None:
    """The bring-in is made, and everybody still in calls or checks, in as few touches as the console offers."""
    while True:
        offered = await dealer.offered()
        whole = next((offer for offer in offered if offer.startswith("everyone:")), None)
        bring_in = next((offer for offer in offered if offer.endswith(":bring_in")), None)
        if whole is not None:
            await dealer.tap(whole)
        elif bring_in is not None:
            before = await dealer.seq()
            await dealer.open(bring_in)
            await dealer.pick(200)
            await dealer.after(before)
        else:
            return


async def test_a_pai_gow_hand_of_five_seats_takes_fifteen_touches_beside_its_cards(
    browser: Browser, tmp_path: Path
) -> None:
    """Forty-two cards, all named when the hands are turned up."""
    hands = {
        "player_dealer": "Ah Kh 9d 8d 4c 3c 2c",
        "1": "As Jo 9h 8h 4d 3d 2d",
        "2": "Ac Kc 9s 8s 4h 3h 2h",
        "3": "Ad Kd 9c 8c 4s 3s 2s",
        "4": "Qh Jh Th 7h 6h 5h 5c",
        "5": "Qd Jd Td 7d 6d 5d 5s",
    }
    async with (
        manned_table(tmp_path, "turlock-fortune-pai-gow-poker", seats=(1, 2, 3, 4, 5), player_dealer=7) as table,
        sit_down(table, browser) as dealer,
    ):
        await dealer.count_taps()
        await dealer.at("rack-1000").click()
        for seat in (1, 2, 3, 4, 5):
            before = await dealer.seq()
            await dealer.at(f"bet-on-{seat}").click()
            await dealer.after(before)
        await dealer.tap("close_bets")
        await dealer.tap("deal_all")
        before = await dealer.seq()
        await dealer.open("dice")
        for die, eyes in enumerate((1, 2, 3), start=1):
            await dealer.at(f"die-{die}-{eyes}").click()
        await dealer.ok()
        await dealer.after(before)
        while any(":set:house" in offer for offer in await dealer.offered()):
            offered = await dealer.offered()
            whole = next((offer for offer in offered if offer.startswith("everyone:")), None)
            await dealer.tap(whole or next(offer for offer in offered if offer.endswith(":set:house")))
        for owner, codes in hands.items():
            await dealer.reveal(owner, codes)
        assert await dealer.taps() <= 42 + 22
        assert table.kinds().count("round_settled") == 1
