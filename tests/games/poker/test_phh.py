"""Hand histories in PHH: our table deals what they record, and writes what it dealt."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from tests.games.poker.phh import make, make_stud_draw, our_table
from tests.games.poker.phh.contradictions import contradiction
from tests.games.poker.phh.convert import actions, dealt_as, inputs
from tests.games.poker.phh.history import History, StacksUnknown, history_of, read, read_folder, write
from tests.games.poker.phh.our_table import Differs, compare
from tests.games.poker.phh.pokerkit_table import finishing_stacks

SAMPLE = read(make.FILE)
STUD_AND_DRAW = read(make_stud_draw.FILE)

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


HIDDEN: dict[str, Any] = {
    "variant": "NT",
    "antes": [0, 0, 0],
    "blinds_or_straddles": [Decimal("0.10"), Decimal("0.25"), 0],
    "min_bet": Decimal("0.25"),
    "starting_stacks": [25, Decimal("54.75"), Decimal("16.35")],
    "actions": [
        *("d dh p1 ????", "d dh p2 ????", "d dh p3 ????", "p3 cbr 0.75", "p1 f", "p2 cc"),
        *("d db 4dQs4s", "p2 cc", "p3 cc", "d db 9h", "p2 cc", "p3 cc", "d db Ad", "p2 cc", "p3 cc"),
        *("p2 sm 8sAh", "p3 sm ????"),
    ],
    "winnings": [0, Decimal("1.52"), 0],
}
"""As a site records it: nobody's cards but the winner's, and what he was paid after rake."""


@pytest.mark.parametrize(
    "hand",
    SAMPLE + STUD_AND_DRAW,
    ids=lambda hand: f"{hand.variant}, {hand.players} players, {len(hand.actions)} actions",
)
def test_a_history_dealt_at_our_table_ends_as_it_records(hand: History) -> None:
    assert our_table.finishing_stacks(hand) == hand.finishing_stacks == finishing_stacks(hand)


@pytest.mark.parametrize("hand", [BIG_BLIND_CHECKS, ALL_IN])
def test_a_check_is_distinguished_from_a_call_and_an_ante_from_a_blind(hand: History) -> None:
    assert our_table.finishing_stacks(hand) == hand.finishing_stacks == finishing_stacks(hand)


def test_the_sample_has_every_game_that_both_know() -> None:
    assert {hand.variant for hand in SAMPLE} == {"NT", "FT", "PO", "FO/8"}
    assert {hand.variant for hand in STUD_AND_DRAW} == {"F7S", "F7S/8", "FR", "F2L3D", "N2L1D", "FB"}


def test_hidden_cards_are_dealt_unread_and_the_shown_hand_is_revealed() -> None:
    hand = history_of(HIDDEN)
    assert hand.starting_stacks == [2500, 5475, 1635] and hand.actions[3] == "p3 cbr 75"
    compare(hand)
    assert our_table.result(hand)["net"] == {1: -10, 2: 85, 3: -75}


def test_another_winner_or_another_pot_is_a_difference() -> None:
    with pytest.raises(Differs, match="other winners"):
        compare(history_of({**HIDDEN, "winnings": [0, 0, Decimal("1.52")]}))
    with pytest.raises(Differs, match="another pot was paid out"):
        compare(replace(BIG_BLIND_CHECKS, finishing_stacks=[9900, 9900, 10100]))
    with pytest.raises(Differs, match="another pot was paid out"):
        compare(history_of({**HIDDEN, "winnings": [0, Decimal("1.70"), 0]}))


def test_an_act_that_the_rules_forbid_is_a_difference() -> None:
    with pytest.raises(Differs, match="refused: below_minimum"):
        compare(history_of({**HIDDEN, "actions": [action.replace("0.75", "0.30") for action in HIDDEN["actions"]]}))


RIVER = HIDDEN["actions"].index("d db Ad")
FAULTS: dict[str, dict[str, Any]] = {
    "more is paid than was put in": {"winnings": [0, Decimal("1.77"), 0]},
    "a part of the pot is paid to nobody": {"winnings": [0, Decimal("0.76"), 0]},
    "a hand that was not shown is paid, against one that was": {"winnings": [0, 0, Decimal("1.52")]},
    "a pot is paid though nobody has shown a hand": {
        "actions": [action.replace("8sAh", "????") for action in HIDDEN["actions"]]
    },
    "it breaks off before the hand is over": {"actions": [*HIDDEN["actions"][:RIVER]]},
    "players who have chips left are not asked": {
        "actions": [*HIDDEN["actions"][: RIVER + 1], *HIDDEN["actions"][-2:]]
    },
    "a raise is too small, and its player has chips left": {
        "actions": [action.replace("0.75", "0.30") for action in HIDDEN["actions"]]
    },
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_history_that_contradicts_itself_is_found_by_its_own_arithmetic(fault: str) -> None:
    assert contradiction(history_of({**HIDDEN, **FAULTS[fault]})) == fault


@pytest.mark.parametrize("hand", [history_of(HIDDEN), BIG_BLIND_CHECKS, ALL_IN, *SAMPLE])
def test_a_history_that_agrees_with_itself_is_left_alone(hand: History) -> None:
    assert contradiction(hand) is None


def test_a_bet_that_nobody_called_may_be_counted_among_what_was_paid() -> None:
    acts = [*HIDDEN["actions"][:RIVER], "d db Ad", "p2 cbr 1.00", "p3 f"]
    for paid in ("1.52", "2.52"):
        hand = history_of({**HIDDEN, "actions": acts, "winnings": [0, Decimal(paid), 0]})
        compare(hand)
        assert contradiction(hand) is None


def test_a_history_without_stacks_cannot_be_dealt() -> None:
    with pytest.raises(StacksUnknown):
        history_of({**HIDDEN, "starting_stacks": [Decimal("inf")] * 3})


def test_a_folder_of_histories_is_reported_hand_by_hand(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "1.phhs").write_text(write(SAMPLE[:3], "three hands"))
    (tmp_path / "2.phh").write_text("variant = 'FR'\nactions = []\n")
    lost = replace(SAMPLE[0], finishing_stacks=SAMPLE[0].finishing_stacks[::-1])
    (tmp_path / "3.phhs").write_text(write([lost], "stacks changed places"))
    assert our_table.main([str(tmp_path)]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert (
        "3 as recorded: NT" in said
        and "1 differs: NT: other winners" in said
        and "1 passed over: another game: FR" in said
    )


@pytest.mark.parametrize("hand", [*SAMPLE, BIG_BLIND_CHECKS])
def test_inputs_written_as_a_history_are_the_history(hand: History) -> None:
    left_out, rest = [], list(hand.actions)
    for action in actions(inputs(hand), dealt_as(hand).hole):
        while rest[0] != action:
            left_out.append(rest.pop(0))
        rest.pop(0)
    # Our table does not ask a hand that has nobody left to bet against; PHH has a check for it.
    assert all(action.endswith("cc") for action in left_out + rest)


def test_the_sample_is_what_the_bot_plays_from_its_seed() -> None:
    assert list(make.hands()) == SAMPLE
    assert list(make_stud_draw.hands()) == STUD_AND_DRAW


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    file = tmp_path / "hands.phhs"
    file.write_text(write(SAMPLE, "two\nlines"))
    assert read(file) == SAMPLE


def test_hands_of_other_games_and_with_hidden_cards_are_passed_over(tmp_path: Path) -> None:
    (tmp_path / "1.phh").write_text("variant = 'F7S'\nantes = [1]\nstarting_stacks = [9]\nactions = []\n")
    hidden = [action.replace("2c7d", "????") for action in ALL_IN.actions]
    both = [ALL_IN, History("NT", ALL_IN.antes, [50, 100], 100, ALL_IN.starting_stacks, hidden, [1000, 5000])]
    (tmp_path / "2.phhs").write_text(write(both, "one of them hides a hand"))
    assert read_folder(tmp_path, most=9) == [ALL_IN]


def test_what_is_no_hold_em_action_is_named() -> None:
    with pytest.raises(ValueError, match="p1 sd"):
        inputs(History("NT", [0, 0], [1, 2], 2, [9, 9], ["p1 sd"], [9, 9]))
