"""Each value of a file held against its type: everything that is wrong, not only the first thing.

`sift` returns the problems and what is left of the file without them, so that the checks across keys can go on with the
rest. What types there are it learns from the structs in `fields`; how a value must look it describes in words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

import msgspec
from msgspec import Struct, inspect

from controller.config.positions import Place
from controller.config.problems import Problem, written
from controller.errors import nearest

SECRETS = re.compile(r"(^|_)(password|passwd|secret|token|pin|pins|private_key|credential|credentials)$")
"""Keys under which somebody might write a secret into the file."""


class Sifted(Struct, frozen=True):
    """A file's values that fit their types, and the problems with the others."""

    kept: dict[str, Any]
    problems: tuple[Problem, ...]


def sift(raw: Mapping[str, Any], kind: type[Struct], place: Place = ()) -> Sifted:
    """Every value of a table at this place, against its type: of the file, or of a part."""
    problems: list[Problem] = []
    kept = _Sieve(problems).table(raw, shape(kind), place)
    return Sifted(kept, tuple(problems))


@cache
def shape(kind: type[Struct]) -> inspect.StructType:
    """What msgspec knows of a struct."""
    info = inspect.type_info(kind)
    assert isinstance(info, inspect.StructType)
    return info


def bare(info: inspect.Type) -> inspect.Type:
    """A type without its metadata, and without "or nothing": TOML cannot write nothing."""
    while True:
        match info:
            case inspect.Metadata():
                info = info.type
            case inspect.UnionType(types=types):
                (info,) = (one for one in types if not isinstance(one, inspect.NoneType))
            case _:
                return info


def metadata(info: inspect.Type, name: str) -> str:
    """A key's metadata under this name, wherever in its type it is."""
    match info:
        case inspect.Metadata():
            found = (info.extra or {}).get(name) or metadata(info.type, name)
            return str(found)
        case inspect.UnionType(types=types):
            return next((found for one in types if (found := metadata(one, name))), "")
    return ""


def expected(info: inspect.Type) -> str:
    """The allowed values, in words.

    >>> expected(inspect.type_info(bool))
    'true or false'
    """
    looks = metadata(info, "looks")
    match bare(info):
        case inspect.BoolType():
            return "true or false"
        case inspect.IntType(ge=low, le=high):
            return f"a whole number{_range(low, high)}"
        case inspect.FloatType(ge=low, le=high):
            return f"a number{_range(low, high)}"
        case inspect.LiteralType(values=values):
            return " or ".join(quoted(value) for value in sorted(values, key=str))
        case inspect.VarTupleType(item_type=item):
            return f"a list of {_many(expected(item))}"
        case inspect.DictType(key_type=key, value_type=value):
            names = expected(key) if isinstance(bare(key), inspect.LiteralType) else "names"
            return "a table" if isinstance(bare(value), inspect.AnyType) else f"a table of {names} = {expected(value)}"
        case inspect.StructType():
            return "a table"
        case inspect.StrType():
            return looks or "a text"
    return "a value"


def found(value: object) -> str:
    """The present value, in words. Keys and certificates are not repeated."""
    match value:
        case bool():
            return "true" if value else "false"
        case int() | float():
            return f"the number {value!r}"
        case str() if "-----BEGIN" in value:
            return "a key or certificate itself"
        case str():
            return f"the text {quoted(value if len(value) <= 60 else value[:57] + '...')}"
        case list():
            return "a list"
        case dict():
            return "a table"
    return f"the date or time {value}"


def quoted(value: object) -> str:
    return msgspec.json.encode(value).decode()


class _Sieve:
    def __init__(self, problems: list[Problem]) -> None:
        self._problems = problems

    def table(self, raw: Mapping[str, Any], info: inspect.StructType, place: Place) -> dict[str, Any]:
        fields = {field.encode_name: field for field in info.fields}
        kept: dict[str, Any] = {}
        for name, value in raw.items():
            if name not in fields:
                self._problem((*place, name), _unknown(name, list(fields), place))
                continue
            for good in self._value(value, fields[name].type, (*place, name)):
                kept[name] = good
        for name, field in fields.items():
            if field.required and name not in raw:
                self._problem((*place, name), f"is missing; expected {expected(field.type)}. {_instead(place, name)}")
        return kept

    def _value(self, value: Any, info: inspect.Type, place: Place) -> Iterator[Any]:
        """The value, or what of it can be used; nothing where it cannot."""
        kind = bare(info)
        match kind, value:
            case inspect.StructType(), dict():
                yield self.table(value, kind, place)
            case inspect.DictType(), dict():
                yield self._named(value, kind, place)
            case inspect.VarTupleType(item_type=item), list():
                yield self._list(value, item, place)
            case _ if _fits(value, kind):
                yield value
            case _:
                self._problem(place, _mismatch(value, info, place))

    def _list(self, value: list[Any], item: inspect.Type, place: Place) -> list[Any]:
        kept = []
        for index, one in enumerate(value):
            good = list(self._value(one, item, (*place, index)))
            # A table that is none leaves an empty one behind, so that those after it keep their number.
            kept += good or ([{}] if isinstance(bare(item), inspect.StructType) else [])
        return kept

    def _named(self, value: dict[str, Any], kind: inspect.DictType, place: Place) -> dict[str, Any]:
        kept = {}
        for name, one in value.items():
            if not _fits(name, bare(kind.key_type)):
                self._problem((*place, name), f"expected {expected(kind.key_type)} for the name, found {quoted(name)}.")
                continue
            for good in self._value(one, kind.value_type, (*place, name)):
                kept[name] = good
        return kept

    def _problem(self, place: Place, text: str) -> None:
        self._problems.append(Problem(place, text))


def _fits(value: object, kind: inspect.Type) -> bool:
    match kind:
        case inspect.AnyType():
            return True
        case inspect.BoolType():
            return isinstance(value, bool)
        case inspect.IntType(ge=low, le=high):
            return isinstance(value, int) and not isinstance(value, bool) and _within(value, low, high)
        case inspect.FloatType(ge=low, le=high):
            # A number that is none (nan) is in no range.
            return isinstance(value, int | float) and not isinstance(value, bool) and _within(value, low, high)
        case inspect.StrType(pattern=pattern):
            return isinstance(value, str) and (pattern is None or re.search(pattern, value) is not None)
        case inspect.LiteralType(values=values):
            return isinstance(value, str) and value in values
    return False


def _within(value: float, low: float | None, high: float | None) -> bool:
    return (low is None or value >= low) and (high is None or value <= high)


def _range(low: float | None, high: float | None) -> str:
    if low is None and high is None:
        return ""
    return f" of at least {low}" if high is None else f" from {low} to {high}"


def _many(one: str) -> str:
    return f"{one.removeprefix('a ')}s" if one in ("a text", "a table") else f"values, each {one}"


def _mismatch(value: object, info: inspect.Type, place: Place) -> str:
    kind = bare(info)
    if place and isinstance(place[-1], str) and SECRETS.search(place[-1]):
        return f"expected {expected(info)}, found something else."
    return f"expected {expected(info)}, found {found(value)}.{_help(value, kind, place)}"


def _help(value: object, kind: inspect.Type, place: Place) -> str:
    """What to do, where that is known."""
    match kind, value:
        case ((inspect.IntType() | inspect.FloatType()), str()) if re.fullmatch(r"[+-]?\d+(\.\d+)?", value.strip()):
            return " Write it without quotes."
        case inspect.IntType(), float() if value.is_integer():
            return " Write it without a decimal point."
        case inspect.BoolType(), str() | int():
            return " Write true or false, in small letters and without quotes."
        case inspect.LiteralType(values=values), str():
            return nearest(value, map(str, values))
        case inspect.StrType(), int() | float():
            return f' Write it in quotes: "{value}".'
        case inspect.VarTupleType(), str() | int() | float():
            return f" Write it in brackets: [{quoted(value)}]."
        case inspect.VarTupleType(item_type=item), dict() if isinstance(bare(item), inspect.StructType):
            return f" Write its header in double brackets, as [[{written(place)}]]."
    return ""


def _unknown(name: str, known: list[str], place: Place) -> str:
    section = f"[{written(place)}]" if place else "the file's top"
    if SECRETS.search(name):
        return _secret(place)
    there = f"The keys there are {', '.join(sorted(known))}." if known else "Nothing can be set there."
    return f"there is no such key in {section}.{nearest(name, known)} {there}"


def _secret(place: Place) -> str:
    """Where a secret goes instead."""
    if place[:1] == ("mqtt",):
        return (
            "a secret must not be in this file. Write the password into a file of its own, `chmod 600` it, and name "
            'it with password_file; or give it to systemd and write password_file = "credential:NAME". Assume that the '
            "one written here is known, and change it."
        )
    return (
        "a secret must not be in this file. People and their PINs are kept by `cutcard staff`, the devices' keys by "
        "`cutcard firmware`, keys and certificates in files that [mqtt.broker.tls] names. Assume that the one written "
        "here is known, and change it."
    )


def _instead(place: Place, name: str) -> str:
    if place:
        return f"Write {name} = ... in [{written(place)}]."
    return f"Write a section [{name}]." if name == "rules" else f"Write {name} = ... at the top of the file."
