"""The report for a terminal: the same tables, columns in line; the rounds only where they differ."""

from __future__ import annotations

from controller.printing.text import columns
from controller.report import words
from controller.report.lines import Ledger


def as_text(ledger: Ledger) -> str:
    lines = [f"{name:<8} {value}" for name, value in words.heading(ledger)]
    tables = words.everything(ledger)[:-1]
    for table in tables:
        lines += ["", table.title, *columns(table)]
    return "\n".join(lines)
