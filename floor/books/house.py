"""The house: alarms, what people did, who has access, devices and their meters."""

from __future__ import annotations

import csv
from collections import defaultdict
from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct
from sqlalchemy import Connection, case, func, inspect, select

from controller.errors import UserError
from controller.operator.staff import read_staff as read_page_staff
from floor.books.lines import AccessLine, ActLine, AlarmLine, Decision, DeviceLine, Whole
from floor.books.scope import Scope, conditions, moment
from floor.gaming_day import Calendar
from floor.store.room_schema import PAGE_ACTS
from floor.store.schema import ALARMS, DEVICES, GAPS, JOURNALS, PACKS, ROUNDS, STAFF_ACTS

_DECISIONS = (
    "fees_waived",
    "drop_explained",
    "alarm_settled",
    "difference_accepted",
    "jackpot_adjusted",
    "jackpot_hit",
    "jackpot_no_hit",
    "jackpot_fee_decided",
)
"""Acts about money or evidence, each with its reason."""
_READERS = frozenset({"shoe", "card_reader"})
_A_YEAR_DAYS = 365


class Staff(Struct, frozen=True):
    """Somebody on the staff list."""

    name: str
    role: str
    left: str = ""
    """The day from which he may do nothing; empty: he is there."""


def read_staff(path: Path) -> list[Staff]:
    """A CSV with the columns name, role and left."""
    try:
        with path.open(newline="", encoding="utf-8-sig") as file:
            rows = list(csv.DictReader(file))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise UserError(f"The staff list {path} cannot be read: {error}.") from None
    staff = []
    for number, row in enumerate(rows, 2):
        name, role, left = ((row.get(column) or "").strip() for column in ("name", "role", "left"))
        if not name:
            raise UserError(f"{path}, line {number}: a name is expected; the columns are name, role, left.")
        try:
            if left:
                date.fromisoformat(left)
        except ValueError:
            raise UserError(f"{path}, line {number}: {left!r} is no day; write it as 2026-11-18.") from None
        staff.append(Staff(name, role, left))
    return staff


def staff_of_page(path: Path) -> list[Staff] | None:
    """Those who may sign in at the page; None where nobody has been added."""
    if not path.exists():
        return None
    return [Staff(member.name, member.role.value) for member in read_page_staff(path).people]


def not_whole(connection: Connection, scope: Scope) -> list[Whole]:
    """Tables of which events are missing, or are in dispute."""
    j, g = JOURNALS.c, GAPS.c
    lost = func.coalesce(
        select(func.sum(g.last_seq - g.first_seq + 1)).where(g.journal == j.journal).scalar_subquery(), 0
    )
    query = select(JOURNALS, lost.label("lost")).where(j.site.in_(scope.sites)).order_by(j.site, j.table_name)
    if scope.tables:
        query = query.where(j.table_name.in_(scope.tables))
    found = []
    for row in connection.execute(query):
        texts = []
        if row.known_seq > row.seq:
            texts.append(f"{row.known_seq - row.seq} events have not come yet")
        if row.lost:
            texts.append(f"{row.lost} events were no longer on the board when they were requested")
        if row.state != "whole":
            texts.append(f"the journal is {row.state.replace('_', ' ')}{': ' + row.reason if row.reason else ''}")
        if texts:
            found.append(Whole(row.site, row.table_name, "; ".join(texts)))
    return found


def alarms(connection: Connection, scope: Scope) -> list[AlarmLine]:
    """By table and alarm; those that need somebody most come first."""
    query = select(ALARMS).where(*conditions(ALARMS, scope)).order_by(ALARMS.c.at)
    groups: dict[tuple[str, str, str], list[Any]] = defaultdict(list)
    for row in connection.execute(query):
        groups[row.site, row.table_name, row.alarm].append(row)
    lines = []
    for (site, table, alarm), rows in groups.items():
        waits = [row.acknowledged_at - row.at for row in rows if row.acknowledged_at is not None]
        still = sum(row.cleared_at is None for row in rows)
        unseen = sum(row.acknowledged_at is None for row in rows)
        slowest = max(waits, default=None)
        lines.append(AlarmLine(site, table, alarm, len(rows), still, unseen, slowest, rows[-1].text))
    return sorted(lines, key=lambda line: (-line.open, -line.times, line.site, line.table, line.alarm))


def acts(connection: Connection, scope: Scope) -> list[ActLine]:
    """By person and act."""
    a = STAFF_ACTS.c
    key = (a.site, a.by, a.act)
    refused = func.sum(case((a.ok, 0), else_=1))
    query = select(*key, func.count(), refused).where(*conditions(STAFF_ACTS, scope)).group_by(*key).order_by(*key)
    return [ActLine(site, by, act, times, int(no)) for site, by, act, times, no in connection.execute(query)]


def decisions(connection: Connection, scope: Scope) -> list[Decision]:
    a = STAFF_ACTS.c
    query = select(STAFF_ACTS).where(*conditions(STAFF_ACTS, scope), a.act.in_(_DECISIONS))
    return [
        Decision(row.site, row.table_name, row.at, row.by, row.act, row.subject, row.reason, row.round)
        for row in connection.execute(query.order_by(a.site, a.at))
    ]


class _Seen(Struct, frozen=True):
    """Somebody in one role, at the tables or at the page, in the year before."""

    role: str
    first: int
    last: int
    day: str
    acts: int


def access(
    connection: Connection, scope: Scope, staff: list[Staff] | None, dormant_days: int, days: Calendar
) -> list[AccessLine]:
    """Everybody who was at a table or at the page in the year before, and everybody on the list, with what is to be
    looked at."""
    last_day = date.fromisoformat(scope.last)
    since = (last_day - timedelta(days=_A_YEAR_DAYS)).isoformat()
    seen: dict[tuple[str, str], list[_Seen]] = defaultdict(list)
    for site, by, found in (*_at_tables(connection, scope, since), *_at_the_page(connection, scope, since, days)):
        seen[site, by.partition(":")[2]].append(found)
    listed = {one.name: one for one in staff or []}
    for site in scope.sites:
        for name in listed:
            seen.setdefault((site, name), [])
    dormant = (last_day - timedelta(days=dormant_days)).isoformat()
    lines = []
    for (site, name), rows in sorted(seen.items()):
        findings = []
        last = max((row.day for row in rows), default="")
        one = listed.get(name)
        if staff is not None and one is None:
            findings.append("is not on the staff list")
        if one is not None and one.left and last >= one.left:
            findings.append(f"left on {one.left}, and was seen on {last}")
        if one is not None and not one.left and not rows:
            findings.append("was not seen for a year")
        if rows and last < dormant and not (one is not None and one.left):
            findings.append(f"dormant: was last seen on {last}")
        roles = {row.role for row in rows} | ({one.role} if one is not None and one.role else set())
        moments = [row.first for row in rows], [row.last for row in rows]
        lines.append(
            AccessLine(
                site,
                name,
                tuple(sorted(roles)),
                min(moments[0], default=None),
                max(moments[1], default=None),
                sum(row.acts for row in rows),
                tuple(findings),
            )
        )
    return sorted(lines, key=lambda line: (not line.findings, line.site, line.name))


def _at_tables(connection: Connection, scope: Scope, since: str) -> Iterator[tuple[str, str, _Seen]]:
    a = STAFF_ACTS.c
    query = (
        select(a.site, a.by, func.min(a.at).label("first"), func.max(a.at).label("last"), func.max(a.day).label("day"))
        .add_columns(func.sum(case((a.day >= scope.first, 1), else_=0)).label("acts"))
        .where(a.site.in_(scope.sites), a.day.between(since, scope.last), a.by.like("%:%"), a.ok)
        .group_by(a.site, a.by)
    )
    for row in connection.execute(query):
        yield row.site, row.by, _Seen(row.by.partition(":")[0], row.first, row.last, row.day, int(row.acts))


def _at_the_page(connection: Connection, scope: Scope, since: str, days: Calendar) -> Iterator[tuple[str, str, _Seen]]:
    """The page's own acts: a company's database has none, its rooms do."""
    if not inspect(connection).has_table(PAGE_ACTS.name):
        return
    p = PAGE_ACTS.c
    first, last = moment(scope.first, 0, days), moment(scope.last, 1440, days)
    query = (
        select(p.site, p.by, func.min(p.at).label("first"), func.max(p.at).label("last"))
        .add_columns(func.sum(case((p.at >= first, 1), else_=0)).label("acts"))
        .where(p.site.in_(scope.sites), p.at >= moment(since, 0, days), p.at < last, p.by.like("%:%"), p.ok)
        .group_by(p.site, p.by)
    )
    for row in connection.execute(query):
        role = row.by.partition(":")[0]
        yield row.site, row.by, _Seen(role, row.first, row.last, days.day(row.last), int(row.acts))


def devices(connection: Connection, scope: Scope) -> list[DeviceLine]:
    """Each device as it was at the end of the time, with what it did in it."""
    d = DEVICES.c
    newest = func.row_number().over(partition_by=(d.site, d.table_name, d.device), order_by=(d.at.desc(), d.seq.desc()))
    known = select(DEVICES, newest.label("newest")).where(d.site.in_(scope.sites), d.day <= scope.last)
    if scope.tables:
        known = known.where(d.table_name.in_(scope.tables))
    if scope.end is not None:
        known = known.where(d.at < scope.end)
    ordered = known.subquery()
    rows = connection.execute(
        select(ordered).where(ordered.c.newest == 1).order_by(ordered.c.site, ordered.c.table_name, ordered.c.device)
    )
    packs, cards = _packs(connection, scope), _cards(connection, scope)
    found = []
    for row in rows:
        facts = msgspec.json.decode(row.facts, type=dict[str, str])
        kind, place = facts.get("kind", ""), (row.site, row.table_name)
        meter = facts.get("shuffles", "")
        found.append(
            DeviceLine(
                *place,
                row.device,
                kind,
                row.model,
                row.serial,
                row.firmware,
                row.state,
                row.at,
                packs.get((*place, row.device), 0) if kind == "shuffler" else None,
                int(meter) if meter.isdigit() else None,
                cards.get(place, 0) if kind in _READERS else None,
            )
        )
    return found


def _packs(connection: Connection, scope: Scope) -> dict[tuple[str, str, str], int]:
    p = PACKS.c
    key = (p.site, p.table_name, p.device)
    query = select(*key, func.count()).where(*conditions(PACKS, scope), p.device != "").group_by(*key)
    return {(site, table, device): times for site, table, device, times in connection.execute(query)}


def _cards(connection: Connection, scope: Scope) -> dict[tuple[str, str], int]:
    r = ROUNDS.c
    query = select(r.site, r.table_name, func.sum(r.cards)).where(*conditions(ROUNDS, scope))
    found = connection.execute(query.group_by(r.site, r.table_name))
    return {(site, table): int(cards) for site, table, cards in found}
