"""Everything in one file for somebody else: `cutcard journal export`.

A zip with the journal, its archives and a verifier that needs nothing but Python. Unpacked it is a journal like any
other, which `cutcard verify` and `cutcard replay` read as well.

A journal holds cards that were never shown. Those of rounds that are over go with it, it would be no evidence without
them; nothing of a round that is being dealt is exported.
"""

from __future__ import annotations

import os
import tempfile
from importlib.resources import files
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

from controller.journal.chain import Head
from controller.journal.errors import JournalError
from controller.journal.reader import JournalReader, Progress
from controller.journal.rotation import copy_part

_README = """\
The journal of table {table} of {site}: entries {first} to {last}, events up to {seq}.
{left_out}
  {journal}   the newest entries, and the list of the archives
  {journal}.archive-*   the older ones, in order, if there are any
  verify_journal.py   checks that nothing was changed, left out or added

    python3 verify_journal.py {journal}

must end with

    {last} entries, {seq} events, {hash}

Every event that the table published carries the hash of its entry: compare one that was kept elsewhere. The format is
described in docs/compliance/journal.md of Cutcard; verify_journal.py is {lines} lines of plain Python, short enough
to be read first. It also checks signed checkpoints and messages that were kept elsewhere: its first lines tell how.

HANDLE WITH CARE: a journal holds cards that nobody was shown.
"""


def export(journal: JournalReader, last: Head, to: Path, progress: Progress | None = None) -> None:
    """Writes the journal up to `last`, after checking all of its chain."""
    journal.verify_chain(progress)
    try:
        fd = os.open(to, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    except OSError as error:
        raise JournalError(f"{to} cannot be written: {error.strerror}. Name another file with --to.") from error
    try:
        with os.fdopen(fd, "wb") as file:
            with ZipFile(file, "w", ZIP_DEFLATED, strict_timestamps=False) as package:
                _fill(package, journal, last, to.parent)
            file.flush()
            os.fsync(fd)
    except OSError as error:
        to.unlink()
        raise JournalError(f"{to} cannot be written: {error.strerror}. Make room on that disk.") from error
    except BaseException:
        to.unlink()
        raise


def _fill(package: ZipFile, journal: JournalReader, last: Head, room: Path) -> None:
    verifier = files(__package__).joinpath("verify_journal.py").read_text(encoding="utf-8")
    name, head = journal.path.name, journal.head
    left_out = f"Entries {last.n + 1} to {head.n} were left out: a round was being dealt.\n" if last != head else ""
    readme = _README.format(
        site=journal.site,
        table=journal.table,
        first=journal.first_n,
        last=last.n,
        seq=last.seq,
        hash=last.hash.hex(),
        left_out=left_out,
        journal=name,
        lines=len(verifier.splitlines()),
    )
    package.writestr("README.txt", readme)
    package.writestr("verify_journal.py", verifier)
    with tempfile.TemporaryDirectory(dir=room) as folder:
        newest = Path(folder) / name
        copy_part(journal, journal.live_start, last, newest, newest, apart=False)
        package.write(newest, name)
    for archive in journal.archives():
        if archive.place == "beside":
            package.write(journal.path.with_name(archive.file), archive.file)
