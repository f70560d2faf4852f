"""`cutcard recall`: the last rounds step by step, for a dispute at the table."""

from __future__ import annotations

import argparse

from controller.cli.arguments import AddParser, add_reading, journal_of, words_of
from controller.errors import UserError
from controller.evidence import round_text
from controller.evidence.rounds import last_rounds
from controller.journal import JournalReader
from controller.rules import resolve


def add_command(add: AddParser) -> None:
    command = add("recall", help="the last rounds step by step, the unfinished one included")
    command.add_argument("--last", type=int, default=10, metavar="N", help="how many (default: %(default)s)")
    add_reading(command)
    command.set_defaults(command=_recall)


def _recall(chosen: argparse.Namespace) -> int:
    if chosen.last < 1:
        raise UserError(f"--last {chosen.last} is no number of rounds; give 1 or more.")
    with JournalReader.read(journal_of(chosen)) as reader:
        for line in round_text.recall(last_rounds(reader, resolve, chosen.last), reader, words_of(chosen)):
            print(line)
    return 0
