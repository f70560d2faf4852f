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

The server knows nothing of games: a `TablePage` has the documents and carries out acts. A stream also sends "alive" at
regular intervals and states when the next one comes: a browser shows a half-open connection as open for hours, and a
screen must be able to tell a quiet table from a dead wire.
"""

from __future__ import annotations

import asyncio
import hmac
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Iterable, Mapping
from contextlib import aclosing, asynccontextmanager, suppress
from functools import partial
from typing import Protocol

import msgspec
from aiohttp import web
from aiohttp.typedefs import Handler, Middleware
from msgspec import Struct

from controller.operator.act_result import ActResult, Outcome
from controller.operator.authenticator import Denied
from controller.operator.sessions import SignIn, SignIns
from controller.operator.staff import Person
from controller.web.assets import Assets
from controller.web.clients import client_of
from controller.web.hosts import AllowedHosts

MAX_ACT_BYTES = 16 * 1024
"""The longest lawful input, an amendment of a whole round, is a few kilobytes."""


class Bounds(Struct, frozen=True):
    """The limits of the server."""

    max_streams: int = 64
    heartbeat_s: float = 2.0
    """A screen calls itself stale after two and a half of these without a sign."""
    stalled_s: float = 15.0
    """A screen or console that takes no data for this long is gone; a screen reconnects by itself."""


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


class Documents(Protocol):
    """A document that changes; `controller.web.feed` has them."""

    def current(self) -> bytes:
        """The document as JSON."""

    def subscribe(self) -> AsyncIterator[bytes]:
        """The newest at once, then whenever it changed; what a slow reader missed is not kept."""


class TablePage(Struct, frozen=True):
    """What the server needs of a table."""

    view: Documents
    console: Documents
    """The documents of the dealer's console."""
    sign_ins: SignIns
    """Who may act."""
    act: Callable[[bytes, Person], Awaitable[ActResult]]
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
    app.on_shutdown.append(page.end_streams)
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
    allowed_hosts: AllowedHosts | Iterable[str] = (),
    bounds: Bounds = DEFAULT_BOUNDS,
    extensions: Iterable[Extension] = (),
) -> AsyncIterator[str]:
    """Serve while the block runs; yields the page's address. Port 0 takes a free one."""
    app = create_app(source, bind_host=host, allowed_hosts=allowed_hosts, bounds=bounds, extensions=extensions)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=bounds.stalled_s)
    await runner.setup()
    try:
        await web.TCPSite(runner, host, port).start()
        bound_port: int = runner.addresses[0][1]
        yield f"http://{f'[{host}]' if ':' in host else host}:{bound_port}/"
    finally:
        await runner.cleanup()


class _Head(Struct):
    """As much of a view document as the server looks at."""

    seq: int
    phase: str


class _Health(Struct):
    ok: bool
    seq: int
    phase: str
    streams: int


class _Alive(Struct):
    """The heartbeat: the longest silence to expect, and which page this server serves."""

    next_ms: int
    build: str


_head = msgspec.json.Decoder(_Head)
_sign_in = msgspec.json.Decoder(SignIn)
_DENIED = {"locked": 429, "busy": 429, "nobody": 503, "journal": 503}
"""Status of a denial, where it is not just 401."""


class _Page:
    """The handlers of one table's page."""

    def __init__(self, source: TablePage, bounds: Bounds) -> None:
        self._source = source
        self._bounds = bounds
        self._assets = Assets()
        self._streams: set[asyncio.Transport] = set()
        self._ending = asyncio.Event()
        alive = _Alive(next_ms=round(bounds.heartbeat_s * 1000), build=self._assets.build)
        self._alive = b": heartbeat\nevent: alive\ndata: " + msgspec.json.encode(alive) + b"\n\n"

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
        head = _head.decode(self._source.view.current())
        health = _Health(ok=True, seq=head.seq, phase=head.phase, streams=self._live_streams())
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
        return await self._stream(request, self._source.view)

    async def console_stream(self, request: web.Request) -> web.StreamResponse:
        return await self._stream(request, self._source.console)

    async def _stream(self, request: web.Request, documents: Documents) -> web.StreamResponse:
        if self._ending.is_set() or self._live_streams() >= self._bounds.max_streams:
            raise web.HTTPServiceUnavailable(text="Too many screens watch this table.", headers={"Retry-After": "5"})
        transport = request.transport
        if transport is None:
            raise ConnectionResetError("The screen left before it was answered")
        self._streams.add(transport)
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
        changes = _changes_and_beats(documents.subscribe(), self._bounds.heartbeat_s, self._ending)
        try:
            await response.prepare(request)
            await self._send(response, self._alive)
            async with aclosing(changes):
                async for change in changes:
                    await self._send(response, self._alive if change is None else _event(change))
        except (ConnectionError, TimeoutError):
            # Gone, or it hangs. Nothing more can be sent to it; a living screen asks again.
            transport.abort()
        finally:
            self._streams.discard(transport)
        return response

    async def end_streams(self, app: web.Application) -> None:
        self._ending.set()

    async def _send(self, response: web.StreamResponse, data: bytes) -> None:
        async with asyncio.timeout(self._bounds.stalled_s):
            await response.write(data)

    def _live_streams(self) -> int:
        """A closed connection no longer counts, though its handler only learns of it at its next write."""
        return sum(not transport.is_closing() for transport in self._streams)


async def _changes_and_beats(
    documents: AsyncIterator[bytes], beat_s: float, ending: asyncio.Event
) -> AsyncGenerator[bytes | None, None]:
    """Each change, and null for each beat without one, until the server or the source ends."""
    end = asyncio.create_task(ending.wait())
    change = asyncio.create_task(_next(documents))
    try:
        while not end.done():
            # Not `wait_for`: its timeout would cancel the pending change and with it the source's subscription.
            await asyncio.wait({end, change}, timeout=beat_s, return_when=asyncio.FIRST_COMPLETED)
            if not change.done():
                yield None
            elif (document := change.result()) is None:
                return
            else:
                yield document
                change = asyncio.create_task(_next(documents))
    finally:
        for pending in (end, change):
            pending.cancel()
            with suppress(asyncio.CancelledError):
                await pending
        if isinstance(documents, AsyncGenerator):
            await documents.aclose()


async def _next(changes: AsyncIterator[bytes]) -> bytes | None:
    return await anext(changes, None)


def _event(document: bytes) -> bytes:
    lines = b"".join(b"data: " + line + b"\n" for line in document.splitlines())
    return b"event: view\nid: %d\n%s\n" % (_head.decode(document).seq, lines)


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
}


async def _harden(request: web.Request, response: web.StreamResponse) -> None:
    response.headers.update(_HEADERS)
    response.headers.setdefault("Cache-Control", "no-store")
