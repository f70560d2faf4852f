"""The dialog that sets a poker table: one input makes it ready, with posted stakes only."""

from __future__ import annotations

from typing import Any

import pytest

from controller.engine import events as ev
from controller.engine.expect.wants import WantFloor
from controller.engine.inputs import Input, TableSet, decode_body
from controller.engine.round.setup import Setup
from controller.engine.table.engine import TableEngine
from controller.operator.offers.offer import Ask, Offer
from controller.operator.offers.offers import offers
from controller.rules import all_rulesets, load
from tests.engine.test_bot import new_table
from tests.operator.test_posting_offers import table

SEATS = [1, 2, 3, 4, 5]
SET_BY_THE_FLOOR = [slug for slug, rules in all_rulesets().items() if rules.game.floor_sets()]


def dialog(engine: TableEngine[Any]) -> Offer | None:
    return next((offer for offer in offers(engine, keys_cards=True) if offer.form), None)


def filled(ask: Ask, choice: int) -> Any:
    """As a floor person fills it in: everybody has $200, the ante is $1."""
    match ask.kind:
        case "seats":
            return SEATS
        case "by_seat":
            return {str(seat): 20_000 for seat in SEATS}
        case "each":
            return {str(seat): ask.given or 100 for seat in SEATS}
    values = [pick.value for pick in ask.picks]
    return values[0] if ask.field != "settings" else values[choice]


def body_of(offer: Offer, choice: int = 0) -> dict[str, Any]:
    body: dict[str, Any] = {**offer.body}
    for ask in offer.asks:
        first, _, name = ask.field.partition(".")
        if name:
            body[first] = {**body.get(first, {}), name: filled(ask, choice)}
        else:
            body[first] = filled(ask, choice)
    return body


def stakes(offer: Offer) -> list[str]:
    return [pick.label for ask in offer.asks if ask.field == "settings" for pick in ask.picks]


@pytest.mark.parametrize("slug", SET_BY_THE_FLOOR)
def test_one_dialog_makes_a_table_ready_with_every_choice_of_stakes(slug: str) -> None:
    engine = new_table(all_rulesets()[slug], Setup(seats=(1, 2, 3, 4, 5), player_dealer=None))
    offer = dialog(engine)
    assert offer is not None
    for choice in range(max(1, len(stakes(offer)))):
        events = engine.apply(Input(0, "floor:ann", decode_body(body_of(offer, choice))))
        assert not [event for event in events if type(event) is ev.Refused]
        assert [want.text for want in engine.expectation.wants if type(want) is WantFloor] == []
        assert engine.state.setup.seats == tuple(SEATS)


def test_it_is_the_next_thing_at_a_table_that_is_not_ready() -> None:
    engine = table("bankers-texas-holdem", setup=Setup(seats=(1, 2, 3)))
    offer = dialog(engine)
    assert offer is not None and offer.group == "now"
    engine.apply(Input(0, "floor:ann", decode_body(body_of(offer))))
    offer = dialog(engine)
    assert offer is not None and offer.group == "table"


def test_posted_stakes_are_the_only_ones_and_bring_their_blinds() -> None:
    engine = table("village-baduci", {"schedule": "village/baduci/1"})
    offer = dialog(engine)
    assert offer is not None and len(stakes(offer)) == 1
    engine.apply(Input(0, "floor:ann", TableSet(settings={"stacks": {"1": 100}})))
    engine.apply(Input(0, "floor:ann", decode_body(body_of(offer))))
    posted = engine.rules.schedule
    assert posted is not None
    hand = body_of(offer)["settings"]
    assert (hand["structure"], hand["blinds"], hand["blind_sizes"]) == (None, None, None), "the table has them itself"


def test_a_posted_range_offers_its_own_limits_only() -> None:
    slug = "bankers-mexican-stud-poker"
    ranged = [
        name
        for name in load(slug).printed_schedules
        if load(slug).postable(name) == name and table(slug, {"schedule": name}).rules.schedule is not None
    ]
    for name in ranged[:4]:
        engine = table(slug, {"schedule": name})
        offer = dialog(engine)
        assert offer is not None
        for choice in range(len(stakes(offer))):
            events = engine.apply(Input(0, "floor:ann", decode_body(body_of(offer, choice))))
            assert not [event for event in events if type(event) is ev.Refused and event.why == "not_posted"], name


def test_the_button_moves_the_blinds_without_a_second_input() -> None:
    engine = table("bankers-texas-holdem", setup=Setup(seats=(1, 2, 3)))
    offer = dialog(engine)
    assert offer is not None
    body = {**body_of(offer, 1), "button": 4}
    engine.apply(Input(0, "floor:ann", decode_body(body)))
    assert engine.state.setup.button == 4
    assert engine.state.setup.settings["structure"] == {"kind": "fixed_limit", "low": 300, "high": 600}
    assert engine.state.setup.settings["blind_sizes"] == [150, 300]
