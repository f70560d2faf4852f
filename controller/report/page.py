"""The report as one HTML file: no script, nothing to load, prints as it is seen."""

from __future__ import annotations

from html import escape

from controller.printing.page import named_values, page, with_heading
from controller.report import plot, words
from controller.report.lines import Ledger

_STYLE = """
svg { width: 100%; height: auto; } svg text { font-size: 11px; fill: #555; }
.axis { stroke: #333; fill: none; } .grid { stroke: #e4e4e4; fill: none; }
.due { stroke: #b3261e; stroke-width: 1.8; fill: none; } .counted { stroke: #1f5fae; stroke-width: 1.8; fill: none; }
.band { fill: #1f5fae; fill-opacity: .18; stroke: none; }
.key span { display: inline-block; width: 1.6rem; height: 0; border-top: 3px solid; margin: 0 .3rem .25rem 1rem; }
.key .red { color: #b3261e; } .key .blue { color: #1f5fae; }
"""


def as_page(ledger: Ledger) -> str:
    title = f"{ledger.site}, {ledger.table}: {ledger.period.name}"
    total, *others = words.everything(ledger)
    parts = ["<h1>Fees due and counted</h1>", named_values(words.heading(ledger)), with_heading(total)]
    for box, curve in sorted(ledger.curves.items()):
        name = f"Due and counted, {box} box"
        drawn = plot.drawing(curve, ledger.period, 900, 260)
        parts += [f"<h2>{escape(name)}</h2>", plot.as_svg(drawn, escape(name, quote=True)), _key(ledger)]
    parts += [with_heading(table) for table in others]
    return page(title, _STYLE, parts)


def _key(ledger: Ledger) -> str:
    if ledger.knows_worth:
        counted = "counted; the band is what the pieces may be worth"
    else:
        counted = "counted: not drawn, nobody has said in what chips fees are paid"
    return f'<p class="key"><span class="red"></span>due <span class="blue"></span>{counted}</p>'
