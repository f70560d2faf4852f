"""`cutcard system`: the board itself, where it runs the image (docs/operations/board.md).

setup     the first start: four questions, or their answers from the boot partition
apply     what the site says of this board, put in place at each start
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from controller.cli.arguments import AddParser, add_config
from controller.errors import UserError

SITE = Path("/site")
"""Where the image has the boot partition."""


def add_command(add: AddParser) -> None:
    system = add("system", help="the board itself, where it runs the image: setup, apply")
    parts = system.add_subparsers(title="commands", metavar="", required=True)
    setup = parts.add_parser("setup", help="the first start: four questions, then a configuration")
    setup.set_defaults(command=_setup)
    applied = parts.add_parser("apply", help="put in place what the boot partition says of this board")
    applied.set_defaults(command=_apply)
    for command in (setup, applied):
        command.add_argument("--site", type=Path, default=SITE, help="the boot partition (default: %(default)s)")
        add_config(command)


def _setup(chosen: argparse.Namespace) -> int:
    from controller.board.settings import apply
    from controller.board.setup import offer_request, take_authority
    from controller.board.site_file import SiteFile, read_site_file
    from controller.cli.board import config
    from controller.config import read_config

    try:
        said = read_site_file(chosen.site)
    except UserError as error:
        print(f"{error} Its answers are asked instead.", file=sys.stderr)
        said = SiteFile()
    folder: Path = chosen.config.parent
    is_encrypted = take_authority(chosen.site, folder)
    print("This board has no table yet. Four questions; Enter takes what is in brackets.", flush=True)
    config.first_configuration(
        chosen.config, site=said.site, table=said.table, ruleset=said.ruleset, broker=said.broker
    )
    made = read_config(chosen.config)
    apply(SiteFile(table=made.table) if said.table is None and said.name is None else said, chosen.site)
    if is_encrypted:
        request = offer_request(made, folder, chosen.site)
        print(f"The table's signing request is {request.name} on the boot partition. Put the certificate there as")
        print("table.crt, and start the board again.")
    return 0


def _apply(chosen: argparse.Namespace) -> int:
    from controller.board.settings import apply
    from controller.board.setup import take_certificate
    from controller.board.site_file import read_site_file
    from controller.config import read_config

    said = read_site_file(chosen.site)
    apply(said, chosen.site)
    if chosen.config.exists():
        config = read_config(chosen.config)
        if any(broker.tls for broker in config.mqtt.broker) and (
            line := take_certificate(config, chosen.config.parent, chosen.site)
        ):
            print(line)
    return 0
