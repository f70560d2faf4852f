"""Restart anywhere: after every entry of a journal, a table that starts from it is the table that went on.

A start takes the newest snapshot and applies the entries since. So two tables are fed side by side. One goes on from
the first entry, and everything public is read from it after each. The other is made anew from each snapshot as soon as
a start would take that one. Both must cause the same events, byte for byte those of the journal, and be the same table
after every single entry: lasting state, what it waits for, the round's result, the public documents.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from controller.engine.events import encode_events
from controller.engine.inputs import Input, Started, decode_input
from controller.engine.table.engine import TableEngine
from controller.engine.table.state import Resolver
from controller.journal import Entry, JournalReader
from controller.recorder.recorder import Snapshot, engine_from, first_engine, read_snapshot, round_begun
from controller.soak.looking import Onlooker

READ_EVERY = 10
"""Entries between two comparisons of all public documents: they are made from what is compared after every one."""


def restarts(journal: Path, resolve: Resolver, most: int | None = None) -> Iterator[str]:
    """What differs, at the first entry where something does; nothing where a start anywhere gives the same table.

    `most`: at most this number of entries of the journal.
    """
    with JournalReader.read(journal) as reader:
        entries = list(reader.entries(1, None if most is None else most + 1))
    onlooker = Onlooker()
    going: TableEngine[Any] | None = None
    started: TableEngine[Any] | None = None
    began: Snapshot | None = None
    for entry in entries:
        value = decode_input(entry.input)
        if going is None or started is None:
            assert type(value.body) is Started, "a journal begins with the start of its daemon"
            going = first_engine(value.body.ruleset, value.body.options, resolve)
            started = first_engine(value.body.ruleset, value.body.options, resolve)
        before, last = going.state, going.last
        problem = _fed(going, value, entry, "the table that goes on") or _fed(started, value, entry, "a start here")
        began = round_begun(going, before, entry.n) or began
        is_made_anew = going.last is not last and began is not None
        if problem is None and began is not None and is_made_anew:
            # From here on a start takes this snapshot, as it is written.
            started = engine_from(read_snapshot(entry.n, msgspec.json.encode(began)).state, resolve)
            for earlier in entries[began.n - 1 : entry.n]:
                problem = problem or _fed(started, decode_input(earlier.input), earlier, "a start here")
        documents = onlooker.everything_public(going)
        problem = problem or _difference(going, started)
        if problem is None and (is_made_anew or entry.n % READ_EVERY == 0):
            problem = _other_document(documents, onlooker.everything_public(started))
        if problem is not None:
            yield f"entry {entry.n} ({value.by}, {type(value.body).__name__}): {problem}"
            return


def _fed(engine: TableEngine[Any], value: Input, entry: Entry, which: str) -> str | None:
    if encode_events(engine.apply(value)) != entry.events:
        return f"{which} causes other events than the journal has at entry {entry.n}"
    return None


def _difference(going: TableEngine[Any], started: TableEngine[Any]) -> str | None:
    """What is not the same at two tables."""
    before, after = msgspec.to_builtins(going.state), msgspec.to_builtins(started.state)
    for name in {**before, **after}:
        if before.get(name) != after.get(name):
            # Its values may hold cards that nobody was shown.
            return f"after a start {name} is another"
    if going.expectation != started.expectation:
        return "after a start the table waits for something else"
    return None if going.public_result == started.public_result else "after a start the round's result is another"


def _other_document(documents: list[bytes], again: list[bytes]) -> str | None:
    for one, other in zip(documents, again, strict=True):
        if one != other:
            at = next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), 0)
            around = slice(max(0, at - 80), at + 80)
            return f"after a start a public document is another: {other[around]!r} was {one[around]!r}"
    return None
