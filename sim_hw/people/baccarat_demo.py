"""A simulated shoe with people who deal from it, as a process of its own: what `cutcard demo` starts.

    python -m sim_hw.people.baccarat_demo FOLDER --data DATA [--seed S] [--rounds N] [--speed real|max|xN] [--no-bets]

Puts a shoe on FOLDER/shoe (a pseudo-terminal), waits for the daemon that keeps its data in DATA, deals and plays, and
prints one JSON line when the rounds are done. The devices stay plugged in until SIGTERM or SIGINT.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import signal
import sys
from pathlib import Path

import aiohttp

from sim_hw.devices.link_peer import timings_at
from sim_hw.devices.shoe import SimulatedShoe
from sim_hw.people.baccarat import People, TableSaidNo, find_console
from sim_hw.people.until_stopped import deal_until_stopped
from sim_hw.time.clock import SimClock
from sim_hw.wire.pty import Pty

FAILURES = (TableSaidNo, TimeoutError, aiohttp.ClientError)


async def run(chosen: argparse.Namespace) -> int:
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for name in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(name, stop.set)
    clock = SimClock.at(chosen.speed)
    shoe = SimulatedShoe(Pty(chosen.folder, "shoe"), clock, seed=chosen.seed, timings=timings_at(chosen.speed))
    shoe.plug()
    print(json.dumps({"ready": str(chosen.folder / "shoe")}), flush=True)
    try:
        return await deal_until_stopped(deal(chosen, shoe, clock), stop, FAILURES)
    finally:
        shoe.unplug()


async def deal(chosen: argparse.Namespace, shoe: SimulatedShoe, clock: SimClock) -> int:
    async with aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=30)) as session:
        console = await find_console(session, chosen.data)
        await shoe.wait_online()
        people = People(console, shoe, clock, seed=chosen.seed, decks=chosen.decks, bets=chosen.bets)
        return await people.play(chosen.rounds)


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m sim_hw.people.baccarat_demo", description=(__doc__ or "").splitlines()[0]
    )
    parser.add_argument("folder", type=Path, help="where the simulated ports appear")
    parser.add_argument("--data", type=Path, required=True, help="the daemon's data folder")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--rounds", type=int, default=None)
    parser.add_argument("--speed", default="real", help="real, max or a factor such as x20")
    parser.add_argument("--decks", type=int, default=8)
    parser.add_argument("--no-bets", dest="bets", action="store_false", help="a table that records no wagers")
    return asyncio.run(run(parser.parse_args()))


if __name__ == "__main__":
    sys.exit(main())
