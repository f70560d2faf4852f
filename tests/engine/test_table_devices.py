"""One hold'em-style table with every other device on it: shuffler, drop boxes, key panel, dice, reader board."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

import aiohttp

from protocols.shuffler.messages import Mode
from sim_hw.devices.dice_cup import SimulatedDiceCup
from sim_hw.devices.drop_box.bus import SimulatedBus
from sim_hw.devices.drop_box.sensor import SimulatedSensor
from sim_hw.devices.key_panel import SimulatedKeyPanel
from sim_hw.devices.reader_board.device import SimulatedReaderBoard
from sim_hw.devices.reader_board.sign import SimulatedSign
from sim_hw.devices.shuffler.device import SimulatedShuffler
from sim_hw.time.clock import SimClock
from sim_hw.wire.pty import Pty
from tests.support.running.brokers import eventually, free_port
from tests.support.running.tables import ALONE, RunningDaemon

CONFIG = (
    """
site = "test"
table = "t-2"
test = true
[rules]
ruleset = "bankers-ultimate-texas-holdem"
[seating]
seats = [1, 2]
player_dealer = 8
bank = [10000000]
"""
    + ALONE
    + """
[[devices]]
id = "shuffler"
kind = "shuffler"
url = "{folder}/shuffler"
options = {{ mode = "stacks", stack = 2, packet = 5 }}
[[devices]]
id = "boxes"
kind = "drop_box"
url = "{folder}/boxes"
baud = 19200
[devices.options]
poll_ms = {poll_ms}
parity = "none"
sensors = [{{ unit = 1, box = "collection" }}, {{ unit = 2, box = "jackpot" }}]
[[devices]]
id = "panel"
kind = "key_panel"
url = "{folder}/panel"
options = {{ keys = {{ "1" = "no_more_bets", "2" = "call_floor", "3" = "stop" }} }}
[[devices]]
id = "dice"
kind = "dice_cup"
url = "{folder}/dice"
[[devices]]
id = "board"
kind = "reader_board"
url = "{folder}/board"
baud = 9600
"""
)


class FullTable(RunningDaemon):
    """The daemon and its simulated devices."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        clock = SimClock.at("max")
        mode = Mode(kind="stacks", stack=2, packet=5)
        self.shuffler = SimulatedShuffler(Pty(folder, "shuffler"), clock, seed=4, reads_cards=True, mode=mode)
        self.collection = SimulatedSensor(1, clock, seed=4, box="BOX-1", serial="SIM-1")
        self.jackpot = SimulatedSensor(2, clock, seed=4, box="BOX-2", serial="SIM-2")
        self.bus = SimulatedBus(Pty(folder, "boxes"), [self.collection, self.jackpot], seed=4)
        self.panel = SimulatedKeyPanel(Pty(folder, "panel"), clock, seed=4)
        self.dice = SimulatedDiceCup(Pty(folder, "dice"), clock, seed=4)
        self.sign = SimulatedSign()
        self.board = SimulatedReaderBoard(Pty(folder, "board"), [self.sign])

    def plug(self) -> None:
        for device in (self.shuffler, self.bus, self.panel, self.dice, self.board):
            device.plug()

    def unplug(self) -> None:
        self.shuffler.close()
        for device in (self.bus, self.panel, self.dice, self.board):
            device.unplug()

    async def until_online(self) -> None:
        names = {"shuffler", "boxes", "panel", "dice", "board"}
        await self.until(
            lambda view: names <= {device["id"] for device in view.get("devices", ()) if device["state"] == "online"}
        )

    async def bet(self) -> None:
        for seat in (1, 2):
            for wager in ("ante", "blind"):
                await self.console.act({"kind": "wager", "place": seat, "wager": wager, "cents": 1000})

    async def shuffled(self) -> None:
        self.shuffler.load("red")
        async with asyncio.timeout(20):
            await self.shuffler.wait_phase("ready")

    async def stack(self) -> list[str]:
        """The dealer takes the next stack from the tray."""
        async with asyncio.timeout(20):
            await self.shuffler.wait_tray()
        taken = self.shuffler.take()
        await self.shuffler.wait_taken()
        return taken


@asynccontextmanager
async def full_table(folder: Path, poll_ms: int = 50) -> AsyncIterator[FullTable]:
    table = FullTable(folder)
    table.config.write_text(CONFIG.format(broker=free_port(), folder=folder, poll_ms=poll_ms))
    table.plug()
    try:
        async with aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=30)) as session:
            await table.start(session)
            try:
                await table.until_online()
                yield table
            finally:
                await table.stop()
    finally:
        table.unplug()


def prompts(asked: str, view: dict[str, Any]) -> bool:
    return str(view.get("prompt", "")).startswith(asked)


async def test_a_round_from_the_shuffler_with_the_key_panel_closing_the_bets(tmp_path: Path) -> None:
    async with full_table(tmp_path) as table:
        await table.shuffled()
        await table.bet()
        table.panel.press(1)
        hands = [await table.stack() for _ in range(3)]
        community = await table.stack()
        assert [len(hand) for hand in hands] == [2, 2, 2]
        assert len(community) == 5
        for seat in (1, 2):
            asked = f"Seat {seat}: check"
            await table.until(partial(prompts, asked))
            await table.console.act({"kind": "act", "seat": seat, "do": "bet4x"})
        await table.until(lambda view: view.get("phase") == "settled")
        (settled,) = [event for event in table.journal_events() if event["kind"] == "round_settled"]
        assert settled["hands"]["board"] == community
        assert settled["hands"]["1"] == hands[0]
        assert settled["hands"]["player_dealer"] == hands[2]
        dealt = [event for event in table.journal_events() if event["kind"] == "card_dealt"]
        assert len(dealt) == 11
        assert all("card" not in event for event in dealt), "a face-down card was published"


async def test_a_jam_in_mid_deal_holds_the_round_and_a_void_returns_the_wagers(tmp_path: Path) -> None:
    async with full_table(tmp_path) as table:
        await table.shuffled()
        await table.bet()
        table.shuffler.jam_at(2)
        table.panel.press(1)
        view = await table.until(lambda view: view.get("phase") == "held")
        assert view["held"]["code"] == "shuffler_failure"
        async with asyncio.timeout(20):
            await table.board.until(lambda: "FLOOR CALLED" in " ".join(" ".join(page) for page in table.sign.pages))
        await table.console.act({"kind": "floor", "do": "void", "reason": "jam"}, by="floor:ann")
        (voided,) = [event for event in table.journal_events() if event["kind"] == "round_voided"]
        assert voided["returned"] == {"1": 2000, "2": 2000}


async def test_after_a_jam_the_floor_lets_the_dealer_go_on_by_hand(tmp_path: Path) -> None:
    async with full_table(tmp_path) as table:
        await table.shuffled()
        await table.bet()
        table.shuffler.jam_at(2)
        table.panel.press(1)
        await table.until(lambda view: view.get("phase") == "held")
        await table.console.act({"kind": "floor", "do": "resume", "reason": "hand shuffle"}, by="floor:ann")
        for size in (2, 2, 2, 5):
            await table.console.act({"kind": "stack_out", "cards": [None] * size})
        await table.until(partial(prompts, "Seat 1: check"))
        dealt = [event["to"] for event in table.journal_events() if event["kind"] == "card_dealt"]
        assert dealt == ["1"] * 2 + ["2"] * 2 + ["player_dealer"] * 2 + ["board"] * 5


async def test_what_falls_into_the_boxes_is_counted_once_also_across_a_restart(tmp_path: Path) -> None:
    def fallen(table: FullTable) -> list[tuple[str, int, int]]:
        fell = [event for event in table.journal_events() if event["kind"] == "drop_box" and event["what"] == "dropped"]
        return [(event["box"], event["count"], event["total"]) for event in fell]

    async def count(table: FullTable, box: str, total: int) -> None:
        await table.until(
            lambda view: "seq" in view and sum(pieces for name, pieces, _ in fallen(table) if name == box) >= total
        )

    async with full_table(tmp_path) as table:
        table.collection.drop(3)
        table.jackpot.drop(1)
        await count(table, "collection", 3)
        await count(table, "jackpot", 1)
        table.kill()
        await table.stop()
        table.collection.drop(2)
        async with aiohttp.ClientSession() as session:
            await table.start(session)
            await count(table, "collection", 5)
        assert [total for box, _, total in fallen(table) if box == "collection"][-1] == 5
        assert sum(pieces for box, pieces, _ in fallen(table) if box == "jackpot") == 1


async def test_the_dealer_calls_the_floor_with_a_key_and_stops_the_game_with_another(tmp_path: Path) -> None:
    async with full_table(tmp_path) as table:
        await table.bet()
        table.panel.press(2)
        await eventually(lambda: "alarm_raised" in table.kinds())
        assert "held" not in table.kinds()
        table.panel.press(3)
        view = await table.until(lambda view: view.get("phase") == "held")
        assert view["held"]["code"] == "dealer_stops"
