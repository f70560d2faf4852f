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
