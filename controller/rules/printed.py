"""The lines of the approvals that print a collection, letter by letter, for those who compare what is read with them.

Beside a cardroom's schedules, in `<cardroom>/collections/printed/`, is a file for each text that they cite: the number
of a line, a tab, the line as the text has it. `deploy/printed_lines.py` takes the lines from the approvals: those that
a schedule cites, and the headings before them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from importlib import resources

from msgspec import Struct

FOLDER = "printed"
_RANGE = re.compile(r"(\d+)(?:-(\d+))?")


class Source(Struct, frozen=True):
    """What a schedule cites: a text and some of its lines."""

    text: str
    lines: tuple[int, ...]


def cited(source: str) -> Source:
    """
    >>> cited("002_x.txt:1113-1115 (brackets), 1121 (fees)")
    Source(text='002_x.txt', lines=(1113, 1114, 1115, 1121))
    """
    text, _, places = source.partition(":")
    found = [range(int(first), int(last or first) + 1) for first, last in _RANGE.findall(places)]
    return Source(text, tuple(line for lines in found for line in lines))


@cache
def printed(cardroom: str, text: str) -> Mapping[int, str]:
    """The lines of a text that the cardroom's schedules are read from, by number; empty where none are there."""
    file = resources.files(__package__) / cardroom / "collections" / FOLDER / text
    if not file.is_file():
        return {}
    rows = (row.partition("\t") for row in file.read_text("utf-8").split("\n") if row)
    return {int(number): line for number, _, line in rows}


def as_printed(line: str) -> str:
    """A line without the marks of the text file: an escaped dollar sign, bold type; its columns apart.

    >>> as_printed("2\\t\\\\$10-\\\\$500\\t\\t**\\\\$0.00**")
    '2 | $10-$500 | $0.00'
    """
    cells = [cell.strip() for cell in line.replace("\\$", "$").replace("**", "").split("\t")]
    return " | ".join(cell for cell in cells if cell)
