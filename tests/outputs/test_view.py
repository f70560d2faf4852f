"""What leaves the engine for screens and broker: right, and never a card that nobody may know."""

from __future__ import annotations

import re
from typing import Any

import pytest

from controller.config import Config, RulesConfig
from controller.engine.cards.card import Audience
from controller.engine.inputs import AnyBody, BetsClosed, CardOut, FloorAct, Input, ShoeStarted
from controller.engine.round.felt import Setup
from controller.engine.table.engine import TableEngine
from controller.outputs.state import encode_state, state
from controller.outputs.view import Roads, view
from controller.outputs.view_types import encode_view
from controller.rules import all_rulesets
from tests.engine.test_bot import Evening, each_ruleset, new_table, slots

EZ = "bankers-ez-baccarat-panda-8"
CARD = re.compile(r"(?<![A-Za-z0-9])(?:[2-9TJQKA][cdhs]\*?|Jo)(?![A-Za-z0-9])")


def config(slug: str) -> Config:
    return Config(site="test", table="t-1", rules=RulesConfig(ruleset=slug))


class Watched(Evening):
    """An evening in front of a screen and a subscriber."""

    def _step(self) -> None:
        super()._step()
        settings = config(self.ruleset.slug)
        board = Roads()
        shown = encode_view(view(self.engine, settings, 0, board, broker_online=True)).decode()
        published = encode_state(state(self.engine, settings, "0" * 32, 0)).decode()
        current = self.engine.round
        known: set[str] = set()
        if current is not None:
            known = {s.card.code for s in slots(current.table) if s.is_read and s.audience is Audience.ALL}
        if self.engine.last is not None:
            known |= set(CARD.findall(str(self.engine.last.public["hands"])))
        for text in (shown, published):
            assert not set(CARD.findall(text)) - known, text


@each_ruleset
@pytest.mark.parametrize("seed", range(4))
def test_screens_and_state_show_only_exposed_cards(slug: str, seed: int) -> None:
    Watched(slug, seed, unread_one_in=8, trouble_one_in=25).play(2)


def fed(*bodies: AnyBody) -> TableEngine[Any]:
    engine = new_table(all_rulesets()[EZ], Setup(seats=(1, 2, 3), player_dealer=8))
    for body in bodies:
        engine.apply(Input(0, "test", body))
    return engine


def shown(*bodies: AnyBody) -> tuple[str, str]:
    engine = fed(*bodies)
    page = view(engine, config(EZ), 0, Roads(), broker_online=True)
    return page.phase, page.prompt


def test_the_phases_of_a_round() -> None:
    cards = [CardOut(code) for code in ("9h", "Kd", "Tc", "7s")]
    assert shown() == ("waiting", "Shuffle and load a new shoe")
    assert shown(ShoeStarted(8)) == ("betting", "Place your bets")
    assert shown(ShoeStarted(8), BetsClosed()) == ("dealing", "Card 1 to Player")
    assert shown(ShoeStarted(8), BetsClosed(), *cards)[0] == "settled"
    assert shown(ShoeStarted(8), CardOut("9h"))[0] == "held"


def test_a_settled_hand_stays_on_the_screen_until_the_next_round_begins() -> None:
    cards = [CardOut(code) for code in ("9h", "Kd", "Tc", "7s")]
    page = view(fed(ShoeStarted(8), BetsClosed(), *cards), config(EZ), 0, Roads(), broker_online=True)
    assert [(hand.owner, hand.cards, hand.total, hand.won) for hand in page.hands] == [
        ("player", ("9h", "Tc"), "9", True),
        ("banker", ("Kd", "7s"), "7", False),
    ]
    assert page.outcome_text == "Player wins 9 to 7"
    assert page.marks == ("natural",)
    later = view(fed(ShoeStarted(8), BetsClosed(), *cards, BetsClosed()), config(EZ), 0, Roads(), broker_online=True)
    assert [hand.cards for hand in later.hands] == [(), ()]
    assert later.outcome_text is None


def test_a_void_round_says_so() -> None:
    page = view(
        fed(ShoeStarted(8), BetsClosed(), CardOut("9h"), FloorAct("void", "exposed")),
        config(EZ),
        0,
        Roads(),
        broker_online=True,
    )
    assert page.outcome_text == "Round void, all wagers back"


def test_the_winning_five_of_a_hand_that_must_use_one_of_its_own_three() -> None:
    """Tahoe Pineapple: one, two or three of the three cards, and the board."""
    rules = all_rulesets()["calgrand-pineapple"]
    found = []
    for seed in range(20):
        evening = Evening(rules.slug, seed)
        options = rules.options({"pineapple": "tahoe"})
        evening.engine = TableEngine(rules.game, options, evening.engine.state, rules.slug)
        evening.play(1)
        shown = view(evening.engine, config(rules.slug), 0, Roads(), broker_online=True)
        assert shown.seating is not None
        found += [(hand.cards, hand.counts) for seat in shown.seating.seats for hand in seat.hands if hand.counts]
    assert found
    for cards, counts in found:
        assert len(counts) == 5
        assert set(cards) & set(counts)
