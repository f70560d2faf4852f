"""Tables as CSV (RFC 4180), one below the other: the names of its columns first, and in each row the table's title."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable

from controller.printing.table import Table


def as_csv(tables: Iterable[Table]) -> str:
    out = io.StringIO()
    writer = csv.writer(out)
    for table in tables:
        writer.writerow(("table", *table.columns))
        writer.writerows((table.title, *map(plain, row)) for row in table.rows)
    return out.getvalue()


def plain(text: str) -> str:
    """A text that a spreadsheet would take for a formula is kept a text.

    >>> plain("=1+1"), plain("-12.50")
    ("'=1+1", '-12.50')
    """
    is_number = text.replace(".", "").replace(",", "").replace("$", "").replace("-", "", 1).isdigit()
    return f"'{text}" if text[:1] in ("=", "+", "-", "@", "\t", "\r") and not is_number else text
