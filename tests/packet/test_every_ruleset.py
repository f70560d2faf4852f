"""Every ruleset has a packet, and everything that its data has is in it, in every form."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from html import escape

import pytest

from controller.packet.document import Block, Facts, Grid, Packet, Paragraph, decode, encode
from controller.packet.facts import option_value
from controller.packet.make import TITLES, make
from controller.packet.page import as_page
from controller.packet.pdf import as_pdf
from controller.packet.text import as_text
from controller.packet.topics import OTHER
from controller.packet.values import cents, words
from controller.rules import Ruleset, all_rulesets, load
from controller.rules.readings import readings_of
from controller.rules.schedules import available
from tests.support.turns import part

WIDE = 1_000_000
"""Nothing is folded."""
NO_HAND = {"calgrand-betting-structures"}
"""Questions of a sheet, no game that is dealt."""
REPORTED = {"turlock-panguingue"}
"""No card is read: the dealer enters what players declare and lay."""

each_ruleset = pytest.mark.parametrize("slug", list(all_rulesets()))


@cache
def packet(slug: str) -> Packet:
    return make(slug)


def cells(blocks: tuple[Block, ...]) -> Iterator[str]:
    """Everything that is written in some blocks."""
    for block in blocks:
        match block:
            case Paragraph():
                yield block.text
            case Facts():
                yield block.title
                for fact in block.rows:
                    yield from (fact.name, fact.value, fact.line, fact.note)
            case Grid():
                yield block.title
                yield from block.columns
                for row in block.rows:
                    yield from row


def facts(made: Packet) -> set[tuple[str, str]]:
    """Names and values."""
    return {
        (fact.name, fact.value)
        for section in made.sections
        for block in section.blocks
        if isinstance(block, Facts)
        for fact in block.rows
    }


def grids(made: Packet, key: str) -> list[Grid]:
    return [block for block in made.section(key).blocks if isinstance(block, Grid)]


def rulesets_in(slug: str) -> list[Ruleset]:
    """The ruleset, and the game that it rides on."""
    ruleset = load(slug)
    base = ruleset.rides_on({})
    return [ruleset] if base is None else [ruleset, base]


@each_ruleset
def test_everything_that_its_data_has_is_in_the_packet(slug: str) -> None:
    made = packet(slug)
    has_every_section(made)
    has_the_data(made)
    has_schedules_and_rotation(made)
    has_readings_and_irregularities(made)
    has_every_printed_element(made)


def has_every_section(made: Packet) -> None:
    assert [section.key for section in made.sections if section.key != OTHER] == [key for key in TITLES if key != OTHER]
    for section in made.sections:
        assert any(text.strip() for text in cells(section.blocks)), section.key
        for block in section.blocks:
            if isinstance(block, Grid):
                assert block.rows, block.title
                assert all(len(row) == len(block.columns) for row in block.rows), block.title
                assert all(any(cell.strip() for cell in row[1:]) for row in block.rows), block.title


def has_the_data(made: Packet) -> None:
    stated = facts(made)
    names = {name for name, _ in stated}
    assert not [value for _, value in stated if value in ("True", "False", "None") or "['" in value]
    said = set(notes(made))
    own = load(made.slug).data.options
    for ruleset in rulesets_in(made.slug):
        for name, option in ruleset.data.options.items():
            if ruleset.slug == made.slug or name not in own:
                assert (name, option_value(option.default)) in stated
            assert not option.note or " ".join(option.note.split()) in said, name
        for name, value in ruleset.data.pays.items():
            for row, paid in value.items() if isinstance(value, dict) else [(name, value)]:
                assert (words(row), cents(paid)) in stated
        for bonus in ruleset.data.sheet.get("bonuses", {}).values():
            for row, paid in bonus.get("pays", {}).items():
                assert (words(row), cents(paid)) in stated
        for name in ruleset.data.sheet:
            if name not in ("rulings", "house_way"):
                assert words(name) in names or any(key.startswith(f"{words(name)}: ") for key in names), name
            if name == "house_way" and isinstance(ruleset.data.sheet[name].get("rows"), list):
                (chart,) = [grid for grid in grids(made, "decisions") if grid.title.startswith("House way")]
                assert len(chart.rows) == len(ruleset.data.sheet[name]["rows"])


def notes(made: Packet) -> Iterator[str]:
    for section in made.sections:
        for block in section.blocks:
            if isinstance(block, Facts):
                yield from (fact.note for fact in block.rows)


def has_schedules_and_rotation(made: Packet) -> None:
    *_, last = rulesets_in(made.slug)
    fees = load(made.slug) if "schedule" in load(made.slug).data.options else last
    option = fees.data.options.get("schedule")
    if option is None or not option.default:
        read = "\n".join(row[2] for grid in grids(made, "collection") for row in grid.rows)
        for name in available(fees.data.cardroom, fees.fee_game):
            assert f"{name}: " in read, name
    for name, value in last.data.rotation.printed.items():
        assert (words(name), words(str(value))) in facts(made), name
        assert (f"rotation: {words(name)}", words(str(value))) in facts(made), name


def has_readings_and_irregularities(made: Packet) -> None:
    ruleset = load(made.slug)
    assert sum(len(grid.rows) for grid in grids(made, "readings")) == len(readings_of(ruleset))
    rows = [row for grid in grids(made, "irregularities") for row in grid.rows]
    assert {row[0] for row in rows} == {words(code) for code in ruleset.game.happenings(ruleset.options())}
    assert all(row[2] for row in rows)


def has_every_printed_element(made: Packet) -> None:
    """What a compliance officer ticks off beside the approval, by its class."""
    slug = made.slug
    if slug in NO_HAND:
        return
    banked = load(slug).game.has_player_dealer

    assert {"cards", "tiles"} & names(made, "equipment"), "equipment and cards"
    assert any(name.startswith(("seats of", "players at least")) for name in names(made, "seats")), "seats"
    if banked:
        assert all(row[2] for row in rows(made, "wagers", "Wagers before the deal")), "limits of each wager"
        assert rows(made, "wagers", "Wagers before the deal"), "wagers"
    if slug not in REPORTED:
        assert rows(made, "deal", "Order of the deal"), "order of the deal"
    assert made.section("ranking").blocks, "hand ranking and card tables"
    if "baccarat" not in slug:
        assert rows(made, "decisions", "Decisions that the table asks for"), "decisions"
    if banked:
        assert rows(made, "settlement", "Order of settlement"), "settlement order"
        found = [
            grid for grid in grids(made, "settlement") if grid.title.startswith(("What becomes of", "What became of"))
        ]
        assert found, "what becomes of each wager"
        assert all(all(row) for grid in found for row in grid.rows), "each is paid, lost or goes back"
        assert rows(made, "back_line", "Further betting spots of a seat"), "back line"
        assert {"kind", "direction", "hands"} <= names(made, "rotation"), "rotation"
        assert names(made, "pays") or said(made, "pays"), "pay tables"
    irregular = rows(made, "irregularities", "Irregularities that the text or the house rules name")
    assert irregular or said(made, "irregularities"), "irregularities"
    printed = any("may post for this game" in title for title in titles(made, "collection"))
    assert printed or said(made, "collection") or names(made, "collection"), "collection as printed"
    assert all(row[5] for row in (row for grid in grids(made, "readings") for row in grid.rows)), (
        "each reading with its lines, or that there are none"
    )
    assert said(made, "jackpots") or titles(made, "jackpots") or names(made, "jackpots"), "jackpots"


def titles(made: Packet, section: str) -> list[str]:
    return [block.title for block in made.section(section).blocks if isinstance(block, Grid | Facts) and block.title]


def names(made: Packet, section: str) -> set[str]:
    blocks = made.section(section).blocks
    return {fact.name for block in blocks if isinstance(block, Facts) for fact in block.rows}


def said(made: Packet, section: str) -> str:
    return " ".join(block.text for block in made.section(section).blocks if isinstance(block, Paragraph))


def rows(made: Packet, section: str, title: str) -> list[tuple[str, ...]]:
    return [row for grid in grids(made, section) if grid.title == title for row in grid.rows]


@pytest.mark.parametrize("slug", part(list(all_rulesets()), 3))
def test_text_page_and_json_state_the_same(slug: str) -> None:
    made = packet(slug)
    text, page = as_text(made, WIDE), as_page(made)
    plain = " ".join(text.split())
    for section in made.sections:
        assert section.title.upper() in text
        for line in {line for cell in cells(section.blocks) for line in cell.split("\n")}:
            assert " ".join(line.split()) in plain
            assert escape(line) in page
    assert decode(encode(made), "it") == made
    assert decode(page.encode(), "it") == made


@pytest.mark.parametrize("slug", part(list(all_rulesets()), 6))
def test_the_pdf_can_be_drawn_and_is_the_same_again(slug: str) -> None:
    drawn = as_pdf(packet(slug))
    assert drawn.startswith(b"%PDF-")
    assert as_pdf(packet(slug)) == drawn
