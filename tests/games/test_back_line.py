"""Bettors behind a seat, and tips for the dealer, in every game with a player-dealer."""

from __future__ import annotations

from importlib import resources
from typing import Any

import pytest

from controller.engine import events as ev
from controller.engine.expect.wants import WantWagers
from controller.engine.inputs import Act, BetsClosed, Input, ShoeStarted, WagerPlaced
from controller.engine.round.felt import Setup
from controller.engine.table.engine import TableEngine
from controller.engine.table.state import TableState
from controller.operator.offers.offers import now
from controller.rules import all_rulesets, load
from controller.rules.check import problems
from tests.support.games.blackjack_tables import At

BANKED = [slug for slug, ruleset in all_rulesets().items() if ruleset.game.has_player_dealer]
FORBIDDEN = {
    "bankers-ez-baccarat-panda-8",
    "bankers-pure-spanish-21-5",
    "bankers-three-card-poker",
    "bankers-three-card-poker-6-card-bonus",
    "bankers-ultimate-texas-holdem",
    "turlock-commission-free-baccarat-dragon-bonus",
    "turlock-three-card-poker",
}
"""Where no wager behind a seat is taken, unless the house chooses otherwise."""
TIPS = {
    "turlock-pure-21-5-blackjack": "pure215-2016-1",
    "turlock-pure-spanish-21-5": "pure215-2016-2",
    "turlock-pai-gow-poker": "paigow-2016-1",
    "turlock-fortune-pai-gow-poker": "paigow-2016-4",
    "turlock-three-card-poker": "tcp-uth-2016-1",
    "turlock-ultimate-texas-holdem": "tcp-uth-2016-22",
}


def betting(slug: str, **options: Any) -> TableEngine[Any]:
    """A table that waits for wagers."""
    ruleset = load(slug)
    setup = Setup(seats=(1, 2, 3), player_dealer=7, bank=(1_000_000,))
    engine = TableEngine(ruleset.game, ruleset.options(options), TableState(setup), slug)
    if ruleset.game.uses_shoe:
        engine.apply(Input(0, "test", ShoeStarted()))
    return engine


def refusal(engine: TableEngine[Any], place: int | str, wager: str, cents: int) -> ev.Refused | None:
    events = engine.apply(Input(0, "test", WagerPlaced(place, wager, cents)))
    return next((event for event in events if isinstance(event, ev.Refused)), None)


@pytest.mark.parametrize("slug", BANKED)
def test_a_wager_behind_a_seat_is_offered_or_refused_in_words(slug: str) -> None:
    engine = betting(slug)
    want = next((want for want in engine.expectation.wants if isinstance(want, WantWagers)), None)
    if want is None:
        pytest.skip("a fresh shoe burns first")
    offered = [offer for offer in now(engine.expectation) if offer.id == "wager_behind"]
    assert bool(offered) is (slug not in FORBIDDEN)
    if offered:
        place, wager, _ = offered[0].asks
        assert [pick.value for pick in place.picks][:2] == ["1.2", "2.2"]
        assert place.picks[0].label == "Seat 1, spot 2"
        assert wager.picks
    else:
        refused = refusal(engine, "1.2", want.rules[0].id, 10_000)
        assert refused is not None
        assert (refused.why, "not behind seat 1" in refused.text) == ("backline_not_allowed", True)


def test_the_next_free_spot_is_offered_until_the_layout_has_no_more() -> None:
    engine = betting("village-caribbean-stud")
    for spot in ("1.2", "1.3"):
        assert refusal(engine, spot, "ante", 1_000) is None
    (offer,) = [offer for offer in now(engine.expectation) if offer.id == "wager_behind"]
    assert [pick.value for pick in offer.asks[0].picks] == ["1.2", "1.3", "2.2", "3.2"]
    refused = refusal(engine, "1.4", "ante", 1_000)
    assert refused is not None and refused.why == "no_such_spot"


def test_a_double_that_the_back_line_may_only_join_is_not_offered_before_the_seat_doubles() -> None:
    table = At("turlock-pure-21-5-blackjack", options={"back_line_double": "joins"}).bet({2: 1000, "2.2": 500})
    table.cards("6h", "9s", "5d", "8d")
    assert table.prompt == "Seat 2: hit, double or surrender — hard 11 against 9s / Seat 2, spot 2: surrender behind"
    table.act(2, "double", 1000)
    table.act("2.2", "double", 500)
    table.cards("9h")
    assert table.document["net"] == {2: {"main": 2000}, "2.2": {"main": 1000}}


def test_even_money_is_each_bettors_own() -> None:
    table = At("turlock-pure-21-5-blackjack", options={"pure_pays": "3:2", "insurance": True}).bet(
        {2: 1000, "2.2": 500}
    )
    table.cards("Ah", "As", "Kd*", "9d")
    table.act(2, "no_insurance")
    table.act("2.2", "even_money")
    net = table.document["net"]
    assert net[2] == {"main": 1500}
    assert sum(net["2.2"].values()) == 500


@pytest.mark.parametrize(("slug", "schedule"), TIPS.items())
def test_a_tip_is_a_wager_only_where_the_posted_schedule_counts_it(slug: str, schedule: str) -> None:
    for options, tips in (({}, False), ({"schedule": schedule}, True)):
        engine = betting(slug, **options)
        (want,) = [want for want in engine.expectation.wants if isinstance(want, WantWagers)]
        rules = {rule.id: rule for rule in want.rules}
        assert ("dealer_tip" in rules) is tips
    refused = refusal(engine, 1, "dealer_tip", 100)
    assert refused is not None and refused.why == "needs_base_wager"
    assert refusal(engine, 1, want.rules[0].id, 5_000) is None
    assert refusal(engine, 1, "dealer_tip", 100) is None
    most = rules["dealer_tip"].max
    if most is not None:
        refused = refusal(engine, 1, "dealer_tip", most + 100)
        assert refused is not None and refused.why == "above_table_max"
    refusing = betting(slug, schedule=schedule, dealer_tips="refused")
    assert refusal(refusing, 1, want.rules[0].id, 5_000) is None
    refused = refusal(refusing, 1, "dealer_tip", 100)
    assert refused is not None and refused.why == "no_such_wager"


def test_a_tip_that_wins_is_reported_as_the_dealers() -> None:
    table = At("turlock-pure-21-5-blackjack", options={"schedule": "pure215-2016-1"})
    for place, tip in ((2, 500), (3, 100)):
        table.feed(WagerPlaced(place, "main", 2000))
        table.feed(WagerPlaced(place, "dealer_tip", tip))
    table.feed(BetsClosed())
    table.cards("Ah", "9h", "7c", "Kd*", "8d", "Ts*")
    events = table.feed(Act(3, "stand"))
    won = [event for event in events if isinstance(event, ev.DealerTipWon)]
    assert won == [ev.DealerTipWon(2, 500, 600)]


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ('wagers = "none"\n', "", "back_line.wagers: missing"),
        ('wagers = "1320"\n', "", "back_line.source.wagers: missing, the lines of the approval"),
        ('wagers = "none"\n', 'wagers = "all"\n', "back_line.play: missing; where the text leaves it open"),
        (
            'wagers = "none"\n',
            'wagers = "none"\nsets = "seat"\n',
            "back_line.sets: the game",
        ),
    ],
)
def test_a_back_line_that_is_not_stated_with_its_lines_is_a_problem(old: str, new: str, says: str) -> None:
    ruleset = load("bankers-three-card-poker-6-card-bonus")
    content = (resources.files("controller.rules") / ruleset.file).read_text()
    assert old in content
    found = problems(content.replace(old, new).encode(), ruleset.file)
    assert any(says in problem for problem in found), found
