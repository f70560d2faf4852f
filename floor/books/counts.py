"""Count sheets: what the count room wrote down, keyed or read from a file. docs/floor/books.md has the form.

A file is taken as a whole or not at all: each line that cannot be taken is named with what is wrong with it. Nothing is
ever changed: a correction is another sheet, and both are shown. The same file a second time changes nothing.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from decimal import Decimal, InvalidOperation
from hashlib import sha256
from pathlib import Path
from zoneinfo import ZoneInfo

from msgspec import Struct
from sqlalchemy import Engine, select

from controller.errors import UserError
from floor.gaming_day import Calendar
from floor.store import bulk
from floor.store.database import reading
from floor.store.schema import COUNT_SHEETS, TABLES

COLUMNS = ("table", "box_id", "seal", "counted_at", "amount", "counted_by", "note")
_NEEDED = frozenset({"table", "box_id", "counted_at", "amount", "counted_by"})
_AMOUNT = re.compile(r"^\$?(\d{1,3}(,\d{3})+|\d+)(\.\d{2})?$")
_MOST_CENTS = 10**9
_LONGEST = 64


class SheetLine(Struct, frozen=True):
    """One box, as it was counted."""

    table: str
    box_id: str
    seal: str
    cents: int
    counted_at: int
    counted_by: str
    note: str = ""


class Refused(UserError):
    """A sheet that was not taken; one sentence for each line that is wrong."""


def read_file(path: Path, tables: Sequence[str], days: Calendar, now: int) -> list[SheetLine]:
    """The lines of a file; `Refused` names all that are wrong."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"The count sheet {path} cannot be read: {error}.") from None
    return read_sheet(text, str(path), tables, days, now)


def read_sheet(text: str, name: str, tables: Sequence[str], days: Calendar, now: int) -> list[SheetLine]:
    """The lines of a sheet; `Refused` names all that are wrong."""
    try:
        rows = list(csv.DictReader(io.StringIO(text.removeprefix("\ufeff"), newline=""), strict=True))
    except csv.Error as error:
        raise Refused(f"The count sheet {name} is no CSV: {error}.") from None
    names = set(rows[0]) if rows else set()
    if not rows or not names >= _NEEDED or not names <= set(COLUMNS):
        raise Refused(
            f"The count sheet {name} does not begin with the names of its columns, or has no line after them. "
            f"Expected: {', '.join(COLUMNS)}; seal and note may be left out."
        )
    lines, wrong = [], []
    seen: dict[tuple[str, str, int], int] = {}
    for number, row in enumerate(rows, 2):
        try:
            line = _line(row, tables, days, now)
            place = line.table, line.box_id, line.counted_at
            if place in seen:
                raise ValueError(f"the box {line.box_id} of {line.table} is in line {seen[place]} already")
            seen[place] = number
            lines.append(line)
        except ValueError as error:
            wrong.append(f"line {number}: {error}")
    if wrong:
        raise Refused(f"Nothing of {name} was taken.\n" + "\n".join(wrong))
    return lines


def keyed(cells: Mapping[str, str], tables: Sequence[str], days: Calendar, now: int) -> SheetLine:
    """One box that somebody keys; counted now where no time is named. `Refused` states what is wrong."""
    row: dict[str | None, str | None] = dict(cells.items())
    row["counted_at"] = cells.get("counted_at") or datetime.fromtimestamp(now / 1000, UTC).isoformat()
    try:
        return _line(row, tables, days, now)
    except ValueError as error:
        raise Refused(f"It was not taken: {error}.") from None


def _line(row: Mapping[str | None, str | None], tables: Sequence[str], days: Calendar, now: int) -> SheetLine:
    if None in row or None in row.values():
        raise ValueError("it has another number of columns than the first line")
    cells = {str(name): str(value).strip() for name, value in row.items()}
    for name, value in cells.items():
        if len(value) > _LONGEST and name != "note":
            raise ValueError(f"{name} is longer than {_LONGEST} characters")
    if not cells["box_id"]:
        raise ValueError("the box's id is missing")
    if not cells["counted_by"]:
        raise ValueError("nobody is named who counted")
    if cells["table"] not in tables:
        raise ValueError(f"there is no table {cells['table']!r} in the store")
    at = read_moment(cells["counted_at"], days)
    if at > now:
        raise ValueError(f"{cells['counted_at']} has not come yet")
    cents = read_amount(cells["amount"])
    note = cells.get("note", "")[:1000]
    return SheetLine(cells["table"], cells["box_id"], cells.get("seal", ""), cents, at, cells["counted_by"], note)


def read_amount(text: str) -> int:
    """
    >>> read_amount("$1,234.50"), read_amount("95")
    (123450, 9500)
    """
    try:
        if not _AMOUNT.match(text):
            raise InvalidOperation
        cents = int(Decimal(text.replace(",", "").removeprefix("$")) * 100)
    except InvalidOperation:
        raise ValueError(f"{text!r} is no amount; write it as 1234.50") from None
    if cents > _MOST_CENTS:
        raise ValueError(f"{text} is more than a box holds")
    return cents


def read_moment(text: str, days: Calendar) -> int:
    """By the clock of the house, where no other is named.

    >>> read_moment("2026-11-18 06:30", Calendar("UTC", "06:00"))
    1794983400000
    """
    try:
        given = datetime.fromisoformat(text)
    except ValueError:
        raise ValueError(f"{text!r} is no time; write it as 2026-11-18 06:30") from None
    if given.tzinfo is None:
        given = given.replace(tzinfo=ZoneInfo(days.timezone))
    return round(given.astimezone(UTC).timestamp() * 1000)


def known_tables(engine: Engine, site: str) -> list[str]:
    with reading(engine) as connection:
        return list(connection.scalars(select(TABLES.c.table_name).where(TABLES.c.site == site)))


class Entered(Struct, frozen=True):
    """Who enters lines, for which site, and when."""

    site: str
    days: Calendar
    by: str
    at: int


def enter(engine: Engine, lines: Sequence[SheetLine], entered: Entered) -> int:
    """Writes them down; returns how many are new. The same lines a second time are not."""
    site, days = entered.site, entered.days
    digest = sha256(repr([site, *lines]).encode()).hexdigest()
    with engine.begin() as connection:
        if connection.execute(select(COUNT_SHEETS.c.line).where(COUNT_SHEETS.c.sheet == digest).limit(1)).first():
            return 0
        rows: list[bulk.Row] = [
            (
                digest,
                number,
                site,
                line.table,
                days.day(line.counted_at),
                line.box_id,
                line.seal,
                line.cents,
                line.counted_at,
                line.counted_by,
                line.note,
                entered.at,
                entered.by,
            )
            for number, line in enumerate(lines, 1)
        ]
        bulk.insert(connection, COUNT_SHEETS, rows)
    return len(lines)
