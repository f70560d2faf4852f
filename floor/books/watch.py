"""What the watch has to say about dealers and boxes: the shifts of the last months, each as due less dropped.

A box that was counted is worth what was counted. Of one that was not, only what the sensors prove counts, round by
round. What a count shows beside that belongs to no round: it is divided among those who dealt while the box was in, in
proportion to the fees that they took, to the cent.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from datetime import date, timedelta
from typing import Any, Literal

from msgspec import Struct, field
from sqlalchemy import Connection, Row, func, select

from floor.books.boxes import boxes
from floor.books.cusum import Chart, limit_for, noise_of
from floor.books.lines import BoxLine, WatchLine
from floor.books.scope import Scope, conditions, moment, shift_starts, within
from floor.books.sums import judged_rounds
from floor.config import Thresholds, Watch
from floor.gaming_day import Calendar
from floor.store.schema import BOXES, FEE_LEDGER

Name = tuple[Literal["dealer", "box"], str, str]
"""What is watched: its kind, site and name."""


class Shift(Struct, frozen=True):
    """One shift of a room; of a room without shifts, a gaming day."""

    label: str
    start: int
    end: int


class Series(Struct):
    """Due less dropped of one dealer or box, shift by shift."""

    values: dict[str, int] = field(default_factory=dict)
    """By the shift's label, in order."""


def watch(
    connection: Connection, scope: Scope, days: Calendar, shifts: Mapping[str, str], settings: Watch
) -> list[WatchLine]:
    """The dealers and boxes of each site; those with findings come first."""
    found = []
    for site in scope.sites:
        series = read_series(connection, _wide(scope, site, settings.days), days, shifts)
        of_site = [value for one in series.values() for value in one.values.values()]
        noise = max(float(settings.noise_cents), noise_of(of_site, settings.stolen_cents))
        limit = limit_for(settings.stolen_cents, noise, settings.points_a_year)
        found += [_line(name, one, settings.stolen_cents, limit) for name, one in series.items()]
    return sorted(found, key=lambda line: (not line.found, -line.level, line.site, line.kind, line.name))


def _wide(scope: Scope, site: str, days: int) -> Scope:
    """All of a site's tables, and the months before."""
    first = (date.fromisoformat(scope.last) - timedelta(days=days)).isoformat()
    return Scope((site,), first, scope.last, test=scope.test)


def _line(name: Name, series: Series, stolen: int, limit: int) -> WatchLine:
    chart, found = Chart(stolen, limit), ""
    for label, value in series.values.items():
        if chart.add(value):
            found = label
    kind, site, shown = name
    return WatchLine(site, shown, kind, len(series.values), sum(series.values.values()), chart.sum, limit, found)


def read_series(connection: Connection, scope: Scope, days: Calendar, shifts: Mapping[str, str]) -> dict[Name, Series]:
    """Every shift in which a dealer took fees, or a box was owed some, is one point."""
    (site,) = scope.sites
    series: dict[Name, Series] = defaultdict(Series)
    counted = _counted(connection, scope)
    proved = connection.execute(select(judged_rounds(scope))).all()
    parts = _shares(connection, scope, counted, proved)
    for shift in _shifts(connection, scope, days, shifts):
        for row in connection.execute(_present(scope, shift)):
            if row.dealer:
                series["dealer", site, row.dealer].values.setdefault(shift.label, 0)
            series["box", site, f"{row.table_name} {row.box}"].values.setdefault(shift.label, 0)
        for row in proved:
            if shift.start <= row.at < shift.end and _box_of(row, counted) is None:
                _add(series, ("dealer", site, row.dealer), shift, _proved(row))
                _add(series, ("box", site, f"{row.table_name} {row.box}"), shift, _proved(row))
        for box in counted:
            if shift.start <= box.line.at < shift.end:
                _add(series, ("box", site, f"{box.line.table} {box.line.box}"), shift, box.missing)
                for dealer, cents in parts[box.key].items():
                    _add(series, ("dealer", site, dealer), shift, cents)
    return dict(series)


def _add(series: dict[Name, Series], name: Name, shift: Shift, cents: int) -> None:
    if name[2]:
        values = series[name].values
        values[shift.label] = values.get(shift.label, 0) + cents


class _Counted(Struct, frozen=True):
    """A box whose content is known."""

    line: BoxLine
    since: int
    missing: int
    """Due less counted."""

    @property
    def key(self) -> tuple[str, str, int]:
        return self.line.table, self.line.box, self.line.at


def _counted(connection: Connection, scope: Scope) -> list[_Counted]:
    b = BOXES.c
    since = {
        (row.table_name, row.box, row.at): row.since
        for row in connection.execute(within(select(b.table_name, b.box, b.at, b.since), BOXES, scope))
    }
    found = []
    for line in boxes(connection, scope, Thresholds()):
        difference, place = line.difference, (line.table, line.box, line.at)
        if difference is not None and place in since:
            found.append(_Counted(line, since[place] or 0, -difference))
    return found


def _proved(row: Row[Any]) -> int:
    return int(row.missing) - int(row.over)


def _box_of(row: Row[Any], counted: list[_Counted]) -> _Counted | None:
    """The counted box that a round's fee was for."""
    for box in counted:
        if (box.line.table, box.line.box) == (row.table_name, row.box) and box.since <= row.at <= box.line.at:
            return box
    return None


def _shares(
    connection: Connection, scope: Scope, counted: list[_Counted], proved: Any
) -> dict[tuple[str, str, int], dict[str, int]]:
    """Of each counted box: who is charged with how much of what is missing."""
    f, b = FEE_LEDGER.c, BOXES.c
    query = (
        select(b.table_name, b.box, b.at, f.dealer, func.sum(f.cents).label("due"))
        .where(*conditions(FEE_LEDGER, scope))
        .where(b.journal == f.journal, b.site == f.site, b.box == f.box, f.at >= b.since, f.at <= b.at)
        .where(b.day.between(scope.first, scope.last))
        .group_by(b.table_name, b.box, b.at, f.dealer)
        .order_by(b.table_name, b.box, b.at, f.dealer)
    )
    owed: dict[tuple[str, str, int], dict[str, int]] = defaultdict(dict)
    for row in connection.execute(query):
        owed[row.table_name, row.box, row.at][row.dealer] = max(0, int(row.due))
    found: dict[tuple[str, str, int], dict[str, int]] = {}
    for box in counted:
        mine: dict[str, int] = defaultdict(int)
        for row in proved:
            if _box_of(row, [box]) is not None:
                mine[row.dealer] += _proved(row)
        rest = box.missing - sum(mine.values())
        for dealer, cents in divided(rest, owed[box.key]).items():
            mine[dealer] += cents
        found[box.key] = dict(mine)
    return found


def divided(cents: int, weights: Mapping[str, int]) -> dict[str, int]:
    """In proportion to the weights; the sum is the same to the cent.

    >>> divided(-500, {"ann": 100, "bob": 200})
    {'ann': -167, 'bob': -333}
    >>> divided(500, {})
    {}
    """
    left, found = sum(weights.values()), {}
    for name, weight in weights.items():
        part = round(cents * weight / left) if left else 0
        found[name] = part
        cents, left = cents - part, left - weight
    return found


def _present(scope: Scope, shift: Shift) -> Any:
    f = FEE_LEDGER.c
    query = select(f.table_name, f.box, f.dealer).where(*conditions(FEE_LEDGER, scope))
    return query.where(f.at >= shift.start, f.at < shift.end).distinct()


def _shifts(connection: Connection, scope: Scope, days: Calendar, shifts: Mapping[str, str]) -> Iterator[Shift]:
    """The shifts of the days on which there were fees, in order."""
    f = FEE_LEDGER.c
    query = select(f.day).where(*conditions(FEE_LEDGER, scope)).distinct().order_by(f.day)
    starts = shift_starts(shifts, days) or [(0, "")]
    for day in connection.scalars(query).all():
        for (minute, name), (until, _) in zip(starts, [*starts[1:], (1440, "")], strict=True):
            yield Shift(f"{day} {name}".strip(), moment(day, minute, days), moment(day, until, days))
