"""`cutcard restore`: a backup on a new board."""

from __future__ import annotations

import argparse
from pathlib import Path

from controller.admin.backup import CONFIG, made_when, restore
from controller.cli.arguments import AddParser, add_config


def add_command(add: AddParser) -> None:
    command = add("restore", help="put a backup on a new board; never over a journal that is there")
    command.add_argument("backup", type=Path, help="the folder that `cutcard backup` made")
    add_config(command)
    command.set_defaults(command=_restore)


def _restore(chosen: argparse.Namespace) -> int:
    manifest, config_is_ours = restore(chosen.backup, chosen.config)
    print(f"The journal of table {manifest.table} of {manifest.site} is restored, up to entry {manifest.entries}.")
    if not config_is_ours:
        print(f"{chosen.config} was there and was left as it is; the backup's is {chosen.backup / CONFIG}.")
    print(
        f"What the table did after {made_when(manifest)} is not in it. The cardroom has the events above "
        f"{manifest.events} from the broker: inform it, because their numbers will be used again."
    )
    print("The TLS key is not in a backup: `cutcard enroll` makes a new one. Then start the daemon.")
    return 0
