"""Every form of the report that goes into a file."""

from __future__ import annotations

from collections.abc import Callable

from controller.errors import UserError
from controller.report.lines import Ledger
from controller.report.page import as_page
from controller.report.sheet import as_csv


def _pdf(ledger: Ledger) -> bytes:
    try:
        from controller.report.pdf import as_pdf
    except ImportError:
        raise UserError(
            "The PDF is drawn by ReportLab, which is not installed: pip install 'cutcard[report]'."
        ) from None
    return as_pdf(ledger)


FORMS: dict[str, Callable[[Ledger], bytes]] = {
    "csv": lambda ledger: as_csv(ledger).encode(),
    "html": lambda ledger: as_page(ledger).encode(),
    "pdf": _pdf,
}
"""Every form that goes into a file, by its name."""
