"""The command `cutcard`. Each of its commands is a module of this package with an `add_command`.

Every mistake that a person can make ends with one paragraph on standard error with what to do, and exit code 2.

Only the module of the requested command is loaded: a board has to start its daemon quickly, and a loaded module stays
in memory.
"""

from __future__ import annotations

import argparse
import importlib
import sys
from collections.abc import Callable, Sequence

from controller import __version__
from controller.cli.parser import Parser
from controller.errors import UserError
from controller.printing.colours import paint_for

COMMANDS = {
    "run": "run",
    "demo": "simulated.demo",
    "cases": "cases",
    "rules": "rules",
    "config": "board.config",
    "verify": "records.verify",
    "replay": "records.replay",
    "recall": "records.recall",
    "attest": "records.attest",
    "journal": "records.journal",
    "backup": "records.backup",
    "restore": "records.restore",
    "firmware": "technician.firmware",
    "reference": "board.reference",
    "system": "board.system",
    "doctor": "technician.doctor",
    "devices": "technician.devices",
    "capture": "technician.capture",
    "rig": "simulated.rig",
    "staff": "board.staff",
    "enroll": "board.enroll",
    "tail": "broker.tail",
    "sparkplug": "broker.sparkplug",
    "floor": "floor",
    "targets": "broker.targets",
    "certificates": "broker.certificates",
    "report": "records.report",
    "soak": "simulated.soak",
    "completion": "board.shell",
    "man": "board.manual",
}
"""The module of each command, in the order of `cutcard --help`."""


def main(arguments: Sequence[str] | None = None) -> int:
    arguments = sys.argv[1:] if arguments is None else arguments
    parser = command_line(arguments[0] if arguments else None)
    chosen = parser.parse_args(arguments)
    command: Callable[[argparse.Namespace], int] | None = getattr(chosen, "command", None)
    if command is None:
        parser.print_help()
        return 2
    try:
        return command(chosen)
    except BrokenPipeError:
        return 1
    except KeyboardInterrupt:
        return 130
    except UserError as error:
        print(f"{paint_for(sys.stderr)('cutcard:', 'red')} {error}", file=sys.stderr)
        return error.exit_code


def command_line(requested: str | None = None) -> argparse.ArgumentParser:
    """The parser of the requested command, or of all commands where it is none of them."""
    parser = Parser(prog="cutcard", description="The software on the board under a card table.")
    parser.add_argument("--version", action="version", version=f"cutcard {__version__}")
    commands = parser.add_subparsers(title="commands", metavar="")
    for name in (requested,) if requested in COMMANDS else tuple(COMMANDS):
        importlib.import_module(f"controller.cli.{COMMANDS[name]}").add_command(commands.add_parser)
    return parser


if __name__ == "__main__":
    sys.exit(main())
