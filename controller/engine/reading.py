"""Data from outside, read into a type, or a sentence that says what is wrong with it.

Whatever arrives (bytes of a person's act or of a request, settings, options) is checked here once: its size, its
nesting, its numbers, its type. `Unreadable` has the sentence: what was expected, what came, what to do. It never has
the words of the library that read it (`protocols/type_errors.py`).
"""

from __future__ import annotations

import json
from typing import Any

import msgspec

from protocols.type_errors import AGAIN, in_words, short

MOST_BYTES = 16 * 1024
"""Of an act or a request; the longest lawful one, an amendment of a whole round, is a few kilobytes."""
DEEPEST = 8
"""Levels of lists and objects inside each other."""
MOST_VALUES = 2000
"""Values in lists and objects, all levels together."""
LONGEST_TEXT = 2000
LARGEST_NUMBER = 10**15


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
        raise Unreadable(f"expected JSON in UTF-8, other bytes came. {AGAIN}") from None
    except RecursionError:
        raise Unreadable(_too_deep()) from None
    except ValueError as error:
        at = getattr(error, "pos", None)
        where = "" if at is None else f" It stops being JSON at character {at + 1}."
        raise Unreadable(f"expected JSON, something else came.{where} {AGAIN}") from None
    check_plain(plain)
    try:
        return msgspec.json.decode(data, type=kind)
    except msgspec.ValidationError as error:
        raise Unreadable(in_words(error, plain)) from None
    except (msgspec.DecodeError, UnicodeDecodeError):
        # Half of a surrogate pair: no text in UTF-8 has it.
        raise Unreadable(f"expected JSON in UTF-8, a text came that is none. {AGAIN}") from None


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
            raise Unreadable(f"expected texts in UTF-8, half of a character came. {AGAIN}")
    elif isinstance(value, int | float) and not -LARGEST_NUMBER <= value <= LARGEST_NUMBER:
        raise Unreadable(f"expected numbers of at most {LARGEST_NUMBER}, a larger one came. {AGAIN}")


def _each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise Unreadable(f"{short(twice)} came twice in one object; expected it once. Leave one of them out.")
    return found


def _no_number(name: str) -> Any:
    raise Unreadable(f"expected a number, {name} came. {AGAIN}")


def _integer(digits: str) -> int:
    if len(digits) > 20:
        raise Unreadable(f"expected numbers of at most {LARGEST_NUMBER}, a larger one came. {AGAIN}")
    return int(digits)


def _too_deep() -> str:
    return f"expected at most {DEEPEST} levels of lists and objects inside each other, more came. Send it flatter."
