"""Blackjack against the world: how hands fall and what bets give back, counted without the engine, then dealt by it.

The counting below is a composition-dependent recursion over the cards left in the shoe; it knows the printed rules and
nothing of `controller`. The dealing is the engine's: a full shoe for every round, one seat that follows a simple
strategy. A figure that differs by more than four standard errors fails, on average one run of this file in several
hundred seeds; the seed is fixed. `make test` deals some thousands of rounds of each game, `make soak` ten million.

That the player draws from the same shoe does not change how the player-dealer's hand falls: which cards go to him is
decided before they are seen, and such a choice from a shuffled shoe is as good as its first cards.
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from math import comb, sqrt
from multiprocessing import get_context
from typing import Any

import pytest

from controller.engine.expect.choices import WantDecision
from controller.engine.inputs import Act, AnyBody, BetsClosed, CardOut, Input, ShoeStarted, WagerPlaced
from controller.engine.round.felt import Setup
from controller.engine.table.engine import TableEngine
from controller.engine.table.state import TableState
from controller.rules import load
from tests.support.hostile.fuzz import how_many

STANDARD_ERRORS = 4.0
ROUNDS = 3000
"""Of each game in `make test`."""
PART = 10_000
"""Rounds that one process deals at a time in a soak."""
FEWEST_EXPECTED = 8
"""Rarer things than this are counted together with the next rarer ones, or not at all."""
MOST_CARDS = 30
"""More than any round of one seat takes."""

Cards = tuple[int, ...]
"""Values in rising order: ace 1, tens and pictures 10."""


# Counting, without the engine


@dataclass(frozen=True)
class Hand:
    """A complete hand of the player-dealer."""

    cards: Cards
    natural: bool

    @property
    def total(self) -> int:
        return best(self.cards)[0]

    @property
    def busts_with(self) -> int:
        """Number of cards of a busted hand; 0: not busted."""
        return len(self.cards) if self.total > 21 else 0


Odds = dict[float, float]
"""Probability by what a wager of one brings."""


def best(cards: Cards) -> tuple[int, bool]:
    """Total, and whether an ace counts eleven in it."""
    total = sum(cards)
    return (total + 10, True) if 1 in cards and total <= 11 else (total, False)


def stands(cards: Cards) -> bool:
    """Hard 17 or more, soft 18 or more: all four rooms' player-dealers hit soft 17."""
    total, soft = best(cards)
    return total >= (18 if soft else 17)


def completed(shoe: Mapping[int, int], naturals: Mapping[Cards, float]) -> dict[Hand, float]:
    """How probable each complete hand of the player-dealer is, drawn from this shoe without replacement.

    `naturals`: which part of a two-card hand is a natural and ends it.
    """
    size = sum(shoe.values())
    found: dict[Hand, float] = {}
    drawing: dict[Cards, float] = {(): 1.0}
    while drawing:
        grown: dict[Cards, float] = {}
        for cards, likely in drawing.items():
            left = size - len(cards)
            for value, count in shoe.items():
                rest = count - cards.count(value)
                if rest > 0:
                    more = tuple(sorted((*cards, value)))
                    grown[more] = grown.get(more, 0.0) + likely * rest / left
        drawing = {}
        for cards, likely in grown.items():
            natural = naturals.get(cards, 0.0)
            if natural:
                found[Hand(cards, natural=True)] = likely * natural
            if stands(cards):
                hand = Hand(cards, natural=False)
                found[hand] = found.get(hand, 0.0) + likely * (1 - natural)
            else:
                drawing[cards] = likely * (1 - natural)
    return {hand: likely for hand, likely in found.items() if likely}


def two_cards(shoe: Mapping[int, int]) -> Iterator[tuple[Cards, float]]:
    """Every first two cards with their probability."""
    ways = comb(sum(shoe.values()), 2)
    for one, ones in shoe.items():
        for other, others in shoe.items():
            if one < other:
                yield (one, other), ones * others / ways
        yield (one, one), comb(ones, 2) / ways


def without(shoe: Mapping[int, int], cards: Cards) -> dict[int, int]:
    return {value: count - cards.count(value) for value, count in shoe.items()}


def pays(terms: Iterable[tuple[float, float]]) -> Odds:
    """Payoffs with their probabilities, gathered."""
    odds: Odds = {}
    for payoff, likely in terms:
        odds[payoff] = odds.get(payoff, 0.0) + likely
    return odds


def match_rows(decks: int) -> Odds:
    """Match the Dealer from decks of twelve ranks: the two cards against the up card, by rank and suit."""
    suited, ranked = decks - 1, 3 * decks
    others = 48 * decks - 1 - suited - ranked
    ways = comb(48 * decks - 1, 2)
    rows = [
        (16.0, comb(suited, 2)),
        (12.0, suited * ranked),
        (8.0, suited * others + comb(ranked, 2)),
        (4.0, ranked * others),
        (-1.0, comb(others, 2)),
    ]
    return pays((payoff, count / ways) for payoff, count in rows)


def insurance_rows(shoe: Mapping[int, int], winning: float) -> Odds:
    """Insurance on every ace up, per round: nothing without one; `winning` is the chance of a natural under it."""
    ace = shoe[1] / sum(shoe.values())
    return {0.0: 1 - ace, 2.0: ace * winning, -1.0: ace * (1 - winning)}


def standing_pat(shoe: Mapping[int, int]) -> Odds:
    """Pure Spanish 21.5 for a player who stands on any two cards: 6 to 5 for a 21.5, ties below 21 push."""
    terms: list[tuple[float, float]] = []
    for cards, likely in two_cards(shoe):
        if cards == (1, 10):
            terms.append((1.2, likely))
            continue
        mine = best(cards)[0]
        for hand, against in completed(without(shoe, cards), {(1, 10): 1.0}).items():
            if hand.natural:
                payoff = -1.0
            elif hand.busts_with or mine > hand.total:
                payoff = 1.0
            else:
                payoff = 0.0 if mine == hand.total else -1.0
            terms.append((payoff, likely * against))
    return pays(terms)


# Dealing, by the engine

Round = Mapping[str, Any]
"""A result document."""

Figure = Callable[[Round], float]
"""What one round adds to a figure: 1 where a thing happened, or the return of a wager of one."""

Figures = Mapping[str, tuple[Figure, Odds]]
"""What is taken from the dealing, and how it is distributed by the counting."""


@dataclass(frozen=True)
class World:
    """A game as it is dealt here, and its figures."""

    ruleset: str
    options: dict[str, Any]
    wagers: dict[str, int]

    def rounds(self, seed: int, count: int) -> Iterator[Round]:
        """Rounds of one seat that insures, hits below hard 12 and else stands; each from a full shoe."""
        rng = random.Random(seed)
        ruleset = load(self.ruleset)
        options = ruleset.options(self.options)
        engine = TableEngine(ruleset.game, options, TableState(Setup(seats=(1,), player_dealer=8)), self.ruleset)
        deck = ruleset.game.deck(options)
        assert deck is not None
        shoe = [code for code, copies in deck.items() for _ in range(copies)]
        opening: list[AnyBody] = [ShoeStarted()]
        opening += [WagerPlaced(1, wager, cents) for wager, cents in self.wagers.items()]
        for _ in range(count):
            before, cards = engine.last, iter(rng.sample(shoe, MOST_CARDS))
            for body in (*opening, BetsClosed()):
                engine.apply(Input(0, "world", body))
            while engine.last is before:
                want = engine.expectation.wants[0]
                played = _decide(want) if isinstance(want, WantDecision) else CardOut(next(cards))
                engine.apply(Input(0, "world", played))
            assert engine.last is not None
            yield engine.last.document


def _decide(want: WantDecision) -> Act:
    offered = {choice.do: choice for choice in want.choices}
    for do in ("insurance", "stand", "hit"):
        if do in offered:
            return Act(want.seat, do, offered[do].max_cents or offered[do].cents)
    raise AssertionError(f"asked for {sorted(offered)}")


def busted_with(document: Round) -> int:
    total, cards = document["totals"]["player_dealer"][0], document["hands"]["player_dealer"]
    return len(cards) if total > 21.5 and len(cards) > 2 else 0


def returned(world: World, wager: str, stake: int | None = None) -> Figure:
    """Per round and wager of one; insurance is none of the wagers before the deal."""
    cents = stake or world.wagers[wager]
    return lambda document: document["net"].get(1, {}).get(wager, 0) / cents


def busts_with(cards: int) -> Figure:
    return lambda document: busted_with(document) == cards


def brings(paid: Figure, payoff: float) -> Figure:
    return lambda document: paid(document) == payoff


def has_rank(name: str) -> Figure:
    return lambda document: document["ranks"].get("1") == [name]


# Comparing


@dataclass(frozen=True)
class Compared:
    """A figure of the dealing beside its exact value."""

    name: str
    dealt: float
    mean: float
    error: float

    @property
    def off_by(self) -> float:
        """In standard errors."""
        return abs(self.dealt - self.mean) / self.error

    def __str__(self) -> str:
        return f"{self.name}: {self.dealt:.5f} dealt, {self.mean:.5f} counted, {self.off_by:.1f} standard errors"


def compare(world: World, figures: Figures, seed: int = 9, count: int | None = None) -> list[Compared]:
    count = rounds() if count is None else count
    sums = _dealt(world, figures, seed, count)
    found = []
    for name, (_, odds) in figures.items():
        mean = sum(value * likely for value, likely in odds.items())
        square = sum(value * value * likely for value, likely in odds.items())
        found.append(Compared(name, sums[name] / count, mean, sqrt((square - mean * mean) / count)))
    return found


def rounds() -> int:
    """Ten rounds for every input of a soak: ten million where that is a million."""
    return 10 * how_many() if "CUTCARD_SOAK" in os.environ else ROUNDS


def _dealt(world: World, figures: Figures, seed: int, count: int) -> dict[str, float]:
    """The sums of the figures; many rounds by all processors, in parts with seeds of their own."""
    if count <= PART:
        return _part(world, figures, seed, count)
    sums = dict.fromkeys(figures, 0.0)
    # Figures are closures, which only a forked process has without being sent them.
    with ProcessPoolExecutor(os.cpu_count(), get_context("fork"), _keep, (world, figures)) as pool:
        for part in pool.map(_kept_part, [seed * count + nth for nth in range(count // PART)]):
            for name, value in part.items():
                sums[name] += value
    return sums


def _part(world: World, figures: Figures, seed: int, count: int) -> dict[str, float]:
    sums = dict.fromkeys(figures, 0.0)
    for document in world.rounds(seed, count):
        for name, (figure, _) in figures.items():
            sums[name] += figure(document)
    return sums


_kept: list[tuple[World, Figures]] = []
"""What a forked process deals."""


def _keep(world: World, figures: Figures) -> None:
    _kept[:] = [(world, figures)]


def _kept_part(seed: int) -> dict[str, float]:
    return _part(*_kept[0], seed, PART)


def agrees(compared: Iterable[Compared]) -> None:
    far = [str(figure) for figure in compared if figure.off_by > STANDARD_ERRORS]
    assert not far, "; ".join(far)


def how_often(likely: float) -> Odds:
    return {1.0: likely, 0.0: 1 - likely}


def bust_figures(hands: Mapping[Hand, float]) -> dict[str, tuple[Figure, Odds]]:
    """How often the player-dealer goes over, by number of cards; the rarest together."""
    likely: dict[int, float] = {}
    for hand, chance in hands.items():
        likely[hand.busts_with] = likely.get(hand.busts_with, 0.0) + chance
    often = [cards for cards in sorted(likely) if cards and likely[cards] * rounds() >= FEWEST_EXPECTED]
    figures: dict[str, tuple[Figure, Odds]] = {"stands": (lambda d: busted_with(d) == 0, how_often(likely[0]))}
    for cards in often[:-1]:
        figures[f"busts with {cards}"] = (busts_with(cards), how_often(likely[cards]))
    last = often[-1]
    rest = sum(chance for cards, chance in likely.items() if cards >= last)
    figures[f"busts with {last} or more"] = (lambda d: busted_with(d) >= last, how_often(rest))
    return figures


PURE_SHOE = {**dict.fromkeys(range(1, 10), 4 * 8), 10: 16 * 8}
SPANISH_SHOE = {**dict.fromkeys(range(1, 10), 4 * 8), 10: 12 * 8}
HOT_DECKS, HOT_JOKERS = 6, 2
HOT_SHOE = {**dict.fromkeys(range(1, 10), 4 * HOT_DECKS), 2: (4 + HOT_JOKERS) * HOT_DECKS, 10: 16 * HOT_DECKS}


def test_the_counting_gives_the_published_figures_of_ordinary_blackjack() -> None:
    """Eight decks, soft 17 hit: over in 28.6 of a hundred hands, and an ace with a ten once in 21."""
    hands = completed(PURE_SHOE, {(1, 10): 1.0})
    assert sum(hands.values()) == pytest.approx(1)
    assert sum(chance for hand, chance in hands.items() if hand.busts_with) == pytest.approx(0.286, abs=0.001)
    assert sum(chance for hand, chance in hands.items() if hand.natural) == pytest.approx(1 / 21.07, rel=0.001)


def test_pure_with_buster_falls_as_counted() -> None:
    world = World(
        "bankers-buster-blackjack", {"decks": 8, "pure_pays": "3:2", "insurance": True}, {"base": 1000, "buster": 1000}
    )
    hands = completed(PURE_SHOE, {(1, 10): 1.0})
    table = {0: -1.0, 3: 2.0, 4: 2.0, 5: 4.0, 6: 15.0, 7: 50.0}
    buster = pays((table.get(hand.busts_with, 200.0), chance) for hand, chance in hands.items())
    natural = sum(chance for hand, chance in hands.items() if hand.natural)
    eights = sum(chance for hand, chance in hands.items() if hand.cards == (8, 8, 8))
    under_ace = PURE_SHOE[10] / (sum(PURE_SHOE.values()) - 1)
    agrees(
        compare(
            world,
            {
                **bust_figures(hands),
                "player-dealer has a pure": (lambda d: d["flags"]["player_dealer_pure"], how_often(natural)),
                "player has a pure": (lambda d: d["totals"]["1"][0] == 21.5, how_often(natural)),
                "three eights": (lambda d: d["flags"]["player_dealer_888"], how_often(eights)),
                "buster returns": (returned(world, "buster"), buster),
                "insurance returns": (returned(world, "insurance", 500), insurance_rows(PURE_SHOE, under_ace)),
            },
        )
    )


def test_pure_spanish_with_match_the_dealer_falls_as_counted() -> None:
    world = World("turlock-pure-spanish-21-5", {"decks": 8}, {"base": 1000, "match_dealer": 1000})
    hands = completed(SPANISH_SHOE, {(1, 10): 1.0})
    natural = sum(chance for hand, chance in hands.items() if hand.natural)
    match = match_rows(8)
    figures: dict[str, tuple[Figure, Odds]] = {
        **bust_figures(hands),
        "player-dealer has a pure": (lambda d: d["totals"]["player_dealer"][0] == 21.5, how_often(natural)),
        "player has a pure": (lambda d: d["outcome"]["1"] == "win_pure", how_often(natural)),
        "match returns": (returned(world, "match_dealer"), match),
        "standing on any two cards returns": (returned(world, "base"), standing_pat(SPANISH_SHOE)),
    }
    for row, chance in match.items():
        if chance * rounds() >= FEWEST_EXPECTED:
            figures[f"match pays {row:.0f}"] = (brings(returned(world, "match_dealer"), row), how_often(chance))
    agrees(compare(world, figures))


def test_hot_action_with_its_jokers_falls_as_counted() -> None:
    chosen = {"decks": HOT_DECKS, "jokers_per_deck": HOT_JOKERS}
    world = World("calgrand-hot-action-blackjack", chosen, {"main": 1000})
    size, aces, jokers = sum(HOT_SHOE.values()), 4 * HOT_DECKS, HOT_JOKERS * HOT_DECKS
    suited = (HOT_DECKS - 1) / (aces - 1)
    hands = completed(HOT_SHOE, {(1, 10): 1.0, (1, 1): suited})
    ways = comb(size, 2)
    naturals = {
        "super_natural_24": comb(jokers, 2) / ways,
        "natural_22": 4 * comb(HOT_DECKS, 2) / ways,
        "natural_21": aces * HOT_SHOE[10] / ways,
    }
    under_ace = (HOT_SHOE[10] + HOT_DECKS - 1) / (size - 1)
    figures: dict[str, tuple[Figure, Odds]] = {
        **bust_figures(hands),
        "player-dealer has a natural": (
            lambda d: "player_dealer" in d["ranks"],
            how_often(sum(chance for hand, chance in hands.items() if hand.natural)),
        ),
        "insurance returns": (returned(world, "insurance", 500), insurance_rows(HOT_SHOE, under_ace)),
    }
    for name, chance in naturals.items():
        figures[f"player has a {name}"] = (has_rank(name), how_often(chance))
    agrees(compare(world, figures))


def test_a_wrong_figure_is_reported() -> None:
    """The comparison can fail: a pay table that is off by one row is found within 1,500 rounds."""
    world = World("bankers-buster-blackjack", {"decks": 8}, {"base": 1000, "buster": 1000})
    hands = completed(PURE_SHOE, {(1, 10): 1.0})
    wrong = pays((-1.0 if not hand.busts_with else 3.0, chance) for hand, chance in hands.items())
    (figure,) = compare(world, {"buster returns": (returned(world, "buster"), wrong)}, count=1500)
    assert figure.off_by > STANDARD_ERRORS
