"""The shift report: what it adds up, that every form says the same, and that the same journal gives the same bytes."""

from __future__ import annotations

import base64
import csv
import io
import re
import zlib
from datetime import date
from pathlib import Path

import pytest

from controller.cli.main import main
from controller.engine.drop.worth import Chip
from controller.engine.inputs import Amended, BoxCountedIn, Change, DropExplained
from controller.engine.jackpot_inputs import JackpotAdjust
from controller.journal import Journal, JournalReader
from controller.report.ledger import read_ledger
from controller.report.lines import Ledger
from controller.report.page import as_page
from controller.report.period import BadPeriod, Period, between, shift_at, shift_on
from controller.report.sheet import as_csv
from controller.report.text import as_text
from controller.report.words import everything
from tests.support.running.drops import DOLLARS_AND_FIVES, GRACE_S, MORNING, DropTable
from tests.support.running.jackpot_table import BAD_BEAT, JackpotTable

SHIFTS = {"day": "06:00", "swing": "14:00", "graveyard": "22:00"}
DAY = shift_at(MORNING, SHIFTS, "UTC")
"""15 June 2025, 14:00 to 22:00: the swing shift of the simulated morning."""


def rounds(table: DropTable, count: int, pieces: int = 2) -> None:
    for _ in range(count):
        table.bet()
        if pieces:
            table.drop(pieces)
        table.deal()
        table.wait(GRACE_S + 60)


def a_shift(chips: tuple[Chip, ...] = (Chip(100, 10_000),)) -> DropTable:
    """Sam deals 4 rounds well; Kim forgets one, drops another twice, then one late; the box is changed and counted."""
    table = DropTable(chips=chips)
    table.sign_on("sam")
    rounds(table, 4)
    table.sign_on("kim")
    rounds(table, 1, pieces=0)
    table.do(DropExplained("collection", "paid at the cage"), by="floor:ann")
    rounds(table, 1, pieces=4)
    rounds(table, 1, pieces=0)
    table.drop(2)
    table.wait(3600)
    table.sense("collection", "box_removed", times_removed=1)
    table.sense("collection", "box_placed", box_id="BOX-7")
    table.do(BoxCountedIn("BOX-1", 1400), by="floor:count")
    return table


def ledger_of(table: DropTable, folder: Path, period: Period = DAY) -> Ledger:
    folder.mkdir(exist_ok=True)
    table.write(folder / "journal.db")
    with JournalReader.read(folder / "journal.db") as reader:
        return read_ledger(reader, period)


# What it adds up


def test_due_and_counted_by_round_dealer_and_box(tmp_path: Path) -> None:
    ledger = ledger_of(a_shift(), tmp_path)
    assert [line.verdict for line in ledger.rounds] == ["matched"] * 4 + ["short", "over", "late"]
    assert (ledger.due, ledger.pieces, ledger.missing, ledger.surplus) == (1400, 14, 200, 200)
    sam, kim = sorted(ledger.dealers, key=lambda dealer: dealer.name != "sam")
    assert (sam.name, sam.rounds, sam.due, sam.missing, sam.late) == ("sam", 4, 800, 0, 0)
    assert (kim.name, kim.rounds, kim.due, kim.missing, kim.surplus, kim.late) == ("kim", 3, 600, 200, 200, 1)
    (gone,) = [box for box in ledger.boxes if box.until is not None]
    assert (gone.box_id, gone.due, gone.pieces, gone.low, gone.high) == ("BOX-1", 1400, 14, 1400, 1400)
    assert (gone.counted, gone.difference) == (1400, 0)
    there = [(box.box, box.box_id) for box in ledger.boxes if box.until is None]
    assert there == [("collection", "BOX-7"), ("jackpot", "")]


def test_what_is_to_be_looked_at_has_its_moment(tmp_path: Path) -> None:
    ledger = ledger_of(a_shift(), tmp_path)
    found = [finding.what for finding in ledger.findings]
    assert found == ["short", "explained", "over", "short", "box_removed", "box_placed"]
    short = ledger.findings[0]
    assert (short.round, short.dealer, short.box) == (5, "kim", "collection")
    assert DAY.start < short.at < DAY.end


def test_what_nobody_has_explained_comes_first_and_the_explained_is_grouped(tmp_path: Path) -> None:
    table = DropTable()
    table.sign_on("kim")
    rounds(table, 3, pieces=0)
    table.do(DropExplained("collection", "the chute was jammed"), by="floor:ann")
    rounds(table, 1, pieces=0)
    ledger = ledger_of(table, tmp_path)
    total, unexplained, *others = everything(ledger)
    assert (total.title, unexplained.title) == ("Total", "Not explained (1)")
    assert [row[1:4] for row in unexplained.rows] == [("short", "collection", "4")]
    (explained,) = (each for each in others if each.title == "Explained")
    ((what, box, times, numbers, _, text, evidence),) = explained.rows
    assert (what, box, times, numbers) == ("short", "collection", "3 times", "1, 2, 3")
    assert text == "floor:ann: the chute was jammed"
    assert evidence.endswith("nothing fell, and 2 more like it")
    text = as_text(ledger)
    assert text.index("Not explained (1)") < text.index("Boxes") < text.index("Explained")


def test_what_fell_late_is_explained_by_that(tmp_path: Path) -> None:
    ledger = ledger_of(a_shift(), tmp_path)
    assert [(finding.what, finding.explained) for finding in ledger.findings if finding.explained][-1] == (
        "short",
        "it fell late",
    )


def test_the_trend_of_a_dealer_runs_by_the_hour(tmp_path: Path) -> None:
    table = DropTable()
    table.sign_on("kim")
    rounds(table, 1, pieces=0)
    table.do(DropExplained("collection", "no reason given"), by="floor:ann")
    table.wait(3600)
    rounds(table, 1, pieces=0)
    ledger = ledger_of(table, tmp_path)
    assert "+$4.00" in as_text(ledger)  # the running sum
    (kim,) = ledger.dealers
    assert [(part.label[-5:], part.difference) for part in kim.trend] == [("15:00", 200), ("16:00", 200)]
    assert kim.missing == 400


def test_a_box_without_a_sensor_shows_what_it_is_due_and_says_so(tmp_path: Path) -> None:
    table = DropTable(boxes=("jackpot",))
    table.play()
    ledger = ledger_of(table, tmp_path)
    (line,) = ledger.rounds
    assert (line.box, line.due, line.verdict) == ("collection", 200, "no sensor")
    assert "no sensor" in as_text(ledger)


def test_pieces_whose_worth_nobody_knows_are_pieces(tmp_path: Path) -> None:
    ledger = ledger_of(a_shift(chips=()), tmp_path)
    assert not ledger.knows_worth
    assert "not known" in as_text(ledger)
    assert "nobody has said in what chips" in as_page(ledger)


def test_several_chips_leave_a_band(tmp_path: Path) -> None:
    table = DropTable(chips=DOLLARS_AND_FIVES)
    rounds(table, 2)
    ledger = ledger_of(table, tmp_path)
    assert [(line.low, line.high) for line in ledger.rounds] == [(200, 1000), (200, 1000)]
    assert 'class="band"' in as_page(ledger)


def test_a_correction_changes_what_the_round_was_due(tmp_path: Path) -> None:
    table = DropTable()
    table.bet(10_000)
    table.deal()
    change = Change(0, {"kind": "wager", "place": 1, "wager": "player_line", "cents": 20_100})
    table.do(Amended(1, (change,), "miskeyed"), by="floor:ann")
    table.wait(GRACE_S)
    (line,) = ledger_of(table, tmp_path).rounds
    assert line.due == table.engine.state.fees_due["collection"] == 200


def test_a_round_whose_grace_ends_after_the_shift_is_judged_in_it(tmp_path: Path) -> None:
    table = DropTable()
    table.at = DAY.end - 1000
    table.play()
    table.drop(2)
    table.wait(GRACE_S)
    rounds(table, 1)
    ledger = ledger_of(table, tmp_path)
    assert [(line.round, line.verdict) for line in ledger.rounds] == [(1, "matched")]


def test_rounds_before_and_after_the_time_are_not_in_it(tmp_path: Path) -> None:
    table = a_shift()
    table.write(tmp_path / "journal.db")
    with JournalReader.read(tmp_path / "journal.db") as reader:
        whole = read_ledger(reader, DAY)
        cut = whole.rounds[2].at
        before = read_ledger(reader, Period(DAY.start, cut, "UTC"))
        after = read_ledger(reader, Period(cut, DAY.end, "UTC"))
    assert [line.round for line in before.rounds] == [1, 2]
    assert before.due + after.due == whole.due
    assert after.rounds[0].dealer == "sam"


@pytest.mark.clause("CA-4CCR-12003")
async def test_it_reads_archives_as_if_nothing_had_left_the_journal(tmp_path: Path) -> None:
    table = a_shift()
    path = tmp_path / "journal.db"
    table.write(path)
    with JournalReader.read(path) as reader:
        before = as_csv(read_ledger(reader, DAY))
    with Journal.open(path, site="bay101", table="t7") as journal:
        await journal.move_cursor("main", journal.head.seq)
        archive = await journal.rotate()
    assert archive.last_n > 10
    with JournalReader.read(path) as reader:
        assert as_csv(read_ledger(reader, DAY)) == before


# Its forms


def test_the_csv_has_a_row_for_everything(tmp_path: Path) -> None:
    rows = list(csv.DictReader(io.StringIO(as_csv(ledger_of(a_shift(), tmp_path)))))
    kinds = [row["kind"] for row in rows]
    assert {kind: kinds.count(kind) for kind in kinds} == {
        "total": 1,
        "box": 3,
        "dealer": 2,
        "trend": 2,
        "finding": 6,
        "round": 7,
    }
    total = rows[0]
    assert (total["house"], total["table"], total["shift"], total["due"]) == ("bay101", "t7", "swing", "14.00")
    (short,) = [row for row in rows if row["kind"] == "round" and row["what"] == "short"]
    assert (short["round"], short["dealer"], short["due"], short["missing"]) == ("5", "kim", "2.00", "2.00")


def test_a_text_that_a_spreadsheet_would_run_stays_a_text(tmp_path: Path) -> None:
    table = DropTable()
    rounds(table, 1, pieces=0)
    table.do(DropExplained("collection", "x"), by="=HYPERLINK(1)")
    rows = list(csv.DictReader(io.StringIO(as_csv(ledger_of(table, tmp_path)))))
    assert any(row["text"].startswith("'=HYPERLINK") for row in rows)


def test_the_page_shows_the_plot_and_escapes_what_people_wrote(tmp_path: Path) -> None:
    table = DropTable()
    rounds(table, 2)
    rounds(table, 1, pieces=0)
    table.do(DropExplained("collection", "<script>alert(1)</script>"), by="floor:ann")
    page = as_page(ledger_of(table, tmp_path))
    assert "<script>" not in page and "&lt;script&gt;" in page
    due, counted = (re.search(rf'class="{what}" points="([^"]+)"', page) for what in ("due", "counted"))
    assert due is not None and counted is not None
    ends = [float(found.group(1).split()[-1].split(",")[1]) for found in (due, counted)]
    assert ends[0] < ends[1]  # $6 due stand higher on the page than $4 counted


def test_the_pdf_has_the_plot_the_figures_and_lines_to_sign(tmp_path: Path) -> None:
    reportlab = pytest.importorskip("reportlab")
    assert reportlab
    from controller.report.pdf import as_pdf

    ledger = ledger_of(a_shift(), tmp_path)
    made = as_pdf(ledger)
    assert made.startswith(b"%PDF-")
    text = pdf_streams(made)
    for said in ("bay101", "Counted by", "kim", "BOX-1", "$14.00", "swing shift"):
        assert said in text, said
    assert len(re.findall(r"(?m) l$| l ", text)) > 20  # lines, not a picture
    assert as_pdf(ledger) == made


def pdf_streams(made: bytes) -> str:
    """What the pages draw: ReportLab writes each stream in Flate and ASCII85."""
    found = re.findall(rb"(?<!end)stream\r?\n(.*?)~>", made, re.DOTALL)
    return "".join(zlib.decompress(base64.a85decode(one)).decode("latin-1") for one in found)


def test_the_same_journal_gives_the_same_bytes(tmp_path: Path) -> None:
    first, second = ledger_of(a_shift(), tmp_path), ledger_of(a_shift(), tmp_path / "again")
    assert as_csv(first) == as_csv(second)
    assert as_page(first) == as_page(second)


# The command


def test_the_command_takes_a_journal_and_prints_the_last_shift(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    a_shift().write(tmp_path / "journal.db")
    assert main(["report", "shift", "--journal", str(tmp_path / "journal.db")]) == 0
    said = capsys.readouterr().out
    assert "swing shift" in said and "2025-06-15 14:00 to 2025-06-15 22:00 UTC" in said
    assert "round 5 owes the collection box $2; nothing fell" in said


def test_the_command_writes_files(tmp_path: Path) -> None:
    a_shift().write(tmp_path / "journal.db")
    files = {form: tmp_path / f"report.{form}" for form in ("csv", "html", "pdf")}
    options = [text for form, path in files.items() for text in (f"--{form}", str(path))]
    where = ["--from", "2025-06-15T00:00", "--to", "2025-06-16T00:00"]
    assert main(["report", "shift", "--journal", str(tmp_path / "journal.db"), *where, *options]) == 0
    assert files["csv"].read_text().startswith("kind,house,table,")
    assert files["html"].read_text().startswith("<!doctype html>")
    assert files["pdf"].read_bytes().startswith(b"%PDF-")


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        (["--shift", "noon"], "There is no shift 'noon'; there is day, swing, graveyard."),
        (["--from", "yesterday", "--to", "2025-06-16"], "'yesterday' is no time"),
        (["--from", "2025-06-16"], "Give --from and --to together"),
        (["--timezone", "Mars/Olympus"], "There is no time zone 'Mars/Olympus'"),
        (["--csv", "no/such/folder/x.csv"], "cannot be written"),
    ],
)
def test_what_is_wrong_is_said_in_a_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], wrong: list[str], says: str
) -> None:
    a_shift().write(tmp_path / "journal.db")
    assert main(["report", "shift", "--journal", str(tmp_path / "journal.db"), *wrong]) == 2
    assert says in capsys.readouterr().err


# The house's day


def test_a_shift_follows_the_clock_on_the_wall_when_summer_ends() -> None:
    zone = "America/Los_Angeles"
    short, long = (shift_on(date(2026, month, day), "graveyard", SHIFTS, zone) for month, day in ((3, 7), (10, 31)))
    assert ((short.end - short.start) // 3_600_000, (long.end - long.start) // 3_600_000) == (7, 9)


def test_a_time_that_ends_before_it_begins_is_refused() -> None:
    with pytest.raises(BadPeriod):
        between("2026-11-16", "2026-11-15", "UTC")


@pytest.mark.parametrize("before", [True, False])
def test_the_fee_of_a_round_in_which_the_box_was_changed_is_in_one_box(tmp_path: Path, before: bool) -> None:
    table = DropTable()
    rounds(table, 2)
    table.bet()
    if before:
        table.drop(2)
    table.sense("collection", "box_removed", times_removed=1)
    table.sense("collection", "box_placed", box_id="BOX-7")
    if not before:
        table.drop(2)
    table.deal()
    table.wait(GRACE_S)
    table.do(BoxCountedIn("BOX-1", 600 if before else 400))
    ledger = ledger_of(table, tmp_path)
    due = {box.box_id: box.due for box in ledger.boxes if box.box == "collection"}
    assert due == ({"BOX-1": 600, "BOX-7": 0} if before else {"BOX-1": 400, "BOX-7": 200})
    assert [box.difference for box in ledger.boxes if box.counted is not None] == [0]


def test_a_jackpot_is_in_the_report_with_what_changed_its_meter(tmp_path: Path) -> None:
    table = JackpotTable(BAD_BEAT)
    table.play()
    table.hit()
    table.do(JackpotAdjust("bad-beat", "found at the count", add=500), by="floor:ann")
    ledger = ledger_of(table, tmp_path)
    (line,) = ledger.jackpots
    assert (line.name, line.seeded, line.contributed, line.paid, line.adjusted) == (
        "bad-beat",
        100_000,
        200,
        100_100,
        500,
    )
    assert (line.main, line.reserve) == (table.meter.main, table.meter.reserve)
    notes = [finding.what for finding in ledger.findings if finding.what.startswith("jackpot")]
    assert notes == ["jackpot_hit", "jackpot_paid", "jackpot_adjusted"]
    assert "Jackpots" in [section.title for section in everything(ledger)]
    assert "jackpot," in as_csv(ledger)
