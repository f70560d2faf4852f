"""One table in one process: the daemon's own object, its journal, drivers and publisher, beside simulated devices.

The daemon is the one that runs on the board: `Daemon.run` on a real journal with real commits, real drivers on real
sockets, its page on a real port, its publisher on a real broker. Only time is simulated (`sim_hw.time.loop`) and, with
it, the clock of the board and the chance of the retries; and a kill ends its tasks, not the process.
"""

from __future__ import annotations

import asyncio
import contextlib
import contextvars
import random
import signal
from pathlib import Path
from typing import Any

import aiohttp
from aiohttp.client_proto import ResponseHandler

from controller.app import Daemon
from controller.clock import SIMULATED_EPOCH_MS
from controller.config import Config
from controller.journal import Journal, Seeded
from controller.journal.writer import Request, Writer
from sim_hw.people.baccarat import Console, find_console
from sim_hw.time.loop import SimLoop


class _DirectWriter(Writer):
    """The journal's writer without its thread: the caller does the commit, so it takes no simulated time, and nothing
    else moves meanwhile. One request is one commit, by the same code as on a board."""

    def _begin(self) -> None:
        """There is no thread to start."""

    def _pass_on(self, request: Request) -> None:
        # What the journal calls afterwards belongs to nobody's task, as when a thread calls it.
        contextvars.Context().run(self._serve, [request])

    def _end(self) -> None:
        self._close_file()


class DirectJournal(Journal):
    """A journal whose commits take no simulated time."""

    writes_with = _DirectWriter


class InsideConnector(aiohttp.BaseConnector):
    """Leads to a page that is served in the same loop: no network is in between, whose bytes take their time."""

    async def _create_connection(
        self,
        req: aiohttp.ClientRequest,
        traces: Any,
        timeout: Any,  # noqa: ASYNC109 - aiohttp's name for it
    ) -> ResponseHandler:
        try:
            _, protocol = await self._loop.create_connection(self._factory, req.url.host or "", req.url.port or 0)
        except OSError as error:
            raise aiohttp.ClientConnectorError(req.connection_key, error) from error
        assert isinstance(protocol, ResponseHandler)
        return protocol


class BoardClock:
    """The board's clock in simulated time; somebody may set it."""

    def __init__(self, loop: SimLoop) -> None:
        self._loop = loop
        self.off_ms = 0

    def now_ms(self) -> int:
        return SIMULATED_EPOCH_MS + self.off_ms + round(self._loop.time() * 1000)

    def elapsed_ms(self) -> int:
        return round(self._loop.time() * 1000)

    def is_synced(self) -> bool:
        return False

    def resume(self, last_ms: int) -> None:
        """It is the board's, and goes on while no daemon runs."""

    def observe(self, uptime_ms: int) -> None:
        """The devices' time is the board's already."""


class Board:
    """The board under the table: its disk and clock, and the daemon from one start to the next end."""

    def __init__(self, config: Config, data: Path, seed: str) -> None:
        loop = asyncio.get_running_loop()
        assert isinstance(loop, SimLoop)
        self.loop, self.config, self.data = loop, config, data
        self.clock = BoardClock(loop)
        self.starts = 0
        self.journal: Journal | None = None
        self.daemon: Daemon | None = None
        self._chance = random.Random(f"{seed}/retries")
        self._journal_chance = Seeded(f"{seed}/journal")
        self._main: asyncio.Task[None] | None = None

    @property
    def is_running(self) -> bool:
        return self._main is not None and not self._main.done()

    async def start(self, session: aiohttp.ClientSession) -> Console:
        """Start the daemon; gives its console as soon as it answers."""
        self.starts += 1
        (self.data / "page.url").unlink(missing_ok=True)
        journal = DirectJournal.open(
            self.data / "journal.db", site=self.config.site, table=self.config.table, chance=self._journal_chance
        )
        self.journal = journal
        self._main = self.loop.start_life(self.starts, self._run(journal))
        finding = asyncio.ensure_future(find_console(session, self.data))
        await asyncio.wait({self._main, finding}, return_when=asyncio.FIRST_COMPLETED)
        if self._main.done():
            finding.cancel()
            self._main.result()
            raise RuntimeError("the daemon ended by itself")
        return finding.result()

    async def _run(self, journal: Journal) -> None:
        self.daemon = Daemon(self.config, journal, self.data, clock=self.clock, chance=self._chance)
        await self.daemon.run()

    async def stop(self) -> None:
        """SIGTERM, as systemd does it."""
        assert self._main is not None and self.journal is not None
        self.loop.signalled(signal.SIGTERM)
        await self._main
        self._gone()

    async def kill(self) -> None:
        """The power goes: no goodbye, whatever was under way. What is on the disk is on the disk."""
        await self.loop.end_life(self.starts)
        assert self._main is not None
        with contextlib.suppress(asyncio.CancelledError):
            await self._main
        self._gone()

    def check_alive(self) -> None:
        """Raises what ended the daemon, where something did."""
        if self._main is not None and self._main.done():
            self._main.result()
            raise RuntimeError("the daemon ended by itself")

    def _gone(self) -> None:
        assert self.journal is not None
        self.journal.close()
        self.journal = self.daemon = self._main = None
