"""The table's sign: game, limits and fees from the data that charges, as a page and as lines for a reader board."""

from __future__ import annotations

from html.parser import HTMLParser
from pathlib import Path

import pytest

from controller.cli.main import main
from controller.rules import RulesError, load
from controller.rules.schedules import all_schedules
from controller.rules.sign import as_board, as_page, sign

Printed = pytest.CaptureFixture[str]
EZ, HOLDEM = "bankers-ez-baccarat-panda-8", "bankers-texas-holdem"


def said(capsys: Printed, *arguments: str) -> str:
    assert main(["rules", "sign", *arguments]) == 0
    return capsys.readouterr().out


def test_the_sign_names_the_game_its_limits_and_every_fee(capsys: Printed) -> None:
    lines = said(capsys, EZ, "--schedule", "ca-2/ez-baccarat/1").splitlines()
    assert lines[:2] == ["EZ BACCARAT PANDA 8", "TABLE $10.00 TO $500.00"]
    assert "$10.00-$500.00 $0.00" in lines  # a fee of nothing is shown too
    assert "$1,201.00+ $12.00" in lines
    assert "FEES ARE TAKEN AND DROPPED BEFORE THE" in lines
    assert "CA-2/EZ-BACCARAT/1 (OPTION 1)" in lines
    assert max(map(len, lines)) <= 40


def test_options_posted_together_are_one_sign(capsys: Printed) -> None:
    lines = said(capsys, HOLDEM, "--schedule", "poker-1/limit/13", "--schedule", "poker-1/limit/14").splitlines()
    at = lines.index("FROM THE POT PER HAND, AFTER THE FLOP")
    assert lines[at + 1 : at + 3] == ["7+ PLAYERS $3.00", "5-6 PLAYERS $2.00"]
    assert "AFTER THE FLOP, JACKPOT BOX" in lines


def test_the_page_stands_alone(capsys: Printed) -> None:
    page = said(capsys, EZ, "--schedule", "ca-2/ez-baccarat/1", "--html")
    found: list[str] = []

    class Reader(HTMLParser):
        def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
            found.append(tag)
            assert not {"src", "href"} & {name for name, _ in attributes}

    Reader().feed(page)
    assert found.count("h1") == 1
    assert found.count("li") == 6
    assert "No fee is a percentage" in page


def test_the_sign_of_a_configured_table_is_that_of_its_schedule(tmp_path: Path, capsys: Printed) -> None:
    config = tmp_path / "cutcard.toml"
    config.write_text(
        f'site = "s"\ntable = "t"\n[rules]\nruleset = "{EZ}"\n[rules.options]\nschedule = "ca-2/ez-baccarat/2"\n'
    )
    assert "CA-2/EZ-BACCARAT/2 (OPTION 2)" in said(capsys, "--config", str(config))


def test_without_a_schedule_there_is_no_sign(capsys: Printed) -> None:
    assert main(["rules", "sign", EZ]) != 0
    assert "Which schedule?" in capsys.readouterr().err
    with pytest.raises(RulesError, match="is no collection schedule"):
        sign(load(EZ), "ca-2/pure-21-5/1")


def test_every_schedule_that_a_ruleset_may_post_as_it_stands_makes_a_sign() -> None:
    made = 0
    for slug in (EZ, HOLDEM, "bankers-pure-21-5-blackjack", "turlock-ultimate-texas-holdem"):
        rules = load(slug)
        names = [name for name, item in all_schedules().items() if item.cardroom == rules.data.cardroom]
        for name in names:
            if rules.fee_game in all_schedules()[name].schedule.games:
                posted = sign(rules, name)
                assert all(fee.bands for fee in posted.fees)
                assert as_board(posted)
                assert posted.game.split("'")[0] in as_page(posted)
                made += 1
    assert made > 300
