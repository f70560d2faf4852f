"""The forms of the books: text, HTML, CSV, PDF, JSON. The same store gives the same bytes."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from controller.errors import UserError
from controller.printing import page
from controller.printing.sheet import as_csv
from controller.printing.text import columns
from floor.books import words
from floor.books.lines import Books

_SIGNED_BY = ("Prepared by", "Checked by")


def text(books: Books, zone: str, parts: Sequence[str] = words.PARTS) -> str:
    lines = [f"{name:<12} {value}" for name, value in words.heading(books)]
    for table in words.parts(books, zone, parts):
        lines += ["", table.title, *columns(table)]
    return "\n".join(lines)


def html(books: Books, zone: str, parts: Sequence[str] = words.PARTS) -> bytes:
    """One file; what somebody has to act on comes first and is marked."""
    body = [f"<h1>{page.lines(_title(books))}</h1>", page.named_values(words.heading(books))]
    body += [page.with_heading(table) for table in words.parts(books, zone, parts)]
    return page.page(_title(books), "table { font-size: .9em; } body { max-width: 88rem; }", body).encode()


def csv(books: Books, zone: str, parts: Sequence[str] = words.PARTS) -> bytes:
    return as_csv(words.parts(books, zone, parts)).encode()


def json(books: Books) -> bytes:
    """Values, not words: cents, and milliseconds since 1970."""
    return msgspec.json.encode(books) + b"\n"


def pdf(books: Books, zone: str, parts: Sequence[str] = words.PARTS) -> bytes:
    try:
        from controller.printing import pdf as drawn
    except ImportError:
        raise UserError(
            "The PDF is drawn by ReportLab, which is not installed: pip install 'cutcard[report]'."
        ) from None
    across = drawn.width(drawn.LANDSCAPE)
    title = _title(books)
    story = drawn.story(drawn.paragraph("Books", drawn.TITLE))
    story += [drawn.paragraph(f"{name}: {value}") for name, value in words.heading(books)]
    for table in words.parts(books, zone, parts):
        story += drawn.with_heading(table, across)
    story += drawn.signatures(_SIGNED_BY, across)
    return drawn.document(title, title, story, drawn.LANDSCAPE)


def _title(books: Books) -> str:
    return "Books of " + ", ".join(value for _, value in words.heading(books)[:2])
