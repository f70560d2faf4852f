"""The dealer's console in a real browser: a round of each of the five games, keyed by hand from beginning to end.

The tables have no devices at all, so everything that happens is what somebody touched on the page.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Route

from tests.support.running.brokers import eventually
from tests.support.running.browsers import needs_chromium
from tests.support.running.consoles import PHONE, TABLET, MannedTable, manned_table, sit_down

pytestmark = [*needs_chromium, pytest.mark.asyncio(loop_scope="module")]

EZ = "bankers-ez-baccarat-panda-8"


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def baccarat(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[MannedTable]:
    """One baccarat table for all tests that leave it between two rounds."""
    async with manned_table(tmp_path_factory.mktemp("baccarat"), EZ) as table:
        yield table


async def test_a_round_of_ez_baccarat(browser: Browser, baccarat: MannedTable) -> None:
    async with sit_down(baccarat, browser) as dealer:
        await dealer.fresh_shoe()
        await dealer.wager(1, "player_line", 2500)
        await dealer.wager(2, "banker_line", 1000)
        await dealer.wager(2, "dragon_7", 500)
        assert await dealer.at("wager-2-dragon_7").inner_text() == "$5"
        await dealer.tap("close_bets")
        assert await dealer.prompt() == "Card 1 to Player"
        await dealer.cards("2h Kd 3c 4s 5d 3h")
        assert await dealer.at("outcome").inner_text() == "Banker wins 7 to 0 · Dragon 7"
        assert await dealer.at("total-banker").inner_text() == "7"
        settled = baccarat.settled()
        assert (settled["outcome"], settled["flags"]["dragon_7"]) == ("banker", True)
        assert {(line["place"], line["wager"]): line["net"] for line in settled["lines"]} == {
            (1, "player_line"): -2500,
            (2, "banker_line"): 1000,
            (2, "dragon_7"): 20000,
        }


async def test_a_round_of_pure_21_5_blackjack(browser: Browser, tmp_path: Path) -> None:
    async with manned_table(tmp_path, "bankers-pure-21-5-blackjack") as table, sit_down(table, browser) as dealer:
        await dealer.tap("new_shoe")
        wager = (await dealer.at("book").locator("td button").first.get_attribute("data-testid") or "").split("-")[2]
        await dealer.wager(1, wager, 1000)
        await dealer.tap("close_bets")
        await dealer.cards("9h Kd 9c")
        await dealer.tap("card")
        await dealer.reveal("player_dealer", "7c")
        assert await dealer.shown_cards() == {"9h", "Kd*", "9c"}, "the down card is on the console"
        assert "7c" not in await dealer.text()
        assert {"1:hit", "1:stand", "1:double"} <= set(await dealer.offered())
        await dealer.tap("1:stand")
        settled = table.settled()
        assert settled["hands"]["player_dealer"] == ["Kd*", "7c"]
        assert sum(line["net"] for line in settled["lines"]) == 1000


async def test_a_round_of_ultimate_texas_holdem(browser: Browser, tmp_path: Path) -> None:
    async with manned_table(tmp_path, "bankers-ultimate-texas-holdem") as table, sit_down(table, browser) as dealer:
        await dealer.wager(1, "ante", 1000)
        await dealer.wager(1, "blind", 1000)
        await dealer.tap("close_bets")
        for _ in range(3):
            await dealer.tap("card")
        assert await dealer.shown_cards() == set()
        await dealer.tap("1:bet4x")
        await dealer.reveal("board", "2c 7d Js")
        await dealer.reveal("board", "Qs 3d")
        await dealer.reveal("player_dealer", "Ah Kh")
        await dealer.reveal("1", "Jh Jd")
        settled = table.settled()
        assert settled["outcome"] == {"1": "win"}
        assert settled["bank_net"] == -4000


async def test_a_round_of_fortune_pai_gow(browser: Browser, tmp_path: Path) -> None:
    ruleset = "turlock-fortune-pai-gow-poker"
    async with manned_table(tmp_path, ruleset, player_dealer=3) as table, sit_down(table, browser) as dealer:
        await dealer.wager(1, "pai_gow", 1000)
        await dealer.tap("close_bets")
        for _ in range(7):
            await dealer.tap("card")
        before = await dealer.seq()
        await dealer.open("dice")
        for die, eyes in enumerate((1, 2, 3), start=1):
            await dealer.at(f"die-{die}-{eyes}").click()
        await dealer.ok()
        await dealer.after(before)
        assert await dealer.shown_cards() == set()
        await dealer.tap("1:set:house")
        await dealer.reveal("player_dealer", "Ah Kh 9d 8d 4c 3c 2c")
        await dealer.reveal("1", "As Jo 9h 8h 4d 3d 2d")
        assert table.settled()["outcome"] == {"1": "push"}


async def test_a_hand_of_texas_holdem_with_button_blinds_and_stacks_set_at_the_console(
    browser: Browser, tmp_path: Path
) -> None:
    async with (
        manned_table(tmp_path, "bankers-texas-holdem", seats=(1, 2, 3)) as table,
        sit_down(table, browser) as dealer,
    ):
        await dealer.post_limit((1, 2, 3))
        for _ in range(6):
            await dealer.tap("card")
        for act in ("1:call", "2:fold", "3:check", "card"):
            await dealer.tap(act)
        await dealer.cards("2c 7d Js")
        for act in ("3:check", "1:check", "card"):
            await dealer.tap(act)
        await dealer.card("Qs")
        for act in ("3:check", "1:check", "card"):
            await dealer.tap(act)
        await dealer.card("3d")
        await dealer.tap("3:bet")
        assert await dealer.at("felt").text_content() == "Button: seat 1 · Pot $5 · Bets: seat 3 $4"
        for act in ("1:call", "3:show"):
            await dealer.tap(act)
        assert await dealer.shown_cards() == {"2c", "7d", "Js", "Qs", "3d"}
        await dealer.reveal("3", "Ah Kh")
        await dealer.tap("1:show")
        await dealer.reveal("1", "Jh Jd")
        (pot,) = table.settled()["pots"]
        assert (pot["cents"], pot["to"]) == (1300, {"1": 1300})
        assert "Button to seat 2, blinds to 3 and 1" in await dealer.text()


async def test_on_a_phone_an_amount_is_typed_or_touched_within_its_bounds_and_a_wrong_tap_is_put_right(
    browser: Browser, tmp_path: Path
) -> None:
    async with (
        manned_table(tmp_path, "bankers-texas-holdem", seats=(1, 2, 3)) as table,
        sit_down(table, browser, PHONE) as dealer,
    ):
        for offer, value in (("structure", {"kind": "no_limit"}), ("button", 1)):
            await dealer.open(offer)
            before = await dealer.seq()
            await dealer.pick(value)
            await dealer.after(before)
        for offer, amounts in (("blinds", {2: "1", 3: "2"}), ("antes", {1: "0.5"}), ("stacks", {1: "100"})):
            before = await dealer.seq()
            await dealer.open(offer)
            for seat, dollars in amounts.items():
                await dealer.at(f"for-seat-{seat}").fill(dollars)
            if offer != "blinds":
                await dealer.at("same-for-all").click()
            assert await dealer.clumsy() == []
            await dealer.ok()
            await dealer.after(before)
        for _ in range(6):
            await dealer.tap("card")
        await dealer.open("1:raise")
        await dealer.page.keyboard.type("3")
        await dealer.page.keyboard.press("Enter")
        await dealer.at("pad-wrong").get_by_text("It must be $4 to $99.50.").wait_for()
        assert await dealer.at("pad-title").inner_text() == "Seat 1: Raise"
        before = await dealer.seq()
        await dealer.page.keyboard.type("0")
        await dealer.page.keyboard.press("Enter")
        await dealer.after(before)
        await dealer.tap("2:fold")
        assert await dealer.at("felt").text_content() == (
            "Button: seat 1 · Pot $1.50 · Bets: seat 1 $30, seat 2 $1, seat 3 $2"
        )
        assert await dealer.at("verdict-2").inner_text() == "Folded"
        await dealer.at("put-in").get_by_text("Seat 2: fold").click()
        assert await dealer.clumsy() == []
        await dealer.at("pad-body").get_by_text("Raise").click()
        await dealer.at("amount-max").click()
        await dealer.ok()
        await dealer.at("text").fill("wrong button")
        await dealer.ok()
        await dealer.at("sign-in").wait_for()
        await dealer.sign_in("floor")
        assert "Seat 3: fold or call $99.50" in await dealer.at("changes").inner_text()
        before = await dealer.seq()
        await dealer.ok()
        await dealer.after(before)
        assert await dealer.prompt() == "Seat 3: fold or call $99.50"
        assert await dealer.at("verdict-2").inner_text() == "All in"
        assert await dealer.clumsy() == []


async def test_a_meld_of_panguingue_is_laid_and_added_to(browser: Browser, tmp_path: Path) -> None:
    async with (
        manned_table(tmp_path, "calgrand-panguingue", seats=(1, 2, 3)) as table,
        sit_down(table, browser, PHONE) as dealer,
    ):
        for door in ("5h", "6h", "4s"):
            await dealer.tap("card")
            await dealer.card(door)
        for act in ("card", "card", "card", "1:play", "3:play", "2:play", "1:draw"):
            await dealer.tap(act)
        await dealer.card("4s")
        for onto, cards in ((None, "4s 4s 4s"), (1, "4s")):
            before = await dealer.seq()
            await dealer.open("1:meld")
            if onto is not None:
                await dealer.pick(onto)
            for code in cards.split():
                await dealer.press_card(code)
            assert await dealer.clumsy() == []
            await dealer.ok()
            await dealer.after(before)
        assert [code for code in await dealer.shown_cards() if code == "4s"] == ["4s"]
        assert await dealer.prompt() == "Seat 1: meld, out or discard — discard one card"


async def test_the_floor_corrects_a_misread_card_after_seeing_what_it_changes(
    browser: Browser, baccarat: MannedTable
) -> None:
    async with sit_down(baccarat, browser) as dealer:
        await dealer.fresh_shoe()
        await dealer.wager(1, "player_line", 1000)
        await dealer.tap("close_bets")
        await dealer.cards("9h Kd Tc 7s")
        assert await dealer.at("outcome").inner_text() == "Player wins 9 to 7 · Natural"
        await dealer.at("put-in").get_by_text("Banker, card 2: 7s").click()
        await dealer.press_card("9s")
        await dealer.at("text").fill("misread")
        await dealer.ok()
        await dealer.at("sign-in").wait_for()
        assert await dealer.at("sign-in-title").inner_text() == "Floor, please"
        await dealer.sign_in("floor")
        changes = await dealer.at("changes").inner_text()
        assert "outcome" in changes and "player" in changes and "tie" in changes
        assert baccarat.settled()["outcome"] == "player", "a preview changed something"
        before = await dealer.seq()
        await dealer.ok()
        await dealer.after(before)
        assert await dealer.at("outcome").inner_text() == "Tie at 9 · Natural"
        corrected = [event for event in baccarat.journal_events() if event["kind"] == "corrected"][-1]
        assert (corrected["by"], corrected["reason"]) == ("floor:ann", "misread")
        assert "ann (floor, " in await dealer.at("who").inner_text()


async def test_the_bank_button_and_who_banks_next(browser: Browser, tmp_path: Path) -> None:
    async with manned_table(tmp_path, EZ) as table, sit_down(table, browser) as dealer:
        assert await dealer.at("banker").inner_text() == "Bank: seat 8, first hand"
        await dealer.fresh_shoe()
        for _ in range(2):
            await dealer.tap("close_bets")
            await dealer.cards("9h Kd Tc 7s")
        assert (await dealer.at("prompt").inner_text()).startswith("Who banks next? Seat 8 has dealt 2 hands")
        await dealer.tap("bank:2")
        assert table.kinds()[-3:] == ["bank_declined", "bank_taken", "table_set"]
        assert await dealer.at("banker").inner_text() == "Bank: seat 2, first hand"


async def test_a_dealer_stops_the_game_and_the_floor_voids_the_round_with_a_pin(
    browser: Browser, baccarat: MannedTable
) -> None:
    async with sit_down(baccarat, browser) as dealer:
        await dealer.fresh_shoe()
        await dealer.wager(1, "player_line", 1000)
        await dealer.tap("close_bets")
        await dealer.open("stop")
        before = await dealer.seq()
        await dealer.ok()
        await dealer.after(before)
        assert await dealer.at("held").is_visible()
        await dealer.open("floor:void")
        await dealer.at("text").fill("exposed card")
        await dealer.ok()
        await dealer.ok()
        await dealer.at("sign-in-name").fill("ann")
        await dealer.at("sign-in-pin").fill("0000")
        await dealer.at("sign-in-ok").click()
        await dealer.page.wait_for_function(
            """() => document.querySelector('[data-testid="sign-in-wrong"]').textContent.includes("do not fit")"""
        )
        assert baccarat.kinds()[-2:] == ["held", "sign_in_failed"]
        await dealer.sign_in("floor")
        await eventually(lambda: "round_voided" in baccarat.kinds())
        (voided,) = [event for event in baccarat.journal_events() if event["kind"] == "round_voided"]
        assert voided["returned"] == {"1": 1000}


async def test_the_floor_reads_what_to_do_about_an_alarm_and_clears_it_with_a_reason(
    browser: Browser, tmp_path: Path
) -> None:
    async with manned_table(tmp_path, EZ, options={"decks": 3}) as table, sit_down(table, browser) as dealer:
        await dealer.fresh_shoe()
        for suit in "hcd":
            await dealer.same_player_dealer()
            await dealer.tap("close_bets")
            await dealer.cards(f"Ah 9{suit} 8{suit} K{suit}")
        await dealer.tap("close_bets")
        await dealer.card("Ah")
        await table.console.act({"kind": "floor", "do": "use_next", "reason": "played on"}, by="floor")
        await dealer.cards("9s 7d Ts")
        alarm = "shoe:composition"
        assert "4 of Ah have left the shoe" in await dealer.at(f"alarm-{alarm}").inner_text()
        assert (await dealer.at(f"to-do-{alarm}").inner_text()).startswith("Do not deal from this shoe.")
        buttons = await dealer.at(f"alarm-{alarm}").locator("button").all_inner_texts()
        assert buttons == ["New shoe, shuffled and counted", "Seen to", "Clear"]
        assert await dealer.clumsy() == []
        before = await dealer.seq()
        await dealer.at(f"way-{alarm}-explain_alarm:{alarm}").click()
        await dealer.at("text").fill("a card of another deck, taken out")
        await dealer.ok()
        await dealer.sign_in("floor")
        await dealer.after(before)
        await dealer.at("alarms").wait_for(state="hidden")
        (settled,) = [event for event in table.journal_events() if event["kind"] == "alarm_settled"]
        assert (settled["by"], settled["reason"]) == ("floor:ann", "a card of another deck, taken out")


async def test_everything_works_from_the_keyboard(browser: Browser, baccarat: MannedTable) -> None:
    async with sit_down(baccarat, browser) as dealer:
        keyboard = dealer.page.keyboard
        await dealer.fresh_shoe()
        for keys in ("1", "9h", "kd", "tc", "7s"):
            before = await dealer.seq()
            await keyboard.type(keys)
            await dealer.after(before)
        assert baccarat.settled()["hands"] == {"player": ["9h", "Tc"], "banker": ["Kd", "7s"]}
        focused: set[str] = set()
        for _ in range(60):
            await keyboard.press("Tab")
            focused.add(
                await dealer.page.evaluate(
                    "() => document.activeElement?.dataset.testid ?? document.activeElement.tagName"
                )
            )
        assert {"who", "offer-close_bets", "wager-1-player_line", "offer-seats", "put-in-1"} <= focused


async def test_a_refusal_is_shown_in_words_and_nothing_happens_without_a_person(
    browser: Browser, baccarat: MannedTable
) -> None:
    async with sit_down(baccarat, browser, sign_in=False) as dealer:
        before = baccarat.kinds()
        await dealer.open("close_bets" if "close_bets" in await dealer.offered() else "new_shoe")
        await dealer.at("sign-in").wait_for()
        await dealer.at("sign-in-cancel").click()
        assert baccarat.kinds() == before
        await dealer.sign_in()
        await dealer.fresh_shoe()
        await dealer.at("wager-1-dragon_7").click()
        await dealer.amount(500)
        await dealer.at("toast").wait_for()
        assert "needs" in await dealer.at("toast").inner_text()
        await dealer.at("who").click()
        await dealer.page.wait_for_function("""() => document.body.dataset.signed === "false" """)


@pytest.mark.parametrize("size", [TABLET, TABLET[::-1], PHONE], ids=["tablet", "tablet on its side", "phone"])
async def test_every_button_fits_a_thumb_and_nothing_sticks_out(
    browser: Browser, baccarat: MannedTable, size: tuple[int, int]
) -> None:
    async with sit_down(baccarat, browser, size) as dealer:
        await dealer.fresh_shoe()
        assert await dealer.clumsy() == []
        await dealer.at("wager-1-player_line").click()
        assert await dealer.clumsy() == []
        await dealer.amount(1000)
        await dealer.tap("close_bets")
        await dealer.card("9h")
        assert await dealer.clumsy() == []
        await dealer.at("put-in").locator("button").first.click()
        assert await dealer.clumsy() == []
        await dealer.at("pad-cancel").click()
        await dealer.cards("Kd Tc 7s")


async def test_a_badge_on_the_page_signs_in_and_is_no_shortcut(browser: Browser, baccarat: MannedTable) -> None:
    async with sit_down(baccarat, browser, burst_ms=2000) as dealer:
        await dealer.fresh_shoe()
        kinds, sent = baccarat.kinds(), []

        async def refuse(route: Route) -> None:
            sent.append(route.request.post_data or "")
            await route.fulfill(status=401, body='{"ok": false, "text": "No."}', content_type="application/json")

        await dealer.page.route("**/api/login", refuse)
        # As a reader types it, all at once: among these keys are shortcuts of what is offered.
        await dealer.page.keyboard.type("1142-771f")
        await dealer.page.keyboard.press("Enter")
        await dealer.at("toast").get_by_text("No.").wait_for()
        assert sent == ['{"badge":"1142-771f"}']
        assert baccarat.kinds() == kinds
        # A hand types slower, and its keys are shortcuts.
        before = await dealer.seq()
        await dealer.page.keyboard.press("1")
        await dealer.after(before)
        assert baccarat.kinds()[-1] == "bets_closed"
        await dealer.cards("9h Kd Tc 7s")


async def test_a_badge_is_read_in_any_field_and_who_is_shown_is_signed_in(
    browser: Browser, baccarat: MannedTable
) -> None:
    async with sit_down(baccarat, browser) as dealer:
        for _ in range(2):
            await dealer.fresh_shoe()
        assert await dealer.at("done").inner_text() == "Done: New shoe, shuffled and counted"
        # The table does not know the token any more, as after a restart.
        await dealer.page.route("**/api/round", lambda route: route.fulfill(status=401, body="{}"))
        await dealer.page.context.set_offline(True)
        await dealer.screen.wait_until("stale")
        await dealer.page.context.set_offline(False)
        await dealer.page.wait_for_function("() => document.body.dataset.signed === 'false'")
        assert await dealer.at("who").inner_text() == "Sign in"
        sent: list[str] = []

        async def refuse(route: Route) -> None:
            sent.append(route.request.post_data or "")
            await route.fulfill(status=401, body='{"ok": false, "text": "No."}', content_type="application/json")

        await dealer.page.route("**/api/login", refuse)
        await dealer.at("who").click()
        for field in ("sign-in-name", "sign-in-pin", "sign-in-badge"):
            await dealer.at("sign-in-name").fill("")
            await dealer.at(field).fill("0042-7716")
            await dealer.at(field).press("Enter")
            await dealer.at("sign-in-wrong").get_by_text("No.").wait_for()
            await dealer.page.evaluate("() => (document.querySelector('[data-testid=sign-in-wrong]').textContent = '')")
        assert sent == ['{"badge":"0042-7716"}'] * 3
