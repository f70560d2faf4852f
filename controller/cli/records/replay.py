"""`cutcard replay`: rounds of a journal as a person reads them."""

from __future__ import annotations

import argparse

from controller.cli.arguments import AddParser, add_reading, journal_of, words_of
from controller.errors import UserError
from controller.evidence import round_text
from controller.evidence.rounds import rounds
from controller.journal import JournalReader
from controller.rules import resolve


def add_command(add: AddParser) -> None:
    command = add("replay", help="print rounds as a person reads them")
    command.add_argument("round", nargs="?", type=int, help="its number")
    command.add_argument("--from", dest="first", type=int, metavar="A", help="the first of several")
    command.add_argument("--to", dest="last", type=int, metavar="B", help="the last of several")
    command.add_argument(
        "--sealed", action="store_true", help="for an inspector: also the face-down cards of settled rounds"
    )
    add_reading(command)
    command.set_defaults(command=_replay)


def _replay(chosen: argparse.Namespace) -> int:
    first, last = _which(chosen)
    with JournalReader.read(journal_of(chosen)) as reader:
        for line in round_text.replay(rounds(reader, resolve, first, last), words_of(chosen), sealed=chosen.sealed):
            print(line)
    return 0


def _which(chosen: argparse.Namespace) -> tuple[int, int]:
    match (chosen.round, chosen.first, chosen.last):
        case (int() as number, None, None):
            return number, number
        case (None, int() as first, int() as last):
            return first, last
    raise UserError("Which round? Give its number, or --from and --to.")
