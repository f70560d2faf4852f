"""`cutcard attest`. Exit codes: 0 all is well, 1 there are warnings."""

from __future__ import annotations

import argparse
from pathlib import Path

from controller.cli.arguments import AddParser
from controller.evidence import attest
from controller.paths import DEFAULT_CONFIG


def add_command(add: AddParser) -> None:
    command = add("attest", help="digests of program, rules, schedules, configuration and journal")
    command.add_argument("--config", type=Path, help=f"default: {DEFAULT_CONFIG} where there is one")
    command.add_argument("--json", action="store_true")
    command.set_defaults(command=_attest)


def _attest(chosen: argparse.Namespace) -> int:
    config = chosen.config
    if config is None and DEFAULT_CONFIG.exists():
        config = DEFAULT_CONFIG
    found = attest.attest(config)
    print(attest.as_json(found) if chosen.json else attest.as_text(found), end="\n" if chosen.json else "")
    return 1 if found.warnings else 0
