"""Games with a board from random seeds, with whatever can go wrong at a table: what must be true of every hand.

A bot plays; now and then something happens that the sheets rule on, fitting the moment or not, with cards that left the
deck or none. A failure names ruleset and seed; the same seed plays the same hand again.
"""

from __future__ import annotations

import random
from typing import Any

import pytest

from controller.engine.cards.card import codes, standard_deck
from controller.engine.inputs import Happening
from tests.support.games.poker_tables import BANKERS, CALGRAND, At
from tests.support.games.random_poker import RandomHand, check_hands, check_replays, check_secrets

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
    "turlock-omaha": ({}, {"schedule": "omaha-2010-4"}),
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


def settings_of(ruleset: str, rng: random.Random) -> dict[str, Any]:
    seats = sorted(rng.sample(range(1, 10), rng.randrange(2, 8)))
    order = seats[1:] + seats[:1]
    small, big = (order[-1], order[0]) if len(seats) == 2 else order[:2]
    options = rng.choice(OPTIONS[ruleset])
    settings = {
        "options": options,
        "seats": tuple(seats),
        "button": seats[0],
        "structure": rng.choice(STRUCTURES),
        "blinds": {small: 100, big: 200},
        "antes": dict.fromkeys(seats, 25) if rng.random() < 0.3 else {},
        "stacks": {seat: rng.choice((120, 500, 1500, 6000)) for seat in seats} if rng.random() < 0.8 else None,
        "last_winner": rng.choice(seats),
    }
    # With a schedule posted the table takes only its stakes.
    return settings | ({"structure": None, "blinds": None, "antes": {}} if "schedule" in options else {})


def trouble(hand: RandomHand) -> Happening:
    rng = hand.rng
    seat = rng.choice((None, *hand.at.engine.state.setup.seats))
    held = hand.read_cards(seat)
    card = rng.choice(held) if held and rng.random() < 0.7 else None
    out = tuple(hand.card() for _ in range(rng.choice((0, 0, 1, 2, 4, 5))))
    facts = {"identified": rng.random() < 0.5, "count": rng.randrange(1, 5), "by": seat}
    return Happening(rng.choice(sorted(hand.at.engine.game.rulings)), seat, card, out, facts)


def begin(ruleset: str, seed: int) -> tuple[RandomHand, dict[str, Any]]:
    """One hand from a seed, not yet played, and the settings of its table."""
    rng = random.Random(seed)
    settings = settings_of(ruleset, rng)
    deck = codes(standard_deck(settings["options"].get("jokers", 0)))
    rng.shuffle(deck)
    return RandomHand(At(ruleset, **settings), rng, deck, trouble), settings


@each_ruleset
def test_whatever_happens_chips_are_conserved_and_the_hand_ends(ruleset: str) -> None:
    ended = check_hands(begin, ruleset, seeds(ruleset))
    assert min(ended.values()) > len(seeds(ruleset)) // 20, ended


@each_ruleset
def test_every_hand_replays_to_the_same_events(ruleset: str) -> None:
    check_replays(begin, ruleset, seeds(ruleset, part=3))


@each_ruleset
def test_no_event_ever_names_a_card_that_stayed_hidden(ruleset: str) -> None:
    check_secrets(begin, ruleset, seeds(ruleset))
