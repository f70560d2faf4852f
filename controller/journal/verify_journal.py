"""Checks the journal of a card table without Cutcard: one file, Python 3.9 or newer, nothing else.

    python3 verify_journal.py journal.db [--key HEX] [--checkpoint FILE]... [--messages FILE]

1. The chain of entries: each entry holds SHA-256 of the entry before it and of itself. Archives are read in order.
2. The public chain: each published event holds SHA-256 of the link before it and of its own bytes.
3. Checkpoints: what the board has signed (Ed25519) as the end of both chains must be in the journal. Those are the
   file `journal.db.head` beside the journal, if it is there, and each `--checkpoint FILE`. `--key` is the board's
   public key, as `cutcard enroll` printed it; without it any key is taken, and printed.
4. `--messages FILE`: what a subscriber has kept, one message a line, must be what the journal published.

It prints what it found, and exits with 1 and the reason where something is not as it should be. The page
docs/compliance/journal.md of Cutcard describes the file format. Below come signature, files, journal, in this order.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sqlite3
import struct
import sys
from pathlib import Path

# Ed25519 verification, as in RFC 8032, section 5.1. A point is (X, Y, Z, T) with x = X/Z, y = Y/Z, xy = T/Z.

P = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P
Point = tuple[int, int, int, int]


def add(a: Point, b: Point) -> Point:
    """The sum of two points of the curve."""
    m, n = (a[1] - a[0]) * (b[1] - b[0]) % P, (a[1] + a[0]) * (b[1] + b[0]) % P
    t, z = 2 * a[3] * b[3] * D % P, 2 * a[2] * b[2] % P
    e, f, g, h = n - m, z - t, z + t, n + m
    return (e * f % P, g * h % P, f * g % P, e * h % P)


def times(number: int, point: Point) -> Point:
    """The point added to itself `number` times."""
    total = (0, 1, 1, 0)
    while number:
        if number & 1:
            total = add(total, point)
        point, number = add(point, point), number >> 1
    return total


def point_of(data: bytes) -> Point:
    """The point in 32 bytes: y, and in the highest bit whether x is odd. ValueError if there is none."""
    number = int.from_bytes(data, "little")
    y, odd = number & (2**255 - 1), number >> 255
    square = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P:
        x = x * pow(2, (P - 1) // 4, P) % P
    if len(data) != 32 or y >= P or (x * x - square) % P or (x == 0 and odd):
        raise ValueError("no point of the curve")
    x = P - x if x % 2 != odd else x
    return (x, y, 1, x * y % P)


BASE = point_of(bytes.fromhex("58" + "66" * 31))


def is_signed(key: bytes, message: bytes, signature: bytes) -> bool:
    """Whether the owner of this public key has signed this message."""
    try:
        public, r = point_of(key), point_of(signature[:32])
    except ValueError:
        return False
    s = int.from_bytes(signature[32:], "little")
    if len(signature) != 64 or s >= ORDER:
        return False
    digest = hashlib.sha512(signature[:32] + key + message).digest()
    left, right = times(s, BASE), add(r, times(int.from_bytes(digest, "little") % ORDER, public))
    return (left[0] * right[2] - right[0] * left[2]) % P == 0 and (left[1] * right[2] - right[1] * left[2]) % P == 0


# The files

TABLES = (
    "CREATE TABLE archive ( number INTEGER PRIMARY KEY, file TEXT NOT NULL, first_n INTEGER NOT NULL, "
    "last_n INTEGER NOT NULL, last_seq INTEGER NOT NULL, first_at INTEGER NOT NULL, last_at INTEGER NOT NULL, "
    "hash BLOB NOT NULL, link BLOB NOT NULL, test INTEGER NOT NULL, place TEXT NOT NULL, state BLOB NOT NULL, "
    "state_hash BLOB NOT NULL ) STRICT",
    "CREATE TABLE entry (n INTEGER PRIMARY KEY, sealed BLOB NOT NULL) STRICT",
    "CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT",
)
"""What is read here. A view in place of one of them could be anything, and without end."""


def opened(path: Path) -> sqlite3.Connection:
    if not path.is_file():
        sys.exit(f"{path} is missing")
    db = sqlite3.connect(path.resolve().as_uri() + "?mode=ro", uri=True)
    declared = "SELECT sql FROM sqlite_master WHERE name IN ('archive', 'entry', 'meta') ORDER BY name"
    if tuple(" ".join(str(sql).split()) for (sql,) in db.execute(declared)) != TABLES:
        sys.exit(f"{path}: its tables are not those of a journal")
    return db


def read_checkpoint(path: Path, key: str | None) -> dict[str, object]:
    """A checkpoint whose signature is right. What is signed are the bytes before the signature."""
    line = path.read_bytes().strip()
    try:
        said = json.loads(line)
        signed = b"cutcard checkpoint\0" + line[: line.rindex(b',"signature":')]
        is_right = is_signed(bytes.fromhex(said["key"]), signed, bytes.fromhex(said["signature"]))
    except (ValueError, KeyError, TypeError):
        sys.exit(f"{path}: this is no checkpoint")
    if not is_right:
        sys.exit(f"{path}: the signature is wrong: this is not what the board has signed")
    if key is not None and said["key"] != key:
        sys.exit(f"{path}: signed by {said['key']}, not by the board with the key {key}")
    return dict(said, file=str(path))


def split(array: str) -> list[str]:
    """The elements of a JSON array without spaces, each in the very characters that it is written in."""
    at, found = 1, []
    while array[at] != "]":
        _, end = json.JSONDecoder().raw_decode(array, at)
        found.append(array[at:end])
        at = end + (array[end] == ",")
    return found


# The journal


class Journal:
    """Both chains of one journal, walked from the first entry that is here."""

    def __init__(self, path: Path) -> None:
        self.path, self.db = path, opened(path)
        self.names = dict(self.db.execute("SELECT name, value FROM meta"))
        text = "1\nsite {site}\ntable {table}\njournal {journal}\n".format(**self.names)
        self.hash = hashlib.sha256(f"cutcard journal {text}".encode()).digest()
        self.link = hashlib.sha256(f"cutcard events {text}".encode()).digest()
        self.n = self.seq = 0
        self.test = False
        self.first = 1
        self.ends: dict[int, tuple[str, str]] = {}
        """Hash and link, in hex, after the entries that somebody asks for."""
        self.messages: dict[int, bytes] = {}
        """The chained bytes of the events that somebody asks for."""

    def walk(self, entries: set[int], events: set[int]) -> None:
        """Checks everything; keeps the ends of these entries and the messages of these events."""
        parts, removed = [], ""
        archives = "SELECT file, last_n, last_seq, hash, link, test, place FROM archive ORDER BY number"
        for file, last, seq, hash_, link, test, place in self.db.execute(archives):
            if place == "beside" and Path(file).name != file:
                sys.exit(f"{file!r} is no name of an archive beside the journal")
            if place == "beside":
                parts.append((file, opened(self.path.parent / file), (last, hash_, link)))
            else:
                print(f"entries up to {last} are not here ({file}: {place}); both chains are checked from there on")
                self.n, self.seq, self.hash, self.link, self.test = last, seq, hash_, link, bool(test)
                self.first, removed = last + 1, hash_.hex() if place == "removed" else ""
        for name, part, end in [*parts, (self.path.name, self.db, None)]:
            for n, sealed in part.execute(
                "SELECT n, CAST(ifnull(sealed, '') AS BLOB) FROM entry WHERE n > ? ORDER BY n", (self.n,)
            ):
                try:
                    input_ = self.take(n, sealed, events)
                except (ValueError, KeyError, IndexError, TypeError, RecursionError, struct.error):
                    sys.exit(f"{name}: entry {n} is not as it was written, or one before it is missing")
                if n in entries:
                    self.ends[n] = self.hash.hex(), self.link.hex()
                if input_["body"]["kind"] == "archive_removed" and input_["body"].get("hash") == removed:
                    removed = ""
            if end not in (None, (self.n, self.hash, self.link)):
                sys.exit(f"{name}: it does not end as the journal states")
        if removed:
            sys.exit("an archive is marked as removed, but no entry records the removal")

    def take(self, n: int, sealed: bytes, events: set[int]) -> dict[str, dict[str, object]]:
        """The next entry: 32 bytes hash, five numbers, 16 random bytes, 32 bytes link, input, events. Its input."""
        own_n, first_seq, round_, count, length = struct.unpack(">IIIHI", sealed[32:50])
        input_: dict[str, dict[str, object]] = json.loads(sealed[98 : 98 + length])
        bodies = split(sealed[98 + length :].decode())
        due = hashlib.sha256(self.hash + sealed[32:]).digest()
        if (n, first_seq, sealed[:32], sealed[66:98]) != (self.n + 1, self.seq + 1, due, self.link):
            raise ValueError("a chain is broken")
        if (own_n, len(bodies)) != (n, count):
            raise ValueError("its numbers are wrong")
        if input_["body"]["kind"] == "started":
            self.test = bool(input_["body"].get("test", False))
        self.n, self.hash = n, due
        for body in bodies:
            self.seq += 1
            kind, end = json.loads(body)["kind"], ',"test":true' if self.test else ""
            if not isinstance(kind, str):
                raise ValueError("an event has no kind")
            if input_.get("person"):
                end += ',"by":' + json.dumps(input_["person"], separators=(",", ":"), ensure_ascii=False)
            message = (
                '{{"seq":{0},"journal":"{journal}","site":"{site}","table":"{table}","round":{1},"round_id":"{journal}-{1}",'
                '"at":{2},"kind":"{3}","currency":"USD","body":{4},"hash":"{5}"{6}'
            ).format(self.seq, round_, input_["at"], kind, body, due.hex(), end, **self.names)
            self.link = hashlib.sha256(self.link + message.encode()).digest()
            if self.seq in events:
                self.messages[self.seq] = message.encode() + b',"link":"' + self.link.hex().encode() + b'"'
        return input_


def main() -> None:
    parser = argparse.ArgumentParser(description="Checks a journal, its archives and its checkpoints.")
    parser.add_argument("journal", nargs="?", type=Path, default=Path("journal.db"))
    parser.add_argument("--key", help="the board's public key, 64 hex digits")
    parser.add_argument("--checkpoint", type=Path, action="append", default=[], metavar="FILE")
    parser.add_argument("--messages", type=Path, metavar="FILE", help="messages that a subscriber kept, one a line")
    chosen = parser.parse_args()
    own = chosen.journal.with_name(chosen.journal.name + ".head")
    checkpoints = [read_checkpoint(path, chosen.key) for path in chosen.checkpoint + [own] * own.exists()]
    kept = [] if chosen.messages is None else chosen.messages.read_bytes().splitlines()
    numbered = [(json.loads(line)["seq"], line) for line in kept]
    journal = Journal(chosen.journal)
    journal.walk({int(str(one["entry"])) for one in checkpoints}, {seq for seq, _ in numbered})
    for one in checkpoints:
        what = f"{one['file']}: entry {one['entry']} of journal {one['journal']}"
        n = int(str(one["entry"]))
        if one["journal"] != journal.names["journal"]:
            sys.exit(f"{what} was signed; this is another journal, {journal.names['journal']}")
        if n > journal.n:
            sys.exit(f"ROLLED BACK. {what} was signed, and this journal ends with entry {journal.n}")
        if n >= journal.first and journal.ends[n] != (one["hash"], one["link"]):
            sys.exit(f"ROLLED BACK. {what} was signed with another hash or link: what followed was written anew")
        is_here = "is in this journal" if n >= journal.first else "is no longer kept and was not compared"
        print(f"{what}, signed by {one['key']}, {is_here}")
    for seq, line in numbered:
        if seq > journal.seq or not line.startswith(journal.messages.get(seq, b"{")):
            sys.exit(f"ROLLED BACK. Event {seq} was published otherwise than this journal has it: {line[:200]!r}")
    if numbered:
        print(f"{len(numbered)} messages are as this journal published them")
    print(f"journal {journal.names['journal']}, link {journal.link.hex()}")
    print(f"{journal.n} entries, {journal.seq} events, {journal.hash.hex()}")


if __name__ == "__main__":
    try:
        main()
    except (sqlite3.Error, ValueError, KeyError, TypeError, RecursionError, MemoryError) as error:
        sys.exit(f"this is no journal, or it is damaged: {type(error).__name__}: {error}")
