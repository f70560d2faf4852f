"""Tables as HTML: one file, no script, nothing to load, prints as it is seen."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from controller.printing.table import Table

STYLE = """
body { font: 14px/1.4 system-ui, sans-serif; color: #1a1a1a; margin: 2rem auto; max-width: 64rem; padding: 0 1rem; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.1rem; margin: 1.6rem 0 .4rem; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .1rem 1rem; } dt { color: #555; } dd { margin: 0; }
table { border-collapse: collapse; width: 100%; } th { text-align: left; color: #555; font-weight: 600; }
th, td { padding: .2rem .6rem .2rem 0; border-bottom: 1px solid #ddd; vertical-align: top; }
.number { text-align: right; font-variant-numeric: tabular-nums; }
@media print { body { margin: 0; max-width: none; } tr { break-inside: avoid; } }
"""


def page(title: str, style: str, body: Iterable[str]) -> str:
    """A whole file; `style` is added to the style of the tables."""
    head = [
        "<!doctype html>",
        f'<html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>',
        f"<style>{STYLE}{style}</style></head><body>",
    ]
    return "\n".join([*head, *body, "</body></html>", ""])


def named_values(rows: Iterable[tuple[str, str]]) -> str:
    return "<dl>" + "".join(f"<dt>{escape(name)}</dt><dd>{escape(value)}</dd>" for name, value in rows) + "</dl>"


def rows_of(table: Table) -> str:
    """The table without its heading."""
    head = "".join(_cell("th", index, name, table) for index, name in enumerate(table.columns))
    rows = "".join(
        "<tr>" + "".join(_cell("td", index, text, table) for index, text in enumerate(row)) + "</tr>\n"
        for row in table.rows
    )
    return f"<table><thead><tr>{head}</tr></thead><tbody>\n{rows}</tbody></table>" if table.rows else "<p>none</p>"


def with_heading(table: Table) -> str:
    return f"<h2>{escape(table.title)}</h2>\n{rows_of(table)}"


def _cell(tag: str, index: int, text: str, table: Table) -> str:
    kind = ' class="number"' if index in table.numbers else ""
    return f"<{tag}{kind}>{lines(text)}</{tag}>"


def lines(text: str) -> str:
    """A text; its own line breaks are kept."""
    return "<br>".join(map(escape, text.split("\n")))
