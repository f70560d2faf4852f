"""Play: pace, the rounds that were void or corrected, who banked, jackpots."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, case, func, or_, select

from floor.books.lines import BankLine, JackpotLine, OddRound, Pace
from floor.books.scope import Scope, conditions
from floor.store.schema import JACKPOTS, POSITIONS, ROUNDS, STAFF_ACTS

_PAUSE_MS = 600_000
"""A longer time between two rounds is no part of the pace: the table stood still."""


def pace(connection: Connection, scope: Scope) -> list[Pace]:
    """By table and game; rounds that were void are none of it."""
    r = ROUNDS.c
    key = (r.site, r.table_name, r.ruleset)
    query = (
        select(
            *key,
            func.count().label("rounds"),
            func.avg(r.betting_ms).label("betting"),
            func.avg(r.dealing_ms).label("dealing"),
            func.avg(case((r.idle_ms <= _PAUSE_MS, r.idle_ms))).label("idle"),
        )
        .where(*conditions(ROUNDS, scope), ~r.void)
        .group_by(*key)
        .order_by(*key)
    )
    return [
        Pace(
            row.site,
            row.table_name,
            row.ruleset,
            row.rounds,
            _whole(row.betting),
            round(row.dealing),
            _whole(row.idle),
        )
        for row in connection.execute(query)
    ]


def _whole(value: Any) -> int | None:
    return None if value is None else round(value)


def odd_rounds(connection: Connection, scope: Scope) -> list[OddRound]:
    """Void or corrected, with who and why."""
    r, a = ROUNDS.c, STAFF_ACTS.c
    voided_by = (
        select(func.max(a.by))
        .where(a.journal == r.journal, a.round == r.round, a.act == "round_voided", a.by != "")
        .scalar_subquery()
    )
    query = (
        select(ROUNDS, voided_by.label("voided_by"))
        .where(*conditions(ROUNDS, scope), or_(r.void, r.corrections > 0))
        .order_by(r.site, r.table_name, r.at)
    )
    return [
        OddRound(
            row.site,
            row.table_name,
            row.round,
            row.at,
            row.ruleset,
            row.dealer,
            row.void,
            "; ".join(filter(None, [row.void_reason, row.corrected_reason])),
            ", ".join(dict.fromkeys(filter(None, [row.voided_by or "", row.corrected_by]))),
            row.corrections,
        )
        for row in connection.execute(query)
    ]


def banks(connection: Connection, scope: Scope) -> list[BankLine]:
    """Who had the player-dealer's position, in games in which it rotates. Somebody without a name is his seat at his
    table."""
    r = ROUNDS.c
    who = case((r.banker != "", r.banker), else_=r.table_name + " seat " + r.player_dealer)
    dealt = select(r.site, r.journal, r.table_name, r.round, r.firm, r.bank_net_cents, who.label("who")).where(
        *conditions(ROUNDS, scope), r.bank_hand > 0, ~r.void, r.player_dealer.is_not(None)
    )
    d = dealt.subquery().c
    # Rounds in a row have the same difference of both numbers.
    run = func.row_number().over(partition_by=d.journal, order_by=d.round) - func.row_number().over(
        partition_by=(d.journal, d.who, d.firm), order_by=d.round
    )
    numbered = select(d.site, d.journal, d.table_name, d.who, d.firm, d.bank_net_cents, run.label("run")).subquery().c
    runs = (
        select(
            numbered.site,
            numbered.journal,
            numbered.table_name,
            numbered.who,
            numbered.firm,
            func.count().label("hands"),
            func.sum(numbered.bank_net_cents).label("net"),
        )
        .group_by(*(getattr(numbered, name) for name in ("site", "journal", "table_name", "who", "firm", "run")))
        .subquery()
        .c
    )
    whole = (
        select(
            runs.site,
            runs.who,
            runs.firm,
            func.count(func.distinct(runs.table_name)).label("tables"),
            func.sum(runs.hands).label("hands"),
            func.max(runs.hands).label("longest"),
            func.sum(runs.net).label("net"),
        )
        .group_by(runs.site, runs.who, runs.firm)
        .order_by(runs.site, runs.firm, runs.who)
    )
    events = _positions(connection, scope)
    return [
        BankLine(
            row.site,
            row.who,
            row.firm,
            row.tables,
            int(row.hands),
            int(row.longest),
            events.get((row.site, row.who, row.firm, "kept"), 0),
            int(row.net),
            events.get((row.site, row.who, row.firm, "broken"), 0),
        )
        for row in connection.execute(whole)
    ]


def _positions(connection: Connection, scope: Scope) -> dict[tuple[str, str, str, str], int]:
    p = POSITIONS.c
    who = case((p.name != "", p.name), else_=p.table_name + " seat " + p.place)
    key = (p.site, who, p.firm, p.kind)
    query = select(*key, func.count()).where(*conditions(POSITIONS, scope)).group_by(*key)
    return {(site, name, firm, kind): times for site, name, firm, kind, times in connection.execute(query)}


def jackpots(connection: Connection, scope: Scope) -> list[JackpotLine]:
    """What changed each meter, and what was in it before and after."""
    j = JACKPOTS.c
    query = select(JACKPOTS).where(*conditions(JACKPOTS, scope), j.jackpot != "").order_by(j.journal, j.seq)
    lines: dict[tuple[str, str, str], JackpotLine] = {}
    for row in connection.execute(query):
        place = row.site, row.table_name, row.jackpot
        line = lines.setdefault(place, JackpotLine(*place))
        match row.kind:
            case "opened" | "reseeded":
                line.seeded += row.cents
            case "paid":
                line.paid -= row.cents
            case kind if kind.startswith("adjusted"):
                line.adjusted += row.cents
            case _:
                line.contributed += row.cents
        if row.after_cents is not None and row.kind != "adjusted_reserve":
            line.before = row.before_cents if line.before is None else line.before
            line.after = row.after_cents
    return [lines[key] for key in sorted(lines)]
