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
from tests.support.project import CASES


def all_cases() -> Iterator[Any]:
    for path in sorted(CASES.rglob("*.yaml")):
        game, cases = read_file(path)
        for case in cases:
            yield pytest.param(game, case, id=f"{game}:{case['id']}")


WORKED = list(all_cases())


@pytest.mark.parametrize(("game", "case"), WORKED)
def test_a_worked_round_comes_out_as_expected(game: str, case: dict[str, Any]) -> None:
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
    assert "other.yaml: no ruleset 'nowhere-go-fish' (1 cases)" in lines
    assert "wrong-winner: outcome: expected banker, got player" in lines
    assert any(line.startswith("too-few-cards: run: ") for line in lines)
    assert lines[-1] == "0 passed, 3 failed"


def test_the_command_refuses_a_folder_without_cases(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(tmp_path)]) == 2
    printed = capsys.readouterr()
    assert "no case files" in printed.err
    assert printed.out == "0 passed, 0 failed\n"


@pytest.mark.parametrize("text", ["cases: [", "cases: [2026-13-45]", "game: x\n", "game: x\ncases: [1]\n", "[]"])
def test_a_file_that_is_no_case_file_is_a_failure_with_its_name(
    text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "odd.yaml").write_text(text)
    assert main([str(tmp_path)]) == 1
    assert capsys.readouterr().out.startswith("odd.yaml: ")


NATURAL = "{id: a, table: {seats: [1], player_dealer: 8}, cards: [9h, Kd, Tc, 7s], expect: {outcome: player}}"


def test_a_case_that_is_none_fails_by_its_place_and_the_others_are_run(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cases = f"[3, {{expect: {{}}}}, {{id: b}}, {NATURAL}, {NATURAL}]"
    (tmp_path / "odd.yaml").write_text(f"game: bankers-ez-baccarat-panda-8\ncases: {cases}\n")
    assert main([str(tmp_path)]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert [line.partition(": every")[0] for line in lines[:3]] == [f"odd.yaml: cases[{nth}]" for nth in range(3)]
    assert lines[3:] == ["odd.yaml: cases[4]: another case has the id a", "1 passed, 4 failed"]


def test_yaml_that_does_not_parse_is_reported_in_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "broken.yaml").write_text("game: village-holdem\ncases: [\n  - {id: a")
    assert main([str(tmp_path)]) == 1
    parse, counts = capsys.readouterr().out.splitlines()
    assert parse.startswith("broken.yaml: does not parse: ")
    assert counts == "0 passed, 1 failed"


def test_a_game_of_which_there_are_no_cases_is_no_success(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "one.yaml").write_text(f"game: bankers-ez-baccarat-panda-8\ncases: [{NATURAL}]\n")
    assert main([str(tmp_path), "--game", "village-holdem"]) == 2
    assert "no cases of village-holdem" in capsys.readouterr().err


SPELLED = """
game: Bankers_EZ_Baccarat_Panda_8
cases:
  - id: natural-nine
    table: {seats: ["1"], player_dealer: "8"}
    wagers: {"1": {Player Line: 5000}}
    cards: [9H, kd, 10c, 7♠]
    expect: {outcome: player, hands: {player: [9h, 10C], banker: [KD, 7S]}}
"""


def test_cards_and_seats_in_another_spelling_are_those_of_the_format(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "spelled.yml"
    file.write_text(SPELLED.replace("Bankers_EZ_Baccarat_Panda_8", "bankers-ez-baccarat-panda-8"))
    assert main([str(file)]) == 0
    assert capsys.readouterr().out == "1 passed, 0 failed\n"


def test_a_game_in_another_spelling_fails_with_the_ruleset_that_was_meant(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "spelled.yml").write_text(SPELLED)
    assert main([str(tmp_path)]) == 1
    why, counts = capsys.readouterr().out.splitlines()
    assert why.endswith("meant bankers-ez-baccarat-panda-8? (1 cases)")
    assert counts == "0 passed, 1 failed"
