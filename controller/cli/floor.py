"""`cutcard floor`: a program of its own beside the daemon, where it is installed.

Nothing of this program imports it. It is loaded by its name, here alone, so that people have one command.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.util

from controller.cli.arguments import AddParser
from controller.errors import UserError

_NEEDED = ("sqlalchemy", "alembic")


def add_command(add: AddParser) -> None:
    command = add("floor", help="every table of a cardroom in one store: collector, store, queries")
    if importlib.util.find_spec("floor") is None or not all(map(importlib.util.find_spec, _NEEDED)):
        command.add_argument("rest", nargs=argparse.REMAINDER, help=argparse.SUPPRESS)
        command.set_defaults(command=_missing)
        return
    commands = command.add_subparsers(title="commands", metavar="", required=True)
    importlib.import_module("floor.cli").add_commands(commands.add_parser)


def _missing(_: argparse.Namespace) -> int:
    raise UserError(
        "The floor needs SQLAlchemy, Alembic and psycopg: `pip install 'cutcard[floor]'`. The board's Debian package "
        "does not have them: install the floor on the machine with the database."
    )
