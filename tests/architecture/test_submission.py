"""The regulator's folder: every clause has its answer and its tests, and the page says what is there."""

from __future__ import annotations

from pathlib import Path

from tests.support.project import ROOT
from tests.support.submission import PAGE, clauses, marks, page


def test_every_clause_has_a_test_or_says_why_not() -> None:
    answered = marks()
    assert [c.id for c in clauses() if bool(answered.get(c.id)) == bool(c.no_test)] == []


def test_every_mark_is_of_a_clause() -> None:
    assert set(marks()) <= {clause.id for clause in clauses()}


def test_what_was_not_seen_is_not_answered() -> None:
    assert all(clause.no_test for clause in clauses() if clause.held == "heading")
    assert {clause.held for clause in clauses()} == {"content", "heading"}


def test_every_page_that_is_named_exists() -> None:
    assert [clause.page for clause in clauses() if not (ROOT / clause.page).is_file()] == []


def test_the_page_is_written_from_the_clauses_and_the_tests() -> None:
    assert PAGE.read_text() == page(), "run: make submission"


def test_a_mark_is_found_where_it_is(tmp_path: Path) -> None:
    tests = tmp_path / "tests"
    tests.mkdir()
    (tests / "test_fees.py").write_text('@pytest.mark.clause("A", "B")\nasync def test_a_fee() -> None: ...\n')
    assert marks(tests) == {"A": ["tests/test_fees.py::test_a_fee"], "B": ["tests/test_fees.py::test_a_fee"]}
