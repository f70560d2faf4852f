"""What a wager gives back, exactly: how often it wins over every deal of a full deck, and the edge that leaves.

A misprinted pay table is seen at once when its edge stands beside it. Nothing is estimated: every way the cards can
fall is counted through the game's own functions, and what a baccarat hand pays is read off a round that the game's own
script settles. Wagers that depend on how people play have no such number and are left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from functools import cache
from itertools import combinations, combinations_with_replacement
from math import comb, factorial, lcm, prod
from typing import Any, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from controller.engine import events as ev
from controller.engine.cards import CARDS, RANKS, SUITS, Card
from controller.engine.felt import Setup
from controller.engine.game import Game
from controller.engine.inputs import AnyBody, BetsClosed, CardOut, Input, ShoeStarted, WagerPlaced
from controller.engine.money import Odds
from controller.engine.ranking import HIGH, Category
from controller.engine.state import TableState
from controller.engine.table import TableEngine
from controller.games import baccarat
from controller.games.ultimate_holdem import UltimateHoldem, UthOptions


class WagerReturn(Struct, frozen=True):
    """One wager over every way the cards can fall."""

    wager: str
    wins: int
    """In so many ways."""
    ways: int
    """Out of so many."""
    edge: Fraction
    """What the player-dealer keeps of each chip in the long run; below nought it is the players' edge."""


class Returns(Struct, frozen=True):
    """The wagers of a game whose return is a plain number."""

    over: str
    """What was counted."""
    wagers: tuple[WagerReturn, ...]


def returns(game: Game[Any], options: Struct) -> Returns | None:
    """The exact returns of a game with these options, None where it has none that can be counted."""
    match game, options:
        case baccarat.EzBaccarat(), baccarat.EzOptions():
            return _ez_baccarat(game, options)
        case UltimateHoldem(), UthOptions():
            return _trips(options)
    return None


# EZ Baccarat


class Coup(NamedTuple):
    """What a baccarat hand comes to, as far as any wager can tell."""

    outcome: str
    dragon_7: bool
    panda_8: bool


def _ez_baccarat(game: baccarat.EzBaccarat, options: baccarat.EzOptions) -> Returns:
    ways: dict[Coup, int] = {}
    example: dict[Coup, tuple[int, ...]] = {}
    for coup, points, count in every_coup(options.decks):
        ways[coup] = ways.get(coup, 0) + count
        example.setdefault(coup, points)
    total = sum(ways.values())
    stake = 100 * lcm(*(Odds(getattr(options.pays, rule.id)).against for rule in baccarat.WAGERS))
    won = {coup: _settled(game, options, example[coup], stake) for coup in ways}
    wagers = []
    for rule in baccarat.WAGERS:
        lost = -sum(ways[coup] * won[coup][rule.id] for coup in ways)
        wins = sum(count for coup, count in ways.items() if won[coup][rule.id] > 0)
        wagers.append(WagerReturn(rule.id, wins, total, Fraction(lost, total * stake)))
    return Returns(f"every ordered outcome of a full shoe of {options.decks} decks", tuple(wagers))


def every_coup(decks: int) -> Iterator[tuple[Coup, tuple[int, ...], int]]:
    """Every hand of a full shoe by the points of its cards: its coup, those points as dealt, and in how many ways.

    A way is an ordered draw of six cards, drawn or not, so that all ways are equally likely.
    """
    left = [16 * decks, *[4 * decks] * 9]
    size = 52 * decks
    for player, player_ways in _pairs(left):
        for banker, banker_ways in _pairs(left):
            dealt = (player[0], banker[0], player[1], banker[1])
            ways = player_ways * banker_ways
            p, b = sum(player) % 10, sum(banker) % 10
            if baccarat.is_natural(p, b):
                yield _coup(p, b, 2, 2), dealt, ways * (size - 4) * (size - 5)
            elif not baccarat.player_draws(p):
                for drawn, count in _third(left, baccarat.banker_draws(b, None)):
                    coup = _coup(p, (b + sum(drawn)) % 10, 2, 2 + len(drawn))
                    yield coup, (*dealt, *drawn), ways * count * (size - 5)
            else:
                for third, count in enumerate(left):
                    left[third] -= 1
                    for drawn, more in _third(left, baccarat.banker_draws(b, third)):
                        coup = _coup((p + third) % 10, (b + sum(drawn)) % 10, 3, 2 + len(drawn))
                        yield coup, (*dealt, third, *drawn), ways * count * more
                    left[third] += 1


def _coup(player: int, banker: int, player_cards: int, banker_cards: int) -> Coup:
    return Coup(
        baccarat.winner(player, banker),
        baccarat.is_dragon_7(player, banker, banker_cards),
        baccarat.is_panda_8(player, banker, player_cards),
    )


def _pairs(left: list[int]) -> Iterator[tuple[tuple[int, int], int]]:
    """Two cards off the shoe, in either order; they are back when the next pair is asked for."""
    for one, other in combinations_with_replacement(range(10), 2):
        ways = left[one] * (left[other] - (one == other)) * (1 if one == other else 2)
        left[one] -= 1
        left[other] -= 1
        yield (one, other), ways
        left[one] += 1
        left[other] += 1


def _third(left: list[int], draws: bool) -> Iterator[tuple[tuple[int, ...], int]]:
    """The banker's third card and its ways; where it does not draw, any card that would have come."""
    if draws:
        yield from (((point,), count) for point, count in enumerate(left))
    else:
        yield (), sum(left)


def _settled(
    game: baccarat.EzBaccarat, options: baccarat.EzOptions, points: tuple[int, ...], stake: int
) -> Mapping[str, int]:
    """What each wager gets when the table settles this hand."""
    # What the house collects is no part of a wager's return, and a schedule's limits may not fit the stake.
    free = replace(options, schedule=None)
    table = TableEngine(game, free, TableState(Setup(seats=(1,), player_dealer=2)))
    wagers = [WagerPlaced(1, rule.id, stake) for rule in baccarat.WAGERS]
    cards = [CardOut(_card(point, number)) for number, point in enumerate(points)]
    happened: list[AnyBody] = [ShoeStarted(options.decks), *wagers, BetsClosed(), *cards]
    for body in happened:
        events = table.apply(Input(0, "enumeration", body))
    (result,) = (event for event in events if isinstance(event, ev.RoundSettled))
    return {line.wager: line.net for line in result.lines}


def _card(point: int, number: int) -> str:
    rank = {0: "K", 1: "A"}.get(point, str(point))
    return rank + SUITS[number % len(SUITS)]


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
    """The sets of so many ranks, with and without a straight: one of them, and how many there are."""
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
