"""Who takes part in an ante game.

A *place* is one bettor: a seat, or a back-line spot ("3.2") that plays the seat's cards with money of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from controller.engine.bets.wagers import WagerRule, wager_refusal
from controller.engine.inputs import Place, seat_of, spot_of
from controller.engine.round.felt import Table
from controller.games.banked import give_back, return_wager


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
    def decides(self) -> bool:
        return self.play is None and not self.folded


def take_part(t: Table, required: Sequence[str], *, seated: bool = True) -> list[Bettor]:
    """The places that are dealt in, in seat order; every other wager goes back before the deal.

    A place needs all `required` wagers, of one amount, and a back-line spot needs its seat in the round (`seated`)
    unless every spot decides for itself. A table that records no wagers deals to every seat.
    """
    if not t.setup.records_wagers:
        return [Bettor(seat, 0) for seat in sorted(t.seats) if seat != t.player_dealer]
    complete = {
        place
        for place, wagers in t.book.items()
        if all(wagers.get(name) for name in required) and len({wagers[name] for name in required}) == 1
    }
    alone = {place for place in complete if seated and seat_of(place) not in complete}
    for place in [place for place in t.book if place not in complete or place in alone]:
        give_back(t, place)
    return [Bettor(place, t.book[place][required[0]]) for place in sorted(t.book, key=_seat_then_spot)]


def give_back_misfits(t: Table, rules: Sequence[WagerRule]) -> None:
    """A bet that fitted its ante when it was placed, and does not since the ante was changed, goes back."""
    for place, wagers in t.book.items():
        for wager, cents in list(wagers.items()):
            beside = {name: other for name, other in wagers.items() if name != wager}
            if wager_refusal(rules, {place: beside}, place, wager, cents) is not None:
                return_wager(t, place, wager)


def _seat_then_spot(place: Place) -> tuple[int, int]:
    seat, _, spot = str(place).partition(".")
    return int(seat), int(spot or "1")


def in_seat_order(bettors: Iterable[Bettor], seats: Sequence[int]) -> list[Bettor]:
    """Seated players as the seats are listed, then all second spots in the same order, then all third ones."""
    return sorted(bettors, key=lambda bettor: (spot_of(bettor.place), seats.index(bettor.seat)))
