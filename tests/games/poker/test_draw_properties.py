"""Draw, lowball and triple draw from random seeds, with whatever can go wrong at a table: what is true of every hand.

A bot plays; now and then something happens that the sheets rule on, fitting the moment or not. A failure names ruleset
and seed; the same seed plays the same hand again.
"""

from __future__ import annotations

import random
from typing import Any

import msgspec
import pytest

from controller.engine import events as ev
from controller.engine.expect import bot
from controller.engine.expect.expectation import prompt
from controller.engine.inputs import AnyBody, FloorAct, Happening, decode_input, encode_input
from controller.rules import load
from tests.support.draw_tables import RULESETS, DrawAt
from tests.support.own_cards import own_cards

SEEDS = range(30)
STRUCTURES: tuple[dict[str, Any], ...] = (
    {"kind": "fixed_limit", "low": 200, "high": 400},
    {"kind": "straight_limit", "limit": 300},
    {"kind": "spread_limit", "low": 100, "high": 700},
    {"kind": "no_limit", "bring_in": 200},
    {"kind": "pot_limit", "bring_in": 200},
)
OPENERS = {"openers": ["pair", "J"], "jokers": 1}
OPTIONS: dict[str, tuple[dict[str, Any], ...]] = {
    "bankers-draw-jacks-or-better": ({}, {"post_draw_first": "left_of_button", "ante_rounds_limit": 2}),
    "bankers-lowball-27": ({}, {"joker": True}),
    "calgrand-draw-poker": (
        {},
        {**OPENERS, "no_opener": "progressive"},
        {**OPENERS, "no_opener": "lowball"},
        {**OPENERS, "variant": "high_low", "low_qualifier": 8, "kills": ["voluntary"]},
    ),
    "calgrand-lowball-ace-to-five": (
        {},
        {"variant": "high_low", "jokers": 2},
        {"kills": ["before_third_card", "forced_two_wins"], "check_raise": False},
    ),
    "calgrand-lowball-deuce-to-seven": ({"jokers": 1}, {"kills": ["before_third_card"]}),
}


class Evening:
    """One hand from a seed."""

    def __init__(self, ruleset: str, seed: int) -> None:
        self.rng = rng = random.Random(f"{ruleset}/{seed}")
        seats = sorted(rng.sample(range(1, 9), rng.randrange(2, 7)))
        order = seats[1:] + seats[:1]
        small, big = (order[-1], order[0]) if len(seats) == 2 else order[:2]
        self.options = rng.choice(OPTIONS.get(ruleset, ({},)))
        self.settings: dict[str, Any] = {
            "seats": tuple(seats),
            "button": seats[0],
            "options": self.options,
            "structure": rng.choice(STRUCTURES[:1] if "village" in ruleset else STRUCTURES),
            "blinds": {small: 100, big: 200},
            "antes": dict.fromkeys(seats, 50) if rng.random() < 0.5 else {},
            "stacks": {seat: rng.choice((50, 120, 500, 1500, 9000)) for seat in seats} if rng.random() < 0.8 else None,
            "last_winner": rng.choice(seats),
        }
        self.at = DrawAt(ruleset, **self.settings)
        self.cards = load(ruleset).game.deck(self.at.engine.options) or {}
        self.pack = list(self.cards)
        rng.shuffle(self.pack)

    def play(self) -> None:
        for _ in range(600):
            if self.at.is_over:
                return
            assert self.at.engine.expectation.wants, "the table waits for nothing, but the hand is not over"
            assert prompt(self.at.engine.expectation)
            self.at.feed(self._next())
        raise AssertionError(f"the hand does not end: {self.at.asks}")

    def _next(self) -> AnyBody:
        rng = self.rng
        if self.at.held is not None:
            return FloorAct(rng.choice(("resume", "resume", "resume", "resume", "use_next", "void")))
        if rng.random() < 0.03:
            return self._trouble()
        return bot.answer(
            self.at.engine.expectation,
            rng,
            lambda: None if rng.random() < 0.05 else self._card(),
            name_card=self._card,
            look=lambda place: own_cards(self.at.engine, place),
        )

    def _trouble(self) -> Happening:
        rng = self.rng
        seat = rng.choice((None, *self.settings["seats"]))
        assert self.at.engine.round is not None
        held = [slot.card.code for slot in self.at.engine.round.table.hands.get(str(seat), ()) if slot.is_read]
        card = rng.choice(held) if held and rng.random() < 0.8 else None
        out = (self._card(),) if rng.random() < 0.1 else ()
        facts: dict[str, Any] = {"missing": rng.randrange(1, 3), "holds": rng.choice((4, held[:4]))}
        if rng.random() < 0.3:
            facts |= {"counts": {str(seat): 6}, "known": True, "looked_at": False}
        return Happening(rng.choice(sorted(self.at.engine.game.rulings)), seat, card, out, facts)

    def _card(self) -> str:
        """A card that can leave the deck now; what was shuffled back may come again."""
        current = self.at.engine.round
        assert current is not None
        for _ in range(len(self.pack)):
            code = self.pack.pop(0)
            self.pack.append(code)
            if current.table.card_problem([code]) is None:
                return code
        raise AssertionError("every card is out")


each_ruleset = pytest.mark.parametrize("ruleset", RULESETS)


@each_ruleset
def test_whatever_happens_chips_are_conserved_and_the_hand_ends(ruleset: str) -> None:
    settled = 0
    for seed in SEEDS:
        evening = Evening(ruleset, seed)
        evening.play()
        at, name = evening.at, f"{ruleset}, seed {seed}"
        faults = [event for event in at.events if isinstance(event, ev.Held) and event.code == "engine_fault"]
        assert not faults, name
        document = at.document
        if document["void"]:
            continue
        settled += 1
        assert sum(document["net"].values()) + document["more"].get("carried", 0) == 0, name
        for pot in document["pots"]:
            assert pot["cents"] == sum(pot["to"].values()), name
        stacks = evening.settings["stacks"] or {}
        assert all(document["net"][seat] >= -stack for seat, stack in stacks.items()), name
        out = [code for owner, cards in document["hands"].items() if owner != "discards" for code in cards]
        assert all(out.count(code) <= evening.cards[code] for code in out), f"{name}: a card in two places"
    assert settled * 2 > len(SEEDS)


@each_ruleset
def test_the_same_inputs_give_the_same_events(ruleset: str) -> None:
    for seed in SEEDS[:6]:
        evening = Evening(ruleset, seed)
        evening.play()
        again = DrawAt(ruleset, **evening.settings)
        again.feed(*(decode_input(encode_input(value)).body for value in evening.at.inputs))
        assert list(map(msgspec.json.encode, again.events)) == list(map(msgspec.json.encode, evening.at.events))
