"""The line of each key in a TOML file.

`tomllib` reads a file and forgets where it found what. This walks through a text that tomllib has accepted, so it need
not check anything: it only counts lines. Keys are decoded by tomllib itself. A property test holds the two together.

    >>> positions('a = 1\\n[b]\\nc = [\\n  2,\\n  { d = 3 },\\n]\\n')[("b", "c", 1, "d")]
    5
"""

from __future__ import annotations

import re
import tomllib
from bisect import bisect_right

Place = tuple[str | int, ...]
"""The way to a value: keys, and places in lists from 0 on."""

_BLANK = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
_SPACE = re.compile(r"[ \t]*")
_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
_STRING = re.compile(
    r'"""(?:\\.|[^\\])*?"{3,5}(?!")'
    r"|'''.*?'{3,5}(?!')"
    r'|"(?:\\.|[^"\\\n])*"'
    r"|'[^'\n]*'",
    re.DOTALL,
)
_SCALAR = re.compile(r"[^,\]}\n#]*")


def positions(text: str) -> dict[Place, int]:
    """The line, from 1 on, of every key and list item of a text that is TOML; of a table, that of its header."""
    return _Walk(text).lines


class _Walk:
    def __init__(self, text: str) -> None:
        self.lines: dict[Place, int] = {}
        self._text = text
        self._at = 0
        self._ends = [match.start() for match in re.finditer("\n", text)]
        self._lists: dict[Place, int] = {}
        """How many tables each [[list]] has so far."""
        self._document()

    def _document(self) -> None:
        table: Place = ()
        while self._skip(_BLANK) < len(self._text):
            if self._next("["):
                table = self._header()
            else:
                self._pair(table)

    def _header(self) -> Place:
        line = self._line
        is_list = self._text.startswith("[[", self._at)
        self._at += 2 if is_list else 1
        parts = self._key()
        self._at += 2 if is_list else 1
        place: Place = ()
        for index, part in enumerate(parts):
            is_last = index == len(parts) - 1
            place = (*place, part)
            if is_last and is_list:
                self.lines.setdefault(place, line)
                number = self._lists.get(place, 0)
                self._lists[place] = number + 1
                place = (*place, number)
                self.lines[place] = line
            elif is_last:
                self.lines[place] = line
            else:
                self.lines.setdefault(place, line)
                if place in self._lists:
                    # A header below a list of tables is about the last of them.
                    place = (*place, self._lists[place] - 1)
        return place

    def _pair(self, table: Place) -> None:
        line, place = self._line, table
        for part in self._key():
            place = (*place, part)
            self.lines.setdefault(place, line)
        self._at += 1  # the equals sign
        self._skip(_SPACE)
        self._value(place)

    def _key(self) -> list[str]:
        """Its parts; what follows it is next."""
        parts = []
        while True:
            self._skip(_SPACE)
            quoted = _STRING.match(self._text, self._at)
            if quoted is not None:
                parts.append(tomllib.loads(f"key = {quoted.group()}")["key"])
                self._at = quoted.end()
            else:
                start = self._at
                parts.append(self._text[start : self._skip(_BARE_KEY)])
            self._skip(_SPACE)
            if not self._next("."):
                return parts
            self._at += 1

    def _value(self, place: Place) -> None:
        if self._next("["):
            self._at += 1
            self._items(place)
        elif self._next("{"):
            self._at += 1
            self._inline(place)
        else:
            self._skip(_STRING if self._next('"') or self._next("'") else _SCALAR)

    def _items(self, place: Place) -> None:
        number = 0
        while True:
            self._skip(_BLANK)
            if self._next("]") or self._at >= len(self._text):
                self._at += 1
                return
            self.lines[(*place, number)] = self._line
            self._value((*place, number))
            number += 1
            self._skip(_BLANK)
            if self._next(","):
                self._at += 1

    def _inline(self, place: Place) -> None:
        while True:
            self._skip(_BLANK)
            if self._next("}") or self._at >= len(self._text):
                self._at += 1
                return
            self._pair(place)
            self._skip(_BLANK)
            if self._next(","):
                self._at += 1

    @property
    def _line(self) -> int:
        return bisect_right(self._ends, self._at - 1) + 1

    def _next(self, character: str) -> bool:
        return self._text.startswith(character, self._at)

    def _skip(self, pattern: re.Pattern[str]) -> int:
        match = pattern.match(self._text, self._at)
        if match is not None:
            self._at = match.end()
        return self._at
