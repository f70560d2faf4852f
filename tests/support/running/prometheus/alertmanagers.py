"""A real Alertmanager with a configuration of the project, and what it calls: a web hook and a mail server.

Debian: `apt install prometheus-alertmanager`.
"""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiohttp
import msgspec
import pytest
from aiohttp import web

from tests.support.running.brokers import free_port

_PATH = os.pathsep.join([os.environ.get("PATH", os.defpath), "/usr/sbin", "/usr/local/sbin"])
ALERTMANAGER = shutil.which("prometheus-alertmanager", path=_PATH) or shutil.which("alertmanager", path=_PATH)
AMTOOL = shutil.which("amtool", path=_PATH)

needs_alertmanager = pytest.mark.skipif(
    ALERTMANAGER is None or AMTOOL is None,
    reason="NO ALERTMANAGER: alerts of the floor reached nobody (Debian: apt install prometheus-alertmanager)",
)


def amtool(*arguments: str | Path) -> str:
    """What it prints; `AssertionError` where it finds a mistake."""
    assert AMTOOL is not None
    done = subprocess.run([AMTOOL, *map(str, arguments)], check=False, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


class Called:
    """What the Alertmanager has sent."""

    def __init__(self) -> None:
        self.hooks: list[tuple[str, dict[str, Any]]] = []
        """Path and body of each call."""
        self.mails: list[str] = []

    def alerts(self, path: str, **labels: str) -> list[dict[str, Any]]:
        """The alerts of the calls to this path that have these labels."""
        every = (alert for where, body in self.hooks if where == path for alert in body["alerts"])
        return [alert for alert in every if labels.items() <= alert["labels"].items()]


class Alertmanager:
    """One that runs."""

    def __init__(self, folder: Path, config: Path) -> None:
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self._folder, self._config = folder, config
        self._process: subprocess.Popen[bytes] | None = None

    async def start(self) -> None:
        """Returns when it answers."""
        assert ALERTMANAGER is not None
        arguments = [
            f"--config.file={self._config}",
            f"--storage.path={self._folder / 'alertmanager'}",
            f"--web.listen-address=127.0.0.1:{self.port}",
            "--cluster.listen-address=",
        ]
        with (self._folder / "alertmanager.log").open("ab") as log:
            self._process = await asyncio.to_thread(
                subprocess.Popen, [ALERTMANAGER, *arguments], stdout=log, stderr=log
            )
        async with asyncio.timeout(60), aiohttp.ClientSession() as session:
            while True:
                try:
                    async with session.get(f"{self.url}/-/ready") as response:
                        if response.status == 200:
                            return
                except aiohttp.ClientError:
                    assert self._process.poll() is None, (self._folder / "alertmanager.log").read_text()
                await asyncio.sleep(0.05)

    def kill(self) -> None:
        assert self._process is not None
        self._process.kill()
        self._process.wait()

    async def alerts(self) -> dict[str, dict[str, Any]]:
        """What it has, by name and table."""
        async with aiohttp.ClientSession() as session, session.get(f"{self.url}/api/v2/alerts") as response:
            found = msgspec.json.decode(await response.read())
        return {f"{each['labels']['alertname']} {each['labels'].get('table', '')}".strip(): each for each in found}


@asynccontextmanager
async def alertmanager(folder: Path, config: str, waits: dict[str, str]) -> AsyncIterator[tuple[Alertmanager, Called]]:
    """One with this configuration, whose hooks and mails come to the test. `waits`: waiting times, to be shorter."""
    called = Called()

    async def hook(request: web.Request) -> web.Response:
        called.hooks.append((request.path, await request.json()))
        return web.Response()

    app = web.Application()
    app.router.add_post("/{path}", hook)
    runner = web.AppRunner(app)
    await runner.setup()
    hooks, mails = free_port(), await asyncio.start_server(lambda r, w: _take_mail(r, w, called), "127.0.0.1", 0)
    await web.TCPSite(runner, "127.0.0.1", hooks).start()
    text = re.sub(r"http://[^/\"]+/", f"http://127.0.0.1:{hooks}/", config)
    host = f"127.0.0.1:{mails.sockets[0].getsockname()[1]}"
    text = re.sub(r'smtp_smarthost: "[^"]+"', f'smtp_smarthost: "{host}"\n  smtp_require_tls: false', text)
    for old, new in waits.items():
        assert old in text, old
        text = text.replace(old, new)
    path = folder / "alertmanager.yml"
    path.write_text(text)
    running = Alertmanager(folder, path)
    await running.start()
    try:
        yield running, called
    finally:
        running.kill()
        await runner.cleanup()
        mails.close()


async def _take_mail(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, called: Called) -> None:
    """As much of SMTP (RFC 5321) as a client needs to leave a mail."""
    writer.write(b"220 test\r\n")
    try:
        while line := await reader.readline():
            match line[:4].upper():
                case b"DATA":
                    writer.write(b"354 go on\r\n")
                    called.mails.append((await reader.readuntil(b"\r\n.\r\n")).decode())
                    writer.write(b"250 taken\r\n")
                case b"QUIT":
                    writer.write(b"221 bye\r\n")
                    break
                case _:
                    writer.write(b"250 test\r\n")
            await writer.drain()
    except (ConnectionError, asyncio.IncompleteReadError):
        pass
    finally:
        writer.close()
