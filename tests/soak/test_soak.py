"""Some minutes of a table day in simulated time: people, faults, and what must be true in the end."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from msgspec.structs import replace

from controller.cli import main
from controller.engine.inputs import AnyBody, BetsClosed, FloorAct, Happening
from controller.journal import JournalReader
from controller.rules import load
from controller.soak.broker import Subscriber
from controller.soak.checks import Ledger, delivery
from controller.soak.choice import GAMES
from controller.soak.command import dealt_rulesets
from controller.soak.day import Plan, Report, pace_problems, soak
from sim_hw.people.crew import Crew
from sim_hw.people.sight import Sight
from tests.support.evidence_journals import Play, play
from tests.support.running.brokers import needs_mosquitto
from tests.support.turns import part, this_turn

pytestmark = [pytest.mark.broker, needs_mosquitto]


SOME_MINUTES = Plan(GAMES[0], seed=11, hours=0.05, faults_per_hour=80.0, mistakes=0.2)


def a_day(folder: Path, plan: Plan = SOME_MINUTES) -> Report:
    return soak(plan, folder)


def families() -> dict[str, list[str]]:
    """The rulesets of each family of games, by the package or module that deals them."""
    found: dict[str, list[str]] = {}
    for slug in dealt_rulesets():
        module = type(load(slug).game).__module__
        package = module.rpartition(".")[0]
        found.setdefault(module if package == "controller.games" else package, []).append(slug)
    return found


@pytest.mark.parametrize("game", part([this_turn(rulesets) for rulesets in families().values()], of=2))
def test_some_minutes_with_faults_and_mistakes_break_no_promise(game: str, tmp_path: Path) -> None:
    """One ruleset of every second family, others with each commit; `make soak-all` deals all of them for hours."""
    report = a_day(tmp_path, replace(SOME_MINUTES, game=game))
    assert report.violations == []
    assert report.rounds > 0
    assert report.events > 0


def test_the_floor_signs_in_again_after_minutes_of_the_day_not_of_the_machine(tmp_path: Path) -> None:
    a_day(tmp_path, replace(SOME_MINUTES, game="bankers-texas-holdem", hours=0.27, faults_per_hour=0.0))
    with JournalReader.read(tmp_path / "data" / "journal.db") as reader:
        texts = [entry.input.decode() for entry in reader.entries(1)]
    assert sum('"signed_in"' in text and "floor:ann" in text for text in texts) > 1


def test_a_kill_in_mid_day_loses_nothing_and_repeats_nothing(tmp_path: Path) -> None:
    report = a_day(tmp_path, replace(SOME_MINUTES, only=("daemon_killed",), faults_per_hour=200.0))
    assert report.violations == []
    assert report.starts == 1 + report.faults["daemon_killed"]


def test_a_piece_that_falls_with_the_last_card_of_the_day_is_counted(tmp_path: Path) -> None:
    """Found by a soak: the day ended before the sensor of the jackpot box was read again."""
    report = a_day(tmp_path, replace(SOME_MINUTES, game="village-baduci"))
    assert report.mistakes["spare_chip"] > 0
    assert report.violations == []


def test_a_hole_at_the_subscriber_is_a_violation(tmp_path: Path) -> None:
    a_day(tmp_path, replace(SOME_MINUTES, hours=0.02, faults_per_hour=0.0))
    nobody = Subscriber(0, "5", "")
    assert list(delivery(tmp_path / "data" / "journal.db", nobody)) == [
        "event 1 is in the journal and never reached the subscriber"
    ]


def test_the_command_prints_each_day_in_a_line(capfd: pytest.CaptureFixture[str]) -> None:
    arguments = ["--tables", "1", "--hours", "0.02", "--seed", "3", "--faults", "0", "--json", "--jobs", "1"]
    assert main.main(["soak", *arguments]) == 0
    (line,) = capfd.readouterr().out.splitlines()
    day = json.loads(line)
    assert (day["game"], day["seed"], day["violations"]) == (GAMES[0], 3, [])


def test_a_sheet_that_only_answers_questions_cannot_be_soaked(capsys: pytest.CaptureFixture[str]) -> None:
    assert main.main(["soak", "--games", "no-such-game"]) == 2
    assert "no-such-game" in capsys.readouterr().err


def test_a_day_that_does_not_end_has_lost_nothing_for_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Worried(Crew):
        async def look(self) -> Sight:
            return replace(await super().look(), alarms={"nobody:else:sees": "nothing is wrong"})

    monkeypatch.setattr("controller.soak.day.Crew", Worried)
    report = a_day(tmp_path, replace(SOME_MINUTES, hours=0.01, faults_per_hour=0.0, mistakes=0.0))
    assert any("the day does not end" in violation for violation in report.violations)
    assert not any("the subscriber has" in violation for violation in report.violations)


@pytest.mark.parametrize(
    ("game", "least"),
    [
        ("bankers-ez-baccarat-panda-8", 60),
        ("calgrand-pai-gow-tiles", 60),
        ("bankers-texas-holdem", 40),
        ("bankers-mexican-poker-salinas", 40),  # asks the floor for nothing
        ("calgrand-panguingue", 15),
        ("turlock-panguingue", 15),
        ("village-chinese-poker", 15),
    ],
)
def test_a_day_with_fewer_rounds_than_a_cardroom_deals_proves_nothing(game: str, least: int) -> None:
    plan = Plan(game, 2007, 2)
    enough, too_few = (
        Report(game, 2007, 2, rounds=rounds, mistakes={"spare_chip": 9}) for rounds in (least, least - 1)
    )
    assert pace_problems(plan, enough) == []
    text = f"only {least - 1} rounds were dealt to their end in 2 hours, not {least}"
    assert pace_problems(plan, too_few) == [text]


def test_a_day_of_void_rounds_proves_nothing() -> None:
    plan = Plan(GAMES[0], 2007, 2)
    assert pace_problems(plan, Report(plan.game, 2007, 2, rounds=100, void=21, mistakes={"spare_chip": 30})) == [
        "21 of 100 rounds are void"
    ]
    assert pace_problems(plan, Report(plan.game, 2007, 2, rounds=100, void=3, mistakes={"spare_chip": 2})) == [
        "3 rounds are void, and only 2 things went wrong"
    ]


async def a_void_round(table: Play, *before: AnyBody, reason: str) -> None:
    await table.shoe()
    await table.do(BetsClosed(), *before, FloorAct("void", reason), by="floor:ann")


@pytest.mark.parametrize(
    ("before", "reason", "void_for"),
    [
        ((), "", {}),
        ((), "a card was misread", {"a card was misread": 1}),
        ((Happening("dealer_stops"),), "", {"dealer_stops": 1}),
    ],
)
def test_a_round_is_void_for_something_that_went_wrong_in_it(
    tmp_path: Path, before: tuple[AnyBody, ...], reason: str, void_for: dict[str, int]
) -> None:
    journal = tmp_path / "journal.db"
    play(journal, lambda table: a_void_round(table, *before, reason=reason))
    ledger = Ledger(journal)
    assert ledger.void_for == void_for
    assert any("nothing went wrong in it" in problem for problem in ledger.problems) is not bool(void_for)
