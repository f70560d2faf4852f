"""Games with a board from random seeds, with whatever can go wrong at a table: what must be true of every hand.

A bot plays; now and then something happens that the sheets rule on, fitting the moment or not, with cards that left the
deck or none. A failure names ruleset and seed; the same seed plays the same hand again.
"""

from __future__ import annotations

import random
from typing import Any

import msgspec
import pytest

from controller.engine import events as ev
from controller.engine.cards.card import codes, standard_deck
from controller.engine.expect import bot
from controller.engine.expect.expectation import prompt
from controller.engine.expect.wants import WantCard
from controller.engine.inputs import AnyBody, FloorAct, Happening, decode_input, encode_input
from tests.support.own_cards import own_cards
from tests.support.poker_tables import BANKERS, CALGRAND, At

SEEDS = 150
FEWER_SEEDS = 24
"""For rulesets that share nearly everything with those two."""
STRUCTURES: tuple[dict[str, Any], ...] = (
    {"kind": "fixed_limit", "low": 200, "high": 400},
    {"kind": "straight_limit", "limit": 300},
    {"kind": "spread_limit", "low": 100, "high": 700},
    {"kind": "no_limit"},
    {"kind": "pot_limit", "bring_in": 200, "dollar_chips_in_blind": True},
)
OPTIONS: dict[str, tuple[dict[str, Any], ...]] = {
    BANKERS: ({}, {"max_raises": 2, "chip_unit": 100}, {"returning_after_missed_blinds": [1, 4]}),
    CALGRAND: (
        {},
        {"variant": "high_low", "low_qualifier": 8, "kills": ["voluntary", "forced_two_wins"]},
        {"variant": "low", "jokers": 2, "check_raise": False},
        {"variant": "high_low", "jokers": 1, "chip_unit": 50, "kills": ["forced_pot_size"], "kill_pot_size": 2000},
        {"wild_cards": ["2c", "2d", "2h", "2s"], "short_all_in_bars": "all_who_acted", "min_raise_basis": "to_call"},
    ),
    "bankers-omaha": ({}, {"max_raises": 2, "chip_unit": 100}),
    "bankers-omaha-hi-lo": ({}, {"low_qualifier": None, "chip_unit": 100}),
    "calgrand-omaha": (
        {"variant": "high_low", "kills": ["voluntary", "forced_two_wins"]},
        {"variant": "low", "jokers": 1},
        {"variant": "high_low", "low_qualifier": 8, "chip_unit": 50},
    ),
    "calgrand-pineapple": (
        {"pineapple": "regular", "variant": "high_low"},
        {"pineapple": "crazy", "jokers": 1},
        {"pineapple": "tahoe", "variant": "high_low", "low_qualifier": 8},
    ),
    "turlock-texas-holdem": ({"burn": True}, {"schedule": "holdem-2010-1"}),
    "turlock-omaha-high-low-split": ({}, {"burn": True, "max_raises": 1}),
    "turlock-pineapple-high-low-split": (
        {},
        {"discard": "before_flop"},
        {"discard": "after_flop_betting", "burn": True},
    ),
    "village-holdem": ({}, {"max_raises": 3}),
    "village-omaha": ({},),
    "village-omaha-hi-lo": ({}, {"low_qualifier": None}),
    "village-pineapple-hi-lo": ({}, {"chip_unit": 1}),
}
each_ruleset = pytest.mark.parametrize("ruleset", list(OPTIONS))


def seeds(ruleset: str, part: int = 1) -> range:
    return range((SEEDS if ruleset in (BANKERS, CALGRAND) else FEWER_SEEDS) // part)


class Evening:
    """One hand from a seed."""

    def __init__(self, ruleset: str, seed: int) -> None:
        self.rng = rng = random.Random(seed)
        seats = sorted(rng.sample(range(1, 10), rng.randrange(2, 8)))
        order = seats[1:] + seats[:1]
        small, big = (order[-1], order[0]) if len(seats) == 2 else order[:2]
        self.options = rng.choice(OPTIONS[ruleset])
        self.settings: dict[str, Any] = {
            "seats": tuple(seats),
            "button": seats[0],
            "options": self.options,
            "structure": rng.choice(STRUCTURES),
            "blinds": {small: 100, big: 200},
            "antes": dict.fromkeys(seats, 25) if rng.random() < 0.3 else {},
            "stacks": {seat: rng.choice((120, 500, 1500, 6000)) for seat in seats} if rng.random() < 0.8 else None,
            "last_winner": rng.choice(seats),
        }
        self.at = At(ruleset, **self.settings)
        self.ruleset = ruleset
        self.deck = codes(standard_deck(self.options.get("jokers", 0)))
        rng.shuffle(self.deck)

    def play(self) -> None:
        for _ in range(600):
            if self.at.is_over:
                return
            assert self.at.engine.expectation.wants, "the table waits for nothing, but the hand is not over"
            assert prompt(self.at.engine.expectation)
            self.at.feed(self._next())
        raise AssertionError("the hand does not end")

    def _next(self) -> AnyBody:
        rng = self.rng
        if self.at.held is not None:
            return FloorAct(rng.choice(("resume", "resume", "resume", "use_next", "void")))
        if rng.random() < 0.04:
            return self._trouble()
        if rng.random() < 0.02 and not any(isinstance(want, WantCard) for want in self.at.engine.expectation.wants):
            return Happening("reader_offline")
        return bot.answer(
            self.at.engine.expectation,
            rng,
            self._read_or_not,
            name_card=self._card,
            look=lambda place: own_cards(self.at.engine, place),
        )

    def _read_or_not(self) -> str | None:
        return None if self.rng.random() < 0.05 else self._card()

    def _trouble(self) -> Happening:
        rng = self.rng
        seat = rng.choice((None, *self.settings["seats"]))
        assert self.at.engine.round is not None
        held = [slot.card.code for slot in self.at.engine.round.table.hands.get(str(seat), ()) if slot.is_read]
        card = rng.choice(held) if held and rng.random() < 0.7 else None
        out = tuple(self._card() for _ in range(rng.choice((0, 0, 1, 2, 4, 5))))
        facts = {"identified": rng.random() < 0.5, "count": rng.randrange(1, 5), "by": seat}
        rulings = self.at.engine.game.rulings
        return Happening(rng.choice(sorted(rulings)), seat, card, out, facts)

    def _card(self) -> str:
        """A card that can leave the deck now; what was shuffled back may come again."""
        current = self.at.engine.round
        assert current is not None
        while True:
            code = self.deck.pop(0)
            self.deck.append(code)
            if current.table.card_problem([code]) is None:
                return code


@each_ruleset
def test_whatever_happens_chips_are_conserved_and_the_hand_ends(ruleset: str) -> None:
    ended = {"void": 0, "settled": 0}
    for seed in seeds(ruleset):
        evening = Evening(ruleset, seed)
        evening.play()
        at, name = evening.at, f"{ruleset}, seed {seed}"
        faults = [event for event in at.events if isinstance(event, ev.Held) and event.code == "engine_fault"]
        assert not faults, name
        document = at.document
        if document["void"]:
            ended["void"] += 1
            continue
        ended["settled"] += 1
        assert sum(document["net"].values()) == 0, name
        assert sum(pot["cents"] for pot in document["pots"]) == sum(
            cents for pot in document["pots"] for cents in pot["to"].values()
        ), name
        stacks = evening.settings["stacks"] or {}
        assert all(document["net"][seat] >= -stack for seat, stack in stacks.items()), name
        out = [code for cards in document["hands"].values() for code in cards if code != "Jo"]
        assert len(out) == len(set(out)), f"{name}: a card in two places"
    assert min(ended.values()) > len(seeds(ruleset)) // 20, ended


@each_ruleset
def test_every_hand_replays_to_the_same_events(ruleset: str) -> None:
    for seed in seeds(ruleset, part=3):
        evening = Evening(ruleset, seed)
        evening.play()
        again = At(ruleset, **evening.settings)
        for value in evening.at.inputs:
            again.events += again.engine.apply(decode_input(encode_input(value)))
        assert [msgspec.json.encode(event) for event in again.events] == [
            msgspec.json.encode(event) for event in evening.at.events
        ], f"{ruleset}, seed {seed}"


@each_ruleset
def test_no_event_ever_names_a_card_that_stayed_hidden(ruleset: str) -> None:
    for seed in seeds(ruleset):
        evening = Evening(ruleset, seed)
        table = evening.at.engine.round.table if evening.at.engine.round else None
        assert table is not None
        evening.play()
        slots = [slot for hand in table.hands.values() for slot in hand.slots] + table.burns
        hidden = {slot.card.code for slot in slots if slot.is_read and slot.face_if_exposed is None}
        # A card that went back into the stub was seen before it was hidden again.
        seen = {card for event in evening.at.said(ev.CardsTakenBack) for card in event.cards}
        published = b" ".join(msgspec.json.encode(event) for event in evening.at.events).decode()
        for code in hidden - seen - {"Jo"}:
            assert f'"{code}"' not in published, f"{ruleset}, seed {seed}: {code}"
