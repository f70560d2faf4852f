"""The readings that a table is dealt by: every place where the approval leaves a point open, or states no default.

`readings_of` is the one list of them, for `cutcard rules show`, the packet, `cutcard rules confirm` and the table's
opening: options with a letter, options whose default no line states, readings without a choice, readings of the posted
collection. The game under a side bet brings its own.

>>> from controller.rules import load
>>> found = {reading.name: reading for reading in readings_of(load("bankers-ez-baccarat-panda-8"), {"decks": 6})}
>>> found["banker_three_card_seven"].letter, found["banker_three_card_seven"].lines
('A1', '1171, 1206')
>>> found["decks"].value, found["decks"].default, found["decks"].is_stated
(6, 8, False)
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from typing import Any, get_args, get_type_hints

import msgspec
from msgspec import Struct

from controller.engine.bank.rotation import Rotation
from controller.engine.bets.back_line import BackLine
from controller.engine.fees.schedule import FeeRow, Schedule
from controller.engine.procedures.rules import Procedures
from controller.rules import OptionData, Ruleset
from controller.rules.check import BACK_LINE, PROCEDURE, ROTATION, allowed
from controller.rules.fee_words import band, words
from controller.rules.reading_data import ReadingData
from controller.rules.schedules import NO_COLLECTION, Posted, concerns

HOUSE_CHOOSES = frozenset({"schedule"})
"""Options that are the house's in every ruleset: which collection is posted."""
AS_READ = "as_read"
"""The value of a reading that leaves nothing to choose."""


class Choice(Struct, frozen=True):
    """One value that a house may choose."""

    value: Any
    meaning: str = ""
    """Empty where the reading's text says it."""


class Reading(Struct, frozen=True):
    """One place where our reading decides, at a table that chose `value`."""

    of: str
    """Where it is from: the ruleset, or the file or id of the schedule."""
    name: str
    """The option, or the name of the point."""
    letter: str
    """Empty where nothing is read: the house chooses, and no line states which."""
    text: str
    lines: str
    """Of the approval; empty: none."""
    default: Any
    choices: tuple[Choice, ...]
    """Empty: any value of the option's type."""
    value: Any
    """In force at the table."""
    is_stated: bool
    """False: no line states the default. It needs the house's word before a live table."""

    @property
    def key(self) -> str:
        return f"{self.of} {self.name}"

    @property
    def digest(self) -> str:
        """What a confirmation names: the same as long as the reading, its choices and the value chosen are."""
        parts = [self.of, self.name, self.letter, self.text, self.lines, self.choices, self.value]
        return hashlib.sha256(msgspec.json.encode(parts, order="deterministic")).hexdigest()


def readings_of(ruleset: Ruleset, chosen: Mapping[str, Any] | None = None) -> tuple[Reading, ...]:
    """Every reading that a table with these options is dealt by, those of its posted collection too."""
    picked = dict(chosen or {})
    found = [*_of_options(ruleset, picked), *_of_file(ruleset), *_of_sheet(ruleset)]
    base = ruleset.rides_on(picked)
    if base is not None:
        below = {name: value for name, value in picked.items() if name not in ruleset.data.options}
        shared = {name for name in ruleset.data.options if name in base.data.options}
        found += [reading for reading in readings_of(base, below) if reading.name not in shared]
    if "schedule" in ruleset.data.options:
        name = picked.get("schedule", ruleset.data.options["schedule"].default)
        if name and name != NO_COLLECTION:
            found += _of_posted(ruleset.posted(name), ruleset.fee_game)
    return tuple(found)


def _of_options(ruleset: Ruleset, chosen: Mapping[str, Any]) -> Iterator[Reading]:
    kinds = get_type_hints(ruleset.game.options_type, include_extras=True)
    for prefix, points in ((ROTATION, Rotation), (BACK_LINE, BackLine), (PROCEDURE, Procedures)):
        kinds |= {f"{prefix}{name}": kind for name, kind in get_type_hints(points, include_extras=True).items()}
    for name, option in ruleset.data.options.items():
        is_stated = option.is_stated and name not in HOUSE_CHOOSES
        if is_stated and not option.reading:
            continue
        yield Reading(
            of=ruleset.slug,
            name=name,
            letter=option.reading,
            text=_one_line(option.note),
            lines=option.source,
            default=option.default,
            choices=_choices(kinds[name], option),
            value=chosen.get(name, option.default),
            is_stated=is_stated,
        )


def _of_file(ruleset: Ruleset) -> Iterator[Reading]:
    for name, data in ruleset.data.readings.items():
        yield _without_choice(ruleset.slug, name, data)


def _of_sheet(ruleset: Ruleset) -> Iterator[Reading]:
    """Rows of the sheet's tables that carry a letter: those of a house way."""
    for path, row in _lettered(ruleset.data.sheet, ""):
        text = "; ".join(_said(value) for name, value in row.items() if name not in ("reading", "source"))
        data = ReadingData(row["reading"], _one_line(text), str(row.get("source", "")))
        name = f"{path.removesuffix('.rows')}: {row['hand']}" if "hand" in row else path
        yield _without_choice(ruleset.slug, name, data)


def _of_posted(posted: Posted, game: str) -> Iterator[Reading]:
    """Those of the file for all of its schedules, then what this schedule does not print as it is read."""
    schedule = posted.schedule
    kinds = get_type_hints(Schedule, include_extras=True)
    for name, data in posted.readings.items():
        if not concerns(name, data, posted.as_printed or schedule, game):
            continue
        if name not in kinds:
            yield _without_choice(posted.file, name, data)
            continue
        option = OptionData(
            getattr(posted.as_printed or schedule, name), data.source, data.letter, data.text, data.choices
        )
        yield Reading(
            of=posted.file,
            name=name,
            letter=data.letter,
            text=_one_line(data.text),
            lines=data.source,
            default=option.default,
            choices=_choices(kinds[name], option),
            value=getattr(schedule, name),
            is_stated=bool(data.source),
        )
    if schedule.reading:
        text = " ".join(filter(None, ("The schedule is not printed as it is read.", schedule.note, _slip(schedule))))
        yield _without_choice(schedule.id, "schedule", ReadingData("R", text, schedule.source))
    for number, row in enumerate(schedule.fee, start=1):
        if row.reading:
            text = f"{words(row.payer)}, {words(row.basis)}, {band(row)}, {_fee(row)}: not printed so.{_slip(row)}"
            yield _without_choice(schedule.id, f"row {number}", ReadingData("R", text, schedule.source))


def _without_choice(of: str, name: str, data: ReadingData) -> Reading:
    return Reading(
        of=of,
        name=name,
        letter=data.letter,
        text=_one_line(data.text),
        lines=data.source,
        default=AS_READ,
        choices=(Choice(AS_READ, "as the text says it"),),
        value=AS_READ,
        is_stated=bool(data.source),
    )


def _choices(kind: Any, option: OptionData) -> tuple[Choice, ...]:
    meanings = {name: _one_line(text) for name, text in option.choices.items()}
    values = [*allowed(kind), *_switches(kind)]
    written = [name for name in meanings if name not in map(_key, values)]
    values += [_value_of(name) for name in written]
    return tuple(Choice(value, meanings.get(_key(value), "")) for value in values)


def _switches(kind: Any) -> tuple[bool, ...]:
    """Both values of an option that is yes or no."""
    if kind is bool:
        return True, False
    return tuple(value for part in get_args(kind) if not isinstance(part, str) for value in _switches(part))


def _key(value: Any) -> str:
    """A value as the name of a choice: `none`, `true`, `8`, `suit`."""
    if value is None:
        return "none"
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()


def _value_of(name: str) -> Any:
    if name == "none":
        return None
    try:
        return msgspec.json.decode(name)
    except msgspec.DecodeError:
        return name


def _lettered(table: Mapping[str, Any], path: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for name, value in table.items():
        where = f"{path}.{name}" if path else name
        for item in value if isinstance(value, list) else [value]:
            if isinstance(item, dict):
                if item.get("reading"):
                    yield where, item
                yield from _lettered({n: v for n, v in item.items() if n != "reading"}, where)


def _said(value: Any) -> str:
    """A cell of a sheet's row, on one line: a row's text enters its digest."""
    return value if isinstance(value, str) else msgspec.json.encode(value, order="deterministic").decode()


def _slip(printed: Schedule | FeeRow) -> str:
    return f" Printed: {printed.printed}." if printed.printed else ""


def _fee(row: FeeRow) -> str:
    return "fee lost" if row.fee is None else f"{row.fee} cents"


def _one_line(text: str) -> str:
    return " ".join(text.split())
