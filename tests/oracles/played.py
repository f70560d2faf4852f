"""What an oracle is given, and what it answers."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Any

Wagers = dict[str, dict[str, int]]
"""By place ("3" is seat 3, "3.2" the second spot of it) and wager, in cents."""


class Unexpected(Exception):
    """The round cannot have been played like this by the sheet."""


@dataclass(frozen=True)
class Act:
    place: str
    do: str
    cents: int | None = None
    to: int | None = None
    cards: tuple[str, ...] = ()
    front: tuple[str, ...] = ()
    by: str | None = None
    pile: int | None = None
    cards_out: int = 0
    """How many cards had left the deck by then."""

    @property
    def seat(self) -> int:
        return seat_of(self.place)


@dataclass
class Played:
    """One round as it was played."""

    sheet: str
    player_dealer: int
    bank: tuple[int, ...] | None
    """None: the player-dealer covers everything."""
    wagers: Wagers
    """As they lay when the betting was closed."""
    cards: list[str]
    """Every card in the order in which it left the deck."""
    acts: list[Act]
    dice: tuple[int, ...] = ()
    options: dict[str, Any] = field(default_factory=dict)
    """What this table chose, where the sheet leaves a choice and the choice is not its default."""
    engine: dict[str, Any] = field(default_factory=dict)
    """Facts of the engine's result that the oracle takes as given (a hand set by the house way)."""
    seats: tuple[int, ...] = ()
    button: int | None = None
    table: dict[str, Any] = field(default_factory=dict)
    """Poker: structure, blinds, stacks."""


@dataclass
class Settled:
    """What the oracle says of the round. What is None is not compared."""

    net: Wagers = field(default_factory=dict)
    bank_net: int = 0
    uncovered: Wagers = field(default_factory=dict)
    outcome: Any = None
    totals: dict[str, Any] | None = None
    seats: dict[int, int] | None = None
    """Poker: one amount for each seat."""
    void: bool = False
    flags: dict[str, bool] | None = None


class Cards:
    """The cards of the round, one after another."""

    def __init__(self, cards: Sequence[str]) -> None:
        self._left = list(cards)

    def take(self, count: int = 1) -> list[str]:
        if count > len(self._left):
            raise Unexpected(f"{count} cards wanted, {len(self._left)} left the deck")
        taken, self._left = self._left[:count], self._left[count:]
        return taken

    def one(self) -> str:
        return self.take()[0]

    @property
    def left(self) -> int:
        return len(self._left)


class Acts:
    """The acts of the round, one after another."""

    def __init__(self, acts: Sequence[Act]) -> None:
        self._left = list(acts)

    def next(self, place: str, *do: str) -> Act:
        if not self._left:
            raise Unexpected(f"{place} should decide, but no act is left")
        act = self._left.pop(0)
        if act.place != place or act.do not in do:
            raise Unexpected(f"{place} should decide among {do}, but the act is {act}")
        return act

    @property
    def place(self) -> str:
        """Whose act is next."""
        return self._left[0].place if self._left else ""

    @property
    def left(self) -> int:
        return len(self._left)


def nothing_left(*parts: Cards | Acts) -> None:
    """The oracle has used every card and every act."""
    if any(part.left for part in parts):
        raise Unexpected("by the sheet the round was over before its last card or act")


class Bank:
    """The player-dealer's money: each cent is used once, to pay or to collect."""

    def __init__(self, played: Played) -> None:
        self._whole = None if played.bank is None else sum(played.bank)
        self.left = self._whole
        self.said = Settled()

    def settle(self, place: str, wager: str, due: int) -> int:
        """`due` is what the place should get (+) or lose (-); as much of it moves as there is money. What moved."""
        moved = due if self.left is None else min(abs(due), self.left) * (1 if due > 0 else -1)
        if self.left is not None:
            self.left -= abs(moved)
        net = self.said.net.setdefault(place, {})
        net[wager] = net.get(wager, 0) + moved
        if moved != due:
            short = self.said.uncovered.setdefault(place, {})
            short[wager] = short.get(wager, 0) + abs(due) - abs(moved)
        self.said.bank_net -= moved
        return moved

    def fresh(self) -> None:
        """A new allowance: the whole of his money once more."""
        self.left = self._whole


def seat_of(place: str) -> int:
    return int(place.split(".", maxsplit=1)[0])


def spot_of(place: str) -> int:
    return int(place.split(".")[1]) if "." in place else 1


def clockwise(seats: Collection[int], after: int) -> list[int]:
    """These seats, beginning with the first one after `after`."""
    return [seat for seat in sorted(seats) if seat > after] + [seat for seat in sorted(seats) if seat <= after]


def times(stake: int, odds: str) -> int:
    """What a stake is paid at these odds: "3:2" of 500 is 750. What is no whole cent is left off."""
    to, against = odds.split(":")
    return stake * int(to) // int(against)
