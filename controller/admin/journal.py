"""A journal's files: what they hold, rotating them by hand, exporting them for somebody else to check."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from controller.errors import UserError
from controller.evidence.progress import Bar
from controller.evidence.rerun import end_of_last_round
from controller.evidence.verify import is_written
from controller.evidence.words import moment
from controller.journal.archives import Archive
from controller.journal.errors import JournalBusy
from controller.journal.export import export
from controller.journal.journal import Journal
from controller.journal.published import read_input
from controller.journal.reader import JournalReader


def info(journal: JournalReader) -> Iterator[str]:
    head, live_n = journal.head, journal.live_n
    first = next(journal.entries(live_n, live_n + 1), None)
    since = "" if first is None else f", since {_day(read_input(first.input).at)}"
    file = journal.path.stat().st_size
    brokers = journal.cursors.items()
    running = is_written(journal.path)
    # A running daemon writes this after some rounds only.
    form = (
        "published to {} up to {} or more, {} or fewer waiting" if running else "published to {} up to {}, {} waiting"
    )
    behind = [form.format(name, seq, head.seq - seq) for name, seq in brokers if seq < head.seq]
    waiting = "; ".join(behind) or ("all published" if brokers or not head.seq else "none published")
    archives = journal.archives()
    yield f"{journal.path}, table {journal.table} of {journal.site}, journal {journal.id}"
    yield f"  entries   {head.n}, head {head.hash.hex()}"
    yield f"  events    {head.seq}, {waiting}"
    yield f"  live      {head.n - live_n + 1} entries{since}: {_mb(journal.live_bytes)} in a file of {_mb(file)}"
    yield f"  archives  {len(archives) or 'none'}"
    for archive in archives:
        yield f"    {archive.file}  {_day(archive.first_at)} to {_day(archive.last_at)}  {_place(journal, archive)}"
    yield f"  daemon    {'running' if running else 'not running'}"


def rotate(path: Path, site: str, table: str) -> Iterator[str]:
    try:
        with Journal.open(path, site=site, table=table) as journal:
            if journal.repair is not None:
                yield f"The journal was cut back first: {journal.repair.why}. What was cut: {journal.repair.file}."
            archive = journal.rotate_now()
    except JournalBusy:
        raise UserError(
            f"The daemon of this table is running and has the journal {path} open. It rotates by itself, as [journal] "
            "in the configuration says; to do it by hand, stop the daemon first."
        ) from None
    yield f"{archive.entries.capitalize()} are in {archive.file} now, last hash {archive.hash.hex()}."
    yield "The daemon reports it to the cardroom at its next start."


def export_to(journal: JournalReader, to: Path | None) -> str:
    """Without `to`: a file here, named after table and entries."""
    last = end_of_last_round(journal)
    to = to or Path(f"{journal.site}-{journal.table}-{journal.first_n}-{last.n}.zip")
    with Bar("hashes", sys.stderr) as hashing:
        export(journal, last, to, hashing)
    size = _mb(to.stat().st_size)
    return f"{to}: entries {journal.first_n} to {last.n}, {size}. Check it with the verify_journal.py inside."


def _place(journal: JournalReader, archive: Archive) -> str:
    path = journal.path.with_name(archive.file)
    if archive.place == "removed":
        return "removed when its time was over"
    if archive.place == "apart":
        return "before this file"
    return _mb(path.stat().st_size) if path.exists() else "MISSING: put it back, or a link to where it is"


def _day(at: int) -> str:
    return f"{moment(at):%Y-%m-%d %H:%M}"


def _mb(size: int) -> str:
    return f"{size / 1_000_000:.1f} MB"
