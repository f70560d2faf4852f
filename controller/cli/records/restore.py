"""`cutcard restore`: a backup on a new board."""

from __future__ import annotations

import argparse
from pathlib import Path

from controller.admin.manifest import CONFIG, made_when
from controller.admin.restore import restore
from controller.cli.arguments import AddParser, add_config


def add_command(add: AddParser) -> None:
    command = add("restore", help="put a backup on a new board; never over a journal that is there")
    command.add_argument("backup", type=Path, help="the folder that `cutcard backup` made")
    command.add_argument(
        "--signed-by", metavar="KEY", help="the public key of the board that made it (default: this board's own)"
    )
    add_config(command)
    command.set_defaults(command=_restore)


def _restore(chosen: argparse.Namespace) -> int:
    restored = restore(chosen.backup, chosen.config, chosen.signed_by)
    manifest = restored.manifest
    print(f"The journal of table {manifest.table} of {manifest.site} is restored, up to entry {manifest.entries}.")
    for name in restored.kept:
        print(f"{name} was there and was left as it is; the backup's is {chosen.backup / name}.")
    if restored.config_was_there:
        print(f"{chosen.config} was there and was left as it is; the backup's is {chosen.backup / CONFIG}.")
    print(
        f"What the table did after {made_when(manifest)} is not in it. The cardroom has the events above "
        f"{manifest.events} from the broker: inform it, because their numbers will be used again."
    )
    print("The keys are not in a backup: `cutcard enroll` makes new ones. Then start the daemon.")
    return 0
