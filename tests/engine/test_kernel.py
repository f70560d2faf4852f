"""The kernel, on small games of our own: what every script may rely on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from msgspec import Struct
from msgspec.structs import replace

from controller.engine import events as ev
from controller.engine.expect.at_any_time import AtAnyTime
from controller.engine.expect.choices import Choice, WantDecision
from controller.engine.expect.expectation import Barred, Expectation, expect, judge, prompt
from controller.engine.expect.want import Refusal
from controller.engine.expect.wants import WantFloor
from controller.engine.inputs import (
    Act,
    Amended,
    AnyBody,
    CardOut,
    FloorAct,
    Happening,
    Input,
    Revealed,
    StackOut,
    TableSet,
)
from controller.engine.round.felt import Script, Setup, Table
from controller.engine.round.game import Game
from controller.engine.table.engine import TableEngine
from controller.engine.table.state import TableState


class NoOptions(Struct, frozen=True):
    pass


class Small(Game[NoOptions]):
    """Two cards to a hand, one of them face down, then a decision."""

    slug = "small"
    title = "Small"
    options_type = NoOptions

    def deck(self, options: NoOptions) -> dict[str, int]:
        return {"9h": 1, "Kd": 1, "2c": 1, "3c": 1}

    def play(self, t: Table, options: NoOptions) -> Script:
        hand = t.hand("1")
        yield from t.deal(hand)
        yield from t.deal(hand, up=False)
        act = yield from t.ask(1, (Choice("keep"), Choice("show")), barred=(Barred("must_keep", "no way", do="fold"),))
        if act.do == "show":
            yield from t.show(hand)
        t.result.outcome = act.do


class TwoDown(Small):
    """Two cards face down, shown on request."""

    def play(self, t: Table, options: NoOptions) -> Script:
        hand = t.hand("1")
        yield from t.deal(hand, up=False)
        yield from t.deal(hand, up=False)
        yield from t.ask(1, (Choice("show"),))
        yield from t.show(hand)


class Broken(Small):
    """Fails on its second card."""

    def play(self, t: Table, options: NoOptions) -> Script:
        yield from t.deal(t.hand("1"))
        yield from t.deal(t.hand("1"))
        raise ZeroDivisionError("a mistake of ours")


class Ruled(Small):
    """Has a ruling that wants a card before the round goes on."""

    @property
    def rulings(self) -> Mapping[str, Any]:
        def replace(t: Table, happening: Happening) -> Script:
            yield from t.burn()
            t.rule("card_burned")

        def misdeal(t: Table, happening: Happening) -> None:
            t.void("misdeal", "exposed")

        def no_draw(t: Table, happening: Happening) -> None:
            t.refuse(happening, Refusal("not_expected", "nobody draws now"))

        return {"card_exposed": replace, "first_card_exposed": misdeal, "draw_exposed": no_draw}


def at(game: Game[NoOptions]) -> TableEngine[NoOptions]:
    return TableEngine(game, NoOptions(), TableState(Setup(seats=(1, 2))))


def feed(engine: TableEngine[NoOptions], *bodies: AnyBody) -> list[str]:
    events = [event for body in bodies for event in engine.apply(Input(0, "test", body))]
    return [str(type(event).__struct_config__.tag) for event in events]


def test_a_face_down_card_is_dealt_without_a_name_and_named_when_it_is_shown() -> None:
    engine = at(Small())
    engine.apply(Input(0, "test", CardOut("9h")))
    (dealt,) = engine.apply(Input(0, "test", CardOut("Kd")))
    assert dealt == ev.CardDealt("1", 2, None)
    events = engine.apply(Input(0, "test", Act(1, "show")))
    assert ev.HandShown("1", ("9h", "Kd")) in events  # type: ignore[arg-type]


def test_an_unread_face_down_card_is_named_only_when_it_must_be() -> None:
    engine = at(Small())
    feed(engine, CardOut("9h"), CardOut(None), Act(1, "show"))
    assert prompt(engine.expectation) == "Seat 1: key the card"
    assert feed(engine, Revealed("1", ("9h",))) == ["refused"]
    assert feed(engine, Revealed("1", ("2c",)))[0] == "hand_shown"


def test_unread_cards_may_be_named_one_after_the_other() -> None:
    engine = at(TwoDown())
    feed(engine, CardOut(None), CardOut(None), Act(1, "show"))
    assert prompt(engine.expectation) == "Seat 1: key the 2 cards"
    assert feed(engine, Revealed("1", ("9h",))) == []
    assert prompt(engine.expectation) == "Seat 1: key the card"
    events = engine.apply(Input(0, "test", Revealed("1", ("Kd",))))
    assert ev.HandShown("1", ("9h", "Kd")) in events  # type: ignore[arg-type]


def test_a_stack_of_the_wrong_size_holds_the_table() -> None:
    engine = at(Small())
    assert feed(engine, StackOut(("9h", "Kd"))) == ["round_started", "irregularity", "held"]


def test_a_stray_card_that_is_set_aside_has_left_the_deck() -> None:
    engine = at(Small())
    feed(engine, CardOut("9h"), CardOut("Kd"), CardOut("2c"))
    feed(engine, FloorAct("resume"), Act(1, "keep"))
    engine = at(Small())
    feed(engine, CardOut("9h"), CardOut("Kd"), CardOut("2c"), FloorAct("resume"))
    assert engine.round is not None
    assert engine.round.table.card_problem(("2c",)) is not None


def test_a_ruling_may_want_a_card_before_the_round_goes_on() -> None:
    engine = at(Ruled())
    feed(engine, CardOut("9h"))
    assert feed(engine, Happening("card_exposed")) == ["irregularity"]
    assert prompt(engine.expectation) == "Burn a card"
    assert feed(engine, CardOut("3c")) == ["card_burned", "ruling"]
    assert prompt(engine.expectation) == "Card 2 to Seat 1, face down"


def test_the_floor_may_give_a_held_table_its_ruling() -> None:
    engine = at(Ruled())
    feed(engine, CardOut("9h"), CardOut("Kd"), CardOut("2c"))
    assert prompt(engine.expectation).startswith("Held")
    assert feed(engine, Happening("first_card_exposed"))[-1] == "round_voided"


def test_a_ruling_that_is_refused_leaves_the_table_held() -> None:
    engine = at(Ruled())
    feed(engine, CardOut("9h"), FloorAct("hold", "a dispute"))
    assert feed(engine, Happening("draw_exposed")) == ["irregularity", "refused"]
    assert prompt(engine.expectation) == "Held, call the floor: a dispute"


def test_a_mistake_in_a_game_holds_the_table_and_the_floor_can_void() -> None:
    engine = at(Broken())
    feed(engine, CardOut("9h"))
    assert feed(engine, CardOut("Kd")) == ["card_dealt", "irregularity", "held"]
    assert "ZeroDivisionError" in prompt(engine.expectation)
    assert feed(engine, FloorAct("resume")) == ["refused"]
    assert feed(engine, FloorAct("void")) == ["round_voided"]
    assert feed(engine, CardOut("9h"))[0] == "round_started"


def test_the_floor_may_hold_a_table_at_any_time() -> None:
    engine = at(Small())
    assert feed(engine, CardOut("9h"), FloorAct("hold", "a look at the tray"))[-1] == "held"
    assert feed(engine, CardOut("Kd")) == ["irregularity"]
    assert feed(engine, FloorAct("use_next")) == ["resumed", "card_dealt"]


def test_what_the_floor_may_do_at_any_time_is_a_part_of_the_expectation() -> None:
    engine = at(Ruled())
    assert engine.expectation.at_any_time == AtAnyTime(
        ("hold",), takes_happenings=True, ruled=tuple(sorted(Ruled().rulings)), procedures=("dealer_relief",)
    )
    feed(engine, CardOut("9h"))
    beside = engine.expectation.at_any_time
    assert (beside.floor, beside.amends) == (("hold", "void"), 1)
    amend = Amended(1, (), "nothing")
    for legal in (FloorAct("hold"), FloorAct("void"), Happening("anything_at_all"), amend):
        assert judge(engine.expectation, legal) is None
    for refused in (FloorAct("waive"), FloorAct("resume"), replace(amend, round=2)):
        assert judge(engine.expectation, refused) is not None


def test_a_table_held_between_two_rounds_stays_held_when_somebody_sits_down() -> None:
    engine = at(Small())
    assert feed(engine, FloorAct("hold", "a dispute")) == ["round_started", "held"]
    assert feed(engine, TableSet(seats=(1, 2, 3))) == ["refused"]
    assert prompt(engine.expectation) == "Held, call the floor: a dispute"
    assert feed(engine, FloorAct("resume"), CardOut("9h")) == ["resumed", "card_dealt"]


def test_nothing_is_voided_while_no_round_is_dealt() -> None:
    engine = at(Small())
    feed(engine, CardOut("9h"), CardOut("Kd"), FloorAct("void", "misdealt"))
    assert feed(engine, FloorAct("void", "pressed twice")) == ["refused"]
    assert engine.round_number == 1


def test_a_device_does_not_end_what_the_floor_holds() -> None:
    engine = at(Ruled())
    feed(engine, CardOut("9h"), FloorAct("hold", "a dispute"))
    events = engine.apply(Input(0, "device:shoe", Happening("first_card_exposed")))
    assert [type(event) for event in events] == [ev.Irregularity, ev.Held]
    assert prompt(engine.expectation) == "Held, call the floor: first card exposed"
    assert feed(engine, FloorAct("resume")) == ["resumed"]
    assert prompt(engine.expectation) == "Card 2 to Seat 1, face down"


@pytest.mark.parametrize("strays", [("Jo",), ("9h",), ("2c", "2c")], ids=["foreign", "duplicate", "twice"])
def test_cards_that_the_deck_cannot_have_are_never_played_next(strays: tuple[str, ...]) -> None:
    engine = at(Small())
    feed(engine, CardOut("9h"), *(CardOut(card, locked=True) for card in strays))
    (want,) = engine.expectation.wants
    assert isinstance(want, WantFloor)
    assert want.choices == ("resume", "void")
    assert feed(engine, FloorAct("use_next")) == ["refused"]
    assert feed(engine, FloorAct("resume"), CardOut("Kd")) == ["resumed", "card_dealt"]


@pytest.mark.parametrize(
    ("by", "body"),
    [
        ("device:shoe", Happening("reader_offline")),
        ("device:shoe", CardOut("2c")),
        ("dealer", Happening("card_exposed")),
        ("floor:ann", FloorAct("hold", "a look")),
    ],
)
def test_a_round_whose_program_failed_can_only_be_voided_whatever_happens_to_it(by: str, body: AnyBody) -> None:
    engine = at(Broken())
    feed(engine, CardOut("9h"), CardOut("Kd"))
    engine.apply(Input(0, by, body))
    assert feed(engine, FloorAct("resume")) == ["refused"]
    assert feed(engine, FloorAct("void")) == ["round_voided"]


@pytest.mark.parametrize(
    ("act", "why"),
    [
        (Act(2, "keep"), "not_in_turn"),
        (Act(1, "fold"), "must_keep"),
        (Act(1, "dance"), "not_offered"),
        (Act(1, "raise", to=400), "below_minimum"),
        (Act(1, "raise", to=9000), "above_maximum"),
        (Act(1, "raise"), "needs_amount"),
        (Act(1, "bet", to=301), "below_minimum"),
        (Act(1, "double", cents=1001), "above_maximum"),
        (Act(1, "choose_pile", pile=8), "no_such_pile"),
        (Act(1, "discard", cards=("9h", "9h")), "not_your_card"),
        (Act(1, "discard", cards=("9h",) * 4), "wrong_count"),
    ],
)
def test_an_act_out_of_bounds_is_refused_with_its_reason(act: Act, why: str) -> None:
    choices = (
        Choice("keep"),
        Choice("raise", to=(600, 900)),
        Choice("bet", to_one_of=(300, 600)),
        Choice("double", min_cents=1, max_cents=1000),
        Choice("choose_pile", piles=7),
        Choice("discard", count=(0, 3), cards=("9h", "Kd", "2c")),
    )
    waiting = expect(WantDecision(1, choices), barred=(Barred("must_keep", "no way", seat=1, do="fold"),))
    refusal = judge(waiting, act)
    assert refusal is not None
    assert refusal.why == why
    assert refusal.text


def test_a_round_that_is_over_waits_for_nothing() -> None:
    assert prompt(Expectation(())) == "The round is over"
