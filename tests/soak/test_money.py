"""What the soak holds a round's money against: every cent, from round to round."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from controller.engine.inputs import TableSet
from controller.engine.round.felt import Setup
from controller.soak.checks import Middle, money


def test_money_from_nowhere_is_a_violation() -> None:
    even: dict[str, Any] = {"pots": [], "net": {1: 500}, "bank_net": -500, "void": False, "more": {}}
    assert list(money(even)) == []
    assert list(money({**even, "bank_net": -300})) == ["the round's money does not come out even, by 200 cents"]
    assert list(money({**even, "void": True})) == ["a void round moved money"]
    pot = {"pots": [{"cents": 900, "to": {2: 900}}], "net": {1: -450, 2: 450}, "bank_net": 0}
    taken = {"net_after_fees": {1: -450, 2: 350}, "collected": 100}
    assert list(money({**even, **pot, "more": taken})) == []
    assert list(money({**even, **pot, "more": {**taken, "collected": 0}})) == [
        "what the pot's fee took and what the players are short of is not the same"
    ]


def test_a_pot_that_nobody_wins_is_accounted_for_until_somebody_does() -> None:
    passed: dict[str, Any] = {"pots": [], "net": {1: -100, 2: -100}, "bank_net": 0, "void": False, "more": {}}
    passed |= {"more": {"carried": 200, "carried_after_fees": 150}, "fees": {"pot": [{"cents": 50}]}}
    assert list(money(passed)) == []
    assert list(money({**passed, "more": {}})) == ["the round's money does not come out even, by -200 cents"]
    assert list(money({**passed, "fees": {"pot": []}})) == [
        "150 cents stay in the middle, of 200 and 0 of fees",
    ]
    won = {**passed, "pots": [{"cents": 450, "to": {3: 450}}], "net": {1: -200, 3: 250}, "more": {"forfeited": 50}}
    assert list(money(won)) == []


@dataclass
class Began:
    setup: Setup


@dataclass
class Round:
    """What a round began with, and its result."""

    began: Began
    document: dict[str, Any]


def a_round(found: dict[str, int], /, *, void: bool = False, **more: int) -> Any:
    return Round(Began(Setup((1, 2), settings={"carried": found})), {"void": void, "more": more})


def test_a_round_begins_with_what_the_one_before_left_in_the_middle() -> None:
    middle = Middle()
    assert list(middle.follow_round(1, a_round({}, carried=200, carried_after_fees=150))) == []
    assert list(middle.follow_round(2, a_round({"1": 75, "2": 75}, void=True))) == []
    assert list(middle.follow_round(3, a_round({}))) == ["150 cents lay in the middle, and the round began with 0"]


def test_a_corrected_round_is_held_against_what_it_found() -> None:
    middle = Middle()
    assert list(middle.follow_round(1, a_round({}, carried=200))) == []
    assert list(middle.follow_round(1, a_round({}, carried=300))) == []
    assert list(middle.follow_round(2, a_round({"1": 150, "2": 150}))) == []


def test_money_of_a_seat_that_has_left_is_forfeited_or_a_violation() -> None:
    middle = Middle()
    middle.follow_floor(TableSet(settings={"carried": {"1": 100, "4": 100}}))
    left = a_round({"1": 100, "4": 100})
    assert list(middle.follow_round(1, left)) == ["100 cents in the middle are of seats that have left, 0 forfeited"]
    assert list(middle.follow_round(1, a_round({"1": 100, "4": 100}, forfeited=100))) == []
