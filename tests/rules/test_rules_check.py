"""`cutcard rules check`: a ruleset that contradicts itself is refused with file, key and reason."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from controller.cli.main import main
from controller.engine.cards.card import standard_deck
from controller.games import GAMES
from controller.games.ante.ultimate_holdem.script import UltimateHoldem
from controller.rules import RulesError, all_rulesets, load
from controller.rules.check import check, problems
from controller.rules.schedules import all_schedules
from tests.support.project import ROOT

RULES = ROOT / "controller" / "rules"
EZ = (RULES / "bankers" / "ez-baccarat-panda-8.toml").read_text()
UTH = (RULES / "bankers" / "ultimate-texas-holdem.toml").read_text()
PURE = (RULES / "bankers" / "pure-21-5-blackjack.toml").read_text()
Printed = pytest.CaptureFixture[str]


def changed(text: str, old: str, new: str) -> bytes:
    assert text.count(old) == 1, old
    return text.replace(old, new).encode()


def test_every_ruleset_and_every_schedule_of_the_project_can_be_dealt(capsys: Printed) -> None:
    assert main(["rules", "check"]) == 0
    said = f"{len(all_rulesets())} rulesets, {len(all_schedules())} schedules, 0 problems"
    assert capsys.readouterr().out.strip() == said


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ('slug = "bankers-ez-baccarat-panda-8"', "slug = 8", "slug: expected a text, a whole number came"),
        ('title = "EZ Baccarat Panda 8"', "", "the field title is missing"),
        ('title = "EZ Baccarat Panda 8"', 'name = "EZ"\ntitle = "EZ"', "there is no field name"),
        (
            'slug = "bankers-ez-baccarat-panda-8"',
            'slug = "bankers-ez-baccarat"',
            "slug: 'bankers-ez-baccarat' does not match the file's name; it would be bankers/ez-baccarat.toml",
        ),
        (
            'cardroom = "bankers"',
            'cardroom = "calgrand"',
            "slug: 'bankers-ez-baccarat-panda-8' does not begin with the cardroom, calgrand-",
        ),
        ('game = "ez-baccarat-panda-8"', 'game = "go-fish"', "game: 'go-fish' is none of ez-baccarat-panda-8, "),
        ("[options.decks]\ndefault = 8", "[options.decks]", "options.decks.default: missing"),
        (
            'approval = "GEGA-003975"',
            'approval = "GEGA-003975"\nnote = "A tie pushes (A3)."',
            "note: A3 is a reading; write it as [readings.NAME], or as an option with `reading`",
        ),
        (
            'letter = "A3"\nsource = "1205-1208"',
            'letter = "A3"',
            "readings.line_on_tie.source: missing, the lines that leave it open",
        ),
        ("[readings.line_on_tie]", "[readings.decks]", "readings.decks: an option has that name"),
        (
            "[options.decks]\ndefault = 8",
            '[options.decks]\ndefault = "eight"',
            "options.decks.default: expected a whole number, a text came (it is 'eight')",
        ),
        (
            "[options.decks]\ndefault = 8",
            "[options.decks]\ndefault = 9",
            "options.decks.default: expected a whole number of at most 8 (it is 9)",
        ),
        (
            "[options.decks]\ndefault = 8",
            "[options.decks]\ndefault = 8\nwhy = 3",
            "options.decks: there is no field why",
        ),
        (
            'default = "pay"',
            'default = "perhaps"',
            "options.banker_three_card_seven.default: 'perhaps' is none of pay, push (it is 'perhaps')",
        ),
        (
            "[options.bet_close_timer]",
            "[options.bet_timer]",
            "options.bet_timer: the game ez-baccarat-panda-8 has no such option; it has decks, ",
        ),
        (
            "[options.bet_close_timer]",
            "[options.bet_timer]",
            "options.bet_close_timer: missing, the game ez-baccarat-panda-8 needs it",
        ),
        ("[sheet]", "[sheet]\ndecks = 8", "options.decks: [sheet] fixes it, so no table can choose it"),
        ("[sheet]", "[sheet]\ncolour = 8", "sheet.colour: the game ez-baccarat-panda-8 has no such option"),
        ('tie = "8:1"', 'tie = "8 to 1"', "pays.tie: '8 to 1' is no odds; write them as 3:2 or 40:1"),
        ('tie = "8:1"', 'tie = "0:1"', "pays.tie: '0:1' is no odds"),
        ('tie = "8:1"', "tie = 8.5", "pays.tie: 8.5 is neither odds such as 3:2 nor an amount in cents"),
        ('tie = "8:1"', "", "pays: the field tie is missing"),
        ('tie = "8:1"', 'tie = "8:1"\npair = "11:1"', "pays: there is no field pair"),
        ('kind = "offer"', 'kind = "perhaps"', "rotation.kind: 'perhaps' is none of stop, limit, offer"),
        (
            'kind = "offer"\n',
            "",
            "rotation.kind: missing; where the text leaves it open, write the option rotation_kind",
        ),
        ('kind = "1136"\n', "", "rotation.source.kind: missing, the lines of the approval"),
        ('kind = "offer"\n', 'kind = "offer"\nvoid_hand = "counts"\n', "rotation.void_hand: write it here, where"),
        (
            "[options.rotation_void_hand]",
            "[options.rotation_speed]",
            "options.rotation_speed: there is no such point of a rotation; there is kind, direction, ",
        ),
        (
            'default = "does_not_count"',
            'default = "never"',
            "options.rotation_void_hand.default: 'never' is none of counts, does_not_count",
        ),
        ("[options.decks]", "[options.decks", "this is not TOML: Expected ']' at the end of"),
    ],
)
def test_a_contradiction_is_refused_with_file_key_and_reason(old: str, new: str, problem: str) -> None:
    file = "bankers/ez-baccarat-panda-8.toml"
    found = problems(changed(EZ, old, new), file)
    assert any(line.startswith(f"{file}: {problem}") for line in found), found


def test_all_that_is_wrong_with_the_options_is_reported_at_once() -> None:
    wrong = EZ.replace("default = 8", "default = 99").replace('default = "pay"', 'default = "maybe"')
    assert len(problems(wrong.encode(), "bankers/ez-baccarat-panda-8.toml")) == 2


def test_a_row_for_a_hand_that_the_deck_cannot_make_is_refused() -> None:
    text = changed(UTH, "[pays.trips]", '[pays.trips]\nfive_of_a_kind = "200:1"')
    (problem,) = problems(text, "bankers/ultimate-texas-holdem.toml")
    assert problem.startswith("bankers/ultimate-texas-holdem.toml: pays.trips.five_of_a_kind: ")


class ShortDeck(UltimateHoldem):
    """A game whose options do not know that its deck has no four of a kind."""

    slug = "short-deck"

    def deck(self, options: Any) -> dict[str, int]:
        return {card.code: 1 for card in standard_deck() if card.suit != 0}


def test_a_row_is_held_against_the_deck_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, "short-deck", ShortDeck())
    text = changed(UTH, 'game = "ultimate-texas-holdem"', 'game = "short-deck"')
    found = problems(text, "bankers/ultimate-texas-holdem.toml")
    assert found == [
        f"bankers/ultimate-texas-holdem.toml: pays.{table}.four_of_a_kind: the deck cannot make that hand; it has 3 of "
        "a kind at most"
        for table in ("trips", "blind")
    ]


def test_a_row_that_no_chart_has_is_refused() -> None:
    text = changed(UTH, "[pays.trips]", '[pays.trips]\nroyal_flussh = "200:1"')
    (problem,) = problems(text, "bankers/ultimate-texas-holdem.toml")
    assert "pays.trips" in problem
    assert "royal_flussh" in problem


def test_options_that_do_not_go_together_are_refused() -> None:
    text = changed(PURE, "[options.insurance]\ndefault = false", "[options.insurance]\ndefault = true")
    (problem,) = problems(text, "bankers/pure-21-5-blackjack.toml")
    assert problem == "bankers/pure-21-5-blackjack.toml: insurance = true needs pure_pays = '3:2', not '6:5'"


def test_a_schedule_that_the_room_does_not_have_is_refused() -> None:
    name = "turlock/fortune-pai-gow-poker.toml"
    text = (RULES / name).read_text()
    (problem,) = problems(changed(text, '[options.schedule]\ndefault = ""', '[options.schedule]\ndefault = "x"'), name)
    assert problem.startswith(f"{name}: schedule = 'x' is no collection schedule of fortune-pai-gow-poker at turlock")


def test_a_draft_is_checked_by_its_path(tmp_path: Path, capsys: Printed) -> None:
    draft = tmp_path / "bankers-ez-baccarat-panda-8.toml"
    draft.write_text(EZ)
    assert main(["rules", "check", str(draft)]) == 0
    draft.write_bytes(changed(EZ, 'dragon_7 = "40:1"', 'dragon_7 = "40"'))
    capsys.readouterr()
    assert main(["rules", "check", str(draft)]) == 1
    assert capsys.readouterr().out.splitlines() == [
        f"{draft}: pays.dragon_7: '40' is no odds; write them as 3:2 or 40:1",
        "1 rulesets, 0 schedules, 1 problems",
    ]
    misnamed = tmp_path / "baccarat.toml"
    misnamed.write_text(EZ)
    assert "does not match the file's name" in check(str(misnamed)).problems[0]


def test_a_schedule_with_a_gap_is_refused(tmp_path: Path, capsys: Printed) -> None:
    draft = tmp_path / "posted.toml"
    text = (RULES / "bankers" / "collections" / "ez-baccarat.toml").read_text()
    draft.write_text(text)
    assert main(["rules", "check", str(draft)]) == 0
    draft.write_text(text.replace("from = 20100, to = 50000", "from = 30100, to = 50000", 1))
    capsys.readouterr()
    assert main(["rules", "check", str(draft)]) == 1
    (problem, _) = capsys.readouterr().out.splitlines()
    assert problem.startswith(f"{draft}: schedule ca-2/ez-baccarat/1: fee, player_dealer by total_table_action: ")
    assert problem.endswith("gap between 20000 and 30100")


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ('id = "ca-2/ez-baccarat/2"', 'id = "ca-2/ez-baccarat/1"', "id: another schedule of this file has it too"),
        ('games = ["ez-baccarat-panda-8"]', "games = []", "games: none; say which games it is posted for"),
        ("from = 1000,", "from = -1000,", "fee: a band from below zero"),
    ],
)
def test_a_schedule_that_cannot_be_posted_is_refused(tmp_path: Path, old: str, new: str, problem: str) -> None:
    draft = tmp_path / "posted.toml"
    text = (RULES / "bankers" / "collections" / "ez-baccarat.toml").read_text()
    assert old in text
    draft.write_text(text.replace(old, new, 1))
    (found,) = check(str(draft)).problems
    assert found == f"{draft}: schedule ca-2/ez-baccarat/1: {problem}"


def test_a_row_whose_name_is_no_hand_is_refused_with_the_hands_there_are() -> None:
    text = changed(UTH, "[pays.trips]", '[pays.trips]\nfive_aces = "200:1"')
    (problem,) = problems(text, "bankers/ultimate-texas-holdem.toml")
    assert problem.startswith("bankers/ultimate-texas-holdem.toml: pays.trips: 'five_aces' is none of ")
    assert "royal_flush" in problem


def test_one_ruleset_is_checked_by_its_name(capsys: Printed) -> None:
    assert main(["rules", "check", "bankers-ultimate-texas-holdem"]) == 0
    assert "1 rulesets" in capsys.readouterr().out
    assert main(["rules", "check", "nowhere-go-fish"]) == 2
    assert "there is no ruleset 'nowhere-go-fish'" in capsys.readouterr().err
    assert main(["rules", "check", "none.toml"]) == 2
    assert "cannot be read" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("chosen", "says"),
    [
        ({"decks": 9}, "decks: expected a whole number of at most 8"),
        ({"banker_three_card_seven": "maybe"}, "banker_three_card_seven: 'maybe' is none of pay, push"),
        ({"jokers": 2}, "has no option 'jokers'"),
    ],
)
@pytest.mark.clause("CA-11CCR-2071")
def test_what_a_table_may_not_choose_is_refused_with_what_it_may(chosen: dict[str, Any], says: str) -> None:
    with pytest.raises(RulesError, match=says.replace("(", r"\(")):
        load("bankers-ez-baccarat-panda-8").options(chosen)
