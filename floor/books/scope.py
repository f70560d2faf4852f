"""What books are of: which sites, which gaming days or shift, and which table, section, game or dealer."""

from __future__ import annotations

import calendar
from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from msgspec import Struct
from msgspec.structs import replace
from sqlalchemy import ColumnElement, Select, Table

from controller.errors import UserError
from floor.gaming_day import Calendar
from floor.store.schema import JOURNALS


class Scope(Struct, frozen=True):
    """Gaming days `first` to `last`, both included. Empty or None: not narrowed."""

    sites: tuple[str, ...]
    first: str
    last: str
    shift: str = ""
    start: int | None = None
    """Of a shift: its first moment, and the first one after it."""
    end: int | None = None
    tables: tuple[str, ...] = ()
    section: str = ""
    """The name of these tables; for the heading."""
    game: str = ""
    """A ruleset."""
    dealer: str | None = None
    test: bool = False
    """Tables in test mode, which involve no money, and no others."""

    @property
    def has_boxes(self) -> bool:
        """A box is of a table; it is neither of a game nor of a dealer."""
        return not self.game and self.dealer is None


def of_day(sites: tuple[str, ...], day: str) -> Scope:
    return Scope(sites, _day(day).isoformat(), _day(day).isoformat())


def of_month(sites: tuple[str, ...], month: str) -> Scope:
    """
    >>> of_month(("a",), "2026-02").last
    '2026-02-28'
    """
    first = _day(f"{month}-01", month, "a month; write it as 2026-11")
    last = first.replace(day=calendar.monthrange(first.year, first.month)[1])
    return Scope(sites, first.isoformat(), last.isoformat())


def of_shift(sites: tuple[str, ...], day: str, shift: str, shifts: Mapping[str, str], days: Calendar) -> Scope:
    """The shift that begins in that gaming day; it lasts until the next one begins. `shifts`: when each begins, by the
    clock on the wall.

    >>> one = of_shift(("a",), "2026-11-18", "night", {"day": "06:00", "night": "22:00"}, Calendar())
    >>> (one.end - one.start) // 3_600_000
    8
    """
    if shift not in shifts:
        named = ", ".join(shifts) if shifts else "none is configured: see [shifts] in docs/floor/books.md"
        raise UserError(f"There is no shift {shift!r}; there is {named}.")
    begins = shift_starts(shifts, days)
    place = next(index for index, (_, name) in enumerate(begins) if name == shift)
    start = moment(day, begins[place][0], days)
    end = moment(day, begins[place + 1][0] if place + 1 < len(begins) else begins[0][0] + 1440, days)
    return Scope(sites, _day(day).isoformat(), _day(day).isoformat(), shift, start, end)


def shift_starts(shifts: Mapping[str, str], days: Calendar) -> list[tuple[int, str]]:
    """Minutes after the gaming day began, by the clock on the wall, and the name of the shift, in order."""

    def minutes(clock: str) -> int:
        return int(clock[:2]) * 60 + int(clock[3:])

    return sorted(((minutes(clock) - minutes(days.begins)) % 1440, name) for name, clock in shifts.items())


def narrowed(
    scope: Scope,
    sections: Mapping[str, Sequence[str]],
    *,
    tables: Sequence[str] = (),
    section: str = "",
    game: str = "",
    dealer: str | None = None,
    test: bool = False,
) -> Scope:
    """Of these tables, those of a section, of one game or one dealer; `test`: in test mode."""
    if section and section not in sections:
        named = ", ".join(sections) or "none is configured"
        raise UserError(f"There is no section {section!r}; there is {named}.")
    chosen = (*tables, *sections.get(section, ()))
    return replace(scope, tables=chosen, section=section, game=game, dealer=dealer, test=test)


def moment(day: str, minutes: int, days: Calendar) -> int:
    """This many minutes by the clock on the wall after the gaming day began, in milliseconds.

    >>> moment("2026-11-18", 0, Calendar("UTC", "06:00"))
    1794981600000
    """
    hours, quarter = map(int, days.begins.split(":"))
    local = datetime.combine(_day(day), datetime.min.time()) + timedelta(hours=hours, minutes=quarter + minutes)
    return round(local.replace(tzinfo=ZoneInfo(days.timezone)).astimezone(UTC).timestamp() * 1000)


def conditions(table: Table, scope: Scope) -> list[ColumnElement[bool]]:
    """Which rows of a table of the store are in the books: of these sites, of these days, of journals that a board has
    signed, and so on as far as the table knows."""
    c, j = table.c, JOURNALS.c
    found: list[ColumnElement[bool]] = [
        c.site.in_(scope.sites),
        c.day.between(scope.first, scope.last),
        c.journal == j.journal,
        j.state != "unattested",
    ]
    if "test" in c:
        found.append(c.test == scope.test)
    if scope.start is not None and scope.end is not None:
        found += [c.at >= scope.start, c.at < scope.end]
    if scope.tables:
        found.append(c.table_name.in_(scope.tables))
    if scope.game and "ruleset" in c:
        found.append(c.ruleset == scope.game)
    if scope.dealer is not None and "dealer" in c:
        found.append(c.dealer == scope.dealer)
    return found


def within(query: Select[Any], table: Table, scope: Scope) -> Select[Any]:
    return query.where(*conditions(table, scope))


def _day(text: str, shown: str | None = None, expected: str = "a day; write it as 2026-11-18") -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise UserError(f"{shown or text!r} is not {expected}.") from None
