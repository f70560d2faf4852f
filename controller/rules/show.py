"""Rulesets for people: what there is, and what one says, for comparison with the approval it comes from."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from controller.engine.collections import FeeRow, Schedule, ladders
from controller.evidence.words import money
from controller.rules import Ruleset, all_rulesets, load
from controller.rules.returns import WagerReturn, returns
from controller.rules.schedules import Posted, all_schedules

WIDTH = 110


def listed() -> str:
    """One line per ruleset."""
    rows = [(r.slug, r.data.title, r.data.approval or "no approval id printed") for r in all_rulesets().values()]
    width = max(len(slug) for slug, _, _ in rows)
    return "\n".join(f"{slug:<{width}}  {title} ({approval})" for slug, title, approval in rows)


def shown(slug: str, chosen: Mapping[str, Any] | None = None) -> str:
    """A ruleset as its approval has it, with what one table chose: options, pay tables, returns, schedules."""
    return "\n".join(_lines(load(slug), chosen or {}))


def _lines(ruleset: Ruleset, chosen: Mapping[str, Any]) -> Iterator[str]:
    data = ruleset.data
    made = ruleset.options(chosen)
    yield f"{data.title} ({data.slug})"
    yield f"  cardroom {data.cardroom}, approval {data.approval or 'not printed'}, lines {data.source}"
    yield f"  script {data.game}, file {ruleset.file}, sha256 {ruleset.digest}"
    yield f"  in force as {ruleset.digest_with(chosen)}"
    yield from _wrapped(data.note, "  ")
    yield "  options"
    for name, option in data.options.items():
        source = f"line {option.source}" if option.source else "no line"
        reading = f", reading {option.reading}" if option.reading else ""
        value = chosen.get(name, option.default)
        here = f", this table's choice; the default is {_value(option.default)}" if name in chosen else ""
        yield f"    {name} = {_value(value)}  ({source}{reading}{here})"
        yield from _wrapped(option.note, " " * 6)
    if data.sheet:
        yield "  fixed by the sheet"
        yield from _table(data.sheet, "    ")
    if data.pays:
        yield "  pays"
        yield from _table(data.pays, "    ")
    found = returns(ruleset.game, made)
    if found is not None:
        yield f"  returns, exact over {found.over}"
        yield from (f"    {_return(wager)}" for wager in found.wagers)
    posted = [p for p in all_schedules().values() if p.cardroom == data.cardroom and data.game in p.schedule.games]
    if posted:
        default = data.options["schedule"].default if "schedule" in data.options else None
        in_force = chosen.get("schedule", default)
        yield f"  collection schedules; in force: {in_force or 'none'}"
        for item in posted:
            yield from _schedule(item)


def _return(wager: WagerReturn) -> str:
    percent = 100 * wager.edge
    whose = "the player-dealer's edge" if percent >= 0 else "THE PLAYERS' EDGE"
    often = f"wins {wager.wins:,} of {wager.ways:,}"
    return f"{wager.wager}: {whose} {float(abs(percent)):.4f} % ({often})"


def _schedule(posted: Posted) -> Iterator[str]:
    schedule = posted.schedule
    limits = f"{_money(schedule.table_min)} to {_money(schedule.table_max)}"
    collected = schedule.collect_at.replace("_", " ")
    yield f"    {schedule.id}: table {limits}, collected {collected} ({schedule.source or posted.file})"
    for ladder in ladders(schedule):
        bands = ", ".join(_band(row) for row in ladder.rows)
        per = f" per {ladder.per.replace('_', ' ')}" if ladder.per else ""
        yield from _wrapped(f"{_words(ladder.payer)} by {_words(ladder.basis)}{per}: {bands}", " " * 6)
    yield from _wrapped(_readings(schedule), " " * 6)


def _band(row: FeeRow) -> str:
    if row.lowest is None:
        return _money(row.fee)
    upper = f"-{_money(row.highest)}" if row.highest is not None else "+"
    return f"{_money(row.lowest)}{upper} {_money(row.fee)}"


def _readings(schedule: Schedule) -> str:
    read = [
        f"{_band(row)} (printed {row.printed!r})" if row.printed else _band(row) for row in schedule.fee if row.reading
    ]
    return f"by a reading: {', '.join(read)}" if read else ""


def _table(table: Mapping[str, Any], indent: str) -> Iterator[str]:
    for name, value in table.items():
        if isinstance(value, dict):
            yield f"{indent}{name}"
            yield from _table(value, indent + "  ")
        elif isinstance(value, list) and value and isinstance(value[0], dict):
            yield f"{indent}{name}"
            for row in value:
                yield from _wrapped(_plain(row), indent + "  ")
        else:
            yield f"{indent}{name}: {value}"


def _value(value: object) -> str:
    return "none" if value is None else msgspec.json.encode(value).decode()


def _plain(value: Any) -> str:
    """A row of a table in one line."""
    match value:
        case dict():
            return "; ".join(f"{name}: {_plain(item)}" for name, item in value.items())
        case list():
            return " | ".join(_plain(item) for item in value)
    return str(value)


def _wrapped(text: str, indent: str) -> Iterator[str]:
    yield from textwrap.wrap(
        text, WIDTH, initial_indent=indent, subsequent_indent=indent, break_on_hyphens=False, break_long_words=False
    )


def _words(name: str) -> str:
    return name.replace("player_dealer", "player-dealer").replace("_", " ")


def _money(cents: int | None) -> str:
    return "no limit" if cents is None else money(cents)
