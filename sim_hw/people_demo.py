"""A simulated table for any game, with people who play it, as a process of its own: `cutcard demo --game …`.

    python -m sim_hw.people_demo FOLDER --data DATA --lay '{"deck": [...], ...}' [--seed S] [--rounds N] [--speed …]

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

import aiohttp
import msgspec
from msgspec import Struct

from protocols.cards import JOKER
from protocols.shuffler import Mode
from sim_hw.clock import SimClock
from sim_hw.dice_cup import SimulatedDiceCup
from sim_hw.drop_box import SimulatedSensor
from sim_hw.key_panel import SimulatedKeyPanel
from sim_hw.modbus_bus import SimulatedBus
from sim_hw.models import DropBoxes, Model, close, online, plug
from sim_hw.people import TableSaidNo, find_console
from sim_hw.people_mistakes import Mistakes
from sim_hw.people_table import Crew, Habits, Reach, Stuck
from sim_hw.pty import Pty
from sim_hw.shoe import SimulatedShoe
from sim_hw.shuffler import SimulatedShuffler
from sim_hw.until_stopped import deal_until_stopped

BOXES = ("collection", "jackpot")
KEYS = {"no_more_bets": 1, "call_floor": 2}
FAILURES = (TableSaidNo, Stuck, TimeoutError, aiohttp.ClientError)


class Lay(Struct, frozen=True, kw_only=True):
    """What the table is laid with: what whoever starts the demo knows of the game."""

    deck: tuple[str, ...]
    lasts: bool = False
    stacks: tuple[int, ...] = ()
    """Sizes of the stacks that a shuffler forms; empty: cards come from a shoe, one by one."""
    dice: bool = False
    seats: tuple[int, ...] = (1, 2, 3, 4, 5, 6)
    mistakes: float = 0.0


class Table:
    """The devices of a demo."""

    def __init__(self, folder: Path, lay: Lay, clock: SimClock, seed: int) -> None:
        self.shoe: SimulatedShoe | None = None
        self.shuffler: SimulatedShuffler | None = None
        if lay.stacks:
            mode = Mode(kind="stacks", stack=lay.stacks[0], packet=(*lay.stacks, 0)[1], jokers=lay.deck.count(JOKER))
            self.shuffler = SimulatedShuffler(Pty(folder, "shuffler"), clock, seed=seed, mode=mode)
        else:
            self.shoe = SimulatedShoe(Pty(folder, "shoe"), clock, seed=seed)
        self.panel = SimulatedKeyPanel(Pty(folder, "panel"), clock, seed=seed)
        self.dice = SimulatedDiceCup(Pty(folder, "dice"), clock, seed=seed) if lay.dice else None
        sensors = {
            box: SimulatedSensor(unit, clock, seed=seed, box=f"BOX-{unit}", serial=f"SIM-{unit}")
            for unit, box in enumerate(BOXES, start=1)
        }
        self.boxes = DropBoxes(SimulatedBus(Pty(folder, "boxes"), list(sensors.values()), seed=seed), sensors)

    @property
    def models(self) -> list[Model]:
        every: tuple[Model | None, ...] = (self.shoe, self.shuffler, self.panel, self.dice, self.boxes)
        return [model for model in every if model is not None]

    @property
    def reach(self) -> Reach:
        return Reach(self.shoe, self.shuffler, self.dice, self.boxes.sensors, self.panel, KEYS)


async def run(chosen: argparse.Namespace) -> int:
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for name in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(name, stop.set)
    clock = SimClock.at(chosen.speed)
    lay = msgspec.json.decode(chosen.lay, type=Lay)
    table = Table(chosen.folder, lay, clock, chosen.seed)
    for model in table.models:
        plug(model)
    print(json.dumps({"ready": str(chosen.folder)}), flush=True)
    try:
        return await deal_until_stopped(deal(chosen, table, lay, clock), stop, FAILURES)
    finally:
        for model in table.models:
            close(model)


async def deal(chosen: argparse.Namespace, table: Table, lay: Lay, clock: SimClock) -> int:
    async with aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=30)) as session:
        console = await find_console(session, chosen.data)
        for model in table.models:
            await online(model)
        pace = 0.0 if chosen.speed == "max" else 1.0
        habits = Habits(lay.deck, lasts=lay.lasts, seats=lay.seats, pace=pace)
        mistakes = Mistakes.at(lay.mistakes)
        return await Crew(console, table.reach, clock, habits, seed=chosen.seed, mistakes=mistakes).play(chosen.rounds)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m sim_hw.people_demo", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", type=Path, help="where the simulated ports appear")
    parser.add_argument("--data", type=Path, required=True, help="the daemon's data folder")
    parser.add_argument("--lay", required=True, help="what the table is laid with, as JSON")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--rounds", type=int, default=None)
    parser.add_argument("--speed", default="real", help="real, max or a factor such as x20")
    return asyncio.run(run(parser.parse_args()))


if __name__ == "__main__":
    sys.exit(main())
