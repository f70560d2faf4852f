"""The socket by which a technician's command reaches the running daemon.

A Unix socket in the data folder, for the service's own user and root. One request per connection: a line of JSON, with
an update the image's bytes behind it. The daemon answers with lines of JSON: any number of `Progress`, then `Done`.
The kernel names the user who asks (SO_PEERCRED); that goes into the journal. The technician's other requests go over
HTTP, these do not: there people name themselves, and a key would pass through the page's server, which may listen to a
network.
"""

from __future__ import annotations

import asyncio
import os
import pwd
import socket
import struct
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path

import msgspec
from msgspec import Struct

from controller.engine.actor import Actor, technician_at_board
from controller.errors import UserError
from protocols.firmware.image import MAX_FILE

SOCKET = "control.sock"
MAX_LINE = 64 * 1024
WITHIN = 30.0
"""Seconds for a request to arrive whole."""


class Request(Struct, frozen=True, tag_field="do", forbid_unknown_fields=True):
    device: str


class Update(Request, frozen=True, tag="update"):
    """Give the device the image that follows."""

    size: int


class Enroll(Request, frozen=True, tag="enroll"):
    """The device on the port is the one that belongs there; its key in hex, null for one that has none."""

    key: str | None


class Accept(Request, frozen=True, tag="accept"):
    """What was found about the device (a restart, other firmware) is as it should be."""


class Progress(Struct, frozen=True, tag_field="kind", tag="progress"):
    stage: str
    have: int
    size: int


class Done(Struct, frozen=True, tag_field="kind", tag="done"):
    ok: bool
    text: str


AnyRequest = Update | Enroll | Accept
Said = Progress | Done
Answering = Callable[[AnyRequest, bytes, Actor], AsyncIterator[Said]]
"""Carries a request out: the request, the image that came with it, and who asks."""


class NoDaemon(UserError):
    """The daemon cannot be reached: why and what to do, in one paragraph."""


@asynccontextmanager
async def listening(folder: Path, answer: Answering) -> AsyncIterator[None]:
    """Take requests while the block runs."""
    connections: set[asyncio.Task[None]] = set()

    def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.create_task(_serve(reader, writer, answer))
        connections.add(task)
        task.add_done_callback(connections.discard)

    # Until the end: asyncio in Python 3.13 and newer looks the socket up by this name once more and removes it.
    with _short(folder) as short:
        server = await asyncio.start_unix_server(connected, sock=_bound(short), limit=MAX_LINE)
        try:
            yield
        finally:
            server.close()
            for task in list(connections):
                task.cancel()
                with suppress(asyncio.CancelledError):
                    await task
            await server.wait_closed()
            (folder / SOCKET).unlink(missing_ok=True)


async def ask(folder: Path, request: AnyRequest, image: bytes = b"") -> AsyncIterator[Said]:
    """Put a request to the daemon whose data folder this is."""
    try:
        with _short(folder) as short:
            reader, writer = await asyncio.open_unix_connection(short, limit=MAX_LINE)
    except OSError as error:
        raise NoDaemon(
            f"No daemon answers in {folder} ({error.strerror}). Start it, and run this as its user or as root: updates "
            "and keys go through the daemon, so that everything is in its journal."
        ) from None
    try:
        writer.write(msgspec.json.encode(request) + b"\n" + image)
        await writer.drain()
        while line := await reader.readline():
            yield msgspec.json.decode(line, type=Said)
    except (ConnectionError, msgspec.MsgspecError):
        pass
    finally:
        writer.close()
        with suppress(ConnectionError):
            await writer.wait_closed()


async def _serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, answer: Answering) -> None:
    try:
        try:
            async with asyncio.timeout(WITHIN):
                request = msgspec.json.decode(await reader.readline(), type=AnyRequest)
                image = b""
                if isinstance(request, Update):
                    if not 0 < request.size <= MAX_FILE:
                        raise ValueError(f"an image has 1 to {MAX_FILE} bytes, not {request.size}")
                    image = await reader.readexactly(request.size)
        except (TimeoutError, EOFError, ValueError) as error:
            await _send(writer, Done(False, f"This is no request: {error or 'it did not arrive whole'}."))
            return
        async for reply in answer(request, image, _person(writer)):
            await _send(writer, reply)
    except ConnectionError:
        # The client has gone. An update that was begun goes on.
        pass
    finally:
        writer.close()


async def _send(writer: asyncio.StreamWriter, answer: Said) -> None:
    writer.write(msgspec.json.encode(answer) + b"\n")
    await writer.drain()


def _person(writer: asyncio.StreamWriter) -> Actor:
    line: socket.socket = writer.get_extra_info("socket")
    _, user, _ = struct.unpack("3i", line.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i")))
    try:
        return technician_at_board(pwd.getpwuid(user).pw_name)
    except KeyError:
        return technician_at_board(str(user))


@contextmanager
def _short(folder: Path) -> Iterator[str]:
    """A name for the socket that fits into 108 bytes, however long the folder's own is."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        yield f"/proc/self/fd/{handle}/{SOCKET}"
    finally:
        os.close(handle)


def _bound(path: str) -> socket.socket:
    Path(path).unlink(missing_ok=True)
    line = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    before = os.umask(0o177)
    try:
        line.bind(path)
    finally:
        os.umask(before)
    return line
