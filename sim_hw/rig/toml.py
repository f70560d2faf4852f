"""Writes TOML: the daemon's config, and scenarios as a person would write them, one step a line."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping

_BARE = re.compile(r"^[A-Za-z0-9_-]+$")


def as_toml(document: Mapping[str, object]) -> str:
    """A document with each value on one line; a list of tables has one line for each."""
    lines = []
    for key, value in document.items():
        if isinstance(value, list) and value and all(isinstance(item, Mapping) for item in value):
            rows = "".join(f"  {inline(item)},\n" for item in value)
            lines.append(f"{_key(key)} = [\n{rows}]\n")
        else:
            lines.append(f"{_key(key)} = {inline(value)}\n")
    return "".join(lines)


def inline(value: object) -> str:
    """One value.

    >>> inline({"do": "shoe draw", "times": 2, "cards": ["9h", "2c"]})
    '{ do = "shoe draw", times = 2, cards = ["9h", "2c"] }'
    """
    match value:
        case bool():
            return "true" if value else "false"
        case int() | float():
            return repr(value)
        case str():
            return json.dumps(value, ensure_ascii=False)
        case Mapping():
            pairs = ", ".join(f"{_key(key)} = {inline(item)}" for key, item in value.items() if item is not None)
            return f"{{ {pairs} }}" if pairs else "{}"
        case list() | tuple():
            return "[" + ", ".join(inline(item) for item in value) + "]"
    raise ValueError(f"TOML has no {type(value).__name__}: {value!r}")


def _key(key: object) -> str:
    text = str(key)
    return text if _BARE.match(text) else json.dumps(text, ensure_ascii=False)
