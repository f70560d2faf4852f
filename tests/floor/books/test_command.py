"""`cutcard floor books`, as a person runs it: text, CSV, PDF, JSON."""

from __future__ import annotations

import csv
from pathlib import Path

import msgspec
import pytest

from controller.cli.main import main
from floor.books.lines import Books
from tests.floor.books.conftest import DAY
from tests.support.floor_store import SITE


@pytest.fixture
def config(tmp_path: Path, room_store: str) -> str:
    path = tmp_path / "floor.toml"
    lines = [f'site = "{SITE}"', f'store = "{room_store}"']
    lines += ["[shifts]", 'day = "06:00"', 'night = "18:30"', "[sections]", 'high = ["t-0", "t-1"]']
    path.write_text("\n".join(lines))
    return str(path)


def test_the_books_of_a_day_begin_with_what_somebody_has_to_act_on(
    config: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["floor", "books", "day", DAY, "--config", config]) == 0
    printed = capsys.readouterr().out.splitlines()
    assert printed[:3] == [
        f"Site         {SITE}",
        f"Gaming day   {DAY}",
        "Complete     every event of these tables is here",
    ]
    titles = [line for line in printed if line and not line.startswith(" ")][3:]
    assert titles[:4] == ["Total", "Differences", "Watch", "Boxes"]
    assert titles[-2:] == ["Access", "Devices"]


def test_a_section_a_shift_and_one_part(config: str, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["--section", "high", "--part", "tables", "--config", config]
    assert main(["floor", "books", "shift", DAY, "night", *arguments]) == 0
    printed = capsys.readouterr().out
    assert "Shift        night" in printed and "Section      high" in printed
    assert "  riverside  t-1 " in printed and "t-2" not in printed and "Devices" not in printed


def test_all_forms_state_the_same(config: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = {form: tmp_path / f"books.{form}" for form in ("csv", "pdf", "json")}
    options = [word for form, path in files.items() for word in (f"--{form}", str(path))]
    assert main(["floor", "books", "day", DAY, *options, "--config", config]) == 0
    assert capsys.readouterr().out.split() == [str(path) for path in files.values()]
    made = msgspec.json.decode(files["json"].read_bytes(), type=Books)
    rows = list(csv.reader(files["csv"].open(newline="")))
    (total,) = [row for row in rows if row[0] == "Total"]
    assert total[3] == str(made.total.rounds) == "186"
    assert total[7] == f"${made.total.due // 100:,}.{made.total.due % 100:02}"
    assert files["pdf"].read_bytes().startswith(b"%PDF-")
    again = tmp_path / "again.pdf"
    assert main(["floor", "books", "day", DAY, "--pdf", str(again), "--config", config]) == 0
    assert again.read_bytes() == files["pdf"].read_bytes()


def test_the_staff_list_shows_who_left_and_who_is_not_on_it(
    config: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    staff = tmp_path / "staff.csv"
    staff.write_text("name,role,left\nann,floor,2025-11-01\nbob,dealer,\n")
    arguments = ["--staff", str(staff), "--part", "access", "--config", config]
    assert main(["floor", "books", "day", DAY, *arguments]) == 0
    printed = capsys.readouterr().out
    assert f"left on 2025-11-01, and was seen on {DAY}" in printed
    assert "was not seen for a year" in printed
    assert "is not on the staff list" in printed


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["day", "18.11.2026"], "'18.11.2026' is not a day; write it as 2026-11-18."),
        (["month", "2026-13"], "'2026-13' is not a month; write it as 2026-11."),
        (["shift", DAY, "swing"], "There is no shift 'swing'; there is day, night."),
        (["day", DAY, "--section", "low"], "There is no section 'low'; there is high."),
        (["key", "t-9", "BOX-1", "1.00", "--counted-by", "kim"], "there is no table 't-9' in the store"),
        (["key", "t-0", "BOX-1", "one", "--counted-by", "kim"], "'one' is no amount; write it as 1234.50"),
    ],
)
def test_what_cannot_be_done_is_one_sentence(
    config: str, capsys: pytest.CaptureFixture[str], arguments: list[str], sentence: str
) -> None:
    assert main(["floor", "books", *arguments, "--config", config]) == 2
    assert sentence in capsys.readouterr().err
