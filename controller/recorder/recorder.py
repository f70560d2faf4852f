"""The recorder: where something that happened becomes an entry in the journal.

One input at a time: it gets its time, the engine applies it, and the input with the events it caused is one durable
commit. Only then do others learn of it: the caller (a driver that now acknowledges its device), and the listeners
(screens, panels, the shoe's lock). If the commit fails, the engine returns to the journal's state and the caller gets
an error: a device sends its report again, a person reads why.

Recovery is replay: the snapshot of the round before, then every input since. Where an entry comes out otherwise, the
table is not left dark: it is held, the difference is an entry of its own, and the floor decides (`_Recovery`).
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import re
import time
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Literal

import msgspec
from msgspec import Struct

from controller.clock import Clock
from controller.engine import events as ev
from controller.engine.actor import Actor
from controller.engine.expect.want import Refusal
from controller.engine.inputs import (
    Amended,
    AnyBody,
    Asked,
    ClockSeen,
    Counter,
    DifferenceFound,
    FloorAct,
    Input,
    Started,
    decode_input,
    encode_input,
    kind_of,
)
from controller.engine.reading import Unreadable
from controller.engine.round.felt import Setup
from controller.engine.slip_inputs import SlipRefused
from controller.engine.table.engine import TableEngine
from controller.engine.table.state import Difference, Resolver, TableState
from controller.journal import Append, AppendTogether, Commit, Entry, Journal, JournalError
from controller.journal.difference import place_of_difference
from controller.journal.published import split_events
from protocols.type_errors import in_words

log = logging.getLogger(__name__)

MOST_LEVELS = 100
"""Of an entry. How deep a Python can read differs: one reads ten thousand levels, another fails at one thousand."""
_TEXT = re.compile(rb'"(?:[^"\\]|\\.)*"')

STEP_MS = 1000
"""A clock that differs from the elapsed time by more was set. One that a time server keeps is only slowed or
quickened."""
SNAPSHOT_EVERY = 32
"""Entries after which the end of a round is worth a snapshot: one costs the disk as much as an entry, and a start
re-runs thousands of entries in a second."""
SLEWED_IN = 1000
"""The kernel changes the speed of a clock by at most one part in two thousand; twice that is still no step."""


class ReplayDiffers(Exception):
    """Re-running an input gave other events than the journal holds: entry number and what differed."""

    def __init__(self, n: int, text: str) -> None:
        super().__init__(f"entry {n}: {text}")
        self.n, self.text = n, text


class UnknownInput(Exception):
    """The journal was written by a newer program: which entry or snapshot, and what this one cannot read."""


class Snapshot(Struct, frozen=True):
    """Where replay may begin: the table just before entry `n`, the input that begins a round.

    It is kept when that round ends. Nothing that came before can be corrected any more, so replay needs nothing of it.
    """

    n: int
    state: TableState


class Outcome(Struct, frozen=True):
    """The result of an input."""

    events: tuple[ev.Event, ...]
    repeat: bool = False
    """A device sent again what the journal already has; nothing was done."""

    @property
    def refusal(self) -> ev.Refused | None:
        return next((event for event in self.events if isinstance(event, ev.Refused)), None)


Listener = Callable[[tuple[ev.Event, ...]], None]


class Recorder:
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
        """The engine is ahead of the journal: it must not be read now; listeners are called when that is over."""
        self.snapshot_every = SNAPSHOT_EVERY
        """Entries."""
        self.trouble: str | None = None
        """Why the last input could not be written; None while all is well."""
        self.engine: TableEngine[Any]
        self._began: Snapshot | None
        self._kept_n: int
        self._last_at: int
        self._looked: tuple[int, int] | None = None
        """What the clock said when it was last looked at, and the elapsed time then; None before the first time."""
        self._difference: DifferenceFound | None
        """What must be written before anything else: an entry of the journal did not come out the same."""
        self._recover()
        clock.resume(self._last_at)

    def listen(self, listener: Listener) -> None:
        """Call this after every commit, and without events after one that failed."""
        self._listeners.append(listener)

    def time_commits(self, observe: Callable[[float], None]) -> None:
        """Call this with the seconds that each commit took."""
        self._observe = observe

    async def submit(
        self,
        body: AnyBody,
        by: str | Actor,
        ref: str | None = None,
        *,
        asked: Asked | None = None,
        counter: Counter | None = None,
    ) -> Outcome:
        """Apply one input; durable when it returns. `JournalError`: nothing happened. `by`: a person, or the name of
        what it came from otherwise."""
        async with self._one_at_a_time:
            now = await self._opened()
            person = by if isinstance(by, Actor) else None
            value = Input(now, by.by if isinstance(by, Actor) else by, body, ref, asked, counter, person)
            if self.engine.is_repeat(value):
                return Outcome((), repeat=True)
            events, cancelled = await self._commit(value)
        if cancelled:
            raise asyncio.CancelledError
        self._notify(events)
        return Outcome(events)

    async def submit_slip(
        self, acts: Sequence[AnyBody], by: Actor, judge: Callable[[TableEngine[Any]], Refusal | None]
    ) -> Outcome:
        """Several acts of a person as one: all of them in one commit, or none. `judge`: why the slip cannot be done
        at this table, before anything is tried. What was not done is in the journal with its reason."""
        async with self._one_at_a_time:
            now = await self._opened()
            values = [Input(now, by.by, body, person=by, together=at > 0) for at, body in enumerate(acts)]
            refusal = judge(self.engine)
            if refusal is None:
                events, cancelled = await self._commit(*values)
                if len(acts) > 1:
                    refusal = _not_done(events)
            if refusal is not None:
                body = SlipRefused(kind_of(acts[0]), refusal.why, refusal.text)
                events, cancelled = await self._commit(Input(now, by.by, body, person=by))
        if cancelled:
            raise asyncio.CancelledError
        self._notify(events)
        return Outcome(events)

    async def _opened(self) -> int:
        """The time of the next entry, once everything that must be written before it is; holding the lock."""
        if self.engine.state.retired:
            raise JournalError("The table is retired, and its journal has ended. Nothing more is written into it.")
        now = await self._note_clock()
        if self._difference is not None:
            # Nothing is written behind a difference before the difference itself is.
            value = Input(now, "board", self._difference)
            found, cancelled = await self._commit(value)
            self._difference = None
            self._notify(found)
            if cancelled:
                raise asyncio.CancelledError
        return now

    async def look_at_clock(self) -> None:
        """Note that the clock was set, or that a time server keeps it or no longer does, where nothing else happens."""
        async with self._one_at_a_time:
            if self.engine.state.retired:
                return
            await self._note_clock()
        state: Literal["synced", "free"] = "synced" if self.clock.is_synced() else "free"
        if state != self.engine.state.clock:
            await self.submit(ClockSeen(state), "board")

    async def _note_clock(self) -> int:
        """What the clock says now: the time of the next entry. Where it was set since it was last looked at, that is
        an entry of its own, before any other."""
        now, elapsed = self.clock.now_ms(), self.clock.elapsed_ms()
        before = now
        if self._looked is not None:
            gone = elapsed - self._looked[1]
            if abs(now - self._looked[0] - gone) > max(STEP_MS, gone // SLEWED_IN):
                before = self._looked[0] + gone
        if now < self._last_at:
            before = max(before, self._last_at)
        if before != now:
            events, cancelled = await self._commit(Input(now, "board", ClockSeen("stepped", before)))
            self._notify(events)
            if cancelled:
                raise asyncio.CancelledError
        self._looked = now, elapsed
        return now

    async def preview(self, wanted: Amended, by: str | Actor) -> dict[str, Any] | Refusal:
        """What a correction would change, field by field. That somebody asked is in the journal before the answer."""
        await self.submit(msgspec.structs.replace(wanted, preview=True), by)
        return self.engine.preview(wanted)

    async def _commit(self, *values: Input) -> tuple[tuple[ev.Event, ...], bool]:
        """Apply inputs and write them down as one; their events, and whether the caller was cancelled meanwhile.

        Of several inputs none is written where one is not done as asked: then the table is as it was, and the events
        say why.
        """
        n, kept_n = self.journal.head.n, self._kept_n
        stored = [_readable_again(value) for value in values]
        caused: tuple[ev.Event, ...] = ()
        appends: list[Append] = []
        for value, bytes_of_it in zip(values, stored, strict=True):
            n += 1
            before, last = self.engine.state, self.engine.last
            events = self._applied(value)
            if len(values) > 1:
                if _not_done(events) is not None:
                    self._recover()
                    return events, False
                self.engine.waits.note()
            began = round_begun(self.engine, before, n) or self._began
            snapshot: bytes | None = None
            if self.engine.last is not last and began is not None and n - kept_n >= self.snapshot_every:
                kept_n, snapshot = n, msgspec.json.encode(began)
            if type(value.body) is DifferenceFound:
                # A start takes the table from here: what was before does not come out the same.
                began = Snapshot(n, msgspec.convert(value.body.state, TableState))
                kept_n, snapshot = n, msgspec.json.encode(began)
            self._began = began
            appends.append(
                Append(self.engine.round_number, bytes_of_it, ev.encode_events(events), len(events), snapshot)
            )
            caused = events if len(values) == 1 else (*caused, *events)
        self.is_writing = True
        try:
            new = appends[0] if len(appends) == 1 else AppendTogether(tuple(appends))
            began_at = time.perf_counter()
            _, cancelled = await _to_its_end(self.journal.writer.commit(new))
            self._observe(time.perf_counter() - began_at)
        except JournalError as error:
            self._recover()
            self.is_writing = False
            self.trouble = str(error)
            self._notify(())
            raise
        self.is_writing = False
        self.engine.waits.note()
        self.trouble = None
        self._last_at, self._kept_n = values[-1].at, kept_n
        return caused, cancelled

    def _applied(self, value: Input) -> tuple[ev.Event, ...]:
        """What an input causes. A mistake in the program must not leave half of it done: the table is taken from the
        journal again."""
        try:
            return tuple(self.engine.apply(value))
        except Exception:
            self._recover()
            raise

    def _notify(self, events: tuple[ev.Event, ...]) -> None:
        """Call the listeners. The input is in the journal: a listener's error is logged and not raised."""
        for listener in self._listeners:
            try:
                listener(events)
            except Exception:
                log.exception("a listener failed after entry %d", self.journal.head.n)

    def _recover(self) -> None:
        """Take the engine from the journal."""
        recovery = _Recovery(self.journal, self._first, self._resolve)
        self.engine, self._began, self._last_at = recovery.engine, recovery.began, recovery.last_at
        self._difference, self._kept_n = recovery.difference, recovery.kept_n
        if self._difference is not None:
            log.error(
                "entry %d of the journal does not come out the same, the table is held: %s",
                self._difference.entry,
                self._difference.text,
            )


class _Recovery:
    """The engine as the journal has it, where its last round began, and the last time used.

    Where an entry comes out otherwise, `difference` names it, and the engine continues from there:
    held, and with the state that this program makes of all inputs. That state knows how far every device has counted,
    so nothing that was taken before is taken again.
    """

    def __init__(self, journal: Journal, first: Started, resolve: Resolver) -> None:
        self._resolve = resolve
        self.began: Snapshot | None = None
        self.last_at = 0
        self.difference: DifferenceFound | None = None
        stored = journal.last_snapshot()
        self.kept_n = 0 if stored is None else stored[0]
        """The entry with which the last snapshot was kept."""
        if stored is None:
            self.engine = first_engine(first.ruleset, first.options, resolve)
            start = 1
        else:
            self.began = read_snapshot(*stored)
            self.engine, start = engine_from(self.began.state, resolve), self.began.n
        entries, owed = journal.entries(start), self.engine.fees_owed
        for entry in entries:
            before = self.engine.state
            was_dealing = self.engine.is_dealing
            try:
                self.last_at = replay_entry(self.engine, entry)
                self.engine.waits.note()
            except ReplayDiffers as error:
                rest, owed = [entry, *entries], _owed_after(owed, journal.entries(start))
                self._go_on_after(error, was_dealing, before.rounds, rest, owed)
                return
            self.began = round_begun(self.engine, before, entry.n) or self.began

    def _go_on_after(
        self, error: ReplayDiffers, was_dealing: bool, rounds: int, entries: list[Entry], owed: dict[str, int]
    ) -> None:
        """`entries`: from the one that differs to the last; `was_dealing`, `rounds`: before it; `owed`: what each box
        is owed by the fee ledger of the journal."""
        is_running, seen = was_dealing, dict(self.engine.state.seen)
        for entry in entries:
            value = _readable(entry)
            self.last_at = value.at
            rounds = max(rounds, entry.round)
            if value.ref is not None:
                seen[value.by] = value.ref
            if entry is not entries[0]:
                with contextlib.suppress(Exception):
                    # The round is not trusted in any case; what outlives it is kept as far as it can be computed.
                    self.engine.apply(value)
            is_running = _is_running_after(entry.events, is_running)
        rounds = max(rounds, self.engine.state.rounds)
        state = msgspec.structs.replace(self._with_cards_counted(), rounds=rounds, seen=seen)
        self.difference = DifferenceFound(error.n, error.text, is_running, msgspec.to_builtins(state), owed)
        self.engine = engine_from(
            msgspec.structs.replace(state, differs=Difference(error.n, error.text, is_running)), self._resolve
        )

    def _with_cards_counted(self) -> TableState:
        """The state, in which the cards of a running round have left the shoe and its pack is out of play: so it is
        whatever the floor decides. Its fees and wagers are left as they were; nobody knows them."""
        state = self.engine.state
        if not self.engine.is_dealing:
            return state
        with contextlib.suppress(Exception):
            self.engine.apply(Input(self.last_at, "board", FloorAct("void")))
        ended = self.engine.state
        return msgspec.structs.replace(state, shoe=ended.shoe, packs=ended.packs, ledger=ended.ledger)


def _not_done(events: Iterable[ev.Event]) -> Refusal | None:
    """Why one of several acts cannot be done with the others: refused, or nothing that a person does on purpose."""
    for event in events:
        if isinstance(event, ev.Refused):
            return Refusal(event.why, event.text)
        if isinstance(event, ev.Irregularity | ev.Held):
            return Refusal(event.code, event.text)
    return None


def _readable_again(value: Input) -> bytes:
    """The input as it is stored. `Unreadable` where no start could read it again: it is outside the bounds of its
    fields, no matter where it came from."""
    try:
        stored = encode_input(value)
        decode_input(stored)
    except msgspec.ValidationError as error:
        raise Unreadable(in_words(error)) from None
    except (OverflowError, RecursionError, ValueError):
        raise Unreadable("expected plain data within its bounds, something else came. Correct it.") from None
    if _depth(stored) > MOST_LEVELS:
        raise Unreadable(f"expected at most {MOST_LEVELS} levels of lists and objects inside each other, more came.")
    return stored


def _depth(stored: bytes) -> int:
    """Levels of lists and objects inside each other, or the number of all of them where that is within the bounds."""
    most = stored.count(b"[") + stored.count(b"{")
    if most <= MOST_LEVELS:
        return most
    level = most = 0
    for mark in _TEXT.sub(b"", stored):
        level += (mark in b"[{") - (mark in b"]}")
        most = max(most, level)
    return most


def _owed_after(owed: dict[str, int], entries: Iterable[Entry]) -> dict[str, int]:
    """What each box is owed after these entries, by the lines of the fee ledger in them."""
    for entry in entries:
        if b'"fee_changed"' not in entry.events:
            continue
        for kind, body in split_events(entry.events):
            if kind == b"fee_changed":
                line = msgspec.json.decode(body, type=ev.FeeChanged)
                owed = {**owed, line.box: line.after}
    return owed


def _is_running_after(events: bytes, was_running: bool) -> bool:
    """Whether a round runs after these events, as the journal has them."""
    try:
        kinds = [event.kind for event in msgspec.json.decode(events, type=list[_Kind])]
    except msgspec.MsgspecError:
        return was_running
    for kind in kinds:
        if kind == "round_started":
            was_running = True
        elif kind in ("round_settled", "round_voided"):
            was_running = False
    return was_running


class _Kind(Struct):
    kind: str


async def _to_its_end(commit: Commit) -> tuple[Entry, bool]:
    """Wait for a commit under way: engine and journal stay in step. Returns whether we were cancelled meanwhile."""
    try:
        return await commit, False
    except asyncio.CancelledError:
        # A commit cannot be cancelled, so this comes only once it is done.
        return commit.result(), True


def round_begun(engine: TableEngine[Any], before: TableState, n: int) -> Snapshot | None:
    """The snapshot of the round that entry `n` has begun, None where it began none; `before`: the state before it."""
    return Snapshot(n, before) if engine.round_number > before.rounds else None


def read_snapshot(n: int, stored: bytes) -> Snapshot:
    """The snapshot kept with entry `n`; `UnknownInput` where a newer program wrote into it what this one cannot read.

    A table that silently loses a part of its state is worse than one that does not start. So a later program
    still reads every field that an earlier one wrote.
    """
    try:
        snapshot = msgspec.json.decode(stored, type=Snapshot)
    except msgspec.MsgspecError as error:
        raise UnknownInput(f"entry {n}: this program cannot read its snapshot: {in_words(error)}") from error
    lost = _first_lost(msgspec.json.decode(stored), msgspec.json.decode(msgspec.json.encode(snapshot)), "snapshot")
    if lost is not None:
        raise UnknownInput(f"entry {n}: this program does not know {lost}")
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
    return TableEngine(
        rules.game,
        rules.options,
        state,
        state.ruleset,
        resolve,
        rotation=rules.rotation,
        readings=rules.readings,
        procedures=rules.procedures,
    )


def replay_entry(engine: TableEngine[Any], entry: Entry) -> int:
    """Apply an entry's input again; `ReplayDiffers` unless the events come out byte for byte. Returns its time."""
    value = _readable(entry)
    try:
        caused = engine.apply(value)
    except Exception as error:
        # The table took this input once. The words of the error might name a card.
        raise ReplayDiffers(entry.n, f"its input cannot be applied again ({type(error).__name__})") from None
    again = ev.encode_events(caused)
    if again != entry.events:
        raise ReplayDiffers(entry.n, place_of_difference(entry.events, again, entry.first_seq))
    return value.at


def _readable(entry: Entry) -> Input:
    try:
        return decode_input(entry.input)
    except msgspec.MsgspecError as error:
        raise UnknownInput(f"entry {entry.n}: this program does not know such an input: {in_words(error)}") from error
