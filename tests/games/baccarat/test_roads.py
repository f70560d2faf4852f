"""The baccarat roads against the sheet baccarat-roads: its worked example, its short vectors and its properties."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import get_args

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.games.baccarat.roads import (
    ROWS,
    Ask,
    BigCell,
    DerivedRoad,
    Mark,
    Result,
    Roads,
    Tail,
    Winner,
    draw,
    first_column,
    newest,
)

TAILS: tuple[Tail, ...] = get_args(Tail)
LETTERS: dict[str, Winner] = {"B": "B", "P": "P", "T": "T"}

shoes = st.text(alphabet="BPT", max_size=90)
"""A shoe of eight decks gives some 80 results."""
streaky_shoes = st.lists(st.tuples(st.sampled_from("BP"), st.integers(1, 25)), max_size=14).map(
    lambda runs: "".join(letter * length for letter, length in runs)
)
any_shoe = st.one_of(shoes, streaky_shoes)


def roads_of(letters: str, tail: Tail = "stay", ask_marks: bool = False) -> Roads:
    results = [Result(LETTERS[letter]) for letter in letters if letter != " "]
    return draw(results, tail=tail, ask_marks=ask_marks)


def derived(roads: Roads) -> dict[int, DerivedRoad]:
    return {1: roads.big_eye_boy, 2: roads.small_road, 3: roads.cockroach_pig}


def colours(road: DerivedRoad) -> str:
    return "".join(mark.colour for mark in road.marks)


def picture(cells: Sequence[tuple[int, int, str]]) -> list[str]:
    """The grid as text, one line per row, dots where nothing stands."""
    width = max((x for x, _, _ in cells), default=0)
    standing = {(x, y): sign for x, y, sign in cells}
    return [" ".join(standing.get((x, y), ".") for x in range(1, width + 1)) for y in range(1, ROWS + 1)]


# Section 6: result, big road place, grid place, big eye boy, small road, cockroach pig. Ties make no place.
EXAMPLE: list[tuple[str, tuple[int, int] | None, tuple[int, int] | None, str]] = [
    ("T", None, None, "---"),
    ("B", (1, 1), (1, 1), "---"),
    ("B", (1, 2), (1, 2), "---"),
    ("T", None, None, "---"),
    ("P", (2, 1), (2, 1), "---"),
    ("P", (2, 2), (2, 2), "r--"),
    ("P", (2, 3), (2, 3), "b--"),
    ("P", (2, 4), (2, 4), "r--"),
    ("B", (3, 1), (3, 1), "b--"),
    ("P", (4, 1), (4, 1), "bb-"),
    ("P", (4, 2), (4, 2), "brr"),
    ("B", (5, 1), (5, 1), "bbr"),
    ("B", (5, 2), (5, 2), "rbr"),
    ("B", (5, 3), (5, 3), "brr"),
    ("B", (5, 4), (5, 4), "rrr"),
    ("B", (5, 5), (5, 5), "rrb"),
    ("B", (5, 6), (5, 6), "rrr"),
    ("B", (5, 7), (6, 6), "rrr"),
    ("B", (5, 8), (7, 6), "rrr"),
    ("P", (6, 1), (6, 1), "bbb"),
    ("P", (6, 2), (6, 2), "rrb"),
    ("P", (6, 3), (6, 3), "rbr"),
    ("P", (6, 4), (6, 4), "rrr"),
    ("P", (6, 5), (6, 5), "rrr"),
    ("P", (6, 6), (7, 5), "rrr"),
    ("T", None, None, "---"),
    ("P", (6, 7), (8, 5), "rrr"),
    ("B", (7, 1), (7, 1), "bbb"),
    ("P", (8, 1), (8, 1), "bbb"),
    ("B", (9, 1), (9, 1), "rbb"),
    ("B", (9, 2), (9, 2), "bbr"),
    ("P", (10, 1), (10, 1), "bbb"),
    ("P", (10, 2), (10, 2), "rbb"),
    ("T", None, None, "---"),
    ("T", None, None, "---"),
    ("B", (11, 1), (11, 1), "rbb"),
]
EXAMPLE_SHOE = "".join(row[0] for row in EXAMPLE)


@pytest.mark.parametrize("hand", range(1, len(EXAMPLE) + 1))
def test_each_hand_of_the_worked_example_adds_what_the_sheet_says(hand: int) -> None:
    before, after = roads_of(EXAMPLE_SHOE[: hand - 1]), roads_of(EXAMPLE_SHOE[:hand])
    _, place, grid, marks = EXAMPLE[hand - 1]

    grown = after.big_road.cells[len(before.big_road.cells) :]
    assert [((c.column, c.row), (c.x, c.y)) for c in grown] == ([(place, grid)] if place else [])
    for k, mark in enumerate(marks, start=1):
        added = colours(derived(after)[k])[len(derived(before)[k].marks) :]
        assert added == mark.replace("-", "")


def test_the_worked_example_ends_with_the_depths_and_ties_of_the_sheet() -> None:
    big_road = roads_of(EXAMPLE_SHOE).big_road
    assert big_road.depths == (2, 4, 1, 2, 8, 7, 1, 1, 2, 2, 1)
    assert big_road.leading_ties == 1
    assert {(c.column, c.row): c.ties for c in big_road.cells if c.ties} == {
        (1, 1): 1,  # the leading tie, carried
        (1, 2): 1,
        (6, 6): 1,
        (10, 2): 2,
    }


def test_the_worked_example_gives_the_derived_columns_of_the_sheet() -> None:
    roads = roads_of(EXAMPLE_SHOE)
    assert " ".join(roads.big_eye_boy.columns) == "r b r bbbb r b rrrrr b rrrrrr bb r bb rr"
    assert " ".join(roads.small_road.columns) == "b r bb rrrrrr b r b rrrr bbbbbbb"
    assert " ".join(roads.cockroach_pig.columns) == "rrrrr b rrr bb rrrrr bbb r bbb"
    assert [len(road.marks) for road in derived(roads).values()] == [28, 24, 23]


def test_the_worked_example_draws_the_grids_of_the_sheet() -> None:
    roads = roads_of(EXAMPLE_SHOE)
    assert picture([(b.x, b.y, b.winner) for b in roads.bead_plate]) == [
        "T P B B P B",
        "B P B P T P",
        "B B B P P P",
        "T P B P B T",
        "P P B P P T",
        "P B B P B B",
    ]
    assert picture([(c.x, c.y, c.winner) for c in roads.big_road.cells]) == [
        "B P B P B P B P B P B",
        "B P . P B P . . B P .",
        ". P . . B P . . . . .",
        ". P . . B P . . . . .",
        ". . . . B P P P . . .",
        ". . . . B B B . . . .",
    ]
    assert picture([(m.x, m.y, m.colour) for m in roads.big_eye_boy.marks]) == [
        "r b r b r b r b r b r b r",
        ". . . b . . r . r b . b r",
        ". . . b . . r . r . . . .",
        ". . . b . . r . r . . . .",
        ". . . . . . r . r . . . .",
        ". . . . . . . . r . . . .",
    ]
    assert picture([(m.x, m.y, m.colour) for m in roads.small_road.marks]) == [
        "b r b r b r b r b .",
        ". . b r . . . r b .",
        ". . . r . . . r b .",
        ". . . r . . . r b .",
        ". . . r . . . . b .",
        ". . . r . . . . b b",
    ]
    assert picture([(m.x, m.y, m.colour) for m in roads.cockroach_pig.marks]) == [
        "r b r b r b r b",
        "r . r b r b . b",
        "r . r . r b . b",
        "r . . . r . . .",
        "r . . . r . . .",
        ". . . . . . . .",
    ]


def test_the_worked_example_predicts_what_the_sheet_predicts() -> None:
    ask = roads_of(EXAMPLE_SHOE, ask_marks=True).ask
    assert ask is not None
    assert ask.if_banker == Ask(big_eye_boy="r", small_road="r", cockroach_pig="b")
    assert ask.if_player == Ask(big_eye_boy="b", small_road="b", cockroach_pig="r")


def test_ask_marks_are_off_unless_asked_for() -> None:
    assert roads_of(EXAMPLE_SHOE).ask is None


@pytest.mark.parametrize(
    ("shoe", "depths", "big_eye", "small", "cockroach"),
    [
        ("BBPPPBPBB", (2, 3, 1, 1, 2), "r bbb r b", "bbb", "b r"),
        ("BPPPP", (1, 4), "b rr", "", ""),
        ("BBPBBBB", (2, 1, 4), "bb rr", "r b r", ""),
        ("PBBPPB", (1, 2, 2, 1), "bb rr", "bb", ""),
        ("BPPPPP", (1, 5), "b rrr", "", ""),
        ("BBBBBBBBPPBB", (8, 2, 2), "r b r", "r", ""),
        ("BPBPBPBP", (1,) * 8, "rrrrrr", "rrrrr", "rrrr"),
        ("BBBBBBBBBPPPPPPPPPP", (9, 10), "rrrrrrrr b", "", ""),
        ("TTB", (1,), "", "", ""),
        ("BTPTBTP", (1, 1, 1, 1), "rr", "r", ""),
        ("BBPPBBPPBBPP", (2,) * 6, "rrrrrrrrr", "rrrrrrr", "rrrrr"),
        ("BBBPPPPPPPPBBB", (3, 8, 3), "rr b rrrr b rr", "rr", ""),
    ],
)
def test_short_vectors(shoe: str, depths: tuple[int, ...], big_eye: str, small: str, cockroach: str) -> None:
    roads = roads_of(shoe)
    assert roads.big_road.depths == depths
    assert [" ".join(road.columns) for road in derived(roads).values()] == [big_eye, small, cockroach]


def grid_of(letters: str, tail: Tail) -> list[tuple[int, int]]:
    return [(cell.x, cell.y) for cell in roads_of(letters, tail).big_road.cells]


NINE_AND_TEN = "B" * 9 + "P" * 10
DOWN_TO_SIX = [(1, y) for y in range(1, 7)]
DOWN_TO_FIVE = [(2, y) for y in range(1, 6)]


def test_a_tail_stays_on_the_row_where_it_turned() -> None:
    banker, player = grid_of(NINE_AND_TEN, "stay")[:9], grid_of(NINE_AND_TEN, "stay")[9:]
    assert banker == [*DOWN_TO_SIX, (2, 6), (3, 6), (4, 6)]
    assert player == [*DOWN_TO_FIVE, (3, 5), (4, 5), (5, 5), (6, 5), (7, 5)]


def test_a_tail_that_may_drop_goes_down_again_where_the_other_tail_ends() -> None:
    player = grid_of(NINE_AND_TEN, "drop")[9:]
    assert player == [*DOWN_TO_FIVE, (3, 5), (4, 5), (5, 5), (5, 6), (6, 6)]


def test_a_clear_road_starts_the_next_column_right_of_the_whole_tail() -> None:
    player = grid_of(NINE_AND_TEN, "clear")[9:]
    assert player == [*[(5, y) for y in range(1, 7)], (6, 6), (7, 6), (8, 6), (9, 6)]


def test_when_five_tails_fill_the_board_the_sixth_runs_along_the_top_and_the_next_starts_behind_it() -> None:
    runs = ["B" * 12, "P" * 12, "B" * 12, "P" * 12, "B" * 12, "PPP", "B"]
    grid = grid_of("".join(runs), "stay")
    assert grid[-4:] == [(6, 1), (7, 1), (8, 1), (9, 1)]


def test_an_empty_shoe_draws_nothing() -> None:
    roads = roads_of("", ask_marks=True)
    assert roads.bead_plate == () and roads.big_road.cells == () and roads.big_road.leading_ties == 0
    assert roads.ask is not None and roads.ask.if_banker == roads.ask.if_player == Ask(None, None, None)


def test_leading_ties_wait_for_the_first_decision_and_are_carried_onto_it() -> None:
    waiting, landed = roads_of("TT").big_road, roads_of("TTPT").big_road
    assert (waiting.cells, waiting.leading_ties) == ((), 2)
    assert [(c.column, c.row, c.winner, c.ties) for c in landed.cells] == [(1, 1, "P", 3)]


def test_flags_travel_with_their_result_to_bead_plate_and_big_road() -> None:
    shoe = [Result("B", ("dragon_7", "banker_pair")), Result("T", ("natural",)), Result("P", ("panda_8",))]
    roads = draw(shoe)
    assert [bead.flags for bead in roads.bead_plate] == [("dragon_7", "banker_pair"), ("natural",), ("panda_8",)]
    assert [(cell.winner, cell.flags) for cell in roads.big_road.cells] == [
        ("B", ("dragon_7", "banker_pair")),
        ("P", ("panda_8",)),
    ]


def test_a_narrow_board_shows_the_newest_columns_as_they_were() -> None:
    cells = roads_of(EXAMPLE_SHOE).big_road.cells
    shown = newest(cells, 4)
    assert first_column(cells, 4) == 8
    assert shown == tuple(cell for cell in cells if cell.x >= 8)
    assert newest(cells, 40) == cells and newest((), 4) == ()


def test_a_tail_that_reaches_far_ahead_never_scrolls_the_newest_cell_off() -> None:
    cells = roads_of("B" * 30 + "P").big_road.cells
    assert cells[-1] in newest(cells, 6)


@given(any_shoe)
def test_removing_ties_changes_no_derived_road(shoe: str) -> None:
    assert derived(roads_of(shoe)) == derived(roads_of(shoe.replace("T", "")))


@given(any_shoe)
def test_swapping_banker_and_player_changes_no_derived_road(shoe: str) -> None:
    swapped = shoe.translate(str.maketrans("BP", "PB"))
    assert derived(roads_of(shoe)) == derived(roads_of(swapped))


@given(any_shoe, st.sampled_from("BPT"), st.sampled_from(TAILS))
def test_a_new_result_only_appends(shoe: str, result: str, tail: Tail) -> None:
    before, after = roads_of(shoe, tail), roads_of(shoe + result, tail)
    for k, road in derived(before).items():
        longer = derived(after)[k].marks
        assert longer[: len(road.marks)] == road.marks
        assert len(longer) - len(road.marks) <= (0 if result == "T" else 1)
    assert after.bead_plate[:-1] == before.bead_plate


@given(any_shoe)
def test_the_two_predictions_are_opposite_or_both_absent_and_come_true(shoe: str) -> None:
    now = roads_of(shoe, ask_marks=True)
    assert now.ask is not None
    for side, ask in (("B", now.ask.if_banker), ("P", now.ask.if_player)):
        then = derived(roads_of(shoe + side))
        asked = {1: ask.big_eye_boy, 2: ask.small_road, 3: ask.cockroach_pig}
        for k, road in derived(now).items():
            assert colours(then[k]) == colours(road) + (asked[k] or "")
    for banker, player in zip(
        msgspec.structs.astuple(now.ask.if_banker), msgspec.structs.astuple(now.ask.if_player), strict=True
    ):
        assert {banker, player} in ({"r", "b"}, {None})


@given(any_shoe)
def test_two_other_ways_to_say_the_derived_rule_give_the_same_marks(shoe: str) -> None:
    roads = roads_of(shoe)
    for k, road in derived(roads).items():
        assert colours(road) == marks_by_looking_left(roads.big_road.cells, k)
        assert colours(road) == marks_by_growing_the_closed_column(roads.big_road.cells, k)


def marks_by_looking_left(cells: Sequence[BigCell], k: int) -> str:
    """k columns to the left, same row: a cell there red, none there but one above blue, neither red."""
    marks, standing = "", set[tuple[int, int]]()
    for cell in cells:
        column, row = cell.column, cell.row
        if row == 1:
            if column - 1 - k >= 1:
                marks += "r" if _depth(standing, column - 1) == _depth(standing, column - 1 - k) else "b"
        elif column - k >= 1:
            here, above = (column - k, row) in standing, (column - k, row - 1) in standing
            marks += "b" if above and not here else "r"
        standing.add((column, row))
    return marks


def marks_by_growing_the_closed_column(cells: Sequence[BigCell], k: int) -> str:
    """Row 1 is the opposite of the mark that the previous column would have got by growing one longer."""
    marks, standing = "", set[tuple[int, int]]()
    for cell in cells:
        column, row = cell.column, cell.row
        closed = (column - 1, _depth(standing, column - 1) + 1) if row == 1 else (column, row)
        if closed[0] - k >= 1:
            here, above = (closed[0] - k, closed[1]) in standing, (closed[0] - k, closed[1] - 1) in standing
            mark = "b" if above and not here else "r"
            marks += mark if row > 1 else {"r": "b", "b": "r"}[mark]
        standing.add((column, row))
    return marks


def _depth(standing: set[tuple[int, int]], column: int) -> int:
    return max((row for c, row in standing if c == column), default=0)


@given(any_shoe)
def test_the_tail_option_moves_cells_and_never_changes_a_mark(shoe: str) -> None:
    drawings = [roads_of(shoe, tail) for tail in TAILS]
    assert len({tuple(colours(road) for road in derived(roads).values()) for roads in drawings}) == 1
    assert len({roads.big_road.depths for roads in drawings}) == 1


@given(any_shoe, st.sampled_from(TAILS))
def test_no_two_cells_share_a_place_and_every_column_hangs_together(shoe: str, tail: Tail) -> None:
    roads = roads_of(shoe, tail)
    drawn: list[Sequence[BigCell | Mark]] = [roads.big_road.cells, *(road.marks for road in derived(roads).values())]
    for cells in drawn:
        assert len({(cell.x, cell.y) for cell in cells}) == len(cells)
        assert all(1 <= cell.y <= ROWS for cell in cells)
        starts = [cell.x for cell in cells if cell.row == 1]
        assert starts == sorted(set(starts)) and all(cell.y == 1 for cell in cells if cell.row == 1)
        for before, after in itertools.pairwise(cells):
            if after.row > 1:
                assert (after.x - before.x, after.y - before.y) in ((0, 1), (1, 0))


@given(any_shoe, st.integers(1, 30), st.sampled_from(TAILS))
def test_scrolling_shows_whole_columns_and_always_the_newest_cell(shoe: str, width: int, tail: Tail) -> None:
    cells = roads_of(shoe, tail).big_road.cells
    shown = newest(cells, width)
    assert set(shown) <= set(cells)
    if cells:
        assert cells[-1] in shown
        assert max(cell.x for cell in shown) - min(cell.x for cell in shown) < width
