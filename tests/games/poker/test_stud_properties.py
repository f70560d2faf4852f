"""Stud and Mexican games from random seeds, with whatever can go wrong at a table: what must be true of every hand.

A bot plays; now and then something happens that the sheets rule on, fitting the moment or not, with cards that left the
deck or none, and some cards are not read. A failure names ruleset and seed; the same seed plays the same hand again.
"""

from __future__ import annotations

import random
from typing import Any

import msgspec
import pytest

from controller.engine import events as ev
from controller.engine.expect import bot
from controller.engine.expect.expectation import prompt
from controller.engine.expect.wants import WantCard
from controller.engine.inputs import AnyBody, FloorAct, Happening, Place, decode_input, encode_input
from controller.rules import load
from tests.support.own_cards import own_cards
from tests.support.poker_tables import At

SEEDS = 60
BANKERS, RAZZ, CALGRAND = "bankers-seven-card-stud", "bankers-razz", "calgrand-seven-card-stud"
MEXICAN, TURLOCK, SALINAS = "bankers-mexican-stud-poker", "turlock-mexican-poker", "bankers-mexican-poker-salinas"
FIXED = {"kind": "fixed_limit", "low": 200, "high": 400, "forced": 100}
OPTIONS: dict[str, tuple[dict[str, Any], ...]] = {
    BANKERS: ({}, {"chip_unit": 100}),
    RAZZ: ({}, {"bring_in": "low_card", "chip_unit": 50}),
    CALGRAND: (
        {},
        {"variant": "high_low", "low_qualifier": 8, "kills": ["voluntary", "forced_two_wins"]},
        {"variant": "low", "jokers": 2, "check_raise": False},
        {"variant": "high_low", "jokers": 1, "chip_unit": 50, "forced_opener": "none"},
        {"wild_cards": ["2c", "2d", "2h", "2s"], "forced_opener": "high", "max_raises": 2},
    ),
    MEXICAN: ({}, {"button_draw": True, "bring_in_tie": "suit"}, {"upper_limit_from_round": 3, "chip_unit": 100}),
    TURLOCK: ({}, {"new_game": True, "up_cards_wild_joker": "ace"}, {"schedule": "mexican-2013-4", "late_fee": 50}),
    SALINAS: ({}, {"schedule": "rules-mexican-salinas/mexican-poker-salinas/1"}, {"min_bet": 300, "chip_unit": 100}),
}
STRUCTURES: dict[str, tuple[dict[str, Any], ...]] = {
    BANKERS: (FIXED, FIXED | {"forced": 150}),
    RAZZ: (FIXED,),
    CALGRAND: (
        FIXED,
        {"kind": "straight_limit", "limit": 300},
        {"kind": "spread_limit", "low": 100, "high": 700},
        {"kind": "no_limit", "bring_in": 200},
        {"kind": "pot_limit", "bring_in": 200},
    ),
    MEXICAN: (FIXED, {"kind": "no_limit", "minimum": 200}),
    TURLOCK: (FIXED, {"kind": "no_limit", "bring_in": 200}),
    SALINAS: ({"kind": "no_limit"},),
}
SEATS = {MEXICAN: range(2, 8), TURLOCK: range(2, 8), SALINAS: range(5, 8)}
each_ruleset = pytest.mark.parametrize("ruleset", list(OPTIONS))


class Evening:
    """One hand from a seed."""

    def __init__(self, ruleset: str, seed: int) -> None:
        self.rng = rng = random.Random(f"{ruleset} {seed}")
        seats = sorted(rng.sample(range(1, 9), rng.choice(SEATS.get(ruleset, range(2, 9)))))
        self.options = rng.choice(OPTIONS[ruleset])
        self.settings: dict[str, Any] = {
            "seats": tuple(seats),
            "button": None if "button_draw" in self.options or "new_game" in self.options else seats[0],
            "options": self.options,
            "structure": rng.choice(STRUCTURES[ruleset]),
            "blinds": {seats[0]: 200} if ruleset == CALGRAND and rng.random() < 0.1 else {},
            "antes": {} if ruleset == SALINAS else dict.fromkeys(seats, 25),
            "stacks": {seat: rng.choice((25, 120, 500, 1500, 6000)) for seat in seats} if rng.random() < 0.8 else None,
            "last_winner": rng.choice(seats),
        }
        self.at = At(ruleset, **self.settings)
        self.ruleset, rules = ruleset, load(ruleset)
        self.rulings = sorted({*rules.game.rulings, "shuffler_jam"})
        deck = rules.game.deck(rules.options(self.options)) or {}
        self.deck = [code for code, count in deck.items() for _ in range(count)]
        rng.shuffle(self.deck)

    def play(self) -> Evening:
        for _ in range(900):
            if self.at.is_over:
                return self
            assert self.at.engine.expectation.wants, "the table waits for nothing, but the hand is not over"
            assert prompt(self.at.engine.expectation)
            self.at.feed(self._next())
        raise AssertionError(f"the hand does not end: {self.at.asks}")

    def _next(self) -> AnyBody:
        rng = self.rng
        if self.at.held is not None:
            return FloorAct(rng.choice(("resume", "resume", "resume", "use_next", "void")))
        if rng.random() < 0.04:
            return self._trouble()
        if rng.random() < 0.02 and not any(isinstance(want, WantCard) for want in self.at.engine.expectation.wants):
            return Happening("reader_offline")
        expectation = self.at.engine.expectation
        return bot.answer(expectation, rng, self._read_or_not, name_card=self._card, look=self._look)

    def _look(self, place: Place) -> list[str]:
        return own_cards(self.at.engine, place)

    def _read_or_not(self) -> str | None:
        return None if self.rng.random() < 0.05 else self._card()

    def _trouble(self) -> Happening:
        rng = self.rng
        seat = rng.choice((None, *self.settings["seats"]))
        assert self.at.engine.round is not None
        held = [slot.card.code for slot in self.at.engine.round.table.hands.get(str(seat), ()) if slot.is_read]
        card = rng.choice(held) if held and rng.random() < 0.7 else None
        out = tuple(self._card() for _ in range(rng.choice((0, 0, 0, 1, 2, 4))))
        counts = {str(seat or 1): rng.randrange(2, 8)}
        facts = {"count": rng.randrange(1, 5), "by": seat, "counts": counts, "burned": 2, "cents": 100}
        return Happening(rng.choice(self.rulings), seat, card, tuple(dict.fromkeys(out)), facts)

    def _card(self) -> str:
        """A card that can leave the deck now; what was shuffled back may come again."""
        current = self.at.engine.round
        assert current is not None
        for _ in range(200):
            code = self.deck.pop(0)
            self.deck.append(code)
            if current.table.card_problem([code]) is None:
                return code
        raise AssertionError("a card is asked for, and the deck has none left")


@each_ruleset
def test_whatever_happens_chips_are_conserved_and_the_hand_ends(ruleset: str) -> None:
    ended = {"void": 0, "settled": 0}
    for seed in range(SEEDS):
        evening = Evening(ruleset, seed).play()
        at, name = evening.at, f"{ruleset}, seed {seed}"
        faults = [event for event in at.events if isinstance(event, ev.Held) and event.code == "engine_fault"]
        assert not faults, name
        document = at.document
        ended["void" if document["void"] else "settled"] += 1
        if document["void"]:
            continue
        assert sum(document["net"].values()) == 0, name
        for pot in document["pots"]:
            assert pot["cents"] == sum(pot["to"].values()), name
        stacks = evening.settings["stacks"] or {}
        assert all(document["net"][seat] >= -stack for seat, stack in stacks.items()), name
        out = [code for cards in document["hands"].values() for code in cards if code != "Jo"]
        assert len(out) == len(set(out)), f"{name}: a card in two places"
    assert ended["settled"] > SEEDS // 3, ended


@each_ruleset
def test_every_hand_replays_to_the_same_events(ruleset: str) -> None:
    for seed in range(SEEDS // 4):
        evening = Evening(ruleset, seed).play()
        again = At(ruleset, **evening.settings)
        for value in evening.at.inputs:
            again.events += again.engine.apply(decode_input(encode_input(value)))
        assert [msgspec.json.encode(event) for event in again.events] == [
            msgspec.json.encode(event) for event in evening.at.events
        ], f"{ruleset}, seed {seed}"


@each_ruleset
def test_no_event_ever_names_a_card_that_stayed_hidden(ruleset: str) -> None:
    for seed in range(SEEDS // 2):
        evening = Evening(ruleset, seed)
        assert evening.at.engine.round is not None
        table = evening.at.engine.round.table
        evening.play()
        slots = [slot for hand in table.hands.values() for slot in hand.slots] + table.burns
        hidden = {slot.card.code for slot in slots if slot.is_read and slot.face_if_exposed is None}
        # What went back into the deck was seen before it was hidden again.
        seen = {card for event in evening.at.said(ev.CardsTakenBack) for card in event.cards}
        published = b" ".join(msgspec.json.encode(event) for event in evening.at.events).decode()
        for code in hidden - seen - {"Jo"}:
            assert f'"{code}"' not in published, f"{ruleset}, seed {seed}: {code}"
