"""A simulated table for any game, with people who play it, as a process of its own: `cutcard demo --game …`.

    python -m sim_hw.people.demo FOLDER --data DATA --lay '{"deck": [...], ...}' [--seed S] [--rounds N] [--speed …]

Puts what the game is dealt from (a shoe, or a shuffler that forms hands), a key panel, drop boxes and, where the game
throws dice, a dice cup on pseudo-terminals in FOLDER, waits for the daemon that keeps its data in DATA, deals and
plays, and prints one JSON line when the rounds are done. The devices stay plugged in until SIGTERM or SIGINT.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import signal
import sys
from pathlib import Path
from typing import Any

import aiohttp
import msgspec
from msgspec import Struct

from protocols.cards import JOKER
from protocols.link.session import Timings
from protocols.shuffler.messages import Mode
from sim_hw.devices.dice_cup import SimulatedDiceCup
from sim_hw.devices.drop_box.bus import SimulatedBus
from sim_hw.devices.drop_box.device import DropBoxes
from sim_hw.devices.drop_box.sensor import SimulatedSensor
from sim_hw.devices.key_panel import SimulatedKeyPanel
from sim_hw.devices.kinds import SimulatedDevice
from sim_hw.devices.link_device import LinkDevice
from sim_hw.devices.link_peer import timings_at
from sim_hw.devices.shoe import SimulatedShoe
from sim_hw.devices.shuffler.device import SimulatedShuffler
from sim_hw.people.baccarat import Console, TableSaidNo, find_console
from sim_hw.people.crew import Crew, Habits, Reach, Stakes, Stuck
from sim_hw.people.mistakes import Mistakes
from sim_hw.people.sight import look_at
from sim_hw.people.until_stopped import deal_until_stopped
from sim_hw.time.clock import SimClock
from sim_hw.wire.pty import Pty

BOXES = ("collection", "jackpot")
KEYS = {"no_more_bets": 1, "call_floor": 2}
START_S = 60.0
SCALES_REST_S = 1.0
"""Before anybody reads the boxes: a weight that settles later would be reported whenever the daemon happens to ask."""
FAILURES = (TableSaidNo, Stuck, TimeoutError, aiohttp.ClientError)


class Lay(Struct, frozen=True, kw_only=True):
    """What the game needs on the table; the caller that starts the demo knows it."""

    deck: tuple[str, ...]
    lasts: bool = False
    stacks: tuple[int, ...] = ()
    """Sizes of the stacks that a shuffler forms; empty: cards come from a shoe, one by one."""
    dice: bool = False
    by_hand: bool = False
    """The dealer deals them off the table and enters at the console what is shown: tiles."""
    seats: tuple[int, ...] = (1, 2, 3, 4, 5, 6)
    stakes: Stakes = Stakes()
    mistakes: float = 0.0


class DemoTable:
    """The devices of a demo."""

    def __init__(self, folder: Path, lay: Lay, clock: SimClock, seed: int, timings: Timings) -> None:
        self.shoe: SimulatedShoe | None = None
        self.shuffler: SimulatedShuffler | None = None
        if lay.stacks:
            mode = Mode(kind="stacks", stack=lay.stacks[0], packet=(*lay.stacks, 0)[1], jokers=lay.deck.count(JOKER))
            self.shuffler = SimulatedShuffler(Pty(folder, "shuffler"), clock, seed=seed, mode=mode, timings=timings)
        elif not lay.by_hand:
            self.shoe = SimulatedShoe(Pty(folder, "shoe"), clock, seed=seed, timings=timings)
        self.panel = SimulatedKeyPanel(Pty(folder, "panel"), clock, seed=seed, timings=timings)
        self.dice = SimulatedDiceCup(Pty(folder, "dice"), clock, seed=seed, timings=timings) if lay.dice else None
        sensors = {
            box: SimulatedSensor(unit, clock, seed=seed, box=f"BOX-{unit}", serial=f"SIM-{unit}")
            for unit, box in enumerate(BOXES, start=1)
        }
        self.boxes = DropBoxes(SimulatedBus(Pty(folder, "boxes"), list(sensors.values()), seed=seed), sensors)

    @property
    def models(self) -> dict[str, SimulatedDevice]:
        """By the name that the daemon's config gives each."""
        return {"boxes": self.boxes, **self.switched}

    @property
    def switched(self) -> dict[str, LinkDevice[Any]]:
        """Those with a power switch."""
        named: dict[str, LinkDevice[Any] | None] = {
            "shoe": self.shoe,
            "shuffler": self.shuffler,
            "panel": self.panel,
            "dice": self.dice,
        }
        return {name: model for name, model in named.items() if model is not None}

    def plug(self) -> None:
        """All cables in; but for the drop boxes, whose bus has no switch, everything is still off."""
        for model in self.models.values():
            model.plug()
        for model in self.switched.values():
            model.link.power_off()

    async def switch_on(self, console: Console) -> None:
        """One after the other, each when the table has met the one before: so their order is always the same."""
        await _met(console, "boxes", *(f"boxes.{box}" for box in self.boxes.sensors))
        for name, model in self.switched.items():
            model.link.power_on()
            await model.wait_online()
            await _met(console, name)

    def reach(self, *, waits: bool) -> Reach:
        """`waits`: time is simulated throughout, so people wait for the sensors and not the sensors for the time."""
        counts = self.boxes.wait_read if waits else None
        return Reach(self.shoe, self.shuffler, self.dice, self.boxes.sensors, self.panel, KEYS, counts=counts)


async def _met(console: Console, *devices: str) -> None:
    """Until the table says that these are there."""
    while True:
        sight = look_at(await console.state())
        if all(sight.is_online(device) for device in devices):
            return
        await asyncio.sleep(0.02)


async def run(chosen: argparse.Namespace) -> int:
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for name in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(name, stop.set)
    clock = SimClock.at(chosen.speed)
    lay = msgspec.json.decode(chosen.lay, type=Lay)
    table = DemoTable(chosen.folder, lay, clock, chosen.seed, timings_at(chosen.speed))
    clock.jump(SCALES_REST_S)
    table.plug()
    print(json.dumps({"ready": str(chosen.folder)}), flush=True)
    try:
        return await deal_until_stopped(deal(chosen, table, lay, clock), stop, FAILURES)
    finally:
        for model in table.models.values():
            model.close()


async def deal(chosen: argparse.Namespace, table: DemoTable, lay: Lay, clock: SimClock) -> int:
    async with aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=30)) as session:
        console = await find_console(session, chosen.data)
        async with asyncio.timeout(START_S):
            await table.switch_on(console)
        is_simulated = chosen.speed == "max"
        pace = 0.0 if is_simulated else 1.0
        habits = Habits(lay.deck, lasts=lay.lasts, seats=lay.seats, stakes=lay.stakes, pace=pace)
        mistakes = Mistakes.at(lay.mistakes)
        reach = table.reach(waits=is_simulated)
        return await Crew(console, reach, clock, habits, seed=chosen.seed, mistakes=mistakes).play(chosen.rounds)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m sim_hw.people.demo", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", type=Path, help="where the simulated ports appear")
    parser.add_argument("--data", type=Path, required=True, help="the daemon's data folder")
    parser.add_argument("--lay", required=True, help="what the table is laid with, as JSON")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--rounds", type=int, default=None)
    parser.add_argument("--speed", default="real", help="real, max or a factor such as x20")
    return asyncio.run(run(parser.parse_args()))


if __name__ == "__main__":
    sys.exit(main())
