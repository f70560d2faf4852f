"""The player-dealer's limited money.

The player-dealer posts one or more wagers; settlement walks an order that the game gives. Every cent paid or collected
consumes a cent of cover, chips won in the round never pay later winners, partial cover pays or collects partly, and
what is not covered goes back. Several spots of the bank are used in order. (Reading `coverage: single_use`.)

    >>> s = Settlement([10000])
    >>> s.win(1, "player_line", 4000), s.win(2, "player_line", 4000), s.win(1, "panda_8", 12500)
    (4000, 4000, 2000)
    >>> s.bank_net, s.uncovered
    (-10000, {1: {'panda_8': 10500}})
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Literal, NamedTuple

from controller.engine.events import Line
from controller.engine.inputs import Place

Money = dict[Place, dict[str, int]]


class Settlement:
    """The book of one round's payments. Without a bank (`None`) everything is covered."""

    def __init__(self, bank: Sequence[int] | None) -> None:
        self._bank = bank
        self._covers_all = bank is None
        self.lines: list[Line] = []
        self._unlisted: set[int] = set()
        self._first_net = self._first_cover = 0
        """The first spot of the bank, which almost always is the only one."""
        self._further_nets = [0] * (len(bank) - 1) if bank else []
        self._further_cover: list[int] = []
        self.renew()

    def win(self, place: Place, wager: str, payoff: int, *, listed: bool = True) -> int:
        """Pay a winner as far as the cover goes; returns what moved."""
        moved = self._use(payoff, -1)
        self.lines.append(Line(place, wager, moved, payoff - moved))
        if not listed:
            self._leave_out()
        return moved

    def lose(self, place: Place, wager: str, stake: int, *, listed: bool = True) -> int:
        """Collect a loser as far as the cover goes; returns what moved."""
        moved = self._use(stake, 1)
        self.lines.append(Line(place, wager, -moved, stake - moved))
        if not listed:
            self._leave_out()
        return moved

    def push(self, place: Place, wager: str, *, listed: bool = True) -> None:
        """Nothing moves, the wager goes back."""
        self.lines.append(Line(place, wager, 0))
        if not listed:
            self._leave_out()

    def divide(self, places: Sequence[Place]) -> None:
        """The last wager was several players' together: what it came to is divided evenly, odd cents to the first."""
        whole = self.lines.pop()
        for place, net, uncovered in zip(
            places, _parts(whole.net, len(places)), _parts(whole.uncovered, len(places)), strict=True
        ):
            self.lines.append(Line(place, whole.wager, net, uncovered))

    def share(self, spot: int, place: Place, wager: str, cents: int) -> None:
        """A part of what a spot of the bank has won or lost (negative) goes to a bet beside it."""
        self._moved(spot, -cents)
        self.lines.append(Line(place, wager, cents))
        self._leave_out()

    def renew(self) -> None:
        """From here on the bank's whole money covers again: what was collected and what is paid are counted apart."""
        if self._bank:
            self._first_cover = self._bank[0]
            if len(self._bank) > 1:
                self._further_cover = list(self._bank[1:])

    @property
    def order(self) -> list[tuple[Place, str]]:
        """Which wagers were settled, one after the other; those that are not listed are left out."""
        return [(line.place, line.wager) for i, line in enumerate(self.lines) if i not in self._unlisted]

    @property
    def net(self) -> Money:
        """What moved, by place and wager: + to the place."""
        return _summed((line.place, line.wager, line.net) for line in self.lines)

    @property
    def uncovered(self) -> Money:
        """What found no cover and went back, by place and wager."""
        return _summed((line.place, line.wager, line.uncovered) for line in self.lines if line.uncovered)

    @property
    def bank_net(self) -> int:
        return self._first_net + sum(self._further_nets)

    @property
    def bank_net_by_spot(self) -> list[int]:
        return [self._first_net, *self._further_nets]

    @property
    def cover_left(self) -> int | None:
        """Cents of the bank used neither to pay nor to collect."""
        return None if self._covers_all else self._first_cover + sum(self._further_cover)

    def _use(self, cents: int, sign: int) -> int:
        """These cents of the bank are won (+1) or lost (-1), as far as the cover goes; returns what moved."""
        if self._covers_all:
            self._first_net += sign * cents
            return cents
        if cents <= self._first_cover:
            self._first_cover -= cents
            self._first_net += sign * cents
            return cents
        left = cents - self._first_cover
        self._first_net += sign * self._first_cover
        self._first_cover = 0
        for spot, there in enumerate(self._further_cover):
            used = min(there, left)
            self._further_cover[spot] = there - used
            self._further_nets[spot] += sign * used
            left -= used
        return cents - left

    def _moved(self, spot: int, cents: int) -> None:
        if spot == 0:
            self._first_net += cents
        else:
            self._further_nets[spot - 1] += cents

    def _leave_out(self) -> None:
        """The last line does not count in the order."""
        self._unlisted.add(len(self.lines) - 1)


def _summed(amounts: Iterable[tuple[Place, str, int]]) -> Money:
    """One amount per place and wager, in the order in which they first came."""
    money: Money = {}
    for place, wager, cents in amounts:
        by_wager = money.setdefault(place, {})
        by_wager[wager] = by_wager.get(wager, 0) + cents
    return money


def _parts(cents: int, count: int) -> list[int]:
    """Even parts of an amount.

    >>> _parts(1000, 3), _parts(-1001, 2)
    ([334, 333, 333], [-501, -500])
    """
    each, odd = divmod(abs(cents), count)
    parts = [each + (n < odd) for n in range(count)]
    return parts if cents >= 0 else [-part for part in parts]


OddCents = Literal["down", "nearest", "up"]
"""What a payoff is that is no whole chip: rounded down, to the nearest chip with half a chip up, or up."""


class Rounding(NamedTuple):
    """How a house pays what is no whole chip; without a word of the house, down to the cent."""

    odd_cents: OddCents = "down"
    chip_unit: int = 1


TO_THE_CENT = Rounding()


class Odds:
    """A printed payoff, in whole chips.

    >>> Odds("6:5").payoff(2500), Odds("3:2").payoff(2000)
    (3000, 3000)
    >>> [Odds("6:5").payoff(700, Rounding(how, 50)) for how in ("down", "nearest", "up")]
    [800, 850, 850]
    """

    __slots__ = ("against", "text", "to")

    def __init__(self, text: str) -> None:
        self.text = text
        self.to, self.against = _parsed(text)

    def payoff(self, cents: int, rounding: Rounding = TO_THE_CENT) -> int:
        """What a winning stake gets on top. Only odds with a fraction are rounded: all others pay in whole stakes."""
        exact, against = cents * self.to, self.against
        if against == 1:
            return exact
        how, unit = rounding
        chips, left = divmod(exact, against * unit)
        if left and (how == "up" or (how == "nearest" and 2 * left >= against * unit)):
            chips += 1
        return chips * unit

    def __repr__(self) -> str:
        return f"Odds({self.text!r})"


@lru_cache(maxsize=1024)
def _parsed(text: str) -> tuple[int, int]:
    to, _, against = text.partition(":")
    return int(to), int(against or "1")
