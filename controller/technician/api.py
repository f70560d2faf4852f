"""The workbench over HTTP, beside the page. All of it needs the table's bearer token.

    GET /api/devices                          how every device stands, and its link's counters
    GET /api/devices/ID/watch                 what passes on its wire, a JSON line each, cards withheld
    GET /api/capture?device=ID&…              a capture file, as it grows
        sealed=1     through rounds, each kept back until it is over
        seconds=N    end by itself
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing

import msgspec
from aiohttp import web

from controller.technician.workbench import Refused, Workbench
from controller.web.server import authorised, refuse

STALLED_S = 15.0
"""A technician whose connection moves nothing for so long is gone."""


def technician_routes(workbench: Workbench, token: Callable[[], str]) -> Callable[[web.Application], None]:
    """What the page's server adds to itself."""
    pages = _Pages(workbench, token)

    def add(app: web.Application) -> None:
        app.router.add_get("/api/devices", pages.devices, allow_head=False)
        app.router.add_get("/api/devices/{device}/watch", pages.watch, allow_head=False)
        app.router.add_get("/api/capture", pages.capture, allow_head=False)
        app.on_shutdown.append(pages.end)

    return add


class _Pages:
    def __init__(self, workbench: Workbench, token: Callable[[], str]) -> None:
        self._workbench = workbench
        self._token = token

    async def devices(self, request: web.Request) -> web.StreamResponse:
        if (refusal := self._stranger(request)) is not None:
            return refusal
        body = msgspec.json.encode(self._workbench.devices())
        return web.Response(body=body, content_type="application/json")

    async def watch(self, request: web.Request) -> web.StreamResponse:
        if (refusal := self._stranger(request)) is not None:
            return refusal
        return await _stream(request, self._workbench.watch(request.match_info["device"]), "application/x-ndjson")

    async def capture(self, request: web.Request) -> web.StreamResponse:
        if (refusal := self._stranger(request)) is not None:
            return refusal
        try:
            seconds = float(request.query["seconds"]) if "seconds" in request.query else None
        except ValueError:
            return refuse(400, "bad_seconds", "seconds is a number.")
        blocks = self._workbench.capture(
            request.query.getall("device", []),
            sealed=request.query.get("sealed") == "1",
            seconds=seconds,
            by=request.remote or "somebody",
        )
        return await _stream(request, blocks, "application/x-pcapng")

    async def end(self, app: web.Application) -> None:
        self._workbench.end()

    def _stranger(self, request: web.Request) -> web.Response | None:
        if authorised(request, self._token()):
            return None
        return refuse(401, "unauthorised", "The devices are for those who have the table's bearer token.")


async def _stream(
    request: web.Request, pieces: AsyncGenerator[bytes, None], content_type: str
) -> web.StreamResponse:
    """The pieces as they come; the first decides whether there is anything to stream at all."""
    async with aclosing(pieces):
        response = web.StreamResponse(headers={"Content-Type": content_type})
        try:
            try:
                await _begin(request, response, pieces)
            except Refused as refusal:
                return refuse(409, "refused", str(refusal))
            async for piece in pieces:
                async with asyncio.timeout(STALLED_S):
                    await response.write(piece)
        except (ConnectionError, TimeoutError):
            if request.transport is not None:
                request.transport.abort()
    return response
