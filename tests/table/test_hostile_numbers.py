"""The whole daemon, and a device whose numbers cannot be: nothing is lost behind them, and nothing loops."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import aiohttp
import pytest

from sim_hw.devices.shoe import SimulatedShoe
from sim_hw.time.clock import SimClock
from sim_hw.wire.pty import Pty
from tests.support.running.brokers import free_port
from tests.support.running.tables import ALONE, SHOE, UNRECORDED_EZ, RunningDaemon

CONFIG = UNRECORDED_EZ + ALONE + SHOE
LAST = 0xFFFFFFFF
CARDS = ["9h", "2c", "Td", "6s", "4d", "8c"]


class Dealt:
    """A running table with a shoe that was loaded."""

    def __init__(self, daemon: RunningDaemon, shoe: SimulatedShoe) -> None:
        self.daemon, self.shoe = daemon, shoe

    async def held(self) -> None:
        await self.daemon.until(lambda view: view.get("phase") == "held")

    async def takes_the_next(self) -> None:
        """What the shoe reports after all that arrives: its lid is opened and shut."""
        for is_open in (True, False):
            self.shoe.move_lid(is_open=is_open)
            await self.shoe.wait_taken()

    @property
    def connections(self) -> int:
        return [e["state"] for e in self.daemon.journal_events() if e["kind"] == "device_changed"].count("online")

    def codes(self) -> list[str]:
        return [event["code"] for event in self.daemon.journal_events() if event["kind"] == "irregularity"]


@pytest.fixture
async def table(tmp_path: Path) -> AsyncIterator[Dealt]:
    shoe = SimulatedShoe(Pty(tmp_path, "shoe"), SimClock.at("max"), seed=3)
    daemon = RunningDaemon(tmp_path)
    daemon.config.write_text(CONFIG.format(broker=free_port(), folder=tmp_path))
    shoe.plug()
    try:
        async with aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=30)) as session:
            await daemon.start(session)
            try:
                await shoe.wait_online()
                shoe.load(cards=CARDS)
                await shoe.wait_taken()
                yield Dealt(daemon, shoe)
            finally:
                await daemon.stop()
    finally:
        shoe.unplug()


async def test_a_shoe_at_the_end_of_its_counter_stays_locked_and_its_events_are_taken(table: Dealt) -> None:
    """No unlock beyond the last number can be sent. What the shoe reports is taken all the same, in one session."""
    sessions = table.shoe.link.statistics.sessions
    table.shoe.draw_no = LAST - 1
    table.shoe.force_draw()
    await table.shoe.wait_taken()
    await table.held()
    await table.daemon.console.act({"kind": "floor", "do": "use_next", "reason": "it is next"}, by="floor")
    await table.takes_the_next()
    assert "draw_number_skipped" in table.codes()
    assert table.shoe.is_locked
    assert table.shoe.link.statistics.sessions == sessions
