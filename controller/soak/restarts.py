"""Restart anywhere: after every entry of a journal, a table that starts from it is the table that went on.

A start takes the newest snapshot and applies the entries since. So two tables are fed side by side. One goes on from
the first entry, and everything public is read from it after each. The other is made anew from each snapshot as soon as
a start would take that one. Both must cause the same events, byte for byte those of the journal, and be the same table
after every single entry: lasting state, what it waits for, the inputs of its round and their result, and the documents
that screens and broker have of it.

The console's document, the panel's menu and the preview of a correction are made from these, and to make them costs
more than the day itself. So they are read after some of the entries, and compared there: see `Looks`.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from controller.engine.events import encode_events
from controller.engine.inputs import Input, Started, decode_input
from controller.engine.table.engine import TableEngine
from controller.engine.table.state import Resolver, Rules
from controller.journal import Entry, JournalReader
from controller.outputs.state import encode_state
from controller.recorder.recorder import Snapshot, engine_from, first_engine, read_snapshot, round_begun
from controller.soak.looking import Onlooker

EACH_MOMENT = 2
"""Looks at a table where an entry of this kind has just come to a table that waits for this."""
LOOKS = 100
"""At a journal of any length, beside those. A shorter one is looked at after each entry."""


class Looks:
    """After which entries everything public is read and compared: the first ones of each kind, by what the table waits
    for then, and others by chance, which is the journal's own, so that a day is the same when it comes again."""

    def __init__(self, entries: list[Entry]) -> None:
        self._chance = random.Random(entries[-1].hash)
        self._share = LOOKS / len(entries)
        self._seen: Counter[tuple[object, ...]] = Counter()

    def at(self, engine: TableEngine[Any], value: Input) -> bool:
        """Whether to look after this entry."""
        moment = (type(value.body), engine.is_dealing, *(type(want) for want in engine.expectation.wants))
        self._seen[moment] += 1
        is_chosen = self._chance.random() < self._share
        return is_chosen or self._seen[moment] <= EACH_MOMENT


def restarts(journal: Path, resolve: Resolver, most: int | None = None) -> Iterator[str]:
    """What differs, at the first entry where something does; nothing where a start anywhere gives the same table.

    `most`: at most this number of entries of the journal.
    """
    with JournalReader.read(journal) as reader:
        entries = list(reader.entries(1, None if most is None else most + 1))
    if not entries:
        return
    onlooker, looks, resolve = Onlooker(), Looks(entries), _remembered(resolve)
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
        if problem is None and began is not None and going.last is not last:
            # From here on a start takes this snapshot, as it is written.
            started = engine_from(read_snapshot(entry.n, msgspec.json.encode(began)).state, resolve)
            for earlier in entries[began.n - 1 : entry.n]:
                problem = problem or _fed(started, decode_input(earlier.input), earlier, "a start here")
        is_looked_at = looks.at(going, value)
        documents = onlooker.everything_public(going) if is_looked_at else []
        problem = problem or _difference(going, started) or _shown_otherwise(onlooker, going, started)
        if problem is None and is_looked_at:
            problem = _other_document(documents, onlooker.everything_public(started))
        if problem is not None:
            yield f"entry {entry.n} ({value.by}, {type(value.body).__name__}): {problem}"
            return


def _remembered(resolve: Resolver) -> Resolver:
    """The same rules for the same table, read once: a start reads them from its files."""
    found: dict[bytes, Rules[Any]] = {}

    def remember(ruleset: str, options: Mapping[str, Any]) -> Rules[Any]:
        key = msgspec.json.encode([ruleset, options])
        if key not in found:
            found[key] = resolve(ruleset, options)
        return found[key]

    return remember


def _fed(engine: TableEngine[Any], value: Input, entry: Entry, which: str) -> str | None:
    if encode_events(engine.apply(value)) != entry.events:
        return f"{which} causes other events than the journal has at entry {entry.n}"
    engine.waits.note()
    return None


def _difference(going: TableEngine[Any], started: TableEngine[Any]) -> str | None:
    """What is not the same at two tables."""
    before: dict[str, Any] = {}
    after: dict[str, Any] = {}
    if going.state != started.state:
        # As they are written: a tuple of the one may be a list of the other.
        before, after = msgspec.to_builtins(going.state), msgspec.to_builtins(started.state)
    for name in {**before, **after}:
        if before.get(name) != after.get(name):
            # Its values may hold cards that nobody was shown.
            return f"after a start {name} is another"
    if going.expectation != started.expectation:
        return "after a start the table waits for something else"
    if going.played.inputs != started.played.inputs:
        return "after a start the round has other inputs"
    return None if going.public_result == started.public_result else "after a start the round's result is another"


def _shown_otherwise(onlooker: Onlooker, going: TableEngine[Any], started: TableEngine[Any]) -> str | None:
    """Which of the two documents that are always shown is not the same at two tables."""
    if onlooker.view(going) != onlooker.view(started):
        return "after a start the screens show something else"
    if onlooker.state(going) != onlooker.state(started):
        # As it is written: a tuple of the one may be a list of the other.
        return _other_document([encode_state(onlooker.state(going))], [encode_state(onlooker.state(started))])
    return None


_SINCE = re.compile(rb'"(?:phase|waits)_since":\d+')
"""Not compared: a start notes it from the inputs of the last round on, so it may be later there
(docs/development/soak.md)."""


def _other_document(documents: list[bytes], again: list[bytes]) -> str | None:
    for one, other in zip(documents, again, strict=True):
        if _SINCE.sub(b"", one) != _SINCE.sub(b"", other):
            at = next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), 0)
            around = slice(max(0, at - 80), at + 80)
            return f"after a start a public document is another: {other[around]!r} was {one[around]!r}"
    return None
