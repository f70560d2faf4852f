"""Ante-and-decide games: a seat antes, looks at its cards, stays in or folds against the player-dealer.

Ultimate Texas Hold'em stands on these parts; Three Card Poker, 3 Card Hold'em and Caribbean Stud have the same shape.
A *place* is one bettor: a seat, or a back-line spot ("3.2") that plays the seat's cards with money of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import gcd, lcm
from typing import Literal

from controller.engine import events as ev
from controller.engine.cards import Hand
from controller.engine.felt import Move, Table
from controller.engine.inputs import Place, seat_of
from controller.engine.money import Odds
from controller.engine.ranking import Category, Rank

Comparison = Literal["win", "lose", "push"]


@dataclass
class Bettor:
    """One place in the round: what it has staked beyond the first wagers, and whether it is still in."""

    place: Place
    ante: int
    play: int | None = None
    folded: bool = False

    @property
    def seat(self) -> int:
        return seat_of(self.place)

    @property
    def is_back_line(self) -> bool:
        return self.place != self.seat

    @property
    def decides(self) -> bool:
        return self.play is None and not self.folded


def take_part(t: Table, required: Sequence[str]) -> list[Bettor]:
    """The places that are dealt in, in seat order; every other wager goes back before the deal.

    A place needs all `required` wagers, of one amount, and a back-line spot needs its seat in the round. A table that
    records no wagers deals to every seat.
    """
    if not t.setup.records_wagers:
        return [Bettor(seat, 0) for seat in sorted(t.seats) if seat != t.player_dealer]
    complete = {
        place
        for place, wagers in t.book.items()
        if all(wagers.get(name) for name in required) and len({wagers[name] for name in required}) == 1
    }
    for place in [place for place in t.book if place not in complete or seat_of(place) not in complete]:
        give_back(t, place)
    return [Bettor(place, t.book[place][required[0]]) for place in sorted(t.book, key=_seat_then_spot)]


def give_back(t: Table, place: Place) -> None:
    """Wagers that have no part in the round return before a card is dealt."""
    seat = seat_of(place)
    for wager, cents in t.book.pop(place).items():
        t.result.returned[seat] = t.result.returned.get(seat, 0) + cents
        t.emit(ev.WagerSet(place, wager, 0))


def _seat_then_spot(place: Place) -> tuple[int, int]:
    seat, _, spot = str(place).partition(".")
    return int(seat), int(spot or "1")


def in_seat_order(bettors: Iterable[Bettor], seats: Sequence[int]) -> list[Bettor]:
    """Seated players as the seats are listed, then back-line bettors in the same order of seats."""

    def turn(bettor: Bettor) -> tuple[bool, int, int]:
        return bettor.is_back_line, seats.index(bettor.seat), _seat_then_spot(bettor.place)[1]

    return sorted(bettors, key=turn)


def deal_face_down(t: Table, hands: Sequence[Hand], cards: int, packet: int) -> Move[None]:
    """`cards` to every hand in turn, `packet` at a time: a shuffler's packets, or one by one from a shoe."""
    for _ in range(0, cards, packet):
        for hand in hands:
            yield from t.deal(hand, packet, up=False)


def compare(hand: Rank, other: Rank) -> Comparison:
    if hand == other:
        return "push"
    return "win" if hand > other else "lose"


def tell_outcomes(outcomes: Mapping[Place, str]) -> str:
    """Who won, for the screens.

    >>> tell_outcomes({1: "win", 2: "fold", "2.2": "fold"})
    'Seat 1 wins, seat 2 folds, seat 2.2 folds'
    """
    said = ", ".join(f"seat {place} {_VERBS[outcome]}" for place, outcome in outcomes.items())
    return said[:1].upper() + said[1:]


_VERBS = {"win": "wins", "lose": "loses", "push": "pushes", "fold": "folds"}


def whole_chip_step(odds: Iterable[Odds], chip: int) -> int:
    """The stakes in steps of this many cents have a payoff in whole chips on every row.

    >>> whole_chip_step([Odds("3:2"), Odds("10:1")], 100)  # a blind of $1 would be paid $1.50
    200
    """
    return lcm(chip, *(row.against * chip // gcd(row.to, row.against * chip) for row in odds))


def pay_table(rows: Mapping[Category, str]) -> dict[Category, Odds]:
    """A printed pay table: what each hand pays; a hand that is not listed has no payoff."""
    return {hand: Odds(text) for hand, text in rows.items()}
