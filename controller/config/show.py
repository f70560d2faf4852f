"""`cutcard config show`: every key with its value, where it comes from, when a change takes effect.

Nothing in a configuration is secret: secrets are in files that it names. If somebody has put one into the options
of a device, it is not shown.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import msgspec
from msgspec import Struct

from controller.config.describing import Section, is_value_of_key, sections, toml
from controller.config.fields import When
from controller.config.judging import SECRETS
from controller.config.positions import Place, positions
from controller.config.problems import written
from controller.config.reading import parse_config, read_text

COLUMN = 46


class Shown(Struct, frozen=True):
    """One key."""

    key: str
    value: object
    line: int | None
    """In the file; null: it is the default."""
    change: When
    unit: str = ""


def effective(path: Path) -> list[Shown]:
    """Every key of the configuration in this file; those that have neither value nor default are left out."""
    return [shown for _, shown in _effective(path)]


def as_text(path: Path) -> Iterator[str]:
    """As TOML, which could be used as a file."""
    yield f"# {path}: every value, where it comes from, and when a change of it takes effect"
    header = ""
    for section, shown in _effective(path):
        if section != header:
            header = section
            yield ""
            yield f"[[{section.partition('[')[0]}]]" if "[" in section else f"[{section}]"
        name = shown.key.rpartition(".")[2]
        origin = "default" if shown.line is None else f"line {shown.line}"
        yield f"{f'{name} = {toml(shown.value)}':<{COLUMN}} # {origin}, {_change(shown.change)}"


def as_json(path: Path) -> str:
    return msgspec.json.encode(effective(path)).decode()


def _effective(path: Path) -> Iterator[tuple[str, Shown]]:
    """With the section of each."""
    text = read_text(path)
    values = msgspec.to_builtins(parse_config(path, text))
    lines = positions(text)
    for section in sections():
        if section.name == "devices":
            for index, device in enumerate(values["devices"]):
                yield from _section(section, device, ("devices", index), lines)
        elif section.name == "mqtt.broker":
            for index, broker in enumerate(values["mqtt"]["broker"]):
                yield from _section(section, broker, ("mqtt", "broker", index), lines)
        elif not is_value_of_key(section.name):
            table = values[section.name] if section.name else values
            yield from _section(section, table, (section.name,) if section.name else (), lines)


def _section(
    section: Section, table: Mapping[str, object], place: Place, lines: Mapping[Place, int]
) -> Iterator[tuple[str, Shown]]:
    for key in section.keys:
        value = _plain(table.get(key.name))
        if value is not None:
            where = (*place, key.name)
            shown = Shown(written(where), value, lines.get(where), key.when, key.unit)
            yield written(place), shown


def _plain(value: object) -> object:
    """Without keys that are not set, and without what might be a secret."""
    if isinstance(value, Mapping):
        return {
            name: "..." if SECRETS.search(str(name)) else _plain(one) for name, one in value.items() if one is not None
        }
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]
    return value


def _change(when: When) -> str:
    return "at a restart" if when == "restart" else when
