"""The shift report of a recorded day: what the table itself makes of the same events."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import cast

import msgspec
from msgspec import Struct

from controller.journal import JournalReader
from controller.journal.chain import Entry
from controller.report.ledger import read_ledger
from controller.report.lines import Ledger
from controller.report.period import Period
from tests.support.recorded_days import day

BEGAN = 1_763_260_000_000
"""When `FreshTable` begins a recorded day."""


class _Head(Struct, frozen=True):
    n: int


class RecordedJournal:
    """A recorded day in the form of the journal that it came from, as far as a report reads one."""

    site, table, first_n = "riverside", "t", 1

    def __init__(self, name: str) -> None:
        self._entries = []
        for n, (_, group) in enumerate(groupby(day(name), lambda event: (event.entry, event.after_ms)), 1):
            events = list(group)
            head = msgspec.json.encode({"at": BEGAN + events[0].after_ms, "body": {"kind": "recorded"}})
            bodies = msgspec.json.encode([event.body for event in events])
            self._entries.append(Entry(n, events[0].round, head, bodies, 1, len(events), b"", b"", b""))
        self.head = _Head(len(self._entries))

    def entries(self, start_n: int = 1, stop_n: int | None = None) -> Iterator[Entry]:
        return iter(self._entries[start_n - 1 : None if stop_n is None else stop_n - 1])

    def test_mode_before(self, n: int) -> bool:
        return False


def report_of(name: str, start: int = 0, end: int = 2**45) -> Ledger:
    """Of all of the day, or of a part of it."""
    return read_ledger(cast(JournalReader, RecordedJournal(name)), Period(start, end, "America/Los_Angeles"))
