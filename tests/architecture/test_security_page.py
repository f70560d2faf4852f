"""docs/operations/security.md names only tests and scenarios that are there."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tests.support.project import ROOT

PAGE = ROOT / "docs" / "operations" / "security.md"
TESTS = ROOT / "tests"
TEST = re.compile(r"^ *(?:async )?def test_(\w+)\(", re.MULTILINE)
NAMED = re.compile(r"`([^`]+)`")


def rows() -> Iterator[tuple[str, str]]:
    """Attack and test of each row of the tables "attack, result, test"."""
    is_table = False
    for line in PAGE.read_text().splitlines():
        cells = [cell.strip() for cell in line.strip("|").split(" | ")] if line.startswith("|") else []
        if cells[:1] == ["attack"]:
            is_table = True
        elif not cells:
            is_table = False
        elif is_table and not cells[0].startswith("---"):
            assert len(cells) == 3, f"three cells: {line}"
            yield cells[0], cells[2]


def test_every_test_that_the_page_names_exists() -> None:
    by_file = {file: set(TEST.findall(file.read_text())) for file in TESTS.rglob("test_*.py")}
    every = set().union(*by_file.values())
    scenarios = {file.stem for file in (ROOT / "sim_hw" / "rig" / "scenarios").rglob("*.toml")}
    found = 0
    for attack, tests in rows():
        assert NAMED.search(tests) or "the same" in tests, f"no test for {attack!r}"
        known = every
        for name in NAMED.findall(tests):
            if name.endswith(".py"):
                file = TESTS / name.removeprefix("tests/")
                assert file.is_file(), f"{attack!r}: {name}"
                known = by_file.get(file, every)
                assert known, f"{attack!r}: {name} has no test"
            elif f"scenario `{name}`" in tests:
                assert name in scenarios, f"{attack!r}: there is no scenario {name}"
            elif re.fullmatch(r"[a-z0-9_]+", name):
                assert name in known, f"{attack!r}: there is no test_{name}"
            found += 1
    assert found > 100, "the page has tables"
