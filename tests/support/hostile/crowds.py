"""A crowd of strangers before a table's page, as a process of its own: half-open connections and stream clients.

    async with crowd(page, half_open=1000, streams=1000) as strangers:
        ...
    strangers.connections, strangers.processor_s

They come from many addresses (127.1.0.0/16, or 127.2.0.0/16 …), over TLS where the page has it, and a client that is
closed or refused comes again. On a real table they have machines of their own; here they share the board's, so one
thread with one `epoll` is all of them, and it has what the table leaves of the processors.
"""

from __future__ import annotations

import asyncio
import errno
import heapq
import os
import resource
import select
import signal
import socket
import ssl
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from types import FrameType
from urllib.parse import urlsplit

import msgspec
from msgspec import Struct

ADDRESSES = 250
AGAIN_AFTER_S = 1.0
"""As a stream client of a browser does, on average."""
STREAM = b"GET /api/stream HTTP/1.1\r\nHost: localhost\r\n\r\n"
FIRST_BYTE = {"http": b"G", "https": b"\x16"}
"""Of a request, or of the handshake before it."""
NICE = 10


class Strangers(Struct):
    """What the crowd did; known when it has left."""

    connections: int = 0
    """That were opened."""
    streams: int = 0
    """Of these, how many received the table's documents."""
    refused: int = 0
    """Stream clients that received an answer in words."""
    seconds: float = 0.0
    processor_s: float = 0.0
    """That the crowd took for itself."""


@asynccontextmanager
async def crowd(page: str, *, half_open: int, streams: int, network: int = 1) -> AsyncIterator[Strangers]:
    """Until the block ends; it begins when everybody has connected once. Another network, other people."""
    address = urlsplit(page)
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tests.support.hostile.crowds"),
        *(address.scheme, str(address.port), str(half_open), str(streams), str(network)),
        stdout=asyncio.subprocess.PIPE,
    )
    assert process.stdout is not None
    strangers = Strangers()
    try:
        async with asyncio.timeout(120):
            assert await process.stdout.readline() == b"here\n"
        yield strangers
    finally:
        process.terminate()
        report, _ = await process.communicate()
    did = msgspec.json.decode(report, type=Strangers)
    for field in did.__struct_fields__:
        setattr(strangers, field, getattr(did, field))


class _Handshake:
    """TLS of one client. The table closes most connections before it answers: then its first message is sent again on
    the next one, and costs no processor time that the table would lack."""

    def __init__(self, context: ssl.SSLContext) -> None:
        self._incoming, self._outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        self._tls = context.wrap_bio(self._incoming, self._outgoing)
        with suppress(ssl.SSLWantReadError):
            self._tls.do_handshake()
        self.hello = self._outgoing.read()
        self.is_answered = self._is_over = False

    def receive(self, data: bytes, request: bytes) -> tuple[bytes, bytes]:
        """What is to be sent now, and what was said under the seal; the request follows the handshake."""
        self.is_answered = True
        self._incoming.write(data)
        said = b""
        with suppress(ssl.SSLWantReadError):
            if not self._is_over:
                self._tls.do_handshake()
                self._is_over = True
                self._tls.write(request)
            while part := self._tls.read(65536):
                said += part
        return self._outgoing.read(), said


class _Stranger:
    def __init__(self, number: int, network: int, scheme: str, *, wants_stream: bool) -> None:
        self.number, self.wants_stream = number, wants_stream
        half = FIRST_BYTE[scheme] if number % 2 else b""
        self._first = STREAM if wants_stream else half
        """What it sends; every other half-open one nothing at all."""
        self._address = f"127.{network}.0.{1 + number % ADDRESSES}"
        self.has_asked = self.is_answered = False
        self._handshake: _Handshake | None = None
        self.socket: socket.socket

    def connect(self, port: int, tls: ssl.SSLContext | None) -> bool:
        """Whether it has connected, or will in a moment."""
        self.has_asked = self.is_answered = False
        self.socket = socket.socket()
        self.socket.setblocking(False)
        try:
            self.socket.bind((self._address, 0))
            is_begun = self.socket.connect_ex(("127.0.0.1", port)) in (0, errno.EINPROGRESS)
            if self.wants_stream and tls is not None and (self._handshake is None or self._handshake.is_answered):
                self._handshake = _Handshake(tls)
        except OSError:
            is_begun = False
        return is_begun

    def go_on(self, strangers: Strangers) -> bool:
        """Send what is due and read what has come; whether the connection is still open."""
        try:
            if not self.has_asked:
                first = self._handshake.hello if self._handshake is not None else self._first
                if first:
                    self.socket.send(first)
            self.has_asked = True
            while data := self.socket.recv(65536):
                if self._handshake is not None:
                    due, data = self._handshake.receive(data, STREAM)
                    self.socket.send(due)
                if data and not self.is_answered:
                    self.is_answered = True
                    strangers.streams += b" 200 " in data
                    strangers.refused += b" 200 " not in data
        except BlockingIOError:
            return True
        except OSError:
            pass
        return False


class _Crowd:
    def __init__(self, scheme: str, port: int, half_open: int, streams: int, network: int) -> None:
        self._port, total = port, half_open + streams
        self._tls = None
        if scheme == "https":
            self._tls = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
            self._tls.check_hostname, self._tls.verify_mode = False, ssl.CERT_NONE
        began = time.monotonic()
        self._due = [
            (
                began + AGAIN_AFTER_S * number / total,
                number,
                _Stranger(number, network, scheme, wants_stream=number >= half_open),
            )
            for number in range(total)
        ]
        self._poll = select.epoll()
        self._open: dict[int, _Stranger] = {}
        """By descriptor."""
        self._not_yet_here = set(range(total))
        self.strangers = Strangers()

    def stay(self) -> None:
        while True:
            now = time.monotonic()
            while self._due and self._due[0][0] <= now:
                self._come(heapq.heappop(self._due)[2])
            wait = max(0.0, self._due[0][0] - now) if self._due else AGAIN_AFTER_S
            for descriptor, _ in self._poll.poll(wait):
                one = self._open[descriptor]
                if not one.go_on(self.strangers):
                    self._poll.unregister(descriptor)
                    del self._open[descriptor]
                    self._leave(one)
                elif one.has_asked:
                    self._poll.modify(descriptor, select.EPOLLIN)

    def _come(self, one: _Stranger) -> None:
        self.strangers.connections += 1
        if self._not_yet_here:
            self._not_yet_here.discard(one.number)
            if not self._not_yet_here:
                print("here", flush=True)
        if one.connect(self._port, self._tls):
            self._open[one.socket.fileno()] = one
            self._poll.register(one.socket.fileno(), select.EPOLLIN | select.EPOLLOUT)
        else:
            self._leave(one)

    def _leave(self, one: _Stranger) -> None:
        one.socket.close()
        heapq.heappush(self._due, (time.monotonic() + AGAIN_AFTER_S, one.number, one))


class _Over(Exception):
    """Somebody ended the crowd."""


def _end(number: int, frame: FrameType | None) -> None:
    raise _Over


def _main(scheme: str, *numbers: str) -> None:
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    os.nice(NICE)
    crowd, began = _Crowd(scheme, *map(int, numbers)), time.monotonic()
    signal.signal(signal.SIGTERM, _end)
    with suppress(_Over):
        crowd.stay()
    crowd.strangers.seconds, crowd.strangers.processor_s = time.monotonic() - began, time.process_time()
    print(msgspec.json.encode(crowd.strangers).decode())


if __name__ == "__main__":
    _main(*sys.argv[1:])
