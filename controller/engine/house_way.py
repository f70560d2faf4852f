"""House ways: how a room sets seven cards into a front of two and a back of five, as an ordered table of rows.

A row names the hand dealt: its groups of natural cards of one rank (`4+2`, `2+2`, `none`), whether the joker is among
the seven, whether they hold a complete hand (straight, flush, straight flush). Its settings are tried in order, the
first that applies is played; where none does, the next row that fits is asked. Front terms:

    "joker single1"       the joker and the highest single; also four, three, three2, pair1, pair2, single1, single2...
    "highest"             of all fronts that leave `behind`, the highest; of those, the one with the highest back
    "highest pair"        the same, pairs only;  "highest with A": the same, with an ace in it

Of cards of equal rank that serve alike the one dealt first goes in front. A setting whose front is not lower than its
back is never played.

    >>> from controller.engine.cards import card, codes
    >>> way = HouseWay([Row("three pairs", ("2+2+2",), (Way("three_pairs", "pair1 pair1", "highest pair in front"),))])
    >>> setting = way.set([card(c) for c in "Jc 8h Jd 8s 5c 5d Ah".split()], Seven(High()))
    >>> codes(setting.front), setting.row, setting.explained
    (['Jc', 'Jd'], 'three_pairs', 'three pairs: highest pair in front')
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations

from msgspec import Struct

from controller.engine.cards import RANKS, Card, rank_name
from controller.engine.ranking import TWO_CARD, Category, High, Rank

COMPLETE = frozenset({Category.STRAIGHT, Category.FLUSH, Category.STRAIGHT_FLUSH, Category.ROYAL_FLUSH})
ACE = 14


class Way(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One setting of a row, with the conditions on which it is played."""

    id: str
    front: str
    say: str
    behind: tuple[str, ...] = ()
    """What a searched front must leave: `complete`, a category, or a category with its lowest rank (`pair J`)."""
    if_front: tuple[str, ...] = ()
    """Only these fronts, as ranks, higher first: `AK`."""
    at_least: str = ""
    """Only a front this high: `Q` is queen high or better, `AJ` ace-jack or better; a pair is better than both."""
    if_pair: str = ""
    """Only where the highest natural pair is one of these ranks."""
    single_above_pair: int = 0
    """Only where the highest single is at least so many ranks above the highest natural pair."""
    top_three_at_most: str = ""
    """Only where the three highest natural cards are this or lower: `Q87`."""
    by_chart: bool = False
    """Only where the two-pair chart lets both pairs stay behind with this front."""


class Row(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One kind of hand dealt, and how it is set."""

    hand: str
    groups: tuple[str, ...]
    set: tuple[Way, ...]
    of: str = ""
    """Only where the largest group is of one of these ranks."""
    joker: bool | None = None
    complete: bool | None = None
    source: str = ""
    reading: str = ""


@dataclass(frozen=True)
class Seven:
    """How seven cards are ranked when they are set in two hands."""

    back: High
    joker_counts_as_ace: bool = False
    """For the groups of a house way: a joker that is only an ace, or fills a straight or flush, is one of the aces."""
    front: High = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "front", High(TWO_CARD, self.back.jokers, self.back.five_of_a_kind))

    def arrange(self, cards: Sequence[Card], front: Sequence[Card]) -> Arranged:
        """These two cards in front, the rest behind."""
        return Arranged(tuple(front), tuple(card for card in cards if card not in front), self)


@dataclass(frozen=True, eq=False, repr=False)
class Arranged:
    """Seven cards in two hands."""

    front: tuple[Card, ...]
    back: tuple[Card, ...]
    ranking: Seven

    @cached_property
    def front_rank(self) -> Rank:
        return self.ranking.front.rank(self.front)

    @cached_property
    def back_rank(self) -> Rank:
        return self.ranking.back.rank(self.back)

    @property
    def is_legal(self) -> bool:
        """The five-card hand must be the higher one; with the same leading ranks it is, by its further cards."""
        return self.back_rank.outranks(self.front_rank)

    @property
    def worth(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Highest front first, then highest back."""
        return self.front_rank.strength, self.back_rank.strength


@dataclass(frozen=True, eq=False, repr=False)
class Setting(Arranged):
    """Seven cards as the house way sets them, and why."""

    row: str
    explained: str


class NotSet(Exception):
    """No row of the house way fits these seven cards."""


class HouseWay:
    """An ordered table of rows and its two-pair chart (rows: high pair, then low pair; cells: the least front)."""

    def __init__(self, rows: Sequence[Row], two_pairs: Mapping[str, Mapping[str, str]] | None = None) -> None:
        self._rows = rows
        self._two_pairs = two_pairs or {}

    def set(self, cards: Sequence[Card], ranking: Seven) -> Setting:
        dealt = _Dealt(cards, ranking)
        for row in self._rows:
            if not dealt.is_of(row):
                continue
            for way in row.set:
                arranged = self._play(way, dealt)
                if arranged is not None and arranged.is_legal:
                    explained = f"{row.hand}: {way.say}"
                    return Setting(_shown(arranged.front), arranged.back, ranking, way.id, explained)
        raise NotSet("the house way has no row for this hand")

    def _play(self, way: Way, dealt: _Dealt) -> Arranged | None:
        if way.if_pair and not (dealt.pairs and rank_name(dealt.pairs[0]) in way.if_pair):
            return None
        if way.single_above_pair and not dealt.single_is_above_pair(way.single_above_pair):
            return None
        if way.top_three_at_most and dealt.top_three > tuple(map(_rank, way.top_three_at_most)):
            return None
        arranged = dealt.highest(way) if way.front.startswith("highest") else dealt.named(way.front)
        if arranged is None:
            return None
        if way.if_front and _names(arranged.front) not in way.if_front:
            return None
        if way.at_least and not arranged.front_rank.reaches(["high_card", *way.at_least]):
            return None
        if way.by_chart and not self._chart_allows(dealt, arranged):
            return None
        return arranged

    def _chart_allows(self, dealt: _Dealt, arranged: Arranged) -> bool:
        high, low = map(rank_name, dealt.pairs[:2])
        least = self._two_pairs[high][low]
        return least != SPLIT and arranged.front_rank.reaches(["high_card", *least])


SPLIT = "S"
"""A cell of the two-pair chart: never both pairs behind."""


class _Dealt:
    """Seven cards in the words of the rows: groups, pairs and singles by rank, highest first."""

    def __init__(self, cards: Sequence[Card], ranking: Seven) -> None:
        self._cards, self._ranking = cards, ranking
        self._by_rank: dict[int, list[Card]] = {}
        naturals = [card for card in cards if not card.is_joker]
        jokers = [card for card in cards if card.is_joker]
        aces = sum(card.rank == ACE for card in naturals)
        if ranking.joker_counts_as_ace and aces < 4:
            naturals, jokers = list(cards), []
        self._jokers = jokers
        for card in naturals:
            self._by_rank.setdefault(card.rank or ACE, []).append(card)
        self._ranks = sorted(self._by_rank, reverse=True)
        self.pairs = self._of_size(2)
        self._terms: dict[str, list[Card]] = {"joker": jokers}
        for name, size in (("single", 1), ("pair", 2), ("three", 3), ("four", 4)):
            for nth, rank in enumerate(self._of_size(size), start=1):
                self._terms[f"{name}{nth}"] = self._by_rank[rank]
                if nth == 1:
                    self._terms[name] = self._by_rank[rank]

    def _of_size(self, size: int) -> list[int]:
        return [rank for rank in self._ranks if len(self._by_rank[rank]) == size]

    def is_of(self, row: Row) -> bool:
        if self.groups not in row.groups or row.joker not in (None, bool(self._jokers)):
            return False
        if row.of and rank_name(self._largest) not in row.of:
            return False
        return row.complete is None or row.complete == self.is_complete

    @cached_property
    def groups(self) -> str:
        sizes = sorted((len(cards) for cards in self._by_rank.values() if len(cards) > 1), reverse=True)
        return "+".join(map(str, sizes)) or "none"

    @property
    def _largest(self) -> int:
        return max(self._ranks, key=lambda rank: (len(self._by_rank[rank]), rank))

    @cached_property
    def is_complete(self) -> bool:
        return any(arranged.back_rank.category in COMPLETE for arranged in self._every())

    @property
    def top_three(self) -> tuple[int, ...]:
        return tuple(self._ranks[:3])

    def single_is_above_pair(self, ranks: int) -> bool:
        singles = self._of_size(1)
        return bool(singles and self.pairs) and singles[0] - self.pairs[0] >= ranks

    def named(self, front: str) -> Arranged | None:
        """The front that two terms name; None where the hand has no such cards."""
        taken: list[Card] = []
        for term in front.split():
            card = next((card for card in self._terms.get(term, ()) if card not in taken), None)
            if card is None:
                return None
            taken.append(card)
        return self._ranking.arrange(self._cards, taken)

    def highest(self, way: Way) -> Arranged | None:
        """The highest of all fronts that leave behind what the way asks for; those dealt first before others."""
        best: Arranged | None = None
        for arranged in self._every():
            if _asked_for(way, arranged) and (best is None or arranged.worth > best.worth):
                best = arranged
        return best

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


def _rank(name: str) -> int:
    return RANKS.index(name) + 2


def _names(front: Sequence[Card]) -> str:
    return "".join(rank_name(card.rank) for card in sorted(front, key=_height, reverse=True) if not card.is_joker)


def _shown(front: Sequence[Card]) -> tuple[Card, ...]:
    """The front as people say it: the joker first, then the higher card; of equal cards the one dealt first."""
    return tuple(sorted(front, key=_height, reverse=True))


def _height(card: Card) -> int:
    return card.rank or ACE + 1


def problems(rows: Sequence[Row], two_pairs: Mapping[str, Mapping[str, str]]) -> Iterator[str]:
    """What is wrong with a house way as data: terms, ranks and cells that mean nothing."""
    for number, row in enumerate(rows, start=1):
        for way in row.set:
            where = f"row {number} ({row.hand}), {way.id}"
            yield from (f"{where}: {what}" for what in _way_problems(way))
            if way.by_chart and not two_pairs:
                yield f"{where}: by_chart, but there is no two-pair chart"
        if not set(row.of) <= set(RANKS):
            yield f"row {number} ({row.hand}): of = {row.of!r} is not made of the ranks {RANKS}"
    if two_pairs:
        yield from _chart_problems(two_pairs)


def _way_problems(way: Way) -> Iterator[str]:
    terms = way.front.split()
    if terms[:1] == ["highest"]:
        if terms[1:] not in ([], ["pair"]) and not (terms[1] == "with" and len(terms) == 3 and terms[2] in RANKS):
            yield f"front = {way.front!r}; write highest, highest pair or highest with A"
        if not way.behind:
            yield "a searched front needs behind, the hand to leave"
    elif len(terms) != 2 or not all(_is_term(term) for term in terms):
        yield f"front = {way.front!r}; write two of joker, single1.., pair1.., three, three2, four"
    for asked in way.behind:
        category, _, lowest = asked.partition(" ")
        if asked != "complete" and (category not in set(Category) or (lowest and lowest not in RANKS)):
            yield f"behind = {asked!r} is no hand"
    for name, ranks in (
        ("at_least", way.at_least),
        ("if_pair", way.if_pair),
        ("top_three_at_most", way.top_three_at_most),
    ):
        if not set(ranks) <= set(RANKS):
            yield f"{name} = {ranks!r} is not made of the ranks {RANKS}"


def _is_term(term: str) -> bool:
    return term in ("joker", "four", "three") or (
        term.rstrip("1234567") in ("single", "pair", "three") and term[-1:].isdigit()
    )


def _chart_problems(two_pairs: Mapping[str, Mapping[str, str]]) -> Iterator[str]:
    for low, high in combinations(RANKS, 2):
        cell = two_pairs.get(high, {}).get(low)
        if cell is None:
            yield f"two-pair chart: no cell for {high}{high} and {low}{low}"
        elif cell != SPLIT and not (len(cell) == 2 and set(cell) <= set(RANKS)):
            yield f"two-pair chart, {high}{high} and {low}{low}: {cell!r}; write two ranks or {SPLIT}"
