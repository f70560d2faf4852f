"""The board under the table, as somebody who tests it has it: broker and daemon as processes that can be started,
stopped, killed and made to suffer.

Nothing of the daemon is imported: it is started as an installer would start it, from a config that was written for the
rig, and it cannot tell the rig from a table. What goes wrong with the table rather than with a device is here:
`broker_away`, `disk_full`, `daemon_killed`; time jumps where the rig's clock does.
"""

from __future__ import annotations

import asyncio
import os
import resource
import shutil
import signal
import socket
import sqlite3
import sys
from collections.abc import Mapping
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import aiohttp
import msgspec
from msgspec import Struct, field

from sim_hw.people.baccarat import Console, find_console
from sim_hw.rig.toml import as_toml

START_S = 60.0
"""A slow board takes some seconds to start Python."""
STOP_S = 20.0


class BoardError(Exception):
    """Why the daemon or the broker did not do what a rig needs of it, with the end of its log."""


class TablePlan(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What is dealt at the table: the parts of the daemon's config that a story is about."""

    ruleset: str
    seats: tuple[int, ...] = (1, 2, 3)
    player_dealer: int | None = 8
    bank: tuple[int, ...] | None = None
    records_wagers: bool = True
    min_wager: int = 0
    max_wager: int | None = None
    options: dict[str, Any] = field(default_factory=dict)
    """Of the ruleset."""
    config: dict[str, Any] = field(default_factory=dict)
    """Any other section of the config, as it stands there."""


class Broker:
    """A broker on a port of loopback: Mosquitto where the machine has one, else the demo's embedded one."""

    def __init__(self, folder: Path) -> None:
        self.port = free_port()
        self._folder = folder
        self._process: asyncio.subprocess.Process | None = None
        path = os.pathsep.join([os.environ.get("PATH", os.defpath), "/usr/sbin", "/usr/local/sbin"])
        self._mosquitto = shutil.which("mosquitto", path=path)

    @property
    def version(self) -> str:
        """Of MQTT, as the daemon's config says it."""
        return "5" if self._mosquitto else "3.1.1"

    async def start(self) -> None:
        """Returns when it takes connections."""
        if self._process is not None and self._process.returncode is None:
            return
        self._folder.mkdir(parents=True, exist_ok=True)
        log = self._folder / "broker.log"
        if self._mosquitto:
            config = self._folder / "mosquitto.conf"
            config.write_text(
                f"listener {self.port} 127.0.0.1\nallow_anonymous true\nmax_queued_messages 0\n"
                # What it owes a subscriber outlives a restart.
                f"persistence true\npersistence_location {self._folder}/\nlog_dest stderr\n"
                + ("user root\n" if os.getuid() == 0 else "")
            )
            command = [self._mosquitto, "-c", str(config)]
        else:
            command = [sys.executable, "-m", "controller.demo.broker", "--port", str(self.port)]
        with log.open("ab") as errors:
            self._process = await asyncio.create_subprocess_exec(*command, stdout=errors, stderr=errors)
        async with asyncio.timeout(START_S):
            while True:
                try:
                    _, writer = await asyncio.open_connection("127.0.0.1", self.port)
                    writer.close()
                    return
                except OSError:
                    if self._process.returncode is not None:
                        raise BoardError(f"the broker ended by itself: {tail(log)}") from None
                    await asyncio.sleep(0.01)

    async def stop(self) -> None:
        await _end(self._process)


class Board:
    """One daemon with its config and data in a folder."""

    def __init__(self, folder: Path, config: Mapping[str, Any], *, staff: Path, environment: Mapping[str, str]) -> None:
        """`staff`: a folder with the staff file and the note of the simulated people (`hire`)."""
        self.folder = folder
        self.data = folder / "data"
        self.config = folder / "cutcard.toml"
        self.console: Console
        self._environment = {**os.environ, **environment}
        self._process: asyncio.subprocess.Process | None = None
        self._session: aiohttp.ClientSession | None = None
        folder.mkdir(parents=True, exist_ok=True)
        self.config.write_text(as_toml(config))
        self.data.mkdir(exist_ok=True)
        for file in staff.iterdir():
            if not (self.data / file.name).exists():
                shutil.copy(file, self.data / file.name)

    @property
    def is_running(self) -> bool:
        return self._process is not None and self._process.returncode is None

    @property
    def log(self) -> Path:
        return self.folder / "daemon.log"

    @property
    def page(self) -> str:
        return (self.data / "page.url").read_text().strip()

    async def start(self) -> None:
        """Returns when it serves its page; `BoardError` where it does not come up."""
        if self.is_running:
            return
        (self.data / "page.url").unlink(missing_ok=True)
        with self.log.open("ab") as errors:
            self._process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", "controller.cli", "run", "--config", str(self.config)),
                stdin=asyncio.subprocess.DEVNULL,
                stderr=errors,
                env=self._environment,
            )
        if self._session is None:
            self._session = aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=30))
        finding = asyncio.create_task(find_console(self._session, self.data, START_S))
        ended = asyncio.create_task(self._process.wait())
        try:
            await asyncio.wait({finding, ended}, return_when=asyncio.FIRST_COMPLETED)
            if not finding.done() or finding.exception() is not None:
                raise BoardError(f"the daemon did not come up: {tail(self.log)}")
            self.console = finding.result()
        finally:
            for task in (finding, ended):
                task.cancel()

    async def stop(self) -> None:
        """As systemd does it."""
        await _end(self._process)

    async def daemon_killed(self) -> None:
        """The power goes, for the daemon: SIGKILL."""
        if self._process is not None and self._process.returncode is None:
            self._process.kill()
            await self._process.wait()

    def disk_full(self) -> None:
        """No byte of the daemon reaches the disk any more: the kernel refuses each write to a file."""
        self._limit_files(0)

    def disk_free(self) -> None:
        self._limit_files(None)

    async def close(self) -> None:
        await self.stop()
        if self._session is not None:
            await self._session.close()
            self._session = None

    def last_seq(self) -> int:
        """The number of the last event in the journal, read as docs/journal.md says."""
        journal = self.data / "journal.db"
        if not journal.exists():
            return 0
        with closing(sqlite3.connect(f"file:{journal}?mode=ro", uri=True)) as file:
            row = file.execute("SELECT first_seq + count - 1 FROM entries ORDER BY n DESC LIMIT 1").fetchone()
        return int(row[0]) if row else 0

    async def screen(self) -> dict[str, Any]:
        """What the page shows now."""
        return await self.console.view()

    async def screens(self, until: Any) -> dict[str, Any]:
        """Follow the page until it shows what fits."""
        assert self._session is not None
        async with self._session.get(f"{self.page}api/stream") as stream:
            async for line in stream.content:
                if line.startswith(b"data: {"):
                    shown: dict[str, Any] = msgspec.json.decode(line[6:])
                    if until(shown):
                        return shown
        raise BoardError("the page's stream ended")

    def _limit_files(self, most: int | None) -> None:
        if self._process is None or self._process.returncode is not None:
            raise BoardError("the daemon is not running: its disk cannot be full")
        _, hard = resource.prlimit(self._process.pid, resource.RLIMIT_FSIZE)
        resource.prlimit(self._process.pid, resource.RLIMIT_FSIZE, (hard if most is None else most, hard))


def table_config(
    plan: TablePlan, *, site: str, table: str, broker: Broker, devices: list[dict[str, Any]], system_clock: bool
) -> dict[str, Any]:
    """What an installer would write for this table."""
    seating: dict[str, Any] = {"seats": list(plan.seats), "records_wagers": plan.records_wagers}
    seating["min_wager"] = plan.min_wager
    for key, value in (("player_dealer", plan.player_dealer), ("bank", plan.bank), ("max_wager", plan.max_wager)):
        if value is not None:
            seating[key] = list(value) if isinstance(value, tuple) else value
    config: dict[str, Any] = {
        "site": site,
        "table": table,
        "test": True,
        "clock": "system" if system_clock else "devices",
        "rules": {"ruleset": plan.ruleset, "options": plan.options},
        "seating": seating,
        "journal": {"warn_below_mb": 0, "stop_below_mb": 0},
        "mqtt": {"port": broker.port, "version": broker.version, "start_without_broker": True},
        "web": {"port": 0},
        "devices": devices,
    }
    for section, values in plan.config.items():
        if isinstance(values, dict) and isinstance(config.get(section), dict):
            config[section] = {**config[section], **values}
        else:
            config[section] = values
    return config


async def hire(folder: Path) -> Path:
    """A folder with a staff file for simulated people, made by the daemon's own program."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "controller.cli.rig", "hire", str(folder)), stderr=asyncio.subprocess.PIPE
    )
    _, errors = await process.communicate()
    if process.returncode:
        raise BoardError(f"no staff could be hired: {errors.decode(errors='replace')}")
    return folder


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def tail(log: Path, lines: int = 12) -> str:
    return " ".join(log.read_text(errors="replace").split("\n")[-lines:]).strip() or "it said nothing"


async def _end(process: asyncio.subprocess.Process | None) -> None:
    if process is None or process.returncode is not None:
        return
    process.send_signal(signal.SIGTERM)
    try:
        async with asyncio.timeout(STOP_S):
            await process.wait()
    except TimeoutError:
        with suppress(ProcessLookupError):
            process.kill()
        await process.wait()
