"""Pots: what each seat has put in, what nobody called, side pots, and how a pot is shared.

A `Purse` holds the chips of one hand: what is in front of each seat and what it has put in. Live money is matched
between seats and makes the side pots; dead money (a small blind that was made up) belongs to the first pot. The
rest are functions of amounts, so that they read like the rule and are tested on their own.

Sheet: calgrand-betting-structures, section 5.

    >>> side_pots({1: 5000, 2: 12000, 3: 12000}, folded=set())
    [SidePot(cents=15000, seats=(1, 2, 3)), SidePot(cents=14000, seats=(2, 3))]
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Final, Literal

OddChips = Literal["all_to_first", "one_each"]
"""Chips that do not divide: all to the first winner, or one to each in turn."""
NOBODY: Final = 0
"""In the place of a seat, for money in the middle whose owner has left the game."""


class Purse:
    """The chips of one hand, seat by seat."""

    __slots__ = ("behind", "dead", "declared", "folded", "live", "pot", "seats")

    def __init__(self, seats: Sequence[int], stacks: Mapping[int, int] | None = None) -> None:
        self.seats = tuple(seats)
        self.behind: dict[int, int | None] = dict.fromkeys(seats)
        """Chips in front of each seat; None where the table does not know them: no limit."""
        if stacks:
            self.behind.update(stacks)
        self.live: dict[int, int] = dict.fromkeys(seats, 0)
        self.dead = self.live.copy()
        self.folded: set[int] = set()
        self.declared: set[int] = set()
        """Seats that declared themselves all-in although they have chips (bankers-seven-card-stud, A4)."""
        self.pot = 0

    def put(self, seat: int, cents: int, *, dead: bool = False) -> int:
        """Chips into the pot, up to what the seat has; returns what moved."""
        behind = self.behind[seat]
        if behind is not None:
            cents = min(cents, behind)
            self.behind[seat] = behind - cents
        (self.dead if dead else self.live)[seat] += cents
        self.pot += cents
        return cents

    def carry(self, seat: int, cents: int, *, dead: bool = False) -> None:
        """Money of an earlier deal of this pot: it is there already."""
        (self.dead if dead else self.live)[seat] += cents
        self.pot += cents

    def carry_nobodys(self, cents: int) -> None:
        """Dead money of an earlier deal that no seat in the game has put in."""
        self.dead[NOBODY] = self.dead.get(NOBODY, 0) + cents
        self.pot += cents

    def take_back(self, seat: int, cents: int, *, dead: bool = False) -> None:
        (self.dead if dead else self.live)[seat] -= cents
        self.pot -= cents
        behind = self.behind[seat]
        if behind is not None:
            self.behind[seat] = behind + cents

    def total(self, seat: int) -> int:
        return self.live[seat] + self.dead[seat]

    def can_act(self, seat: int) -> bool:
        """Neither folded nor all-in."""
        return seat not in self.folded and self.behind[seat] != 0 and seat not in self.declared

    def able(self, seats: Sequence[int]) -> list[int]:
        """Those of these seats that are neither folded nor all-in."""
        behind, out = self.behind, self.folded
        if self.declared:
            out = out | self.declared
        if not out:
            return [seat for seat in seats if (cents := behind[seat]) is None or cents]
        return [seat for seat in seats if seat not in out and ((cents := behind[seat]) is None or cents)]

    @property
    def contenders(self) -> list[int]:
        """Seats that have not folded, in seat order."""
        return [seat for seat in self.seats if seat not in self.folded]

    @property
    def matched(self) -> int:
        """The pot without the part of a bet that nobody has called: that goes back to its owner, whatever is due."""
        return self.pot - sum(uncalled(self.live, self.folded).values())

    def return_uncalled(self) -> dict[int, int]:
        """Hand back what the last bettor has above every other seat (section 5.1)."""
        back = uncalled(self.live, self.folded)
        for seat, cents in back.items():
            self.take_back(seat, cents)
        return back

    def pots(self) -> list[SidePot]:
        contenders, live = self.contenders, self.live
        level = live[contenders[0]] if contenders else -1
        if level < 0 or any(live[seat] != level for seat in contenders):
            return side_pots(live, self.folded, sum(self.dead.values()))
        # One hand is left, or nobody is all-in for less than another: there is one pot, and it holds everything.
        return [SidePot(self.pot, tuple(contenders))]

    def gathered(self, in_front: Mapping[int, int]) -> list[SidePot]:
        """The pots in the middle, while these bets are still in front of their seats; empty where nothing is there."""
        middle = {seat: cents - in_front.get(seat, 0) for seat, cents in self.live.items()}
        return [pot for pot in side_pots(middle, self.folded, sum(self.dead.values())) if pot.cents]


class SidePot:
    """One pot and the seats that compete for it."""

    __slots__ = ("cents", "seats")

    def __init__(self, cents: int, seats: tuple[int, ...]) -> None:
        self.cents, self.seats = cents, seats

    def __repr__(self) -> str:
        return f"SidePot(cents={self.cents}, seats={self.seats})"


def uncalled(live: Mapping[int, int], folded: Collection[int]) -> dict[int, int]:
    """The part of one contender's money that no other seat, folded or not, has matched.

    >>> uncalled({1: 0, 2: 100, 3: 300}, folded={1, 2})
    {3: 200}
    >>> uncalled({1: 500, 2: 500}, folded={1})
    {}
    """
    top, most, others = 0, -1, 0
    for seat, cents in live.items():
        if cents > most and seat not in folded:
            others = max(others, most)
            top, most = seat, cents
        elif cents > others:
            others = cents
    return {top: most - others} if most > others else {}


def side_pots(live: Mapping[int, int], folded: Collection[int], dead: int = 0) -> list[SidePot]:
    """Main pot first. Pot k holds what is between two totals of contenders, from every seat (section 5.2).

    Dead money is in the first pot; money of folded seats above the last total stays in the last one.

    >>> side_pots({1: 400, 2: 100, 3: 400}, folded={2}, dead=50)
    [SidePot(cents=950, seats=(1, 3))]
    """
    contenders = [seat for seat in live if seat not in folded]
    if len(contenders) == 1:
        return [SidePot(sum(live.values()) + dead, tuple(contenders))]
    levels = sorted({live[seat] for seat in contenders})
    pots: list[SidePot] = []
    floor = 0
    for level in levels:
        top = max(live.values()) if level == levels[-1] else level
        cents = sum(min(put, top) - min(put, floor) for put in live.values())
        if not pots:
            cents += dead
        seats = tuple(seat for seat in contenders if live[seat] >= level)
        if cents or not pots:
            pots.append(SidePot(cents, seats))
        floor = level
    if len(pots) > 1 and not pots[0].cents:
        del pots[0]
    return pots


def shares(cents: int, winners: Sequence[int], chip: int = 1, odd: OddChips = "all_to_first") -> dict[int, int]:
    """Equal parts in whole chips; odd chips and what is less than a chip in the order of `winners`.

    >>> shares(1400, [4, 1, 2], chip=100)
    {4: 600, 1: 400, 2: 400}
    >>> shares(1400, [4, 1, 2], chip=100, odd="one_each")
    {4: 500, 1: 500, 2: 400}
    """
    each, left = divmod(cents // chip, len(winners))
    parts = dict.fromkeys(winners, each * chip)
    for seat in winners[:left]:
        parts[seat if odd == "one_each" else winners[0]] += chip
    parts[winners[0]] += cents % chip
    return parts


def halves(cents: int, chip: int = 1) -> tuple[int, int]:
    """The high and the low half; the odd chip goes to the high side (BS-11).

    >>> halves(2500, chip=100)
    (1300, 1200)
    """
    low = cents // chip // 2 * chip
    return cents - low, low
