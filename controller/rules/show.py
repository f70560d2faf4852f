"""Rulesets for people: what there is, what one says, whether all of them can be dealt."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from typing import Any

from controller.rules import Ruleset, all_rulesets, load


def listed() -> str:
    """One line per ruleset."""
    rows = [(r.slug, r.data.title, r.data.approval or "no approval id printed") for r in all_rulesets().values()]
    width = max(len(slug) for slug, _, _ in rows)
    return "\n".join(f"{slug:<{width}}  {title} ({approval})" for slug, title, approval in rows)


def shown(slug: str) -> str:
    """A ruleset as its approval has it: options with default, source and reading, pay tables."""
    return "\n".join(_lines(load(slug)))


def check(slug: str | None = None) -> str:
    """Load one ruleset or all, with their defaults; `RulesError` names what cannot be dealt."""
    found = [load(slug)] if slug else list(all_rulesets().values())
    for ruleset in found:
        ruleset.options()
    return f"{len(found)} rulesets can be dealt"


def _lines(ruleset: Ruleset) -> Iterator[str]:
    data = ruleset.data
    yield f"{data.title} ({data.slug})"
    yield f"  cardroom {data.cardroom}, approval {data.approval or 'not printed'}, lines {data.source}"
    yield f"  script {data.game}, digest {ruleset.digest[:16]}"
    yield "  options"
    for name, option in data.options.items():
        source = f"line {option.source}" if option.source else "no line"
        reading = f", reading {option.reading}" if option.reading else ""
        yield f"    {name} = {option.default!r}  ({source}{reading})"
        yield from textwrap.wrap(option.note, 110, initial_indent=" " * 6, subsequent_indent=" " * 6)
    if data.pays:
        yield "  pays"
        yield from _pays(data.pays, "    ")


def _pays(table: dict[str, Any], indent: str) -> Iterator[str]:
    for name, value in table.items():
        if isinstance(value, dict):
            yield f"{indent}{name}"
            yield from _pays(value, indent + "  ")
        else:
            yield f"{indent}{name}: {value}"
