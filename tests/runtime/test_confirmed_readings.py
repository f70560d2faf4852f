"""A house confirms the readings of a live table, and the running daemon takes them: the whole way, by its commands."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from controller.cli.main import main
from controller.clock import SystemClock
from controller.config import Config, read_config
from controller.engine.expect.expectation import prompt
from controller.engine.round.setup import Setup
from controller.engine.table.opening import reasons
from controller.engine.table.state import TableState
from controller.evidence.attest import as_text, attest
from controller.evidence.verify import verify
from controller.journal import Journal
from controller.recorder.recorder import Recorder
from controller.rules import all_rulesets, load, resolve
from controller.runtime.reload import ConfigReload, started
from controller.runtime.startup import confirmed_readings
from controller.technician.doctor import examine

LIVE = """
site = "room"
table = "t-1"

[rules]
ruleset = "bankers-ez-baccarat-panda-8"

[rules.options]
decks = 6
schedule = "ca-2/ez-baccarat/1"

[mqtt]
start_without_broker = true
[[mqtt.broker]]
port = 1
"""


@pytest.fixture
def config(tmp_path: Path) -> Path:
    path = tmp_path / "cutcard.toml"
    path.write_text(LIVE)
    (tmp_path / "data").mkdir()
    return path


@pytest.fixture
def journal(config: Path) -> Iterator[Journal]:
    opened = Journal.open(config.parent / "data" / "journal.db", site="room", table="t-1")
    yield opened
    opened.close()


def confirm(config: Path, *arguments: str) -> int:
    return main(["rules", "confirm", "--config", str(config), *arguments])


async def test_a_running_daemon_takes_what_the_house_confirms(config: Path, journal: Journal) -> None:
    data, settings = config.parent / "data", read_config(config)
    recorder = Recorder(journal, resolve, SystemClock(), started(settings, "", confirmed_readings(settings, data)))
    await recorder.submit(started(settings, "", confirmed_readings(settings, data)), "daemon")
    assert "not confirmed by the house: decks" in prompt(recorder.engine.expectation)

    async def take(_: Config) -> None:
        """Nothing here goes by it."""

    reload = ConfigReload(config, recorder, lambda: settings, take, lambda new: confirmed_readings(new, data))
    assert (await reload.apply("tech", is_answered=True)).lines == ("Nothing has changed.",)
    assert confirm(config, "--all", "--by", "R. Ortega") == 0
    assert (await reload.apply("tech", is_answered=True)).lines == ("Changed: readings.",)
    assert "not confirmed" not in prompt(recorder.engine.expectation)
    assert recorder.engine.state.confirmed == confirmed_readings(settings, data)
    assert verify(journal.path, resolve).findings == []


OWN = {
    "document": "of the house",
    "collect_at": "before_deal",
    "fee": [{"payer": "player", "basis": "per_hand", "fee": 100}],
}
"""What a house writes where the documents print no collection."""


@pytest.mark.parametrize("slug", [slug for slug in all_rulesets() if slug != "calgrand-betting-structures"])
def test_a_house_that_confirms_everything_opens_a_live_table_of_every_game(
    slug: str, config: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    posted = load(slug).proposed_schedule() or OWN
    config.write_text(
        LIVE.replace("bankers-ez-baccarat-panda-8", slug)
        .replace("decks = 6\n", "")
        .replace('"ca-2/ez-baccarat/1"', in_toml(posted))
        + "[seating]\nseats = [1, 2, 3]\nplayer_dealer = 4\n"
    )
    assert confirm(config, "--all", "--by", "R. Ortega") == 0, capsys.readouterr().err
    capsys.readouterr()
    assert main(["config", "check", "--config", str(config)]) == 0
    assert "not confirmed" not in capsys.readouterr().out
    settings = read_config(config)
    state = TableState(Setup(), confirmed=confirmed_readings(settings, config.parent / "data"))
    assert list(reasons(state, resolve(settings.rules.ruleset, settings.rules.options))) == []
    assert state.confirmed
    assert list(reasons(TableState(Setup(), confirmed=()), resolve(settings.rules.ruleset, settings.rules.options)))


def in_toml(value: Any) -> str:
    """A value on one line."""
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{name} = {in_toml(item)}" for name, item in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(in_toml, value)) + "]"
    return json.dumps(value)


def test_test_mode_is_given_no_confirmations(config: Path) -> None:
    config.write_text(f"test = true\n{LIVE}")
    assert confirmed_readings(read_config(config), config.parent / "data") is None


async def test_doctor_check_and_attest_name_what_is_open(config: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (finding,) = [line for line in (await examine(config)).lines if line.topic == "readings"]
    assert finding.verdict == "FAIL"
    assert "not confirmed: decks, " in finding.text
    assert f"cutcard rules confirm --config {config}" in finding.text
    assert main(["config", "check", "--config", str(config)]) == 0
    assert "Until then no round begins" in capsys.readouterr().out
    assert "decks = 6: NOT CONFIRMED" in as_text(attest(config))
    assert confirm(config, "--all", "--by", "R. Ortega") == 0
    (finding,) = [line for line in (await examine(config)).lines if line.topic == "readings"]
    assert finding.verdict == "ok"
    assert "decks = 6: R. Ortega, 20" in as_text(attest(config))
    capsys.readouterr()
    assert main(["config", "check", "--config", str(config)]) == 0
    assert "confirm" not in capsys.readouterr().out


def test_another_value_is_open_again_and_shown_as_changed(config: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert confirm(config, "--all", "--by", "R. Ortega") == 0
    config.write_text(LIVE.replace("decks = 6", "decks = 8"))
    capsys.readouterr()
    assert main(["config", "check", "--config", str(config)]) == 0
    assert "not confirmed: decks (changed)." in capsys.readouterr().out


def test_a_file_of_answers_leaves_open_what_it_does_not_answer(
    config: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    answers = config.parent / "answers.toml"
    answers.write_text('by = "R. Ortega"\n[answers]\ndecks = 6\nburn = "none"\n')
    assert confirm(config, "--answers", str(answers)) == 1
    out = capsys.readouterr().out
    assert "2 readings are confirmed by R. Ortega" in out
    assert "banker_three_card_seven" in out


def test_a_confirmation_needs_a_name_and_somebody_to_answer(config: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert confirm(config, "--all") == 2
    assert confirm(config) == 2
    said = capsys.readouterr().err
    assert "Who confirms?" in said
    assert "Nobody is there to answer" in said


def test_a_file_of_the_site_is_taken_by_another_table(config: Path, tmp_path: Path) -> None:
    main(["rules", "confirm", "--config", str(config), "--all", "--by", "R. Ortega"])
    other = tmp_path / "other"
    (other / "data").mkdir(parents=True)
    key = (attest(config).readings[0]).key
    table = LIVE.replace("t-1", "t-2").replace("[rules]", f'[rules]\nconfirmation_keys = ["{key}"]')
    (other / "cutcard.toml").write_text(LIVE.replace("t-1", "t-2"))
    copied = str(config.parent / "data" / "readings.json")
    assert confirm(other / "cutcard.toml", "--from", copied) == 1
    (other / "cutcard.toml").write_text(table)
    assert confirm(other / "cutcard.toml") == 0
