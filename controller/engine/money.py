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

from controller.engine.events import Line
from controller.engine.inputs import Place

Money = dict[Place, dict[str, int]]


class Settlement:
    """The book of one round's payments. Without a bank (`None`) everything is covered."""

    def __init__(self, bank: Sequence[int] | None) -> None:
        self._cover = None if bank is None else list(bank)
        self._spots_net = [0] * len(bank or [0])
        self.order: list[tuple[Place, str]] = []
        self.lines: list[Line] = []

    def win(self, place: Place, wager: str, payoff: int, *, listed: bool = True) -> int:
        """Pay a winner as far as the cover goes; gives what moved."""
        moved = self._use(payoff, -1)
        self._book(place, wager, moved, payoff - moved, listed)
        return moved

    def lose(self, place: Place, wager: str, stake: int, *, listed: bool = True) -> int:
        """Collect a loser as far as the cover goes; gives what moved."""
        moved = self._use(stake, 1)
        self._book(place, wager, -moved, stake - moved, listed)
        return moved

    def push(self, place: Place, wager: str, *, listed: bool = True) -> None:
        """Nothing moves, the wager goes back."""
        self._book(place, wager, 0, 0, listed)

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
        return sum(self._spots_net)

    @property
    def bank_net_by_spot(self) -> list[int]:
        return list(self._spots_net)

    @property
    def cover_left(self) -> int | None:
        """Cents of the bank used neither to pay nor to collect."""
        return None if self._cover is None else sum(self._cover)

    def _use(self, cents: int, sign: int) -> int:
        if self._cover is None:
            self._spots_net[0] += sign * cents
            return cents
        left = cents
        for spot, cover in enumerate(self._cover):
            used = cover if cover < left else left
            if used:
                self._cover[spot] = cover - used
                self._spots_net[spot] += sign * used
                left -= used
                if not left:
                    break
        return cents - left

    def _book(self, place: Place, wager: str, net: int, uncovered: int, listed: bool) -> None:
        if listed:
            self.order.append((place, wager))
        self.lines.append(Line(place, wager, net, uncovered))


def _summed(amounts: Iterable[tuple[Place, str, int]]) -> Money:
    """One amount per place and wager, in the order in which they first came."""
    money: Money = {}
    for place, wager, cents in amounts:
        by_wager = money.setdefault(place, {})
        by_wager[wager] = by_wager.get(wager, 0) + cents
    return money


class Odds:
    """A printed payoff, exact in cents.

    >>> Odds("6:5").payoff(2500), Odds("3:2").payoff(2000)
    (3000, 3000)
    """

    __slots__ = ("against", "text", "to")

    def __init__(self, text: str) -> None:
        self.text = text
        self.to, self.against = _parsed(text)

    def payoff(self, cents: int) -> int:
        """What a winning stake gets on top; a broken cent is rounded down, in the bank's favour."""
        return cents * self.to // self.against

    def __repr__(self) -> str:
        return f"Odds({self.text!r})"


@lru_cache(maxsize=1024)
def _parsed(text: str) -> tuple[int, int]:
    to, _, against = text.partition(":")
    return int(to), int(against or "1")
