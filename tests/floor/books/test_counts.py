"""Count sheets: taken as a whole or refused line by line, and compared with the boxes."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import Engine

from floor.books.boxes import boxes
from floor.books.counts import Entered, Refused, SheetLine, enter, read_file, read_moment
from floor.books.lines import BoxLine
from floor.books.make import books
from floor.books.scope import of_day
from floor.config import FloorConfig, Thresholds
from floor.gaming_day import Calendar
from floor.store.database import reading
from floor.store.schema import COUNT_SHEETS
from tests.floor.books.conftest import CONFIG, DAY
from tests.support.floor_store import NOON, SITE, an_intake, count, rows, take
from tests.support.recorded_days import FreshTable, days

HEAD = "table,box_id,seal,counted_at,amount,counted_by\n"
GOOD = f"{HEAD}t-0,BOX-1,,2025-11-16 07:00,$551.00,kim\nt-0,BOX-2,,2025-11-16 07:05,0,kim\n"
HOUSE = Calendar()
LATER = NOON + 2 * 86_400_000


@pytest.fixture
def table(engine: Engine) -> FreshTable:
    table = FreshTable(SITE, "t-0", days()[0])
    take(an_intake(engine), [*table.events, table.head()])
    return table


def sheet(folder: Path, text: str) -> list[SheetLine]:
    path = folder / "sheet.csv"
    path.write_text(text)
    return read_file(path, ["t-0"], HOUSE, LATER)


def entered(by: str = "pat", at: int = LATER) -> Entered:
    return Entered(SITE, HOUSE, by, at)


def main_box(engine: Engine, thresholds: Thresholds = CONFIG.books) -> BoxLine:
    with reading(engine) as connection:
        return next(box for box in boxes(connection, of_day((SITE,), DAY), thresholds) if box.box == "collection")


def test_a_sheet_is_compared_with_the_boxes_that_were_taken_out(
    tmp_path: Path, engine: Engine, table: FreshTable
) -> None:
    assert main_box(engine).counted is None
    assert enter(engine, sheet(tmp_path, GOOD), entered()) == 2
    assert enter(engine, sheet(tmp_path, GOOD), entered("another")) == 0, "the same sheet again"
    box = main_box(engine)
    assert (box.due, box.counted, box.difference, box.counted_by, box.source) == (55100, 55100, 0, "kim", "sheet")
    assert (box.problems, box.level) == ((), "")
    with reading(engine) as connection:
        (line,) = books(connection, of_day((SITE,), DAY), CONFIG).tables
    assert (line.counted, line.counted_due, line.difference) == (55100, 55100, 0)


def test_what_differs_asks_for_a_report_or_for_a_copy_to_the_regulator(
    tmp_path: Path, engine: Engine, table: FreshTable
) -> None:
    enter(engine, sheet(tmp_path, GOOD.replace("551.00", "541.00")), entered())
    assert (main_box(engine).difference, main_box(engine).level) == (-1000, "")
    assert main_box(engine, Thresholds(report_from_cents=1000)).level == "report"
    assert main_box(engine, Thresholds(report_from_cents=1, regulator_from_cents=1000)).level == "regulator"
    strict = FloorConfig(site=SITE, store="unused", books=Thresholds(report_from_cents=1, regulator_from_cents=1000))
    with reading(engine) as connection:
        (found,) = books(connection, of_day((SITE,), DAY), strict).differences
    assert (found.due, found.found, found.difference, found.level) == (55100, 54100, -1000, "regulator")


@pytest.mark.clause("CA-4CCR-12385")
def test_two_figures_for_one_box_are_both_shown(tmp_path: Path, engine: Engine, table: FreshTable) -> None:
    enter(engine, sheet(tmp_path, GOOD), entered())
    enter(
        engine,
        sheet(tmp_path, GOOD.replace("551.00", "550.00").replace("BOX-1,,", "BOX-1,S-7,")),
        entered(at=LATER + 1),
    )
    box = main_box(engine)
    assert box.counted == 55000, "the one that was entered later"
    assert box.problems == ("the count sheets state $551.00 and $550.00",)


def test_a_count_of_no_box_is_shown_and_in_no_sum(tmp_path: Path, engine: Engine, table: FreshTable) -> None:
    enter(engine, sheet(tmp_path, f"{HEAD}t-0,BOX-9,,2025-11-15 23:00,12.00,kim\n"), entered())
    with reading(engine) as connection:
        made = books(connection, of_day((SITE,), DAY), CONFIG)
    (odd,) = [box for box in made.boxes if box.box_id == "BOX-9"]
    assert odd.problems == ("no such box was taken out at this table in the three days before",)
    assert made.total.counted is None
    assert [one.level for one in made.differences if "BOX-9" in one.what] == ["report"]


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("t-9,BOX-1,,2025-11-16 07:00,1.00,kim", "there is no table 't-9' in the store"),
        ("t-0,,,2025-11-16 07:00,1.00,kim", "the box's id is missing"),
        ("t-0,BOX-1,,2025-11-16 07:00,1.00,", "nobody is named who counted"),
        ("t-0,BOX-1,,yesterday,1.00,kim", "'yesterday' is no time; write it as 2026-11-18 06:30"),
        ("t-0,BOX-1,,2030-01-01 07:00,1.00,kim", "2030-01-01 07:00 has not come yet"),
        ("t-0,BOX-1,,2025-11-16 07:00,1.5,kim", "'1.5' is no amount; write it as 1234.50"),
        ("t-0,BOX-1,,2025-11-16 07:00,-1.00,kim", "'-1.00' is no amount"),
        ('t-0,BOX-1,,2025-11-16 07:00,"1,23",kim', "'1,23' is no amount"),
        ("t-0,BOX-1,,2025-11-16 07:00,99999999999,kim", "99999999999 is more than a box holds"),
        ("t-0,BOX-1,,2025-11-16 07:00,1.00", "it has another number of columns than the first line"),
        (f"t-0,{'B' * 65},,2025-11-16 07:00,1.00,kim", "box_id is longer than 64 characters"),
    ],
)
def test_each_line_that_is_wrong_is_named_and_nothing_is_taken(tmp_path: Path, line: str, sentence: str) -> None:
    good = "t-0,BOX-2,,2025-11-16 07:00,1.00,kim\n"
    with pytest.raises(Refused) as refused:
        sheet(tmp_path, HEAD + good + line + "\n" + good)
    text = str(refused.value)
    assert f"line 3: {sentence}" in text
    assert "line 4: the box BOX-2 of t-0 is in line 2 already" in text
    assert "line 2:" not in text


@pytest.mark.parametrize("text", ["", "a,b,c\n1,2,3\n", HEAD, HEAD.replace("amount", "sum") + "t-0,B,,x,1,k\n"])
def test_a_file_of_another_form_is_explained(tmp_path: Path, text: str) -> None:
    with pytest.raises(Exception, match="does not begin with the names of its columns"):
        sheet(tmp_path, text)


@pytest.mark.clause("CA-4CCR-12385")
def test_a_line_is_never_changed(tmp_path: Path, engine: Engine, table: FreshTable) -> None:
    enter(engine, sheet(tmp_path, GOOD), entered())
    before = rows(engine, "SELECT * FROM count_sheets")
    enter(engine, [SheetLine("t-0", "BOX-1", "", 1, read_moment("2025-11-16 08:00", HOUSE), "kim")], entered())
    assert set(before) < set(rows(engine, "SELECT * FROM count_sheets"))
    assert count(engine, COUNT_SHEETS) == 3
