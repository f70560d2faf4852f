"""How worked rounds are run and compared: what a case may leave open, and what it may not."""

from __future__ import annotations

from typing import Any

import pytest

from controller.cases.runner import run_case
from controller.rules import all_rulesets

HOLDEM = "village-holdem"
SHOWDOWN: dict[str, Any] = {
    "id": "showdown",
    "table": {
        "seats": [1, 2, 3],
        "button": 1,
        "structure": {"kind": "fixed_limit", "low": 300, "high": 600},
        "blinds": {2: 100, 3: 300},
        "stacks": {1: 30000, 2: 30000, 3: 30000},
    },
    "cards": ["Ah", "6c", "Qd", "Kh", "6d", "Jd", "3s", "Kd", "9h", "4c", "7s", "6h", "2c", "5d"],
    "acts": [
        {"seat": 1, "do": "call", "to": 300},
        {"seat": 2, "do": "call", "to": 300},
        {"seat": 3, "do": "check"},
        *({"seat": seat, "do": "check"} for _ in range(3) for seat in (2, 3, 1)),
    ],
}


def problems(expect: dict[str, Any], **changed: Any) -> list[str]:
    """What the runner has to say about the showdown, with this expectation."""
    return run_case(all_rulesets()[HOLDEM], {**SHOWDOWN, **changed, "expect": expect})


@pytest.mark.parametrize("seats", [[1, 2, 3], [3, 1, 2]])
def test_who_competes_for_a_pot_has_no_order(seats: list[int]) -> None:
    assert problems({"pots": [{"cents": 900, "seats": seats, "to": {3: 900}}]}) == []


def test_a_seat_too_few_in_a_pot_is_a_mismatch() -> None:
    assert problems({"pots": [{"cents": 900, "seats": [1, 2], "to": {3: 900}}]})


def test_what_did_not_happen_may_be_said_or_left_out() -> None:
    assert problems({"ruling": None, "void": False, "returned": {}, "more": {"dead_hands": {}, "carried": 0}}) == []


@pytest.mark.parametrize("claim", [{"carried": 100}, {"dead_hands": {2: "flop"}}, {"reshuffle": True}])
def test_what_did_not_happen_cannot_be_claimed(claim: dict[str, Any]) -> None:
    assert problems({"more": claim})


def test_a_question_without_acts_is_dealt_to_the_first_decision() -> None:
    asked = {"action_seat": 1, "phase": "bet_preflop", "more": {"legal": ["call", "fold", "raise"]}}
    assert problems(asked, kind="legality", acts=[]) == []


def test_a_question_after_a_closed_betting_round_is_dealt_to_the_next_decision() -> None:
    asked = {"action_seat": 2, "phase": "bet_flop", "more": {"legal": ["bet", "check", "fold"]}}
    assert problems(asked, kind="legality", acts=SHOWDOWN["acts"][:3]) == []


def test_a_blind_that_may_check_does_not_call_nothing() -> None:
    asked = {"action_seat": 3, "more": {"legal": ["check", "fold", "raise"]}}
    assert problems(asked, kind="legality", acts=SHOWDOWN["acts"][:2]) == []


def test_an_event_that_comes_with_a_card_is_of_the_seat_that_got_it() -> None:
    cards = [*SHOWDOWN["cards"][:3], {"card": "Kh", "event": "hole_card_exposed_by_dealer"}, "6d", "Jd", "8c"]
    acts = [{"seat": 1, "do": "fold"}, {"seat": 2, "do": "fold"}]
    replaced = {"ruling": "replace_after_deal", "hands": {2: ["Ah", "8c"]}}
    assert problems(replaced, cards=cards, acts=acts) == []
