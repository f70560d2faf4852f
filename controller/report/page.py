"""The report as one HTML file: no script, nothing to load, prints as it is seen."""

from __future__ import annotations

from html import escape

from controller.report import plot, words
from controller.report.lines import Ledger

_STYLE = """
body { font: 14px/1.4 system-ui, sans-serif; color: #1a1a1a; margin: 2rem auto; max-width: 64rem; padding: 0 1rem; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.1rem; margin: 1.6rem 0 .4rem; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .1rem 1rem; } dt { color: #555; } dd { margin: 0; }
table { border-collapse: collapse; width: 100%; } th { text-align: left; color: #555; font-weight: 600; }
th, td { padding: .2rem .6rem .2rem 0; border-bottom: 1px solid #ddd; vertical-align: top; }
.number { text-align: right; font-variant-numeric: tabular-nums; }
svg { width: 100%; height: auto; } svg text { font-size: 11px; fill: #555; }
.axis { stroke: #333; fill: none; } .grid { stroke: #e4e4e4; fill: none; }
.due { stroke: #b3261e; stroke-width: 1.8; fill: none; } .counted { stroke: #1f5fae; stroke-width: 1.8; fill: none; }
.band { fill: #1f5fae; fill-opacity: .18; stroke: none; }
.key span { display: inline-block; width: 1.6rem; height: 0; border-top: 3px solid; margin: 0 .3rem .25rem 1rem; }
.key .red { color: #b3261e; } .key .blue { color: #1f5fae; }
@media print { body { margin: 0; max-width: none; } tr { break-inside: avoid; } }
"""


def as_page(ledger: Ledger) -> str:
    title = f"{ledger.site}, {ledger.table}: {ledger.period.name}"
    parts = [
        "<!doctype html>",
        f'<html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>',
        f"<style>{_STYLE}</style></head><body>",
        "<h1>Fees due and counted</h1>",
        "<dl>" + "".join(f"<dt>{escape(k)}</dt><dd>{escape(v)}</dd>" for k, v in words.heading(ledger)) + "</dl>",
    ]
    total, *others = words.everything(ledger)
    parts.append(_table(total))
    for box, curve in sorted(ledger.curves.items()):
        name = f"Due and counted, {box} box"
        drawn = plot.drawing(curve, ledger.period, 900, 260)
        parts += [f"<h2>{escape(name)}</h2>", plot.as_svg(drawn, escape(name, quote=True)), _key(ledger)]
    parts += [_table(table) for table in others]
    return "\n".join([*parts, "</body></html>", ""])


def _key(ledger: Ledger) -> str:
    if ledger.knows_worth:
        counted = "counted; the band is what the pieces may be worth"
    else:
        counted = "counted: not drawn, nobody has said in what chips fees are paid"
    return f'<p class="key"><span class="red"></span>due <span class="blue"></span>{counted}</p>'


def _table(table: words.Section) -> str:
    head = "".join(_cell("th", index, name, table) for index, name in enumerate(table.columns))
    rows = "".join(
        "<tr>" + "".join(_cell("td", index, text, table) for index, text in enumerate(row)) + "</tr>\n"
        for row in table.rows
    )
    body = f"<table><thead><tr>{head}</tr></thead><tbody>\n{rows}</tbody></table>" if table.rows else "<p>none</p>"
    return f"<h2>{escape(table.title)}</h2>\n{body}"


def _cell(tag: str, index: int, text: str, table: words.Section) -> str:
    kind = ' class="number"' if index in table.numbers else ""
    return f"<{tag}{kind}>{escape(text)}</{tag}>"
