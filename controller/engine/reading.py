"""Data from outside, read into a type, or a sentence that says what is wrong with it.

Whatever arrives (bytes of a person's act or of a request, settings, options) is checked here once: its size, its
nesting, its numbers, its type. `Unreadable` has the sentence: what was expected, what came, what to do. It never has
the words of the library that read it.
"""

from __future__ import annotations

import json
import re
from typing import Any

import msgspec

MOST_BYTES = 16 * 1024
"""Of an act or a request; the longest lawful one, an amendment of a whole round, is a few kilobytes."""
DEEPEST = 8
"""Levels of lists and objects inside each other."""
MOST_VALUES = 2000
"""Values in lists and objects, all levels together."""
LONGEST_TEXT = 2000
LARGEST_NUMBER = 10**15

_AGAIN = "Correct it and try again."


class Unreadable(ValueError):
    """Data from outside that is not what it should be. The text is for the person who sent it."""


def read_json(data: bytes, kind: Any) -> Any:
    """A value of this type from JSON that somebody sent; `Unreadable` where it is none."""
    if len(data) > MOST_BYTES:
        raise Unreadable(f"expected at most {MOST_BYTES} bytes, {len(data)} came. Send less at once.")
    try:
        plain = json.loads(data, object_pairs_hook=_each_once, parse_constant=_no_number, parse_int=_integer)
    except Unreadable:
        raise
    except UnicodeDecodeError:
        raise Unreadable(f"expected JSON in UTF-8, other bytes came. {_AGAIN}") from None
    except RecursionError:
        raise Unreadable(_too_deep()) from None
    except ValueError as error:
        at = getattr(error, "pos", None)
        where = "" if at is None else f" It stops being JSON at character {at + 1}."
        raise Unreadable(f"expected JSON, something else came.{where} {_AGAIN}") from None
    check_plain(plain)
    try:
        return msgspec.json.decode(data, type=kind)
    except msgspec.ValidationError as error:
        raise Unreadable(in_words(error, plain)) from None
    except (msgspec.DecodeError, UnicodeDecodeError):
        # Half of a surrogate pair: no text in UTF-8 has it.
        raise Unreadable(f"expected JSON in UTF-8, a text came that is none. {_AGAIN}") from None


def read_plain(value: Any, kind: Any, *, str_keys: bool = False) -> Any:
    """A value of this type from lists, objects, texts and numbers; `Unreadable` where it is none."""
    check_plain(value)
    try:
        return msgspec.convert(value, kind, str_keys=str_keys)
    except msgspec.ValidationError as error:
        raise Unreadable(in_words(error, value)) from None


def check_plain(value: Any) -> None:
    """`Unreadable` unless it is plain data of a size that a table can have."""
    left, level = [value], 0
    values = 0
    while left:
        level += 1
        inside: list[Any] = []
        for one in left:
            if isinstance(one, dict):
                inside += one.values()
                for name in one:
                    _check_one(name)
            elif isinstance(one, list | tuple):
                inside += one
            else:
                _check_one(one)
        values += len(inside)
        if values > MOST_VALUES:
            raise Unreadable(f"expected at most {MOST_VALUES} values, more came. Send less at once.")
        if inside and level > DEEPEST:
            raise Unreadable(_too_deep())
        left = inside


def _check_one(value: Any) -> None:
    if isinstance(value, str):
        if len(value) > LONGEST_TEXT:
            raise Unreadable(
                f"expected texts of at most {LONGEST_TEXT} characters, one of {len(value)} came. Shorten it."
            )
        if any("\ud800" <= letter <= "\udfff" for letter in value):
            raise Unreadable(f"expected texts in UTF-8, half of a character came. {_AGAIN}")
    elif isinstance(value, int | float) and not -LARGEST_NUMBER <= value <= LARGEST_NUMBER:
        raise Unreadable(f"expected numbers of at most {LARGEST_NUMBER}, a larger one came. {_AGAIN}")


def _each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise Unreadable(f"{_short(twice)} came twice in one object; expected it once. Leave one of them out.")
    return found


def _no_number(name: str) -> Any:
    raise Unreadable(f"expected a number, {name} came. {_AGAIN}")


def _integer(digits: str) -> int:
    if len(digits) > 20:
        raise Unreadable(f"expected numbers of at most {LARGEST_NUMBER}, a larger one came. {_AGAIN}")
    return int(digits)


def _too_deep() -> str:
    return f"expected at most {DEEPEST} levels of lists and objects inside each other, more came. Send it flatter."


# What a reader of types states, in words

_TYPES = {
    "int": "a whole number",
    "float": "a number",
    "str": "a text",
    "bool": "true or false",
    "null": "nothing (null)",
    "array": "a list",
    "object": "an object",
}
_SIZES = {"str": "characters", "array": "values", "object": "names"}
_GOT = re.compile(r"Expected `([^`]+)`, got `([^`]+)`")
_ONLY = re.compile(r"Expected `([^`]+)`$")
_SIZE = re.compile(r"Expected `(str|array|object)` of length (<=|>=|==) (\d+)")
_BOUND = re.compile(r"Expected `(int|float)` (<=|>=|<|>) (-?\d+)")
_FIELD = re.compile(r"Object (contains unknown|missing required) field `([^`]*)`")


def in_words(error: msgspec.ValidationError, plain: Any = None) -> str:
    """What a reader of types found wrong, as a sentence. `plain` is what it read, to say what came."""
    text, _, place = str(error).partition(" - at ")
    where = re.sub(r"^`?(key` in `)?\$\.?|`$", "", place).replace("[...]", "")
    at = f"{_short(where)}: " if where else ""
    # A type of our own states what it expected (`__post_init__`); everything else is in the library's words.
    found = problem(text) if error.__cause__ is None else text
    is_known = "[...]" not in place and "key` in" not in place and not found.endswith(" came")
    came = _came(plain, where) if is_known else ""
    return f"{at}{found}" if found.endswith(".") else f"{at}{found}{came}. {_AGAIN}"


def problem(text: str) -> str:
    """The words of a reader of types, without the place, in our own.

    >>> problem("Expected `int` <= 8"), problem("Object missing required field `title`")
    ('expected a whole number of at most 8', 'the field title is missing. Add it.')
    """
    if found := _FIELD.match(text):
        if found[1].startswith("contains"):
            return f"there is no field {_short(found[2])}. Leave it out, or look for its right name."
        return f"the field {found[2]} is missing. Add it."
    if found := _GOT.match(text):
        kinds = [_TYPES.get(kind.strip(), kind.strip()) for kind in found[1].split("|")]
        return f"expected {' or '.join(kinds)}, {_TYPES.get(found[2], found[2])} came"
    if found := _SIZE.match(text):
        how = {"<=": "at most", ">=": "at least", "==": "exactly"}[found[2]]
        return f"expected {how} {found[3]} {_SIZES[found[1]]}"
    if found := _BOUND.match(text):
        how = {"<=": "at most", ">=": "at least", "<": "less than", ">": "more than"}[found[2]]
        return f"expected {_TYPES[found[1]]} of {how} {found[3]}"
    if found := _ONLY.match(text):
        return f"expected {_TYPES.get(found[1], 'another value')}"
    if text.startswith("Invalid"):
        value = text.rpartition("value ")[2]
        return f"expected one of the words that are known there, {_short(value)} came"
    if "regex" in text:
        return "expected a text of another form"
    if "out of range" in text:
        return "expected a smaller number"
    # What a type of our own states has no type in backticks; what the library states has.
    return "expected another value" if "`" in text else text


def _came(plain: Any, where: str) -> str:
    """The value at this place, where it is short enough to repeat."""
    for name in re.findall(r"[^.\[\]]+", where):
        if isinstance(plain, dict) and name in plain:
            plain = plain[name]
        elif isinstance(plain, list | tuple) and name.isdigit() and int(name) < len(plain):
            plain = plain[int(name)]
        else:
            return ""
    if plain is None or isinstance(plain, dict | list):
        return ""
    return f", {_short(plain)} came" if isinstance(plain, str | int | float) else ""


def _short(value: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value)
    text = "".join(letter if letter.isprintable() else "?" for letter in text)
    return text if len(text) <= 60 else f"{text[:57]}..."
