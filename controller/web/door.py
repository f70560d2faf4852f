"""The door of the page's server: who has connected, and when he gets his turn.

    kernel     keeps a connection until its first byte: half-open ones cost the table nothing
    door       accepts, and closes at once what `Connections` does not let in
    a crowd    strangers wait here for their turn, one in a fixed time: the TLS handshakes and requests of a thousand
               clients do not come between a dealer's acts. Who has connected least lately comes first, so a tablet that
               is new here does not wait behind all the retries of a crowd
    inside     counted until it is closed (`connections`)

Clients at which somebody has signed in, and the board itself, never wait.
"""

from __future__ import annotations

import asyncio
import errno
import socket
import ssl
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from controller.web.connections import Accepted, Connections, LogLine

BACKLOG = 2048
"""Connections that the kernel keeps for us: those without a byte too."""
FIRST_BYTE_S = 30
"""How long it keeps those without a byte, before they are accepted after all."""
HANDSHAKE_S = 10.0
"""A connection that takes longer for its TLS handshake is closed."""
MOST_AT_ONCE = 8
"""Accepted in one turn of the loop: others have work to do."""
PAUSE_S = 1.0
"""Where no descriptor is left, until somebody may have closed one."""
_EXHAUSTED = frozenset({errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM})

Protocol = Callable[[], asyncio.Protocol]


class _Waiting:
    """A stranger whose turn has not come."""

    __slots__ = ("after", "nth", "peer", "socket")

    def __init__(self, after: float, nth: int, plain: socket.socket, peer: Any) -> None:
        self.after, self.nth, self.socket, self.peer = after, nth, plain, peer

    def turn(self) -> tuple[float, int]:
        """Who has connected least lately comes first, then who came first."""
        return self.after, self.nth


class Door:
    """Listens on every address of one host."""

    def __init__(self, connections: Connections, protocol: Protocol, tls: ssl.SSLContext | None) -> None:
        self._connections, self._protocol, self._tls = connections, protocol, tls
        self._loop = asyncio.get_running_loop()
        self._sockets: list[socket.socket] = []
        self._waiting: list[_Waiting] = []
        self._came = 0
        self._timer: asyncio.TimerHandle | None = None
        """Runs while somebody waits."""
        self._paused: asyncio.TimerHandle | None = None
        self._entering: set[asyncio.Task[None]] = set()
        self._exhausted = LogLine("%d times no connection could be accepted: the process has no file descriptor left")

    async def open(self, host: str, port: int) -> int:
        """Listen; returns the port, which is the same on all addresses."""
        found = await self._loop.getaddrinfo(host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        try:
            for family, kind, protocol, _, address in dict.fromkeys(found):
                listening = socket.socket(family, kind, protocol)
                self._sockets.append(listening)
                listening.setblocking(False)
                listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_DEFER_ACCEPT, FIRST_BYTE_S)
                if family == socket.AF_INET6:
                    listening.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
                port = port or self._sockets[0].getsockname()[1]
                listening.bind((address[0], port, *address[2:]))
            for listening in self._sockets:
                listening.listen(BACKLOG)
        except OSError:
            self.close()
            raise
        self._go_on()
        bound: int = self._sockets[0].getsockname()[1]
        return bound

    def close(self) -> None:
        """Nobody comes in any more; who is inside stays."""
        for timer in (self._timer, self._paused):
            if timer is not None:
                timer.cancel()
        while self._sockets:
            listening = self._sockets.pop()
            self._loop.remove_reader(listening)
            listening.close()
        for waiting in list(self._waiting):
            self._leave(waiting).close()
        for task in self._entering:
            task.cancel()

    def _go_on(self) -> None:
        self._paused = None
        for listening in self._sockets:
            self._loop.add_reader(listening, self._accept, listening)

    def _accept(self, listening: socket.socket) -> None:
        for _ in range(MOST_AT_ONCE):
            try:
                plain, peer = listening.accept()
            except (BlockingIOError, InterruptedError, ConnectionAbortedError):
                return
            except OSError as error:
                if error.errno not in _EXHAUSTED:
                    raise
                self._exhausted.add(self._loop.time())
                self._pause()
                return
            verdict = self._connections.judge(peer)
            if not verdict.may_come:
                plain.close()
            elif verdict.after is None:
                self._let_in(plain, peer)
            else:
                self._wait(plain, peer, verdict.after)

    def _pause(self) -> None:
        """Others need to close something first."""
        for listening in self._sockets:
            self._loop.remove_reader(listening)
        self._paused = self._loop.call_later(PAUSE_S, self._go_on)

    def _wait(self, plain: socket.socket, peer: Any, after: float) -> None:
        connections = self._connections
        self._came += 1
        self._waiting.append(_Waiting(after, self._came, plain, peer))
        connections.at_door += 1
        if len(self._waiting) > connections.most_at_door:
            self._leave(max(self._waiting, key=_Waiting.turn)).close()
            connections.note_closed()
        if self._timer is None:
            self._timer = self._loop.call_later(connections.stranger_each_s, self._next)

    def _leave(self, waiting: _Waiting) -> socket.socket:
        self._waiting.remove(waiting)
        self._connections.at_door -= 1
        return waiting.socket

    def _next(self) -> None:
        self._timer = None
        if not self._waiting:
            return
        first = min(self._waiting, key=_Waiting.turn)
        self._let_in(self._leave(first), first.peer)
        self._timer = self._loop.call_later(self._connections.stranger_each_s, self._next)

    def _let_in(self, plain: socket.socket, peer: Any) -> None:
        inside = Accepted(plain.family, plain.type, plain.proto, fileno=plain.detach())
        inside.connections = self._connections
        inside.setblocking(False)
        if not self._connections.admit(inside, peer):
            inside.close()
            return
        task = self._loop.create_task(self._greet(inside))
        self._entering.add(task)
        task.add_done_callback(self._entering.discard)

    async def _greet(self, inside: Accepted) -> None:
        # What a client does wrong in a TLS handshake is no error of ours.
        with suppress(OSError):
            await self._loop.connect_accepted_socket(
                self._protocol, inside, ssl=self._tls, ssl_handshake_timeout=None if self._tls is None else HANDSHAKE_S
            )
