"""The books add up to what the tables themselves say: their fee ledger, and their shift report."""

from __future__ import annotations

import random

import pytest
from sqlalchemy import Connection, Engine

from floor.books import play, sums
from floor.books.lines import Books, SumLine
from floor.books.make import books
from floor.books.scope import Scope, of_day, of_month, of_shift
from floor.gaming_day import Calendar
from floor.store.database import reading
from tests.floor.books.conftest import CONFIG, DAY, TABLES
from tests.support.floor_store import SITE, an_intake, rows, take
from tests.support.recorded_days import FreshTable, days
from tests.support.recorded_reports import report_of


@pytest.fixture
def made(connection: Connection) -> Books:
    return books(connection, of_day((SITE,), DAY), CONFIG)


def test_every_figure_of_a_table_is_that_of_its_shift_report(made: Books, connection: Connection) -> None:
    for line in made.tables:
        report = report_of(TABLES[line.name])
        assert (line.due, line.pieces) == (report.due, report.pieces), line.name
        assert (line.missing, line.over) == (report.missing, report.surplus), line.name
        alone = Scope((SITE,), DAY, DAY, tables=(line.name,))
        by_dealer = {one.name: (one.due, one.missing, one.over) for one in sums.sums(connection, alone, "dealer")}
        for dealer in report.dealers:
            assert by_dealer[dealer.name] == (dealer.due, dealer.missing, dealer.surplus), line.name
        banked = {one.name.removeprefix(f"{line.name} "): one for one in play.banks(connection, alone)}
        assert {one.name for one in report.banks} == set(banked)
        for bank in report.banks:
            mine = banked[bank.name]
            assert (mine.hands, mine.longest, mine.kept) == (bank.hands, bank.longest, bank.kept), line.name
        boxes = {(box.box, box.box_id): (box.due, box.pieces) for box in made.boxes if box.table == line.name}
        assert boxes == {(b.box, b.box_id): (b.due, b.pieces) for b in report.boxes if b.until is not None}


def test_the_sum_of_what_is_due_is_the_tables_own_ledger(made: Books, room: Engine) -> None:
    last = rows(
        room,
        "SELECT f.table_name, sum(f.after_cents) FROM fee_ledger f WHERE f.seq = (SELECT max(g.seq) FROM fee_ledger g "
        "WHERE g.journal = f.journal AND g.box = f.box) GROUP BY f.table_name",
    )
    assert {line.name: line.due for line in made.tables if line.due} == {name: int(due) for name, due in last}


@pytest.mark.parametrize("seed", range(5))
def test_shifts_add_up_to_the_day_wherever_it_is_cut(connection: Connection, seed: int) -> None:
    minute = random.Random(seed).randint(26, 87)
    shifts = {"early": "06:00", "late": f"{18 + minute // 60:02d}:{minute % 60:02d}"}
    parts = [of_shift((SITE,), DAY, name, shifts, CONFIG.calendar) for name in shifts]
    made = [{line.name: line for line in sums.sums(connection, part, "table_name")} for part in parts]
    whole = sums.sums(connection, of_day((SITE,), DAY), "table_name")
    for line in whole:
        halves = [lines.get(line.name, SumLine()) for lines in made]
        for name in ("rounds", "void", "wagered", "due", "pieces", "low"):
            assert sum(getattr(half, name) for half in halves) == getattr(line, name), (line.name, name)
        for part, half in zip(parts, halves, strict=True):
            assert part.start is not None and part.end is not None
            report = report_of(TABLES[line.name], part.start, part.end)
            assert half.due == report.due, (line.name, part.shift)


def test_each_way_to_group_adds_up_to_the_same(made: Books) -> None:
    assert made.total.rounds == 186
    for lines in (made.sites, made.tables, made.games, made.dealers, made.sections):
        for name in ("rounds", "void", "corrected", "wagered", "due", "waived", "pieces", "missing", "over"):
            assert sum(getattr(line, name) for line in lines) == getattr(made.total, name), name
    assert [line.name for line in made.sections] == ["", "high"]


def test_books_of_a_game_or_a_dealer_are_the_lines_of_the_whole(made: Books, connection: Connection) -> None:
    for line in made.games:
        (alone,) = sums.sums(connection, Scope((SITE,), DAY, DAY, game=line.name), "")
        assert (alone.rounds, alone.due, alone.missing) == (line.rounds, line.due, line.missing)
    for line in made.dealers:
        (alone,) = sums.sums(connection, Scope((SITE,), DAY, DAY, dealer=line.name), "")
        assert (alone.rounds, alone.due, alone.pieces) == (line.rounds, line.due, line.pieces)


def test_a_month_has_its_days_and_another_month_nothing(connection: Connection) -> None:
    month = books(connection, of_month((SITE,), "2025-11"), CONFIG)
    assert [(line.name, line.rounds) for line in month.days] == [(DAY, 186)]
    assert books(connection, of_month((SITE,), "2025-12"), CONFIG).total.rounds == 0


def test_a_gaming_day_ends_in_the_morning_by_the_clock_on_the_wall() -> None:
    night = of_shift((SITE,), "2026-11-01", "night", {"day": "06:00", "night": "18:00"}, Calendar())
    assert night.start is not None and night.end is not None
    assert (night.end - night.start) // 3_600_000 == 12
    changed = of_shift((SITE,), "2026-10-31", "night", {"day": "06:00", "night": "18:00"}, Calendar())
    assert changed.start is not None and changed.end is not None
    assert (changed.end - changed.start) // 3_600_000 == 13, "the clocks go back that night"


def test_a_table_of_which_events_are_missing_is_named(engine: Engine) -> None:
    table = FreshTable(SITE, "t-0", days()[0])
    take(an_intake(engine), [*table.events[:500], table.head(500), table.state(510)])
    with reading(engine) as connection:
        (one,) = books(connection, of_day((SITE,), DAY), CONFIG).not_whole
    assert (one.table, one.text) == ("t-0", "10 events have not come yet")


def test_people_devices_and_meters(made: Books) -> None:
    assert {(one.table, one.round) for one in made.rounds} == {("t-1", 2), ("t-1", 16), ("t-2", 3)}
    by_name = {one.name: one for one in made.access}
    assert by_name["ann"].roles == ("floor",) and by_name["ann"].findings == ()
    devices = {(one.table, one.device): one for one in made.devices}
    shuffler, shoe = devices["t-3", "shuffler"], devices["t-0", "shoe"]
    assert (shuffler.serial, shuffler.firmware, shuffler.shuffles) == ("SIM-0002", "1.0.0", 19)
    assert (shoe.model, shoe.cards, shoe.shuffles) == ("SIM-SHOE", 537, None)
    assert all(one.an_hour > 30 for one in made.pace)
    (jackpot,) = made.jackpots
    assert (jackpot.seeded, jackpot.adjusted, jackpot.after) == (20000, 168, 20000)
