"""A whole table for tests: the daemon as its own process, a simulated shoe on a PTY, people who deal and bet.

    async with laid_table(tmp_path, broker_port) as table:
        await table.people.play(1)
        assert table.journal_events()[-1]["kind"] == "round_settled"

Time is simulated and the people act step by step, so nothing moves between two calls: what a test sees does not move.
"""

from __future__ import annotations

import asyncio
import signal
import sys
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, closing
from pathlib import Path
from typing import Any

import aiohttp
import msgspec

from controller.demo.staff import hire
from controller.journal import JournalReader
from controller.operator.staff import FILE as STAFF
from sim_hw.devices.shoe import SimulatedShoe
from sim_hw.people.baccarat import Console, People, find_console
from sim_hw.time.clock import SimClock
from sim_hw.wire.noise import Noise
from sim_hw.wire.pty import Pty

ALONE = """
[journal]
warn_below_mb = 0
stop_below_mb = 0
[mqtt]
start_without_broker = true
[[mqtt.broker]]
port = {broker}
[web]
port = 0
"""
"""Sections of a config for a table on a small disk, whose broker may be away and whose page gets a free port."""
UNRECORDED_EZ = """
site = "test"
table = "t-3"
test = true
[rules]
ruleset = "bankers-ez-baccarat-panda-8"
[seating]
seats = [1, 2]
player_dealer = 8
records_wagers = false
"""
"""A baccarat table that records no wagers."""
CHARGED_EZ = """
site = "test"
table = "t-3"
test = true
[rules]
ruleset = "bankers-ez-baccarat-panda-8"
options = {{ schedule = "ca-2/ez-baccarat/1" }}
[seating]
seats = [1, 2]
player_dealer = 8
bank = [10000000]
"""
"""A baccarat table with a posted schedule and a bank."""
SHOE = """
[[devices]]
id = "shoe"
kind = "shoe"
url = "{folder}/shoe"
"""
COLLECTION_BOX = """
[[devices]]
id = "boxes"
kind = "drop_box"
url = "{folder}/boxes"
baud = 19200
options = {{ poll_ms = 50, parity = "none", sensors = [{{ unit = 1, box = "collection" }}] }}
"""
CONFIG = """
site = "test"
table = "t-1"
test = true
clock = "devices"
[rules]
ruleset = "bankers-ez-baccarat-panda-8"
[seating]
min_wager = 500
max_wager = 50000
[journal]
warn_below_mb = {warn_below}
stop_below_mb = {stop_below}
[mqtt]
start_without_broker = true
[[mqtt.broker]]
port = {broker}
[web]
port = 0
[[devices]]
id = "shoe"
kind = "shoe"
url = "{port}"
"""


class RunningDaemon:
    """The daemon of one table as a process of its own, with its config and data in a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.config = folder / "cutcard.toml"
        self.data = folder / "data"
        self._daemon: asyncio.subprocess.Process | None = None
        self.before: Sequence[str] = ()
        """What is put before the daemon's own command: something to run it in."""
        self.console: Console

    @property
    def pid(self) -> int:
        assert self._daemon is not None
        return self._daemon.pid

    @property
    def page(self) -> str:
        return (self.data / "page.url").read_text().strip()

    @property
    def journal(self) -> Path:
        return self.data / "journal.db"

    def journal_events(self) -> list[dict[str, Any]]:
        """Every event of the journal, with its number."""
        with closing(JournalReader.read(self.journal)) as reader:
            return [
                {"seq": event.seq, "hash": event.hash.hex(), **msgspec.json.decode(event.body)}
                for event in reader.events_from(1, 1_000_000)
            ]

    def kinds(self) -> list[str]:
        return [event["kind"] for event in self.journal_events()]

    async def start(self, session: aiohttp.ClientSession) -> None:
        """Start it and wait until it serves its page."""
        if not (self.data / STAFF).exists():
            hire(self.data)
        (self.data / "page.url").unlink(missing_ok=True)
        await self.launch()
        assert self._daemon is not None
        finding = asyncio.create_task(find_console(session, self.data))
        ended = asyncio.create_task(self._daemon.wait())
        await asyncio.wait({finding, ended}, return_when=asyncio.FIRST_COMPLETED)
        if ended.done():
            finding.cancel()
            raise AssertionError(f"the daemon ended: {(self.folder / 'daemon.log').read_text()}")
        ended.cancel()
        self.console = finding.result()

    async def launch(self) -> None:
        """Start it; a table that is out of use serves no page."""
        self._daemon = await asyncio.create_subprocess_exec(
            *(*self.before, sys.executable, "-m", "controller.cli", "run", "--config", str(self.config)),
            stderr=self._log(),
        )

    async def ended(self) -> int:
        """Waits until it ends by itself; its exit code."""
        assert self._daemon is not None
        async with asyncio.timeout(60):
            return await self._daemon.wait()

    async def until(self, holds: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """Follow the page's stream until the table looks like this."""
        address = f"{self.page}api/stream"
        async with asyncio.timeout(60), aiohttp.ClientSession() as session, session.get(address) as stream:
            async for line in stream.content:
                if line.startswith(b"data: {") and holds(view := msgspec.json.decode(line[6:])):
                    return dict(view)
        raise AssertionError("the stream ended")

    def kill(self) -> None:
        """The power goes."""
        assert self._daemon is not None
        self._daemon.send_signal(signal.SIGKILL)

    async def stop(self) -> int:
        """SIGTERM, and its exit code."""
        assert self._daemon is not None
        if self._daemon.returncode is None:
            self._daemon.terminate()
        async with asyncio.timeout(60):
            return await self._daemon.wait()

    def _log(self) -> Any:
        return (self.folder / "daemon.log").open("ab")


class LaidTable(RunningDaemon):
    """A baccarat table: its daemon, its shoe and its people."""

    def __init__(self, folder: Path, shoe: SimulatedShoe, clock: SimClock, seed: int) -> None:
        super().__init__(folder)
        self.shoe, self.clock = shoe, clock
        self._seed = seed
        self.people: People

    async def start(self, session: aiohttp.ClientSession) -> None:
        """Start the daemon and wait until it has its shoe."""
        await super().start(session)
        async with asyncio.timeout(30):
            await self.shoe.wait_online()

    def seat_people(self) -> None:
        self.people = People(self.console, self.shoe, self.clock, seed=self._seed, decks=8, bets=True)


@asynccontextmanager
async def laid_table(
    folder: Path,
    broker_port: int,
    *,
    seed: int = 1,
    noise: Noise | None = None,
    cards: list[str] | None = None,
    stop_below: int = 0,
    before: Sequence[str] = (),
    more: str = "",
) -> AsyncIterator[LaidTable]:
    """A table ready to be dealt.

    `cards` loads the first shoe with these, in this order; `stop_below`: megabytes that the disk must have free;
    `before`: see `RunningDaemon`; `more`: further sections of its configuration.
    """
    clock = SimClock.at("max")
    shoe = SimulatedShoe(Pty(folder, "shoe"), clock, seed=seed, noise=noise)
    table = LaidTable(folder, shoe, clock, seed)
    table.before = before
    table.config.write_text(
        CONFIG.format(broker=broker_port, port=folder / "shoe", stop_below=stop_below, warn_below=stop_below) + more
    )
    shoe.plug()
    try:
        async with aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=30)) as session:
            await table.start(session)
            if cards is not None:
                shoe.load(cards=cards)
                await shoe.wait_taken()
            table.seat_people()
            try:
                yield table
            finally:
                await table.stop()
    finally:
        shoe.unplug()
