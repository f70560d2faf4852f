"""What a wall shows while no cards are out: the pay tables and the collection, from the ruleset's own data."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

import msgspec

from controller.outputs.view_types import PostedTable
from controller.packet.document import Facts
from controller.packet.facts import pay_tables, sources_of
from controller.rules import all_rulesets, load
from controller.rules.sign import sign


def posted(slug: str, chosen: Mapping[str, Any]) -> tuple[PostedTable, ...]:
    """`chosen`: the options that this table has set. Empty for rules that are no ruleset of a file."""
    return _posted(slug, msgspec.json.encode(dict(chosen), order="deterministic"))


@lru_cache(maxsize=4)
def _posted(slug: str, encoded: bytes) -> tuple[PostedTable, ...]:
    if slug not in all_rulesets():
        return ()
    chosen: dict[str, Any] = msgspec.json.decode(encoded)
    return (*_pays(slug, chosen), *_collection(slug, chosen))


def _pays(slug: str, chosen: dict[str, Any]) -> Iterator[PostedTable]:
    for source in sources_of(load(slug), chosen):
        for block in pay_tables(source):
            if isinstance(block, Facts):
                title = block.title.removesuffix(", best first")
                yield PostedTable(title[:1].upper() + title[1:], tuple((fact.name, fact.value) for fact in block.rows))


def _collection(slug: str, chosen: dict[str, Any]) -> Iterator[PostedTable]:
    schedule = chosen.get("schedule")
    if schedule and schedule != "none":
        made = sign(load(slug), schedule)
        rows = tuple((fee.who, "\n".join(fee.bands)) for fee in made.fees)
        yield PostedTable("Collection", rows)
