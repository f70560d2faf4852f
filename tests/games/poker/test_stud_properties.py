"""Stud and Mexican games from random seeds, with whatever can go wrong at a table: what must be true of every hand.

A bot plays; now and then something happens that the sheets rule on, fitting the moment or not, with cards that left the
deck or none, and some cards are not read. A failure names ruleset and seed; the same seed plays the same hand again.
"""

from __future__ import annotations

import random
from typing import Any

import pytest

from controller.engine.inputs import Happening
from controller.rules import load
from tests.support.games.poker_tables import At
from tests.support.games.random_poker import RandomHand, check_hands, check_replays, check_secrets

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
    TURLOCK: ({}, {"new_game": True, "up_cards_wild_joker": "ace"}, {"schedule": "mexican-2013-9", "late_fee": 50}),
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


def settings_of(ruleset: str, rng: random.Random) -> dict[str, Any]:
    seats = sorted(rng.sample(range(1, 9), rng.choice(SEATS.get(ruleset, range(2, 9)))))
    options = rng.choice(OPTIONS[ruleset])
    return {
        "options": options,
        "seats": tuple(seats),
        "button": None if "button_draw" in options or "new_game" in options else seats[0],
        "structure": rng.choice(STRUCTURES[ruleset]),
        "blinds": {seats[0]: 200} if ruleset == CALGRAND and rng.random() < 0.1 else {},
        "antes": {} if ruleset == SALINAS else dict.fromkeys(seats, 25),
        "stacks": {seat: rng.choice((25, 120, 500, 1500, 6000)) for seat in seats} if rng.random() < 0.8 else None,
        "last_winner": rng.choice(seats),
    }


def trouble(hand: RandomHand) -> Happening:
    rng = hand.rng
    seat = rng.choice((None, *hand.at.engine.state.setup.seats))
    held = hand.read_cards(seat)
    card = rng.choice(held) if held and rng.random() < 0.7 else None
    out = tuple(hand.card() for _ in range(rng.choice((0, 0, 0, 1, 2, 4))))
    counts = {str(seat or 1): rng.randrange(2, 8)}
    facts = {"count": rng.randrange(1, 5), "by": seat, "counts": counts, "burned": 2, "cents": 100}
    code = rng.choice(sorted({*hand.at.engine.game.rulings, "shuffler_jam"}))
    return Happening(code, seat, card, tuple(dict.fromkeys(out)), facts)


def begin(ruleset: str, seed: int) -> tuple[RandomHand, dict[str, Any]]:
    """One hand from a seed, not yet played, and the settings of its table."""
    rng = random.Random(f"{ruleset} {seed}")
    settings = settings_of(ruleset, rng)
    at = At(ruleset, **settings)
    cards = load(ruleset).game.deck(at.engine.options) or {}
    deck = [code for code, count in cards.items() for _ in range(count)]
    rng.shuffle(deck)
    return RandomHand(at, rng, deck, trouble), settings


@each_ruleset
def test_whatever_happens_chips_are_conserved_and_the_hand_ends(ruleset: str) -> None:
    ended = check_hands(begin, ruleset, range(SEEDS))
    assert ended["settled"] > SEEDS // 3, ended


@each_ruleset
def test_every_hand_replays_to_the_same_events(ruleset: str) -> None:
    check_replays(begin, ruleset, range(SEEDS // 4))


@each_ruleset
def test_no_event_ever_names_a_card_that_stayed_hidden(ruleset: str) -> None:
    check_secrets(begin, ruleset, range(SEEDS // 2))
