"""The pages in each language: chosen, kept and in turn; no English left over, and nothing cut."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from fluent.syntax import FluentParser, FluentSerializer, ast
from fluent.syntax.visitor import Transformer
from msgspec import json, to_builtins
from msgspec.structs import replace
from playwright.async_api import Browser

from controller.operator.console_view import console_document
from controller.outputs.posted import posted
from controller.outputs.view import Roads, view
from controller.outputs.view_types import HeldView, SeatedView, SeatHandView, SeatingView, View, encode_view
from controller.rules import all_rulesets, load
from controller.web.server import TablePage, serve
from controller.web.words import ENGLISH, OURS, Words, ours
from tests.browser.test_display import BETTING, DEALING, DRAGON, HELD
from tests.browser.test_seating import HOLDEM, SIZES, WHATEVER_IS_CUT, fullest, laid_out
from tests.engine.test_bot import DEALT, Evening
from tests.outputs.test_view import config
from tests.support.running.browsers import Screen, needs_chromium, open_screen
from tests.support.running.consoles import TABLET, manned_table, sit_down
from tests.support.turns import part
from tests.web.test_feed import ScriptedTable, a_view, faces

pytestmark = [*needs_chromium, pytest.mark.asyncio(loop_scope="module")]


async def text(screen: Screen, test_id: str) -> str:
    return " ".join((await screen.page.get_by_test_id(test_id).inner_text()).split())


async def test_a_wall_in_spanish_says_it_all_in_spanish(browser: Browser) -> None:
    limited = replace(DRAGON, prompt="Place your bets")
    async with serve(ScriptedTable(limited).page) as url, open_screen(f"{url}?lang=es", browser=browser) as screen:
        await screen.board_at(seq=6)
        assert await text(screen, "phase") == "Resultado"
        assert await text(screen, "outcome") == "Banca gana 7 a 5"
        assert await text(screen, "prompt") == "Hagan sus apuestas"
        assert "Jugador" in await text(screen, "hand-player")
        assert await screen.page.locator("html").get_attribute("lang") == "es"
        named = screen.page.get_by_test_id("cards-player").get_by_test_id("card").first
        assert await named.get_attribute("aria-label") == "9 de corazones"
        assert screen.complaints == []


async def test_a_screen_keeps_the_language_that_was_chosen_for_it(browser: Browser) -> None:
    async with serve(ScriptedTable(DEALING).page) as url, open_screen(f"{url}?lang=vi", browser=browser) as screen:
        await screen.board_at(seq=5)
        await screen.page.goto(url)
        await screen.board_at(seq=5)
        assert await text(screen, "phase") == "Đang chia bài"
        await screen.page.goto(f"{url}?lang=")
        await screen.board_at(seq=5)
        assert await text(screen, "phase") == "Dealing"


async def test_a_house_has_its_language_and_others_in_turn(browser: Browser) -> None:
    shown = replace(DEALING, languages=("zh-Hant", "tl"), language_turn_s=5)
    async with serve(ScriptedTable(shown).page) as url, open_screen(url, browser=browser) as screen:
        await screen.page.wait_for_function("() => document.documentElement.lang === 'zh-Hant'")
        assert await text(screen, "phase") == "發牌中"
        await screen.page.wait_for_function("() => document.documentElement.lang === 'tl'")
        assert await text(screen, "phase") == "Namimigay ng baraha"


@pytest.mark.parametrize(
    ("tag", "amount"),
    [
        ("en", "$1,234.50"),
        ("es", "$1,234.50"),
        ("zh-Hans", "$1,234.50"),
        ("zh-Hant", "$1,234.50"),
        ("vi", "1.234,50 $"),
        ("tl", "$1,234.50"),
    ],
)
async def test_dollars_are_written_as_the_language_writes_numbers(browser: Browser, tag: str, amount: str) -> None:
    seat = SeatedView(1, "Seat 1", hands=(SeatHandView(faces("Kd")),), stack=123_450)
    table = ScriptedTable(laid_out(SeatingView((seat,))))
    async with serve(table.page) as url, open_screen(f"{url}?lang={tag}", browser=browser) as screen:
        await screen.board_at(seq=1)
        assert amount in await text(screen, "seat-1")


async def test_a_sentence_that_no_message_fits_stays_in_english(browser: Browser) -> None:
    strange = a_view(seq=3, prompt="Bring the dragon $5 of tea")
    async with serve(ScriptedTable(strange).page) as url, open_screen(f"{url}?lang=es", browser=browser) as screen:
        await screen.board_at(seq=3)
        assert await text(screen, "prompt") == "Bring the dragon $5 of tea"


async def test_the_houses_own_word_is_shown_instead_of_ours(browser: Browser, tmp_path: Path) -> None:
    (tmp_path / "en.ftl").write_text("page-bets = Limits\nsaid-bets = Bets, please\n")
    page = with_words(ScriptedTable(a_view(seq=1, prompt="Place your bets")).page, tmp_path)
    async with serve(page) as url, open_screen(url, browser=browser) as screen:
        await screen.board_at(seq=1)
        assert await text(screen, "prompt") == "Bets, please"
        assert "Limits" in await screen.page.locator(".facts").first.inner_text()


def with_words(page: TablePage, folder: Path) -> TablePage:
    return replace(page, words=Words(lambda: folder))


# No English is left over


class Marked(Transformer):
    """Every text of a message between marks."""

    def visit_TextElement(self, node: ast.TextElement) -> ast.TextElement:  # noqa: N802
        lines = [f"⟦{line}⟧" if line.strip() else line for line in node.value.split("\n")]
        return ast.TextElement("\n".join(lines))

    def visit_StringLiteral(self, node: ast.StringLiteral) -> ast.StringLiteral:  # noqa: N802
        return ast.StringLiteral(f"⟦{node.value}⟧")


def marked(tag: str) -> str:
    """A language that is English with marks: what is outside of them came from no message."""
    resource = FluentParser().parse(ours(tag))
    kept = {"page-numbers", "page-language"}
    body = [
        Marked().visit(entry) if isinstance(entry, ast.Message) and entry.id.name not in kept else entry
        for entry in resource.body
    ]
    return FluentSerializer().serialize(ast.Resource(body))


LEFT_OVER = r"""(people) => {
    const found = new Set();
    const unmarked = (text) => text.replaceAll(/⟦[^⟧]*⟧/g, " ");
    const outside = (text) => people.reduce((rest, name) => rest.replaceAll(name, " "), unmarked(text));
    // Numbers, amounts, cards and their letters are no language.
    const isWord = (text) => /\p{L}{2,}/u.test(text.replaceAll(/\b(?:[2-9TJQKA][cdhs]\*?|Jo|[1-6]-[1-6])\b/g, " "));
    const shown = (node) => node.checkVisibility({ visibilityProperty: true });
    const names = ["game", "site", "table"].map((id) => document.querySelector(`[data-testid="${id}"]`));
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const owner = node.parentElement;
        const isNamed = names.some((name) => name?.contains(owner));
        if (isNamed || !shown(owner) || owner.closest("script, style, option, .card, .mark")) continue;
        if (isWord(outside(node.textContent))) found.add(node.textContent.trim());
    }
    for (const node of document.querySelectorAll("[aria-label], [title]")) {
        for (const text of [node.getAttribute("aria-label"), node.getAttribute("title")]) {
            if (text && shown(node) && isWord(outside(text))) found.add(text);
        }
    }
    return [...found];
}"""


HELD_BY_A_CARD = replace(HELD, held=HeldView("unexpected_card", "a card left the shoe that nobody expected"))


@pytest.mark.parametrize(
    "shown", [DEALING, DRAGON, HELD_BY_A_CARD, laid_out(HOLDEM)], ids=["dealing", "dragon", "held", "seats"]
)
async def test_no_english_is_left_on_the_wall(browser: Browser, tmp_path: Path, shown: View) -> None:
    (tmp_path / "qps.ftl").write_text(marked(ENGLISH))
    page = with_words(ScriptedTable(shown).page, tmp_path)
    async with serve(page) as url, open_screen(f"{url}?lang=qps", browser=browser) as screen:
        await screen.board_at(seq=shown.seq)
        assert await screen.page.evaluate(LEFT_OVER, []) == []
        assert screen.complaints == []


async def test_no_english_is_left_on_the_console(browser: Browser, tmp_path: Path) -> None:
    words = tmp_path / "words"
    words.mkdir()
    (words / "qps.ftl").write_text(marked(ENGLISH))
    more = f'[display]\nlanguage = "qps"\nwords = "{words}"\n'
    async with (
        manned_table(tmp_path, "bankers-ez-baccarat-panda-8", more=more) as table,
        sit_down(table, browser, TABLET) as dealer,
    ):
        people = [person["name"] for person in table.pins.values()]

        async def left() -> list[str]:
            found: list[str] = await dealer.page.evaluate(LEFT_OVER, people)
            return found

        await dealer.page.wait_for_function("() => document.documentElement.lang === 'qps'")
        assert await left() == [], "waiting for a shoe"
        await dealer.fresh_shoe()
        await dealer.at("wager-1-player_line").click()
        assert await left() == [], "an amount is keyed"
        await dealer.amount(1000)
        await dealer.tap("close_bets")
        await dealer.cards("9h Kd Tc 7s")
        assert await left() == [], "the hand is over"
        await dealer.at("put-in").locator("button").first.click()
        assert await left() == [], "a correction"
        await dealer.at("pad-cancel").click()
        await dealer.at("who").click()
        await dealer.at("who").click()
        await dealer.at("sign-in").wait_for()
        assert await left() == [], "somebody signs in"


EVENINGS = [(slug, seed) for slug in DEALT for seed in range(2)]
TITLES = {title for ruleset in all_rulesets().values() for title in (ruleset.game.title, ruleset.data.title)}
GAMES = sorted(TITLES, key=len, reverse=True)
SENTENCES = """async ([texts, games]) => {
    const { said } = await import("/static/language.js");
    const { words } = await import("/static/words.js");
    const CARD = /\\b(?:[2-9TJQKA][cdhs]|Jo)\\b/g;
    const unmarked = (text) => text.replaceAll(/⟦[^⟧]*⟧/g, " ").replaceAll(CARD, " ");
    const named = (text) => games.reduce((rest, game) => rest.replaceAll(game, " "), text);
    const isLeft = (text) => /\\p{L}{2,}/u.test(named(unmarked(text)));
    return texts.filter((text) => isLeft(said(text)) && isLeft(words(text)));
}"""
FOR_PEOPLE = {
    *("prompt", "text", "outcome_text", "stakes", "label", "under", "sure", "what", "hand", "total", "next", "title"),
    *("to_do", "ends", "names", "felt", "rows", "verdict", "standing", "marks", "bank_title"),
}
NOT_FOR_PEOPLE = {"body", "before", "after", "value", "given", "bounds", "game", "jackpots", "wagers"}


def texts_of(part_of: object, *, is_text: bool = False) -> Iterator[str]:
    """What a document has for people, as static/language.js reads it."""
    match part_of:
        case str():
            yield from (part_of,) if is_text and part_of else ()
        case list() | tuple():
            for each in part_of:
                yield from texts_of(each, is_text=is_text)
        case dict():
            for name, each in part_of.items():
                if name not in NOT_FOR_PEOPLE:
                    yield from texts_of(each, is_text=name in FOR_PEOPLE)


def an_evening(slug: str, seed: int) -> set[str]:
    """All that display and console said for people over two rounds of a ruleset, and what is posted."""
    evening = Evening(slug, seed, unread_one_in=8, trouble_one_in=15)
    schedule = evening.ruleset.proposed_schedule()
    tables = posted(slug, {"schedule": schedule} if schedule else {})
    said = set(texts_of(to_builtins(tables)))
    while len(evening.rounds) < 2 and len(evening.inputs) < 400:
        evening._step()
        document = encode_view(view(evening.engine, config(slug), 1, Roads(), broker_online=True))
        keyed = console_document(evening.engine, document, keys_cards=len(evening.inputs) % 3 > 0, trouble=None)
        said |= set(texts_of(json.decode(keyed)))
    return said


async def test_every_sentence_of_a_ruleset_has_its_message(browser: Browser, tmp_path: Path) -> None:
    """Of some rulesets, others with each commit; of all in `make whole`."""
    (tmp_path / "qps.ftl").write_text(marked(ENGLISH))
    page = with_words(ScriptedTable(DEALING).page, tmp_path)
    async with serve(page) as url, open_screen(f"{url}?lang=qps", browser=browser) as screen:
        await screen.board_at(seq=5)
        for slug, seed in part(EVENINGS, 30):
            left = await screen.page.evaluate(SENTENCES, [sorted(an_evening(slug, seed)), GAMES])
            assert (slug, seed, left) == (slug, seed, [])


async def test_the_console_speaks_the_language_of_who_is_signed_in(browser: Browser, tmp_path: Path) -> None:
    async with (
        manned_table(tmp_path, "bankers-ez-baccarat-panda-8") as table,
        sit_down(table, browser, TABLET) as dealer,
    ):
        await dealer.at("language").select_option("vi")
        await dealer.page.wait_for_function("() => document.documentElement.lang === 'vi'")
        await dealer.tap("new_shoe")
        assert await text(dealer.screen, "phase") == "Nhận cược"
        assert "Khóa cược" in await text(dealer.screen, "slot-main")
        await dealer.at("who").click()
        await dealer.page.wait_for_function("() => document.documentElement.lang === 'en'")
        assert "No more bets" in await text(dealer.screen, "slot-main")


# Nothing is cut


PAIRS = [(tag, slug) for slug in DEALT for tag in OURS if tag != ENGLISH]


async def cut_on(screen: Screen, what: str) -> list[str]:
    found: list[str] = []
    for size, window in SIZES.items():
        await screen.resize(window)
        found += [f"{what}, {size}: {cut}" for cut in await screen.page.evaluate(WHATEVER_IS_CUT)]
    return found


async def test_nothing_is_cut_in_any_language(browser: Browser) -> None:
    """Of some rulesets in some languages, others with each commit; of all in `make whole`."""
    table = ScriptedTable(laid_out(HOLDEM))
    cut: list[str] = []
    seq = 100
    async with serve(table.page) as url, open_screen(url, browser=browser) as screen:
        for tag, slug in part(PAIRS, 60):
            await screen.page.goto(f"{url}?lang={tag}")
            for shown in fullest(slug):
                seq += 1
                table.show(replace(shown, seq=seq, site="Riverside Card Room", table="Table 14"))
                await screen.board_at(seq=seq)
                cut += await cut_on(screen, f"{tag}, {slug}, {shown.phase}")
    assert not cut, "\n".join(cut)


@pytest.mark.parametrize("tag", part([tag for tag in OURS if tag != ENGLISH], 2))
async def test_nothing_of_baccarat_is_cut_in_any_language(browser: Browser, tag: str) -> None:
    slug = "bankers-ez-baccarat-panda-8"
    tables = posted(slug, {"schedule": load(slug).proposed_schedule()})
    closed = replace(a_view(seq=90, phase="closed", prompt="The table is closed"), posted=tables)
    table = ScriptedTable(DEALING)
    cut: list[str] = []
    async with serve(table.page) as url, open_screen(f"{url}?lang={tag}", browser=browser) as screen:
        for shown in (DEALING, DRAGON, HELD_BY_A_CARD, BETTING, closed):
            table.show(shown)
            await screen.board_at(seq=shown.seq)
            cut += await cut_on(screen, f"{tag}, {shown.phase}")
    assert not cut, "\n".join(cut)
