"""The books and the count sheets over HTTP. docs/floor/books.md is their page."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Literal

import msgspec
from aiohttp import web
from msgspec import Struct
from sqlalchemy import Engine
from sqlalchemy.exc import SQLAlchemyError

from controller.contract import Actor
from controller.errors import UserError
from controller.web.pages import json_response, refuse
from floor.answers import Refused
from floor.books import counts, forms, words
from floor.books.house import staff_of_page
from floor.books.lines import Books
from floor.books.make import books
from floor.books.scope import Scope, narrowed, of_day, of_month, of_shift
from floor.config import FloorConfig
from floor.live.live_tables import LiveTables
from floor.store.database import reading
from floor.web.attention import natural
from floor.web.gate import FLOOR, SUPERVISORS, Gate, done, encode, expect_role

_AT_ONCE = 2
"""Books that are made at a time: the tiles must not wait for them."""
_TYPES = {"html": "text/html", "csv": "text/csv", "pdf": "application/pdf", "json": "application/json"}


class Asked(Struct, frozen=True, forbid_unknown_fields=True):
    """Which books; empty: not narrowed."""

    span: Literal["shift", "day", "month"] = "day"
    when: str = ""
    """A gaming day, 2026-11-18; of a month 2026-11."""
    shift: str = ""
    table: str = ""
    section: str = ""
    game: str = ""
    dealer: str = ""
    test: bool = False
    form: Literal["html", "csv", "pdf", "json"] = "html"
    part: str = ""


class Choices(Struct, frozen=True):
    """What the books may be of."""

    today: str
    shifts: list[str]
    sections: list[str]
    tables: list[str]
    games: dict[str, str]
    """Titles of the games that are at a table now, by ruleset."""
    parts: tuple[str, ...]
    test: bool
    """Whether every table is in test mode."""


class Sheet(Struct, frozen=True, forbid_unknown_fields=True):
    """A whole count sheet as CSV, or one box that is keyed."""

    csv: str = ""
    file: str = "the sheet"
    table: str = ""
    box_id: str = ""
    amount: str = ""
    counted_by: str = ""
    counted_at: str = ""
    seal: str = ""
    note: str = ""


class BookRoutes:
    """The handlers."""

    def __init__(
        self, config: FloorConfig, engine: Engine, tables: LiveTables, gate: Gate, clock: Callable[[], int]
    ) -> None:
        self._config, self._engine, self._tables, self._gate, self._clock = config, engine, tables, gate, clock
        self._making = asyncio.Semaphore(_AT_ONCE)

    def add_to(self, app: web.Application) -> None:
        app.router.add_get("/api/books", self.books)
        app.router.add_get("/api/books/choices", self.choices)
        app.router.add_post("/api/counts", self.count)

    async def choices(self, request: web.Request) -> web.Response:
        refusal = self._gate.refusal(request, SUPERVISORS)
        if refusal is not None:
            return refusal
        states = {name: table.state for name, table in self._tables.all.items() if table.state is not None}
        choices = Choices(
            today=self._config.calendar.day(self._clock()),
            shifts=list(self._config.shifts),
            sections=list(self._config.sections),
            tables=sorted(states, key=natural),
            games=dict(sorted({state.ruleset: state.title for state in states.values()}.items())),
            parts=words.PARTS,
            test=bool(states) and all(state.test for state in states.values()),
        )
        return json_response(encode(choices))

    async def books(self, request: web.Request) -> web.Response:
        refusal = self._gate.refusal(request, SUPERVISORS)
        if refusal is not None:
            return refusal
        try:
            asked = msgspec.convert(dict(request.query), Asked, strict=False)
            scope = self._scope(asked)
            async with self._making:
                made = await asyncio.to_thread(self._make, scope)
            body = await asyncio.to_thread(self._form, made, asked)
        except msgspec.ValidationError as error:
            return refuse(400, "malformed", f"These are no books: {error}.")
        except UserError as error:
            return refuse(400, "malformed", str(error))
        except SQLAlchemyError:
            return refuse(503, "store_away", "The store is away. Try again.")
        charset = None if asked.form in ("pdf", "json") else "utf-8"
        return web.Response(body=body, content_type=_TYPES[asked.form], charset=charset)

    def _scope(self, asked: Asked) -> Scope:
        config, sites = self._config, (self._config.site,)
        day = asked.when or config.calendar.day(self._clock())
        match asked.span:
            case "month":
                scope = of_month(sites, day[:7])
            case "shift":
                scope = of_shift(sites, day, asked.shift, config.shifts, config.calendar)
            case _:
                scope = of_day(sites, day)
        return narrowed(
            scope,
            config.sections,
            tables=(asked.table,) if asked.table else (),
            section=asked.section,
            game=asked.game,
            dealer=asked.dealer or None,
            test=asked.test,
        )

    def _make(self, scope: Scope) -> Books:
        with reading(self._engine) as connection:
            return books(connection, scope, self._config, staff_of_page(Path(self._config.page.staff)))

    def _form(self, made: Books, asked: Asked) -> bytes:
        zone = self._config.day.timezone
        parts = (asked.part,) if asked.part else words.PARTS
        match asked.form:
            case "csv":
                return forms.csv(made, zone, parts)
            case "pdf":
                return forms.pdf(made, zone, parts)
            case "json":
                return forms.json(made)
            case _:
                return forms.html(made, zone, parts)

    async def count(self, request: web.Request) -> web.Response:
        async def work(who: Actor, body: bytes) -> web.Response:
            expect_role(who, FLOOR, "enter a count sheet")
            sheet = msgspec.json.decode(body, type=Sheet)
            try:
                lines = await asyncio.to_thread(self._lines, sheet)
            except counts.Refused as refused:
                raise Refused("not_taken", str(refused)) from None
            await self._gate.record(who, "counted", table=sheet.table, subject=sheet.box_id or sheet.file)
            entered = counts.Entered(self._config.site, self._config.calendar, who.by, self._clock())
            taken = await asyncio.to_thread(counts.enter, self._engine, lines, entered)
            boxes = "1 box" if taken == 1 else f"{taken} boxes"
            return done(f"{boxes} taken." if taken else "This sheet is there already: nothing is changed.")

        return await self._gate.carry_out(request, work)

    def _lines(self, sheet: Sheet) -> list[counts.SheetLine]:
        tables, now = counts.known_tables(self._engine, self._config.site), self._clock()
        if sheet.csv:
            return counts.read_sheet(sheet.csv, sheet.file, tables, self._config.calendar, now)
        cells = {name: getattr(sheet, name) for name in counts.COLUMNS}
        return [counts.keyed(cells, tables, self._config.calendar, now)]
