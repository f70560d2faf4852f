"""Due against dropped on a running daemon: the timer, a power cut within the grace, and the report over the page."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiohttp

from sim_hw.devices.drop_box.bus import SimulatedBus
from sim_hw.devices.drop_box.sensor import SimulatedSensor
from sim_hw.time.clock import SimClock
from sim_hw.wire.pty import Pty
from tests.support.running.brokers import free_port
from tests.support.running.tables import ALONE, CHARGED_EZ, COLLECTION_BOX, RunningDaemon

CONFIG = (
    CHARGED_EZ
    + """
[drop]
grace_s = 1
chips = [{{ cents = 100, grams = 10.5 }}]
[report]
timezone = "America/Los_Angeles"
"""
    + ALONE
    + COLLECTION_BOX
)


class BoxTable(RunningDaemon):
    """A table whose cards the dealer keys, with one drop box."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.box = SimulatedSensor(1, SimClock.at("max"), seed=8, box="BOX-1", serial="SIM-1")
        self.bus = SimulatedBus(Pty(folder, "boxes"), [self.box], seed=8)

    async def play(self) -> None:
        await self.console.act({"kind": "wager", "place": 1, "wager": "player_line", "cents": 20100})
        await self.console.act({"kind": "close_bets"})
        for card in ("9h", "Kd", "Tc", "7s"):
            await self.console.act({"kind": "card_out", "card": card})

    def events_of(self, kind: str) -> list[dict[str, Any]]:
        return [event for event in self.journal_events() if event["kind"] == kind]


@asynccontextmanager
async def box_table(folder: Path) -> AsyncIterator[BoxTable]:
    table = BoxTable(folder)
    table.config.write_text(CONFIG.format(broker=free_port(), folder=folder))
    table.bus.plug()
    try:
        yield table
    finally:
        table.bus.unplug()


async def test_a_power_cut_within_the_grace_changes_nothing_and_the_report_says_it_all(tmp_path: Path) -> None:
    async with box_table(tmp_path) as table, aiohttp.ClientSession() as session:
        await table.start(session)
        await table.until(lambda view: "drop_box" in table.kinds())
        await table.console.act({"kind": "shoe_started"})
        await table.play()
        table.kill()
        await table.stop()

        await table.start(session)
        try:
            # Nobody does anything: the timer alone ends the grace.
            await table.until(lambda view: "drop_differs" in table.kinds())
            (short,) = table.events_of("drop_differs")
            assert (short["what"], short["round"], short["dealer"], short["pieces"]) == ("short", 1, "sam", 0)
            table.box.drop(2)
            await table.until(lambda view: "drop_matched" in table.kinds())
            assert [event["late"] for event in table.events_of("drop_matched")] == [True]

            for role, status in (("dealer", 401), ("floor", 200)):
                headers = {"Authorization": f"Bearer {await table.console.login(role)}"}
                async with session.get(f"{table.page}api/report", headers=headers) as response:
                    page = await response.text()
                    assert response.status == status
            assert "America/Los_Angeles" in page and 'class="due"' in page and "late" in page
            async with session.get(f"{table.page}api/report?form=csv", headers=headers) as response:
                assert response.content_type == "text/csv"
                assert ",2.00,2,2.00,2.00," in await response.text()
            async with session.get(f"{table.page}api/report?shift=noon", headers=headers) as response:
                assert response.status == 400
        finally:
            assert await table.stop() == 0
