"""Half a shoe at a real table, on the display at both of its sizes and on the console: what the pictures in docs show.

With `CUTCARD_PICTURES=docs/images` the test leaves its pictures there; those of the README and of docs/ were made so.
"""

from __future__ import annotations

import random
import re
from contextlib import closing
from pathlib import Path

import pytest
from playwright.async_api import Browser

from controller.engine.inputs import decode_input
from controller.games.baccarat.roads import Result, Winner, draw
from controller.journal import JournalReader
from tests.browser.test_display import outside_their_panels, overlapping
from tests.support.project import ROOT
from tests.support.running.browsers import LARGEST_PICTURE, WALL, WALL_ON_ITS_SIDE, needs_chromium, open_screen
from tests.support.running.consoles import MannedTable, manned_table, sit_down

pytestmark = [*needs_chromium, pytest.mark.asyncio(loop_scope="module")]

EZ = "bankers-ez-baccarat-panda-8"
DOCS = ROOT / "docs"
ROUNDS = 34
WINNERS: dict[str, Winner] = {"banker": "B", "player": "P", "tie": "T"}


async def deal(table: MannedTable, rng: random.Random, rounds: int) -> None:
    """Deal `rounds` rounds from a shuffled shoe, keyed by a program as by a dealer."""
    shoe = [rank + suit for rank in "A23456789TJQK" for suit in "shdc"] * 8
    rng.shuffle(shoe)
    for _ in range(rounds):
        await nobody_takes_the_bank(table)
        await table.console.act({"kind": "close_bets"})
        while (await table.console.view())["phase"] == "dealing":
            await table.console.act({"kind": "card_out", "card": shoe.pop()})


async def nobody_takes_the_bank(table: MannedTable) -> None:
    """Where it is offered, everybody declines."""
    if (await table.console.view())["prompt"].startswith("Who banks next?"):
        await table.console.act({"kind": "bank_answer"})


async def test_half_a_shoe_looks_as_it_went(browser: Browser, tmp_path: Path) -> None:
    display = "[display]\nask_marks = true\n"
    async with manned_table(tmp_path, EZ, options={"bet_close_timer": 60}, more=display) as table:
        await table.console.act({"kind": "shoe_started", "decks": 8})
        await deal(table, random.Random(11), ROUNDS)
        await nobody_takes_the_bank(table)
        await table.console.act({"kind": "wager", "place": 1, "wager": "player_line", "cents": 2500})
        await table.console.act({"kind": "wager", "place": 2, "wager": "banker_line", "cents": 1000})
        settled = [event for event in table.journal_events() if event["kind"] == "round_settled"]
        roads = draw([Result(WINNERS[event["outcome"]]) for event in settled], ask_marks=True)
        for name, size in (("display", WALL), ("display-portrait", WALL_ON_ITS_SIDE)):
            async with open_screen(table.page, size, browser) as screen:
                board = await screen.board_at(seq=table.journal_events()[-1]["seq"])
                assert [bead.winner for bead in board.beads] == [WINNERS[event["outcome"]] for event in settled]
                for kind, road in (
                    ("eye", roads.big_eye_boy),
                    ("small", roads.small_road),
                    ("pig", roads.cockroach_pig),
                ):
                    assert [(c.x, c.y, c.winner) for c in board.derived[kind]] == [
                        (m.x, m.y, m.colour) for m in road.marks
                    ]
                assert board.counts["hands"].count == str(ROUNDS)
                assert board.timer is not None and 0 < int(board.timer) <= 60
                assert (await outside_their_panels(screen), await overlapping(screen)) == ([], [])
                assert (screen.complaints, screen.strangers()) == ([], [])
                if name == "display-portrait":
                    await screen.picture(name)
        await table.console.act({"kind": "close_bets"})
        for code in ("7h", "Kd", "Tc", "4s"):
            await table.console.act({"kind": "card_out", "card": code})
        async with open_screen(table.page, WALL, browser) as screen:
            await screen.board_at(seq=table.journal_events()[-1]["seq"])
            await screen.picture("display")
        async with sit_down(table, browser) as dealer:
            await dealer.screen.picture("console")


async def test_the_pictures_of_the_pages_are_there_and_light() -> None:
    named: set[Path] = set()
    for page in (DOCS.parent / "README.md", *DOCS.rglob("*.md")):
        found = re.findall(r"\]\(([^)]+\.(?:webp|jpg|png))\)", page.read_text())
        named |= {(page.parent / name).resolve() for name in found}
    assert named == set((DOCS / "images").iterdir()), "shown and not there, or there and not shown"
    assert [one.name for one in named if not 6_000 < one.stat().st_size <= LARGEST_PICTURE] == []


async def test_the_timer_closes_the_bets_by_an_input_of_its_own(tmp_path: Path) -> None:
    async with manned_table(tmp_path, EZ, options={"bet_close_timer": 1}) as table:
        await table.console.act({"kind": "shoe_started", "decks": 8})
        await table.console.act({"kind": "wager", "place": 1, "wager": "player_line", "cents": 2500})
        view = await table.until(lambda view: view.get("phase") == "dealing")
        assert (view["prompt"], view["bets_close_in"]) == ("Card 1 to Player", None)
        with closing(JournalReader.read(table.journal)) as journal:
            last = [decode_input(entry.input) for entry in journal.entries(1)][-1]
        assert (last.by, type(last.body).__name__) == ("timer", "BetsClosed")
