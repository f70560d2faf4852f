"""Points between every two players of Chinese Poker, and the money that they become.

There is no bank. A player's stack bounds what he wins and what he loses: every cent of it is exchanged once.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import combinations

from controller.games.chinese_poker.hands import SWEEPS, Arranged, bonus
from controller.games.chinese_poker.options import ChineseOptions


class Points:
    """What each player owes another, by how their hands were set."""

    def __init__(
        self,
        options: ChineseOptions,
        button: int,
        fouled: Collection[int],
        sweeps: Mapping[int, str],
        arranged: Mapping[int, Arranged],
    ) -> None:
        self.options, self.button = options, button
        self.fouled, self.sweeps, self.arranged = fouled, sweeps, arranged

    def between(self, a: int, b: int) -> int:
        """Points that b owes a; negative: a owes b."""
        if a in self.fouled or b in self.fouled:
            if a in self.fouled and b in self.fouled:
                return 0
            return self._foul_points(a) if b in self.fouled else -self._foul_points(b)
        if a in self.sweeps or b in self.sweeps:
            return self._sweep_points(a, b)
        return sum(self._segments(a, b))

    def _foul_points(self, winner: int) -> int:
        """Three points a segment, and whatever the opponent's hand has on top (L1604)."""
        if winner in self.sweeps:
            return self.options.foul_points + self.options.sweeps[self.sweeps[winner]]
        ranks = self.arranged[winner].ranks
        return self.options.foul_points + sum(bonus(n, rank, self.options.bonuses) for n, rank in enumerate(ranks))

    def _sweep_points(self, a: int, b: int) -> int:
        mine, theirs = self.sweeps.get(a), self.sweeps.get(b)
        if mine is None:
            return -self.options.sweeps[str(theirs)]
        if theirs is None:
            return self.options.sweeps[mine]
        value, other = self.options.sweeps[mine], self.options.sweeps[theirs]
        if mine == theirs or (value == other and self.options.equal_value_sweeps == "push"):
            return 0
        return value if SWEEPS.index(mine) < SWEEPS.index(theirs) else -other

    def _segments(self, a: int, b: int) -> Iterator[int]:
        for n, (mine, theirs) in enumerate(zip(self.arranged[a].ranks, self.arranged[b].ranks, strict=True)):
            # The holder of the buttons wins all ties (L1522), with what the segment has on top.
            tied = mine == theirs
            if tied and self.button not in (a, b):
                yield 0
            elif self.button == a if tied else mine > theirs:
                yield 1 + bonus(n, mine, self.options.bonuses)
            else:
                yield -1 - bonus(n, theirs, self.options.bonuses)


def exchange(
    players: Sequence[int], points: Points, stacks: Mapping[int, int], point: int
) -> tuple[dict[int, int], list[list[int]]]:
    """What each player wins or loses, and the exchanges one by one: winner, loser, points, cents."""
    # Chips below one point do not play (L1615).
    left = {seat: stacks[seat] // point * point if seat in stacks else None for seat in players}
    net = dict.fromkeys(players, 0)
    steps: list[list[int]] = []
    # Clean sweeps are paid before regular hands are compared (A10).
    for a, b in sorted(combinations(players, 2), key=points.sweeps.keys().isdisjoint):
        owed = points.between(a, b)
        winner, loser = (a, b) if owed >= 0 else (b, a)
        cents = min([abs(owed) * point, *(chips for seat in (a, b) if (chips := left[seat]) is not None)])
        for seat in (a, b):
            chips = left[seat]
            left[seat] = None if chips is None else chips - cents
        net[winner] += cents
        net[loser] -= cents
        steps.append([winner, loser, abs(owed), cents])
    return net, steps
