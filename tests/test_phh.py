"""Hand histories in PHH: what they tell, our table deals, and the other way round."""

from __future__ import annotations

from pathlib import Path

import pytest

from controller.engine import events as ev
from controller.engine.felt import Setup
from controller.engine.state import TableState
from controller.engine.table import TableEngine
from controller.rules import load
from tests.phh import make
from tests.phh.convert import RULESET, actions, inputs
from tests.phh.history import History, read, read_folder, write
from tests.phh.pokerkit_table import finishing_stacks

SAMPLE = read(make.FILE)

BIG_BLIND_CHECKS = History(
    "NT",
    antes=[0, 0, 0],
    blinds_or_straddles=[50, 100, 0],
    min_bet=100,
    starting_stacks=[10000, 10000, 10000],
    actions=[
        *("d dh p1 QdAs", "d dh p2 8dAc", "d dh p3 7dTd"),
        *("p3 cc", "p1 cc", "p2 cc"),
        *("d db 2hAhJs", "p1 cc", "p2 cc", "p3 cbr 300", "p1 f", "p2 f"),
    ],
    finishing_stacks=[9900, 9900, 10200],
)
ALL_IN = History(
    "NT",
    antes=[10, 10],
    blinds_or_straddles=[50, 100],
    min_bet=100,
    starting_stacks=[1000, 5000],
    actions=["d dh p1 AhAd", "d dh p2 2c7d", "p2 cbr 4990", "p1 cc", "d db KsKdQc", "d db 3s", "d db 4s", "p1 sm AhAd"],
    finishing_stacks=[2000, 4000],
)


def dealt(hand: History) -> list[int]:
    """The stacks after our table has dealt the hand; nothing may be refused on the way."""
    rules = load(RULESET)
    engine = TableEngine(rules.game, rules.options(), TableState(Setup()), RULESET)
    for value in inputs(hand):
        for event in engine.apply(value):
            assert not isinstance(event, ev.Refused | ev.Held | ev.Irregularity), (value.body, event)
    assert engine.last is not None
    net = engine.last.document["net"]
    return [stack + net[seat] for seat, stack in enumerate(hand.starting_stacks, start=1)]


@pytest.mark.parametrize("hand", SAMPLE, ids=lambda hand: f"{hand.players} players, {len(hand.actions)} actions")
def test_a_history_dealt_at_our_table_ends_as_it_tells(hand: History) -> None:
    assert dealt(hand) == hand.finishing_stacks == finishing_stacks(hand)


@pytest.mark.parametrize("hand", [BIG_BLIND_CHECKS, ALL_IN])
def test_a_check_is_told_from_a_call_and_an_ante_from_a_blind(hand: History) -> None:
    assert dealt(hand) == hand.finishing_stacks == finishing_stacks(hand)


@pytest.mark.parametrize("hand", [*SAMPLE, BIG_BLIND_CHECKS])
def test_inputs_told_as_a_history_are_the_history(hand: History) -> None:
    left_out, rest = [], list(hand.actions)
    for action in actions(inputs(hand)):
        while rest[0] != action:
            left_out.append(rest.pop(0))
        rest.pop(0)
    # Our table does not ask a hand that has nobody left to bet against; PHH has a check for it.
    assert all(action.endswith("cc") for action in left_out + rest)


def test_the_sample_is_what_the_bot_plays_from_its_seed() -> None:
    assert list(make.hands()) == SAMPLE


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    file = tmp_path / "hands.phhs"
    file.write_text(write(SAMPLE, "two\nlines"))
    assert read(file) == SAMPLE


def test_hands_of_other_games_and_with_hidden_cards_are_passed_over(tmp_path: Path) -> None:
    (tmp_path / "1.phh").write_text("variant = 'F7S'\nactions = []\n")
    hidden = [action.replace("2c7d", "????") for action in ALL_IN.actions]
    both = [ALL_IN, History("NT", ALL_IN.antes, [50, 100], 100, ALL_IN.starting_stacks, hidden, [1000, 5000])]
    (tmp_path / "2.phhs").write_text(write(both, "one of them hides a hand"))
    assert read_folder(tmp_path, most=9) == [ALL_IN]


def test_what_is_no_hold_em_action_is_named() -> None:
    with pytest.raises(ValueError, match="p1 sd"):
        inputs(History("NT", [0, 0], [1, 2], 2, [9, 9], ["p1 sd"], [9, 9]))
