"""One seed, one day: whatever else the machine does, however many days run at once, wherever their journals are."""

from __future__ import annotations

import argparse
import shlex
from pathlib import Path

import pytest

from controller.cli import main
from controller.cli.simulated.soak import add_command
from controller.demo.needs import Needs, NotDealt, needs_of
from controller.rules import all_rulesets
from controller.soak.choice import GAMES
from controller.soak.command import again, plans_of
from controller.soak.day import Plan
from tests.long import seeds
from tests.support.running.brokers import needs_mosquitto
from tests.support.turns import part, this_turn, turn


def dealt_from(needs: Needs) -> str:
    """What kind of table a game is dealt at."""
    if needs.by_hand:
        return "the dealer's hands"
    if needs.stacks:
        return "a shuffler"
    return "a shoe, poker" if needs.pots else "a shoe"


def games_of_this_turn() -> list[str]:
    """One game of every second kind of table, others with each commit."""
    kinds: dict[str, list[str]] = {}
    for slug in all_rulesets():
        try:
            kinds.setdefault(dealt_from(needs_of(slug)), []).append(slug)
        except NotDealt:
            continue
    return part([this_turn(games) for games in kinds.values()], of=2)


@pytest.mark.broker
@needs_mosquitto
def test_a_day_depends_on_its_seed_and_on_nothing_else() -> None:
    games = games_of_this_turn()
    options = ["--tables", str(len(games)), "--games", ",".join(games), "--seed", str(turn() % 1_000_000)]
    options += ["--hours", "0.1", "--faults", "100", "--mistakes", "0.2"]
    alone, disturbed = seeds.days(options, jobs=1), seeds.days(options, jobs=2, busy=1)
    assert [day["game"] for day in alone] == games
    assert all(day["inputs"] > 20 for day in alone)
    found = [
        f"{first['game']}, seed {first['seed']}: {text}"
        for first, second in zip(alone, disturbed, strict=True)
        for text in seeds.differences(first, second)
    ]
    assert found == [], f"cutcard soak {' '.join(options)}"


AWKWARD = Plan(GAMES[1], seed=8, hours=1 / 3, faults_per_hour=0.1 + 0.2, mistakes=1e-7, pace=2 / 7)


@pytest.mark.parametrize("plan", [Plan(GAMES[0], seed=3), AWKWARD, Plan(GAMES[2], 5, only=("jam", "daemon_killed"))])
def test_the_line_that_runs_a_day_again_gives_that_very_plan(plan: Plan) -> None:
    parser = argparse.ArgumentParser()
    add_command(parser.add_subparsers().add_parser)
    program, *arguments = shlex.split(again(plan))
    chosen = parser.parse_args([*arguments, "--jobs", "3", "--keep", "elsewhere"])
    assert program == "cutcard"
    assert plans_of(chosen, chosen.seed) == [plan]


def test_a_day_of_many_is_planned_as_it_would_be_alone() -> None:
    parser = argparse.ArgumentParser()
    add_command(parser.add_subparsers().add_parser)
    chosen = parser.parse_args(["soak", "--tables", "7", "--seed", "4", "--hours", "2"])
    for plan in plans_of(chosen, 4):
        alone = parser.parse_args(shlex.split(again(plan))[1:])
        assert plans_of(alone, alone.seed) == [plan]


def test_a_day_is_not_begun_on_the_journal_of_an_earlier_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "day-5").mkdir()
    assert main.main(["soak", "--tables", "2", "--seed", "4", "--keep", str(tmp_path)]) == 2
    assert "day-5 holds a day of an earlier soak" in capsys.readouterr().err
