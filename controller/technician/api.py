"""The workbench over HTTP, beside the page. All of it needs the table's bearer token.

GET /api/devices                          every device's state, and its link's counters
GET /api/devices/ID/watch                 what passes on its wire, a JSON line each, cards withheld
GET /api/capture?device=ID&…              a capture file, as it grows
    sealed=1     through rounds, each kept back until it is over
    seconds=N    end by itself
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing

import msgspec
from aiohttp import web

from controller.engine.actor import Actor, technician_at_board
from controller.technician.workbench import Refused, Workbench
from controller.web.pages import authorised, json_response, refuse

A_WEEK_S = 7 * 24 * 3600
STALLED_S = 15.0
"""A technician whose connection takes no data for this long is gone."""


def technician_routes(workbench: Workbench, token: str) -> Callable[[web.Application], None]:
    """What the page's server adds to itself."""
    pages = _Pages(workbench, token)

    def add(app: web.Application) -> None:
        app.router.add_get("/api/devices", pages.devices, allow_head=False)
        app.router.add_get("/api/devices/{device}/watch", pages.watch, allow_head=False)
        app.router.add_get("/api/capture", pages.capture, allow_head=False)
        app.on_shutdown.append(pages.end)

    return add


class _Pages:
    def __init__(self, workbench: Workbench, token: str) -> None:
        self._workbench = workbench
        self._token = token

    async def devices(self, request: web.Request) -> web.StreamResponse:
        if not authorised(request, self._token):
            return _stranger()
        return json_response(msgspec.json.encode(self._workbench.devices()))

    async def watch(self, request: web.Request) -> web.StreamResponse:
        if not authorised(request, self._token):
            return _stranger()
        try:
            lines = self._workbench.watch(request.match_info["device"])
        except Refused as refusal:
            return refuse(409, "refused", str(refusal))
        return await _stream(request, lines, "application/x-ndjson")

    async def capture(self, request: web.Request) -> web.StreamResponse:
        if not authorised(request, self._token):
            return _stranger()
        query = request.query
        try:
            blocks = self._workbench.capture(
                query.getall("device", []),
                sealed=query.get("sealed") == "1",
                seconds=_seconds(query["seconds"]) if "seconds" in query else None,
                by=technician_named(request.headers.get("Cutcard-By", "")),
            )
        except ValueError:
            return refuse(400, "bad_seconds", "The number of seconds is more than nothing and less than a week.")
        except Refused as refusal:
            return refuse(409, "refused", str(refusal))
        return await _stream(request, blocks, "application/x-pcapng")

    async def end(self, app: web.Application) -> None:
        self._workbench.end()


def _seconds(text: str) -> float:
    seconds = float(text)
    if not 0 < seconds < A_WEEK_S:
        raise ValueError(text)
    return seconds


def technician_named(name: str) -> Actor:
    """The requester; his name is written into the journal."""
    known = re.fullmatch(r"technician:([a-z0-9._-]{1,32})", name)
    return technician_at_board("" if known is None else known.group(1))


def _stranger() -> web.Response:
    return refuse(401, "unauthorised", "The devices are for those who have the table's bearer token.")


async def _stream(request: web.Request, pieces: AsyncGenerator[bytes, None], content_type: str) -> web.StreamResponse:
    response = web.StreamResponse(headers={"Content-Type": content_type})
    async with aclosing(pieces):
        try:
            await response.prepare(request)
            async for piece in pieces:
                if request.transport is None or request.transport.is_closing():
                    # Nobody reads any more; a wire on which nothing passes would never let us know.
                    break
                if piece:
                    async with asyncio.timeout(STALLED_S):
                        await response.write(piece)
        except (ConnectionError, TimeoutError):
            # Gone, or it hangs: nothing more can be sent.
            if request.transport is not None:
                request.transport.abort()
    return response
