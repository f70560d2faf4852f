"""docs/development/adding-a-game.md and docs/compliance/poker.md do what they say: their files, put where they say, are
games whose worked
rounds pass."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.support.project import ROOT

PAGE, POKER = ROOT / "docs" / "development" / "adding-a-game.md", ROOT / "docs" / "compliance" / "poker.md"
RULESET, VARIANT = "example-charlie-21-5", "example-irish-poker"


class Block(NamedTuple):
    """A block of the page, and the file that the words before it name."""

    file: str
    kind: str
    text: str


def blocks(page: Path) -> Iterator[Block]:
    file = ""
    for part in re.split(r"^(```\w+\n.*?^```\n)", page.read_text(), flags=re.MULTILINE | re.DOTALL):
        if part.startswith("```"):
            kind, _, text = part.removeprefix("```").removesuffix("```\n").partition("\n")
            yield Block(file, kind, text)
        else:
            named = re.findall(r"`([\w/.-]+/[\w.-]+\.(?:py|toml|yaml))`:\s*\Z", part)
            file = named[-1] if named else file


def patched(text: str, diff: str) -> str:
    """The text with the lines that a block adds beside those it repeats."""
    lines = diff.splitlines()
    before = "\n".join(line[1:] for line in lines if not line.startswith("+"))
    after = "\n".join(line[1:] for line in lines if not line.startswith("-"))
    assert text.count(before) == 1, f"the page repeats a line that is not there once: {before!r}"
    return text.replace(before, after)


def follow(page: Path, copy: Path) -> None:
    """Do in a copy of the project what a page says."""
    for block in blocks(page):
        target = copy / block.file
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(patched(target.read_text(), block.text) if block.kind == "diff" else block.text)


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the project in which somebody followed both pages."""
    copy = tmp_path_factory.mktemp("project")
    shutil.copytree(ROOT / "controller", copy / "controller", ignore=shutil.ignore_patterns("__pycache__", "static"))
    for folder in ("protocols", "devices", "sim_hw"):
        (copy / folder).symlink_to(ROOT / folder)
    follow(PAGE, copy)
    follow(POKER, copy)
    return copy


def run(project: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(project)}
    command = [sys.executable, "-m", *arguments]
    return subprocess.run(
        command, cwd=project, env=environment, capture_output=True, text=True, timeout=120, check=False
    )


def test_the_page_has_a_case_a_data_file_a_rule_and_one_line() -> None:
    assert [(block.kind, block.file) for block in blocks(PAGE)] == [
        ("yaml", "tests/cases/own/example-charlie-21-5.yaml"),
        ("toml", "controller/rules/example/charlie-21-5.toml"),
        ("python", "controller/games/blackjack/charlie.py"),
        ("diff", "controller/games/__init__.py"),
    ]


def test_a_poker_variant_is_a_declaration_a_line_a_data_file_and_a_case() -> None:
    found = list(blocks(POKER))
    assert [(block.kind, block.file) for block in found] == [
        ("python", "controller/games/poker/irish.py"),
        ("diff", "controller/games/__init__.py"),
        ("toml", "controller/rules/example/irish-poker.toml"),
        ("yaml", "tests/cases/own/example-irish-poker.yaml"),
    ]
    _, _, declared = found[0].text.partition("class ")
    assert len(declared.splitlines()) < 10, "a new variant is a short declaration"


@pytest.mark.parametrize(("ruleset", "rounds"), [(RULESET, 3), (VARIANT, 1)])
def test_the_new_games_worked_rounds_pass(project: Path, ruleset: str, rounds: int) -> None:
    done = run(project, "controller.cases", "tests/cases/own", "--game", ruleset)
    said = (done.stdout.splitlines()[-1:], done.returncode)
    assert said == ([f"{rounds} passed, 0 failed"], 0), done.stdout + done.stderr


@pytest.mark.parametrize(
    ("ruleset", "words"), [(RULESET, ("Charlie 21.5", "charlie_pays")), (VARIANT, ("Irish Poker",))]
)
def test_its_data_file_is_checked_and_shown(project: Path, ruleset: str, words: tuple[str, ...]) -> None:
    checked = run(project, "controller.cli", "rules", "check", ruleset)
    assert checked.returncode == 0, checked.stdout + checked.stderr
    shown = run(project, "controller.cli", "rules", "show", ruleset)
    assert [word for word in words if word not in shown.stdout] == []


@pytest.mark.parametrize("file", ["controller/games/blackjack/charlie.py", "controller/games/poker/irish.py"])
def test_its_code_is_as_strict_as_ours(project: Path, file: str) -> None:
    config = ["--config", str(ROOT / "pyproject.toml")]
    for check in (["check", *config, file], ["format", "--check", *config, file]):
        done = run(project, "ruff", *check)
        assert done.returncode == 0, done.stdout + done.stderr
