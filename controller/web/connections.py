"""How many connections the page's server has, from whom, and for how long.

A socket is counted from its acceptance to its close, before TLS and HTTP: what is counted is descriptors. The server
stops well before the process's limit, so that journal, broker and devices always get theirs.

    too many in a short time   the new one is closed, before anything else is done for it; while many clients come at
                               once, a client may have few, unless somebody has signed in there before, and waits for
                               its turn (`door`)
    too many of one client     the one of them that has waited longest for a request is closed
    too many in all            the same, of the client that has most connections
    all of them at work        the new one is closed

One that never sent a request is closed first, one whose last request was of somebody who has signed in, never. So
half-open connections only ever push out each other. Besides, a connection must send the head of its first request
within seconds, and a request must be over within a minute unless its answer is a stream.
"""

from __future__ import annotations

import asyncio
import logging
import resource
import socket
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any

from aiohttp import ClientPayloadError as PayloadError
from aiohttp import web
from aiohttp.http_exceptions import HttpProcessingError
from aiohttp.typedefs import Handler
from msgspec import Struct

from controller.operator.sign_in_limits import BOARD
from controller.web.clients import client_at

log = logging.getLogger(__name__)

SWEEP_S = 1.0
MOST_ADDRESSES = 4096
"""To remember."""
REPORT_EVERY_S = 60.0
"""Between two lines in the log about connections that were closed or could not be accepted."""


class ConnectionBounds(Struct, frozen=True):
    most: int = 512
    """In all; never more than half of the descriptors that the process may have."""
    most_of_client: int = 64
    """The board itself has no limit of its own."""
    burst: int = 40
    """New connections of one client in a short time; the board itself has no limit."""
    few: int = 8
    """The same while there is a crowd: what a browser needs to open a page."""
    each_s: float = 4.0
    """After those, one in this time."""
    crowd: int = 100
    """New connections of all clients in a short time that are a crowd."""
    crowd_each_s: float = 0.1
    """After those, more than one in this time."""
    stranger_each_s: float = 0.02
    """In a crowd one client at which nobody has signed in gets its turn in this time."""
    first_request_s: float = 10.0
    """From the acceptance to the end of the first request's head, TLS included."""
    idle_s: float = 75.0
    """From one request to the next."""
    request_s: float = 60.0
    """One request, unless its answer is a stream."""


DEFAULT_CONNECTIONS = ConnectionBounds()


class Verdict(Struct, frozen=True):
    """On a connection that has just come."""

    may_come: bool
    after: float | None = None
    """It waits until those have come that have a smaller number here; None: it does not wait."""


NOW = Verdict(may_come=True)


class Connections:
    """The open connections of one server."""

    def __init__(
        self,
        bounds: ConnectionBounds,
        is_known: Callable[[web.Request], bool],
        is_familiar: Callable[[str], bool],
    ) -> None:
        """`is_known`: whether a request is of somebody who has signed in. `is_familiar`: whether anybody ever did
        at this client."""
        self._bounds, self._is_known, self._is_familiar = bounds, is_known, is_familiar
        self._most = min(bounds.most, resource.getrlimit(resource.RLIMIT_NOFILE)[0] // 2)
        self._open: dict[Any, Accepted] = {}
        """By the peer's address and port."""
        self.at_door = 0
        """Accepted, and not yet counted among the open ones."""
        self._of_client: dict[str, dict[Accepted, None]] = {}
        """Oldest first."""
        self._client_at: dict[str, str] = {}
        self._rates: dict[str, _Rate] = {}
        self._rate_of_all = _Rate()
        self._now: Callable[[], float] = asyncio.get_running_loop().time
        self._sweeping: asyncio.TimerHandle | None = None
        self._closed = LogLine("%d connections were closed: there were too many, or they sent no request in time")

    def __len__(self) -> int:
        return len(self._open)

    def judge(self, peer: Any) -> Verdict:
        """Whether this client may have one more connection, by how often it has connected lately."""
        address: str = peer[0]
        client = self._client_at.get(address)
        if client is None:
            if len(self._client_at) >= MOST_ADDRESSES:
                self._client_at.clear()
            client = self._client_at[address] = client_at(address)
        if client == BOARD:
            return NOW
        now, bounds = self._now(), self._bounds
        rate = self._rates.get(client)
        if rate is None:
            if len(self._rates) >= MOST_ADDRESSES:
                self._rates.clear()
            rate = self._rates[client] = _Rate()
        lately = rate.lately(now, bounds.each_s)
        is_crowd = self._rate_of_all.lately(now, bounds.crowd_each_s) >= bounds.crowd
        is_stranger = is_crowd and not self._is_familiar(client)
        if lately > (bounds.few if is_stranger else bounds.burst) - 1:
            self._closed.add(now)
            return Verdict(may_come=False)
        rate.add()
        self._rate_of_all.add()
        return Verdict(may_come=True, after=lately) if is_stranger else NOW

    @property
    def most_at_door(self) -> int:
        """Strangers that may wait for their turn."""
        return self._most // 4

    @property
    def is_full(self) -> bool:
        return len(self._open) + self.at_door >= self._most

    @property
    def stranger_each_s(self) -> float:
        return self._bounds.stranger_each_s

    def note_closed(self) -> None:
        """One that waited for its turn was closed."""
        self._closed.add(self._now())

    def admit(self, connection: Accepted, peer: Any) -> bool:
        """Count a new connection; False: there is no room for it."""
        client = connection.client = client_at(peer[0])
        of_client = self._of_client.get(client, {})
        if client != BOARD and len(of_client) >= self._bounds.most_of_client:
            victim = _longest_waiting(of_client)
        elif self.is_full:
            victim = self._of_the_greediest()
        else:
            return self._count(connection, peer)
        self._closed.add(self._now())
        if victim is None:
            return False
        self._drop(victim)
        return self._count(connection, peer)

    def _of_the_greediest(self) -> Accepted | None:
        most = max(self._of_client.values(), key=len)
        victim = _longest_waiting(most) if len(most) > 1 else None
        return victim or _longest_waiting(self._open.values())

    def _count(self, connection: Accepted, peer: Any) -> bool:
        connection.peer, connection.since = peer, self._now()
        self._open[peer] = connection
        self._of_client.setdefault(connection.client, {})[connection] = None
        if self._sweeping is None:
            self._sweeping = asyncio.get_running_loop().call_later(SWEEP_S, self._sweep)
        return True

    def forget(self, connection: Accepted) -> None:
        """It is closed."""
        if self._open.get(connection.peer) is connection:
            del self._open[connection.peer]
            of_client = self._of_client[connection.client]
            del of_client[connection]
            if not of_client:
                del self._of_client[connection.client]

    @web.middleware
    async def follow(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """A connection with a request is not one that waits."""
        peer = None if request.transport is None else request.transport.get_extra_info("peername")
        connection = self._open.get(peer)
        if connection is None:
            return await handler(request)
        connection.is_at_work, connection.since = True, self._now()
        try:
            return await handler(request)
        finally:
            connection.is_at_work, connection.is_stream = False, False
            connection.since, connection.has_asked = self._now(), True
            connection.is_known = self._is_known(request)

    async def mark_stream(self, request: web.Request, response: web.StreamResponse) -> None:
        """An answer that goes on: its writer makes sure that it is read."""
        peer = None if request.transport is None else request.transport.get_extra_info("peername")
        connection = self._open.get(peer)
        if connection is not None:
            connection.is_stream = not isinstance(response, web.Response)

    def _sweep(self) -> None:
        now, bounds = self._now(), self._bounds
        for connection in list(self._open.values()):
            if connection.is_stream:
                continue
            limit = bounds.idle_s if connection.has_asked else bounds.first_request_s
            if now - connection.since > (bounds.request_s if connection.is_at_work else limit):
                if not connection.has_asked:
                    self._closed.add(now)
                self._drop(connection)
        loop = asyncio.get_running_loop()
        self._sweeping = loop.call_later(SWEEP_S, self._sweep) if self._open else None

    def _drop(self, connection: Accepted) -> None:
        """Its transport notices in the next turn of the loop and closes it."""
        self.forget(connection)
        with suppress(OSError):
            connection.shutdown(socket.SHUT_RDWR)

    def end(self) -> None:
        if self._sweeping is not None:
            self._sweeping.cancel()


class _Rate:
    """How many came lately: one less for each time that passed."""

    def __init__(self) -> None:
        self._count, self._at = 0.0, 0.0

    def lately(self, now: float, each_s: float) -> float:
        self._count = max(0.0, self._count - (now - self._at) / each_s)
        self._at = now
        return self._count

    def add(self) -> None:
        self._count += 1


class Accepted(socket.socket):
    """A connection that counts until it is closed."""

    connections: Connections
    client = BOARD
    peer: Any = None
    since = 0.0
    has_asked = is_at_work = is_stream = False
    is_known = False
    """Its last request was of somebody who has signed in."""

    def __hash__(self) -> int:
        return id(self)

    def __eq__(self, other: object) -> bool:
        return self is other

    def close(self) -> None:
        self.connections.forget(self)
        super().close()


class LogLine:
    """A line in the log with a count: at once, then once in a while."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._count = 0
        self._reported_at = float("-inf")

    def add(self, now: float) -> None:
        self._count += 1
        if now - self._reported_at >= REPORT_EVERY_S:
            log.warning(self._text, self._count)
            self._reported_at, self._count = now, 0


def _longest_waiting(among: Iterable[Accepted]) -> Accepted | None:
    """First those that have never sent a request."""
    waiting = (connection for connection in among if not connection.is_at_work and not connection.is_known)
    return min(waiting, key=lambda connection: (connection.has_asked, connection.since), default=None)


class _NoStrangersMistakes(logging.Filter):
    """What is not HTTP is answered with 400, and who leaves in mid-request is gone; a line for each would let anybody
    fill the log."""

    def filter(self, record: logging.LogRecord) -> bool:
        error = record.exc_info[1] if record.exc_info else None
        return not isinstance(error, HttpProcessingError | PayloadError | ConnectionError)


http_log = logging.getLogger(f"{__name__}.http")
"""For aiohttp."""
http_log.addFilter(_NoStrangersMistakes())
