"""The report for a terminal: the same tables, columns in line; the rounds only where they differ."""

from __future__ import annotations

from controller.report import words
from controller.report.lines import Ledger


def as_text(ledger: Ledger) -> str:
    lines = [f"{name:<8} {value}" for name, value in words.heading(ledger)]
    tables = words.everything(ledger)[:-1]
    for table in tables:
        lines += ["", table.title, *_columns(table)]
    return "\n".join(lines)


def _columns(table: words.Section) -> list[str]:
    if not table.rows:
        return ["  none"]
    rows = [table.columns, *table.rows]
    widths = [max(len(row[index]) for row in rows) for index in range(len(table.columns))]
    return [
        "  "
        + "  ".join(
            text.rjust(width) if index in table.numbers else text.ljust(width)
            for index, (text, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]
