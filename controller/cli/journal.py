"""`cutcard journal info`, `rotate` and `export`.

Exit codes: 0 all is well, 1 an archive is missing, 2 it could not be done (the reason is on standard error).
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from controller.cli.evidence import journal_of
from controller.errors import UserError
from controller.evidence.progress import Bar
from controller.evidence.rerun import end_of_last_round
from controller.evidence.verify import is_written
from controller.evidence.words import moment
from controller.journal.archives import Archive
from controller.journal.errors import JournalBusy
from controller.journal.export import export
from controller.journal.journal import Journal
from controller.journal.reader import JournalReader, read_input


def add_journal_command(add: Callable[..., argparse.ArgumentParser]) -> None:
    """Put `journal` beside the other commands; `add` is `add_parser` of the program's sub-commands."""
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
            for line in _info(journal):
                print(line)
            return 1 if journal.missing() else 0
        if chosen.what == "export":
            return _export(journal, chosen.to)
        site, table = journal.site, journal.table
    return _rotate(path, site, table)


def _info(journal: JournalReader) -> Iterator[str]:
    head, live_n, cursor = journal.head, journal.live_n, journal.cursor
    first = next(journal.entries(live_n, live_n + 1), None)
    since = "" if first is None else f", since {_day(read_input(first.input).at)}"
    file = journal.path.stat().st_size
    waiting = "all published" if cursor == head.seq else f"published up to {cursor}, {head.seq - cursor} waiting"
    archives = journal.archives()
    yield f"{journal.path}, table {journal.table} of {journal.site}"
    yield f"  entries   {head.n}, head {head.hash.hex()}"
    yield f"  events    {head.seq}, {waiting}"
    yield f"  live      {head.n - live_n + 1} entries{since}: {_mb(journal.live_bytes)} in a file of {_mb(file)}"
    yield f"  archives  {len(archives) or 'none'}"
    for archive in archives:
        yield f"    {archive.file}  {_day(archive.first_at)} to {_day(archive.last_at)}  {_place(journal, archive)}"
    yield f"  daemon    {'running' if is_written(journal.path) else 'not running'}"


def _place(journal: JournalReader, archive: Archive) -> str:
    path = journal.path.with_name(archive.file)
    if archive.place == "removed":
        return "removed when its time was over"
    if archive.place == "apart":
        return "before this file"
    return _mb(path.stat().st_size) if path.exists() else "MISSING: put it back, or a link to where it is"


def _rotate(path: Path, site: str, table: str) -> int:
    try:
        with Journal.open(path, site=site, table=table) as journal:
            if journal.repair is not None:
                print(f"The journal was cut back first: {journal.repair.why}. What was cut: {journal.repair.file}.")
            archive = journal.rotate_now()
    except JournalBusy:
        raise UserError(
            f"The daemon of this table is running and has the journal {path} open. It rotates by itself, as [journal] "
            "in the configuration says; to do it by hand, stop the daemon first."
        ) from None
    print(f"{archive.entries.capitalize()} are in {archive.file} now, last hash {archive.hash.hex()}.")
    print("The daemon tells the cardroom at its next start.")
    return 0


def _export(journal: JournalReader, to: Path | None) -> int:
    last = end_of_last_round(journal)
    to = to or Path(f"{journal.site}-{journal.table}-{journal.first_n}-{last.n}.zip")
    with Bar("hashes", sys.stderr) as hashing:
        export(journal, last, to, hashing)
    print(f"{to}: entries {journal.first_n} to {last.n}, {_mb(to.stat().st_size)}. Check it with the verify.py inside.")
    return 0


def _day(at: int) -> str:
    return f"{moment(at):%Y-%m-%d %H:%M}"


def _mb(size: int) -> str:
    return f"{size / 1_000_000:.1f} MB"
