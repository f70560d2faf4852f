"""What a handful of cards can make: one question per row of a chart.

A `Holding` is the cards counted. Each pattern answers with the ranks that name the best hand of that kind and break
its ties, or None if the cards do not hold one. The cards may be more than a hand has: the best five of seven need no
trying of all twenty-one. Asked in the chart's order, the first pattern that answers is the hand.

    >>> from controller.engine.ranking.chart import STANDARD
    >>> holding = Holding(STANDARD, {14: 2, 9: 3, 4: 2})
    >>> pattern(Category.FULL_HOUSE, holding), pattern(Category.STRAIGHT, holding)
    ((9, 14), None)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from controller.engine.ranking.chart import ACE, Category, Chart

Found = tuple[int, ...] | None

FiveOfAKind = Literal["none", "aces", "any"]

PAIR, FIVE = 2, 5


@dataclass(frozen=True, slots=True)
class Holding:
    """Cards, counted the way the patterns need."""

    chart: Chart
    counts: Mapping[int, int]
    """Natural cards by rank."""
    suited: Sequence[Sequence[int]] = ()
    """For each suit that is long enough for a flush, jokers included: its natural ranks."""
    completing: int = 0
    """Jokers that may complete a straight or flush."""
    matching: int = 0
    """Jokers that may also match any card. The others are aces there, and counted as such in `grouped`."""
    grouped: Mapping[int, int] | None = None
    """The counts for pairs and more, where they differ from `counts`: a bug is an ace."""
    five_of_a_kind: FiveOfAKind = "any"
    flush_pairs: bool = False
    """Whether a joker in a flush may double its ace."""
    pairs_only: bool = False
    """Jokers that match a single card, and no pair or more."""


def pattern(category: Category, holding: Holding) -> Found:
    return _PATTERNS[category](holding)


def _royal_flush(holding: Holding) -> Found:
    if not holding.suited:
        return None
    return () if _straight_flush(holding) == (holding.chart.straights[0].top,) else None


def _straight_flush(holding: Holding) -> Found:
    if not holding.suited:
        return None
    suits = [_bits(ranks) for ranks in holding.suited]
    for straight in holding.chart.straights:
        if straight == holding.chart.wheel_straight and holding.chart.suited_wheel == "flush":
            continue
        if any(_missing(straight.bits, suit) <= holding.completing for suit in suits):
            return (straight.top,)
    return None


def _straight(holding: Holding) -> Found:
    if len(holding.counts) + holding.completing < holding.chart.size:
        return None
    held = _bits(holding.counts)
    for straight in holding.chart.straights:
        if _missing(straight.bits, held) <= holding.completing and not _is_flush_by_option(holding, straight.bits):
            return (straight.top,)
    return None


def _is_flush_by_option(holding: Holding, straight: int) -> bool:
    """The suited wheel of a chart that calls it a flush, unless a card of another suit makes it a plain straight."""
    chart = holding.chart
    if chart.suited_wheel != "flush" or chart.wheel_straight is None or straight != chart.wheel_straight.bits:
        return False
    wheel = [rank for rank in chart.ranks if straight >> rank & 1]
    return any(all(suit.count(rank) == holding.counts[rank] for rank in wheel) for suit in holding.suited)


def _flush(holding: Holding) -> Found:
    flushes = (_best_of_suit(holding, natural) for natural in holding.suited)
    return max(flushes, key=lambda ranks: holding.chart.strength(Category.FLUSH, ranks), default=None)


def _best_of_suit(holding: Holding, natural: Sequence[int]) -> tuple[int, ...]:
    """In a flush a joker is the highest card of the suit that is missing (bankers-draw-jacks-or-better)."""
    if holding.flush_pairs:
        stands_for = (ACE,) * holding.completing
    else:
        stands_for = tuple(r for r in holding.chart.descending if r not in natural)[: holding.completing]
    return _highest(holding.chart, (*natural, *stands_for), holding.chart.size)


def _groups(*sizes: int) -> Callable[[Holding], Found]:
    """The pattern of these groups of equal rank, then the highest cards left: 3 and 2 for a full house."""

    def best(holding: Holding) -> Found:
        return _best_groups(holding, sizes, holding.matching, ())

    return best


def _best_groups(holding: Holding, sizes: tuple[int, ...], jokers: int, taken: tuple[tuple[int, int], ...]) -> Found:
    if not sizes:
        return _with_kickers(holding, taken, jokers)
    counts = holding.grouped or holding.counts
    if max(counts.values(), default=0) + jokers < sizes[0]:
        return None
    for rank in holding.chart.descending:
        needed = max(0, sizes[0] - counts[rank]) if rank in counts else sizes[0]
        if needed and holding.pairs_only and not (sizes[0] == PAIR and counts.get(rank) == 1):
            continue
        if needed <= jokers and all(rank != other for other, _ in taken):
            found = _best_groups(holding, sizes[1:], jokers - needed, (*taken, (rank, sizes[0])))
            if found is not None:
                return found
    return None


def _with_kickers(holding: Holding, taken: tuple[tuple[int, int], ...], jokers: int) -> Found:
    named = tuple(rank for rank, _ in taken)
    wanted = holding.chart.size - sum(size for _, size in taken)
    if wanted <= 0:
        return named if wanted == 0 else None
    left = dict(holding.grouped or holding.counts)
    for rank, size in taken:
        left[rank] = max(0, left.get(rank, 0) - size)
    others = [rank for rank, count in left.items() for _ in range(count)]
    # A joker that no group may use is the best other card: four nines and a joker where only aces make five
    # (bankers-fortune-pai-gow-poker-1-1).
    others += [rank for rank in holding.chart.descending if rank not in named][:jokers]
    kickers = _highest(holding.chart, others, wanted)
    return (*named, *kickers) if len(kickers) == wanted else None


_five_alike = _groups(5)


def _five_of_a_kind(holding: Holding) -> Found:
    if holding.pairs_only:
        return (ACE,) if holding.counts.get(ACE, 0) + holding.matching >= FIVE else None
    found = _five_alike(holding)
    if holding.five_of_a_kind == "any" or found is None:
        return found
    # Aces are asked for first, so another rank means that five aces are not there.
    return found if holding.five_of_a_kind == "aces" and found == (ACE,) else None


def _highest(chart: Chart, ranks: Sequence[int], wanted: int) -> tuple[int, ...]:
    return tuple(sorted(ranks, key=chart.ranks.index, reverse=True)[:wanted])


def _bits(ranks: Sequence[int] | Mapping[int, int]) -> int:
    bits = 0
    for rank in ranks:
        bits |= 1 << rank
    return bits


def _missing(straight: int, held: int) -> int:
    return (straight & ~held).bit_count()


_PATTERNS: Mapping[Category, Callable[[Holding], Found]] = {
    Category.FIVE_OF_A_KIND: _five_of_a_kind,
    Category.ROYAL_FLUSH: _royal_flush,
    Category.MINI_ROYAL: _royal_flush,
    Category.STRAIGHT_FLUSH: _straight_flush,
    Category.FOUR_OF_A_KIND: _groups(4),
    Category.FULL_HOUSE: _groups(3, 2),
    Category.FLUSH: _flush,
    Category.STRAIGHT: _straight,
    Category.THREE_OF_A_KIND: _groups(3),
    Category.TWO_PAIR: _groups(2, 2),
    Category.PAIR: _groups(2),
    Category.HIGH_CARD: _groups(),
}
