"""Tables for a terminal: columns in line."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence

from controller.printing.table import Table

WIDTH = 110
_GAP = 2
_LEAST = 12
"""No column of text is folded to fewer characters."""


def columns(table: Table) -> list[str]:
    """The rows under the names of their columns, each row one line."""
    if not table.rows:
        return ["  none"]
    rows = [table.columns, *table.rows]
    widths = [max(len(row[index]) for row in rows) for index in range(len(table.columns))]
    return ["  " + _line(row, widths, table) for row in rows]


def folded(table: Table, indent: str = "  ", width: int = WIDTH) -> list[str]:
    """The same within a width: texts that are too long go on below, in their column."""
    rows = [table.columns, *table.rows] if any(table.columns) else list(table.rows)
    widths = _fitted(rows, width - len(indent))
    lines = []
    for row in rows:
        cells = [
            [line for part in text.split("\n") for line in wrapped(part, most)] or [""]
            for text, most in zip(row, widths, strict=True)
        ]
        for n in range(max(map(len, cells))):
            lines.append(indent + _line([cell[n] if n < len(cell) else "" for cell in cells], widths, table))
    return lines


def wrapped(text: str, width: int = WIDTH, indent: str = "") -> list[str]:
    """A text in lines; words and line numbers such as 785-793 are kept whole."""
    return textwrap.wrap(
        text, width, initial_indent=indent, subsequent_indent=indent, break_on_hyphens=False, break_long_words=False
    )


def _line(row: Sequence[str], widths: Sequence[int], table: Table) -> str:
    cells = (
        text.rjust(width) if index in table.numbers else text.ljust(width)
        for index, (text, width) in enumerate(zip(row, widths, strict=True))
    )
    return (" " * _GAP).join(cells).rstrip()


def _fitted(rows: Sequence[Sequence[str]], width: int) -> list[int]:
    """As wide as the longest text, or less where the line is too short: the widest columns give way first."""
    widths = [
        max(len(part) for text in ("-", *column) for part in text.split("\n")) for column in zip(*rows, strict=True)
    ]
    least = list(_longest_words(rows))
    while sum(widths) + _GAP * (len(widths) - 1) > width:
        may = [index for index in range(len(widths)) if widths[index] > max(_LEAST, least[index])]
        if not may:
            break
        widths[max(may, key=lambda index: widths[index])] -= 1
    return widths


def _longest_words(rows: Sequence[Sequence[str]]) -> Iterator[int]:
    for column in zip(*rows, strict=True):
        yield max((len(word) for text in column for word in text.split()), default=0)
