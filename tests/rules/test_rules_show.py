"""`cutcard rules list` and `show`, and the exact returns that stand beside the pay tables."""

from __future__ import annotations

import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from controller.cli.main import main
from controller.engine.ranking import Category
from controller.rules import all_rulesets, load
from controller.rules.returns import best_of_seven, every_coup, returns
from tests.support.turns import part

EZ = "bankers-ez-baccarat-panda-8"
UTH = "bankers-ultimate-texas-holdem"
EIGHT_DECKS = 4_998_398_275_503_360
Printed = pytest.CaptureFixture[str]


def shown(printed: Printed, *arguments: str) -> str:
    assert main(["rules", "show", *arguments]) == 0
    return printed.readouterr().out


def edges(slug: str, **chosen: Any) -> dict[str, Fraction]:
    ruleset = load(slug)
    found = returns(ruleset.game, ruleset.options(chosen))
    assert found is not None
    return {wager.wager: wager.edge for wager in found.wagers}


def test_every_ruleset_is_listed_with_its_approval(capsys: Printed) -> None:
    assert main(["rules", "list"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == list(all_rulesets())
    assert any("EZ Baccarat Panda 8 (GEGA-003975)" in line for line in lines)


@pytest.mark.parametrize("slug", part(list(all_rulesets()), 3))
def test_every_option_is_shown(slug: str, capsys: Printed) -> None:
    text = shown(capsys, slug)
    data = load(slug).data
    for name in data.options:
        assert any(line.startswith(f"    {name} ") for line in text.splitlines()), name
    assert load(slug).digest in text


def test_pay_tables_and_schedules_are_shown(capsys: Printed) -> None:
    lines = [line.strip() for line in shown(capsys, UTH).splitlines()]
    assert "trips, best first" in lines
    assert any(line.startswith("royal flush") and "50 to 1" in line for line in lines)
    assert any("ca-2/ultimate-texas-holdem/1: table $5.00" in line for line in lines)


def test_what_a_table_chose_is_shown_with_the_default(tmp_path: Path, capsys: Printed) -> None:
    config = tmp_path / "cutcard.toml"
    config.write_text(f'site = "s"\ntable = "t"\ntest = true\n[rules]\nruleset = "{EZ}"\n[rules.options]\ndecks = 6\n')
    text = shown(capsys, "--config", str(config))
    assert re.search(r"decks +6 \(this table's choice; the +1144", text)
    assert "every ordered outcome of a full shoe of 6 decks" in text


def test_which_ruleset_must_be_said(capsys: Printed) -> None:
    assert main(["rules", "show"]) == 2
    assert "Which ruleset?" in capsys.readouterr().err
    assert main(["rules", "show", "nowhere-go-fish"]) == 2


def test_every_ordered_outcome_of_eight_decks_is_counted() -> None:
    counts = dict.fromkeys(("player", "banker", "tie", "dragon_7", "panda_8"), 0)
    for coup, _, ways in every_coup(8):
        counts[coup.outcome] += ways
        counts["dragon_7"] += ways * coup.dragon_7
        counts["panda_8"] += ways * coup.panda_8
    assert counts == {
        "banker": 2_292_252_566_437_888,
        "player": 2_230_518_282_592_256,
        "tie": 475_627_426_473_216,
        "dragon_7": 112_633_011_329_024,
        "panda_8": 172_660_763_262_976,
    }


def test_the_edges_of_ez_baccarat_are_exact() -> None:
    """By the counts of the test above: what loses, less what is paid."""
    player, banker, tie = 2_230_518_282_592_256, 2_292_252_566_437_888, 475_627_426_473_216
    dragon, panda = 112_633_011_329_024, 172_660_763_262_976
    assert edges(EZ) == {
        "player_line": Fraction(banker - player, EIGHT_DECKS),
        "banker_line": Fraction(player - banker, EIGHT_DECKS),
        "tie": Fraction(EIGHT_DECKS - 9 * tie, EIGHT_DECKS),
        "panda_8": Fraction(EIGHT_DECKS - 26 * panda, EIGHT_DECKS),
        "dragon_7": Fraction(EIGHT_DECKS - 41 * dragon, EIGHT_DECKS),
    }


def test_the_pushed_dragon_is_what_gives_the_bank_its_edge_on_the_banker_line(capsys: Printed) -> None:
    """1.0183 %, as the game is published; by the letter of the approval the players have the edge."""
    pushed = edges(EZ, banker_three_card_seven="push")["banker_line"]
    assert round(float(100 * pushed), 4) == 1.0183
    assert re.search(r"banker line +THE PLAYERS' 1\.2351 %", shown(capsys, EZ))


def test_fees_are_no_part_of_a_wagers_return() -> None:
    assert edges(EZ, schedule="ca-2/ez-baccarat/1") == edges(EZ)


def test_another_number_of_decks_has_other_edges() -> None:
    six, eight = edges(EZ, decks=6)["dragon_7"], edges(EZ)["dragon_7"]
    assert [round(float(100 * edge), 3) for edge in (six, eight)] == [7.606, 7.611]


def test_a_misprinted_pay_table_shows_in_its_edge(monkeypatch: pytest.MonkeyPatch) -> None:
    data = load(EZ).data
    monkeypatch.setitem(data.pays, "dragon_7", "45:1")
    assert edges(EZ)["dragon_7"] < 0


def test_the_hands_of_seven_cards_are_counted_as_the_books_have_them() -> None:
    assert {hand: count for hand, count in best_of_seven().items() if count} == {
        Category.ROYAL_FLUSH: 4_324,
        Category.STRAIGHT_FLUSH: 37_260,
        Category.FOUR_OF_A_KIND: 224_848,
        Category.FULL_HOUSE: 3_473_184,
        Category.FLUSH: 4_047_644,
        Category.STRAIGHT: 6_180_020,
        Category.THREE_OF_A_KIND: 6_461_620,
        Category.TWO_PAIR: 31_433_400,
        Category.PAIR: 58_627_800,
        Category.HIGH_CARD: 23_294_460,
    }


def test_the_trips_bonus_has_its_edge_where_every_hand_counts_by_its_own_cards(capsys: Printed) -> None:
    assert re.search(r"trips +the player-dealer's 1\.9040 % +20,428,900 +133,784,560", shown(capsys, UTH))
    ruleset = load(UTH)
    assert returns(ruleset.game, ruleset.options({"trips_on_fold": "board_only"})) is None
