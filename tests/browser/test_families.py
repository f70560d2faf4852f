"""The console of each family of games, at the moments of a hand with most on it: nothing wrong for axe-core, every
target large enough, nothing wider than the screen; and pictures of console and wall for the docs.

The documents are the engine's own; no daemon runs. With `CUTCARD_PICTURES=docs/images` the pictures of docs/table are
left there.
"""

from __future__ import annotations

import os
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace
from playwright.async_api import Browser

from controller.engine.expect.expectation import Expectation
from controller.engine.inputs import AnyBody, WagerPlaced
from controller.operator.console_view import console_document
from controller.outputs.view import Roads, view
from controller.outputs.view_types import View, encode_view
from controller.web.feed import LazyFeed
from controller.web.server import serve
from tests.engine.test_bot import Evening
from tests.outputs.test_view import config
from tests.support.running.axe import AXE, violations
from tests.support.running.browsers import PHONE, needs_chromium, open_screen
from tests.support.running.consoles import TABLET, AtTheConsole, MannedTable
from tests.support.turns import part
from tests.web.test_feed import ScriptedTable, a_view

pytestmark = [*needs_chromium, pytest.mark.asyncio(loop_scope="module")]

FAMILIES = {
    "baccarat": "bankers-ez-baccarat-panda-8",
    "blackjack": "bankers-pure-21-5-blackjack",
    "three-card": "bankers-three-card-poker",
    "ultimate": "bankers-ultimate-texas-holdem",
    "caribbean": "calgrand-caribbean-stud-poker",
    "holdem": "bankers-texas-holdem",
    "stud": "calgrand-seven-card-stud",
    "draw": "village-baduci",
    "pai-gow-poker": "turlock-fortune-pai-gow-poker",
    "tiles": "bankers-pai-gow-tiles",
    "panguingue": "calgrand-panguingue",
    "chinese-poker": "village-chinese-poker",
}
CHIPS = (100, 500, 2500, 10_000)


class ShownTable(ScriptedTable):
    """Shows the moments of an engine, on wall and console."""

    def __init__(self) -> None:
        super().__init__(a_view(seq=0))
        self.console = LazyFeed(lambda: self.document)
        self.page = msgspec.structs.replace(self.page, console=self.console)
        self.document = b""

    def show_moment(self, evening: Evening, seq: int) -> View:
        engine = evening.engine
        shown = view(engine, config(engine.ruleset), seq, Roads(ask_marks=True), broker_online=True)
        shown = replace(shown, site="Riverside Card Room", table="Table 14", seq=seq)
        self.document = console_document(engine, encode_view(shown), keys_cards=True, trouble=None, chips=CHIPS)
        self.show(shown)
        return shown


class RoundAmounts(Evening):
    """Everybody bets whole five-dollar chips, as at a table."""

    def _answer(self, expectation: Expectation) -> AnyBody:
        body = super()._answer(expectation)
        return replace(body, cents=max(1, round(body.cents / 10_000)) * 500) if isinstance(body, WagerPlaced) else body


def moments(slug: str) -> list[Evening]:
    """Before a hand, at its fullest while it is dealt, and at its end: three evenings that have come so far."""
    lengths: dict[str, int] = {"before": 0}
    evening, most = RoundAmounts(slug, 5), -1
    while not evening.rounds and len(evening.inputs) < 400:
        evening._step()
        hands = view(evening.engine, config(slug), 0, Roads(), broker_online=True).hands
        cards = sum(len(hand.cards) for hand in hands)
        if evening.engine.is_dealing and cards >= most:
            lengths["dealing"], most = len(evening.inputs), cards
    lengths["over"] = len(evening.inputs)
    return [_as_far_as(slug, count) for count in lengths.values()]


def _as_far_as(slug: str, inputs: int) -> Evening:
    evening = RoundAmounts(slug, 5)
    while len(evening.inputs) < inputs:
        evening._step()
    return evening


async def judged(dealer: AtTheConsole, what: str) -> list[str]:
    found = await violations(dealer.page) if AXE.exists() else []
    return [f"{what}: {problem}" for problem in (*found, *await dealer.clumsy())]


@pytest.mark.parametrize("size", [TABLET, PHONE], ids=["tablet", "phone"])
async def test_the_console_of_each_family_is_accessible(
    browser: Browser, tmp_path: Path, size: tuple[int, int]
) -> None:
    """Of some families, others with each commit; of all in `make whole`."""
    table, wrong, seq = ShownTable(), [], 0
    table.show_moment(Evening(FAMILIES["baccarat"], 5), 0)
    async with serve(table.page) as url, open_screen(f"{url}console", size, browser) as screen:
        dealer = AtTheConsole(screen, MannedTable(tmp_path))
        for family in part(list(FAMILIES), 4):
            for moment in moments(FAMILIES[family]):
                seq += 1
                shown = table.show_moment(moment, seq)
                await screen.board_seq(seq)
                wrong += await judged(dealer, f"{family}, {shown.phase}")
        assert screen.complaints == []
    assert not wrong, "\n".join(wrong)


async def test_the_pictures_of_each_family_are_made(browser: Browser) -> None:
    """A wall at its fullest and a console at the end of a hand, of each family."""
    wanted = list(FAMILIES) if os.environ.get("CUTCARD_PICTURES") else part(list(FAMILIES), 6)
    table, seq = ShownTable(), 0
    table.show_moment(Evening(FAMILIES["baccarat"], 5), 0)
    small = (1280, 720)
    async with (
        serve(table.page) as url,
        open_screen(url, small, browser) as wall,
        open_screen(f"{url}console", TABLET, browser) as console,
    ):
        for family in wanted:
            _, dealing, over = moments(FAMILIES[family])
            for moment, name, screen in ((dealing, "wall", wall), (over, "console", console)):
                seq += 1
                table.show_moment(moment, seq)
                await screen.board_seq(seq)
                await screen.picture(f"{name}-{family}")
