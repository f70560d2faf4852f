"""The setter: finds the row of the house way that fits seven cards, sets them, and states why.

Rows are asked in order, and in a row its settings. A setting whose conditions are not met, or whose front would not
be lower than its back, is passed over; where a row has none left, the next row that fits is asked. Of cards of equal
rank that serve alike the one dealt first goes in front (turlock-fortune-pai-gow-poker, A13); a card that makes the back
better, the third king of a flush, does not serve alike.

    >>> from controller.engine.cards.card import card, codes
    >>> from controller.engine.house_way.rows import WITHOUT_JOKER
    >>> from controller.engine.ranking import High
    >>> pairs = Row("three pairs", ("2+2+2",), (Way("three_pairs", "pair1 pair1", "highest pair in front"),))
    >>> other = Row("any other hand", WITHOUT_JOKER, (Way("other", "single2 single3", "second and third in front"),))
    >>> way = HouseWay(HouseWayData((pairs, other)), Seven(High()))
    >>> setting = way.set([card(c) for c in "Jc 8h Jd 8s 5c 5d Ah".split()])
    >>> codes(setting.front), setting.row, setting.explained
    (['Jc', 'Jd'], 'three_pairs', 'three pairs: highest pair in front')
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

from controller.engine.cards.card import RANKS, Card, rank_name
from controller.engine.house_way.arranged import COMPLETE, Arranged, Seven
from controller.engine.house_way.rows import SPLIT, HouseWayData, Row, Way
from controller.engine.ranking import Category, Rank

ACE = 14


@dataclass(frozen=True, eq=False, repr=False)
class Setting(Arranged):
    """Seven cards as the house way sets them, and why."""

    row: str
    explained: str


class NotSet(Exception):
    """No row of the house way fits these seven cards."""


class HouseWay:
    """A table of rows, for a game that ranks its hands like this."""

    def __init__(self, data: HouseWayData, ranking: Seven) -> None:
        self._data, self._ranking = data, ranking

    def set(self, cards: Sequence[Card]) -> Setting:
        dealt = _Dealt(cards, self._ranking)
        for row in self._data.rows:
            if not dealt.is_of(row):
                continue
            for way in row.set:
                arranged = self._play(way, dealt)
                if arranged is not None and arranged.is_legal:
                    explained = f"{row.hand}: {way.say}"
                    return Setting(_as_said(arranged.front), arranged.back, self._ranking, way.id, explained)
        raise NotSet("the house way has no row for this hand")

    def _play(self, way: Way, dealt: _Dealt) -> Arranged | None:
        if way.if_pair and not (dealt.pairs and rank_name(dealt.pairs[0]) in way.if_pair):
            return None
        if way.single_above_pair and not dealt.has_single_above_pair(way.single_above_pair):
            return None
        if way.top_three_at_most and dealt.top_three > tuple(map(_rank, way.top_three_at_most)):
            return None
        arranged = dealt.highest(way) if way.front.startswith("highest") else dealt.named(way.front)
        if arranged is None:
            return None
        if way.if_front and _names(arranged.front) not in way.if_front:
            return None
        if way.at_least and not _reaches(arranged, way.at_least):
            return None
        if way.by_chart and not self._chart_allows(dealt, arranged):
            return None
        return arranged

    def _chart_allows(self, dealt: _Dealt, arranged: Arranged) -> bool:
        high, low = map(rank_name, dealt.pairs[:2])
        least = self._data.two_pairs[high][low]
        return least != SPLIT and _reaches(arranged, least)


class _Dealt:
    """Seven cards in the terms of the rows: groups, pairs and singles by rank, highest first."""

    def __init__(self, cards: Sequence[Card], ranking: Seven) -> None:
        self._cards, self._ranking = cards, ranking
        natural = [card for card in cards if not card.is_joker]
        self._jokers = [card for card in cards if card.is_joker]
        # A joker that is an ace or fills a straight or flush (a bug) pairs nothing else: among the groups it is one of
        # the aces. Beside four aces it stays the joker of "four aces and the joker".
        if ranking.back.jokers == "bug" and sum(card.rank == ACE for card in natural) < 4:
            natural, self._jokers = list(cards), []
        self._by_rank: dict[int, list[Card]] = {}
        for card in natural:
            self._by_rank.setdefault(card.rank or ACE, []).append(card)
        self._ranks = sorted(self._by_rank, reverse=True)
        self.pairs = self._of_size(2)

    def _of_size(self, size: int) -> list[int]:
        return [rank for rank in self._ranks if len(self._by_rank[rank]) == size]

    def is_of(self, row: Row) -> bool:
        if self._groups not in row.groups or row.joker not in (None, bool(self._jokers)):
            return False
        if row.of and rank_name(self._largest) not in row.of:
            return False
        return row.complete is None or row.complete == self._is_complete

    @cached_property
    def _groups(self) -> str:
        sizes = sorted((len(cards) for cards in self._by_rank.values() if len(cards) > 1), reverse=True)
        return "+".join(map(str, sizes)) or "none"

    @property
    def _largest(self) -> int:
        return max(self._ranks, key=lambda rank: (len(self._by_rank[rank]), rank))

    @cached_property
    def _is_complete(self) -> bool:
        back = self._ranking.back
        best = back.rank(self._cards).category
        if best in COMPLETE or not back.chart.beats(best, Category.STRAIGHT):
            return best in COMPLETE
        return any(arranged.back_rank.category in COMPLETE for arranged in self._every())

    @property
    def top_three(self) -> tuple[int, ...]:
        return tuple(self._ranks[:3])

    def has_single_above_pair(self, ranks: int) -> bool:
        singles = self._of_size(1)
        return bool(singles and self.pairs) and singles[0] - self.pairs[0] >= ranks

    def named(self, front: str) -> Arranged | None:
        """The front that two terms name, of equal cards those that leave the better back, then those dealt first
        (bankers-fortune-pai-gow-poker-joker-fully-wild, A14); None where the hand has no such cards."""
        first, second = map(self._term, front.split())
        fronts = [(one, other) for one in first for other in second if one != other]
        every = [self._ranking.arrange(self._cards, pair) for pair in fronts]
        return every[0] if len(every) == 1 else max(every, key=lambda set_so: set_so.back_rank.strength, default=None)

    def _term(self, term: str) -> list[Card]:
        if term == "joker":
            return self._jokers
        name = term.rstrip("1234567")
        nth = int(term[len(name) :] or "1")
        ranks = self._of_size({"single": 1, "pair": 2, "three": 3, "four": 4}[name])
        return self._by_rank[ranks[nth - 1]] if nth <= len(ranks) else []

    def highest(self, way: Way) -> Arranged | None:
        """The highest of all fronts that leave behind what the way requires; those dealt first before others.

        The joker is of no rank: where a natural card serves alike, that one goes in front.
        """
        asked = [arranged for arranged in self._every() if _asked_for(way, arranged)]
        return max(asked, key=lambda arranged: (*arranged.worth, not _has_joker(arranged.front)), default=None)

    def _every(self) -> Iterator[Arranged]:
        for front in combinations(self._cards, 2):
            yield self._ranking.arrange(self._cards, front)


def _asked_for(way: Way, arranged: Arranged) -> bool:
    _, _, which = way.front.partition(" ")
    if which == "pair" and arranged.front_rank.category is not Category.PAIR:
        return False
    if which.startswith("with ") and _rank(which[-1]) not in {card.rank for card in arranged.front}:
        return False
    return any(_leaves(asked, arranged.back_rank) for asked in way.behind)


def _leaves(asked: str, back: Rank) -> bool:
    if asked == "complete":
        return back.category in COMPLETE
    category, _, lowest = asked.partition(" ")
    return back.category == category and (not lowest or back.ranks[0] >= _rank(lowest))


def _reaches(arranged: Arranged, least: str) -> bool:
    return arranged.front_rank.reaches([Category.HIGH_CARD, *least])


def _has_joker(front: Sequence[Card]) -> bool:
    return any(card.is_joker for card in front)


def _rank(name: str) -> int:
    return RANKS.index(name) + 2


def _names(front: Sequence[Card]) -> str:
    return "".join(rank_name(card.rank or ACE) for card in _as_said(front))


def _as_said(front: Sequence[Card]) -> tuple[Card, ...]:
    """The joker first, then the higher card; of equal cards the one dealt first."""
    return tuple(sorted(front, key=lambda card: card.rank or ACE + 1, reverse=True))
