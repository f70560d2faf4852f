"""What a reader of types found wrong, in our own words: what was expected, what came, what to do.

Files, options and requests are read into types by a library. Its sentences are about Python's types and about places in
its own notation; a person reads ours.
"""

from __future__ import annotations

import json
import re
from typing import Any

import msgspec

AGAIN = "Correct it and try again."

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


def in_words(error: msgspec.MsgspecError, plain: Any = None, under: str = "") -> str:
    """What a reader of types found wrong, as a sentence. `plain` is what it read, to say what came; `under` is the name
    of the place that it was read from."""
    if not isinstance(error, msgspec.ValidationError):
        return f"expected JSON, something else came. {AGAIN}"
    text, _, place = str(error).partition(" - at ")
    where = re.sub(r"^`?(key` in `)?\$\.?|`$", "", place).replace("[...]", "")
    named = under + where if where.startswith("[") else ".".join(filter(None, (under, where)))
    at = f"{short(named)}: " if named else ""
    # A type of our own states what it expected (`__post_init__`); everything else is in the library's words.
    found = problem(text) if error.__cause__ is None else text
    is_known = "[...]" not in place and "key` in" not in place and not found.endswith(" came")
    came = _came(plain, where) if is_known else ""
    return f"{at}{found}" if found.endswith(".") else f"{at}{found}{came}. {AGAIN}"


def problem(text: str) -> str:
    """The words of a reader of types, without the place, in our own.

    >>> problem("Expected `int` <= 8"), problem("Object missing required field `title`")
    ('expected a whole number of at most 8', 'the field title is missing. Add it.')
    """
    if found := _FIELD.match(text):
        if found[1].startswith("contains"):
            return f"there is no field {short(found[2])}. Leave it out, or look for its right name."
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
        return f"expected one of the words that are known there, {short(value)} came"
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
    return f", {short(plain)} came" if isinstance(plain, str | int | float) else ""


def short(value: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value)
    text = "".join(letter if letter.isprintable() else "?" for letter in text)
    return text if len(text) <= 60 else f"{text[:57]}..."
