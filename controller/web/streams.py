"""Server-sent events: the newest document at once, then each change, and "alive" at regular intervals.

A browser shows a half-open connection as open for hours, and a screen must be able to tell a quiet table from a dead
wire: so a stream states when it sends next.

Places are limited, and nobody takes those of others:

    consoles of people who have signed in    places of their own; four for each session, the oldest makes room
    screens on the board itself              places of their own
    all other screens                        a number in all and for each client; where all are taken, the client that
                                             has most gives one to a client that has at least two fewer
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import AbstractContextManager, aclosing, contextmanager
from typing import Protocol

import msgspec
from aiohttp import web
from msgspec import Struct

from controller.operator.sign_in_limits import BOARD
from controller.web.clients import client_of

log = logging.getLogger(__name__)

MOST_OF_SESSION = 4


class Bounds(Struct, frozen=True):
    """The limits of streams and answers."""

    max_streams: int = 64
    """Of screens, the board's own not counted."""
    max_of_client: int = 16
    max_consoles: int = 32
    """Of people who have signed in."""
    max_on_board: int = 16
    heartbeat_s: float = 0.4
    """A screen calls itself stale after two and a half of these without a sign."""
    stalled_s: float = 15.0
    """A screen or console that takes no data for this long is gone; a screen reconnects by itself."""


class Documents(Protocol):
    """A document that changes; `controller.web.feed` has them."""

    def current(self) -> bytes:
        """The document as JSON."""

    def subscribe(self) -> AsyncGenerator[bytes, None]:
        """The newest at once, then whenever it changed; what a slow reader missed is not kept."""


class Head(Struct):
    """As much of a view document as the server looks at."""

    seq: int
    phase: str


class _Alive(Struct):
    """The heartbeat: the longest silence to expect, and which page this server serves."""

    next_ms: int
    build: str


class Place(Struct, eq=False):
    """Who watches. `session`: the token of a person who has signed in, or empty."""

    transport: asyncio.Transport
    client: str
    session: str
    changed: asyncio.Event
    """There is something to send, or the stream is over."""
    seen: object = None
    """What it was sent last, as its audience notes it."""

    @property
    def is_taken(self) -> bool:
        """A closed connection no longer counts, though its handler only learns of it at its next write."""
        return not self.transport.is_closing()

    @property
    def pool(self) -> str:
        if self.session:
            return "consoles"
        return BOARD if self.client == BOARD else "screens"

    async def is_changed(self, within_s: float) -> bool:
        """Waits for a change, at most this long."""
        try:
            async with asyncio.timeout(within_s):
                await self.changed.wait()
        except TimeoutError:
            return False
        self.changed.clear()
        return True


class Audience(Protocol):
    """All who watch one source."""

    @property
    def is_over(self) -> bool:
        """The source has ended."""

    def joined(self, place: Place) -> AbstractContextManager[None]:
        """The place is woken by every change meanwhile."""

    def news(self, place: Place) -> bytes:
        """What this place has not been sent, as events; empty: nothing. Whoever is slow gets the newest only."""


class _Watchers:
    """The places from which one source of documents is watched. One task follows the source for all of them."""

    def __init__(self, documents: Documents) -> None:
        self._documents = documents
        self._places: dict[Place, None] = {}
        self._following: asyncio.Task[None] | None = None
        self._document, self._event = b"", b""

    @property
    def is_over(self) -> bool:
        """The source has ended."""
        return self._following is not None and self._following.done()

    def news(self, place: Place) -> bytes:
        """The newest document as an event, made once for all who watch."""
        event = self._newest()
        if event is place.seen:
            return b""
        place.seen = event
        return event

    def _newest(self) -> bytes:
        document = self._documents.current()
        if document is not self._document:
            lines = b"".join(b"data: " + line + b"\n" for line in document.splitlines())
            self._document = document
            self._event = b"event: view\nid: %d\n%s\n" % (head_of(document).seq, lines)
        return self._event

    @contextmanager
    def joined(self, place: Place) -> Iterator[None]:
        self._places[place] = None
        if self._following is None:
            self._following = asyncio.create_task(self._follow(), name="documents of the page")
        try:
            yield
        finally:
            del self._places[place]
            if not self._places:
                self._following.cancel()
                self._following = None

    async def _follow(self) -> None:
        try:
            async with aclosing(self._documents.subscribe()) as changes:
                async for _ in changes:
                    await self._wake()
        except Exception:
            log.exception("a document for the page cannot be made")
        for place in self._places:
            place.changed.set()

    async def _wake(self) -> None:
        """Consoles at once. Then the screens, one in a turn of the loop: an act that comes does not wait for all."""
        for place in sorted(self._places, key=lambda place: place.pool == "screens"):
            place.changed.set()
            if place.pool == "screens":
                await asyncio.sleep(0)


class Streams:
    """The streams of one server."""

    def __init__(self, bounds: Bounds, build: str, is_signed_in: Callable[[str], bool]) -> None:
        self._bounds, self._is_signed_in = bounds, is_signed_in
        self._places: dict[Place, None] = {}
        """Oldest first."""
        self._is_ending = False
        self._audiences: dict[int, _Watchers] = {}
        """By the identity of the source."""
        alive = _Alive(next_ms=round(bounds.heartbeat_s * 1000), build=build)
        self._alive = b": heartbeat\nevent: alive\ndata: " + msgspec.json.encode(alive) + b"\n\n"

    def __len__(self) -> int:
        return sum(place.is_taken for place in self._places)

    async def answer(self, request: web.Request, documents: Documents, token: str) -> web.StreamResponse:
        """The stream of these documents, for as long as the client reads it."""
        return await self.follow(request, self._audiences.setdefault(id(documents), _Watchers(documents)), token)

    async def follow(self, request: web.Request, audience: Audience, token: str) -> web.StreamResponse:
        """The stream for one more of this audience."""
        transport = request.transport
        if transport is None:
            raise ConnectionResetError("The screen left before it was answered")
        place = self._take(transport, client_of(request), token if self._is_signed_in(token) else "")
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
        try:
            await response.prepare(request)
            await self._send(response, self._alive)
            with audience.joined(place):
                await self._send_changes(response, place, audience)
        except (ConnectionError, TimeoutError):
            # Gone, or it hangs. Nothing more can be sent to it; a living screen asks again.
            transport.abort()
        finally:
            del self._places[place]
        return response

    async def _send_changes(self, response: web.StreamResponse, place: Place, audience: Audience) -> None:
        """Each change, and a heartbeat where there was none, until the server or the source ends."""
        await self._send(response, audience.news(place))
        while True:
            is_changed = await place.is_changed(self._bounds.heartbeat_s)
            if self._is_ending or audience.is_over:
                return
            if place.session and not self._is_signed_in(place.session):
                self._move_to_screens(place)
            if not is_changed:
                await self._send(response, self._alive)
            elif news := audience.news(place):
                await self._send(response, news)

    async def end(self, app: web.Application) -> None:
        self._is_ending = True
        for place in self._places:
            place.changed.set()

    def _take(self, transport: asyncio.Transport, client: str, session: str) -> Place:
        """A place; 503 where there is none."""
        bounds, new = self._bounds, Place(transport, client, session, asyncio.Event())
        taken = [place for place in self._places if place.is_taken and place.pool == new.pool]
        most = {"consoles": bounds.max_consoles, BOARD: bounds.max_on_board, "screens": bounds.max_streams}
        gives: Place | None = None
        if session:
            own = [place for place in taken if place.session == session]
            gives = own[0] if len(own) >= MOST_OF_SESSION else None
        elif client != BOARD and sum(place.client == client for place in taken) >= bounds.max_of_client:
            raise _no_place()
        if self._is_ending:
            raise _no_place()
        if gives is None and len(taken) >= most[new.pool]:
            gives = _of_the_greediest(taken, client) if not session and client != BOARD else None
            if gives is None:
                raise _no_place()
        if gives is not None:
            gives.transport.abort()
        self._places[new] = None
        return new

    def _move_to_screens(self, place: Place) -> None:
        """Who signed out, or was idle, watches on if there is a place for a screen."""
        place.session = ""
        others = sum(other.is_taken and other.pool == place.pool for other in self._places)
        if others > (self._bounds.max_on_board if place.client == BOARD else self._bounds.max_streams):
            raise ConnectionResetError("There is no place for one more screen")

    async def _send(self, response: web.StreamResponse, data: bytes) -> None:
        async with asyncio.timeout(self._bounds.stalled_s):
            await response.write(data)


head_of = msgspec.json.Decoder(Head).decode


def _of_the_greediest(taken: list[Place], client: str) -> Place | None:
    """The newest stream of the client that has most of them, if it has two more than this client."""
    of_client: dict[str, list[Place]] = {}
    for place in taken:
        of_client.setdefault(place.client, []).append(place)
    most = max(of_client.values(), key=len)
    return most[-1] if len(most) >= len(of_client.get(client, [])) + 2 else None


def _no_place() -> web.HTTPServiceUnavailable:
    refusal = web.HTTPServiceUnavailable(text="Too many screens watch this table.", headers={"Retry-After": "5"})
    refusal.force_close()
    return refusal
