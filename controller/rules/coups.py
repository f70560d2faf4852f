"""Every baccarat hand of a full shoe, counted: what the wagers of a baccarat game give back, exactly.

A hand is counted by the points of its cards, as the drawing rules see it; what it pays is read off a round that the
game's own script settles. The Royale Bonus asks for ranks and suits, so its four cards are counted by themselves.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement
from math import lcm
from typing import Any, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from controller.engine import events as ev
from controller.engine.bets.wagers import WagerRule
from controller.engine.cards.card import RANKS, SUITS, Card, standard_deck
from controller.engine.inputs import AnyBody, BetsClosed, CardOut, Input, ShoeStarted, WagerPlaced
from controller.engine.money.bank import Odds
from controller.engine.round.felt import Setup
from controller.engine.table.engine import TableEngine
from controller.engine.table.state import TableState
from controller.games.baccarat import third_card
from controller.games.baccarat.century_script import royale_row
from controller.games.baccarat.ez_script import is_dragon_7, is_panda_8
from controller.games.baccarat.options import BaccaratOptions, RoyaleOptions
from controller.games.baccarat.script import Baccarat


class WagerReturn(Struct, frozen=True):
    """One wager over every way the cards can fall."""

    wager: str
    wins: int
    """The number of ways in which it wins."""
    ways: int
    """The number of all ways."""
    edge: Fraction
    """What the player-dealer keeps of each chip in the long run; below nought it is the players' edge."""


class Coup(NamedTuple):
    """What a baccarat hand comes to, as far as any wager but the Royale Bonus is decided by it."""

    player: int
    banker: int
    player_cards: int
    banker_cards: int

    @property
    def outcome(self) -> str:
        return third_card.winner(self.player, self.banker)

    @property
    def dragon_7(self) -> bool:
        return is_dragon_7(self.player, self.banker, self.banker_cards)

    @property
    def panda_8(self) -> bool:
        return is_panda_8(self.player, self.banker, self.player_cards)


def coup_returns(game: Baccarat[Any], options: BaccaratOptions) -> tuple[WagerReturn, ...]:
    """The wagers of a baccarat game that nobody's play can change."""
    ways, example = _coups(options.decks, getattr(options, "naturals_stop", True))
    total = sum(ways.values())
    stake = 100 * lcm(*(Odds(text).against for text in _odds(options)))
    counted = [rule for rule in game.wagers if rule.id not in game.not_by_points]
    won = {coup: _settled(game, options, example[coup], counted, stake) for coup in ways}
    wagers = []
    for rule in counted:
        lost = -sum(ways[coup] * won[coup][rule.id] for coup in ways)
        wins = sum(count for coup, count in ways.items() if won[coup][rule.id] > 0)
        wagers.append(WagerReturn(rule.id, wins, total, Fraction(lost, total * stake)))
    if isinstance(options, RoyaleOptions):
        wagers.append(_royale(options))
    return tuple(wagers)


@cache
def _coups(decks: int, naturals_stop: bool) -> tuple[Mapping[Coup, int], Mapping[Coup, tuple[int, ...]]]:
    """In how many ways each coup comes, and one way by the points of its cards."""
    ways: dict[Coup, int] = {}
    example: dict[Coup, tuple[int, ...]] = {}
    for coup, points, count in every_coup(decks, naturals_stop=naturals_stop):
        ways[coup] = ways.get(coup, 0) + count
        example.setdefault(coup, points)
    return ways, example


def every_coup(decks: int, *, naturals_stop: bool = True) -> Iterator[tuple[Coup, tuple[int, ...], int]]:
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
            if naturals_stop and third_card.is_natural(p, b):
                yield Coup(p, b, 2, 2), dealt, ways * (size - 4) * (size - 5)
            elif not third_card.player_draws(p):
                for drawn, count in _third(left, third_card.banker_draws(b, None)):
                    coup = Coup(p, (b + sum(drawn)) % 10, 2, 2 + len(drawn))
                    yield coup, (*dealt, *drawn), ways * count * (size - 5)
            else:
                for third, count in enumerate(left):
                    left[third] -= 1
                    for drawn, more in _third(left, third_card.banker_draws(b, third)):
                        coup = Coup((p + third) % 10, (b + sum(drawn)) % 10, 3, 2 + len(drawn))
                        yield coup, (*dealt, third, *drawn), ways * count * more
                    left[third] += 1


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


def _odds(options: Struct) -> Iterator[str]:
    """Every printed payoff of a pay table."""

    def leaves(value: Any) -> Iterator[str]:
        if isinstance(value, str):
            yield value
        elif isinstance(value, Struct):
            for name in value.__struct_fields__:
                yield from leaves(getattr(value, name))
        elif isinstance(value, dict):
            for item in value.values():
                yield from leaves(item)

    return leaves(getattr(options, "pays"))  # noqa: B009


def _settled(
    game: Baccarat[Any],
    options: BaccaratOptions,
    points: tuple[int, ...],
    wagers: list[WagerRule],
    stake: int,
) -> Mapping[str, int]:
    """What each wager gets when the table settles this hand."""
    # What the house collects is no part of a wager's return, and a schedule's limits may not fit the stake.
    free = replace(options, schedule=None, table_min=None, table_max=None, burn="none")
    table = TableEngine(game, free, TableState(Setup(seats=(1,), player_dealer=2)))
    placed = [WagerPlaced(1, rule.id, stake) for rule in wagers]
    cards = [CardOut(_card(point, number)) for number, point in enumerate(points)]
    happened: list[AnyBody] = [ShoeStarted(options.decks), *placed, BetsClosed(), *cards]
    for body in happened:
        events = table.apply(Input(0, "enumeration", body))
    (result,) = (event for event in events if isinstance(event, ev.RoundSettled))
    return {line.wager: line.net for line in result.lines}


def _card(point: int, number: int) -> str:
    rank = {0: "K", 1: "A"}.get(point, str(point))
    return rank + SUITS[number % len(SUITS)]


# The Royale Bonus


def _royale(options: RoyaleOptions) -> WagerReturn:
    rows = royale_ways(options)
    ways = sum(rows.values())
    pays = {row: Odds(text) for row, text in options.pays.royale_bonus.items()}
    won = sum((Fraction(odds.to, odds.against) * rows.get(row, 0) for row, odds in pays.items()), Fraction(0))
    wins = sum(rows.get(row, 0) for row in pays)
    return WagerReturn("royale_bonus", wins, ways, (ways - wins - won) / ways)


def royale_ways(options: RoyaleOptions) -> Mapping[str, int]:
    """In how many ordered draws of four cards from a full shoe each row of the pay table comes.

    Suits matter as far as they are equal or of one colour, so player's pairs that some exchange of suits makes the same
    are counted once, for all of them.
    """
    found: dict[str, int] = {}
    pairs = list(combinations_with_replacement(standard_deck(), 2))
    for player, alike in _first_of_its_kind(pairs).values():
        for dealer in pairs:
            ways = alike * _ordered(player, dealer, options.decks)
            row = royale_row(player, dealer, options)
            found[row] = found.get(row, 0) + ways
    return found


# Exchanges of suits, in the order c d h s, that leave equal what is equal and of one colour what is of one colour.
_EXCHANGES = ("cdhs", "sdhc", "chds", "shdc", "dcsh", "dsch", "hcsd", "hscd")


def _first_of_its_kind(pairs: list[tuple[Card, Card]]) -> dict[tuple[str, ...], tuple[tuple[Card, Card], int]]:
    found: dict[tuple[str, ...], tuple[tuple[Card, Card], int]] = {}
    for pair in pairs:
        images = (tuple(sorted(RANKS[c.rank - 2] + suits[c.suit] for c in pair)) for suits in _EXCHANGES)
        kind = min(images)
        first, count = found.get(kind, (pair, 0))
        found[kind] = (first, count + 1)
    return found


def _ordered(player: tuple[Card, Card], dealer: tuple[Card, Card], decks: int) -> int:
    """In how many ordered ways these two pairs leave the shoe."""
    left: dict[str, int] = {}
    ways = 1
    for one, other in (player, dealer):
        for card in (one, other):
            there = left.setdefault(card.code, decks)
            ways *= there
            left[card.code] = there - 1
        ways *= 1 if one is other else 2
    return ways
