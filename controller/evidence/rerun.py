"""The engine, fed from a journal again.

`rerun` feeds every input from the first and compares what comes out with what the journal holds, byte for byte: the
events, their number, the round they belong to, and that the devices' own numbers never run backwards, and time only
where an entry records that the clock was set.
`current_table` feeds only the inputs since the last snapshot, and returns the table as it is now.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import msgspec
from msgspec import MsgspecError, Struct
from msgspec.structs import astuple

from controller import __version__
from controller.engine.events import Event, encode_events, encode_lines
from controller.engine.inputs import AnyBody, ClockSeen, Configured, DifferenceFound, Started, decode_input
from controller.engine.table.clock import is_step
from controller.engine.table.devices.numbers import SentBefore
from controller.engine.table.engine import TableEngine
from controller.engine.table.state import Resolver, TableState
from controller.errors import UserError
from controller.journal import Archive, Entry, Head, JournalError, JournalReader, Progress
from controller.journal.chain import Parts
from controller.journal.difference import difference
from controller.recorder.recorder import Snapshot, engine_from, first_engine, replay_entry
from controller.rules import RulesError, resolve
from protocols.type_errors import in_words


class OtherRules(Struct, frozen=True):
    """A start of the daemon under rules that differ from those of the same name in this program."""

    n: int
    version: str
    ruleset: str
    dealt: str
    """Digest of the rules that were in force."""
    here: str
    """Digest of the same rules in this program."""


class Rerun(Struct):
    """A journal that was re-run without a difference."""

    entries: int = 0
    events: int = 0
    rounds: int = 0
    test: bool = False
    other_rules: tuple[OtherRules, ...] = ()


_END: Final = 2**63 - 1
"""Beyond every entry."""
_AT_ONCE: Final = 32
"""Entries that are compared together. With more, their events live until Python's garbage collector runs."""


class Differs(Exception):
    """An entry differs from the re-run: its number and the difference."""

    def __init__(self, n: int, text: str) -> None:
        super().__init__(f"entry {n}: {text}")
        self.n, self.text = n, text


class _FedTable:
    """A table that is fed the entries of a journal; `Differs` at the first entry that comes out otherwise."""

    def __init__(
        self,
        engine: TableEngine[Any],
        rules_come: Callable[[int, AnyBody], None],
        difference: Callable[[Parts, bytes], str],
    ) -> None:
        """`rules_come` is called with each entry that may change the rules, before the table is fed it; `difference`
        describes events that came out otherwise."""
        self.engine = engine
        self._rules_come, self._difference = rules_come, difference
        self._last_at = 0
        self.first_at: int | None = None
        """The time of the first entry that it was fed; None before."""
        self.begins_with_step = False
        """That entry records that the clock was set."""
        self.entries = 0
        self.events = 0

    @property
    def last_at(self) -> int:
        """The time of the last entry that it was fed."""
        return self._last_at

    def feed(self, page: list[Parts]) -> None:
        for start in range(0, len(page), _AT_ONCE):
            self._feed(page[start : start + _AT_ONCE])

    def _feed(self, page: list[Parts]) -> None:
        caused: list[list[Event]] = []
        rounds: list[int] = []
        try:
            self._apply(page, caused, rounds)
        except Differs:
            # An earlier entry may differ too, and the first one is reported.
            self._compare(page[: len(caused)], caused, rounds)
            raise
        self._compare(page, caused, rounds)
        self.entries += len(page)
        for events in caused:
            self.events += len(events)

    def _apply(self, page: list[Parts], caused: list[list[Event]], rounds: list[int]) -> None:
        """Feeds these entries; what each caused, and the round it belongs to, go into the two lists."""
        # Looked up once, not for every entry: in the compiled loop it makes a difference.
        decode, starting, changing, stepping = decode_input, Started, Configured, ClockSeen
        engine, last_at = self.engine, self._last_at
        for parts in page:
            try:
                value = decode(parts[2])
            except MsgspecError as error:
                raise Differs(parts[0], f"its input cannot be read: {in_words(error)}") from None
            kind = type(value.body)
            if kind is starting or kind is changing:
                self._rules_come(parts[0], value.body)
            at = value.at
            if self.first_at is None:
                self.first_at, self.begins_with_step = at, kind is stepping and is_step(value)
            if at < last_at and (kind is not stepping or not is_step(value)):
                raise Differs(parts[0], f"its time is {last_at - at} ms before that of the entry before it")
            last_at = at
            try:
                caused.append(engine.apply(value))
            except SentBefore:
                raise Differs(
                    parts[0], f"{value.by} had sent this input before ({value.ref}); it was written twice"
                ) from None
            except Exception as error:
                # Whatever it is: the engine took this input once, so it is a finding. Its text might name a card.
                raise Differs(parts[0], f"its input cannot be applied again ({type(error).__name__})") from None
            rounds.append(engine.state.rounds)
        self._last_at = last_at

    def _compare(self, page: list[Parts], caused: list[list[Event]], rounds: list[int]) -> None:
        """Compares the events with those of the journal: all at once, then one by one where they differ.

        JSON has no line feed in it: texts with the same number of lines are equal if and only if all lines are.
        """
        held = [parts[3] for parts in page]
        is_same = encode_lines(caused) == b"\n".join([*held, b""]) and rounds == [parts[1] for parts in page]
        if is_same and [len(events) for events in caused] == [parts[5] for parts in page]:
            return
        for parts, events, round_ in zip(page, caused, rounds, strict=True):
            again = encode_events(events)
            if again != parts[3]:
                raise Differs(parts[0], self._difference(parts, again))
            if len(events) != parts[5]:
                raise Differs(parts[0], f"it is said to hold {parts[5]} events, but holds {len(events)}")
            if round_ != parts[1]:
                raise Differs(parts[0], f"it is filed under round {parts[1]}, re-running gives {round_}")


class Rerunning:
    """A journal that is being re-run, some entries at a time."""

    def __init__(
        self, reader: JournalReader, resolve: Resolver, *, after: Archive | None = None, up_to: Archive | None = None
    ) -> None:
        """`after`, `up_to`: only what follows this archive, from the state that it left, and to the end of that one."""
        self._resolve = resolve
        self._other_rules: tuple[OtherRules, ...] = ()
        self._version = __version__ if after is not None else ""
        """Of the program that wrote the entries. Of a part this is not known at first: its states must be as ours."""
        first_n = 0 if after is None else after.last_n + 1
        last_n = _END if up_to is None else up_to.last_n
        kept = _snapshots(reader, first_n, last_n)
        self._end = next(((n, state) for before, n, state in kept if up_to is not None and n == last_n < before), None)
        """The state that is kept with the end of this part."""
        self._snapshots = [each for each in kept if first_n <= each[0] <= last_n]
        engine = _before_first_kept(reader, resolve) if after is None else _after(reader, after, resolve)
        self._table = None if engine is None else self._fed(engine)
        self._differs: Differs | None = None
        """The difference behind which nothing is compared, until the entry that accounts for it."""
        self.differences: list[tuple[Differs, bool]] = []
        """Those behind which the comparison continues, and whether a start recorded just that one."""

    def feed(self, page: list[Parts]) -> None:
        """Apply these entries again. An entry that comes out otherwise ends the comparison, until an entry in which the
        daemon recorded that difference: it continues from the state in that entry."""
        while page:
            if self._differs is not None:
                page = self._account_for(self._differs, page)
                continue
            try:
                self._feed(page)
                return
            except Differs as differs:
                self._differs = differs
                page = [parts for parts in page if parts[0] > differs.n]

    def _account_for(self, differs: Differs, page: list[Parts]) -> list[Parts]:
        """The entries from the one in which a start recorded this difference, or a later one; none if it is not here.

        A start may have begun from a snapshot behind an older difference.
        """
        for at, parts in enumerate(page):
            if b'"difference_found"' not in parts[2]:
                continue
            body = decode_input(parts[2]).body
            if type(body) is DifferenceFound and body.entry >= differs.n:
                engine = engine_from(msgspec.convert(body.state, TableState), self._resolve)
                entries, events = (0, 0) if self._table is None else (self._table.entries, self._table.events)
                self._table = self._fed(engine)
                self._table.entries, self._table.events = entries, events
                self._snapshots = [kept for kept in self._snapshots if kept[0] > parts[0]]
                self.differences.append((differs, body.entry == differs.n))
                self._differs = None
                return page[at:]
        return []

    def _feed(self, page: list[Parts]) -> None:
        if self._table is None:
            self._table = self._fed(_first(Entry(*page[0]), self._resolve))
        first, fed = page[0][0], 0
        while self._snapshots and self._snapshots[0][0] < first + len(page):
            before, n, state = self._snapshots.pop(0)
            if before < first:
                continue
            self._table.feed(page[fed : before - first])
            fed = before - first
            self._compare_state(before, n, state)
        self._table.feed(page[fed:])

    def _compare_state(self, before: int, n: int, stored: bytes) -> None:
        """A table starts from a snapshot: it must be the state after the entries before it.

        One that another version of the program wrote may have other fields.
        """
        if self._version != __version__:
            return
        again, state = self._state, _read_state(n, stored)
        for name in {**again, **state}:
            if state.get(name) != again.get(name):
                # Its values may hold cards that nobody was shown.
                text = f"the snapshot that was kept with it is not the state of the table before entry {before}: {name}"
                raise Differs(n, f"{text} is another")

    @property
    def entries(self) -> int:
        return 0 if self._table is None else self._table.entries

    @property
    def ends_with_its_state(self) -> bool:
        """Whether the table is now in the state that was kept with the end of this part."""
        return self._table is not None and self._end is not None and _read_state(*self._end) == self._state

    @property
    def times(self) -> tuple[int, int, bool]:
        """Of the first entry and the last; whether the first records that the clock was set."""
        table = self._table
        if table is None or table.first_at is None:
            return 0, 0, False
        return table.first_at, table.last_at, table.begins_with_step

    @property
    def _state(self) -> dict[str, Any]:
        assert self._table is not None
        state: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(self._table.engine.state))
        return state

    @property
    def done(self) -> Rerun:
        """What was re-run so far; `Differs` where an entry came out otherwise and nothing accounts for it."""
        if self._differs is not None:
            raise self._differs
        if self._table is None:
            return Rerun()
        engine = self._table.engine
        return Rerun(self.entries, self._table.events, engine.round_number, engine.state.test, self._other_rules)

    def _fed(self, engine: TableEngine[Any]) -> _FedTable:
        return _FedTable(engine, self._rules_come, self._difference)

    def _rules_come(self, n: int, body: AnyBody) -> None:
        if isinstance(body, Started | Configured):
            self._version = body.version
        if isinstance(body, Started) or (isinstance(body, Configured) and body.ruleset):
            self._other_rules += _other_rules(n, body, self._resolve)

    def _difference(self, parts: Parts, again: bytes) -> str:
        return difference(parts[3], again, parts[4]) + _perhaps_because(self._other_rules)


def rerun(reader: JournalReader, head: Head, resolve: Resolver, progress: Progress | None = None) -> Rerun:
    """Apply every input up to `head` again; `Differs` at the first entry that comes out otherwise."""
    again = Rerunning(reader, resolve)
    for entry in reader.entries(1, head.n + 1):
        again.feed([astuple(entry)])
        if again.differences:
            raise again.differences[0][0]
        if progress is not None:
            progress(again.entries, head.n)
    return again.done


def current_table(reader: JournalReader, head: Head, resolve: Resolver) -> TableEngine[Any] | None:
    """The table after `head`, None where the journal cannot be re-run: `verify` reports why."""
    stored = reader.last_snapshot(head.n)
    engine: TableEngine[Any] | None = None
    start = 1
    try:
        if stored is not None:
            snapshot = msgspec.json.decode(stored[1], type=Snapshot)
            engine, start = engine_from(snapshot.state, resolve), snapshot.n
        for entry in reader.entries(start, head.n + 1):
            if engine is None:
                engine = _first(entry, resolve)
            replay_entry(engine, entry)
    except JournalError:
        raise
    except Exception:
        # A forged input may do anything to the engine; `verify` reports what.
        return None
    return engine


def end_of_last_round(journal: JournalReader) -> Head:
    """The head of the journal before the round that is being dealt; its end if none is."""
    head = journal.head
    table = current_table(journal, head, resolve)
    if table is None:
        raise UserError(
            f"The journal {journal.path} cannot be re-run, so it is not known whether a round is being dealt; `cutcard "
            "verify` reports why. Copy its files as they are."
        )
    if table.round is None or not table.round.begun:
        return head
    begun = next(entry for entry in journal.entries(journal.live_n, head.n + 1) if entry.round == table.round_number)
    return journal.head_before(begun.n)


def _before_first_kept(reader: JournalReader, resolve: Resolver) -> TableEngine[Any] | None:
    """The table as the removed archives left it; None where nothing was removed and the journal has its beginning."""
    removed_n = reader.first_n - 1
    if removed_n == 0:
        return None
    stored = reader.last_snapshot(removed_n)
    if stored is None or stored[0] != removed_n:
        raise Differs(removed_n + 1, f"entries 1 to {removed_n} are not kept, and what they left is damaged")
    return engine_from(msgspec.json.decode(stored[1], type=Snapshot).state, resolve)


def _after(reader: JournalReader, archive: Archive, resolve: Resolver) -> TableEngine[Any]:
    """The table as this archive left it."""
    stored = reader.last_snapshot(archive.last_n)
    if stored is None or stored[0] != archive.last_n:
        raise Differs(archive.last_n + 1, "the state that the archive before it left is damaged")
    return engine_from(msgspec.json.decode(stored[1], type=Snapshot).state, resolve)


def _snapshots(reader: JournalReader, first_n: int = 0, last_n: int = _END) -> list[tuple[int, int, bytes]]:
    """Every undamaged snapshot that was kept with one of these entries: the entry that it precedes, the entry it was
    kept with, and the snapshot as it is written. A journal of years has a hundred of them."""
    found = []
    for n, stored in reader.snapshots(last_n):
        if n < first_n:
            break
        try:
            before = msgspec.json.decode(stored, type=_Start).n
        except msgspec.MsgspecError:
            raise Differs(n, "the snapshot that was kept with it cannot be read") from None
        if not 0 < before <= n + 1:
            raise Differs(n, f"the snapshot that was kept with it is said to be of entry {before}")
        found.append((before, n, stored))
    return sorted(found, key=lambda kept: kept[:2])


class _Start(Struct, frozen=True):
    """The entry that a snapshot precedes."""

    n: int


class _Stored(Struct, frozen=True):
    """A snapshot as it is written, whatever program wrote it."""

    n: int
    state: dict[str, Any]


def _read_state(n: int, stored: bytes) -> dict[str, Any]:
    try:
        return msgspec.json.decode(stored, type=_Stored).state
    except msgspec.MsgspecError:
        raise Differs(n, "the snapshot that was kept with it cannot be read") from None


def _first(entry: Entry, resolve: Resolver) -> TableEngine[Any]:
    """The table before the first entry of all, which has the rules that it plays by."""
    try:
        body = decode_input(entry.input).body
    except msgspec.MsgspecError as error:
        raise Differs(entry.n, f"its input cannot be read: {in_words(error)}") from None
    if not isinstance(body, Started):
        raise Differs(entry.n, "a journal begins with the start of its daemon, this one does not")
    _other_rules(entry.n, body, resolve)  # has a better message for rules that are missing here
    return first_engine(body.ruleset, body.options, resolve)


def _other_rules(n: int, body: Started | Configured, resolve: Resolver) -> tuple[OtherRules, ...]:
    try:
        here = resolve(body.ruleset, body.options).digest
    except RulesError as error:
        raise RulesError(
            f"From entry {n} on the journal was dealt by program {body.version} under {body.ruleset}; this program "
            f"does not have these rules: {error}. Use that program."
        ) from None
    if here == body.digest:
        return ()
    return (OtherRules(n, body.version, body.ruleset, body.digest, here),)


def _perhaps_because(other: tuple[OtherRules, ...]) -> str:
    if not other:
        return ""
    rules = other[-1]
    return (
        f". This may come from the rules: entry {rules.n} was dealt by program {rules.version} under {rules.ruleset} "
        f"with digest {rules.dealt}, this program has {rules.here}; verify with that program"
    )
