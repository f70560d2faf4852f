"""The desk: where something that happened becomes an entry in the journal.

One input at a time: it gets its time, the engine applies it, and the input with the events it caused is one durable
commit. Only then does anybody hear of it: the caller (a driver that now acknowledges its device), and the listeners
(publisher, screens, the shoe's lock). If the commit fails, the engine is put back to where the journal stands, and the
caller is told: a device will send it again, a person reads why.

Recovery is replay: the snapshot of the round before, then every input since.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from typing import Any

import msgspec
from msgspec import Struct

from controller.clock import Clock
from controller.engine import events as ev
from controller.engine.felt import Setup
from controller.engine.inputs import AnyBody, Asked, Input, Started, decode_input, encode_input
from controller.engine.state import Resolver, TableState
from controller.engine.table import TableEngine
from controller.journal import Append, Commit, Entry, Journal, JournalError

log = logging.getLogger(__name__)


class ReplayDiffers(Exception):
    """Re-running an input gave other events than the journal holds: entry number and what differed."""

    def __init__(self, n: int, text: str) -> None:
        super().__init__(f"entry {n}: {text}")
        self.n, self.text = n, text


class Snapshot(Struct, frozen=True):
    """Where replay may begin: the table just before entry `n`, the input that begins a round.

    It is kept when that round ends. Nothing that came before can be corrected any more, so replay needs nothing of it.
    """

    n: int
    state: TableState


class Outcome(Struct, frozen=True):
    """What became of an input."""

    events: tuple[ev.Event, ...]
    repeat: bool = False
    """A device sent again what the journal already has; nothing was done."""

    @property
    def refusal(self) -> ev.Refused | None:
        return next((event for event in self.events if isinstance(event, ev.Refused)), None)


Listener = Callable[[tuple[ev.Event, ...]], None]


class Desk:
    """One table's engine and journal, kept in step."""

    def __init__(self, journal: Journal, resolve: Resolver, clock: Clock, first: Started) -> None:
        """`first` are the rules for a journal that has no entry yet."""
        self.journal = journal
        self.clock = clock
        self._resolve = resolve
        self._first = first
        self._one_at_a_time = asyncio.Lock()
        self._listeners: list[Listener] = []
        self._observe: Callable[[float], None] = lambda _: None
        self.is_writing = False
        """The engine is ahead of the journal: nobody may look at it now; listeners are told when it is over."""
        self.trouble: str | None = None
        """Why the last input could not be written; None while all is well."""
        self.engine, self._began, self._last_at = self._recovered()

    def listen(self, listener: Listener) -> None:
        """Call this after every commit, and without events after one that failed."""
        self._listeners.append(listener)

    def time_commits(self, observe: Callable[[float], None]) -> None:
        """Tell this how many seconds each commit took."""
        self._observe = observe

    async def submit(self, body: AnyBody, by: str, ref: str | None = None, *, asked: Asked | None = None) -> Outcome:
        """Apply one input; durable when it returns. `JournalError`: nothing happened."""
        async with self._one_at_a_time:
            value = Input(max(self.clock.now_ms(), self._last_at), by, body, ref, asked)
            if self.engine.is_repeat(value):
                return Outcome((), repeat=True)
            before, last = self.engine.state, self.engine.last
            events = self._apply(value)
            began = round_begun(self.engine, before, self.journal.head.n + 1) or self._began
            ended = self.engine.last is not last
            snapshot = msgspec.json.encode(began) if ended and began is not None else None
            try:
                new = Append(
                    self.engine.round_number, encode_input(value), ev.encode_events(events), len(events), snapshot
                )
                began_at = time.perf_counter()
                _, cancelled = await _to_its_end(self.journal.write(new))
                self._observe(time.perf_counter() - began_at)
            except JournalError as error:
                self.engine, self._began, self._last_at = self._recovered()
                self.is_writing = False
                self.trouble = str(error)
                self._tell(())
                raise
            self.is_writing = False
            self.trouble = None
            self._last_at, self._began = value.at, began
        if cancelled:
            raise asyncio.CancelledError
        self._tell(events)
        return Outcome(events)

    def _apply(self, value: Input) -> tuple[ev.Event, ...]:
        events = tuple(self.engine.apply(value))
        self.is_writing = True
        return events

    def _tell(self, events: tuple[ev.Event, ...]) -> None:
        """What is in the journal has happened: a listener that fails is logged, and the caller hears nothing of it."""
        for listener in self._listeners:
            try:
                listener(events)
            except Exception:
                log.exception("a listener failed after entry %d", self.journal.head.n)

    def _recovered(self) -> tuple[TableEngine[Any], Snapshot | None, int]:
        """The engine as the journal has it, where its last round began, and the last time used."""
        stored = self.journal.last_snapshot()
        began: Snapshot | None = None
        if stored is None:
            engine = first_engine(self._first.ruleset, self._first.options, self._resolve)
            start = 1
        else:
            began = read_snapshot(*stored)
            engine, start = engine_from(began.state, self._resolve), began.n
        last_at = 0
        for entry in self.journal.entries(start):
            before = engine.state
            try:
                last_at = replay_entry(engine, entry.n, entry.input, entry.events)
            except msgspec.MsgspecError as error:
                raise ReplayDiffers(entry.n, f"this program does not know such an input: {error}") from error
            began = round_begun(engine, before, entry.n) or began
        return engine, began, last_at


async def _to_its_end(commit: Commit) -> tuple[Entry, bool]:
    """Waits for a commit under way, so that engine and journal stay in step; tells whether we were cancelled."""
    try:
        return await commit, False
    except asyncio.CancelledError:
        # A commit cannot be cancelled, so this comes only once it is done.
        return commit.result(), True


def round_begun(engine: TableEngine[Any], before: TableState, n: int) -> Snapshot | None:
    """The snapshot of the round that entry `n` has begun, None where it began none; `before`: the state before it."""
    return Snapshot(n, before) if engine.round_number > before.rounds else None


def read_snapshot(n: int, stored: bytes) -> Snapshot:
    """The snapshot kept with entry `n`; `ReplayDiffers` where a newer program wrote into it what this one cannot read.

    A table that forgets a part of its state without a word is worse than one that does not start. So a later program
    goes on reading every field that an earlier one wrote.
    """
    try:
        snapshot = msgspec.json.decode(stored, type=Snapshot)
    except msgspec.MsgspecError as error:
        raise ReplayDiffers(n, f"this program cannot read its snapshot: {error}") from error
    lost = _first_lost(msgspec.json.decode(stored), msgspec.json.decode(msgspec.json.encode(snapshot)), "snapshot")
    if lost is not None:
        raise ReplayDiffers(n, f"this program does not know {lost}")
    return snapshot


def _first_lost(written: object, read: object, where: str) -> str | None:
    """The first key that was written and is not there when it is read and written again."""
    if isinstance(written, dict) and isinstance(read, dict):
        missing = next((key for key in written if key not in read), None)
        if missing is not None:
            return f"{where}.{missing}"
        parts = [(f"{where}.{key}", value, read[key]) for key, value in written.items()]
    elif isinstance(written, list) and isinstance(read, list):
        parts = [(where, value, other) for value, other in zip(written, read, strict=False)]
    else:
        return None
    return next((lost for place, old, new in parts if (lost := _first_lost(old, new, place))), None)


def first_engine(ruleset: str, options: dict[str, Any], resolve: Resolver) -> TableEngine[Any]:
    """A table before its first input."""
    return engine_from(TableState(Setup(), ruleset, options), resolve)


def engine_from(state: TableState, resolve: Resolver) -> TableEngine[Any]:
    rules = resolve(state.ruleset, state.options)
    return TableEngine(rules.game, rules.options, state, state.ruleset, resolve)


def replay_entry(engine: TableEngine[Any], n: int, input: bytes, events: bytes) -> int:
    """Feed an entry's input again; `ReplayDiffers` unless the events come out byte for byte. Gives its time."""
    value = decode_input(input)
    try:
        caused = engine.apply(value)
    except Exception as error:
        # The table took this input once. The words of the error might name a card.
        raise ReplayDiffers(n, f"its input cannot be applied again ({type(error).__name__})") from None
    again = ev.encode_events(caused)
    if again != events:
        raise ReplayDiffers(n, f"the journal holds {events.decode()}, re-running gives {again.decode()}")
    return value.at
