"""The page's server: one table's view to any number of screens, and acts from the console back to the table.

    GET  /                    the player display
    GET  /console             the dealer's console
    GET  /report              the shift report, for the floor
    GET  /static/NAME         their files
    GET  /api/view            the view document
    GET  /api/stream          the same as server-sent events: the newest now, then each change; a slow screen skips
    GET  /api/words/TAG       the words of a language (`words`); /api/words: which there are
    GET  /api/console         the console's document; /api/console/stream the same as server-sent events
    POST /api/login           a name or staff number with a PIN, or a badge, for a token; /api/logout ends it
    POST /api/acts            one input from a person, with the token of his session
    POST /api/slips           several as one, bound to what the table waited for: all of them, or none
    GET  /healthz             for the watchdog

The server knows nothing of games: a `TablePage` has the documents and carries out acts. Off loopback it speaks TLS, and
then it is on loopback as well, without TLS, for programs on the board.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping
from contextlib import asynccontextmanager
from functools import partial

import msgspec
from aiohttp import web
from msgspec import Struct

from controller.engine.actor import Actor
from controller.operator.act_result import ActResult, Outcome
from controller.operator.sessions import SignIns
from controller.web.assets import Assets
from controller.web.connections import DEFAULT_CONNECTIONS, ConnectionBounds
from controller.web.hosts import AllowedHosts
from controller.web.pages import (
    Answer,
    SignInRoutes,
    answer,
    bearer,
    json_body,
    json_response,
    new_application,
    refuse,
    serve_application,
)
from controller.web.streams import Bounds, Documents, Streams, head_of
from controller.web.tls import PageCertificate
from controller.web.words import Words

DEFAULT_BOUNDS = Bounds()


_STATUS: Mapping[Outcome, int] = {
    "done": 200,
    "malformed": 400,
    "not_allowed": 403,
    "refused": 409,
    "starting": 503,
    "not_written": 503,
}


class TablePage(Struct, frozen=True):
    """What the server needs of a table."""

    view: Documents
    console: Documents
    """The documents of the dealer's console."""
    sign_ins: SignIns
    """Who may act."""
    act: Callable[[bytes, Actor], Awaitable[ActResult]]
    """Carries out one input from a person who has signed in."""
    slip: Callable[[bytes, Actor], Awaitable[ActResult]]
    """Carries out several as one: all of them, or none."""
    words: Words = Words()
    """The languages of the pages."""


Extension = Callable[[web.Application], None]
"""Adds routes of its own to the application. `authorised` and `refuse` are for them too."""


def create_app(
    source: TablePage,
    *,
    bind_host: str = "127.0.0.1",
    allowed_hosts: AllowedHosts | Iterable[str] = (),
    bounds: Bounds = DEFAULT_BOUNDS,
    extensions: Iterable[Extension] = (),
) -> web.Application:
    """The application; `allowed_hosts` are the names, besides loopback and `bind_host`, by which screens reach it."""
    page = _Page(source, bounds)
    hosts = allowed_hosts if isinstance(allowed_hosts, AllowedHosts) else AllowedHosts(bind_host, allowed_hosts)
    app = new_application(hosts)
    app.on_shutdown.append(page.streams.end)
    for path, name in (("/", "index.html"), ("/console", "console.html"), ("/report", "report.html")):
        app.router.add_get(path, partial(page.file, name))
    app.router.add_get("/static/{name}", page.static)
    app.router.add_get("/api/view", page.view)
    app.router.add_get("/api/stream", page.stream, allow_head=False)
    app.router.add_get("/api/console", page.console_document)
    app.router.add_get("/api/console/stream", page.console_stream, allow_head=False)
    source.words.add_to(app)
    SignInRoutes(source.sign_ins, bounds.stalled_s).add_to(app)
    app.router.add_post("/api/acts", partial(page.act, source.act))
    app.router.add_post("/api/slips", partial(page.act, source.slip))
    app.router.add_get("/healthz", page.health)
    for extend in extensions:
        extend(app)
    return app


@asynccontextmanager
async def serve(
    source: TablePage,
    *,
    host: str = "127.0.0.1",
    port: int = 0,
    certificate: PageCertificate | None = None,
    local_port: int = 0,
    allowed_hosts: AllowedHosts | Iterable[str] = (),
    bounds: Bounds = DEFAULT_BOUNDS,
    connections: ConnectionBounds = DEFAULT_CONNECTIONS,
    extensions: Iterable[Extension] = (),
) -> AsyncIterator[str]:
    """Serve while the block runs; yields the page's address for programs on this machine. Port 0 takes a free one.

    With a certificate, host and port are for TLS, and `local_port` is for loopback without it.
    """
    app = create_app(source, bind_host=host, allowed_hosts=allowed_hosts, bounds=bounds, extensions=extensions)
    serving = serve_application(
        app,
        source.sign_ins,
        host=host,
        port=port,
        certificate=certificate,
        local_port=local_port,
        stalled_s=bounds.stalled_s,
        connections=connections,
    )
    async with serving as address:
        yield address


class _Health(Struct):
    ok: bool
    seq: int
    phase: str
    streams: int


class _Page:
    """The handlers of one table's page."""

    def __init__(self, source: TablePage, bounds: Bounds) -> None:
        self._source = source
        self._bounds = bounds
        self._assets = Assets()
        self.streams = Streams(bounds, self._assets.build, source.sign_ins.is_open)

    async def file(self, name: str, request: web.Request) -> web.Response:
        return self._assets.by_name[name].response(request)

    async def static(self, request: web.Request) -> web.Response:
        asset = self._assets.by_name.get(request.match_info["name"])
        if asset is None:
            raise web.HTTPNotFound(text="There is no such file.")
        return asset.response(request)

    async def view(self, request: web.Request) -> web.Response:
        return json_response(self._source.view.current())

    async def health(self, request: web.Request) -> web.Response:
        head = head_of(self._source.view.current())
        health = _Health(ok=True, seq=head.seq, phase=head.phase, streams=len(self.streams))
        return json_response(msgspec.json.encode(health))

    async def console_document(self, request: web.Request) -> web.Response:
        return json_response(self._source.console.current())

    async def act(
        self, carry_out: Callable[[bytes, Actor], Awaitable[ActResult]], request: web.Request
    ) -> web.Response:
        who = self._source.sign_ins.who(bearer(request))
        if who is None:
            return refuse(401, "unauthorised", "Sign in first: POST /api/login returns a token for acts.")
        body = await json_body(request, self._bounds.stalled_s)
        if isinstance(body, web.Response):
            return body
        result = await carry_out(body, who)
        text = result.text if result.changes is None else msgspec.json.encode(result.changes).decode()
        return answer(_STATUS[result.outcome], Answer(result.ok, result.why, text))

    async def stream(self, request: web.Request) -> web.StreamResponse:
        return await self.streams.answer(request, self._source.view, bearer(request))

    async def console_stream(self, request: web.Request) -> web.StreamResponse:
        return await self.streams.answer(request, self._source.console, bearer(request))
