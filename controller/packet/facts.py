"""Facts of the rule data: each key of a ruleset's file with its value, its line and what it means.

A ruleset that is a side bet on another game brings the facts of that game too. What a key means is the note of the
option, or the text below the field in the game's options.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

import msgspec
from msgspec import Struct

from controller.contract.schema import field_docs
from controller.engine.round.game import Game
from controller.packet.document import Block, Fact, Facts, Grid
from controller.packet.topics import section_of
from controller.packet.values import cents, said, words
from controller.rules import Ruleset, RulesetData, ruleset_files
from controller.rules.comments import remark_of, remarks

NO_LINE = "no line"
"""The file cites none."""
BONUSES, PAYS = "bonuses", "pays"
ELSEWHERE = frozenset({"rulings", "house_way"})
"""Keys of the sheet that have a table of their own."""


class Source(Struct, frozen=True):
    """A ruleset, what a table chose of it, and the remarks of its file."""

    ruleset: Ruleset
    chosen: Mapping[str, Any]
    remarks: Mapping[str, str]
    of: str = ""
    """The title, where it is the game that a side bet rides on."""

    def line(self, key: str) -> str:
        """Of a key of the file: the line that is data, else the remark beside it."""
        table, _, name = key.partition(".")
        if table == "sheet" and name in self.ruleset.data.lines:
            return self.ruleset.data.lines[name]
        return remark_of(key, self.remarks)


def sources_of(ruleset: Ruleset, chosen: Mapping[str, Any]) -> list[Source]:
    """The ruleset and the game it rides on."""
    found = [Source(ruleset, chosen, _remarks(ruleset.file))]
    base = ruleset.rides_on(chosen)
    if base is not None:
        below = {name: value for name, value in chosen.items() if name not in ruleset.data.options}
        found.append(Source(base, below, _remarks(base.file), base.data.title))
    return found


@cache
def _remarks(file: str) -> Mapping[str, str]:
    return remarks(dict(ruleset_files())[file].read_text("utf-8"))


def facts_of(sources: list[Source], section: str) -> list[Block]:
    """The keys of the data that belong in a section of the packet."""
    blocks: list[Block] = []
    for source in sources:
        rows = (*_points(source, section), *_options(source, section), *_sheet(source, section))
        if rows:
            blocks.append(Facts(rows, f"As printed and read for {source.of}" if source.of else "As printed and read"))
        done = [Fact(one.text, "", one.source) for one in source.ruleset.data.statements if one.topic == section]
        if done:
            blocks.append(Facts(tuple(done), f"Always done, for {source.of}" if source.of else "Always done"))
        if section == "decisions":
            blocks += _house_way(source)
    return blocks


def _points(source: Source, section: str) -> Iterator[Fact]:
    """A table of the file with the name of the section: what the approval prints of it, each point with its line."""
    data = source.ruleset.data
    points: Any = getattr(data, section) if section in data.__struct_fields__ else None
    for name, value in getattr(points, "printed", {}).items():
        yield Fact(f"{words(section)}: {words(name)}", said(value, name), points.source[name])


def _options(source: Source, section: str) -> Iterator[Fact]:
    docs = meanings(source.ruleset.game)
    for name, option in source.ruleset.data.options.items():
        if section_of(name) != section:
            continue
        value = option_value(source.chosen.get(name, option.default))
        here = f" (this table's choice; the default is {option_value(option.default)})" if name in source.chosen else ""
        reading = f"reading {option.reading}" if option.reading else ""
        line = ", ".join(filter(None, (option.source, reading)))
        yield Fact(name, value + here, line or "not printed", _one_line(option.note or docs.get(name, "")))


def option_value(value: Any) -> str:
    """As a configuration would write it, for it is chosen there."""
    return "none" if value is None else msgspec.json.encode(value).decode()


def _sheet(source: Source, section: str) -> Iterator[Fact]:
    docs = meanings(source.ruleset.game)
    for name, value in source.ruleset.data.sheet.items():
        if section_of(name) != section or name in ELSEWHERE:
            continue
        if isinstance(value, dict) and any(isinstance(item, dict) for item in value.values()):
            for key, item in value.items():
                rest = _without_pays(item) if name == BONUSES else item
                line = source.line(f"sheet.{name}.{key}") or NO_LINE
                yield Fact(f"{words(name)}: {words(key)}", said(rest, key), line, docs.get(name, ""))
        else:
            yield Fact(words(name), said(value, name), source.line(f"sheet.{name}") or NO_LINE, docs.get(name, ""))


def _without_pays(bonus: Mapping[str, Any]) -> dict[str, Any]:
    """What a bonus pays is among the pay tables."""
    return {name: value for name, value in bonus.items() if name != PAYS}


def _house_way(source: Source) -> Iterator[Block]:
    """The chart of the house, row by row."""
    chart = source.ruleset.data.sheet.get("house_way")
    if not isinstance(chart, dict) or not isinstance(chart.get("rows"), list):
        if chart:
            yield Facts(
                tuple(Fact(words(k), said(v, k), source.line(f"sheet.house_way.{k}")) for k, v in chart.items()),
                "House way",
            )
        return
    others = tuple(Fact(words(key), said(value, key)) for key, value in chart.items() if key != "rows")
    if others:
        yield Facts(others, "House way")
    rows = []
    for row in chart["rows"]:
        sets = row.get("set", [])
        ways = [str(way.get("say") or way.get("front", "")) for way in sets if isinstance(way, dict)]
        numbers = dict.fromkeys(str(way["id"]) for way in sets if isinstance(way, dict) and "id" in way)
        reading = f"reading {row['reading']}" if row.get("reading") else ""
        line = ", ".join(filter(None, (str(row.get("source", "")), reading)))
        rows.append((", ".join(numbers), str(row.get("hand", "")), "; else ".join(ways), line))
    yield Grid("House way: the first row that fits is played", ("row", "hand", "set", "line"), tuple(rows))


def pay_tables(source: Source) -> list[Block]:
    """What each wager pays, row by row."""
    pays = source.ruleset.data.pays
    of = f"{source.of}: " if source.of else ""
    single = tuple(
        Fact(words(name), cents(value), source.line(f"pays.{name}") or NO_LINE)
        for name, value in pays.items()
        if not isinstance(value, dict)
    )
    blocks: list[Block] = [Facts(single, f"{of}Wagers")] if single else []
    for name, table, key in _tables(source.ruleset.data):
        rows = tuple(
            Fact(words(row), cents(value), source.line(f"{key}.{row}") or NO_LINE) for row, value in table.items()
        )
        blocks.append(Facts(rows, f"{of}{words(name)}, best first"))
    return blocks


def _tables(data: RulesetData) -> Iterator[tuple[str, Mapping[str, Any], str]]:
    """Every table of payoffs, with the key that it has in the file: those of bonus bets are in the sheet."""
    for name, table in data.pays.items():
        if isinstance(table, dict):
            yield name, table, f"pays.{name}"
    for name, bonus in data.sheet.get(BONUSES, {}).items():
        if PAYS in bonus:
            yield name, bonus[PAYS], f"sheet.{BONUSES}.{name}.{PAYS}"


@cache
def meanings(game: Game[Any]) -> dict[str, str]:
    """What the fields of a game's options mean."""
    found: dict[str, str] = {}
    for base in reversed(game.options_type.__mro__):
        if base is not Struct and issubclass(base, Struct):
            found |= {name: _one_line(text) for name, text in field_docs(base).items()}
    return found


def _one_line(text: str) -> str:
    return " ".join(text.split())
