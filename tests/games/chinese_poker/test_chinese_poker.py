"""Chinese Poker: settings, clean sweeps, fouls, and hands that nobody read."""

from __future__ import annotations

import pytest

from controller.engine import events as ev
from controller.engine.cards.card import card, standard_deck
from controller.engine.expect.choices import WantDecision
from controller.engine.expect.wants import WantReveal
from controller.engine.inputs import Act, AnyBody, CardOut, Happening, Input, Revealed
from controller.engine.round.felt import Setup
from controller.engine.table.engine import TableEngine
from controller.engine.table.state import TableState
from controller.games.chinese_poker.hands import arrange, sweeps_in
from controller.rules import load

RULES = load("village-chinese-poker")
HAND = "Kc Kd 4h 9c 9d 5h 5s 2d Ah Jh 8h 6h 3h".split()  # noqa: SIM905


@pytest.mark.parametrize(
    ("text", "sweeps"),
    [
        ("As Kc Qd Jh Ts 9c 8d 7h 6s 5c 4d 3h 2s", ["dragon", "three_straights"]),
        ("Ac Ad Kc Kd Tc Td 9c 9d 5c 5d 4c 4d Jc", ["six_pairs"]),
        ("Ad 2d 3d 4d 5d 6d 7d 8d 4c 5c 6h 7h 8h", ["three_straights"]),
        ("2s 3s 4s 2h 4h 6c 8c Tc Jc Qc 9h Th Jh", ["three_flushes"]),
        ("2s 3s 4s 6s 8s 6c 8c Tc Jc Qc 9c Kc Ac", ["three_flushes"]),
        (" ".join(HAND), []),
    ],
)
def test_a_clean_sweep_is_seen_in_any_order_of_the_cards(text: str, sweeps: list[str]) -> None:
    assert sweeps_in([card(code) for code in text.split()]) == sweeps


def test_the_front_may_equal_but_not_beat_the_middle() -> None:
    hand = [card(code) for code in ["Qc", "Qd", "7s", "Qh", "Qs", "7c", "5d", "3h", "Ah", "Jh", "8h", "6h", "2h"]]
    equal = arrange(hand, ["Qc", "Qd", "7s"], ["Qh", "Qs", "7c", "5d", "3h"])
    assert equal is not None and equal.is_legal
    beaten = arrange(hand, ["Qc", "Qd", "7s"], ["Qh", "7c", "5d", "3h", "2h"])
    assert beaten is not None and not beaten.is_legal
    assert arrange(hand, ["Qc", "Qd"], ["Qh", "Qs", "7c", "5d", "3h"]) is None


class Table:
    """Two players, seat 1 with the buttons; seat 1's hand is `HAND`."""

    def __init__(self, *, read: bool = True) -> None:
        setup = Setup((1, 2), button=1, settings={"stacks": {1: 10_000, 2: 10_000}})
        self.engine = TableEngine(RULES.game, RULES.options(), TableState(setup), RULES.slug)
        rest = [c.code for c in standard_deck() if c.code not in HAND]
        for code in [*HAND, *rest]:
            self.tell(CardOut(code if read else None))

    def tell(self, body: AnyBody) -> list[ev.Event]:
        return self.engine.apply(Input(0, "test", body))


def test_nothing_of_a_hand_is_published_before_the_showdown() -> None:
    table = Table()
    events = table.tell(Act(1, "set", front=("Kc", "Kd", "4h"), facts={"middle": ["9c", "9d", "5h", "5s", "2d"]}))
    assert [type(event) for event in events] == [ev.Decided]
    assert "Kc" not in str(events)


def test_an_unread_hand_is_named_and_set_at_the_showdown() -> None:
    table = Table(read=False)
    table.tell(Act(1, "set"))
    table.tell(Act(2, "declare_sweep"))
    (want,) = table.engine.expectation.wants
    assert isinstance(want, WantReveal) and want.owner == "2"
    table.tell(Revealed("2", tuple("2c 3c 4c 5c 6c 7c 8c Tc Jc Qc Ac 2s 3s".split())))  # noqa: SIM905
    table.tell(Revealed("1", tuple(HAND)))
    (asked,) = table.engine.expectation.wants
    assert isinstance(asked, WantDecision) and asked.seat == 1
    events = table.tell(Act(1, "set", cards=("Kc", "Kd", "4h", "9c", "9d", "5h", "5s", "2d")))
    settled = next(event for event in events if isinstance(event, ev.RoundSettled))
    # Seat 2 declared a sweep that is not there: nine points.
    assert settled.outcome == {1: "win", 2: "lose"}
    assert table.engine.last is not None and table.engine.last.document["net"] == {1: 4500, 2: -4500}


def test_after_a_hand_the_buttons_go_on_and_each_stack_is_what_is_in_front_of_the_player() -> None:
    table = Table()
    table.tell(Happening("chips_declared", 2, facts={"cents": 6_000}))
    table.tell(Act(1, "set", front=("Kc", "Kd", "4h"), facts={"middle": ["9c", "9d", "5h", "5s", "2d"]}))
    table.tell(Act(2, "declare_sweep"))
    setup = table.engine.state.setup
    assert table.engine.last is not None and table.engine.last.document["net"] == {1: 4500, 2: -4500}
    # Seat 2 lost nine points of the stack that he began with, and plays the declared chips from here on.
    assert setup.button == 2
    assert setup.settings["stacks"] == {1: 14_500, 2: 11_500}


def test_a_void_hand_moves_neither_the_buttons_nor_a_chip() -> None:
    table = Table()
    before = table.engine.state.setup
    table.tell(Happening("chips_declared", 2, facts={"cents": 6_000}))
    table.tell(Happening("foreign_card"))
    assert table.engine.state.setup == before


def test_two_identical_cards_of_one_player_foul_his_hand_alone() -> None:
    table = Table()
    table.tell(Happening("duplicate_card", 2, facts={"same_player": True, "when": "showdown"}))
    events = table.tell(Act(1, "set", front=("Kc", "Kd", "4h"), facts={"middle": ["9c", "9d", "5h", "5s", "2d"]}))
    assert any(isinstance(event, ev.RoundSettled) for event in events)
    assert table.engine.last is not None and table.engine.last.document["more"]["fouled"] == [2]
