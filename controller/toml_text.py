"""TOML that somebody wrote, with bounds: `tomllib` itself takes any nesting and any length.

A hundred thousand brackets end its recursion, and a key of a hundred thousand parts its memory. Here both are an error
of the file like any other, with its line: `tomllib.TOMLDecodeError`, as for a file that is no TOML.
"""

from __future__ import annotations

import re
import tomllib
from typing import Any

MOST_CHARACTERS = 1_000_000
DEEPEST = 16
"""Levels of tables and lists inside each other."""
MOST_PARTS = 32
"""Of a dotted key; each part is a level."""

_PART = r"""(?:[A-Za-z0-9_-]+|"[^"\n]*"|'[^'\n]*')"""
_LONG_KEY = re.compile(rf"(?:{_PART}[ \t]*\.[ \t]*){{{MOST_PARTS},}}")


def loads(text: str) -> dict[str, Any]:
    """The tables in this text; `tomllib.TOMLDecodeError` states what is wrong, and where."""
    if len(text) > MOST_CHARACTERS:
        raise _error(text, 0, f"expected at most {MOST_CHARACTERS} characters, {len(text)} came")
    # To look at every key would take longer than to read the file.
    if any(line.count(".") >= MOST_PARTS for line in text.split("\n")) and (long := _LONG_KEY.search(text)):
        raise _error(text, long.start(), f"expected a key of at most {MOST_PARTS} parts, a longer one came")
    try:
        found = tomllib.loads(text)
    except RecursionError:
        raise _error(text, _deepest(text), _TOO_DEEP) from None
    except tomllib.TOMLDecodeError:
        raise
    except ValueError:
        # A whole number of thousands of digits, which Python does not read.
        digits = re.search(r"\d{4000,}", text.replace("_", ""))
        raise _error(text, digits.start() if digits else 0, "expected a shorter number") from None
    if not _is_flat(found):
        raise _error(text, _deepest(text), _TOO_DEEP)
    return found


_TOO_DEEP = f"expected at most {DEEPEST} levels of tables and lists inside each other, more came"


def _is_flat(tables: dict[str, Any]) -> bool:
    level: list[Any] = [tables]
    for _ in range(DEEPEST):
        level = [
            part
            for one in level
            for part in (one.values() if isinstance(one, dict) else one)
            if isinstance(part, dict | list)
        ]
        if not level:
            return True
    return False


def _deepest(text: str) -> int:
    """Where the most brackets are open, strings and comments counted with them."""
    depth = most = at = 0
    for place, letter in enumerate(text):
        depth += (letter in "[{") - (letter in "]}")
        if depth > most:
            most, at = depth, place
    return at


def _error(text: str, at: int, what: str) -> tomllib.TOMLDecodeError:
    line = text.count("\n", 0, at) + 1
    column = at - text.rfind("\n", 0, at)
    return tomllib.TOMLDecodeError(f"{what} (at line {line}, column {column})")
