"""`cutcard verify`. Exit codes: 0 the journal is whole, 1 it is not, 2 it could not be read."""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path

from controller.cli.arguments import AddParser, journal_of
from controller.errors import UserError
from controller.evidence.progress import Bar
from controller.evidence.verify import report, verify, worth_processes
from controller.rules import resolve


def add_command(add: AddParser) -> None:
    command = add("verify", help="prove that a journal is whole and re-runs to the same events")
    command.add_argument("journal", nargs="?", type=Path, help="a journal file; else that of the configuration")
    command.add_argument("--config", type=Path)
    command.add_argument("--known", metavar="HASH", help="the hash of an entry that must be in it, kept elsewhere")
    help = "a signed checkpoint that it must not contradict, kept elsewhere; may be given more than once"
    command.add_argument("--checkpoint", type=Path, action="append", default=[], metavar="FILE", help=help)
    command.set_defaults(command=_verify)


def _verify(chosen: argparse.Namespace) -> int:
    known = None
    if chosen.known is not None:
        if not re.fullmatch("[0-9a-fA-F]{64}", chosen.known):
            raise UserError(f"--known {chosen.known} is no hash: give the 64 hex digits of an event's hash.")
        known = bytes.fromhex(chosen.known)
    journal = journal_of(chosen)
    with Bar("hashes    ", sys.stderr) as hashing, Bar("re-running", sys.stderr) as rerunning:
        verdict = verify(
            journal,
            resolve,
            known=known,
            checkpoints=chosen.checkpoint,
            hashing=hashing,
            rerunning=rerunning,
            processes=worth_processes(journal),
        )
    print(report(verdict))
    return 0 if verdict.is_whole else 1
