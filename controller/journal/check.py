"""Checks a journal and its archives: python3 verify.py [journal.db]. Needs Python 3.8 or newer, nothing else."""

import hashlib
import json
import sqlite3
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
    before, entries, events_seen = hashlib.sha256(first_text.encode()).digest(), 0, 0
    parts, removed = [], ""
    archives = "SELECT file, last_n, last_seq, hash, place FROM archive ORDER BY number"
    for file, last, seq, end, place in db.execute(archives):
        if place == "beside":
            parts.append((file, opened(journal.parent / file), (last, end)))
        else:
            print(f"entries up to {last} are not here ({file}: {place}); the chain is checked from its last hash on")
            before, entries, events_seen = end, last, seq
            removed = end.hex() if place == "removed" else ""
    for name, part, due_end in [*parts, (journal.name, db, None)]:
        rows = "SELECT n, round, input, events, first_seq, count, hash FROM entry WHERE n > ? ORDER BY n"
        for n, round_, input_, events, first_seq, count, hash_ in part.execute(rows, (entries,)):
            numbers = b"".join(number.to_bytes(8, "big") for number in (n, round_, first_seq))
            numbers += count.to_bytes(4, "big") + len(input_).to_bytes(8, "big")
            due = hashlib.sha256(before + numbers + input_ + events).digest()
            if (n, first_seq, hash_) != (entries + 1, events_seen + 1, due) or len(json.loads(events)) != count:
                sys.exit(f"{name}: entry {n} is not as it was written, or one before it is missing")
            entries, events_seen, before = n, events_seen + count, hash_
            if b'"archive_removed"' in input_ and json.loads(input_)["body"].get("hash") == removed:
                removed = ""
        if due_end not in (None, (entries, before)):
            sys.exit(f"{name}: it does not end as the journal says")
    if removed:
        sys.exit("an archive is said to be removed, but no entry tells that it was")
    print(f"{entries} entries, {events_seen} events, {before.hex()}")


if __name__ == "__main__":
    main()
