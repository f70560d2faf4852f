"""Tables as PDF, drawn by ReportLab for Letter paper.

`invariant` leaves out the time of making and random ids: the same content gives the same bytes.
"""

from __future__ import annotations

import io
import unicodedata
from collections.abc import Sequence
from html import escape

from reportlab.lib import colors
from reportlab.lib.pagesizes import landscape, letter
from reportlab.lib.styles import ParagraphStyle
from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Flowable, Paragraph, SimpleDocTemplate, Spacer, TableStyle
from reportlab.platypus import Table as DrawnTable

from controller.printing.table import Table

MARGIN = 40
LANDSCAPE, PORTRAIT = landscape(letter), letter
TEXT = ParagraphStyle("text", fontName="Helvetica", fontSize=8, leading=10)
RIGHT = ParagraphStyle("right", parent=TEXT, alignment=2)
SMALL = ParagraphStyle("small", parent=TEXT, textColor=colors.HexColor("#555555"))
TITLE = ParagraphStyle("title", fontName="Helvetica-Bold", fontSize=15, leading=20)
HEAD = ParagraphStyle("head", fontName="Helvetica-Bold", fontSize=10, leading=14, spaceBefore=10, keepWithNext=1)
_RULED = TableStyle(
    [
        ("LINEBELOW", (0, 0), (-1, -1), 0.3, colors.HexColor("#cccccc")),
        ("BACKGROUND", (0, 0), (-1, 0), colors.HexColor("#f0f0f0")),
        ("VALIGN", (0, 0), (-1, -1), "TOP"),
        ("TOPPADDING", (0, 0), (-1, -1), 1.5),
        ("BOTTOMPADDING", (0, 0), (-1, -1), 2),
    ]
)
_ALIKE = {"\u2010": "-", "\u2011": "-", "\u2212": "-"}
"""Letters that look like one which every reader has."""
_MOST = 0.45
"""The part of the page that a column of long texts asks for."""
_PADDING = 13
"""Left and right of a text in its column, in points."""


def width(pagesize: tuple[float, float]) -> float:
    """Of what is printed on the page."""
    return pagesize[0] - 2 * MARGIN


def document(title: str, foot: str, story: list[Flowable], pagesize: tuple[float, float]) -> bytes:
    """The whole file; `foot` is on every page, beside its number."""
    out = io.BytesIO()
    made = SimpleDocTemplate(
        out,
        pagesize=pagesize,
        leftMargin=MARGIN,
        rightMargin=MARGIN,
        topMargin=MARGIN,
        bottomMargin=MARGIN,
        title=title,
        author="Cutcard",
        invariant=1,
    )

    def draw_foot(canvas: Canvas, document: SimpleDocTemplate) -> None:
        canvas.setFont("Helvetica", 7)
        canvas.drawString(MARGIN, 24, foot)
        canvas.drawRightString(MARGIN + width(pagesize), 24, f"page {document.page}")

    made.build(story, onFirstPage=draw_foot, onLaterPages=draw_foot)
    return out.getvalue()


def story(*parts: Flowable) -> list[Flowable]:
    """The beginning of what is printed, for those who do not name ReportLab's types."""
    return list(parts)


def paragraph(text: str, style: ParagraphStyle = TEXT) -> Paragraph:
    """A text; its own line breaks are kept."""
    return Paragraph("<br/>".join(map(escape, map(printable, text.split("\n")))), style)


def printable(text: str) -> str:
    """The text in the letters that every PDF reader has; another one by its name.

    >>> printable("50¢ – “Pan”"), printable("$5\u2010$9"), printable("φ10")
    ('50¢ – “Pan”', '$5-$9', '[GREEK SMALL LETTER PHI]10')
    """
    return "".join(
        letter if _is_latin(letter) else _ALIKE.get(letter, f"[{unicodedata.name(letter, 'unknown')}]")
        for letter in text
    )


def _is_latin(letter: str) -> bool:
    try:
        letter.encode("cp1252")
    except UnicodeEncodeError:
        return False
    return True


def with_heading(table: Table, across: float) -> list[Flowable]:
    heading = paragraph(table.title, HEAD)
    return [heading, rows_of(table, across) if table.rows else paragraph("none")]


def rows_of(table: Table, across: float) -> Flowable:
    """The table without its heading, as wide as the page."""
    rows = [
        [paragraph(text, RIGHT if index in table.numbers else TEXT) for index, text in enumerate(row)]
        for row in (table.columns, *table.rows)
    ]
    return DrawnTable(rows, colWidths=_widths(table, across), repeatRows=1, splitInRow=1, hAlign="LEFT", style=_RULED)


def natural_width(table: Table) -> float:
    """The width at which no text of the table needs a second line."""
    return sum(_longest(table, index, split=False) for index in range(len(table.columns)))


def _widths(table: Table, across: float) -> list[float]:
    """Columns as wide as their longest text, within reason, and all of them as wide as the page; no word is broken, as
    long as there is room."""
    count = range(len(table.columns))
    longest = [_longest(table, index, split=False) for index in count]
    wanted = longest if sum(longest) <= across else [min(across * _MOST, one) for one in longest]
    widths = [across * one / sum(wanted) for one in wanted]
    least = [_longest(table, index, split=True) for index in count]
    if sum(least) >= across:
        return widths
    # What the narrow columns need more for their longest word, the others give in the same proportion.
    held = {index for index in count if widths[index] < least[index]}
    rest = across - sum(least[index] for index in held)
    free = sum(max(widths[index], least[index]) for index in count if index not in held)
    made = [least[i] if i in held else max(widths[i], least[i]) * rest / free for i in count]
    return made if all(made[i] >= least[i] - 0.1 for i in count) else [across * one / sum(least) for one in least]


def _longest(table: Table, index: int, *, split: bool) -> float:
    """In points: the longest text of a column, or its longest word."""
    texts = [printable(row[index]) for row in (table.columns, *table.rows)]
    parts = [part for text in texts for part in (text.split() if split else text.split("\n"))]
    return _PADDING + max((stringWidth(part, TEXT.fontName, TEXT.fontSize) for part in parts), default=0)


def signatures(titles: Sequence[str], across: float) -> list[Flowable]:
    """A line to sign on under each title."""
    line = "_" * 34
    names = [Paragraph(f"{escape(title)} {line}", TEXT) for title in titles]
    return [Spacer(1, 14), DrawnTable([names], colWidths=[across / len(names)] * len(names))]
