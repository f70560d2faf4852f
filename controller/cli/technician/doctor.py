"""`cutcard doctor`. Exit codes: 0 all is well, 1 something is wrong with the table."""

from __future__ import annotations

import argparse
import sys

from controller.cli.arguments import AddParser, add_config


def add_command(add: AddParser) -> None:
    command = add("doctor", help="what is configured, what answers, and what to check")
    add_config(command)
    command.add_argument("--json", action="store_true")
    command.set_defaults(command=_doctor)


def _doctor(chosen: argparse.Namespace) -> int:
    import msgspec

    from controller.printing.colours import paint_for
    from controller.technician import doctor
    from controller.technician.terminal import run

    found = run(doctor.examine(chosen.config))
    if chosen.json:
        print(msgspec.json.encode(found).decode())
    else:
        for line in doctor.as_text(found, paint_for(sys.stdout)):
            print(line)
    return 0 if found.ok else 1
