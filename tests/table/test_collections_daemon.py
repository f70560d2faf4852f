"""The drop before the cards, on a running daemon: a box with a sensor, a key panel, and a dealer who is too quick."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

import aiohttp

from sim_hw.devices.drop_box.bus import SimulatedBus
from sim_hw.devices.drop_box.sensor import SimulatedSensor
from sim_hw.devices.key_panel import SimulatedKeyPanel
from sim_hw.time.clock import SimClock
from sim_hw.wire.pty import Pty
from tests.support.running.brokers import free_port
from tests.support.running.tables import ALONE, CHARGED_EZ, COLLECTION_BOX, RunningDaemon

CONFIG = (
    CHARGED_EZ
    + "awaits_drop = true\n"
    + ALONE
    + COLLECTION_BOX
    + """
[[devices]]
id = "panel"
kind = "key_panel"
url = "{folder}/panel"
options = {{ keys = {{ "1" = "no_more_bets", "2" = "fees_in" }} }}
"""
)


class FeeTable(RunningDaemon):
    """A table whose cards the dealer keys, with a drop box and a key panel."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        clock = SimClock.at("max")
        self.box = SimulatedSensor(1, clock, seed=4, box="BOX-1", serial="SIM-1")
        self.bus = SimulatedBus(Pty(folder, "boxes"), [self.box], seed=4)
        self.panel = SimulatedKeyPanel(Pty(folder, "panel"), clock, seed=4)

    async def bet(self) -> None:
        await self.console.act({"kind": "wager", "place": 1, "wager": "player_line", "cents": 20100})
        self.panel.press(1)
        await self.until(partial(prompts, "Drop $2 into the collection box before the first card"))

    async def deal(self) -> None:
        for card in ("9h", "Kd", "Tc", "7s"):
            await self.console.act({"kind": "card_out", "card": card})


def prompts(asked: str, view: dict[str, Any]) -> bool:
    return str(view.get("prompt", "")).startswith(asked)


@asynccontextmanager
async def fee_table(folder: Path) -> AsyncIterator[FeeTable]:
    table = FeeTable(folder)
    table.config.write_text(CONFIG.format(broker=free_port(), folder=folder))
    for device in (table.bus, table.panel):
        device.plug()
    try:
        async with aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=30)) as session:
            await table.start(session)
            try:
                names = {"boxes", "panel"}
                await table.until(
                    lambda view: (
                        names <= {device["id"] for device in view.get("devices", ()) if device["state"] == "online"}
                    )
                )
                await table.console.act({"kind": "shoe_started"})
                yield table
            finally:
                await table.stop()
    finally:
        for device in (table.bus, table.panel):
            device.unplug()


async def test_the_deal_waits_for_the_box_and_a_card_before_it_calls_the_floor(tmp_path: Path) -> None:
    async with fee_table(tmp_path) as table:
        await table.bet()
        await table.console.act({"kind": "card_out", "card": "9h"})
        view = await table.until(lambda view: view.get("phase") == "held")
        assert view["held"]["code"] == "card_before_fees"
        await table.console.act({"kind": "floor", "do": "use_next", "reason": "first card"}, by="floor:ann")
        await table.until(partial(prompts, "Drop $2"))
        table.box.drop(2)
        await table.until(lambda view: "fees_dropped" in table.kinds())
        for card in ("Kd", "Tc", "7s"):
            await table.console.act({"kind": "card_out", "card": card})
        (settled,) = [event for event in table.journal_events() if event["kind"] == "round_settled"]
        assert settled["fees"] == {"collection": 200}
        # The power goes; what is owed is still known, and the second hand is confirmed with the panel's key.
        table.kill()
        await table.stop()
        async with aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=30)) as session:
            await table.start(session)
            await table.bet()
            table.panel.press(2)
            await table.until(lambda view: table.kinds().count("fees_dropped") == 2)
            await table.deal()
        dropped = [event for event in table.journal_events() if event["kind"] == "fees_dropped"]
        assert [event["how"] for event in dropped] == ["sensor", "dealer"]
