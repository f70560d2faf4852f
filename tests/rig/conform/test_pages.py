"""The pages and the table of requirements agree, both ways."""

from __future__ import annotations

import re

import pytest

from sim_hw.conform.kinds import KINDS, whole_table
from sim_hw.conform.requirement import PAGES
from tests.support.project import ROOT

FOLDER = ROOT / "docs" / "protocols"
ID = re.compile(r"\[([A-Z]+-\d+)\]")
MUST = re.compile(r"\bmust\b")


def sentences(page: str) -> list[str]:
    """Those of the running text, and each row of a table as one."""
    text = (FOLDER / page).read_text()
    text = re.sub(r"```.*?```", "", text, flags=re.DOTALL)
    found: list[str] = []
    block: list[str] = []
    for line in [*text.splitlines(), ""]:
        is_row, is_item = line.startswith("|"), re.match(r"\s*([-*]|\d+\.) ", line)
        if is_row or is_item or not line.strip() or (line.startswith(("    ", "#")) and not block):
            found += re.split(r"(?<=[.:?!])\s+(?=[A-Z`*\"(])", " ".join(block))
            block = []
        if is_row:
            found.append(line)
        elif line.strip():
            block.append(line.strip())
    return found


@pytest.mark.parametrize("page", sorted(set(PAGES.values())))
def test_every_must_of_a_page_has_an_id(page: str) -> None:
    bare = [text for text in sentences(page) if MUST.search(text) and not ID.search(text) and "**must**" not in text]
    assert bare == []


@pytest.mark.parametrize("page", sorted(set(PAGES.values())))
def test_every_id_of_a_page_is_in_the_table(page: str) -> None:
    known = whole_table()
    assert {id for id in ID.findall((FOLDER / page).read_text()) if id not in known} == set()


def test_every_requirement_is_on_its_page() -> None:
    missing = [id for id, each in whole_table().items() if f"[{id}]" not in (FOLDER / each.page).read_text()]
    assert missing == []


def test_every_section_of_the_table_exists() -> None:
    for each in whole_table().values():
        assert re.search(rf"^## {each.section}\. ", (FOLDER / each.page).read_text(), re.MULTILINE), each.id


def test_what_is_the_controllers_has_its_test() -> None:
    for each in whole_table().values():
        assert not each.test or (ROOT / each.test).exists(), each.id


def test_what_is_played_can_also_fail() -> None:
    for kind in KINDS.values():
        for each in kind.requirements:
            assert each.text and (each.wrong is not None if each.check is not None else each.why_not), each.id


def test_the_page_says_of_each_requirement_that_is_not_played_why() -> None:
    page = (FOLDER / "conformance.md").read_text().partition("## What no bench can play")[2].partition("\n## ")[0]
    listed = dict(re.findall(r"^\| ([A-Z]+-\d+) \| .* \| (.*) \|$", page, re.MULTILINE))
    not_played = {id: each for id, each in whole_table().items() if each.check is None}
    assert listed == {id: each.why_not or f"the controller's: `{each.test}`" for id, each in not_played.items()}
