"""How many connections the page's server has, from whom, and for how long.

A socket is counted from its acceptance to its close, before TLS and HTTP: what is counted is descriptors. The server
stops well before the process's limit, so that journal, broker and devices always get theirs.

    too many in a short time   the new one is closed, before anything else is done for it; while many clients come at
                               once, a client may have few, unless somebody has signed in there before
    too many of one client     the one of them that has waited longest for a request is closed
    too many in all            the same, of the client that has most connections
    all of them at work        the new one is closed

One that never sent a request is closed first, one whose last request was of somebody who has signed in, never. So
half-open connections only ever push out each other. Besides, a connection must send the head of its first request
within seconds, and a request must be over within a minute unless its answer is a stream.
"""

from __future__ import annotations

import asyncio
import errno
import logging
import resource
import socket
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager, suppress
from typing import Any

from aiohttp import web
from aiohttp.http_exceptions import HttpProcessingError
from aiohttp.typedefs import Handler
from msgspec import Struct

from controller.operator.sign_in_limits import BOARD
from controller.web.clients import client_at

log = logging.getLogger(__name__)

SWEEP_S = 1.0
MOST_REFUSED = 4
"""Connections that are closed at once in one turn of the loop: others have work to do."""
MOST_ADDRESSES = 4096
"""To remember."""
REPORT_EVERY_S = 60.0
"""Between two lines in the log about connections that were closed or could not be accepted."""
_EXHAUSTED = frozenset({errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM})


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
    first_request_s: float = 10.0
    """From the acceptance to the end of the first request's head, TLS included."""
    idle_s: float = 75.0
    """From one request to the next."""
    request_s: float = 60.0
    """One request, unless its answer is a stream."""


DEFAULT_CONNECTIONS = ConnectionBounds()


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
        self._open: dict[Any, _Accepted] = {}
        """By the peer's address and port."""
        self._of_client: dict[str, dict[_Accepted, None]] = {}
        """Oldest first."""
        self._client_at: dict[str, str] = {}
        self._rates: dict[str, _Rate] = {}
        self._rate_of_all = _Rate()
        self._now: Callable[[], float] = asyncio.get_running_loop().time
        self._sweeping: asyncio.TimerHandle | None = None
        self._closed = LogLine("%d connections were closed: there were too many, or they sent no request in time")

    def __len__(self) -> int:
        return len(self._open)

    def may_come(self, peer: Any) -> bool:
        """Whether this client has not connected too often lately."""
        address: str = peer[0]
        client = self._client_at.get(address)
        if client is None:
            if len(self._client_at) >= MOST_ADDRESSES:
                self._client_at.clear()
            client = self._client_at[address] = client_at(address)
        if client == BOARD:
            return True
        now, bounds = self._now(), self._bounds
        rate = self._rates.get(client)
        if rate is None:
            if len(self._rates) >= MOST_ADDRESSES:
                self._rates.clear()
            rate = self._rates[client] = _Rate()
        is_crowd = self._rate_of_all.lately(now, bounds.crowd_each_s) >= bounds.crowd
        most = bounds.few if is_crowd and not self._is_familiar(client) else bounds.burst
        if rate.lately(now, bounds.each_s) > most - 1:
            self._closed.add(now)
            return False
        rate.add()
        self._rate_of_all.add()
        return True

    @property
    def is_full(self) -> bool:
        return len(self._open) >= self._most

    def admit(self, connection: _Accepted, peer: Any) -> bool:
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

    def _of_the_greediest(self) -> _Accepted | None:
        most = max(self._of_client.values(), key=len)
        victim = _longest_waiting(most) if len(most) > 1 else None
        return victim or _longest_waiting(self._open.values())

    def _count(self, connection: _Accepted, peer: Any) -> bool:
        connection.peer, connection.since = peer, self._now()
        self._open[peer] = connection
        self._of_client.setdefault(connection.client, {})[connection] = None
        if self._sweeping is None:
            self._sweeping = asyncio.get_running_loop().call_later(SWEEP_S, self._sweep)
        return True

    def forget(self, connection: _Accepted) -> None:
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

    def _drop(self, connection: _Accepted) -> None:
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


class _Accepted(socket.socket):
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


class ListeningSocket(socket.socket):
    """Accepts what `Connections` has room for. Asyncio asks it again at every turn of the loop."""

    connections: Connections
    _exhausted_at = float("-inf")
    _is_turn_over = False

    def accept(self) -> tuple[socket.socket, Any]:
        if self._is_turn_over:
            # One in a turn of the loop: others have work to do, and those that were pushed out must be gone first.
            self._is_turn_over = False
            raise BlockingIOError
        for _ in range(MOST_REFUSED):
            plain, peer = self._next()
            if self.connections.may_come(peer):
                break
            plain.close()
        else:
            raise BlockingIOError
        connection = _Accepted(self.family, self.type, self.proto, fileno=plain.detach())
        connection.connections = self.connections
        if not self.connections.admit(connection, peer):
            connection.close()
            raise BlockingIOError
        self._is_turn_over = True
        return connection, peer

    def _next(self) -> tuple[socket.socket, Any]:
        try:
            return super().accept()
        except OSError as error:
            if error.errno not in _EXHAUSTED:
                raise
            # Asyncio waits a second after this error, but first tries for every place of the backlog.
            now = asyncio.get_running_loop().time()
            if now - self._exhausted_at < SWEEP_S / 2:
                raise BlockingIOError from None
            self._exhausted_at = now
            raise


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


async def listen(host: str, port: int, connections: Connections) -> list[ListeningSocket]:
    """Sockets on every address of this host, all with one port."""
    found = await asyncio.get_running_loop().getaddrinfo(
        host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
    )
    sockets: list[ListeningSocket] = []
    try:
        for family, kind, protocol, _, address in dict.fromkeys(found):
            listening = ListeningSocket(family, kind, protocol)
            sockets.append(listening)
            listening.connections = connections
            listening.setblocking(False)
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            if family == socket.AF_INET6:
                listening.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
            listening.bind((address[0], port or sockets[0].getsockname()[1], *address[2:]))
    except OSError:
        for listening in sockets:
            listening.close()
        raise
    return sockets


@asynccontextmanager
async def accept_errors_counted() -> AsyncIterator[None]:
    """Where no descriptor is left, the log has a line in a minute, not one for each try."""
    loop = asyncio.get_running_loop()
    before = loop.get_exception_handler()
    line = LogLine("%d times no connection could be accepted: the process has no file descriptor left")

    def handle(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        error = context.get("exception")
        if isinstance(error, OSError) and error.errno in _EXHAUSTED and "accept" in context.get("message", ""):
            line.add(loop.time())
        elif before is not None:
            before(loop, context)
        else:
            loop.default_exception_handler(context)

    loop.set_exception_handler(handle)
    try:
        yield
    finally:
        loop.set_exception_handler(before)


def _longest_waiting(among: Iterable[_Accepted]) -> _Accepted | None:
    """First those that have never sent a request."""
    waiting = (connection for connection in among if not connection.is_at_work and not connection.is_known)
    return min(waiting, key=lambda connection: (connection.has_asked, connection.since), default=None)


class _NoStrangersMistakes(logging.Filter):
    """What is not HTTP is answered with 400; a line for each would let anybody fill the log."""

    def filter(self, record: logging.LogRecord) -> bool:
        error = record.exc_info[1] if record.exc_info else None
        return not isinstance(error, HttpProcessingError)


http_log = logging.getLogger(f"{__name__}.http")
"""For aiohttp."""
http_log.addFilter(_NoStrangersMistakes())
