"""Boxes: what each was due, what was counted in it, and by how much that differs.

A box is counted at the table (`counts`), on a count sheet (`count_sheets`), or both. Where both are there they must
agree: nothing is chosen then, the difference is a problem, and the figure of the table is the one that is added up.
"""

from __future__ import annotations

from collections import defaultdict
from datetime import date, timedelta
from typing import Any

from sqlalchemy import Connection, Row, select

from controller.engine.amounts import money
from floor.books.lines import BoxLine, Difference, Level, SumLine
from floor.books.scope import Scope, conditions
from floor.config import Thresholds
from floor.store.schema import BOXES, COUNT_SHEETS, COUNTS

_LATER_DAYS = 3
_LATER_MS = _LATER_DAYS * 86_400_000
"""A box is counted within this time after it was taken out."""


def boxes(connection: Connection, scope: Scope, thresholds: Thresholds) -> list[BoxLine]:
    """The boxes that were taken out in this time, with their counts; then counts that belong to none."""
    if not scope.has_boxes:
        return []
    taken = connection.execute(
        select(BOXES).where(*conditions(BOXES, scope)).order_by(BOXES.c.site, BOXES.c.table_name, BOXES.c.at)
    ).all()
    at_table = _counts(connection, scope, taken)
    on_sheets = _sheets(connection, scope, taken)
    found = []
    for row in taken:
        count = at_table.pop((row.journal, row.seq), None)
        lines = on_sheets.pop((row.site, row.table_name, row.box_id, row.at), [])
        found.append(_line(row, count, lines, thresholds))
    found += [_without_box(count, thresholds) for count in at_table.values()]
    for rest in on_sheets.values():
        found += [_sheet_without_box(row) for row in rest]
    return sorted(found, key=lambda line: (line.site, line.table, line.at, line.box))


def _counts(connection: Connection, scope: Scope, taken: Any) -> dict[tuple[str, int], Row[Any]]:
    """The last count of each box that was taken out in this time, whenever it was counted."""
    c = COUNTS.c
    journals = sorted({row.journal for row in taken})
    query = select(COUNTS).where(c.site.in_(scope.sites), c.journal.in_(journals)).order_by(c.seq)
    ours = {(row.journal, row.seq) for row in taken}
    found = {}
    for row in connection.execute(query):
        if row.box_seq is not None and (row.journal, row.box_seq) in ours:
            found[row.journal, row.box_seq] = row
    lost = select(COUNTS).where(*conditions(COUNTS, scope), c.box_seq.is_(None)).order_by(c.seq)
    found.update({(row.journal, -row.seq): row for row in connection.execute(lost)})
    return found


def _sheets(connection: Connection, scope: Scope, taken: Any) -> dict[tuple[str, str, str, int], list[Row[Any]]]:
    """The lines of count sheets, each with the last box of its name that was taken out before it was counted; what
    fits no box under the time 0."""
    s = COUNT_SHEETS.c
    moments: dict[tuple[str, str, str], list[int]] = defaultdict(list)
    for row in taken:
        moments[row.site, row.table_name, row.box_id].append(row.at)
    until = (date.fromisoformat(scope.last) + timedelta(days=_LATER_DAYS)).isoformat()
    query = select(COUNT_SHEETS).where(s.site.in_(scope.sites), s.day.between(scope.first, until))
    if scope.tables:
        query = query.where(s.table_name.in_(scope.tables))
    found: dict[tuple[str, str, str, int], list[Row[Any]]] = defaultdict(list)
    for row in connection.execute(query.order_by(s.entered_at, s.sheet, s.line)):
        place = row.site, row.table_name, row.box_id
        before = [at for at in moments[place] if at <= row.counted_at <= at + _LATER_MS]
        if before:
            found[*place, max(before)].append(row)
        elif row.day <= scope.last and not scope.shift and not _is_of_another_time(connection, row):
            found[*place, 0].append(row)
    return found


def _is_of_another_time(connection: Connection, line: Row[Any]) -> bool:
    """Whether there is a box for this line outside of the time of these books."""
    b = BOXES.c
    query = select(b.seq).where(b.site == line.site, b.table_name == line.table_name, b.box_id == line.box_id)
    query = query.where(b.at <= line.counted_at, b.at >= line.counted_at - _LATER_MS).limit(1)
    return connection.execute(query).first() is not None


def level(difference: int | None, thresholds: Thresholds) -> Level:
    if difference is None or abs(difference) < thresholds.report_from_cents:
        return ""
    return "regulator" if abs(difference) >= thresholds.regulator_from_cents else "report"


def _line(row: Row[Any], count: Row[Any] | None, sheets: list[Row[Any]], thresholds: Thresholds) -> BoxLine:
    sheet = sheets[-1] if sheets else None
    due = row.due_cents if count is None else count.due_cents
    counted = count.cents if count is not None else None if sheet is None else sheet.cents
    problems = []
    if row.doubts:
        problems.append(f"the sensor lost count: {row.doubts}")
    figures = list(dict.fromkeys(each.cents for each in sheets))
    if len(figures) > 1:
        problems.append("the count sheets state " + " and ".join(money(cents) for cents in figures))
    if count is not None and sheet is not None and sheet.cents != count.cents:
        problems.append(f"{money(count.cents)} was keyed at the table, the count sheet states {money(sheet.cents)}")
    if sheet is not None and sheet.seal and row.seal and sheet.seal != row.seal:
        problems.append(f"the count sheet has seal {sheet.seal}, the box had {row.seal}")
    return BoxLine(
        site=row.site,
        table=row.table_name,
        day=row.day,
        at=row.at,
        box=row.box,
        box_id=row.box_id,
        seal=row.seal,
        due=due,
        pieces=row.pieces,
        low=row.low_cents,
        high=row.high_cents,
        counted=counted,
        counted_by=count.by if count is not None else "" if sheet is None else sheet.counted_by,
        source="table" if count is not None else "sheet" if sheet is not None else "",
        problems=tuple(problems),
        level=level(None if counted is None else counted - due, thresholds),
    )


def _without_box(row: Row[Any], thresholds: Thresholds) -> BoxLine:
    return BoxLine(
        site=row.site,
        table=row.table_name,
        day=row.day,
        at=row.at,
        box=row.box,
        box_id=row.box_id,
        seal=row.seal,
        due=row.due_cents,
        counted=row.cents,
        counted_by=row.by,
        source="table",
        problems=("nobody has taken this box out",),
        level=level(row.difference_cents, thresholds),
    )


def _sheet_without_box(row: Row[Any]) -> BoxLine:
    return BoxLine(
        site=row.site,
        table=row.table_name,
        day="",
        at=row.counted_at,
        box="",
        box_id=row.box_id,
        seal=row.seal,
        due=None,
        counted=row.cents,
        counted_by=row.counted_by,
        source="sheet",
        problems=("no such box was taken out at this table in the three days before",),
        level="report",
    )


def add_counts(lines: list[SumLine], found: list[BoxLine], *, by_day: bool = False) -> None:
    """What was counted, into the lines of tables or of days."""
    of = {(line.site, line.name): line for line in lines}
    for box in found:
        line = of.get((box.site, box.day if by_day else box.table))
        if line is not None and box.counted is not None and box.due is not None:
            line.counted = (line.counted or 0) + box.counted
            line.counted_due += box.due


def differences(found: list[BoxLine], tables: list[SumLine], thresholds: Thresholds) -> list[Difference]:
    """Boxes whose count differs, and tables at which more is proved missing or over, where it was not counted."""
    lines = []
    for box in found:
        if box.level:
            text = "; ".join(box.problems)
            what = f"{box.box or 'unknown'} box {box.box_id}"
            due, counted = box.due or 0, box.counted or 0
            lines.append(Difference(box.site, box.table, box.day, what, due, counted, counted - due, box.level, text))
    for table in tables:
        proved = table.over - table.missing
        if table.counted is None and (how := level(proved, thresholds)):
            text = f"{money(table.missing)} proved missing, {money(table.over)} proved over; not counted yet"
            what = "sensors, round by round"
            found_cents = table.due + proved
            lines.append(Difference(table.site, table.name, "", what, table.due, found_cents, proved, how, text))
    return lines
