"""What a wall shows while no cards are out."""

from __future__ import annotations

from controller.engine.inputs import Input, TableClosed
from controller.outputs.posted import posted
from controller.outputs.view import Roads, view
from controller.rules import all_rulesets
from tests.engine.test_bot import DEALT, Evening, each_ruleset
from tests.outputs.test_view import config

EZ = "bankers-ez-baccarat-panda-8"


@each_ruleset
def test_every_rulesets_pay_tables_and_proposed_collection_can_be_posted(slug: str) -> None:
    ruleset = all_rulesets()[slug]
    schedule = ruleset.proposed_schedule()
    tables = posted(slug, {"schedule": schedule} if schedule else {})
    assert bool(tables) == bool(schedule or ruleset.data.pays)
    assert all(table.title and table.rows for table in tables)


def test_the_amounts_are_those_of_the_approval() -> None:
    wagers = next(table for table in posted(EZ, {}) if table.title == "Wagers")
    assert dict(wagers.rows)["dragon 7"] == "40 to 1" and dict(wagers.rows)["panda 8"] == "25 to 1"


def test_it_is_shown_between_two_hands_and_at_a_closed_table_only() -> None:
    evening = Evening("bankers-three-card-poker", 3)
    seen = {True: 0, False: 0}
    while len(evening.rounds) < 1:
        evening._step()
        shown = view(evening.engine, config(evening.ruleset.slug), 0, Roads(), broker_online=True)
        has_cards = any(hand.cards for hand in shown.hands)
        assert bool(shown.posted) != has_cards
        seen[has_cards] += 1
    assert all(seen.values())
    evening.engine.apply(Input(0, "floor", TableClosed("night")))
    shown = view(evening.engine, config(evening.ruleset.slug), 0, Roads(), broker_online=True)
    assert shown.phase == "closed" and shown.posted and not shown.hands


def test_rules_that_are_in_no_file_have_nothing_to_post() -> None:
    assert posted("made-up", {}) == () and "made-up" not in DEALT
