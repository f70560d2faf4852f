"""Thirty-two tiles, and which of two hands of two tiles is better.

Pairs come first, then Wong (Teen or Day with a nine), Gong (with an eight), then points: the last digit of the spots,
and with the same points the higher single tile. The names and the classes of pairs are the room's.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import product
from typing import NamedTuple

from msgspec import Struct

from controller.engine.cards.card import Card

SINGLE_ORDER = (
    ("6-6",), ("1-1",), ("4-4",), ("1-3",), ("5-5",), ("3-3",), ("2-2",), ("5-6",), ("4-6",), ("1-6",), ("1-5",),
    ("3-6", "4-5"), ("2-6", "3-5"), ("2-5", "3-4"), ("1-4", "2-3"), ("1-2", "2-4"),
)  # fmt: skip
"""The sixteen ranks, best first: eleven with two tiles alike, four of unlike tiles, and the Gee Joon."""
TEEN, DAY, GEE_JOON = 0, 1, 15
FIRST_UNLIKE = 11
RANK = {code: rank for rank, codes in enumerate(SINGLE_ORDER) for code in codes}
GEE_JOON_SPOTS = (3, 6)

PAIR, WONG, GONG, POINTS = 4, 3, 2, 1
WITH_WONG, WITH_GONG = 9, 8


def tile_set() -> dict[str, int]:
    """How often each tile is in the set.

    >>> sum(tile_set().values())
    32
    """
    return {code: 3 - len(codes) for codes in SINGLE_ORDER for code in codes}


class TileNames(Struct, frozen=True, forbid_unknown_fields=True):
    """A room's words."""

    ranks: tuple[str, ...]
    """The sixteen ranks, best first."""
    supreme: str
    matched: str
    unmatched: str

    def __post_init__(self) -> None:
        if len(self.ranks) != len(SINGLE_ORDER):
            raise ValueError(f"names.ranks: there are {len(SINGLE_ORDER)} ranks of tiles, {len(self.ranks)} are named")


class TileRank(NamedTuple):
    """What two tiles are worth; the greater one is better."""

    kind: int
    points: int
    high: int
    """Better tiles have the greater number."""

    @property
    def is_zero(self) -> bool:
        return self.kind == POINTS and self.points == 0


class TileRanking:
    """Ranks hands of two tiles as one room does."""

    def __init__(self, names: TileNames, *, semi_wild: bool) -> None:
        self.names, self.semi_wild = names, semi_wild

    def rank(self, pair: Sequence[Card]) -> TileRank:
        a, b = sorted(RANK[tile.code] for tile in pair)
        if a == b:
            return TileRank(PAIR, 0, len(SINGLE_ORDER) if a == GEE_JOON else len(SINGLE_ORDER) - 1 - a)
        high = len(SINGLE_ORDER) - 1 - a
        if a in (TEEN, DAY):
            other = next(tile for tile in pair if RANK[tile.code] == b)
            if other.rank == WITH_WONG:
                return TileRank(WONG, 0, high)
            if other.rank == WITH_GONG:
                return TileRank(GONG, 0, high)
        return TileRank(POINTS, self._points(pair), high)

    def _points(self, pair: Sequence[Card]) -> int:
        """The last digit of the spots; a Gee Joon tile may count 3 or 6 where the room plays it so."""
        choices = [GEE_JOON_SPOTS if self.semi_wild and RANK[t.code] == GEE_JOON else (t.rank,) for t in pair]
        return max(sum(spots) % 10 for spots in product(*choices))

    def document(self, pair: Sequence[Card]) -> list[str]:
        """`[wong, Day]`, `[points, 9, Teen]`: the form of `ranks` in a case."""
        rank = self.rank(pair)
        name = self.names.ranks[min(RANK[tile.code] for tile in pair)]
        match rank.kind:
            case 4:
                return [self._pair_class(pair), name]
            case 3:
                return ["wong", name]
            case 2:
                return ["gong", name]
        return ["points", str(rank.points), name]

    def _pair_class(self, pair: Sequence[Card]) -> str:
        rank = RANK[pair[0].code]
        if rank == GEE_JOON:
            return self.names.supreme
        return self.names.matched if rank < FIRST_UNLIKE else self.names.unmatched


class Arranged:
    """Four tiles as a low and a high hand; the better one is the high hand, however they were laid (A6)."""

    def __init__(self, ranking: TileRanking, low: Sequence[Card], high: Sequence[Card]) -> None:
        if ranking.rank(low) > ranking.rank(high):
            low, high = high, low
        self._ranking, self.low, self.high = ranking, tuple(low), tuple(high)

    @cached_property
    def low_rank(self) -> TileRank:
        return self._ranking.rank(self.low)

    @cached_property
    def high_rank(self) -> TileRank:
        return self._ranking.rank(self.high)

    def documents(self) -> list[list[str]]:
        return [self._ranking.document(self.low), self._ranking.document(self.high)]


def verdict(player: TileRank, player_dealer: TileRank) -> str:
    """Equal hands and two zeros are the player-dealer's."""
    if player.is_zero and player_dealer.is_zero:
        return "zero"
    if player == player_dealer:
        return "copy"
    return "win" if player > player_dealer else "lose"
