"""The table of a house way as data.

A row names the hand dealt: its groups of natural cards of one rank (`4+2`, `2+2`, `none`), whether the joker is among
the seven cards, whether they hold a complete hand (straight, flush, straight flush). Its settings stand in the order
in which they are tried. A front is written in one of these ways:

    "joker single1"     two named cards: joker, single1.., pair1.., three, three2, four; 1 is the highest rank
    "highest"           of all fronts that leave `behind`, the highest; of those, the one with the highest back
    "highest pair"      the same, pairs only
    "highest with A"    the same, with an ace in it
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations

from msgspec import Struct

from controller.engine.cards.card import RANKS
from controller.engine.ranking import Category

SPLIT = "S"
"""A cell of the two-pair chart: never both pairs behind."""


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
    """Only where the highest single is at least this number of ranks above the highest natural pair."""
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
    """Only with the joker, or only without; absent: either."""
    complete: bool | None = None
    source: str = ""
    reading: str = ""


class HouseWayData(Struct, frozen=True, forbid_unknown_fields=True):
    """Rows in the order they are tried, and the chart of least fronts: high pair, then low pair."""

    rows: tuple[Row, ...]
    two_pairs: dict[str, dict[str, str]] = {}

    def __post_init__(self) -> None:
        for problem in problems(self):
            raise ValueError(problem)


WITH_JOKER = ("4+2", "4", "3+3", "3+2", "3", "2+2+2", "2+2", "2", "none")
WITHOUT_JOKER = ("4+3", *WITH_JOKER, "3+2+2")
"""Every grouping of six or seven natural cards."""


def problems(data: HouseWayData) -> Iterator[str]:
    """What is wrong with a house way: unknown words, a chart with holes, hands without a row."""
    for number, row in enumerate(data.rows, start=1):
        where = f"house way row {number} ({row.hand})"
        for groups in row.groups:
            if groups not in WITHOUT_JOKER:
                yield f"{where}: groups = {groups!r} is not one of {', '.join(WITHOUT_JOKER)}"
        if not _are_ranks(row.of):
            yield f"{where}: of = {row.of!r} is not made of the ranks {RANKS}"
        for way in row.set:
            yield from (f"{where}, {way.id}: {problem}" for problem in _way_problems(way))
            if way.by_chart and not data.two_pairs:
                yield f"{where}, {way.id}: by_chart, but there is no two-pair chart"
    if data.two_pairs:
        yield from _chart_problems(data.two_pairs)
    for joker, every in ((True, WITH_JOKER), (False, WITHOUT_JOKER)):
        for groups in every:
            if not any(groups in row.groups and row.joker in (None, joker) for row in data.rows):
                yield f"house way: no row for {groups} {'with' if joker else 'without'} the joker"


def _way_problems(way: Way) -> Iterator[str]:
    terms = way.front.split()
    if terms[:1] == ["highest"]:
        if terms[1:] not in ([], ["pair"]) and not (len(terms) == 3 and terms[1] == "with" and terms[2] in RANKS):
            yield f"front = {way.front!r}; write highest, highest pair or highest with A"
        if not way.behind:
            yield "a searched front needs behind, the hand to leave"
    elif len(terms) != 2 or not all(map(_is_term, terms)):
        yield f"front = {way.front!r}; write two of joker, single1.., pair1.., three, three2, four"
    for asked in way.behind:
        category, _, lowest = asked.partition(" ")
        if asked != "complete" and (category not in set(Category) or not _are_ranks(lowest)):
            yield f"behind = {asked!r} is no hand"
    for name in ("at_least", "if_pair", "top_three_at_most"):
        if not _are_ranks(getattr(way, name)):
            yield f"{name} = {getattr(way, name)!r} is not made of the ranks {RANKS}"
    for front in way.if_front:
        if len(front) != 2 or not _are_ranks(front):
            yield f"if_front = {front!r}; write two ranks, as AK"


def _is_term(term: str) -> bool:
    name = term.rstrip("1234567")
    return term in ("joker", "four", "three") or (name in ("single", "pair", "three") and len(term) == len(name) + 1)


def _chart_problems(two_pairs: Mapping[str, Mapping[str, str]]) -> Iterator[str]:
    for low, high in combinations(RANKS, 2):
        cell = two_pairs.get(high, {}).get(low)
        if cell is None:
            yield f"two-pair chart: no cell for {high}{high} and {low}{low}"
        elif cell != SPLIT and not (len(cell) == 2 and _are_ranks(cell)):
            yield f"two-pair chart, {high}{high} and {low}{low}: {cell!r}; write two ranks, or {SPLIT} for split"


def _are_ranks(text: str) -> bool:
    return set(text) <= set(RANKS)
