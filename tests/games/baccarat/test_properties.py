"""Baccarat from random seeds, with every option that changes a round: money, cards, barrier and replay.

The bot knows only the expectation; under shuffle control it must find the declaration there too.
"""

from __future__ import annotations

import random
from typing import Any

import msgspec
import pytest

from controller.engine import events as ev
from controller.engine.cards.card import codes, standard_deck
from controller.engine.expect.bot import answer
from controller.engine.inputs import CutCardOut, Input, ShoeStarted, decode_input, encode_input
from controller.engine.round.felt import Setup
from controller.engine.table.engine import TableEngine
from controller.engine.table.state import TableState
from controller.rules import load
from tests.engine.test_bot import check_barrier, check_cards_are_in_one_place, total
from tests.support.games.baccarat_tables import CENTURY, DRAGON, PANDA, VILLAGE_EZ

VARIANTS: list[tuple[str, dict[str, Any]]] = [
    (PANDA, {"burn": "first_card_value", "banker_three_card_seven": "push", "decks": 3}),
    (PANDA, {"cut_card_in_hand": "next_hand", "cut_card_between_hands": "next_hand"}),
    (VILLAGE_EZ, {"burn": "first_card_value", "table_min": 500, "table_max": 20_000}),
    (VILLAGE_EZ, {"positions": 14, "banker_three_card_seven": "pay"}),
    (CENTURY, {"decks": 4, "option_cards": [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]}),
    (CENTURY, {"burn": "first_card_value", "table_max": 5_000}),
    (DRAGON, {"dragon_natural": "best"}),
    (DRAGON, {"burn": "first_card_value", "cut_card_between_hands": "next_hand"}),
]


class Evening:
    """Some rounds of one variant from one seed; some cards are not read, the cut card comes when it comes."""

    def __init__(self, slug: str, options: dict[str, Any], seed: int) -> None:
        self.rng = random.Random(f"{slug}/{seed}")
        self.ruleset, self.options = load(slug), options
        self.setup = Setup(
            seats=(1, 3, 4, 6),
            player_dealer=self.rng.choice((2, 5, 8)),
            bank=self.rng.choice((None, (0,), (5_000,), (2_000, 30_000), (10_000_000,))),
            shuffle_control=True,
        )
        self.engine = self.new_table()
        deck = self.engine.game.deck(self.engine.options)
        assert deck is not None
        self.deck = dict(deck)
        self.shoe: list[str] = []
        self.fed: list[Input] = []
        self.events: list[ev.Event] = []
        self.results: list[dict[str, Any]] = []

    def new_table(self) -> TableEngine[Any]:
        options = self.ruleset.options(self.options)
        return TableEngine(self.ruleset.game, options, TableState(self.setup), self.ruleset.slug)

    def play(self, rounds: int) -> Evening:
        while len(self.results) < rounds:
            self._step()
        return self

    def _step(self) -> None:
        engine = self.engine
        current, last = engine.round, engine.last
        assert engine.expectation.wants
        body = answer(engine.expectation, self.rng, self._draw, name_card=self._name)
        if self.shoe and self.rng.randrange(60) == 0 and engine.state.shoe is not None:
            body = CutCardOut()
        if isinstance(body, ShoeStarted):
            self.shoe = codes(standard_deck()) * self.deck["Ah"]
            self.rng.shuffle(self.shoe)
        value = Input(len(self.fed), "bot", body)
        self.fed.append(value)
        events = engine.apply(value)
        self.events += events
        if current is not None:
            check_cards_are_in_one_place(current.table, self.deck)
            check_barrier(current.table, [*events, engine.expectation], engine.public_result if current.begun else {})
        if engine.last is not last:
            assert engine.last is not None
            self.results.append(engine.last.document)

    def _draw(self) -> str | None:
        return None if self.rng.randrange(9) == 0 else self.shoe.pop()

    def _name(self) -> str:
        return self.shoe.pop()


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize(("slug", "options"), VARIANTS)
def test_an_evening_of_any_options_keeps_its_money_and_its_cards_and_replays(
    slug: str, options: dict[str, Any], seed: int
) -> None:
    evening = Evening(slug, options, seed).play(8)
    for result in evening.results:
        assert total(result["net"]) + result["bank_net"] == 0
        left = result["more"]["cover_left"]
        assert left is None or (left >= 0 and (left == 0 or not result["uncovered"]))
    again = evening.new_table()
    events = [event for value in evening.fed for event in again.apply(decode_input(encode_input(value)))]
    assert list(map(ev.encode_event, events)) == list(map(ev.encode_event, evening.events))
    assert msgspec.json.encode(again.state) == msgspec.json.encode(evening.engine.state)
    assert not evening.engine.state.alarms
