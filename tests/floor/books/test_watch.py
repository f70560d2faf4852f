"""The watch on due less dropped: what it finds, how soon, and how seldom it is wrong."""

from __future__ import annotations

import re

import pytest
from sqlalchemy import Connection, Engine

from controller.contract import encode
from controller.contract import events as ev
from floor.books.cusum import Chart, between_false_alarms, limit_for
from floor.books.lines import WatchLine
from floor.books.scope import of_day
from floor.books.watch import divided, read_series, watch
from floor.config import Watch
from floor.gaming_day import Calendar
from floor.store.database import reading
from tests.floor.books.conftest import CONFIG, DAY
from tests.long import watch_curve
from tests.support.floor_store import SITE, an_intake, received
from tests.support.project import ROOT
from tests.support.recorded_days import FreshTable, days

A_DAY = 86_400_000
SETTINGS = Watch()


def test_a_chip_a_shift_is_found_within_ten_shifts_with_one_false_alarm_a_table_year_at_most() -> None:
    for noise in (0, 150, 250):
        point = watch_curve.point(noise, years=10, thefts=300)
        assert point.false_alarms <= 1, point
        assert point.shifts <= 10 and point.within >= 0.95, point


def test_the_curve_in_the_docs_is_that_of_the_simulation() -> None:
    text = (ROOT / "docs" / "floor" / "books.md").read_text()
    (line,) = re.findall(r"^\| \$3\.00 .*$", text, re.M)
    limit = line.split("|")[3].strip()
    assert limit == f"${watch_curve.point(300, years=1, thefts=1).limit / 100:.2f}"
    assert watch_curve.HEAD in text


def test_more_noise_asks_for_a_higher_limit_and_the_rate_stays() -> None:
    limits = [limit_for(500, noise, 4380) for noise in range(100, 800, 50)]
    assert limits == sorted(limits)
    for noise in (300, 500, 700):
        b = limit_for(500, noise, 4380) / noise + 1.166
        assert between_false_alarms(250 / noise, b) >= 4380


@pytest.mark.parametrize("mistake", [2500, 100_000])
def test_two_large_mistakes_are_no_finding_and_a_third_is(mistake: int) -> None:
    chart = Chart(500, limit_for(500, 150, 4380))
    assert [chart.add(mistake) for _ in range(3)] == [False, False, True]


def test_what_a_count_shows_is_divided_to_the_cent() -> None:
    parts = divided(-1001, {"ann": 33, "bob": 33, "cy": 34})
    assert sum(parts.values()) == -1001
    assert divided(100, {"ann": 0}) == {"ann": 0}


def test_the_points_are_what_the_shift_report_calls_missing(connection: Connection) -> None:
    series = read_series(connection, of_day((SITE,), DAY), Calendar(), {"day": "06:00", "night": "18:30"})
    night = series["dealer", SITE, "sam"].values
    assert list(night) == [f"{DAY} day", f"{DAY} night"]
    assert sum(night.values()) == 7200
    assert sum(series["box", SITE, "t-0 collection"].values.values()) == 4300


def body(event: ev.Event) -> bytes:
    return encode(event)


def stealing(engine: Engine, shifts: int, *, cents: int) -> list[WatchLine]:
    """A table whose box is $100 due in each shift; what is counted is short by this much when ann deals, and never
    when bob does."""
    intake, table = an_intake(engine), FreshTable(SITE, "t-1", days()[0])
    table.events.clear()
    del table.links[1:], table._hashes[1:]
    began = 1_763_300_000_000
    total = 0
    for shift in range(2 * shifts):
        at, dealer = began + shift * A_DAY // 2, ("ann", "bob")[shift % 2]
        box, short = f"BOX-{shift}", cents if dealer == "ann" else 0
        what = "short" if short else "matched"
        happened: list[ev.Event] = [
            ev.RoundStarted("bankers-ez-baccarat-panda-8", "0" * 16, dealer=dealer),
            ev.FeeChanged("collection", 10_000, "due", before=total, after=total + 10_000),
            ev.RoundSettled(),
            ev.BoxReckoned("collection", box, 10_000, 20, low=20, high=None, since=at),
            ev.BoxCounted("collection", box, 10_000 - short, 10_000, -short, what, "floor:kim"),
        ]
        total += 10_000
        for step, event in enumerate(happened):
            table.add(str(event.__struct_config__.tag), body(event), shift + 1, at + step)
    messages = [*table.events, table.head()]
    intake.take(received(messages, at=began + 400 * A_DAY))
    with reading(engine) as connection:
        last = Calendar().day(began + shifts * A_DAY)
        shifts_a_day = {"day": "06:00", "night": "18:00"}
        return watch(connection, of_day((SITE,), last), CONFIG.calendar, shifts_a_day, SETTINGS)


def test_a_dealer_who_takes_a_chip_a_shift_is_found_and_the_other_is_not(engine: Engine) -> None:
    found = {(line.kind, line.name): line for line in stealing(engine, 10, cents=500)}
    ann, bob = found["dealer", "ann"], found["dealer", "bob"]
    assert ann.found and (ann.missing, ann.shifts) == (5000, 10)
    assert not bob.found and bob.missing == 0


def test_honest_shifts_are_no_finding(engine: Engine) -> None:
    assert not any(line.found or line.missing for line in stealing(engine, 10, cents=0))
