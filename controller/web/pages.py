"""What every page's server has: who may ask it, how it answers, and how it is reached.

The table's page (`server`) and the page of the floor (`floor.web`) are both made of this: the names that they answer
to, the headers of their answers, signing in and out, and the doors. Off loopback a page speaks TLS, and then it is on
loopback as well, without TLS, for programs on the same machine.
"""

from __future__ import annotations

import asyncio
import hmac
import logging
import ssl
from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager

import msgspec
from aiohttp import web
from aiohttp.typedefs import Handler, Middleware
from msgspec import Struct

from controller.operator.authenticator import Denied
from controller.operator.sessions import SignIn, SignIns
from controller.web.clients import client_of
from controller.web.connections import ConnectionBounds, Connections, http_log
from controller.web.door import Door
from controller.web.hosts import AllowedHosts
from controller.web.tls import PageCertificate

log = logging.getLogger(__name__)

MAX_ACT_BYTES = 16 * 1024
"""The longest lawful input, an amendment of a whole round, is a few kilobytes."""

ACTS = ("/api/acts", "/api/slips", "/api/login", "/api/logout")
"""Where a refusal is JSON, also when it is the framework that refuses."""


class Answer(Struct, frozen=True):
    """The body of every answer to an act: `why` is a code for programs, `text` a sentence for people."""

    ok: bool
    why: str | None
    text: str


def new_application(
    hosts: AllowedHosts, acts: Iterable[str] = ACTS, most_bytes: int = MAX_ACT_BYTES
) -> web.Application:
    """An application without a route yet; `acts`: paths whose refusals are JSON; `most_bytes`: the size of one."""
    middlewares = [_only_our_hosts(hosts), _explain_refusals(acts, most_bytes)]
    app = web.Application(middlewares=middlewares, client_max_size=most_bytes)
    app.on_response_prepare.append(_harden)
    return app


@asynccontextmanager
async def serve_application(
    app: web.Application,
    sign_ins: SignIns,
    *,
    host: str,
    port: int,
    certificate: PageCertificate | None,
    local_port: int,
    stalled_s: float,
    connections: ConnectionBounds,
) -> AsyncIterator[str]:
    """Serve while the block runs; yields the page's address for programs on this machine. Port 0 takes a free one.

    With a certificate, host and port are for TLS, and `local_port` is for loopback without it.
    """
    accepted = Connections(connections, lambda request: sign_ins.is_open(bearer(request)), sign_ins.is_familiar)
    app.middlewares.insert(0, accepted.follow)
    app.on_response_prepare.append(accepted.mark_stream)
    runner = web.AppRunner(
        app,
        access_log=None,
        logger=http_log,
        shutdown_timeout=stalled_s,
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


_sign_in = msgspec.json.Decoder(SignIn)
_DENIED = {"locked": 429, "busy": 429, "nobody": 503, "journal": 503}
"""Status of a denial, where it is not just 401."""


class SignInRoutes:
    """Signing in for a token, and out again."""

    def __init__(self, sign_ins: SignIns, patience_s: float) -> None:
        self._sign_ins, self._patience_s = sign_ins, patience_s

    def add_to(self, app: web.Application) -> None:
        app.router.add_post("/api/login", self.login)
        app.router.add_post("/api/logout", self.logout)

    async def login(self, request: web.Request) -> web.Response:
        body = await json_body(request, self._patience_s)
        if isinstance(body, web.Response):
            return body
        try:
            sign_in = _sign_in.decode(body)
        except (msgspec.MsgspecError, UnicodeDecodeError):
            return refuse(400, "malformed", "Send a name or staff number with its PIN, or a badge.")
        try:
            session = await self._sign_ins.sign_in(sign_in, client_of(request))
        except Denied as denied:
            return refuse_denied(denied)
        return json_response(msgspec.json.encode({"ok": True, **msgspec.to_builtins(session)}))

    async def logout(self, request: web.Request) -> web.Response:
        await self._sign_ins.sign_out(bearer(request))
        return answer(200, Answer(ok=True, why=None, text="Signed out."))


def refuse_denied(denied: Denied) -> web.Response:
    """The answer to a sign-in that failed."""
    refusal = refuse(_DENIED.get(denied.why, 401), denied.why, denied.text)
    if denied.wait_s:
        refusal.headers["Retry-After"] = str(denied.wait_s)
    return refusal


async def json_body(request: web.Request, patience_s: float) -> bytes | web.Response:
    """The body of a request, or why it is none."""
    if request.content_type != "application/json":
        return refuse(415, "not_json", "Send it as application/json.")
    try:
        async with asyncio.timeout(patience_s):
            return await request.read()
    except TimeoutError:
        return refuse(408, "too_slow", "It did not arrive whole; nothing was done. Send it again.")


def bearer(request: web.Request) -> str:
    """The token that a request carries, or none."""
    scheme, _, given = request.headers.get("Authorization", "").partition(" ")
    return given if scheme.lower() == "bearer" else ""


def authorised(request: web.Request, token: str) -> bool:
    """Whether a request carries the board's own token: who can read it is on the board already."""
    return token != "" and hmac.compare_digest(bearer(request).encode(), token.encode())


def refuse(status: int, why: str, text: str) -> web.Response:
    return answer(status, Answer(ok=False, why=why, text=text))


def answer(status: int, answer: Answer) -> web.Response:
    headers: Mapping[str, str] = {"WWW-Authenticate": 'Bearer realm="cutcard"'} if status == 401 else {}
    return json_response(msgspec.json.encode(answer), status, headers)


def json_response(body: bytes, status: int = 200, headers: Mapping[str, str] | None = None) -> web.Response:
    return web.Response(status=status, body=body, content_type="application/json", headers=headers)


def _only_our_hosts(hosts: AllowedHosts) -> Middleware:
    @web.middleware
    async def check(request: web.Request, handler: Handler) -> web.StreamResponse:
        if not hosts.allow(request.headers.get("Host")):
            raise web.HTTPMisdirectedRequest(
                text="This page does not answer to that name. Add it to the allowed hosts of the page if it should."
            )
        origin = request.headers.get("Origin")
        is_ours = origin is None or origin.partition("://")[2].lower() == request.headers["Host"].lower()
        if request.method not in ("GET", "HEAD") and not is_ours:
            # A browser states here whose page asks. Acts need a token as well, which no other page has.
            raise web.HTTPForbidden(text="Another site's page may not ask this one.")
        return await handler(request)

    return check


def _explain_refusals(acts: Iterable[str], most_bytes: int) -> Middleware:
    paths = frozenset(acts)

    @web.middleware
    async def explain(request: web.Request, handler: Handler) -> web.StreamResponse:
        """Who acts reads JSON, also when it is the framework that refuses."""
        try:
            return await handler(request)
        except web.HTTPException as refusal:
            if request.path not in paths:
                raise
            why = refusal.reason.lower().replace(" ", "_")
            return refuse(refusal.status, why, f"{refusal.reason}. An act is a POST of at most {most_bytes} bytes.")

    return explain


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
