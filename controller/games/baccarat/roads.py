"""The baccarat roads: what a reader board draws from the results of one shoe.

A road is a function of the shoe's results and of nothing else. A correction by the floor can change every later mark,
so nothing here is ever patched: `draw` computes all five roads anew from the first result.

The thinking happens on *logical* columns of unlimited depth: same winner, same column, next row; other winner, next
column; a tie only counts on the cell before it. The three derived roads compare depths of logical columns, by one rule
with k = 1, 2, 3. Only afterwards is anything laid on the six rows of a board, where a column that finds no room below
turns right: the dragon tail. A mark never depends on where a cell was drawn.

Rounds that were voided, misdealt or dealt without bets are not results and do not come here.

    >>> shoe = [Result(winner) for winner in "BBPPPBPBB"]
    >>> roads = draw(shoe)
    >>> roads.big_road.depths
    (2, 3, 1, 1, 2)
    >>> roads.big_eye_boy.columns
    ('r', 'bbb', 'r', 'b')
"""

# The sheet behind every rule here: baccarat-roads.

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal, Protocol, TypeVar

from msgspec import Struct

Winner = Literal["B", "P", "T"]
Side = Literal["B", "P"]
Colour = Literal["r", "b"]
"""Red: the shoe repeats itself. Blue: it does not. Neither means Banker or Player."""
Tail = Literal["stay", "drop", "clear"]
"""A dragon tail stays on its row, or drops again where there is room, or stays and the next column keeps clear."""

ROWS = 6

NATURAL = "natural"
DRAGON_7 = "dragon_7"
PANDA_8 = "panda_8"


class Result(Struct, frozen=True):
    """One settled round. A Dragon 7 is a Banker win and a Panda 8 a Player win: both are flags only."""

    winner: Winner
    flags: tuple[str, ...] = ()


class Bead(Struct, frozen=True):
    """One result on the bead plate; x and y are grid column and row, from 1."""

    x: int
    y: int
    winner: Winner
    flags: tuple[str, ...] = ()


class BigCell(Struct, frozen=True):
    """One decided result on the big road: column and row are logical, x and y are where a board draws it."""

    column: int
    row: int
    x: int
    y: int
    winner: Side
    ties: int = 0
    """Ties since this result; on the first cell also the ties before it."""
    flags: tuple[str, ...] = ()


class BigRoad(Struct, frozen=True):
    cells: tuple[BigCell, ...] = ()
    leading_ties: int = 0
    """Ties before the first decision: drawn on the empty first cell, then carried onto it."""

    @property
    def depths(self) -> tuple[int, ...]:
        """How many decided results stand in each logical column."""
        return _depths(self.cells)


class Mark(Struct, frozen=True):
    """One mark of a derived road."""

    column: int
    row: int
    x: int
    y: int
    colour: Colour


class DerivedRoad(Struct, frozen=True):
    marks: tuple[Mark, ...] = ()

    @property
    def columns(self) -> tuple[str, ...]:
        """The logical columns as people write them: 'r', 'bbb'."""
        columns: list[str] = []
        for mark in self.marks:
            if mark.row == 1:
                columns.append("")
            columns[-1] += mark.colour
        return tuple(columns)


class Ask(Struct, frozen=True):
    """The marks that one winner would bring next; null where a road has nothing to compare with yet."""

    big_eye_boy: Colour | None
    small_road: Colour | None
    cockroach_pig: Colour | None


class AskMarks(Struct, frozen=True):
    """What the roads would show after the next decision. It is no forecast of the next card."""

    if_banker: Ask
    if_player: Ask


class Roads(Struct, frozen=True):
    """All roads of one shoe."""

    bead_plate: tuple[Bead, ...]
    big_road: BigRoad
    big_eye_boy: DerivedRoad
    small_road: DerivedRoad
    cockroach_pig: DerivedRoad
    ask: AskMarks | None = None


def draw(results: Iterable[Result], *, tail: Tail = "stay", ask_marks: bool = False) -> Roads:
    """All roads of a shoe from its results in order; the options are `roads.tail` and `roads.ask_marks`."""
    shoe = tuple(results)
    logical = _logical(shoe)
    colours = _derive(logical.places)
    return Roads(
        bead_plate=_bead_plate(shoe),
        big_road=_big_road(logical, tail),
        big_eye_boy=_derived_road(colours[1], tail),
        small_road=_derived_road(colours[2], tail),
        cockroach_pig=_derived_road(colours[3], tail),
        ask=AskMarks(if_banker=_ask(shoe, "B"), if_player=_ask(shoe, "P")) if ask_marks else None,
    )


class Placed(Protocol):
    """Anything that has a place on a grid."""

    @property
    def x(self) -> int: ...

    @property
    def y(self) -> int: ...


Cell = TypeVar("Cell", bound=Placed)


def first_column(cells: Sequence[Placed], width: int) -> int:
    """The grid column that a board of this width shows first: whole columns scroll off on the left.

    The window ends with the rightmost cell, unless a long tail reaches so far ahead that the newest cell would be
    scrolled off: what was just dealt is always on the board.
    """
    if not cells:
        return 1
    rightmost = max(cell.x for cell in cells)
    return max(1, min(rightmost - width + 1, cells[-1].x))


def newest(cells: Sequence[Cell], width: int) -> tuple[Cell, ...]:
    """The cells that a board of this width still shows, in their order; nothing is recomputed."""
    first = first_column(cells, width)
    return tuple(cell for cell in cells if first <= cell.x < first + width)


def _bead_plate(shoe: Sequence[Result]) -> tuple[Bead, ...]:
    return tuple(
        Bead(x=index // ROWS + 1, y=index % ROWS + 1, winner=result.winner, flags=result.flags)
        for index, result in enumerate(shoe)
    )


class _Logical(Struct, frozen=True):
    """The big road before it is drawn: a place, the deciding result and its ties for each decision."""

    places: tuple[tuple[int, int], ...]
    decided: tuple[Result, ...]
    ties: tuple[int, ...]
    leading_ties: int


def _logical(shoe: Sequence[Result]) -> _Logical:
    decided: list[Result] = []
    ties: list[int] = []
    leading_ties = 0
    for result in shoe:
        if result.winner != "T":
            decided.append(result)
            ties.append(0)
        elif ties:
            ties[-1] += 1
        else:
            leading_ties += 1
    if ties:
        ties[0] += leading_ties
    return _Logical(_columns([r.winner for r in decided]), tuple(decided), tuple(ties), leading_ties)


def _columns(signs: Sequence[str]) -> tuple[tuple[int, int], ...]:
    """Logical column and row of each sign: an equal sign goes on below, another one opens the next column."""
    places: list[tuple[int, int]] = []
    column = row = 0
    before = None
    for sign in signs:
        column, row = (column, row + 1) if sign == before else (column + 1, 1)
        places.append((column, row))
        before = sign
    return tuple(places)


def _derive(places: Sequence[tuple[int, int]]) -> dict[int, list[Colour]]:
    """The marks of the derived roads, k = 1 big eye boy, 2 small road, 3 cockroach pig."""
    marks: dict[int, list[Colour]] = {1: [], 2: [], 3: []}
    depth: dict[int, int] = {}
    for column, row in places:
        depth[column] = row
        for k, road in marks.items():
            if row == 1:
                # The column just closed against the one k before it.
                if column - 1 - k >= 1:
                    road.append("r" if depth[column - 1] == depth[column - 1 - k] else "b")
            elif column - k >= 1:
                # Blue only in the first row below that column's end; further down is "straight down", red.
                road.append("b" if row == depth[column - k] + 1 else "r")
    return marks


def _ask(shoe: Sequence[Result], side: Side) -> Ask:
    now = _derive(_logical(shoe).places)
    then = _derive(_logical([*shoe, Result(side)]).places)
    coming = {k: then[k][-1] if len(then[k]) > len(now[k]) else None for k in now}
    return Ask(big_eye_boy=coming[1], small_road=coming[2], cockroach_pig=coming[3])


def _big_road(logical: _Logical, tail: Tail) -> BigRoad:
    grid = _lay(logical.places, tail)
    cells = tuple(
        BigCell(column=column, row=row, x=x, y=y, winner=_side(result), ties=ties, flags=result.flags)
        for (column, row), (x, y), result, ties in zip(logical.places, grid, logical.decided, logical.ties, strict=True)
    )
    return BigRoad(cells=cells, leading_ties=logical.leading_ties)


def _side(result: Result) -> Side:
    return "B" if result.winner == "B" else "P"


def _derived_road(colours: Sequence[Colour], tail: Tail) -> DerivedRoad:
    places = _columns(colours)
    return DerivedRoad(
        tuple(
            Mark(column=column, row=row, x=x, y=y, colour=colour)
            for (column, row), (x, y), colour in zip(places, _lay(places, tail), colours, strict=True)
        )
    )


def _lay(places: Sequence[tuple[int, int]], tail: Tail) -> list[tuple[int, int]]:
    """Grid column and row of each logical place, in order: the dragon tail."""
    grid: list[tuple[int, int]] = []
    taken: set[tuple[int, int]] = set()
    start = x = y = 0
    turned = False
    for _, row in places:
        if row == 1:
            start = (x if tail == "clear" else start) + 1
            while (start, 1) in taken:
                start += 1
            x, y, turned = start, 1, False
        elif y < ROWS and (x, y + 1) not in taken and (tail == "drop" or not turned):
            y += 1
        else:
            # This cell is free: a streak that has a cell further right came from the left, and would have this one too.
            x, turned = x + 1, True
        grid.append((x, y))
        taken.add((x, y))
    return grid


def _depths(cells: Sequence[BigCell]) -> tuple[int, ...]:
    depths: dict[int, int] = {}
    for cell in cells:
        depths[cell.column] = cell.row
    return tuple(depths.values())
