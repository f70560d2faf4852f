"""Checks a journal and its archives: python3 verify.py [journal.db]. Needs Python 3.8 or newer, nothing else."""

import hashlib
import json
import sqlite3
import struct
import sys
from pathlib import Path


def opened(path: Path) -> sqlite3.Connection:
    if not path.is_file():
        sys.exit(f"{path} is missing")
    return sqlite3.connect(path.resolve().as_uri() + "?mode=ro", uri=True)


def main() -> None:
    journal = Path(sys.argv[1] if len(sys.argv) > 1 else "journal.db")
    db = opened(journal)
    names = dict(db.execute("SELECT name, value FROM meta"))
    first_text = f"cutcard journal 1\nsite {names['site']}\ntable {names['table']}\n"
    before, entries, seen, parts, removed = hashlib.sha256(first_text.encode()).digest(), 0, 0, [], ""
    archives = "SELECT file, last_n, last_seq, hash, place FROM archive ORDER BY number"
    for file, last, seq, end, place in db.execute(archives):
        if place == "beside":
            parts.append((file, opened(journal.parent / file), (last, end)))
        else:
            print(f"entries up to {last} are not here ({file}: {place}); the chain is checked from its last hash on")
            before, entries, seen = end, last, seq
            removed = end.hex() if place == "removed" else ""
    for name, part, due_end in [*parts, (journal.name, db, None)]:
        rows = "SELECT n, CAST(ifnull(sealed, '') AS BLOB) FROM entry WHERE n > ? ORDER BY n"
        for due_n, (n, sealed) in enumerate(part.execute(rows, (entries,)), entries + 1):
            own_n, first_seq, _, count, length = struct.unpack(">IIIHI", sealed[32:50].ljust(18))
            input_, events = sealed[66 : 66 + length], sealed[66 + length :]
            due = hashlib.sha256(before + sealed[32:]).digest()
            if (n, own_n, first_seq, sealed[:32]) != (due_n, due_n, seen + 1, due) or len(json.loads(events)) != count:
                sys.exit(f"{name}: entry {n} is not as it was written, or one before it is missing")
            entries, seen, before = n, seen + count, due
            if b'"archive_removed"' in input_ and json.loads(input_)["body"].get("hash") == removed:
                removed = ""
        if due_end not in (None, (entries, before)):
            sys.exit(f"{name}: it does not end as the journal states")
    if removed:
        sys.exit("an archive is marked as removed, but no entry records the removal")
    print(f"{entries} entries, {seen} events, {before.hex()}")


if __name__ == "__main__":
    main()
