"""The floor page's server.

    GET  /                      the tiles; /table/NAME the same page, opened at one table
    GET  /static/NAME           its files
    GET  /api/floor             every tile; /api/floor/stream the same as server-sent events: all now, then what changed
    GET  /api/tables/TABLE      one table, with its last rounds; /api/tables/TABLE/rounds/JOURNAL/N one step by step
    GET  /api/decks             the cards of the room; /api/apart what was kept apart
    GET  /api/marks             moments to compare with; POST sets one; GET /api/marks/ID what happened since
    GET  /api/certificates      until when those of the tables are good
    GET  /api/updates           updates by a plan; POST takes a plan, /api/updates/act starts or stops one
    POST /api/orders            a command for a table, a section or the house
    GET  /books                 the books; /api/books in any form, /api/books/choices what they may be of
    POST /api/counts            what the count room found, keyed or as a sheet
    POST /api/drop              begins or ends a drop; POST /api/room-alarms acknowledges an alarm of the room
    POST /api/login             for a token; /api/logout ends it
    GET  /healthz               for the watchdog

Everything but the tiles is for people who have signed in; with `public = false` the tiles too.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Literal

import msgspec
from aiohttp import web
from msgspec import Struct
from sqlalchemy import Engine
from sqlalchemy.exc import SQLAlchemyError

from controller.contract import Actor
from controller.operator.roles import Role
from controller.operator.sessions import SignIn
from controller.web.assets import Assets
from controller.web.hosts import AllowedHosts
from controller.web.pages import (
    SignInRoutes,
    bearer,
    json_response,
    new_application,
    refuse,
)
from controller.web.streams import Bounds, Streams
from floor.answers import Answered
from floor.commands.orders import Orders, decode_order
from floor.config import FloorConfig
from floor.live.live_tables import LiveTables
from floor.people import People
from floor.queries.certificates import TableCertificate, certificates
from floor.queries.marks import Mark, Since, marks, since
from floor.queries.overview import Kept, quarantine
from floor.rollout.running import Rollouts
from floor.room.decks import deck_ledger
from floor.room.watch import RoomWatch
from floor.store.database import reading
from floor.store.marks import set_mark
from floor.store.page_acts import PageAct
from floor.web.board import Board
from floor.web.book_routes import BookRoutes
from floor.web.detail import detail_of, read_history, read_steps
from floor.web.gate import FLOOR, PATIENCE_S, WATCHERS, Gate, done, encode, expect_role, sign_in_first, store_away

BOUNDS = Bounds(max_streams=32, max_of_client=16, max_consoles=64, heartbeat_s=0.4, stalled_s=PATIENCE_S)
"""A screen calls itself stale after two and a half heartbeats: one second."""
MOST_BYTES = 64 * 1024
"""Of a request: a count sheet of a whole house."""
_POSTS = tuple(
    f"/api/{name}"
    for name in ("login", "logout", "orders", "drop", "marks", "room-alarms", "counts", "updates", "updates/act")
)


class Parts(Struct, frozen=True):
    """What the server needs."""

    config: FloorConfig
    engine: Engine
    tables: LiveTables
    board: Board
    people: People
    orders: Orders
    room: RoomWatch
    rollouts: Rollouts
    clock: Callable[[], int]


class Ordered(Struct, frozen=True):
    """What became of an order, table by table."""

    ok: bool
    answers: list[Answered]


class NewMark(Struct, frozen=True, forbid_unknown_fields=True):
    name: str = ""


class DropAct(Struct, frozen=True, forbid_unknown_fields=True):
    """Begins or ends a drop. `second`: the other person, who signs in for this."""

    do: Literal["begin", "end"]
    second: SignIn = SignIn()
    reason: str = ""


class NewPlan(Struct, frozen=True, forbid_unknown_fields=True):
    plan: str
    """As `cutcard reference plan` prints it."""


class UpdateAct(Struct, frozen=True, forbid_unknown_fields=True):
    id: str
    do: Literal["start", "stop"]


class SeenRoomAlarm(Struct, frozen=True, forbid_unknown_fields=True):
    id: str


class Compared(Struct, frozen=True):
    """A mark, and what happened since."""

    mark: Mark
    now: int
    test: bool
    tables: list[Since]


def create_app(parts: Parts) -> web.Application:
    """The application, without a door yet."""
    settings = parts.config.page
    page = _Page(parts)
    app = new_application(AllowedHosts(settings.host, settings.allowed_hosts), _POSTS, MOST_BYTES)
    app.on_shutdown.append(page.streams.end)
    app.router.add_get("/", page.index)
    app.router.add_get("/table/{table}", page.index)
    app.router.add_get("/static/{name}", page.static)
    app.router.add_get("/books", page.books)
    app.router.add_get("/api/floor", page.floor)
    app.router.add_get("/api/floor/stream", page.stream, allow_head=False)
    app.router.add_get("/api/tables/{table}", page.table)
    app.router.add_get("/api/tables/{table}/rounds/{journal}/{round:[0-9]{1,12}}", page.round)
    app.router.add_get("/api/decks", page.decks)
    app.router.add_get("/api/apart", page.apart)
    app.router.add_get("/api/marks", page.marks)
    app.router.add_get("/api/marks/{mark}", page.compare)
    app.router.add_post("/api/marks", page.set_mark)
    app.router.add_get("/api/certificates", page.certificates)
    app.router.add_get("/api/updates", page.updates)
    app.router.add_post("/api/updates", page.plan)
    app.router.add_post("/api/updates/act", page.act_on_update)
    app.router.add_post("/api/orders", page.order)
    app.router.add_post("/api/drop", page.drop)
    app.router.add_post("/api/room-alarms", page.acknowledge)
    BookRoutes(parts.config, parts.engine, parts.tables, page.gate, parts.clock).add_to(app)
    SignInRoutes(parts.people.sign_ins, PATIENCE_S).add_to(app)
    app.router.add_get("/healthz", page.health)
    return app


class _Page:
    """The handlers."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self.gate = Gate(parts.people, parts.clock)
        self._assets = Assets("floor.web")
        self.streams = Streams(BOUNDS, self._assets.build, parts.people.sign_ins.is_open)

    # Files and tiles

    async def index(self, request: web.Request) -> web.Response:
        return self._assets.by_name["floor.html"].response(request)

    async def books(self, request: web.Request) -> web.Response:
        return self._assets.by_name["books.html"].response(request)

    async def static(self, request: web.Request) -> web.Response:
        asset = self._assets.by_name.get(request.match_info["name"])
        if asset is None:
            raise web.HTTPNotFound(text="There is no such file.")
        return asset.response(request)

    async def health(self, request: web.Request) -> web.Response:
        return json_response(encode({"ok": True, "streams": len(self.streams)}))

    async def floor(self, request: web.Request) -> web.Response:
        refusal = self._may_watch(request)
        return refusal or json_response(self._parts.board.document())

    async def stream(self, request: web.Request) -> web.StreamResponse:
        refusal = self._may_watch(request)
        return refusal or await self.streams.follow(request, self._parts.board, bearer(request))

    def _may_watch(self, request: web.Request) -> web.Response | None:
        if self._parts.config.page.public or self._parts.people.sign_ins.is_open(bearer(request)):
            return None
        return sign_in_first()

    # One table

    async def table(self, request: web.Request) -> web.Response:
        refusal, name = self.gate.refusal(request), request.match_info["table"]
        if refusal is not None:
            return refusal
        table, now = self._parts.tables.get(name), self._parts.clock()
        if table is None:
            return refuse(404, "no_such_table", f"There is no table {name} here.")
        try:
            history = await asyncio.to_thread(read_history, self._parts.engine, self._parts.config, name, now)
        except SQLAlchemyError:
            return json_response(encode(detail_of(table, None, now)))
        return json_response(encode(detail_of(table, history, now)))

    async def round(self, request: web.Request) -> web.Response:
        refusal, where = self.gate.refusal(request), request.match_info
        if refusal is not None:
            return refusal
        site, number = self._parts.config.site, int(where["round"])
        return await self.gate.read(read_steps, self._parts.engine, site, where["table"], where["journal"], number)

    async def decks(self, request: web.Request) -> web.Response:
        return self.gate.refusal(request) or json_response(encode(deck_ledger(self._parts.tables)))

    async def apart(self, request: web.Request) -> web.Response:
        return self.gate.refusal(request) or await self.gate.read(self._read_apart)

    def _read_apart(self) -> list[Kept]:
        with reading(self._parts.engine) as connection:
            return quarantine(connection, self._parts.config.site)

    async def certificates(self, request: web.Request) -> web.Response:
        return self.gate.refusal(request) or await self.gate.read(self._read_certificates)

    def _read_certificates(self) -> list[TableCertificate]:
        with reading(self._parts.engine) as connection:
            return certificates(connection, self._parts.config.site, self._parts.config.boards)

    # Marks

    async def marks(self, request: web.Request) -> web.Response:
        return self.gate.refusal(request) or await self.gate.read(self._read_marks)

    def _read_marks(self) -> list[Mark]:
        with reading(self._parts.engine) as connection:
            return marks(connection, self._parts.config.site)

    async def compare(self, request: web.Request) -> web.Response:
        refusal = self.gate.refusal(request)
        if refusal is not None:
            return refusal
        is_test = request.query.get("test") == "1"
        return await self.gate.read(self._compare, request.match_info["mark"], is_test)

    def _compare(self, number: str, is_test: bool) -> Compared | None:
        site = self._parts.config.site
        with reading(self._parts.engine) as connection:
            found = next((each for each in marks(connection, site) if each.id == number), None)
            if found is None:
                return None
            return Compared(found, self._parts.clock(), is_test, since(connection, site, number, test=is_test))

    async def set_mark(self, request: web.Request) -> web.Response:
        async def work(who: Actor, body: bytes) -> web.Response:
            expect_role(who, WATCHERS, "set a mark")
            name = msgspec.json.decode(body, type=NewMark).name[:64].strip()
            now, site = self._parts.clock(), self._parts.config.site
            number = await asyncio.to_thread(set_mark, self._parts.engine, site, name, who.by, now)
            await self.gate.record(who, "mark_set", subject=name)
            return json_response(encode({"ok": True, "id": number, "at": now}))

        return await self.gate.carry_out(request, work)

    # Orders

    async def order(self, request: web.Request) -> web.Response:
        async def work(who: Actor, body: bytes) -> web.Response:
            order = decode_order(body)
            # What is not recorded is not done; the answers follow in rows of their own.
            about = order.alarm or order.name or order.reason
            scope = ", ".join(order.scope.tables) or order.scope.section or "house"
            await self.gate.record(who, f"order_{order.command}", subject=f"{scope}: {about}" if about else scope)
            answers = await self._parts.orders.carry_out(order, who.name, Role(who.role))
            await self._parts.people.record(
                [
                    PageAct(
                        at=self._parts.clock(),
                        by=who.by,
                        client=who.at,
                        act=order.command,
                        table=each.table,
                        subject=each.subject or about,
                        ok=each.ok,
                        why=each.why,
                        text=each.text,
                    )
                    for each in answers
                ]
            )
            return json_response(encode(Ordered(all(each.ok for each in answers), answers)))

        return await self.gate.carry_out(request, work)

    # Updates

    async def updates(self, request: web.Request) -> web.Response:
        refusal = self.gate.refusal(request)
        if refusal is not None:
            return refusal
        try:
            return json_response(encode(await self._parts.rollouts.shown()))
        except SQLAlchemyError:
            return store_away()

    async def plan(self, request: web.Request) -> web.Response:
        async def work(who: Actor, body: bytes) -> web.Response:
            expect_role(who, FLOOR, "update tables")
            await self.gate.record(who, "update_planned")
            number = await self._parts.rollouts.plan(msgspec.json.decode(body, type=NewPlan).plan, who)
            return json_response(encode({"ok": True, "id": number}))

        return await self.gate.carry_out(request, work)

    async def act_on_update(self, request: web.Request) -> web.Response:
        async def work(who: Actor, body: bytes) -> web.Response:
            expect_role(who, FLOOR, "update tables")
            act = msgspec.json.decode(body, type=UpdateAct)
            await self.gate.record(who, f"update_{act.do}", subject=act.id)
            if act.do == "start":
                await self._parts.rollouts.start(act.id, who)
                return done("It runs.")
            await self._parts.rollouts.stop(act.id, who)
            return done("It was stopped.")

        return await self.gate.carry_out(request, work)

    # The room

    async def drop(self, request: web.Request) -> web.Response:
        async def work(who: Actor, body: bytes) -> web.Response:
            act, room, now = msgspec.json.decode(body, type=DropAct), self._parts.room, self._parts.clock()
            expect_role(who, FLOOR, "begin or end a drop")
            if act.do == "end":
                await asyncio.to_thread(room.drops.end, who.by, now)
                await self.gate.record(who, "drop_ends")
            else:
                second = await self._parts.people.identify(act.second, who.at)
                reason = act.reason.strip()[:200]
                await asyncio.to_thread(room.drops.begin, who.by, second.by, reason, now)
                await self.gate.record(who, "drop_begins", subject=second.by, text=reason)
            await room.look()
            return done("The drop has begun or ended.")

        return await self.gate.carry_out(request, work)

    async def acknowledge(self, request: web.Request) -> web.Response:
        async def work(who: Actor, body: bytes) -> web.Response:
            number, room = msgspec.json.decode(body, type=SeenRoomAlarm).id, self._parts.room
            expect_role(who, ("floor", "technician"), "acknowledge")
            alarm = await asyncio.to_thread(room.room_alarms.acknowledge, number, who.by, self._parts.clock())
            await self.gate.record(who, "room_alarm_acknowledged", table=alarm.table, subject=alarm.text)
            await room.look()
            return done("Acknowledged.")

        return await self.gate.carry_out(request, work)
