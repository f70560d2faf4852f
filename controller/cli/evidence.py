"""The commands of `cutcard` that show evidence: verify, replay, recall, attest.

Exit codes: 0 all is well, 1 something is not what it should be, 2 it could not be looked at (the reason is on standard
error, as for every command).
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

from controller.config import read_config
from controller.errors import UserError
from controller.evidence import attest, telling
from controller.evidence.progress import Bar
from controller.evidence.rounds import last_rounds, rounds
from controller.evidence.verify import report, verify
from controller.evidence.words import SUIT_SIGNS, Words
from controller.journal import JournalReader
from controller.paths import DEFAULT_CONFIG
from controller.rules import resolve


def add_commands(add: Callable[..., argparse.ArgumentParser]) -> None:
    """Put the four commands beside the others; `add` is `add_parser` of the program's sub-commands."""
    proof = add("verify", help="prove that a journal is whole and re-runs to the same events")
    proof.add_argument("journal", nargs="?", type=Path, help="a journal file; else that of the configuration")
    proof.add_argument("--config", type=Path)
    proof.add_argument("--known", metavar="HASH", help="the hash of an entry that must be in it, kept elsewhere")
    proof.set_defaults(command=_verify)

    told = add("replay", help="print rounds as a person reads them")
    told.add_argument("round", nargs="?", type=int, help="its number")
    told.add_argument("--from", dest="first", type=int, metavar="A", help="the first of several")
    told.add_argument("--to", dest="last", type=int, metavar="B", help="the last of several")
    told.add_argument("--sealed", action="store_true", help="for an inspector: face-down cards of settled rounds too")
    _add_reading(told)
    told.set_defaults(command=_replay)

    past = add("recall", help="the last rounds step by step, the unfinished one included")
    past.add_argument("--last", type=int, default=10, metavar="N", help="how many (default: %(default)s)")
    _add_reading(past)
    past.set_defaults(command=_recall)

    digests = add("attest", help="digests of program, rules, schedules, configuration and journal")
    digests.add_argument("--config", type=Path, help=f"default: {DEFAULT_CONFIG} where there is one")
    digests.add_argument("--json", action="store_true")
    digests.set_defaults(command=_attest)


def _add_reading(command: argparse.ArgumentParser) -> None:
    command.add_argument("--config", type=Path)
    command.add_argument("--journal", type=Path, help="a journal file; else that of the configuration")
    command.add_argument("--ascii", action="store_true", help="cards as 9h, without suit signs")


def _verify(chosen: argparse.Namespace) -> int:
    known = None
    if chosen.known is not None:
        if not re.fullmatch("[0-9a-fA-F]{64}", chosen.known):
            raise UserError(f"--known {chosen.known} is no hash: give the 64 hex digits of an event's hash.")
        known = bytes.fromhex(chosen.known)
    with Bar("hashes    ", sys.stderr) as hashing, Bar("re-running", sys.stderr) as rerunning:
        verdict = verify(journal_of(chosen), resolve, known=known, hashing=hashing, rerunning=rerunning)
    print(report(verdict))
    return 0 if verdict.is_whole else 1


def _replay(chosen: argparse.Namespace) -> int:
    first, last = _which(chosen)
    with JournalReader.read(journal_of(chosen)) as reader:
        found = rounds(reader, resolve, first, last)
        _print(telling.replay(found, _words(chosen), sealed=chosen.sealed))
    return 0


def _recall(chosen: argparse.Namespace) -> int:
    if chosen.last < 1:
        raise UserError(f"--last {chosen.last} is no number of rounds; give 1 or more.")
    with JournalReader.read(journal_of(chosen)) as reader:
        _print(telling.recall(last_rounds(reader, resolve, chosen.last), reader, _words(chosen)))
    return 0


def _attest(chosen: argparse.Namespace) -> int:
    config = chosen.config
    if config is None and DEFAULT_CONFIG.exists():
        config = DEFAULT_CONFIG
    found = attest.attest(config)
    print(attest.as_json(found) if chosen.json else attest.as_text(found), end="\n" if chosen.json else "")
    return 1 if found.warnings else 0


def _which(chosen: argparse.Namespace) -> tuple[int, int]:
    match (chosen.round, chosen.first, chosen.last):
        case (int() as number, None, None):
            return number, number
        case (None, int() as first, int() as last):
            return first, last
    raise UserError("Which round? Give its number, or --from and --to.")


def journal_of(chosen: argparse.Namespace) -> Path:
    """The journal that was named, or the one of the configuration."""
    path: Path | None = chosen.journal
    if path is not None:
        if chosen.config is not None:
            raise UserError("Name a journal or a configuration, not both.")
        return path
    file: Path = chosen.config or DEFAULT_CONFIG
    return file.resolve().parent / read_config(file).data / "journal.db"


def _words(chosen: argparse.Namespace) -> Words:
    """Suit signs, unless somebody wants none or the terminal cannot show them."""
    try:
        "".join(SUIT_SIGNS.values()).encode(sys.stdout.encoding)
    except UnicodeEncodeError:
        return Words(ascii=True)
    return Words(ascii=chosen.ascii)


def _print(lines: Iterable[str]) -> None:
    for line in lines:
        print(line)
