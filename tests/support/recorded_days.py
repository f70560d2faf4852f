"""Recorded days, published again under fresh identities: another journal, another table, another board's key.

    .venv/bin/cutcard soak --tables 1 --hours 1 --seed 5 --games bankers-ez-baccarat-panda-8 --keep build/days
    .venv/bin/python -m tests.support.recorded_days build/days/day-5/data/journal.db NAME

records a day into tests/floor/recorded. Such a day has faults, drops, alarms and corrections in it. What a fresh table
publishes is byte for byte of the form of docs/mqtt/README.md: its own public chain, its own signed checkpoints.
"""

from __future__ import annotations

import gzip
import random
import sys
from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from pathlib import Path

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from msgspec import Raw, Struct

from controller.board_key import BoardKey
from controller.contract import Actor
from controller.contract.topics import Topics
from controller.journal import JournalReader
from controller.journal.published import LINK_KEY, Publication
from tests.support.journals import a_state
from tests.support.project import ROOT

FOLDER = ROOT / "tests" / "floor" / "recorded"


class RecordedEvent(Struct, frozen=True, array_like=True):
    """One event, without the identity of its table."""

    round: int
    after_ms: int
    """Since the first."""
    entry: int
    """Events of one input share its hash."""
    kind: str
    body: Raw


@cache
def day(name: str) -> tuple[RecordedEvent, ...]:
    data = gzip.decompress((FOLDER / f"{name}.json.gz").read_bytes())
    return tuple(msgspec.json.decode(data, type=list[RecordedEvent]))


def days() -> list[str]:
    """What is recorded."""
    return sorted(path.name.removesuffix(".json.gz") for path in FOLDER.glob("*.json.gz"))


class Published(Struct, frozen=True):
    """A message of a fresh table."""

    topic: str
    payload: bytes
    retain: bool = False


class FreshTable:
    """A table that was never there, and plays a recorded day."""

    def __init__(self, site: str, table: str, name: str, *, seed: int = 0, began: int = 1_763_260_000_000) -> None:
        rng = random.Random(f"{site}/{table}/{seed}")
        self.site, self.table = site, table
        self.journal = rng.randbytes(16).hex()
        self.topics = Topics(site, table)
        self.key = BoardKey(Ed25519PrivateKey.from_private_bytes(rng.randbytes(32)))
        self.events: list[Published] = []
        """Event n is at n - 1."""
        self.links = [Publication(site, table, self.journal).start.link.hex()]
        self._hashes: list[str] = [""]
        self._began = began
        self._play(day(name), rng.randbytes(8))

    def _play(self, recorded: tuple[RecordedEvent, ...], salt: bytes) -> None:
        for event in recorded:
            digest = sha256(salt + event.entry.to_bytes(8, "big")).hexdigest()
            self.add(event.kind, bytes(event.body), event.round, self._began + event.after_ms, digest)

    def add(
        self, kind: str, body: bytes, round_: int, at: int, digest: str | None = None, *, by: Actor | None = None
    ) -> Published:
        """One more event."""
        seq = len(self.events) + 1
        digest = sha256(body).hexdigest() if digest is None else digest
        chained = (
            b'{"seq":%d,"journal":"%b","site":"%b","table":"%b","round":%d,"round_id":"%b-%d","at":%d,"kind":"%b",'
            b'"currency":"USD","body":%b,'
            b'"hash":"%b"%b'
        ) % (
            seq,
            self.journal.encode(),
            self.site.encode(),
            self.table.encode(),
            round_,
            self.journal.encode(),
            round_,
            at,
            kind.encode(),
            body,
            digest.encode(),
            b"" if by is None else b',"by":' + msgspec.json.encode(by),
        )
        link = sha256(bytes.fromhex(self.links[-1]) + chained).hexdigest()
        self.links.append(link)
        self._hashes.append(digest)
        message = Published(self.topics.event(kind), chained + LINK_KEY + link.encode() + b'"}')
        self.events.append(message)
        return message

    def replayed(self, first: int, last: int) -> Iterator[bytes]:
        """These events as the table sends them again."""
        for message in self.events[first - 1 : last]:
            yield message.payload[:-1] + b',"historical":true}'

    def state(self, seq: int | None = None) -> Published:
        seq = len(self.events) if seq is None else seq
        body = a_state(f"event {seq}", seq=seq, journal=self.journal, table=self.table)
        return Published(self.topics.state, body.replace(b'"site":"bay101"', b'"site":"%b"' % self.site.encode()), True)

    def online(self, *, online: bool = True) -> Published:
        said = {"document": "online", "online": online, "session": self.journal[:8], "journal": self.journal}
        return Published(self.topics.online, msgspec.json.encode(said), True)

    def head(self, seq: int | None = None, key: BoardKey | None = None) -> Published:
        """The checkpoint after this event."""
        key = key or self.key
        seq = len(self.events) if seq is None else seq
        said = {
            "document": "head",
            "journal": self.journal,
            "site": self.site,
            "table": self.table,
            "entry": seq,
            "seq": seq,
            "hash": self._hashes[seq] or "0" * 64,
            "link": self.links[seq],
            "at": self._began,
            "key": key.public,
        }
        covered = msgspec.json.encode(said)[:-1]
        signature = key.sign("checkpoint", covered)
        return Published(self.topics.head, covered + b',"signature":"' + signature.encode() + b'"}', True)


def record(journal: Path, name: str) -> int:
    """The events of this journal, into the folder of recorded days."""
    with JournalReader.read(journal) as reader:
        last = reader.head.seq
        events = [event for first in range(1, last + 1, 1000) for event in reader.events_from(first, 1000)]
    entries = {event.hash: n for n, event in enumerate(events)}
    began = events[0].at
    recorded = [
        RecordedEvent(event.round, event.at - began, entries[event.hash], event.kind, Raw(event.body))
        for event in events
    ]
    FOLDER.mkdir(parents=True, exist_ok=True)
    (FOLDER / f"{name}.json.gz").write_bytes(gzip.compress(msgspec.json.encode(recorded), 9, mtime=0))
    return len(recorded)


if __name__ == "__main__":
    print(record(Path(sys.argv[1]), sys.argv[2]), "events")
