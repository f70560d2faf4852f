"""Asking a running daemon, as a technician on the same machine does: by address and token from its data folder."""

from __future__ import annotations

import getpass
import os
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import aiohttp
import msgspec
from msgspec import Struct

from controller.technician.status import TableDevices

ANSWER_WITHIN = 5.0
"""Seconds. A daemon on this machine answers in milliseconds, unless its disk hangs."""


class DaemonError(Exception):
    """The daemon cannot be reached, or refuses: one paragraph with what to do."""


class Applied(Struct):
    """What became of a configuration that was to be read again, in lines for a person."""

    ok: bool
    lines: list[str]


class _Answer(Struct):
    text: str = ""


class DaemonClient:
    """The running daemon of one table, asked over HTTP."""

    def __init__(self, address: str, token: str) -> None:
        self.address = address
        self._headers = {"Authorization": f"Bearer {token}", "Cutcard-By": f"technician:{_user()}"}

    async def devices(self) -> TableDevices:
        async with self._ask("GET", "api/devices") as response:
            return msgspec.json.decode(await response.read(), type=TableDevices)

    async def apply_config(self) -> Applied:
        """Let it read its configuration again."""
        async with self._ask("POST", "api/config/apply") as response:
            return msgspec.json.decode(await response.read(), type=Applied)

    @asynccontextmanager
    async def watch(self, device: str) -> AsyncIterator[aiohttp.StreamReader]:
        """JSON lines, as they come."""
        async with self._ask("GET", f"api/devices/{device}/watch") as response:
            yield response.content

    @asynccontextmanager
    async def capture(
        self, devices: list[str], *, sealed: bool, seconds: float | None
    ) -> AsyncIterator[aiohttp.StreamReader]:
        """A capture file, as it grows."""
        query = [("device", device) for device in devices] + ([("sealed", "1")] if sealed else [])
        query += [("seconds", str(seconds))] if seconds is not None else []
        async with self._ask("GET", "api/capture", query) as response:
            yield response.content

    @asynccontextmanager
    async def _ask(
        self, method: str, path: str, query: list[tuple[str, str]] | None = None
    ) -> AsyncIterator[aiohttp.ClientResponse]:
        patience = aiohttp.ClientTimeout(total=None, connect=ANSWER_WITHIN)
        try:
            async with (
                aiohttp.ClientSession(headers=self._headers, timeout=patience) as session,
                session.request(method, f"{self.address}{path}", params=query) as response,
            ):
                if response.status != 200:
                    raise DaemonError(_why(await response.read(), response.status))
                yield response
        except (aiohttp.ClientError, TimeoutError) as error:
            raise DaemonError(f"The daemon at {self.address} broke off: {error or type(error).__name__}.") from None


async def find_daemon(data: Path) -> DaemonClient | None:
    """The daemon that has its data in this folder; None where none runs. `DaemonError` where one cannot be asked."""
    page = data / "page.url"
    try:
        address = page.read_text().strip()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise DaemonError(f"{page} cannot be read: {error.strerror}. Run as root or as the daemon's user.") from None
    patience = aiohttp.ClientTimeout(total=ANSWER_WITHIN)
    try:
        async with aiohttp.ClientSession(timeout=patience) as session, session.get(f"{address}healthz") as response:
            response.raise_for_status()
    except (aiohttp.ClientError, TimeoutError):
        raise DaemonError(
            f"{page} has the address {address} of the daemon's page, but nothing answers there. It was killed, or it "
            "hangs: look at its log, then start it again."
        ) from None
    try:
        return DaemonClient(address, (data / "console.token").read_text().strip())
    except OSError as error:
        raise DaemonError(
            f"The daemon runs, but its token {data / 'console.token'} cannot be read: {error.strerror}. Run as root or "
            "as the daemon's user."
        ) from None


def _why(body: bytes, status: int) -> str:
    try:
        return msgspec.json.decode(body, type=_Answer).text or f"The daemon refuses (HTTP {status})."
    except msgspec.MsgspecError:
        return f"The daemon refuses (HTTP {status})."


def _user() -> str:
    """The person at the keyboard, also if he became root by sudo."""
    name = os.environ.get("SUDO_USER") or getpass.getuser()
    return re.sub(r"[^a-z0-9._-]", "-", name.lower())[:32] or "unknown"
