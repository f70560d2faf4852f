"""What the packet says of lines of the approval: rules that are done at every table, and lines that nothing cites."""

from __future__ import annotations

import pytest

from controller.packet.document import Fact, Facts, Grid, Paragraph, Section
from controller.packet.make import make
from controller.packet.uncited import lines_in, uncited
from controller.rules import all_rulesets, load, ruleset_files
from controller.rules.check import problems

STATED = [slug for slug in all_rulesets() if load(slug).data.statements]


def said(sections: list[Section], source: str) -> list[str]:
    return [block.text for block in uncited(sections, source) if isinstance(block, Paragraph)]


def test_lines_that_no_fact_row_or_paragraph_cites_are_named() -> None:
    sections = [
        Section("rules", "", (Facts((Fact("lines", "1-9", "1-9"),)),)),
        Section("deal", "", (Facts((Fact("burn", "1", "2-3, reading A9"),)), Paragraph("It is dealt.", "5"))),
        Section("pays", "", (Grid("", ("hand", "line"), (("pair", "8"),)),)),
    ]
    assert said(sections, "1-9; 003:20-30")[-1] == "1, 4, 6-7, 9"
    assert said(sections, "2-3") == ["Every line of the approval is cited."]


@pytest.mark.parametrize("slug", STATED[:3])
def test_what_is_always_done_is_in_its_section_with_its_line(slug: str) -> None:
    made = make(slug)
    for one in load(slug).data.statements:
        facts = [fact for block in made.section(one.topic).blocks if isinstance(block, Facts) for fact in block.rows]
        assert any((fact.name, fact.line) == (one.text, one.source) for fact in facts), one.text


def test_every_statement_cites_lines_of_its_own_approval() -> None:
    assert len(STATED) >= 8
    for slug in STATED:
        data = load(slug).data
        for one in data.statements:
            assert lines_in(one.source) and lines_in(one.source) <= lines_in(data.source), (slug, one.text)


def test_a_statement_of_no_section_of_the_packet_is_a_fault_of_the_file() -> None:
    file = "village/chinese-poker.toml"
    content = dict(ruleset_files())[file].read_bytes()
    assert problems(content, file) == []
    (problem,) = problems(content.replace(b'topic = "seats"', b'topic = "chairs"'), file)
    assert "statements[1].topic" in problem and "chairs" in problem
