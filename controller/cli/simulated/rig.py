"""`cutcard rig`: the simulated table as a product of its own; docs/protocols/rig.md.

The rig is the package `sim_hw`, which knows nothing of the daemon and of which the daemon knows nothing: this command
hands over to it. The one thing that the rig needs of us is staff for its tables
(`python -m controller.cli.simulated.rig hire`).
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable
from pathlib import Path

from controller.demo.staff import hire


def add_command(add_parser: Callable[..., argparse.ArgumentParser]) -> None:
    """Register `cutcard rig`; the rig itself parses its arguments."""
    parser = add_parser(
        "rig",
        help="the simulated table: up, run, record, list, do; see `cutcard rig --help`",
        add_help=False,
        prefix_chars="\0",
    )
    parser.add_argument("words", nargs="*", metavar="")
    parser.set_defaults(command=run)


def run(chosen: argparse.Namespace) -> int:
    # In our place, not below us: signals then reach the one process that has something to put away.
    os.execv(sys.executable, [sys.executable, "-m", "sim_hw.rig.command", *chosen.words])


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m controller.cli.simulated.rig")
    parser.add_argument("what", choices=("hire",))
    parser.add_argument("folder", type=Path, help="where the staff file and the note of the people go")
    hire(parser.parse_args().folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
