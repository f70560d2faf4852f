"""`cutcard targets`: the file by which Prometheus finds the tables.

cutcard targets tables/*.toml --to /etc/prometheus/cutcard/targets.json
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from controller.cli.arguments import AddParser
from controller.config import read_config
from controller.durable_files import replace_file
from controller.errors import UserError
from controller.metrics.targets import target, target_file


def add_command(add: AddParser) -> None:
    targets = add("targets", help="the file by which Prometheus finds the tables")
    targets.add_argument("config", type=Path, nargs="+", help="the configuration of each table")
    targets.add_argument("--to", type=Path, metavar="FILE", help="replace this file; default: print")
    targets.add_argument("--local", action="store_true", help="Prometheus runs on the board: loopback is right")
    targets.set_defaults(command=_targets)


def _targets(chosen: argparse.Namespace) -> int:
    found = target_file([target(read_config(file), file, may_be_local=chosen.local) for file in chosen.config])
    if chosen.to is None:
        sys.stdout.write(found.decode())
        return 0
    try:
        replace_file(chosen.to, found, 0o644)
    except OSError as error:
        raise UserError(f"{chosen.to} cannot be written: {error.strerror}.") from None
    print(f"{len(chosen.config)} table{'s' * (len(chosen.config) != 1)} in {chosen.to}")
    return 0
