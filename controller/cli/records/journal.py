"""`cutcard journal`. Exit codes: 0 all is well, 1 an archive is missing, 2 it could not be done."""

from __future__ import annotations

import argparse
from pathlib import Path

from controller.admin import journal as files
from controller.cli.arguments import AddParser, journal_of
from controller.errors import UserError
from controller.journal.reader import JournalReader


def add_command(add: AddParser) -> None:
    command = add("journal", help="the journal's files: info, rotate, export")
    command.add_argument("what", choices=("info", "rotate", "export"))
    command.add_argument("--config", type=Path)
    command.add_argument("--journal", type=Path, help="a journal file; else that of the configuration")
    command.add_argument("--to", type=Path, metavar="FILE", help="`export`: default SITE-TABLE-FIRST-LAST.zip, here")
    command.set_defaults(command=_journal)


def _journal(chosen: argparse.Namespace) -> int:
    if chosen.to is not None and chosen.what != "export":
        raise UserError(f"--to belongs to `cutcard journal export`, not to `{chosen.what}`.")
    path = journal_of(chosen)
    with JournalReader.read(path) as journal:
        if chosen.what == "info":
            for line in files.info(journal):
                print(line)
            return 1 if journal.missing() else 0
        if chosen.what == "export":
            print(files.export_to(journal, chosen.to))
            return 0
        site, table = journal.site, journal.table
    for line in files.rotate(path, site, table):
        print(line)
    return 0
