"""GET /api/report, beside the page: the shift report of the running table, for the floor.

    GET /api/report?form=html&shift=day&date=2026-11-15        with `Authorization: Bearer TOKEN`
    GET /api/report/shifts                                     the house's shifts by name, likewise

`form` is html (the default), csv or pdf; `from` and `to` are two moments instead of a shift. It names dealers
with what is missing in their rounds, so it is not for every screen.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

from aiohttp import web

from controller.config import ReportConfig
from controller.errors import UserError
from controller.journal import JournalError, JournalReader
from controller.report.period import PeriodRequest, requested_period
from controller.web.pages import bearer, refuse

TYPES = {"csv": "text/csv", "html": "text/html", "pdf": "application/pdf"}
"""By form."""
FLOOR_FIRST = "The floor signs in first: POST /api/login gives a token."


def report_route(
    journal: Path, house: Callable[[], ReportConfig], may_read: Callable[[str], bool]
) -> Callable[[web.Application], None]:
    """Routes for the page's server; `may_read`: whether a token's owner may see the report."""

    async def shifts(request: web.Request) -> web.Response:
        if not may_read(bearer(request)):
            return refuse(401, "unauthorised", FLOOR_FIRST)
        return web.json_response({"shifts": list(house().shifts)})

    async def answer(request: web.Request) -> web.Response:
        if not may_read(bearer(request)):
            return refuse(401, "unauthorised", FLOOR_FIRST)
        asked = request.query
        form = asked.get("form", "html")
        if form not in TYPES:
            return refuse(400, "malformed", f"There is no form {form!r}; there is {', '.join(TYPES)}.")
        period = PeriodRequest(asked.get("shift"), asked.get("date"), asked.get("from"), asked.get("to"))
        try:
            made = await asyncio.to_thread(_made, journal, house(), period, form)
        except UserError as error:
            return refuse(400, "malformed", str(error))
        except JournalError as error:
            return refuse(503, "journal", str(error))
        charset = None if form == "pdf" else "utf-8"
        return web.Response(body=made, content_type=TYPES[form], charset=charset)

    def add(app: web.Application) -> None:
        app.router.add_get("/api/report", answer)
        app.router.add_get("/api/report/shifts", shifts)

    return add


def _made(journal: Path, house: ReportConfig, request: PeriodRequest, form: str) -> bytes:
    """On a thread of its own, from its own view of the journal: the table does not wait.

    Nor does the daemon's start: what makes a report is loaded for the first one.
    """
    from controller.report.forms import FORMS
    from controller.report.ledger import last_moment, read_ledger

    with JournalReader.read(journal) as reader:
        period = requested_period(request, last_moment(reader), house.shifts, house.timezone)
        return FORMS[form](read_ledger(reader, period))
