"""`cutcard backup`: the table's records on another disk."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from controller.admin.backup import back_up
from controller.cli.arguments import AddParser, add_config, data_of
from controller.evidence.progress import Bar


def add_command(add: AddParser) -> None:
    command = add("backup", help="copy the table's records to another disk, while it plays")
    command.add_argument("to", type=Path, help="the folder in which the backup becomes a folder of its own")
    add_config(command)
    command.set_defaults(command=_backup)


def _backup(chosen: argparse.Namespace) -> int:
    data = data_of(chosen.config)
    with Bar("hashes", sys.stderr) as hashing:
        made, manifest = back_up(data, chosen.config, chosen.to, hashing)
    print(f"{made}: entries up to {manifest.entries}, events up to {manifest.events}, last hash {manifest.hash}.")
    print("It was read back and its chain is whole. It holds cards that nobody was shown: keep it under lock.")
    return 0
