"""Ultimate Texas Hold'em: every cent of rounds played from random seeds, against the sheet's settlement table."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

from controller.engine import events as ev
from controller.engine.cards.card import CARDS, standard_deck
from controller.engine.expect.bot import answer
from controller.engine.expect.expectation import judge
from controller.engine.inputs import BankPosted, Place
from controller.engine.ranking import HIGH
from tests.games.ante.test_ultimate_holdem import Felt

SETTLEMENT: dict[tuple[bool, str], tuple[str, str, str]] = {
    # player-dealer has a pair, player's hand: ante, play, blind
    (False, "win"): ("push", "win", "win"),
    (False, "lose"): ("push", "lose", "lose"),
    (False, "push"): ("push", "push", "push"),
    (True, "win"): ("win", "win", "win"),
    (True, "lose"): ("lose", "lose", "lose"),
    (True, "push"): ("push", "push", "push"),
}
BLIND = {
    "royal_flush": Fraction(500),
    "straight_flush": Fraction(50),
    "four_of_a_kind": Fraction(10),
    "full_house": Fraction(3),
    "flush": Fraction(3, 2),
    "straight": Fraction(1),
}
TRIPS = {
    "royal_flush": 50,
    "straight_flush": 40,
    "four_of_a_kind": 30,
    "full_house": 8,
    "flush": 6,
    "straight": 5,
    "three_of_a_kind": 3,
}


def play_at_random(seed: int, bank: int | None) -> Felt:
    rng = random.Random(seed)
    felt = Felt(seats=tuple(range(1, 8)), bank=None if bank is None else (bank,))
    deck = [card.code for card in standard_deck()]
    rng.shuffle(deck)
    while felt.engine.last is None:
        body = answer(felt.engine.expectation, rng, deck.pop)
        if not isinstance(body, BankPosted):
            assert judge(felt.engine.expectation, body) is None
            felt.feed(body)
    return felt


@pytest.mark.parametrize("seed", range(150))
def test_every_seat_is_settled_by_the_sheets_table(seed: int) -> None:
    felt = play_at_random(seed, None)
    result, stakes = felt.result, _stakes(felt)
    if result["void"]:
        assert not stakes
        return
    board = [CARDS[code] for code in result["hands"].pop("board")]
    best = {owner: HIGH.best([CARDS[code] for code in hole], board) for owner, hole in result["hands"].items()}
    bank = best["player_dealer"]
    qualified = bank.category.value != "high_card"
    assert result["flags"] == {"qualified": qualified}
    assert sorted(stakes) == result["more"]["dealt_in"]
    assert sum(isinstance(event, ev.CardDealt) for event in felt.events) == 2 * (len(stakes) + 1) + 5
    for seat, staked in stakes.items():
        hand, net = best[str(seat)], result["net"][seat]
        assert net.keys() == staked.keys()
        if "trips" in staked:
            assert net["trips"] == staked["trips"] * TRIPS.get(hand.category, -1)
        if result["outcome"][seat] == "fold":
            assert (net["ante"], net["blind"]) == (-staked["ante"], -staked["blind"])
            assert "play" not in net
            continue
        compared = "push" if hand == bank else "win" if hand > bank else "lose"
        assert result["outcome"][seat] == compared
        for wager, fate in zip(("ante", "play", "blind"), SETTLEMENT[qualified, compared], strict=True):
            odds = BLIND.get(hand.category, Fraction(0)) if wager == "blind" else Fraction(1)
            assert net[wager] == {"win": int(staked[wager] * odds), "lose": -staked[wager], "push": 0}[fate], wager


@pytest.mark.parametrize("seed", range(100))
def test_money_is_conserved_and_no_cent_of_the_bank_is_used_twice(seed: int) -> None:
    bank = random.Random(seed).randrange(40_000)
    felt = play_at_random(seed, bank)
    result = felt.result
    if result["void"]:
        return
    moved = [cents for wagers in result["net"].values() for cents in wagers.values()]
    assert sum(moved) + result["bank_net"] == 0
    assert sum(map(abs, moved)) + result["more"]["cover_left"] == bank
    assert not result["uncovered"] or result["more"]["cover_left"] == 0
    for seat, staked in _stakes(felt).items():
        assert all(result["net"][seat][wager] >= -cents for wager, cents in staked.items())


def _stakes(felt: Felt) -> dict[Place, dict[str, int]]:
    """What stood on the layout in the end, as the table published it."""
    stakes: dict[Place, dict[str, int]] = {}
    for event in felt.events:
        if isinstance(event, ev.WagerSet):
            stakes.setdefault(event.place, {})[event.wager] = event.cents
    down = {place: {name: cents for name, cents in wagers.items() if cents} for place, wagers in stakes.items()}
    return {place: wagers for place, wagers in down.items() if wagers}
