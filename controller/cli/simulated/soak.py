"""`cutcard soak`: whole table days in simulated time. `controller.soak` is loaded when the command runs."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from controller.cli.arguments import AddParser
from controller.soak.choice import ALL, GAMES


def add_command(add: AddParser) -> None:
    command = add("soak", help="whole table days in simulated time, with faults and mistakes")
    command.add_argument("--tables", type=int, default=1, help="table days (default: %(default)s)")
    command.add_argument("--hours", type=float, default=24.0, help="of each, simulated (default: %(default)s)")
    command.add_argument("--seed", type=int, default=None, help="of the first; the next ones count up")
    command.add_argument(
        "--games", default=",".join(GAMES), help=f"rulesets, in turn; {ALL}: every one (default: five games)"
    )
    command.add_argument("--faults", type=float, default=6.0, help="per hour (default: %(default)s)")
    command.add_argument("--only", default="", help="only these faults, by name")
    command.add_argument(
        "--mistakes", type=float, default=0.05, help="rate of people's mistakes (default: %(default)s)"
    )
    command.add_argument("--pace", type=float, default=1.0, help="1: people as at a table; 0: as fast as they can")
    command.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="days at a time (default: all cores)")
    command.add_argument("--keep", type=Path, default=None, help="folder for journals and logs; else they are deleted")
    command.add_argument("--json", action="store_true", help="one JSON line per day, no progress bar")
    command.set_defaults(command=_soak)


def _soak(chosen: argparse.Namespace) -> int:
    # A board that deals needs nothing of a simulated one.
    from controller.soak.command import run

    return run(chosen)
