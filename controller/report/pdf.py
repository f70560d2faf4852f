"""The report as PDF, drawn by ReportLab: A4 or Letter in any reader, the plot as lines, not as a picture.

`invariant` leaves out the time of making and random ids: the same journal gives the same bytes.
"""

from __future__ import annotations

import io
from html import escape

from reportlab.graphics import shapes
from reportlab.lib import colors
from reportlab.lib.pagesizes import landscape, letter
from reportlab.lib.styles import ParagraphStyle
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Flowable, Paragraph, SimpleDocTemplate, Spacer, Table, TableStyle

from controller.report import plot, words
from controller.report.lines import Ledger

_MARGIN = 40
_WIDTH = landscape(letter)[0] - 2 * _MARGIN
_TEXT = ParagraphStyle("text", fontName="Helvetica", fontSize=8, leading=10)
_RIGHT = ParagraphStyle("right", parent=_TEXT, alignment=2)
_SMALL = ParagraphStyle("small", parent=_TEXT, textColor=colors.HexColor("#555555"))
_TITLE = ParagraphStyle("title", fontName="Helvetica-Bold", fontSize=15, leading=20)
_HEAD = ParagraphStyle("head", fontName="Helvetica-Bold", fontSize=10, leading=14, spaceBefore=10, keepWithNext=1)
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
    out = io.BytesIO()
    title = f"{ledger.site}, {ledger.table}: {ledger.period.name}"
    document = SimpleDocTemplate(
        out,
        pagesize=landscape(letter),
        leftMargin=_MARGIN,
        rightMargin=_MARGIN,
        topMargin=_MARGIN,
        bottomMargin=_MARGIN,
        title=title,
        author="Cutcard",
        invariant=1,
    )

    def foot(canvas: Canvas, document: SimpleDocTemplate) -> None:
        canvas.setFont("Helvetica", 7)
        canvas.drawString(_MARGIN, 24, f"{title}; {ledger.last_hash[:32]}")
        canvas.drawRightString(_MARGIN + _WIDTH, 24, f"page {document.page}")

    document.build(_story(ledger), onFirstPage=foot, onLaterPages=foot)
    return out.getvalue()


def _story(ledger: Ledger) -> list[Flowable]:
    story: list[Flowable] = [Paragraph("Fees due and counted", _TITLE)]
    story += [Paragraph(f"<b>{escape(name)}</b>: {escape(value)}", _TEXT) for name, value in words.heading(ledger)]
    total, boxes, *others = words.everything(ledger)
    story += [*_table(total), *_table(boxes), *_signatures()]
    for box, curve in sorted(ledger.curves.items()):
        story.append(Paragraph(f"Due and counted, {escape(box)} box", _HEAD))
        story.append(_drawn(plot.drawing(curve, ledger.period, _WIDTH, 170)))
        worth = "counted, blue" if ledger.knows_worth else "counted: not drawn, the chips' worth is not configured"
        story.append(Paragraph(f"Due: red; {worth}. The band is what the pieces may be worth.", _SMALL))
    for table in others:
        story += _table(table)
    return story


def _table(table: words.Section) -> list[Flowable]:
    heading = Paragraph(escape(table.title), _HEAD)
    if not table.rows:
        return [heading, Paragraph("none", _TEXT)]
    rows = [
        [Paragraph(escape(text), _style(index, table)) for index, text in enumerate(row)]
        for row in (table.columns, *table.rows)
    ]
    made = Table(rows, colWidths=_widths(table), repeatRows=1)
    made.setStyle(
        TableStyle(
            [
                ("LINEBELOW", (0, 0), (-1, -1), 0.3, colors.HexColor("#cccccc")),
                ("BACKGROUND", (0, 0), (-1, 0), colors.HexColor("#f0f0f0")),
                ("VALIGN", (0, 0), (-1, -1), "TOP"),
                ("TOPPADDING", (0, 0), (-1, -1), 1.5),
                ("BOTTOMPADDING", (0, 0), (-1, -1), 2),
            ]
        )
    )
    return [heading, made]


def _style(index: int, table: words.Section) -> ParagraphStyle:
    return _RIGHT if index in table.numbers else _TEXT


def _widths(table: words.Section) -> list[float]:
    """Columns as wide as their longest text, within reason, and all of them as wide as the page."""
    longest = [min(60, max(len(row[i]) for row in (table.columns, *table.rows))) + 2 for i in range(len(table.columns))]
    return [_WIDTH * width / sum(longest) for width in longest]


def _signatures() -> list[Flowable]:
    line = "_" * 34
    names = [Paragraph(f"Counted by {line}", _TEXT) for _ in range(_COUNTERS)]
    return [Spacer(1, 14), Table([names], colWidths=[_WIDTH / _COUNTERS] * _COUNTERS)]


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
