"""The report as PDF, drawn by ReportLab: A4 or Letter in any reader, the plot as lines, not as a picture.

The same journal gives the same bytes.
"""

from __future__ import annotations

from html import escape

from reportlab.graphics import shapes
from reportlab.lib import colors
from reportlab.platypus import Flowable, Paragraph

from controller.printing.pdf import (
    HEAD,
    LANDSCAPE,
    SMALL,
    TEXT,
    TITLE,
    document,
    paragraph,
    signatures,
    width,
    with_heading,
)
from controller.report import plot, words
from controller.report.lines import Ledger

_WIDTH = width(LANDSCAPE)
_COLOURS = {
    "axis": colors.HexColor("#333333"),
    "grid": colors.HexColor("#e0e0e0"),
    "due": colors.HexColor("#b3261e"),
    "counted": colors.HexColor("#1f5fae"),
    "band": colors.HexColor("#d2deee"),
}
_COUNTERS = 3
"""Who counts signs the sheet; 4 CCR 12385 wants more than one."""


def as_pdf(ledger: Ledger) -> bytes:
    title = f"{ledger.site}, {ledger.table}: {ledger.period.name}"
    return document(title, f"{title}; {ledger.last_hash[:32]}", _story(ledger), LANDSCAPE)


def _story(ledger: Ledger) -> list[Flowable]:
    story: list[Flowable] = [paragraph("Fees due and counted", TITLE)]
    story += [Paragraph(f"<b>{escape(name)}</b>: {escape(value)}", TEXT) for name, value in words.heading(ledger)]
    total, unexplained, boxes, *others = words.everything(ledger)
    for table in (total, unexplained, boxes):
        story += with_heading(table, _WIDTH)
    story += signatures(["Counted by"] * _COUNTERS, _WIDTH)
    for box, curve in sorted(ledger.curves.items()):
        story.append(paragraph(f"Due and counted, {box} box", HEAD))
        story.append(_drawn(plot.drawing(curve, ledger.period, _WIDTH, 170)))
        worth = "counted, blue" if ledger.knows_worth else "counted: not drawn, the chips' worth is not configured"
        story.append(paragraph(f"Due: red; {worth}. The band is what the pieces may be worth.", SMALL))
    for table in others:
        story += with_heading(table, _WIDTH)
    return story


def _drawn(drawn: plot.Drawing) -> shapes.Drawing:
    sheet = shapes.Drawing(drawn.width, drawn.height)
    for path in drawn.paths:
        spots = [value for spot in path.spots for value in spot]
        colour = _COLOURS[path.what]
        if path.what == "band":
            sheet.add(shapes.Polygon(spots, fillColor=colour, strokeColor=None))
        else:
            width = 1.2 if path.what in ("due", "counted") else 0.5
            sheet.add(shapes.PolyLine(spots, strokeColor=colour, strokeWidth=width))
    for label in drawn.labels:
        x, y = label.spot
        text = shapes.String(x, y, label.text, fontName="Helvetica", fontSize=7, textAnchor=label.anchor)
        sheet.add(text)
    return sheet
