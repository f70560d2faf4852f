"""The house way of tiles: which pairs are kept and which are split, as a room prints it.

The table is data (`TilesHouseWayData`). Without a pair the printed steps do not always fix one arrangement; then nobody
guesses, and the floor is asked.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

from msgspec import Struct

from controller.engine.cards.card import Card
from controller.games.pai_gow_tiles.tiles import GONG, PAIR, POINTS, RANK, WONG, Arranged, TileRank, TileRanking

ABOVE_NINE = 10
"""Wong and Gong in the low hand count above nine (A10)."""
NINE = 9


class Split(Struct, frozen=True, forbid_unknown_fields=True):
    """When one kind of pair is split."""

    pair: tuple[str, ...]
    """Tiles of the pairs it is about."""
    low_hand: int | None = None
    """Split if the low hand is then worth so much or more."""
    beside: tuple[int, ...] = ()
    """Only beside a tile of one of these numbers of spots."""
    with_spots: tuple[tuple[int, ...], ...] = ()
    """Or whatever the low hand, where the other two tiles have these spots: one list for each of the two."""


class TilesHouseWayData(Struct, frozen=True, forbid_unknown_fields=True):
    splits: tuple[Split, ...]
    """A pair that is named in none of them is never split."""


class NotFixed(Exception):
    """The printed way does not fix one arrangement."""


class SetTiles(NamedTuple):
    arranged: Arranged
    pair: str
    """`split`, `kept`, or nothing where the hand has no pair."""
    explained: str


class TilesHouseWay:
    def __init__(self, data: TilesHouseWayData, ranking: TileRanking) -> None:
        self._data, self._ranking = data, ranking

    def set(self, tiles: Sequence[Card]) -> SetTiles:
        """Four tiles in the order they were dealt; raises `NotFixed` where the floor must say."""
        pairs = [pair for pair in combinations(tiles, 2) if self._rank(pair).kind == PAIR]
        if len(pairs) > 1:
            return SetTiles(self._beside(tiles, max(pairs, key=self._rank)), "kept", "two pairs: both kept")
        if pairs:
            return self._with_pair(tiles, pairs[0])
        for kind, name in ((WONG, "Wong"), (GONG, "Gong")):
            found = [pair for pair in combinations(tiles, 2) if self._rank(pair).kind == kind]
            if found:
                return SetTiles(self._beside(tiles, max(found, key=self._rank)), "", f"{name} in the high hand")
        return self._without_pair(tiles)

    def _rank(self, pair: Sequence[Card]) -> TileRank:
        return self._ranking.rank(pair)

    def _beside(self, tiles: Sequence[Card], high: Sequence[Card]) -> Arranged:
        return Arranged(self._ranking, _rest(tiles, high), high)

    def _with_pair(self, tiles: Sequence[Card], pair: Sequence[Card]) -> SetTiles:
        others = _rest(tiles, pair)
        name = self._ranking.names.ranks[RANK[pair[0].code]]
        split = self._split(pair, others)
        for rule in self._data.splits:
            if pair[0].code in rule.pair and self._fits(rule, others, split):
                return SetTiles(split, "split", f"pair of {name}: split, the low hand is worth it")
        return SetTiles(self._beside(tiles, pair), "kept", f"pair of {name}: kept")

    def _split(self, pair: Sequence[Card], others: Sequence[Card]) -> Arranged:
        """Each tile of the pair with one of the others: the better low hand, then the better high hand.

        Where both ways serve alike, the tile that was dealt first lies in the high hand (A13).
        """
        ways = [
            Arranged(self._ranking, (pair[0], others[0]), (pair[1], others[1])),
            Arranged(self._ranking, (pair[0], others[1]), (pair[1], others[0])),
        ]
        return max(ways, key=lambda way: (way.low_rank, way.high_rank, any(tile is pair[0] for tile in way.high)))

    def _fits(self, rule: Split, others: Sequence[Card], split: Arranged) -> bool:
        spots = [tile.rank for tile in others]
        if rule.beside and not any(count in rule.beside for count in spots):
            return False
        if rule.with_spots:
            first, second = rule.with_spots
            a, b = spots
            if (a in first and b in second) or (b in first and a in second):
                return True
        return rule.low_hand is not None and self._worth(split.low_rank) >= rule.low_hand

    @staticmethod
    def _worth(rank: TileRank) -> int:
        return rank.points if rank.kind == POINTS else ABOVE_NINE

    def _without_pair(self, tiles: Sequence[Card]) -> SetTiles:
        """Two tiles that total nine or less; else the largest with the smallest. Only where that is one arrangement."""
        small = [pair for pair in combinations(tiles, 2) if sum(tile.rank for tile in pair) <= NINE]
        if len(small) == 1:
            return SetTiles(self._beside(tiles, small[0]), "", "two tiles of nine or less together")
        ways = list(_ends_together(tiles))
        if not small and len(ways) == 1:
            return SetTiles(self._beside(tiles, ways[0]), "", "the largest with the smallest tile")
        raise NotFixed("no pair, Wong or Gong, and several arrangements fit: the house way does not say")


def _ends_together(tiles: Sequence[Card]) -> Iterator[tuple[Card, Card]]:
    """Each largest tile with each smallest one, alike tiles once."""
    least, most = (pick(tile.rank for tile in tiles) for pick in (min, max))
    seen = set()
    for a, b in combinations(tiles, 2):
        if sorted((a.rank, b.rank)) == [least, most] and (key := frozenset((a.code, b.code))) not in seen:
            seen.add(key)
            yield a, b


def _rest(tiles: Sequence[Card], taken: Sequence[Card]) -> list[Card]:
    left = list(tiles)
    for tile in taken:
        left.remove(tile)
    return left
