"""The chips of a hand of Panguingue: tops on the block, pays from every active player, and what is in front of a seat.

There is no pot and no bank: every pay is a fixed number of chips from each active player to one of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from controller.engine import events as ev
from controller.engine.round.felt import Table


class Tray:
    """What each seat won and lost so far, and what it has in front of it."""

    def __init__(self, t: Table, chip: int, tops: Mapping[int, int], stacks: Mapping[int, int] | None) -> None:
        self._t, self.chip = t, chip
        self.net = dict.fromkeys(sorted(t.seats), 0)
        self.tops = {seat: tops.get(seat, chip) for seat in self.net}
        self._stacks = dict(stacks or {})
        for seat, cents in self.tops.items():
            self.net[seat] -= cents
        self._note()

    def in_front(self, seat: int) -> int | None:
        """Cents in front of a seat; None where nobody counted them."""
        counted = self._stacks.get(seat)
        return None if counted is None else counted + self.net[seat]

    def return_top(self, seat: int) -> int:
        cents = self.tops.pop(seat, 0)
        self.net[seat] += cents
        self._note()
        return cents

    def collect(self, to: int, chips: int, payers: Iterable[int], what: str, most: int | None = None) -> dict[int, int]:
        """Take `chips` chips from each payer, up to what he has and to `most`; returns what each one paid, in cents."""
        paid: dict[int, int] = {}
        for payer in payers:
            bounds = [chips * self.chip, *(b for b in (most, self.in_front(payer)) if b is not None)]
            paid[payer] = cents = max(0, min(bounds))
            self.net[payer] -= cents
            self.net[to] += cents
        if any(paid.values()):
            self._t.emit(ev.ChipsPaid(what, to, chips, paid))
        self._note()
        return paid

    def award_tops(self, to: int) -> int:
        cents = sum(self.tops.values())
        self.tops = {}
        self.net[to] += cents
        self._t.emit(ev.ChipsPaid("tops", to, 0, {}, cents))
        self._note()
        return cents

    def _note(self) -> None:
        """What goes back, or must be given back, if the hand is void."""
        self._t.contributions = {seat: -cents for seat, cents in self.net.items() if cents}
