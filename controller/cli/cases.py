"""`cutcard cases`: worked rounds through the engine."""

from __future__ import annotations

import argparse
from pathlib import Path

from controller.cli.arguments import AddParser


def add_command(add: AddParser) -> None:
    command = add("cases", help="run worked rounds through the engine")
    command.add_argument("folder", type=Path)
    command.add_argument("--game")
    command.set_defaults(command=_cases)


def _cases(chosen: argparse.Namespace) -> int:
    from controller.cases.__main__ import main as run_cases

    return run_cases([str(chosen.folder), *(["--game", chosen.game] if chosen.game else [])])
