"""A dealer before the console, in a real browser: a table without devices, whose cards are keyed by hand.

    async with manned_table(folder, "bankers-ez-baccarat-panda-8") as table, sit_down(table, browser) as dealer:
        await dealer.tap("new_shoe")
        await dealer.card("9h")

Every step waits until the page shows what it did: `tap` and its like return when the table's next event is on the page.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiohttp
from playwright.async_api import Browser, Locator

from controller.demo.staff import NOTES
from tests.support.running.brokers import free_port
from tests.support.running.browsers import Screen, open_screen
from tests.support.running.tables import ALONE, RunningDaemon

TABLET, PHONE = (1280, 800), (390, 844)

LIMITS = "min_wager = 500\nmax_wager = 50000"
"""Of a table without a posted schedule."""
CONFIG = (
    """
site = "test"
table = "t-9"
test = true
[rules]
ruleset = "{ruleset}"
options = {options}
[seating]
seats = {seats}
player_dealer = {player_dealer}
{limits}
"""
    + ALONE
)


class MannedTable(RunningDaemon):
    """A daemon without devices: people key everything."""

    @property
    def pins(self) -> dict[str, dict[str, str]]:
        """Name and PIN of the dealer and of the floor."""
        notes: dict[str, dict[str, str]] = json.loads((self.data / NOTES).read_text())
        return notes

    def settled(self) -> dict[str, Any]:
        """The event that settled the last round."""
        return [event for event in self.journal_events() if event["kind"] == "round_settled"][-1]


@asynccontextmanager
async def manned_table(
    folder: Path,
    ruleset: str,
    *,
    seats: tuple[int, ...] = (1, 2),
    player_dealer: int = 8,
    options: Mapping[str, str | int] | None = None,
    more: str = "",
) -> AsyncIterator[MannedTable]:
    """A running table of this ruleset; `more` is more of its config."""
    table = MannedTable(folder)
    chosen = ", ".join(f"{name} = {json.dumps(value)}" for name, value in (options or {}).items())
    table.config.write_text(
        CONFIG.format(
            limits="" if options and "schedule" in options else LIMITS,
            ruleset=ruleset,
            options=f"{{ {chosen} }}",
            seats=list(seats),
            player_dealer=player_dealer,
            broker=free_port(),
        )
        + more
    )
    async with aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=30)) as session:
        await table.start(session)
        try:
            yield table
        finally:
            await table.stop()


class AtTheConsole:
    """Somebody with a thumb on the page."""

    def __init__(self, screen: Screen, table: MannedTable) -> None:
        self.screen, self.table = screen, table
        self.page = screen.page
        self.page.set_default_timeout(15_000)

    def at(self, testid: str) -> Locator:
        return self.page.get_by_test_id(testid)

    async def sign_in(self, role: str = "dealer") -> None:
        """Name and PIN into the dialog; it is opened where it is not."""
        if not await self.at("sign-in").is_visible():
            await self.at("who").click()
        person, before = self.table.pins[role], await self.seq()
        await self.at("sign-in-name").fill(person["name"])
        await self.at("sign-in-pin").fill(person["pin"])
        await self.at("sign-in-ok").click()
        await self.at("sign-in").wait_for(state="hidden")
        # The report has no table on its page.
        if before >= 0:
            await self.after(before)

    async def count_taps(self) -> None:
        """Count every touch of the page from now on."""
        await self.page.evaluate(
            """() => {
                if (window.taps === undefined) document.addEventListener("pointerdown", () => (window.taps += 1), true);
                window.taps = 0;
            }"""
        )

    async def taps(self) -> int:
        return int(await self.page.evaluate("() => window.taps ?? 0"))

    async def seq(self) -> int:
        return int(await self.page.evaluate("() => document.body.dataset.seq || -1"))

    async def after(self, seq: int) -> None:
        """Until the page shows something newer than this."""
        await self.page.wait_for_function("seq => Number(document.body.dataset.seq) > seq", arg=seq)

    async def touch(self, what: Locator) -> None:
        """As a dealer would: while the page says that it is out of date, it sends nothing and nobody touches it."""
        await what.wait_for()
        await self.screen.wait_until("live")
        await what.click()

    async def open(self, offer: str) -> None:
        """Touch a button that asks for more."""
        await self.touch(self.at(f"offer-{offer}"))

    async def tap(self, offer: str) -> None:
        """Touch a button that says all by itself."""
        before = await self.seq()
        await self.open(offer)
        await self.after(before)

    async def card(self, code: str) -> None:
        """A card on the open pad."""
        before = await self.seq()
        await self.press_card(code)
        await self.after(before)

    async def cards(self, codes: str) -> None:
        for code in codes.split():
            await self.card(code)

    async def cards_at_once(self, codes: str) -> None:
        """The cards of one hand that is turned up: the table takes them together."""
        before = await self.seq()
        for code in codes.split():
            await self.press_card(code)
        await self.after(before)

    async def press_card(self, code: str) -> None:
        dialog = self.at("pad")
        pad = dialog if await dialog.is_visible() else self.at("inline-pad")
        name = code.replace("*", "")
        rank = "rank-joker" if code == "Jo" else f"rank-{code[0]}"
        # One key for each card on a tablet, rank and suit on a phone and in a dialog.
        first = pad.locator(f"[data-testid='key-{name}']:visible, [data-testid='{rank}']:visible").first
        await first.wait_for()
        is_whole = (await first.get_attribute("data-testid") or "").startswith("key-")
        await self.touch(first)
        if not is_whole and code != "Jo":
            await self.touch(pad.get_by_test_id(f"suit-{code[1]}"))

    async def fresh_shoe(self) -> None:
        """A new shoe, whatever is in the old one."""
        before = await self.seq()
        await self.open("new_shoe")
        if await self.at("pad").is_visible():
            await self.ok()
        await self.after(before)
        await self.same_player_dealer()

    async def same_player_dealer(self) -> None:
        """Where the bank is offered, everybody declines it."""
        if await self.at("offer-bank:nobody").is_visible():
            before = await self.seq()
            await self.open("bank:nobody")
            await self.ok()
            await self.after(before)

    async def settle_up(self) -> None:
        """Ready for the next hand, with the same player-dealer."""
        await self.page.wait_for_function("() => document.body.dataset.phase === 'settled'")
        await self.same_player_dealer()

    async def wager(self, seat: int, wager: str, cents: int) -> None:
        before = await self.seq()
        await self.touch(self.at(f"wager-{seat}-{wager}"))
        await self.amount(cents)
        await self.after(before)

    async def amount(self, cents: int) -> None:
        for digit in str(cents // 100):
            await self.at(f"digit-{digit}").click()
        await self.ok()

    async def pick(self, value: object) -> None:
        value_text = json.dumps(value, separators=(",", ":"))
        await self.touch(self.page.locator(f"[data-testid^='pick-'][data-value='{value_text}']"))

    async def ok(self) -> None:
        await self.touch(self.at("pad-ok"))

    async def reveal(self, owner: str, codes: str) -> None:
        """Name the cards of a hand that is turned up."""
        before = await self.seq()
        button = self.at(f"offer-reveal:{owner}")
        # Where it is the only hand to be named, the open pad is for it.
        if await button.is_visible():
            await self.open(f"reveal:{owner}")
        for code in codes.split():
            await self.press_card(code)
        await self.after(before)

    async def prompt(self) -> str:
        return await self.at("prompt").inner_text()

    async def offered(self) -> list[str]:
        """The buttons of what comes next."""
        return [
            (await button.get_attribute("data-testid") or "").removeprefix("offer-")
            for place in ("slots", "now")
            for button in await self.at(place).locator("button").all()
        ]

    async def shown_cards(self) -> set[str]:
        """Every card that is drawn on the page with its face up."""
        codes: list[str] = await self.page.evaluate(
            """() => [...document.querySelectorAll('[data-testid="card"]')].map((card) => card.dataset.card)"""
        )
        return {code for code in codes if code}

    async def text(self) -> str:
        return await self.page.inner_text("body")

    async def clumsy(self) -> list[str]:
        """What no thumb hits, and by how much the page is wider than the screen."""
        wider: int = await self.page.evaluate("() => document.documentElement.scrollWidth - innerWidth")
        return await self.too_small() + ([f"{wider} pixels too wide"] if wider > 0 else [])

    async def too_small(self) -> list[str]:
        """What can be touched and is less than 48 pixels high or wide."""
        found: list[str] = await self.page.evaluate(
            """() => [...document.querySelectorAll("button, input")].filter((node) => node.checkVisibility())
                .map((node) => [node.dataset.testid, node.getBoundingClientRect()])
                .filter(([_, box]) => box.width < 47.9 || box.height < 47.9)
                .map(([id, box]) => `${id}: ${box.width} x ${box.height}`)"""
        )
        return found

    async def post_limit(self, seats: tuple[int, ...]) -> None:
        """Limit poker, $2 and $4, with the button at seat 1 and stacks of $100."""
        await self.open("structure")
        before = await self.seq()
        await self.pick({"kind": "fixed_limit", "low": 200, "high": 400})
        await self.after(before)
        await self.open("button")
        before = await self.seq()
        await self.pick(1)
        await self.after(before)
        for offer, amounts in (("blinds", {2: "1", 3: "2"}), ("stacks", dict.fromkeys(seats, "100"))):
            before = await self.seq()
            await self.open(offer)
            for seat, dollars in amounts.items():
                await self.at(f"for-seat-{seat}").fill(dollars)
            await self.ok()
            await self.after(before)


@asynccontextmanager
async def sit_down(
    table: MannedTable,
    browser: Browser,
    size: tuple[int, int] = TABLET,
    *,
    sign_in: bool = True,
    quiet_ms: int = 0,
    burst_ms: int = 0,
) -> AsyncIterator[AtTheConsole]:
    """A dealer who has signed in. `quiet_ms`: how long this tablet takes a tap on the same place for a slip; a test
    taps quicker than a thumb. `burst_ms`: how fast its badge reader types."""
    stored = {"cutcard-tablet": json.dumps({"quiet": quiet_ms, "burst": burst_ms})}
    async with open_screen(f"{table.page}console", size, browser, stored=stored) as screen:
        dealer = AtTheConsole(screen, table)
        await screen.wait_until("live")
        if sign_in:
            await dealer.sign_in()
        yield dealer
        # A browser complains of every refusal, and of a network that a test took away.
        known = ("status of 4", "ERR_INTERNET_DISCONNECTED")
        assert [text for text in screen.complaints if not any(word in text for word in known)] == []
        assert screen.strangers() == []
