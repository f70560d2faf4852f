"""The player display in a real browser, before a scripted table: what it shows, how it looks, what it never does."""

from __future__ import annotations

import msgspec
import pytest
from playwright.async_api import Browser

from controller.games.baccarat.roads import Result
from controller.outputs.view_types import HandView, HeldView, View, shoe_view
from controller.web.server import serve
from tests.support.running.browsers import (
    PHONE,
    WALL,
    WALL_ON_ITS_SIDE,
    Screen,
    ShownCell,
    ShownCount,
    ShownHand,
    needs_chromium,
    open_screen,
    picture_of,
)
from tests.web.test_feed import ScriptedTable, a_view, faces, some_results

pytestmark = [*needs_chromium, pytest.mark.asyncio(loop_scope="module")]

SIZES = {"wall": WALL, "wall on its side": WALL_ON_ITS_SIDE, "phone": PHONE}

DEALING = a_view(
    seq=5,
    round=37,
    phase="dealing",
    prompt="Banker draws one card",
    hands=(
        HandView("player", "Player", faces("9h", "6s", "Td"), "5"),
        HandView("banker", "Banker", faces("Kc", "4d"), "4"),
    ),
    hands_in_shoe=36,
    previous=some_results(20),
)
DRAGON = a_view(
    seq=6,
    round=37,
    phase="settled",
    prompt="Place your bets for the next round",
    hands=(
        HandView("player", "Player", faces("9h", "6s", "Td"), "5"),
        HandView("banker", "Banker", faces("Kc", "4d", "3s"), "7", won=True),
    ),
    outcome="banker",
    outcome_text="Banker wins 7 to 5",
    marks=("dragon_7",),
    results=[*some_results(36), Result("B", ("dragon_7",))],
    previous=some_results(20),
)
HELD = a_view(
    seq=7,
    round=38,
    phase="held",
    prompt="The floor decides: resume, correct or void",
    held=HeldView("unexpected_card", "a card left the shoe that no hand was waiting for"),
    hands_in_shoe=37,
)
EMPTY = a_view(seq=1, phase="waiting", prompt="Waiting for a shuffled shoe", limits=None, test=True)
BETTING = a_view(seq=9, bets_close_in=12, hands_in_shoe=72, ask_marks=True, previous=some_results(60), test=True)
VIEWS = {"dealing": DEALING, "dragon": DRAGON, "held": HELD, "empty": EMPTY, "betting": BETTING}


async def test_the_board_shows_the_view(browser: Browser) -> None:
    async with serve(ScriptedTable(DEALING).page) as url, open_screen(url, browser=browser) as screen:
        board = await screen.board_at(seq=5)
    assert (board.live, board.round, board.phase, board.shoe) == ("live", "37", "dealing", "2")
    assert (board.prompt, board.outcome, board.held) == ("Banker draws one card", None, None)
    assert (board.test, board.lost, board.limits) == (False, False, "$10 – $500")
    assert board.hands == {
        "player": ShownHand(("9h", "6s", "Td"), "5", won=False),
        "banker": ShownHand(("Kc", "4d"), "4", won=False),
    }


async def test_counts_percentages_and_previous_shoe(browser: Browser) -> None:
    async with serve(ScriptedTable(DEALING).page) as url, open_screen(url, browser=browser) as screen:
        board = await screen.board_at(seq=5)
    assert board.counts == {
        "player": ShownCount("16", "44.4%"),
        "banker": ShownCount("15", "41.7%"),
        "tie": ShownCount("5", "13.9%"),
        "dragon_7": ShownCount("1", "2.8%"),
        "panda_8": ShownCount("1", "2.8%"),
        "naturals": ShownCount("2", ""),
        "hands": ShownCount("36", ""),
    }
    assert board.previous["banker"] == ShownCount("11", "55.0%")
    assert board.previous["hands"] == ShownCount("20", "")


async def test_bead_plate_and_big_road_are_the_sheet_s(browser: Browser) -> None:
    """The worked example of baccarat-roads, as the browser drew it."""
    async with serve(ScriptedTable(DEALING).page) as url, open_screen(url, browser=browser) as screen:
        board = await screen.board_at(seq=5)
    assert "".join(bead.winner for bead in board.beads) == "TBBTPPPPBPPBBBBBBBBPPPPPPTPBPBBPPTTB"
    assert [(bead.x, bead.y) for bead in board.beads] == [(n // 6 + 1, n % 6 + 1) for n in range(36)]
    assert board.beads[4] == ShownCell(1, 5, "P", ("panda_8", "player_pair"))
    shown = {(cell.x, cell.y): cell.winner for cell in board.big_road}
    assert [" ".join(shown.get((x, y), ".") for x in range(1, 12)) for y in range(1, 7)] == [
        "B P B P B P B P B P B",
        "B P . P B P . . B P .",
        ". P . . B P . . . . .",
        ". P . . B P . . . . .",
        ". . . . B P P P . . .",
        ". . . . B B B . . . .",
    ]
    assert {(cell.x, cell.y): cell.ties for cell in board.big_road if cell.ties} == {
        (1, 1): 1,
        (1, 2): 1,
        (7, 5): 1,
        (10, 2): 2,
    }


async def test_the_derived_roads_and_the_prediction_are_the_sheet_s(browser: Browser) -> None:
    """The worked example again: the marks stand where section 6 draws them."""
    view = a_view(seq=1, hands_in_shoe=36, ask_marks=True)
    async with serve(ScriptedTable(view).page) as url, open_screen(url, browser=browser) as screen:
        board = await screen.board_at(seq=1)
    drawn = {
        kind: [
            " ".join({(cell.x, cell.y): cell.winner for cell in cells}.get((x, y), ".") for x in range(1, width + 1))
            for y in range(1, 7)
        ]
        for (kind, cells), width in zip(board.derived.items(), (13, 10, 8), strict=True)
    }
    assert drawn["eye"][:2] == ["r b r b r b r b r b r b r", ". . . b . . r . r b . b r"]
    assert drawn["eye"][5] == ". . . . . . . . r . . . ."
    assert drawn["small"][0] == "b r b r b r b r b ." and drawn["small"][5] == ". . . r . . . . b b"
    assert drawn["pig"][0] == "r b r b r b r b" and drawn["pig"][5] == ". . . . . . . ."
    asked = {"B-eye": "r", "B-small": "r", "B-pig": "b", "P-eye": "b", "P-small": "b", "P-pig": "r"}
    assert board.asks == asked


async def test_without_the_option_nothing_is_predicted(browser: Browser) -> None:
    async with serve(ScriptedTable(DEALING).page) as url, open_screen(url, browser=browser) as screen:
        await screen.board_at(seq=5)
        assert not await screen.page.get_by_test_id("forecast").is_visible()


async def test_a_running_timer_counts_down_in_place_and_goes_with_the_bets(browser: Browser) -> None:
    table = ScriptedTable(a_view(seq=1, bets_close_in=12))
    async with serve(table.page) as url, open_screen(url, browser=browser) as screen:
        assert (await screen.board_at(seq=1)).timer == "12"
        table.show(a_view(seq=2, bets_close_in=4))
        assert (await screen.board_at(seq=2)).timer == "4"
        assert await screen.page.get_by_test_id("timer").get_attribute("data-soon") == "true"
        table.show(a_view(seq=3, phase="dealing"))
        assert (await screen.board_at(seq=3)).timer is None


async def test_another_baccarat_game_has_its_own_names_and_side_bets(browser: Browser) -> None:
    results = [Result("B", ("dragon_bonus",)), Result("P"), Result("B")]
    shoe = shoe_view(1, results, marks={"dragon_bonus": "Dragon Bonus"}, bank_title="Dealer")
    hands = (HandView("player", "Player", faces("2h")), HandView("dealer", "Dealer", faces("3h"), won=True))
    view = msgspec.structs.replace(a_view(seq=1, hands=hands, outcome="dealer", outcome_text="Dealer wins"), shoe=shoe)
    async with serve(ScriptedTable(view).page) as url, open_screen(url, browser=browser) as screen:
        board = await screen.board_at(seq=1)
        assert list(board.counts) == ["player", "banker", "tie", "dragon_bonus", "naturals", "hands"]
        assert board.counts["dragon_bonus"] == ShownCount("1", "33.3%")
        tally = await screen.page.get_by_test_id("tally").inner_text()
        assert "Dealer" in tally and "Dragon Bonus" in tally and "Banker" not in tally
        assert await screen.page.locator('[data-testid="bead"] .seal').count() == 1
        assert await overlapping(screen) == []


async def test_a_change_arrives_without_a_reload_and_touches_only_what_changed(browser: Browser) -> None:
    table = ScriptedTable(DEALING)
    async with serve(table.page) as url, open_screen(url, browser=browser) as screen:
        await screen.board_at(seq=5)
        await screen.page.evaluate(
            """() => document.querySelectorAll('[data-testid=card], [data-testid=bead]')
                .forEach((node) => { node.old = true; })"""
        )
        table.show(DRAGON)
        board = await screen.board_at(seq=6)
        assert board.hands["banker"] == ShownHand(("Kc", "4d", "3s"), "7", won=True)
        assert (board.outcome, board.marks) == ("Banker wins 7 to 5", ("dragon_7",))
        assert board.counts["dragon_7"] == ShownCount("2", "5.4%")
        made_anew = await screen.page.evaluate(
            """() => [...document.querySelectorAll('[data-testid=card], [data-testid=bead]')]
                .filter((node) => !node.old)
                .map((node) => node.dataset.card ?? `${node.dataset.x},${node.dataset.y}`)"""
        )
        assert made_anew == ["3s", "6,6", "7,1"], "the third card, the bead that was the newest, and the newest"
        assert screen.requested.count(url) == 1 and screen.requested.count(f"{url}api/stream") == 1
        assert screen.complaints == []


async def test_a_correction_by_the_floor_redraws_the_roads_from_the_start(browser: Browser) -> None:
    table = ScriptedTable(a_view(seq=1, results=[Result("B"), Result("B"), Result("P")]))
    async with serve(table.page) as url, open_screen(url, browser=browser) as screen:
        await screen.board_at(seq=1)
        table.show(a_view(seq=2, results=[Result("B"), Result("P"), Result("P")]))
        board = await screen.board_at(seq=2)
    assert [bead.winner for bead in board.beads] == ["B", "P", "P"]
    assert [(cell.x, cell.y, cell.winner) for cell in board.big_road] == [(1, 1, "B"), (2, 1, "P"), (2, 2, "P")]


async def test_a_new_round_clears_the_felt_and_a_new_shoe_the_roads(browser: Browser) -> None:
    table = ScriptedTable(DRAGON)
    async with serve(table.page) as url, open_screen(url, browser=browser) as screen:
        await screen.board_at(seq=6)
        table.show(a_view(seq=8, round=38, previous=some_results(37)))
        board = await screen.board_at(seq=8)
    assert board.outcome is None and board.marks == ()
    assert board.hands == {owner: ShownHand((), "", won=False) for owner in ("player", "banker")}
    assert board.beads == () and board.big_road == ()
    assert board.counts["player"] == ShownCount("0", "–"), "a dash, not 0 %, for an empty shoe"
    assert board.previous["hands"].count == "37"


async def test_leading_ties_stand_on_the_empty_road(browser: Browser) -> None:
    table = ScriptedTable(a_view(seq=1, results=[Result("T"), Result("T")]))
    async with serve(table.page) as url, open_screen(url, browser=browser) as screen:
        waiting = await screen.board_at(seq=1)
        table.show(a_view(seq=2, results=[Result("T"), Result("T"), Result("P")]))
        landed = await screen.board_at(seq=2)
    assert waiting.big_road == (ShownCell(1, 1, "", ties=2),)
    assert landed.big_road == (ShownCell(1, 1, "P", ties=2),)


@pytest.mark.parametrize("has_prediction", [True, False])
async def test_the_marks_of_the_derived_roads_are_seen_from_three_metres(
    browser: Browser, has_prediction: bool
) -> None:
    view = a_view(seq=1, hands_in_shoe=36, ask_marks=has_prediction)
    async with serve(ScriptedTable(view).page) as url, open_screen(url, WALL, browser) as screen:
        await screen.board_at(seq=1)
        cells: list[float] = await screen.page.locator("[data-testid=small]").evaluate_all(
            "cells => cells.map((cell) => cell.getBoundingClientRect().height)"
        )
        assert cells and min(cells) >= 20


async def test_a_card_face_down_is_a_back_and_turns_up_in_place(browser: Browser) -> None:
    down = (HandView("player", "Player", faces("9h", None)), HandView("banker", "Banker", faces(None, None)))
    up = (HandView("player", "Player", faces("9h", "8c"), "7"), HandView("banker", "Banker", faces(None, None)))
    table = ScriptedTable(a_view(seq=1, hands=down))
    async with serve(table.page) as url, open_screen(url, browser=browser) as screen:
        assert (await screen.board_at(seq=1)).hands["player"].cards == ("9h", "")
        back = screen.page.get_by_test_id("hand-player").get_by_label("face down")
        assert await back.count() == 1
        table.show(a_view(seq=2, hands=up))
        assert (await screen.board_at(seq=2)).hands["player"] == ShownHand(("9h", "8c"), "7", won=False)
        assert await screen.page.get_by_label("8 of clubs").count() == 1


async def test_a_held_table_says_that_the_floor_was_called_and_why(browser: Browser) -> None:
    table = ScriptedTable(DRAGON)
    async with serve(table.page) as url, open_screen(url, browser=browser) as screen:
        await screen.board_at(seq=6)
        table.show(HELD)
        board = await screen.board_at(seq=7)
        banner = screen.page.get_by_test_id("held")
        assert await banner.is_visible() and (await banner.inner_text()).startswith(
            "Waiting for the floor: a card left the shoe"
        )
        assert await banner.get_attribute("role") == "alert"
        assert board.held == "a card left the shoe that no hand was waiting for" and board.outcome is None
        table.show(a_view(seq=8))
        assert (await screen.board_at(seq=8)).held is None and not await banner.is_visible()


async def test_a_void_round_is_shown_though_nobody_won(browser: Browser) -> None:
    void = a_view(seq=1, phase="settled", prompt="Place your bets", outcome_text="Round void, all wagers back")
    async with serve(ScriptedTable(void).page) as url, open_screen(url, browser=browser) as screen:
        board = await screen.board_at(seq=1)
        assert (board.outcome, board.prompt) == ("Round void, all wagers back", "Place your bets")


async def test_test_mode_is_on_the_screen_and_the_real_game_is_not_called_a_test(browser: Browser) -> None:
    table = ScriptedTable(EMPTY)
    async with serve(table.page) as url, open_screen(url, browser=browser) as screen:
        await screen.board_at(seq=1)
        banner = screen.page.get_by_test_id("test-banner")
        assert await banner.is_visible() and "Test mode" in await banner.inner_text()
        table.show(a_view(seq=2))
        await screen.board_at(seq=2)
        assert not await banner.is_visible()


async def test_text_from_the_table_is_text_and_never_markup(browser: Browser) -> None:
    prompt = "<img src=/static/icon.svg onerror=alert(1)><b>draw</b>"
    async with (
        serve(ScriptedTable(a_view(seq=1, prompt=prompt)).page) as url,
        open_screen(url, browser=browser) as screen,
    ):
        assert (await screen.board_at(seq=1)).prompt == prompt
        assert await screen.page.locator("[data-testid=prompt] *").count() == 0


async def test_the_prompt_is_announced_to_those_who_cannot_see_it(browser: Browser) -> None:
    async with serve(ScriptedTable(DEALING).page) as url, open_screen(url, browser=browser) as screen:
        await screen.board_at(seq=5)
        assert await screen.page.get_by_test_id("prompt").get_attribute("aria-live") == "polite"
        label = await screen.page.get_by_test_id("big-road").get_attribute("aria-label")
        assert label is not None and label.endswith("Banker, Banker, Player, Player, Banker")


async def test_winners_differ_by_letter_and_by_shape_not_by_colour_alone(browser: Browser) -> None:
    async with serve(ScriptedTable(DEALING).page) as url, open_screen(url, browser=browser) as screen:
        await screen.board_at(seq=5)
        signs: list[list[str]] = await screen.page.evaluate(
            """() => ["bead", "ring"].flatMap((kind) => ["B", "P", "T"].map((winner) => {
                const use = document.querySelector(`[data-testid="${kind}"][data-winner="${winner}"] use`);
                const symbol = use && document.querySelector(use.getAttribute("href"));
                return symbol ? [kind, symbol.textContent, symbol.firstElementChild.tagName] : [kind, winner, ""];
            }))"""
        )
    assert signs == [
        ["bead", "B", "circle"],
        ["bead", "P", "rect"],
        ["bead", "T", "path"],
        ["ring", "B", "circle"],
        ["ring", "P", "rect"],
        ["ring", "T", ""],  # a tie makes no cell on the big road
    ]


async def test_it_can_be_read_from_three_metres_on_a_wall_screen(browser: Browser) -> None:
    """Some 0.3 mm a pixel: 28 px is a letter of 6 mm, which is 20/40 sight at that distance."""
    smallest_px = {
        "prompt": 60,
        "total-player": 60,
        "count-banker": 44,
        "round": 34,
        "limits": 34,
        "percent-banker": 28,
    }
    async with serve(ScriptedTable(DEALING).page) as url, open_screen(url, WALL, browser) as screen:
        await screen.board_at(seq=5)
        for what, px in smallest_px.items():
            size = await screen.page.get_by_test_id(what).evaluate(
                "node => parseFloat(getComputedStyle(node).fontSize)"
            )
            assert size >= px, what


@pytest.mark.parametrize("size", SIZES)
async def test_the_newest_result_stays_on_a_board_that_is_too_narrow(browser: Browser, size: str) -> None:
    alternating = [Result("B" if n % 2 else "P") for n in range(90)]
    async with (
        serve(ScriptedTable(a_view(seq=1, results=alternating)).page) as url,
        open_screen(url, SIZES[size], browser) as screen,
    ):
        await screen.board_at(seq=1)
        await screen.at_rest()
        for road, kind in (("big-road", "ring"), ("bead-plate", "bead")):
            board = await screen.page.get_by_test_id(road).bounding_box()
            newest = await screen.page.get_by_test_id(kind).last.bounding_box()
            oldest = await screen.page.get_by_test_id(kind).first.bounding_box()
            assert board is not None and newest is not None and oldest is not None
            assert board["x"] <= newest["x"] + 2 and newest["x"] + newest["width"] <= board["x"] + board["width"] + 2
            assert road == "bead-plate" or oldest["x"] < board["x"], "the oldest columns scrolled off"


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("view", VIEWS)
async def test_the_page_is_whole_at_every_size(browser: Browser, view: str, size: str) -> None:
    shown = VIEWS[view]
    async with serve(ScriptedTable(shown).page) as url, open_screen(url, SIZES[size], browser) as screen:
        await screen.board_at(seq=shown.seq)
        await screen.at_rest()
        if view in ("dragon", "empty"):  # Two pictures are enough: looking at every pixel takes a second.
            picture = await picture_of(screen)
            assert (picture.width, picture.height) == SIZES[size]
            assert picture.colours > 300, "almost nothing is drawn"
            assert picture.commonest < 0.6, "most of the screen is one colour"

        wide, high, width, height = await screen.page.evaluate(
            """() => [document.documentElement.scrollWidth, document.documentElement.scrollHeight,
                innerWidth, innerHeight]"""
        )
        assert wide <= width, "the page must not scroll sideways"
        assert size == "phone" or high <= height, "a wall screen has nobody to scroll it"
        assert await outside_their_panels(screen) == []
        assert await overlapping(screen) == []
        assert screen.complaints == [] and screen.strangers() == []


PANELS = ".hand, .call, .tally, .road, .plate, section.small, .forecast"
IN_A_PANEL = "p, .card, td, th, li, h2, .total, .timer, .road > svg, .plate > svg, .small > svg"


async def overlapping(screen: Screen) -> list[str]:
    """Panels that lie over each other."""
    lying: list[str] = await screen.page.evaluate(
        """(names) => {
            const panels = [...document.querySelectorAll(names)].filter((panel) => panel.checkVisibility())
                .map((panel) => [panel.className || panel.tagName, panel.getBoundingClientRect()]);
            const apart = (a, b) => a.left >= b.right - 1 || b.left >= a.right - 1
                || a.top >= b.bottom - 1 || b.top >= a.bottom - 1;
            return panels.flatMap(([one, a], index) => panels.slice(index + 1)
                .filter(([_, b]) => !apart(a, b)).map(([other]) => `${one} over ${other}`));
        }""",
        f"{PANELS}, .rail, footer",
    )
    return lying


async def outside_their_panels(screen: Screen) -> list[str]:
    """What sticks out of the panel it belongs to, once everything lies where it will stay."""
    await screen.at_rest()
    sticking_out: list[str] = await screen.page.evaluate(
        """([names, within]) => [...document.querySelectorAll(names)].flatMap((panel) => {
            const room = panel.getBoundingClientRect();
            return [...panel.querySelectorAll(within)]
                .filter((node) => node.checkVisibility())
                .filter((node) => {
                    const box = node.getBoundingClientRect();
                    return box.width && (box.left < room.left - 1 || box.right > room.right + 1
                        || box.top < room.top - 1 || box.bottom > room.bottom + 1);
                })
                .map((node) => `${panel.className}: ${node.tagName} ${node.textContent.trim()}`);
        })""",
        [PANELS, IN_A_PANEL],
    )
    return sticking_out


async def test_long_sentences_still_fit(browser: Browser) -> None:
    sentence = "Seat 3 may hit, stand, double or split; the dealer waits for a clear hand signal before the next card"
    long_views: list[View] = [
        a_view(seq=1, prompt=sentence),
        a_view(seq=2, phase="held", prompt="The floor decides", held=HeldView("jam", sentence)),
        a_view(seq=3, phase="settled", prompt="Place your bets", outcome="tie", outcome_text=sentence),
    ]
    table = ScriptedTable(long_views[0])
    for size in SIZES.values():
        async with serve(table.page) as url, open_screen(url, size, browser) as screen:
            for view in long_views:
                table.show(view)
                await screen.page.wait_for_function("seq => document.body.dataset.seq === String(seq)", arg=view.seq)
                assert await outside_their_panels(screen) == []
