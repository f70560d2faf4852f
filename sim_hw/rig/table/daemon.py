"""The daemon of a table as a process that can be started, stopped and killed, and whose disk can be full.

Nothing of the daemon is imported: it is started as an installer would start it, from a config that was written for the
rig, and it cannot distinguish the rig from a table.
"""

from __future__ import annotations

import asyncio
import os
import resource
import shutil
import sqlite3
import sys
from collections.abc import Callable, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import aiohttp
import msgspec

from sim_hw.people.baccarat import Console, find_console
from sim_hw.rig.table.process import START_S, TableError, stop_process, tail
from sim_hw.rig.toml import as_toml


class DaemonProcess:
    """One daemon with its config and data in a folder."""

    def __init__(self, folder: Path, config: Mapping[str, Any], *, staff: Path, environment: Mapping[str, str]) -> None:
        """`staff`: a folder with the staff file and the PINs of the simulated people (`hire`)."""
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
        """Returns when it serves its page; `TableError` where it does not come up."""
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
                raise TableError(f"the daemon did not come up: {tail(self.log)}")
            self.console = finding.result()
        finally:
            for task in (finding, ended):
                task.cancel()

    async def stop(self) -> None:
        """As systemd does it."""
        await stop_process(self._process)

    async def daemon_killed(self) -> None:
        """As a power cut: SIGKILL."""
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
        """The number of the last event in the journal, read as docs/compliance/journal.md says."""
        journal = self.data / "journal.db"
        if not journal.exists():
            return 0
        with closing(sqlite3.connect(f"file:{journal}?mode=ro", uri=True)) as file:
            row = file.execute("SELECT first_seq + count - 1 FROM entries ORDER BY n DESC LIMIT 1").fetchone()
        return int(row[0]) if row else 0

    async def screen(self) -> dict[str, Any]:
        """What the page shows now."""
        return await self.console.view()

    async def screens(self, until: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """Follow the page until it shows what fits."""
        assert self._session is not None
        async with self._session.get(f"{self.page}api/stream") as stream:
            async for line in stream.content:
                if line.startswith(b"data: {"):
                    shown: dict[str, Any] = msgspec.json.decode(line[6:])
                    if until(shown):
                        return shown
        raise TableError("the page's stream ended")

    def _limit_files(self, most: int | None) -> None:
        if self._process is None or self._process.returncode is not None:
            raise TableError("the daemon is not running: its disk cannot be full")
        _, hard = resource.prlimit(self._process.pid, resource.RLIMIT_FSIZE)
        resource.prlimit(self._process.pid, resource.RLIMIT_FSIZE, (hard if most is None else most, hard))


async def hire(folder: Path) -> Path:
    """A folder with a staff file for simulated people, made by the daemon's own program."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "controller.cli.simulated.rig", "hire", str(folder)), stderr=asyncio.subprocess.PIPE
    )
    _, errors = await process.communicate()
    if process.returncode:
        raise TableError(f"no staff could be hired: {errors.decode(errors='replace')}")
    return folder
