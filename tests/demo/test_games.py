"""The demo shows any ruleset: what its table is laid with follows from the rules themselves."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from controller.cli import main
from controller.config import read_config
from controller.demo.games import DemoBroker, GameTable
from controller.demo.needs import NotDealt, needs_of

OPTIONS = ["--speed", "max", "--headless", "--json", "--seed", "4"]


@pytest.mark.parametrize(
    ("slug", "devices"),
    [
        ("bankers-ez-baccarat-panda-8", ["shoe", "panel", "boxes"]),
        ("bankers-ultimate-texas-holdem", ["shuffler", "panel", "boxes"]),
        ("turlock-fortune-pai-gow-poker", ["shuffler", "dice", "panel", "boxes"]),
        ("bankers-texas-holdem", ["shoe", "panel", "boxes"]),
        ("bankers-pai-gow-tiles", ["dice", "panel", "boxes"]),
    ],
)
def test_a_table_is_laid_with_what_its_game_needs(slug: str, devices: list[str], tmp_path: Path) -> None:
    table = GameTable(slug, seed=1)
    file = tmp_path / "cutcard.toml"
    file.write_text(table.config(DemoBroker(1883), 0, "system", tmp_path))
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
    assert main.main(["demo", "--game", "bankers-ultimate-texas-holdem", *OPTIONS, "--rounds", "1"]) == 0
    summary = json.loads(capfd.readouterr().out.splitlines()[-1])
    assert list(summary) == ["rounds", "events", "last_seq", "journal_hash"]
    assert summary["rounds"] == 1
    assert summary["events"] == summary["last_seq"] > 10


@pytest.mark.parametrize("slug", ["bankers-pai-gow-tiles", "turlock-fortune-pai-gow-poker", "bankers-seven-card-stud"])
def test_the_same_seed_gives_the_same_line_with_any_number_of_devices(
    slug: str, capfd: pytest.CaptureFixture[str]
) -> None:
    lines = []
    for _ in range(2):
        assert main.main(["demo", "--game", slug, *OPTIONS, "--rounds", "2"]) == 0
        lines.append(capfd.readouterr().out.splitlines()[-1])
    assert lines[0] == lines[1]
    assert json.loads(lines[0])["rounds"] == 2


def test_a_game_whose_discards_are_dealt_again_deals_the_rounds_it_was_asked_for(
    capfd: pytest.CaptureFixture[str],
) -> None:
    assert main.main(["demo", "--game", "village-deuce-seven-triple-draw", *OPTIONS, "--rounds", "4"]) == 0
    assert json.loads(capfd.readouterr().out.splitlines()[-1])["rounds"] == 4
