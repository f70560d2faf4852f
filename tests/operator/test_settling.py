"""Pay and take: every cent of a settlement once, in its order, and no hand named that was not shown."""

from __future__ import annotations

from collections import Counter

import pytest

from controller.operator.panel_menu import BACK, NEXT, OK, PREVIOUS, PanelMenu
from controller.operator.settling import Step, pay_and_take
from tests.engine.test_bot import Evening, each_ruleset


@each_ruleset
def test_the_dealer_takes_and_pays_what_was_settled_in_that_order(slug: str) -> None:
    engine = Evening(slug, 7).play(1).engine
    if engine.is_dealing or engine.last is None:
        pytest.skip("this evening ends in mid-deal")
    public, settled = engine.last.public, pay_and_take(engine)
    steps = () if settled is None else settled.steps
    lines = [step for step in steps if step.do != "fee"][: len(public["lines"])]
    assert [(step.place, moved(step)) for step in lines] == [
        (str(line["place"]), line["net"]) for line in public["lines"]
    ]
    pots: Counter[str] = Counter()
    for pot in public["pots"]:
        pots.update({str(seat): cents for seat, cents in pot["to"].items() if cents})
    paid: Counter[str] = Counter()
    for step in steps[len(lines) :]:
        if step.do == "pay" and step.what:
            paid[step.place] += step.cents
    assert paid == pots
    shown = {str(owner) for owner, cards in public["hands"].items() if None not in cards}
    assert all({step.place, step.place.split(".")[0]} & shown for step in steps if step.hand)


def moved(step: Step) -> int:
    """What went to the seat."""
    return {"pay": step.cents, "take": -step.cents}.get(step.do, 0)


def test_a_panel_goes_through_it_line_by_line() -> None:
    menu = PanelMenu()
    menu.follow((), "Place your bets", (), ("Begin at seat 3", "Pay Seat 3 $25, ante"))
    assert menu.lines(40)[1] == ">PAY AND TAKE"
    menu.press(OK)
    assert menu.lines(40)[0] == "1 OF 2: BEGIN AT SEAT 3"
    menu.press(NEXT)
    assert menu.lines(40)[0] == "2 OF 2: PAY SEAT 3 $25, ANTE"
    menu.press(PREVIOUS)
    menu.press(OK)
    menu.press(OK)
    assert menu.lines(40) == ("PLACE YOUR BETS", ">PAY AND TAKE")
    menu.press(OK)
    menu.press(BACK)
    assert menu.lines(40)[0] == "PLACE YOUR BETS"
