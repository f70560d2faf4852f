"""The rounds of a journal, step by step: what happened, and what it caused.

Every entry carries the number of its round, so a round is found by halving, without reading the whole journal. Numbers
only rise, with one exception: a correction that strikes out every input of the last round takes the round back, and the
next one gets its number again. So the search begins one round early and ends one round late.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import msgspec
from msgspec import Raw, Struct

from controller.engine import events as ev
from controller.engine import inputs as happened
from controller.engine.expect.expectation import prompt
from controller.engine.table.state import Resolver
from controller.errors import UserError
from controller.evidence.rerun import current_table
from controller.evidence.words import EventOrUnknown, Unknown
from controller.journal import Entry, Head, JournalBroken, JournalReader
from controller.journal.chain import fault

State = Literal["settled", "void", "unfinished", "doubtful"]
"""`doubtful`: the last round of a journal that cannot be re-run, so it is not known whether it is over."""


class Step(Struct, frozen=True):
    """One input and what it caused."""

    n: int
    at: int
    by: str
    body: happened.AnyBody | Unknown
    events: tuple[EventOrUnknown, ...]
    round: int
    """The round it belongs to."""

    def shows(self, *kinds: type[ev.Event]) -> bool:
        return any(isinstance(event, kinds) for event in self.events)


class RoundRecord(Struct):
    """One round, from its first input to whatever followed before the next one."""

    number: int
    steps: list[Step]
    test: bool
    state: State = "settled"
    waits_for: str = ""
    """Of an unfinished round: what the table is waiting for."""

    @property
    def began(self) -> ev.RoundStarted | None:
        found = (event for event in self.steps[0].events if isinstance(event, ev.RoundStarted))
        return next(found, None)

    @property
    def end(self) -> int:
        """The index of the step that ended it for good, -1 where none did."""
        ends = [i for i, step in enumerate(self.steps) if step.shows(ev.RoundSettled, ev.RoundVoided)]
        return ends[-1] if ends else -1


class NoSuchRound(UserError):
    """The journal does not have the round that was asked for, and which it has."""


def rounds(reader: JournalReader, resolve: Resolver, first: int, last: int) -> list[RoundRecord]:
    """The rounds `first` to `last`, in order."""
    head = reader.head
    begun = _rounds_begun(reader, head)
    kept = _first_round_kept(reader)
    if not kept <= first <= last <= begun:
        which = f"round {first}" if first == last else f"rounds {first} to {last}"
        there = f"it has rounds {kept} to {begun}" if begun >= kept else "no round has begun in it"
        raise NoSuchRound(f"The journal {reader.path} does not have {which}; {there}.")
    found: list[RoundRecord] = []
    start = _first_entry_of(reader, head, first - 1)
    test = _test_mode(reader, start)
    for step in _steps(reader, head, start, last):
        if isinstance(step.body, happened.Started):
            test = step.body.test
        if not first <= step.round <= last:
            continue
        if step.shows(ev.RoundStarted):
            found.append(RoundRecord(step.round, [step], test))
        elif found:
            found[-1].steps.append(step)
    _judge(found, reader, head, resolve, begun)
    return found


def last_rounds(reader: JournalReader, resolve: Resolver, count: int) -> list[RoundRecord]:
    """The last rounds, an unfinished one among them; fewer where there are fewer."""
    kept, begun = _first_round_kept(reader), _rounds_begun(reader, reader.head)
    return rounds(reader, resolve, max(kept, begun - count + 1), begun) if begun >= kept else []


def _judge(found: list[RoundRecord], reader: JournalReader, head: Head, resolve: Resolver, begun: int) -> None:
    for record in found:
        record.state = _over(record)
    if not found or found[-1].number != begun:
        return
    newest, table = found[-1], current_table(reader, head, resolve)
    if table is None:
        newest.state = "doubtful"
    elif table.round_number == newest.number and table.is_dealing:
        newest.state, newest.waits_for = "unfinished", prompt(table.expectation)


def _over(record: RoundRecord) -> State:
    if record.end < 0:
        return "doubtful"
    return "void" if record.steps[record.end].shows(ev.RoundVoided) else "settled"


# Entries


def _steps(reader: JournalReader, head: Head, start: int, last: int) -> Iterator[Step]:
    """The steps from an entry on, to the end of round `last` and some more; `JournalBroken` where one was changed."""
    before = reader.head_before(start)
    for entry in reader.entries(start, head.n + 1):
        if why := fault(entry.row, before):
            raise _broken(reader, entry.n, why)
        before = entry.head
        if entry.round > last + 1:
            return
        try:
            yield _step(entry)
        except msgspec.DecodeError:
            raise _broken(reader, entry.n, f"entry {entry.n} is not JSON") from None


def _broken(reader: JournalReader, n: int, why: str) -> JournalBroken:
    return JournalBroken(f"The journal {reader.path} is broken: {why}. `cutcard verify` names what is whole.", n)


def _test_mode(reader: JournalReader, n: int) -> bool:
    """Whether the table was in test mode when entry `n` came."""
    entry = next(reader.entries(n, n + 1))
    return any(event.test for event in reader.events_from(entry.first_seq, 1))


def _first_entry_of(reader: JournalReader, head: Head, number: int) -> int:
    low, high = reader.first_n, head.n
    live = next(reader.entries(reader.live_n, reader.live_n + 1), None)
    if live is not None and live.round < number:
        low = live.n  # no need to open an archive
    while low < high:
        middle = (low + high) // 2
        entry = next(reader.entries(middle, middle + 1), None)
        if entry is not None and entry.round >= number:
            high = middle
        else:
            low = middle + 1
    return low


def _first_round_kept(reader: JournalReader) -> int:
    """Archives end between two rounds, so the first entry after removed ones begins a round or comes before one."""
    if reader.first_n == 1:
        return 1
    first = next(reader.entries(reader.first_n, reader.first_n + 1))
    return first.round if _step(first).shows(ev.RoundStarted) else first.round + 1


def _rounds_begun(reader: JournalReader, head: Head) -> int:
    last = next(reader.entries(head.n, head.n + 1), None)
    if last is None:
        return 0
    return max(entry.round for entry in reader.entries(_first_entry_of(reader, head, last.round), head.n + 1))


_split = msgspec.json.Decoder(list[Raw]).decode


class _Kind(Struct, frozen=True):
    kind: str = "unreadable"


class _AnyInput(Struct, frozen=True):
    at: int = 0
    by: str = ""
    body: _Kind = _Kind()


def _step(entry: Entry) -> Step:
    events = tuple(_event(bytes(raw)) for raw in _split(entry.events))
    try:
        value = happened.decode_input(entry.input)
        at, by, body = value.at, value.by, value.body
    except msgspec.ValidationError:
        strange = msgspec.json.decode(entry.input, type=_AnyInput)
        return Step(entry.n, strange.at, strange.by, Unknown(strange.body.kind), events, entry.round)
    return Step(entry.n, at, by, body, events, entry.round)


def _event(data: bytes) -> EventOrUnknown:
    try:
        return ev.decode_event(data)
    except msgspec.ValidationError:
        fields = msgspec.json.decode(data, type=dict[str, object])
        return Unknown(str(fields.pop("kind", "unreadable")), fields)
