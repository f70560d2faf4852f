"""Draw, lowball and triple draw from random seeds, with whatever can go wrong at a table: what is true of every hand.

A bot plays; now and then something happens that the sheets rule on, fitting the moment or not. A failure names ruleset
and seed; the same seed plays the same hand again.
"""

from __future__ import annotations

import random
from typing import Any

import pytest

from controller.engine.inputs import Happening
from controller.rules import load
from tests.support.games.draw_tables import RULESETS, DrawAt
from tests.support.games.random_poker import RandomHand, check_chips, check_no_fault, check_replay

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


each_ruleset = pytest.mark.parametrize("ruleset", RULESETS)


def settings_of(ruleset: str, rng: random.Random) -> dict[str, Any]:
    seats = sorted(rng.sample(range(1, 9), rng.randrange(2, 7)))
    order = seats[1:] + seats[:1]
    small, big = (order[-1], order[0]) if len(seats) == 2 else order[:2]
    return {
        "options": rng.choice(OPTIONS.get(ruleset, ({},))),
        "seats": tuple(seats),
        "button": seats[0],
        "structure": rng.choice(STRUCTURES[:1] if "village" in ruleset else STRUCTURES),
        "blinds": {small: 100, big: 200},
        "antes": dict.fromkeys(seats, 50) if rng.random() < 0.5 else {},
        "stacks": {seat: rng.choice((50, 120, 500, 1500, 9000)) for seat in seats} if rng.random() < 0.8 else None,
        "last_winner": rng.choice(seats),
    }


def trouble(hand: RandomHand) -> Happening:
    rng = hand.rng
    seat = rng.choice((None, *hand.at.engine.state.setup.seats))
    held = hand.read_cards(seat)
    card = rng.choice(held) if held and rng.random() < 0.8 else None
    out = (hand.card(),) if rng.random() < 0.1 else ()
    facts: dict[str, Any] = {"missing": rng.randrange(1, 3), "holds": rng.choice((4, held[:4]))}
    if rng.random() < 0.3:
        facts |= {"counts": {str(seat): 6}, "known": True, "looked_at": False}
    return Happening(rng.choice(sorted(hand.at.engine.game.rulings)), seat, card, out, facts)


def played(ruleset: str, seed: int) -> tuple[DrawAt, dict[str, Any]]:
    """One hand from a seed, and the settings of its table."""
    rng = random.Random(f"{ruleset}/{seed}")
    settings = settings_of(ruleset, rng)
    at = DrawAt(ruleset, **settings)
    deck = list(load(ruleset).game.deck(at.engine.options) or {})
    rng.shuffle(deck)
    RandomHand(at, rng, deck, trouble, trouble_rate=0.03, offline_rate=0).play()
    return at, settings


@each_ruleset
def test_whatever_happens_chips_are_conserved_and_the_hand_ends(ruleset: str) -> None:
    settled = 0
    for seed in SEEDS:
        at, settings = played(ruleset, seed)
        name = f"{ruleset}, seed {seed}"
        check_no_fault(at, name)
        document = at.document
        if document["void"]:
            continue
        settled += 1
        check_chips(at, settings["stacks"], name, carried=document["more"].get("carried", 0))
        out = [code for owner, cards in document["hands"].items() if owner != "discards" for code in cards]
        deck = load(ruleset).game.deck(at.engine.options) or {}
        assert all(out.count(code) <= deck[code] for code in out), f"{name}: a card in two places"
    assert settled * 2 > len(SEEDS)


@each_ruleset
def test_the_same_inputs_give_the_same_events(ruleset: str) -> None:
    for seed in SEEDS[:6]:
        at, settings = played(ruleset, seed)
        check_replay(at, DrawAt(ruleset, **settings), f"{ruleset}, seed {seed}")
