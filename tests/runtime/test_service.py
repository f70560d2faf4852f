"""The daemon as a service: when it is ready, what it waits for, and what follows when it hangs.

The test is systemd: it holds the socket that NOTIFY_SOCKET names, and aborts a daemon that gives no sign of life. The
daemon is the real one in its own process. To make it hang, a launcher starts it whose driver, on a signal, never comes
back, or whose journal never ends a commit; nothing of that is in the program.
"""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiohttp
import msgspec
import pytest

from controller.journal import JournalReader
from controller.runtime.systemd import TRACE, SystemdNotifier, place_in
from tests.support.project import ROOT
from tests.support.running.brokers import free_port
from tests.support.running.tables import ALONE

PATIENCE_S = 3
"""Seconds that this systemd waits for a sign of life."""
PATIENCE_OF_THE_TEST_S = 60
"""For what must come: a busy machine takes its time."""

CONFIG = (
    """
site = "riverside"
table = "hand-dealt"
test = true
data = "data"
[rules]
ruleset = "bankers-ez-baccarat-panda-8"
"""
    + ALONE
)

LAUNCHER = """
import asyncio, signal, sys, threading
from controller import app
from controller.cli.main import main
from controller.journal.writer import Writer

run, commit, stuck = app.Daemon.run, Writer._commit, threading.Event()

def never_comes_back():
    threading.Event().wait()

def never_ends(self, batch):
    return threading.Event().wait() if stuck.is_set() else commit(self, batch)

async def run_until_it_hangs(self):
    loop = asyncio.get_running_loop()
    loop.add_signal_handler(signal.SIGUSR1, never_comes_back)
    loop.add_signal_handler(signal.SIGUSR2, stuck.set)
    await run(self)

app.Daemon.run, Writer._commit = run_until_it_hangs, never_ends
sys.exit(main(sys.argv[1:]))
"""


class Systemd:
    """What a service manager is to one service: it listens, and it aborts."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._unread: list[str] = []
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.bind(str(folder / "notify"))
        self._socket.setblocking(False)
        (folder / "cutcard.toml").write_text(CONFIG.format(broker=free_port()))
        # As a driver of ours would lie there.
        (folder / "devices").mkdir()
        (folder / "devices" / "stuck.py").write_text(LAUNCHER)

    @property
    def log(self) -> str:
        return (self.folder / "daemon.log").read_text()

    @property
    def trace(self) -> Path:
        return self.folder / "data" / TRACE

    @asynccontextmanager
    async def started(self) -> AsyncIterator[asyncio.subprocess.Process]:
        """The daemon, ready."""
        self._unread.clear()
        environment = {
            **os.environ,
            "NOTIFY_SOCKET": str(self.folder / "notify"),
            "WATCHDOG_USEC": str(PATIENCE_S * 1_000_000),
            "PYTHONPATH": str(ROOT),
        }
        with (self.folder / "daemon.log").open("wb") as errors:
            process = await asyncio.create_subprocess_exec(
                *(sys.executable, str(self.folder / "devices" / "stuck.py"), "run"),
                *("--config", str(self.folder / "cutcard.toml")),
                stderr=errors,
                env=environment,
            )
        try:
            await self.receives("READY=1")
            yield process
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()

    async def receives(self, what: str) -> str:
        """The first notification that begins with this and was not read yet."""
        async with asyncio.timeout(PATIENCE_OF_THE_TEST_S):
            while True:
                for said in self._unread:
                    if said.startswith(what):
                        self._unread.remove(said)
                        return said
                self._unread.append((await asyncio.get_running_loop().sock_recv(self._socket, 4096)).decode())

    async def loses_patience(self, process: asyncio.subprocess.Process) -> None:
        """No sign of life for as long as it waits: the daemon is aborted."""
        while True:
            try:
                async with asyncio.timeout(PATIENCE_S):
                    await self.receives("WATCHDOG=1")
            except TimeoutError:
                break
        process.send_signal(signal.SIGABRT)
        assert await process.wait() == -signal.SIGABRT

    async def finds_trace(self) -> None:
        """Until the daemon has written down where its threads stand."""
        while True:
            if self.trace.stat().st_size:
                return
            await asyncio.sleep(0.05)

    def alarms(self) -> list[tuple[str, str]]:
        """What the journal holds of the watchdog."""
        with JournalReader.read(self.folder / "data" / "journal.db") as reader:
            events: list[dict[str, Any]] = [
                event for entry in reader.entries(1) for event in msgspec.json.decode(entry.events)
            ]
        return [(event["kind"], event.get("text", "")) for event in events if event.get("alarm") == "watchdog"]

    def close(self) -> None:
        self._socket.close()


@pytest.fixture
async def systemd(tmp_path: Path) -> AsyncIterator[Systemd]:
    manager = Systemd(tmp_path)
    yield manager
    manager.close()


async def test_a_daemon_that_hangs_is_ended_and_the_next_run_says_where(systemd: Systemd) -> None:
    async with systemd.started() as daemon:
        await systemd.receives("WATCHDOG=1")
        assert await systemd.receives("STATUS=") == "STATUS=waiting, Shuffle and load a new shoe"
        daemon.send_signal(signal.SIGUSR1)
        await systemd.loses_patience(daemon)
    assert "Fatal Python error: Aborted" in systemd.log
    assert "in never_comes_back" in systemd.log
    assert systemd.alarms() == []

    async with systemd.started() as daemon:
        status = await systemd.receives("STATUS=")
        assert status.startswith("STATUS=ALARM watchdog: the daemon stood still and was started anew")
        assert "never_comes_back, devices/stuck.py" in status
        (raised,) = systemd.alarms()
        assert raised == (
            "alarm_raised",
            "the daemon stood still and was started anew; it hung in never_comes_back, devices/stuck.py line 10",
        )
        assert "the last run gave no sign of life and was ended" in systemd.log
        daemon.send_signal(signal.SIGHUP)
        assert int((await systemd.receives("RELOADING=1\nMONOTONIC_USEC=")).rpartition("=")[2]) > 0
        await systemd.receives("READY=1")
        daemon.send_signal(signal.SIGTERM)
        await systemd.receives("STOPPING=1")
        assert await daemon.wait() == 0
    assert not systemd.trace.exists()

    async with systemd.started():
        assert [kind for kind, _ in systemd.alarms()] == ["alarm_raised", "alarm_cleared"]


async def test_a_daemon_whose_journal_does_not_answer_is_dead_though_its_page_lives(systemd: Systemd) -> None:
    async with systemd.started() as daemon:
        await systemd.receives("WATCHDOG=1")
        daemon.send_signal(signal.SIGUSR2)
        page = (systemd.folder / "data" / "page.url").read_text().strip()
        await systemd.finds_trace()
        async with aiohttp.ClientSession() as session, session.get(f"{page}api/view") as answer:
            assert answer.status == 200
        await systemd.loses_patience(daemon)
    assert place_in(systemd.trace.read_text()) == "in never_ends, devices/stuck.py line 13"


def test_a_run_that_was_frozen_as_a_whole_is_known_by_what_systemd_wrote(tmp_path: Path) -> None:
    """ExecStopPost= of the unit: the process could write nothing itself."""
    unit = (ROOT / "deploy" / "systemd" / "cutcard.service").read_text()
    assert f">> /var/lib/cutcard/{TRACE}" in unit
    service = SystemdNotifier(tmp_path, {})
    assert service.last_hang() is None
    (tmp_path / TRACE).write_text("")
    assert service.last_hang() is None
    (tmp_path / TRACE).write_text("ended by the watchdog\n")
    hang = service.last_hang()
    assert hang is not None
    assert hang.where == "at a place that it did not tell"


async def test_a_daemon_without_systemd_notifies_nobody_and_leaves_no_trace(systemd: Systemd) -> None:
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "controller.cli", "run", "--config", str(systemd.folder / "cutcard.toml")),
        stderr=asyncio.subprocess.PIPE,
        env={name: value for name, value in os.environ.items() if name != "NOTIFY_SOCKET"},
    )
    assert process.stderr is not None
    async for line in process.stderr:
        if b"the page is at" in line:
            assert line.startswith(b"INFO controller.app: ")
            break
    assert not systemd.trace.exists()
    process.terminate()
    assert await process.wait() == 0
