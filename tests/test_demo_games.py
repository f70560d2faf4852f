"""The demo shows any ruleset: what its table is laid with follows from the rules themselves."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from controller import cli
from controller.config import read_config
from controller.demo_games import GameTable
from controller.needs import NotDealt, needs_of


@pytest.mark.parametrize(
    ("slug", "devices"),
    [
        ("bankers-ez-baccarat-panda-8", ["shoe", "panel", "boxes"]),
        ("bankers-ultimate-texas-holdem", ["shuffler", "panel", "boxes"]),
        ("turlock-fortune-pai-gow-poker", ["shuffler", "dice", "panel", "boxes"]),
        ("bankers-texas-holdem", ["shoe", "panel", "boxes"]),
    ],
)
def test_a_table_is_laid_with_what_its_game_needs(slug: str, devices: list[str], tmp_path: Path) -> None:
    table = GameTable(slug, seed=1)
    file = tmp_path / "cutcard.toml"
    file.write_text(table.config(1883, 0, "system", tmp_path))
    config = read_config(file)
    assert config.rules.ruleset == slug
    assert [device.id for device in config.devices] == devices


def test_a_shuffler_forms_the_stacks_that_the_game_deals() -> None:
    assert needs_of("bankers-ultimate-texas-holdem").stacks == (2, 5)
    assert needs_of("turlock-fortune-pai-gow-poker").stacks == (7,)
    assert needs_of("bankers-texas-holdem").stacks == ()


def test_a_sheet_that_answers_questions_only_has_no_table() -> None:
    with pytest.raises(NotDealt, match="answers questions only"):
        needs_of("calgrand-betting-structures")


def test_people_deal_a_round_of_another_game_in_the_demo(capfd: pytest.CaptureFixture[str]) -> None:
    wishes = ["--rounds", "1", "--speed", "max", "--headless", "--json", "--seed", "4"]
    assert cli.main(["demo", "--game", "bankers-ultimate-texas-holdem", *wishes]) == 0
    summary = json.loads(capfd.readouterr().out.splitlines()[-1])
    assert list(summary) == ["rounds", "events", "last_seq", "journal_hash"]
    assert summary["rounds"] == 1
    assert summary["events"] == summary["last_seq"] > 10
