"""What is posted at a table, on the console: schedules to choose from, and only structures that the schedule takes."""

from __future__ import annotations

from typing import Any

import pytest

from controller.engine import events as ev
from controller.engine.inputs import Input, decode_body
from controller.engine.round.setup import Setup
from controller.engine.table.engine import TableEngine
from controller.engine.table.state import TableState
from controller.operator.offers.offer import Offer
from controller.operator.offers.offers import offers
from controller.operator.roles import Right
from controller.rules import load, resolve


def table(slug: str, options: dict[str, Any] | None = None, setup: Setup | None = None) -> TableEngine[Any]:
    rules, chosen = load(slug), dict(options or {})
    state = TableState(setup or Setup((1, 2, 3), button=1), slug, chosen)
    return TableEngine(rules.game, rules.options(chosen), state, slug, resolve)


def offered(engine: TableEngine[Any]) -> dict[str, Offer]:
    return {offer.id: offer for offer in offers(engine, keys_cards=True)}


def post(engine: TableEngine[Any], schedule: Any) -> list[ev.Event]:
    body = offered(engine)["schedule"].body
    chosen = {**body, "options": {**body["options"], "schedule": schedule}}
    return engine.apply(Input(0, "floor:ann", decode_body(chosen)))


@pytest.mark.parametrize("slug", ["turlock-texas-holdem", "village-chinese-poker", "bankers-ez-baccarat-panda-8"])
def test_the_floor_posts_any_schedule_of_the_list(slug: str) -> None:
    engine = table(slug, setup=Setup((1, 2), None if "baccarat" not in slug else 8, 1))
    offer = offered(engine)["schedule"]
    assert (offer.right, offer.asks[0].field) == (Right.RULES, "options.schedule")
    picks = [pick.value for pick in offer.asks[0].picks]
    assert picks and set(picks) <= set(load(slug).printed_schedules)
    for schedule in picks[:3]:
        assert not any(isinstance(event, ev.Refused) for event in post(engine, schedule))
        assert engine.state.options["schedule"] == schedule
        assert offered(engine)["schedule"].asks[0].given == schedule


def test_a_schedule_is_listed_with_its_stakes() -> None:
    labels = [pick.label for pick in offered(table("village-chinese-poker"))["schedule"].asks[0].picks]
    assert "village/chinese-poker/100: $100 a point" in labels
    stakes = [pick.label for pick in offered(table("village-baduci"))["schedule"].asks[0].picks]
    assert any("limit $40/$80" in label for label in stakes)


def test_the_limits_of_the_last_schedule_do_not_bar_the_next() -> None:
    engine = table("bankers-ez-baccarat-panda-8", setup=Setup((1, 2), 8, None, min_wager=500, max_wager=20_000))
    other = offered(engine)["schedule"].asks[0].picks[-1].value
    assert not any(isinstance(event, ev.Refused) for event in post(engine, other))


def test_no_structure_is_offered_beside_the_posted_one() -> None:
    engine = table("village-baduci", {"schedule": "village/baduci/1"})
    assert not {"structure", "limits", "straight_limit"} & offered(engine).keys()


def test_every_structure_that_is_offered_by_one_touch_is_taken() -> None:
    tried = 0
    for slug in ("bankers-texas-holdem", "turlock-texas-holdem", "bankers-mexican-stud-poker"):
        for name in load(slug).printed_schedules[::7]:
            if load(slug).postable(name) != name:
                continue
            engine = table(slug, {"schedule": name})
            offer = offered(engine).get("structure")
            for pick in offer.asks[0].picks if offer is not None else ():
                body = decode_body({"kind": "table_set", "settings": {"structure": pick.value}})
                assert not any(isinstance(event, ev.Refused) for event in engine.apply(Input(0, "floor:ann", body))), (
                    name,
                    pick,
                )
                tried += 1
    assert tried


def test_a_table_that_plays_only_its_own_rules_has_no_list() -> None:
    rules = load("village-baduci")
    state = TableState(Setup((1, 2, 3), button=1), rules.slug, {})
    engine: TableEngine[Any] = TableEngine(rules.game, rules.options({}), state, rules.slug)
    assert "schedule" not in offered(engine)
