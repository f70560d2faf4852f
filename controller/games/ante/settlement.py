"""Hands compared, and wagers settled one by one, as all ante games do it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import gcd, lcm
from typing import Literal, NamedTuple

from controller.engine.inputs import Place
from controller.engine.money.bank import Odds
from controller.engine.ranking import Category, Rank
from controller.engine.round.felt import Table

Comparison = Literal["win", "lose", "push"]


def compare(hand: Rank, other: Rank) -> Comparison:
    if hand == other:
        return "push"
    return "win" if hand > other else "lose"


class WagerResult(NamedTuple):
    """A wager and what settlement moves for it: + to the place."""

    place: Place
    wager: str
    cents: int
    forfeited: bool = False


def settle_lines(t: Table, lines: Iterable[WagerResult]) -> None:
    """Wager after wager, as far as the player-dealer's money goes."""
    for line in lines:
        if line.cents > 0:
            t.settlement.win(line.place, line.wager, line.cents)
        elif line.cents < 0:
            t.settlement.lose(line.place, line.wager, -line.cents)
        else:
            t.settlement.push(line.place, line.wager)


def whole_chip_step(odds: Iterable[Odds], chip: int) -> int:
    """The stakes in steps of this many cents have a payoff in whole chips on every row.

    >>> whole_chip_step([Odds("3:2"), Odds("10:1")], 100)  # a blind of $1 would be paid $1.50
    200
    """
    return lcm(chip, *(row.against * chip // gcd(row.to, row.against * chip) for row in odds))


def pay_table(rows: Mapping[Category, str]) -> dict[Category, Odds]:
    """A printed pay table: what each hand pays; a hand that is not listed has no payoff."""
    return {hand: Odds(text) for hand, text in rows.items()}
