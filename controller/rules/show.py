"""Rulesets as text: the list of them, and the content of one, to compare with its approval."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from controller.rules import Ruleset, all_rulesets, load
from controller.rules.check import BACK_LINE
from controller.rules.fee_words import fees_said, limits_said, readings_said
from controller.rules.returns import WagerReturn, returns
from controller.rules.schedules import Posted, available, find

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
    base = ruleset.rides_on(chosen)
    if base is not None:
        yield f"  rides on {base.slug}, file {base.file}, sha256 {base.digest}; its options apply besides"
    yield from _wrapped(data.note, "  ")
    yield "  options"
    for name, option in data.options.items():
        source = f"line {option.source}" if option.source else "no line"
        reading = f", reading {option.reading}" if option.reading else ""
        value = chosen.get(name, option.default)
        here = f", this table's choice; the default is {_value(option.default)}" if name in chosen else ""
        yield f"    {name} = {_value(value)}  ({source}{reading}{here})"
        yield from _wrapped(option.note, " " * 6)
    parts = (("the player-dealer's position", data.rotation, ""), ("the back line", data.back_line, BACK_LINE))
    for title, part, prefix in parts:
        if part.printed:
            yield f"  {title}, as printed"
            for name, value in part.printed.items():
                yield f"    {prefix}{name} = {_value(value)}  (line {part.source[name]})"
    if data.sheet:
        yield "  fixed by the sheet"
        yield from _table({_with_line(name, data.lines): value for name, value in data.sheet.items()}, "    ")
    if data.pays:
        yield "  pays"
        yield from _table(data.pays, "    ")
    found = returns(ruleset.game, made)
    if found is not None:
        yield f"  returns, exact over {found.over}"
        yield from (f"    {_return(wager)}" for wager in found.wagers)
    fees_of = ruleset if base is None or "schedule" in data.options else base
    names = available(data.cardroom, fees_of.fee_game)
    posted = [find(name, data.cardroom, fees_of.fee_game) for name in names]
    if posted:
        default = data.options["schedule"].default if "schedule" in data.options else None
        in_force = chosen.get("schedule", default)
        yield f"  collection schedules; in force: {in_force or 'none'}"
        for item in posted:
            yield from _schedule(item)


def _with_line(name: str, lines: Mapping[str, str]) -> str:
    return f"{name} (line {lines[name]})" if name in lines else name


def _return(wager: WagerReturn) -> str:
    percent = 100 * wager.edge
    whose = "the player-dealer's edge" if percent >= 0 else "THE PLAYERS' EDGE"
    often = f"wins {wager.wins:,} of {wager.ways:,}"
    return f"{wager.wager}: {whose} {float(abs(percent)):.4f} % ({often})"


def _schedule(posted: Posted) -> Iterator[str]:
    schedule = posted.schedule
    collected = f", collected {schedule.collect_at.replace('_', ' ')}" if schedule.collect_at is not None else ""
    yield f"    {schedule.id}: {limits_said(schedule)}{collected} ({schedule.source or posted.file})"
    for line in fees_said(schedule):
        yield from _wrapped(line, " " * 6)
    yield from _wrapped(schedule.note, " " * 6)
    yield from _wrapped(readings_said(schedule), " " * 6)


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
            yield from _wrapped(f"{name}: {_plain(value)}", indent)


def _value(value: object) -> str:
    return "none" if value is None else msgspec.json.encode(value).decode()


def _plain(value: Any) -> str:
    """A row of a table in one line, in words."""
    match value:
        case bool():
            return "yes" if value else "no"
        case "":
            return "no code"
        case dict():
            return "; ".join(f"{name}: {_plain(item)}" for name, item in value.items())
        case list():
            return " | ".join(_plain(item) for item in value)
    return str(value)


def _wrapped(text: str, indent: str) -> Iterator[str]:
    yield from textwrap.wrap(
        text, WIDTH, initial_indent=indent, subsequent_indent=indent, break_on_hyphens=False, break_long_words=False
    )
