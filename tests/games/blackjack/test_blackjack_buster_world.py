"""The Buster bet against the world: what it gives back, exact to the last fraction, then from dealt rounds.

Three ways that must agree. The counting: a composition-dependent recursion over the cards left in the shoe, in
fractions, which knows the printed rules and nothing of `controller`. The engine's own functions: its counts, charts and
pay tables asked about every hand that can be drawn from the same shoe. And dealt rounds, as in `test_blackjack_world`,
within four standard errors. The counting itself is held against figures that others have published for the ordinary
six-deck game.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any

import pytest

from controller.engine.cards.card import CARDS, Card, Hand, Slot
from controller.games.blackjack.buster import bust_cards
from controller.games.blackjack.buster_game import BusterRules
from controller.rules import load
from tests.games.blackjack.test_blackjack_world import World, agrees, compare, how_often, returned

Shoe = Mapping[int, int]
"""Cards by what they count: ace 1, tens and pictures 10."""
Drawn = tuple[int, ...]
"""How many of each value, ace first."""
Busts = dict[int, Fraction]
"""Probability by the number of cards of a busted hand; 0: not busted."""

VALUES = range(1, 11)


@dataclass(frozen=True)
class Printed:
    """A table as its approval prints it."""

    ruleset: str
    options: dict[str, Any]
    shoe: Shoe
    pays: Mapping[int, int]
    two_aces_stop: Fraction = Fraction(0)
    """The part of two-ace hands that is a natural: two aces of one suit."""
    base: str = "base"

    @property
    def edge(self) -> Fraction:
        """What the player-dealer keeps of a bet of one."""
        return -sum(
            (chance * self.pays[min(cards, 8)] if cards else -chance for cards, chance in self.busts.items()),
            Fraction(0),
        )

    @property
    def busts(self) -> Busts:
        return counted(tuple(self.shoe[value] for value in VALUES), self.two_aces_stop)


def decks(count: int, *, tens: int = 16, deuces: int = 4) -> Shoe:
    return {value: count * {1: 4, 2: deuces, 10: tens}.get(value, 4) for value in VALUES}


TABLE_A = {3: 2, 4: 2, 5: 4, 6: 18, 7: 50, 8: 200}
TABLE_B = {3: 2, 4: 2, 5: 4, 6: 15, 7: 50, 8: 200}
CALGRAND = {3: 1, 4: 3, 5: 4, 6: 15, 7: 40, 8: 200}
SUITED = Fraction(5, 23)
"""The second ace has the suit of the first: five of the 23 left in six decks."""

TABLES = {
    "bankers, Pure 21.5": Printed("bankers-buster-blackjack", {"decks": 6}, decks(6), TABLE_B),
    "bankers, Pure Spanish": Printed(
        "bankers-buster-blackjack", {"decks": 6, "base_game": "pure-spanish-21-5"}, decks(6, tens=12), TABLE_B
    ),
    "calgrand, two jokers": Printed(
        "calgrand-buster-blackjack", {"decks": 6, "jokers_per_deck": 2}, decks(6, deuces=6), CALGRAND, SUITED
    ),
    "village, No Bust 4.0": Printed("village-buster-blackjack", {"decks": 8}, decks(8), TABLE_A, base="main"),
    "village, No Bust 6.0": Printed(
        "village-buster-blackjack", {"decks": 6, "base_game": "no-bust-blackjack-6-0"}, decks(6), TABLE_A, base="main"
    ),
}
each_table = pytest.mark.parametrize("name", TABLES)


# The counting


@cache
def counted(shoe: Drawn, two_aces_stop: Fraction) -> Busts:
    """How a player-dealer busts who hits soft 17, card by card from this shoe, without replacement."""
    size, found = sum(shoe), {cards: Fraction(0) for cards in range(9)}
    drawing: dict[Drawn, Fraction] = {(0,) * 10: Fraction(1)}
    while drawing:
        grown: dict[Drawn, Fraction] = {}
        for drawn, chance in drawing.items():
            left = size - sum(drawn)
            for at, count in enumerate(shoe):
                if count > drawn[at]:
                    more = (*drawn[:at], drawn[at] + 1, *drawn[at + 1 :])
                    grown[more] = grown.get(more, Fraction(0)) + chance * (count - drawn[at]) / left
        drawing = {}
        for drawn, chance in grown.items():
            if sum(drawn) == drawn[0] == 2:
                found[0] += chance * two_aces_stop
                drawing[drawn] = chance * (1 - two_aces_stop)
            elif _hits(drawn):
                drawing[drawn] = chance
            else:
                hard = _hard(drawn)
                found[min(sum(drawn), 8) if hard > 21 else 0] += chance
    return {cards: chance for cards, chance in found.items() if chance}


def _hard(drawn: Drawn) -> int:
    return sum(value * count for value, count in zip(VALUES, drawn, strict=True))


def _hits(drawn: Drawn) -> bool:
    """Below hard 17, and on soft 17; a soft hand of 18 or more stands."""
    hard = _hard(drawn)
    is_soft = drawn[0] > 0 and hard <= 11
    return hard + 10 <= 17 if is_soft else hard <= 16


# The engine's own functions, asked about every hand


def according_to_the_engine(rules: BusterRules, deck: Mapping[str, int]) -> Iterator[tuple[int, Fraction, Fraction]]:
    """Cards of the busted hand, its probability and what the bet then pays, for every hand the shoe can give.

    The first two cards are dealt one by one, because suits may make them a natural; from then on a rank stands for all
    cards that count the same.
    """
    table = rules.rules
    assert table.buster is not None
    size = sum(deck.values())
    drawing: dict[tuple[str, ...], Fraction] = {}
    for one, copies in deck.items():
        for other, others in deck.items():
            chance = Fraction(copies, size) * Fraction(others - (one == other), size - 1)
            drawing[one, other] = drawing.get((one, other), Fraction(0)) + chance
    while drawing:
        grown: dict[tuple[str, ...], Fraction] = {}
        for codes, chance in drawing.items():
            hand = Hand("player_dealer")
            hand.slots = [Slot(CARDS[code]) for code in codes]
            count = table.bank_count(hand)
            if count.natural or table.player_dealer_chart.says(count) == "stand":
                odds = table.buster.odds((), hand, count)
                paid = Fraction(-1) if odds is None else Fraction(odds.to, odds.against)
                yield bust_cards(hand, count), chance, paid
                continue
            merged = tuple(sorted(_like(CARDS[code], deck) for code in codes))
            grown[merged] = grown.get(merged, Fraction(0)) + chance
        drawing = {}
        kinds: dict[str, int] = {}
        for code, copies in deck.items():
            like = _like(CARDS[code], deck)
            kinds[like] = kinds.get(like, 0) + copies
        for codes, chance in grown.items():
            for kind, copies in kinds.items():
                rest = copies - codes.count(kind)
                if rest > 0:
                    more = (*codes, kind)
                    drawing[more] = drawing.get(more, Fraction(0)) + chance * rest / (size - len(codes))


def _like(card: Card, deck: Mapping[str, int]) -> str:
    """The one card that stands for all that count as much."""
    value = 2 if card.is_joker else 1 if card.rank == 14 else min(card.rank, 10)
    return _representatives(tuple(deck))[value]


@cache
def _representatives(codes: tuple[str, ...]) -> Mapping[int, str]:
    found: dict[int, str] = {}
    for code in codes:
        card = CARDS[code]
        value = 2 if card.is_joker else 1 if card.rank == 14 else min(card.rank, 10)
        found.setdefault(value, code)
    return found


def buster_rules(printed: Printed) -> BusterRules:
    rules = load(printed.ruleset).options(printed.options)
    assert isinstance(rules, BusterRules)
    return rules


# What must agree


def test_the_counting_gives_what_others_have_published() -> None:
    """Six decks, soft 17 hit: discountgambling.net (Buster Blackjack, Sycuan) to six figures, and the edge of 6.21
    percent at 2-2-4-12-50-250 that the Wizard of Odds prints."""
    published = {3: 1.73032e-01, 4: 8.93918e-02, 5: 2.04726e-02, 6: 2.63760e-03, 7: 2.14444e-04}
    found = counted(tuple(decks(6)[value] for value in VALUES), Fraction(0))
    for cards, chance in published.items():
        assert float(found[cards]) == pytest.approx(chance, rel=4e-6)
    assert float(found[0]) == pytest.approx(0.714240, abs=1e-6)
    pays = {3: 2, 4: 2, 5: 4, 6: 12, 7: 50, 8: 250}
    edge = found[0] - sum((found[cards] * pays[cards] for cards in pays), Fraction(0))
    assert float(edge) == pytest.approx(0.0621, abs=5e-5)


@each_table
def test_the_pay_table_is_the_printed_one(name: str) -> None:
    printed = TABLES[name]
    assert buster_rules(printed).pays == {str(cards): f"{pays}:1" for cards, pays in printed.pays.items()}


@each_table
def test_the_engines_functions_give_the_exact_return(name: str) -> None:
    printed = TABLES[name]
    rules = buster_rules(printed)
    deck = load(printed.ruleset).game.deck(rules)
    assert deck is not None
    found: Busts = {}
    edge = Fraction(0)
    for cards, chance, paid in according_to_the_engine(rules, deck):
        found[min(cards, 8)] = found.get(min(cards, 8), Fraction(0)) + chance
        edge -= chance * paid
    assert found == printed.busts
    assert sum(found.values()) == 1
    assert edge == printed.edge


@each_table
def test_dealt_rounds_give_it_back_as_counted(name: str) -> None:
    printed = TABLES[name]
    world = World(printed.ruleset, printed.options, {printed.base: 1000, "buster": 1000})
    odds: dict[float, float] = {}
    for cards, chance in printed.busts.items():
        paid = float(printed.pays[min(cards, 8)]) if cards else -1.0
        odds[paid] = odds.get(paid, 0.0) + float(chance)
    figures = {"return": (returned(world, "buster"), odds)}
    figures |= {f"busts with {n}": (_busted(n), how_often(float(printed.busts[n]))) for n in (0, 3, 4, 5)}
    agrees(compare(world, figures, seed=21, count=1500))


def _busted(cards: int) -> Callable[[Mapping[str, Any]], float]:
    return lambda document: document["more"]["bust_cards"] == cards


def test_what_each_room_keeps_of_the_bet() -> None:
    """In percent, to be compared with the sheet of the bet's owner: jokers that count two and 1 to 1 for three cards
    cost the players of California Grand most."""
    assert {name: round(float(100 * printed.edge), 3) for name, printed in TABLES.items()} == {
        "bankers, Pure 21.5": 5.483,
        "bankers, Pure Spanish": 5.864,
        "calgrand, two jokers": 8.486,
        "village, No Bust 4.0": 4.641,
        "village, No Bust 6.0": 4.691,
    }
