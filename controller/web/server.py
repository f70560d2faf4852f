"""The page's server: one table's view to any number of screens, and acts from the console back to the table.

    GET  /                    the player display
    GET  /console             the dealer's console
    GET  /report              the shift report, for the floor
    GET  /static/NAME         their files
    GET  /api/view            the view document
    GET  /api/stream          the same as server-sent events: the newest now, then each change; a slow screen skips
    GET  /api/console         the console's document; /api/console/stream the same as server-sent events
    POST /api/login           a name or staff number with a PIN, or a badge, for a token; /api/logout ends it
    POST /api/acts            one input from a person, with the token of his session
    GET  /healthz             for the watchdog

The server knows nothing of games: a `TablePage` has the documents and carries out acts. Off loopback it speaks TLS, and
then it is on loopback as well, without TLS, for programs on the board.
"""

from __future__ import annotations

import asyncio
import hmac
import logging
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial

import msgspec
from aiohttp import web
from aiohttp.typedefs import Handler, Middleware
from msgspec import Struct

from controller.engine.actor import Actor
from controller.operator.act_result import ActResult, Outcome
from controller.operator.authenticator import Denied
from controller.operator.sessions import SignIn, SignIns
from controller.web.assets import Assets
from controller.web.clients import client_of
from controller.web.connections import (
    DEFAULT_CONNECTIONS,
    ConnectionBounds,
    Connections,
    http_log,
)
from controller.web.door import Door
from controller.web.hosts import AllowedHosts
from controller.web.streams import Bounds, Documents, Streams, head_of
from controller.web.tls import PageCertificate

log = logging.getLogger(__name__)

MAX_ACT_BYTES = 16 * 1024
"""The longest lawful input, an amendment of a whole round, is a few kilobytes."""


DEFAULT_BOUNDS = Bounds()


class Answer(Struct, frozen=True):
    """The body of every answer to an act: `why` is a code for programs, `text` a sentence for people."""

    ok: bool
    why: str | None
    text: str


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
    app = web.Application(
        middlewares=[_only_our_hosts(hosts), _explain_refusals],
        client_max_size=MAX_ACT_BYTES,
    )
    app.on_response_prepare.append(_harden)
    app.on_shutdown.append(page.streams.end)
    for path, name in (("/", "index.html"), ("/console", "console.html"), ("/report", "report.html")):
        app.router.add_get(path, partial(page.file, name))
    app.router.add_get("/static/{name}", page.static)
    app.router.add_get("/api/view", page.view)
    app.router.add_get("/api/stream", page.stream, allow_head=False)
    app.router.add_get("/api/console", page.console_document)
    app.router.add_get("/api/console/stream", page.console_stream, allow_head=False)
    app.router.add_post("/api/login", page.login)
    app.router.add_post("/api/logout", page.logout)
    app.router.add_post("/api/acts", page.act)
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
    sign_ins = source.sign_ins
    accepted = Connections(connections, lambda request: sign_ins.is_open(bearer(request)), sign_ins.is_familiar)
    app = create_app(source, bind_host=host, allowed_hosts=allowed_hosts, bounds=bounds, extensions=extensions)
    app.middlewares.insert(0, accepted.follow)
    app.on_response_prepare.append(accepted.mark_stream)
    runner = web.AppRunner(
        app,
        access_log=None,
        logger=http_log,
        shutdown_timeout=bounds.stalled_s,
        keepalive_timeout=connections.idle_s,
        auto_decompress=False,
    )
    async with AsyncExitStack() as stack:
        stack.callback(accepted.end)
        await runner.setup()
        stack.push_async_callback(runner.cleanup)

        async def open_door(host: str, port: int, context: ssl.SSLContext | None) -> str:
            server = runner.server
            assert server is not None
            door = Door(accepted, server, context)
            stack.callback(door.close)
            bound_port = await door.open(host, port)
            scheme = "http" if context is None else "https"
            return f"{scheme}://{f'[{host}]' if ':' in host else host}:{bound_port}/"

        if certificate is None:
            yield await open_door(host, port, None)
        else:
            log.info("the page is at %s", await open_door(host, port, certificate.context))
            watching = asyncio.create_task(certificate.watch(), name="certificate of the page")
            stack.callback(watching.cancel)
            yield await open_door("127.0.0.1", local_port, None)


class _Health(Struct):
    ok: bool
    seq: int
    phase: str
    streams: int


_sign_in = msgspec.json.Decoder(SignIn)
_DENIED = {"locked": 429, "busy": 429, "nobody": 503, "journal": 503}
"""Status of a denial, where it is not just 401."""


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

    async def login(self, request: web.Request) -> web.Response:
        body = await self._json(request)
        if isinstance(body, web.Response):
            return body
        try:
            sign_in = _sign_in.decode(body)
        except (msgspec.MsgspecError, UnicodeDecodeError):
            return refuse(400, "malformed", "Send a name or staff number with its PIN, or a badge.")
        try:
            session = await self._source.sign_ins.sign_in(sign_in, client_of(request))
        except Denied as denied:
            refusal = refuse(_DENIED.get(denied.why, 401), denied.why, denied.text)
            if denied.wait_s:
                refusal.headers["Retry-After"] = str(denied.wait_s)
            return refusal
        return json_response(msgspec.json.encode({"ok": True, **msgspec.to_builtins(session)}))

    async def logout(self, request: web.Request) -> web.Response:
        await self._source.sign_ins.sign_out(bearer(request))
        return _answer(200, Answer(ok=True, why=None, text="Signed out."))

    async def act(self, request: web.Request) -> web.Response:
        who = self._source.sign_ins.who(bearer(request))
        if who is None:
            return refuse(401, "unauthorised", "Sign in first: POST /api/login returns a token for acts.")
        body = await self._json(request)
        if isinstance(body, web.Response):
            return body
        result = await self._source.act(body, who)
        text = result.text if result.changes is None else msgspec.json.encode(result.changes).decode()
        return _answer(_STATUS[result.outcome], Answer(result.ok, result.why, text))

    async def _json(self, request: web.Request) -> bytes | web.Response:
        """The body of a request, or why it is none."""
        if request.content_type != "application/json":
            return refuse(415, "not_json", "Send it as application/json.")
        try:
            async with asyncio.timeout(self._bounds.stalled_s):
                return await request.read()
        except TimeoutError:
            return refuse(408, "too_slow", "It did not arrive whole; nothing was done. Send it again.")

    async def stream(self, request: web.Request) -> web.StreamResponse:
        return await self.streams.answer(request, self._source.view, bearer(request))

    async def console_stream(self, request: web.Request) -> web.StreamResponse:
        return await self.streams.answer(request, self._source.console, bearer(request))


def bearer(request: web.Request) -> str:
    """The token that a request carries, or none."""
    scheme, _, given = request.headers.get("Authorization", "").partition(" ")
    return given if scheme.lower() == "bearer" else ""


def authorised(request: web.Request, token: str) -> bool:
    """Whether a request carries the board's own token: who can read it is on the board already."""
    return token != "" and hmac.compare_digest(bearer(request).encode(), token.encode())


def refuse(status: int, why: str, text: str) -> web.Response:
    return _answer(status, Answer(ok=False, why=why, text=text))


def _answer(status: int, answer: Answer) -> web.Response:
    headers: Mapping[str, str] = {"WWW-Authenticate": 'Bearer realm="cutcard"'} if status == 401 else {}
    return json_response(msgspec.json.encode(answer), status, headers)


def json_response(body: bytes, status: int = 200, headers: Mapping[str, str] | None = None) -> web.Response:
    return web.Response(status=status, body=body, content_type="application/json", headers=headers)


def _only_our_hosts(hosts: AllowedHosts) -> Middleware:
    @web.middleware
    async def check(request: web.Request, handler: Handler) -> web.StreamResponse:
        if not hosts.allow(request.headers.get("Host")):
            raise web.HTTPMisdirectedRequest(
                text="This table does not answer to that name. Add it to the allowed hosts of the page if it should."
            )
        origin = request.headers.get("Origin")
        is_ours = origin is None or origin.partition("://")[2].lower() == request.headers["Host"].lower()
        if request.method not in ("GET", "HEAD") and not is_ours:
            # A browser states here whose page asks. Acts need a token as well, which no other page has.
            raise web.HTTPForbidden(text="Another site's page may not ask this table.")
        return await handler(request)

    return check


@web.middleware
async def _explain_refusals(request: web.Request, handler: Handler) -> web.StreamResponse:
    """A console reads JSON, also when it is the framework that refuses."""
    try:
        return await handler(request)
    except web.HTTPException as refusal:
        if request.path not in ("/api/acts", "/api/login", "/api/logout"):
            raise
        why = refusal.reason.lower().replace(" ", "_")
        return refuse(refusal.status, why, f"{refusal.reason}. An act is a POST of at most {MAX_ACT_BYTES} bytes.")


_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Server": "Cutcard",
}


async def _harden(request: web.Request, response: web.StreamResponse) -> None:
    response.headers.update(_HEADERS)
    response.headers.setdefault("Cache-Control", "no-store")
    if request.secure:
        response.headers["Strict-Transport-Security"] = "max-age=31536000"
