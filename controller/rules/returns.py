"""What a wager returns, exactly: how often it wins over every deal of a full deck, and the edge that leaves.

A misprinted pay table is seen at once when its edge is beside it. Nothing is estimated: every way the cards can
fall is counted through the game's own functions, and what a baccarat hand pays is read off a round that the game's own
script settles. Wagers that depend on how people play have no such number and are left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import comb, factorial, prod
from typing import Any

from msgspec import Struct

from controller.engine.cards.card import CARDS, RANKS, SUITS, Card
from controller.engine.money.bank import Odds
from controller.engine.ranking import HIGH, Category
from controller.engine.round.game import Game
from controller.games.ante.ultimate_holdem.options import UthOptions
from controller.games.ante.ultimate_holdem.script import UltimateHoldem
from controller.games.baccarat.options import BaccaratOptions
from controller.games.baccarat.script import Baccarat
from controller.rules.coups import WagerReturn, coup_returns, every_coup

__all__ = ["Returns", "WagerReturn", "best_of_seven", "every_coup", "returns"]


class Returns(Struct, frozen=True):
    """The wagers of a game whose return is a plain number."""

    over: str
    """What was counted."""
    wagers: tuple[WagerReturn, ...]


def returns(game: Game[Any], options: Struct) -> Returns | None:
    """The exact returns of a game with these options, None where it has none that can be counted."""
    match game, options:
        case Baccarat(), BaccaratOptions():
            over = f"every ordered outcome of a full shoe of {options.decks} decks"
            return Returns(over, coup_returns(game, options))
        case UltimateHoldem(), UthOptions():
            return _trips(options)
    return None


# Best five of seven


def _trips(options: UthOptions) -> Returns | None:
    if options.trips_on_fold != "full_hand":
        return None  # a folded hand then counts by the board alone, so it matters who folds
    counts = best_of_seven()
    pays = {hand: Odds(text) for hand, text in options.pays.trips.items()}
    ways = sum(counts.values())
    won = sum((Fraction(odds.to, odds.against) * counts[hand] for hand, odds in pays.items()), Fraction(0))
    wins = sum(counts[hand] for hand in pays)
    return Returns("every seven cards of 52", (WagerReturn("trips", wins, ways, (ways - wins - won) / ways),))


@cache
def best_of_seven() -> Mapping[Category, int]:
    """How many of the 133,784,560 sevens of 52 cards make each hand at best.

    Seven cards hold at most one flush, and no pairs, trips or quads beside one beat it: then its suited ranks decide.
    Without a flush it is decided by how often ranks are held and whether a straight is among them.
    """
    counts = dict.fromkeys(Category, 0)
    suited = {ranks: HIGH.rank(_cards(ranks, "ccccc")) for ranks in combinations(range(13), 5)}
    for size in range(1, 8):
        for ranks, sets in _sets(size).values():
            for held in _partitions(7, size):
                hand = _cards([rank for rank, n in zip(ranks, held, strict=True) for _ in range(n)], SUITS * 2)
                ways = prod(comb(4, n) for n in held) - _with_flush(held)
                counts[HIGH.rank(hand).category] += sets * _arrangements(held) * ways
        for ranks in combinations(range(13), size):
            if flushes := [suited[five] for five in combinations(ranks, 5)]:
                counts[max(flushes).category] += 4 * comb(39, 7 - size)
    return counts


def _sets(size: int) -> dict[bool, tuple[tuple[int, ...], int]]:
    """The sets of n ranks, with and without a straight: one of them, and how many there are."""
    found: dict[bool, tuple[tuple[int, ...], int]] = {}
    for ranks in combinations(range(13), size):
        bits = sum(1 << rank + 2 for rank in ranks)
        straight = any(bits & run.bits == run.bits for run in HIGH.chart.straights)
        first, count = found.get(straight, (ranks, 0))
        found[straight] = (first, count + 1)
    return found


def _partitions(cards: int, ranks: int, most: int = 4) -> Iterator[tuple[int, ...]]:
    """How often each of some ranks may be held, the one held most first."""
    if ranks == 0:
        if cards == 0:
            yield ()
        return
    for n in range(min(cards, most), 0, -1):
        yield from ((n, *rest) for rest in _partitions(cards - n, ranks - 1, n))


def _arrangements(held: tuple[int, ...]) -> int:
    """In how many ways the ranks of a set may be the ones held so often."""
    return factorial(len(held)) // prod(factorial(held.count(n)) for n in set(held))


def _cards(ranks: Iterable[int], suits: str) -> list[Card]:
    return [CARDS[RANKS[rank] + suit] for rank, suit in zip(ranks, suits, strict=False)]


def _with_flush(held: tuple[int, ...]) -> int:
    """In how many ways ranks held so often have five or more cards in one suit."""
    by_suited = [1]
    for n in held:
        without, within = comb(3, n), comb(3, n - 1)
        by_suited = [
            without * (by_suited[i] if i < len(by_suited) else 0) + within * (by_suited[i - 1] if i else 0)
            for i in range(len(by_suited) + 1)
        ]
    return 4 * sum(by_suited[5:])
