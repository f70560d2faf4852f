"""The reference of all keys, made of the types: for docs/operations/configuration.md, the example and `cutcard config
show`."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec
from msgspec import NODEFAULT, Struct, inspect

from controller.config.fields import Config, When
from controller.config.judging import bare, expected, metadata, shape


class Key(Struct, frozen=True):
    """One key and its description."""

    name: str
    allowed: str
    default: str
    """As TOML writes it; empty where there is none."""
    required: bool
    unit: str
    when: When
    meaning: str

    @property
    def short(self) -> str:
        """Its meaning in a comment: the first sentence, and the unit."""
        first = re.split(r"(?<=[a-z)A-Z0-9])\. ", self.meaning)[0].rstrip(".")
        return f"{first}, {self.unit}" if self.unit and self.unit not in ("baud", "days") else first


class Section(Struct, frozen=True):
    """One table of the file."""

    name: str
    """As in its header; empty for the top of the file."""
    meaning: str
    keys: tuple[Key, ...]
    repeated: bool = False

    @property
    def header(self) -> str:
        return f"[[{self.name}]]" if self.repeated else f"[{self.name}]"


def is_value_of_key(section: str) -> bool:
    """Whether a section is written as the value of a key elsewhere: the chips of [drop].

    >>> is_value_of_key("drop.chips"), is_value_of_key("jackpots.prizes"), is_value_of_key("drop")
    (True, True, False)
    """
    return section in ("mqtt.broker.tls", "drop.chips") or section.startswith("jackpots")


def sections() -> tuple[Section, ...]:
    """All of them, in the order of the file."""
    return tuple(_sections(Config, "", repeated=False))


def reference() -> str:
    """The part of the page that lists every key."""
    parts = []
    for section in sections():
        title = f"`{section.header}`" if section.name else "The top of the file"
        meaning = "" if not section.name else f"{section.meaning}\n\n"
        rows = "\n".join(_row(key) for key in section.keys)
        parts.append(
            f"### {title}\n\n{meaning}| key | value | default | change | meaning |\n|---|---|---|---|---|\n{rows}\n"
        )
    return "\n".join([*parts, _device_reference()])


def toml(value: object) -> str:
    """One value as TOML writes it, on one line.

    >>> toml({"unit": 1, "boxes": ("main", "jackpot"), "2": True})
    '{ unit = 1, boxes = ["main", "jackpot"], "2" = true }'
    """
    match value:
        case bool():
            return "true" if value else "false"
        case int() | float():
            return str(value)
        case str():
            return json.dumps(value, ensure_ascii=False)
        case tuple() | list():
            return f"[{', '.join(map(toml, value))}]"
        case Mapping():
            pairs = [f"{_name(str(name))} = {toml(one)}" for name, one in value.items()]
            return f"{{ {', '.join(pairs)} }}" if pairs else "{}"
    raise TypeError(f"TOML cannot write {value!r}")


def _name(name: str) -> str:
    # A bare key may be a number, but nobody reads it as a name then.
    return name if re.fullmatch(r"[A-Za-z_][A-Za-z0-9_-]*", name) else json.dumps(name, ensure_ascii=False)


def _sections(kind: type[Struct], name: str, *, repeated: bool) -> Iterator[Section]:
    keys, below = [], []
    for field in shape(kind).fields:
        inner = bare(field.type)
        prefix = f"{name}." if name else ""
        if isinstance(inner, inspect.VarTupleType) and isinstance(item := bare(inner.item_type), inspect.StructType):
            below.append((item.cls, f"{prefix}{field.encode_name}", True))
        elif isinstance(inner, inspect.StructType):
            below.append((inner.cls, f"{prefix}{field.encode_name}", False))
        if metadata(field.type, "when"):
            keys.append(_key(field))
    yield Section(name, _doc(kind), tuple(keys), repeated)
    for other, called, is_list in below:
        yield from _sections(other, called, repeated=is_list)


def _doc(kind: type[Struct]) -> str:
    return " ".join((kind.__doc__ or "").split())


def _key(field: inspect.Field) -> Key:
    assert isinstance(field.type, inspect.Metadata)
    described = (field.type.extra_json_schema or {}).get("description", "")
    return Key(
        name=field.encode_name,
        allowed=expected(field.type),
        default=_default(field),
        required=field.required,
        unit=metadata(field.type, "unit"),
        when=msgspec.convert(metadata(field.type, "when"), When),
        meaning=str(described),
    )


def _default(field: inspect.Field) -> str:
    value: Any = field.default
    if value is NODEFAULT and field.default_factory is not NODEFAULT:
        value = field.default_factory()
    return "" if value is NODEFAULT or value is None else toml(msgspec.to_builtins(value))


def _row(key: Key) -> str:
    allowed = f"{key.allowed}, {key.unit}" if key.unit else key.allowed
    default = f"`{key.default}`" if key.default else "must be given" if key.required else "none"
    cells = (f"`{key.name}`", allowed, default, key.when, key.meaning)
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


def _device_reference() -> str:
    from devices.kinds import all_kinds

    rows = []
    for kind in all_kinds():
        page = f"[{kind.words}](protocols/{kind.name.replace('_', '-')}.md)"
        names = [
            f"`{field.encode_name}`{'' if field.required else _shown_default(field)}"
            for field in shape(kind.options).fields
        ]
        rows.append(f"| {page} | {', '.join(names) or 'none'} |")
    head = "### `[devices.options]`\n\nBy kind, with defaults; each kind's page explains them.\n\n"
    return head + "| kind | options |\n|---|---|\n" + "\n".join(rows) + "\n"


def _shown_default(field: inspect.Field) -> str:
    text = _default(field)
    return "" if not text or len(text) > 40 else f" = {text}"
