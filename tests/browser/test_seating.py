"""The wall of a game whose hands are the seats' own: seats as they sit, and nothing cut on any screen."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from msgspec.structs import replace
from playwright.async_api import Browser

from controller.engine.cards.card import Slot, card
from controller.outputs.posted import posted
from controller.outputs.seating import seating
from controller.outputs.view import Roads, view
from controller.outputs.view_types import BetView, HandView, PotView, SeatedView, SeatHandView, SeatingView, View
from controller.rules import load
from controller.web.server import serve
from tests.engine.test_bot import DEALT, Evening
from tests.outputs.test_view import config
from tests.support.running.browsers import PHONE, WALL, WALL_ON_ITS_SIDE, Screen, needs_chromium, open_screen
from tests.support.turns import part
from tests.web.test_feed import ScriptedTable, a_view, faces

pytestmark = [*needs_chromium, pytest.mark.asyncio(loop_scope="module")]

TABLET = (1280, 800)
SIZES = {"wall": WALL, "wall on its side": WALL_ON_ITS_SIDE, "tablet": TABLET, "phone": PHONE}
PAIR = SeatHandView(faces("Kd", "5s"), names=("Pair of kings",), counts=(Slot(card("Kd")).face,))
HOLDEM = SeatingView(
    (
        SeatedView(1, "Seat 1", standing="win", hands=(PAIR,), net=4800),
        SeatedView(2, "Seat 2", has_button=True, standing="lose", hands=(SeatHandView(faces("Qh", "3h")),), net=0),
        SeatedView(3, "Seat 3", standing="folded", hands=(SeatHandView((None, None)),), stack=12_000),
        SeatedView(4, "Seat 4", acts=True, hands=(SeatHandView((None, None)),), bets=(BetView("Bet", 600),), stack=250),
        SeatedView(5, "Seat 5"),
    ),
    community=faces("Kh", "4c", "2d", "Ts"),
    pots=(PotView("Pot", 4800, (1,)), PotView("Side pot", 1200)),
)


def laid_out(shown: SeatingView, *, seq: int = 1) -> View:
    return replace(a_view(seq=seq, limits=None), shoe=None, seating=shown)


async def middle_of(screen: Screen, test_id: str) -> tuple[float, float]:
    box = await screen.page.get_by_test_id(test_id).bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


async def test_seats_are_where_people_sit_clockwise_from_the_dealers_left(browser: Browser) -> None:
    async with serve(ScriptedTable(laid_out(HOLDEM)).page) as url, open_screen(url, browser=browser) as screen:
        await screen.board_at(seq=1)
        where = {seat: await middle_of(screen, f"seat-{seat}") for seat in range(1, 6)}
        board = await middle_of(screen, "community")
        assert where[1][0] > board[0] > where[5][0], "the dealer looks down the page: his left is at the right"
        assert where[2][0] > where[3][0] > where[4][0] and where[3][1] > board[1]


async def test_a_seat_shows_what_it_has_and_what_became_of_it(browser: Browser) -> None:
    async with serve(ScriptedTable(laid_out(HOLDEM)).page) as url, open_screen(url, browser=browser) as screen:
        await screen.board_at(seq=1)

        async def text(seat: int) -> str:
            return " ".join((await screen.page.get_by_test_id(f"seat-{seat}").inner_text()).split())

        assert await text(1) == "Seat 1 Win +$48 K 5 Pair of kings"
        assert await text(2) == "Seat 2 D Lose $0 Q 3"
        assert await text(3) == "Seat 3 Folded Stack $120"
        assert await text(4) == "Seat 4 Bet $6 Stack $2.50"
        assert await screen.page.get_by_test_id("seat-4").get_attribute("data-acts") == "true"
        pots = screen.page.get_by_test_id("pot")
        assert await pots.all_inner_texts() == ["Pot to seat 1$48", "Side pot$12"]
        assert not await screen.page.get_by_test_id("hands").is_visible()


async def test_no_technicians_text_is_on_the_wall(browser: Browser) -> None:
    async with serve(ScriptedTable(laid_out(HOLDEM)).page) as url, open_screen(url, browser=browser) as screen:
        await screen.board_at(seq=1)
        shown = await screen.page.locator(".board").inner_text()
        assert not [word for word in ("Event", "Shoe", "Broker", "online", "\N{EN DASH}") if word in shown]


async def test_every_card_of_the_deck_can_be_drawn(browser: Browser) -> None:
    deck = [rank + suit for suit in "cdhs" for rank in "23456789TJQKA"]
    codes = [*deck, "Jo", "Kh*", "6-6", "1-3"]
    hand = SeatedView(1, "Seat 1", hands=(SeatHandView(faces(*deck, "Jo", "Kh*")), SeatHandView(faces("6-6", "1-3"))))
    async with (
        serve(ScriptedTable(laid_out(SeatingView((hand,)))).page) as url,
        open_screen(url, browser=browser) as screen,
    ):
        await screen.board_at(seq=1)
        drawn = await screen.page.get_by_test_id("card").evaluate_all("cards => cards.map((card) => card.dataset.card)")
        assert drawn == codes and screen.complaints == []


async def test_a_closed_table_shows_what_is_posted_and_no_cards(browser: Browser) -> None:
    tables = posted(
        "bankers-ez-baccarat-panda-8", {"schedule": load("bankers-ez-baccarat-panda-8").proposed_schedule()}
    )
    hands = (HandView("player", "Player", faces("9h", "6s")),)
    table = ScriptedTable(a_view(seq=1, hands=hands))
    async with serve(table.page) as url, open_screen(url, browser=browser) as screen:
        await screen.board_at(seq=1)
        assert not await screen.page.get_by_test_id("posted").is_visible()
        table.show(replace(a_view(seq=2, phase="closed", prompt="The table is closed"), posted=tables))
        await screen.board_at(seq=2)
        shown = await screen.page.get_by_test_id("posted").inner_text()
        assert "Dragon 7" in shown and "40 to 1" in shown and "Collection" in shown
        assert not await screen.page.get_by_test_id("hands").is_visible()
        for size, window in SIZES.items():
            await screen.resize(window)
            assert (size, await screen.page.evaluate(WHATEVER_IS_CUT)) == (size, [])


# Nothing is cut


WHATEVER_IS_CUT = """() => {
    const panels = ".place-panel, .call, .rail, .pots, .posted, .community, .hand, .tally, .road, .plate";
    const page = { left: 0, right: innerWidth, top: 0, bottom: Math.max(innerHeight, document.body.scrollHeight) };
    // Above and below, a line of text reaches a little beyond its letters.
    const outside = (box, room, beyond) => box.left < room.left - 1 || box.right > room.right + 1
        || box.top < room.top - beyond || box.bottom > room.bottom + beyond;
    const isText = (node) => [...node.childNodes].some((child) => child.nodeType === 3 && child.textContent.trim());
    const boxOf = (node) => {
        if (!isText(node)) return node.getBoundingClientRect();
        const range = document.createRange();
        range.selectNodeContents(node);
        return range.getBoundingClientRect();
    };
    const found = [];
    for (const node of document.querySelectorAll(".board svg.card, .board :not(svg, svg *, .wins)")) {
        if (!node.checkVisibility({ visibilityProperty: true }) || (node.tagName !== "svg" && !isText(node))) continue;
        const box = boxOf(node);
        const room = node.closest(panels)?.getBoundingClientRect() ?? page;
        const what = `${node.getAttribute("class") ?? node.dataset.testid} ${node.textContent}`;
        const beyond = 1 + (isText(node) ? parseFloat(getComputedStyle(node).fontSize) / 4 : 0);
        if (outside(box, room, beyond) || outside(box, page, beyond)) found.push(`outside: ${what}`);
        const isClipped = getComputedStyle(node).overflowX !== "visible" && node.tagName !== "svg";
        if (isClipped && node.scrollWidth > node.clientWidth + 1) found.push(`cut: ${what}`);
    }
    const apart = [...document.querySelectorAll(".place-panel, .pots li, .community > *, .call, .rail")]
        .filter((node) => node.checkVisibility()).map((node) => [node.className, node.getBoundingClientRect()]);
    apart.forEach(([one, a], index) => apart.slice(index + 1).forEach(([other, b]) => {
        const isOver = a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
        if (isOver) found.push(`over each other: ${one} ${other}`);
    }));
    return found;
}"""


def fullest(slug: str) -> Iterator[View]:
    """The moment with the most cards of a round that is being dealt, and the end of one."""
    evening = Evening(slug, 5)
    running: View | None = None
    settled: View | None = None
    most = -1
    while len(evening.rounds) < 2 and len(evening.inputs) < 600:
        over = len(evening.rounds)
        evening._step()
        shown = view(evening.engine, config(slug), len(evening.inputs), Roads(), broker_online=True)
        cards = sum(len(hand.cards) for hand in shown.hands)
        if shown.phase == "dealing" and cards >= most:
            running, most = shown, cards
        if len(evening.rounds) > over:
            settled = shown
    yield from (shown for shown in (running, settled) if shown is not None)


async def test_nothing_is_cut_on_any_screen(browser: Browser) -> None:
    """Of some rulesets, others with each commit; of all in `make whole`."""
    table = ScriptedTable(laid_out(HOLDEM))
    cut: list[str] = []
    seq = 1
    async with serve(table.page) as url, open_screen(url, browser=browser) as screen:
        for slug in part(list(DEALT), 12):
            for shown in fullest(slug):
                seq += 1
                table.show(replace(shown, seq=seq, site="Riverside Card Room", table="Table 14"))
                await screen.board_at(seq=seq)
                for size, window in SIZES.items():
                    await screen.resize(window)
                    cut += [
                        f"{slug}, {shown.phase}, {size}: {what}" for what in await screen.page.evaluate(WHATEVER_IS_CUT)
                    ]
    assert not cut, "\n".join(cut)


async def test_a_seat_without_a_name_for_its_hand_yet_shows_none() -> None:
    evening = Evening("bankers-texas-holdem", 5)
    while not any(len(hand.cards) for hand in view_of(evening).hands):
        evening._step()
    shown = seating(evening.engine, view_of(evening).hands)
    assert shown is not None
    assert not any(hand.names or hand.counts for seat in shown.seats for hand in seat.hands)


def view_of(evening: Evening) -> View:
    return view(evening.engine, config(evening.ruleset.slug), 0, Roads(), broker_online=True)
