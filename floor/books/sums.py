"""Rounds, fees and drops, added up by the database.

What is proved missing is judged round by round, as in the shift report (docs/table/reconciliation.md): what a box is
owed for a round, with everything that was taken back later, beside the last judgement of what fell for it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from sqlalchemy import Connection, Row, Table, case, func, select

from floor.books.lines import SumLine
from floor.books.scope import Scope, conditions
from floor.store.schema import DROPS, FEE_LEDGER, PIECES, ROUNDS

By = Literal["", "table_name", "ruleset", "dealer", "day"]
"""What a line is of; empty: of each site."""

_PROVED = ("short", "over", "wrong_amount", "wrong_box")
_WAIVED = ("waived", "free_collection_button", "not_owed")


def sums(connection: Connection, scope: Scope, by: By) -> list[SumLine]:
    """One line for each site and table, game, dealer or day."""
    lines: dict[tuple[str, str], SumLine] = {}

    def line(row: Row[Any]) -> SumLine:
        name = row.name or ""
        return lines.setdefault((row.site, name), SumLine(site=row.site, name=name))

    for row in connection.execute(_rounds(scope, by)):
        one = line(row)
        one.rounds, one.void, one.corrected = row.rounds, int(row.void), int(row.corrected)
        one.wagered = int(row.wagered or 0)
    for row in connection.execute(_fees(scope, by)):
        one = line(row)
        one.due, one.waived = int(row.due), -int(row.waived)
    for row in connection.execute(_pieces(scope, by)):
        one = line(row)
        one.pieces, one.low = int(row.pieces), int(row.low)
        one.high = int(row.high or 0) if row.valued == row.times else None
    for row in connection.execute(_judged(scope, by)):
        one = line(row)
        one.missing, one.over = int(row.missing or 0), int(row.over or 0)
    return [lines[key] for key in sorted(lines)]


def added(lines: Sequence[SumLine], site: str, name: str) -> SumLine:
    """All of these in one line."""
    whole = SumLine(site=site, name=name)
    for line in lines:
        for field in ("rounds", "void", "corrected", "wagered", "due", "waived", "pieces", "low", "missing", "over"):
            setattr(whole, field, getattr(whole, field) + getattr(line, field))
        whole.high = None if whole.high is None or line.high is None else whole.high + line.high
        if line.counted is not None:
            whole.counted = (whole.counted or 0) + line.counted
            whole.counted_due += line.counted_due
    return whole


def by_section(tables: Sequence[SumLine], sections: Mapping[str, Sequence[str]]) -> list[SumLine]:
    """Tables of no section are a section without a name."""
    of = {table: name for name, members in sections.items() for table in members}
    groups: dict[tuple[str, str], list[SumLine]] = {}
    for line in tables:
        groups.setdefault((line.site, of.get(line.name, "")), []).append(line)
    return [added(lines, *key) for key, lines in sorted(groups.items())]


def _named(table: Table, by: By) -> list[Any]:
    """The columns that a line is of."""
    return [table.c.site, (table.c[by] if by else table.c.site).label("name")]


def _rounds(scope: Scope, by: By) -> Any:
    r = ROUNDS.c
    key = _named(ROUNDS, by)
    return (
        select(
            *key,
            func.count().label("rounds"),
            func.sum(case((r.void, 1), else_=0)).label("void"),
            func.sum(case((r.corrections > 0, 1), else_=0)).label("corrected"),
            func.sum(case((r.void, 0), else_=r.wagered_cents)).label("wagered"),
        )
        .where(*conditions(ROUNDS, scope))
        .group_by(*key)
    )


def _fees(scope: Scope, by: By) -> Any:
    f = FEE_LEDGER.c
    key = _named(FEE_LEDGER, by)
    waived = func.sum(case((f.cause.in_(_WAIVED), f.cents), else_=0)).label("waived")
    query = select(*key, func.sum(f.cents).label("due"), waived)
    return query.where(*conditions(FEE_LEDGER, scope)).group_by(*key)


def _pieces(scope: Scope, by: By) -> Any:
    p = PIECES.c
    key = _named(PIECES, by)
    return (
        select(
            *key,
            func.count().label("times"),
            func.count(p.high_cents).label("valued"),
            func.sum(p.pieces).label("pieces"),
            func.sum(p.low_cents).label("low"),
            func.sum(p.high_cents).label("high"),
        )
        .where(*conditions(PIECES, scope))
        .group_by(*key)
    )


def judged_rounds(scope: Scope) -> Any:
    """Rows: one fee of a round and box that something is proved about, with `missing` and `over`."""
    f, d = FEE_LEDGER.c, DROPS.c
    of_round = [f.journal, f.site, f.table_name, f.round, f.box, f.by_the_clock]
    owed = (
        select(
            *of_round,
            func.min(f.dealer).label("dealer"),
            func.min(f.ruleset).label("ruleset"),
            func.min(f.day).label("day"),
            func.min(f.at).label("at"),
            func.sum(f.cents).label("due"),
        )
        .where(*conditions(FEE_LEDGER, scope))
        .group_by(*of_round)
        .subquery()
    )
    newest = func.row_number().over(partition_by=(d.journal, d.round, d.box, d.by_the_clock), order_by=d.seq.desc())
    judged = (
        select(d.journal, d.round, d.box, d.by_the_clock, d.kind, d.low_cents, d.high_cents, newest.label("newest"))
        .where(d.site.in_(scope.sites), d.day >= scope.first, d.round.is_not(None), d.kind != "explained")
        .subquery()
    )
    o, g = owed.c, judged.c
    missing = case((o.due > g.high_cents, o.due - g.high_cents), else_=0)
    over = case((g.low_cents > o.due, g.low_cents - o.due), else_=0)
    return (
        select(o.site, o.table_name, o.day, o.at, o.box, o.round, o.dealer, o.ruleset)
        .add_columns(missing.label("missing"), over.label("over"))
        .where(g.journal == o.journal, g.round == o.round, g.box == o.box, g.by_the_clock == o.by_the_clock)
        .where(g.newest == 1, g.kind.in_(_PROVED))
        .subquery()
    )


def _judged(scope: Scope, by: By) -> Any:
    rounds = judged_rounds(scope)
    key = [rounds.c.site, (rounds.c[by] if by else rounds.c.site).label("name")]
    return select(*key, func.sum(rounds.c.missing).label("missing"), func.sum(rounds.c.over).label("over")).group_by(
        *key
    )
