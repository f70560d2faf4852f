"""The engine, fed from a journal again.

`rerun` feeds every input from the first and compares what comes out with what the journal holds, byte for byte: the
events, their number, the round they belong to, and that time and the devices' own numbers never run backwards.
`standing` feeds only the inputs since the last snapshot, to say where the table stands now.
"""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import Struct

from controller.desk import Snapshot, engine_from, first_engine, replay_entry
from controller.engine.events import encode_events
from controller.engine.inputs import Input, Started, decode_input
from controller.engine.state import Resolver
from controller.engine.table import TableEngine
from controller.journal import Entry, Head, JournalError, JournalReader, Progress
from controller.rules import RulesError

_TELL_EVERY = 512
"""Entries between two calls of `progress`."""


class Differs(Exception):
    """An entry is not what re-running the journal gives: its number and what differed."""

    def __init__(self, n: int, text: str) -> None:
        super().__init__(f"entry {n}: {text}")
        self.n, self.text = n, text


class OtherRules(Struct, frozen=True):
    """A start of the daemon under rules that this program does not have in the same words."""

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


def rerun(reader: JournalReader, head: Head, resolve: Resolver, progress: Progress | None = None) -> Rerun:
    """Feed every input up to `head` again; `Differs` at the first entry that comes out otherwise."""
    done = Rerun()
    engine = _before_first_kept(reader, resolve)
    last_at = 0
    for entry in reader.entries(1, head.n + 1):
        try:
            value = decode_input(entry.input)
        except msgspec.MsgspecError as error:
            raise Differs(entry.n, f"its input cannot be read: {error}") from None
        if type(value.body) is Started:
            done.other_rules += _other_rules(entry.n, value.body, resolve)
        if engine is None:
            engine = _first(entry.n, value, resolve)
        if value.at < last_at:
            raise Differs(entry.n, f"its time is {last_at - value.at} ms before that of the entry before it")
        last_at = value.at
        try:
            repeat = value.ref is not None and engine.is_repeat(value)
            caused = engine.apply(value)
        except Exception as error:
            # Whatever it is: the engine took this input once, so it is a finding. Its words might name a card.
            raise Differs(entry.n, f"its input cannot be applied again ({type(error).__name__})") from None
        if repeat:
            raise Differs(entry.n, f"{value.by} had sent this input before ({value.ref}); it was written twice")
        again = encode_events(caused)
        if again != entry.events:
            raise Differs(entry.n, difference(entry, again) + _perhaps_because(done.other_rules))
        if entry.count != len(caused):
            raise Differs(entry.n, f"it is said to hold {entry.count} events, but holds {len(caused)}")
        if entry.round != engine.round_number:
            raise Differs(entry.n, f"it is filed under round {entry.round}, re-running gives {engine.round_number}")
        done.entries += 1
        done.events += entry.count
        if progress is not None and done.entries % _TELL_EVERY == 0:
            progress(done.entries, head.n)
    if engine is not None:
        done.rounds, done.test = engine.round_number, engine.state.test
    return done


def standing(reader: JournalReader, head: Head, resolve: Resolver) -> TableEngine[Any] | None:
    """The table as it stands after `head`, None where the journal cannot be re-run: ask `verify` why."""
    stored = reader.last_snapshot(head.n)
    engine: TableEngine[Any] | None = None
    start = 1
    try:
        if stored is not None:
            snapshot = msgspec.json.decode(stored[1], type=Snapshot)
            engine, start = engine_from(snapshot.state, resolve), snapshot.n
        for entry in reader.entries(start, head.n + 1):
            if engine is None:
                engine = _first(entry.n, decode_input(entry.input), resolve)
            replay_entry(engine, entry.n, entry.input, entry.events)
    except JournalError:
        raise
    except Exception:
        # A forged input may do anything to the engine; whoever asks is sent to `verify`, which says what.
        return None
    return engine


def difference(entry: Entry, again: bytes) -> str:
    """What differs between the events that the journal holds and those of a re-run, the first of it."""
    try:
        held = msgspec.json.decode(entry.events)
    except msgspec.MsgspecError:
        held = None
    if not isinstance(held, list):
        return "its events are not a JSON array"
    computed: list[dict[str, Any]] = msgspec.json.decode(again)
    for index, (one, other) in enumerate(zip(held, computed, strict=False)):
        if one != other:
            return f"event {entry.first_seq + index} {_fields(one, other)}"
    if len(held) > len(computed):
        return f"the journal holds an event that re-running does not give: {_json(held[len(computed)])}"
    if len(held) < len(computed):
        return f"the journal lacks an event that re-running gives: {_json(computed[len(held)])}"
    return "its events say the same, but not in the bytes that the engine writes"


def _fields(held: Any, computed: dict[str, Any]) -> str:
    if not isinstance(held, dict) or held.get("kind") != computed["kind"]:
        return f"is {_json(held)} in the journal, re-running gives {_json(computed)}"
    parts = [
        f"{name} is {_json(held.get(name))} in the journal, re-running gives {_json(computed.get(name))}"
        for name in {**computed, **held}
        if held.get(name) != computed.get(name)
    ]
    return f"({computed['kind']}): " + "; ".join(parts)


def _json(value: Any) -> str:
    return msgspec.json.encode(value).decode()


def _before_first_kept(reader: JournalReader, resolve: Resolver) -> TableEngine[Any] | None:
    """The table as the removed archives left it; None where nothing was removed and the journal has its beginning."""
    removed_n = reader.first_n - 1
    if removed_n == 0:
        return None
    stored = reader.last_snapshot(removed_n)
    if stored is None or stored[0] != removed_n:
        raise Differs(removed_n + 1, f"entries 1 to {removed_n} are not kept, and what they left is damaged")
    return engine_from(msgspec.json.decode(stored[1], type=Snapshot).state, resolve)


def _first(n: int, value: Input, resolve: Resolver) -> TableEngine[Any]:
    body = value.body
    if not isinstance(body, Started):
        raise Differs(n, "a journal begins with the start of its daemon, this one does not")
    return first_engine(body.ruleset, body.options, resolve)


def _other_rules(n: int, body: Started, resolve: Resolver) -> tuple[OtherRules, ...]:
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
