"""Fetching a bundle: from an allowed address into a private file, with the size and the hash that were signed.

Nothing of what comes is looked at here but its length and its hash. An https server proves itself by a certificate of
the site's own authority; it is asked once, without cookies, proxies or compression, and where it sends us elsewhere we
do not go. A file on a stick or a mounted share is opened below the allowed folder without following any link. What is
hashed is our own copy: a file that changes while or after it is read changes nothing.

Pieces go to the disk one by one, off the event loop, so that a package of a hundred megabytes does not hold up the
journal of a running round.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import ssl
import stat
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack
from hashlib import sha256
from pathlib import Path
from urllib.parse import urlsplit

import aiohttp

from controller.config.fields import UpdatesConfig
from controller.contract.why import Why
from controller.durable_files import sync_folder
from controller.engine.update_inputs import Reference
from controller.updates.rejection import ReferenceRejected
from controller.updates.statement import allowed

_PIECE = 256 * 1024
_CONNECT_WITHIN = 10.0
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
"""Without waiting: a pipe in place of a file would never open."""


class Fetcher:
    """Fetches for one table, one bundle at a time."""

    def __init__(self) -> None:
        # Of its own: a share that hangs must not take a thread from anybody else.
        self._reader = ThreadPoolExecutor(1, "updates")

    async def fetch(self, reference: Reference, settings: UpdatesConfig, to: Path, *, spare: int) -> None:
        """Write the bundle to this new file, durable; `ReferenceRejected`, and no file, where it cannot be had or is
        another. `spare`: bytes that the disk must have free afterwards."""
        prefix = allowed(reference.address, settings.addresses)
        if shutil.disk_usage(to.parent).free < reference.size + spare:
            raise _failed("the disk of the board has no room for it")
        out = _private(to)
        try:
            try:
                async with asyncio.timeout(settings.within_s), AsyncExitStack() as stack:
                    if prefix.startswith("file:"):
                        pieces = self._of_file(reference, prefix, stack)
                    else:
                        pieces = _of_server(reference, settings, stack)
                    await _copy(pieces, out, reference)
            finally:
                os.close(out)
            sync_folder(to.parent)
        except BaseException as error:
            _remove(to)
            if isinstance(error, TimeoutError):
                raise _failed(f"it did not come within {settings.within_s} s") from None
            raise

    async def _of_file(self, reference: Reference, prefix: str, stack: AsyncExitStack) -> AsyncIterator[bytes]:
        loop = asyncio.get_running_loop()
        below = reference.address.removeprefix(prefix).split("/")
        folder = Path(prefix.removeprefix("file://"))
        try:
            handle = await loop.run_in_executor(self._reader, _open_below, folder, below)
            stack.callback(os.close, handle)
            while piece := await loop.run_in_executor(self._reader, os.read, handle, _PIECE):
                yield piece
        except OSError as error:
            raise _failed(f"{reference.address} cannot be read: {error.strerror}") from None


def _private(file: Path) -> int:
    """A new file, for nobody but us."""
    _remove(file)
    return os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)


def _remove(file: Path) -> None:
    file.unlink(missing_ok=True)


async def _copy(pieces: AsyncIterator[bytes], out: int, reference: Reference) -> None:
    digest, size = sha256(), 0
    async for piece in pieces:
        size += len(piece)
        if size > reference.size:
            raise ReferenceRejected(Why.WRONG_SIZE, f"it is larger than the {reference.size} bytes that were signed")
        await asyncio.to_thread(_keep, out, piece)
        digest.update(piece)
    if size != reference.size:
        raise ReferenceRejected(Why.WRONG_SIZE, f"it has {size} bytes, and {reference.size} were signed")
    if digest.hexdigest() != reference.sha256:
        raise ReferenceRejected(Why.WRONG_HASH, "its hash is not the one that was signed: it is another file")


def _keep(out: int, piece: bytes) -> None:
    left = memoryview(piece)
    while left:
        left = left[os.write(out, left) :]
    os.fdatasync(out)


def _open_below(folder: Path, parts: list[str]) -> int:
    """The file at this path below a folder; no part of the path below it may be a link."""
    here = os.open(folder, _FOLDER)
    try:
        for part in parts[:-1]:
            inside = os.open(part, _FOLDER | os.O_NOFOLLOW, dir_fd=here)
            os.close(here)
            here = inside
        handle = os.open(parts[-1], _FILE, dir_fd=here)
    finally:
        os.close(here)
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise _failed("it is no file")
    return handle


async def _of_server(reference: Reference, settings: UpdatesConfig, stack: AsyncExitStack) -> AsyncIterator[bytes]:
    host = urlsplit(reference.address).netloc
    try:
        context = ssl.create_default_context(cafile=settings.ca)
    except OSError:
        raise _failed(f"the certificate of the authority, {settings.ca}, cannot be used") from None
    try:
        session = await stack.enter_async_context(
            aiohttp.ClientSession(
                timeout=aiohttp.ClientTimeout(total=None, sock_connect=_CONNECT_WITHIN),
                cookie_jar=aiohttp.DummyCookieJar(),
                headers={"Accept-Encoding": "identity", "User-Agent": "cutcard"},
                auto_decompress=False,
                trust_env=False,
            )
        )
        request = session.get(reference.address, ssl=context, allow_redirects=False)
        answer = await stack.enter_async_context(request)
        if 300 <= answer.status < 400:
            raise _failed(f"{host} sends the table to another address (HTTP {answer.status}), and it does not go there")
        if answer.status != 200:
            raise _failed(f"{host} does not give it out (HTTP {answer.status})")
        if answer.headers.get("Content-Encoding", "identity") != "identity":
            raise _failed(f"{host} sends it compressed, which was not asked for")
        async for piece in answer.content.iter_chunked(_PIECE):
            yield piece
    except (aiohttp.ClientConnectorCertificateError, aiohttp.ClientSSLError):
        raise _failed(f"{host} has no certificate from the site's authority ({settings.ca})") from None
    except aiohttp.ClientConnectorError:
        raise _failed(f"{host} cannot be reached") from None
    except (aiohttp.ClientError, OSError) as error:
        if isinstance(error, TimeoutError):
            raise _failed(f"{host} does not answer within {_CONNECT_WITHIN:.0f} s") from None
        raise _failed(f"{host} broke off before it was all there") from None


def _failed(text: str) -> ReferenceRejected:
    return ReferenceRejected(Why.NOT_FETCHED, text)
