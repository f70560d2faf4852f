"""Every worked round of the project's own games, through the one generic runner."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from controller.cases.__main__ import main, read_file
from controller.cases.fees import is_fee_file, run_fee_case
from controller.cases.runner import run_case
from controller.rules import all_rulesets, load

CASES = Path(__file__).parent / "cases"


def all_cases() -> Iterator[Any]:
    for path in sorted(CASES.rglob("*.yaml")):
        game, cases = read_file(path)
        for case in cases:
            yield pytest.param(game, case, id=f"{game}:{case['id']}")


WORKED = list(all_cases())


@pytest.mark.parametrize(("game", "case"), WORKED)
def test_a_worked_round_comes_out_as_told(game: str, case: dict[str, Any]) -> None:
    came = run_fee_case(game, case) if is_fee_file(game) else run_case(load(game), case)
    assert came == []


def test_every_ruleset_has_worked_rounds() -> None:
    assert set(all_rulesets()) <= {worked.values[0] for worked in WORKED}


WRONG = """
game: bankers-ez-baccarat-panda-8
cases:
  - id: wrong-winner
    table: {seats: [1], player_dealer: 8}
    wagers: {1: {player_line: 5000}}
    cards: [9h, Kd, Tc, 7s]
    expect: {outcome: banker, net: {1: {player_line: 5000}}}
  - id: too-few-cards
    cards: [9h, Kd]
    expect: {outcome: player}
"""


def test_the_command_prints_a_line_per_failure_and_counts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "wrong.yaml").write_text(WRONG)
    (tmp_path / "other.yaml").write_text("game: nowhere-go-fish\ncases: [{id: a, expect: {}}]\n")
    assert main([str(tmp_path)]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert "skipped nowhere-go-fish: not implemented (1 cases)" in lines
    assert "wrong-winner: outcome: expected banker, got player" in lines
    assert any(line.startswith("too-few-cards: run: ") for line in lines)
    assert lines[-1] == "0 passed, 2 failed, 1 skipped"


def test_the_command_refuses_a_folder_without_cases(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(tmp_path)]) == 2
    assert "no case files" in capsys.readouterr().err


@pytest.mark.parametrize("text", ["cases: [", "game: x\n", "game: x\ncases: [1]\n", "[]"])
def test_a_file_that_is_no_case_file_is_a_failure_with_its_name(
    text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "odd.yaml").write_text(text)
    assert main([str(tmp_path)]) == 1
    assert capsys.readouterr().out.startswith("odd.yaml: ")
