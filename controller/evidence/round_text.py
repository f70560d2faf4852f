"""A round as a person reads it.

`replay` prints rounds by time: what everybody could see. `recall` prints the last rounds step by step for a dispute at
the table: each input and what it caused. Both are made from events, which hold exposed cards only. For an inspector
`replay` may also show the cards that stayed face down, from the inputs of settled rounds and of no other.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

import msgspec

from controller.engine import events as ev
from controller.engine import inputs as happened
from controller.engine.journal_inputs import StoreConfirmed
from controller.evidence.names import person
from controller.evidence.rounds import RoundRecord, Step
from controller.evidence.words import (
    EventOrUnknown,
    Stakes,
    Words,
    exposed_cards,
    of_input,
    sealed_cards,
)
from controller.journal import JournalReader
from controller.rules import RulesError, load

TEST_MODE = "*** TEST MODE: rounds marked so count for nothing ***"
SEALED = """*** SEALED CARDS ARE SHOWN: for an inspector only ***
Cards after [sealed] were not exposed when a machine or a person named them; the lines without that mark show what
everybody saw. Rounds that are not settled stay closed. Nothing is logged of this view."""


def replay(found: Sequence[RoundRecord], words: Words, *, sealed: bool = False) -> Iterator[str]:
    """Rounds by time, line by line."""
    if sealed:
        yield SEALED
        yield ""
    for record in found:
        yield from _heading(record, words)
        for step, stakes in _with_stakes(record.steps):
            lines = [line for event in step.events for line in _event(record, event, words, stakes)]
            if sealed:
                lines += _sealed(record, step, words)
            yield from _timed(f"{words.moment(step.at):%H:%M:%S}", lines)
        yield from _ending(record)
        yield ""


def recall(found: Sequence[RoundRecord], reader: JournalReader, words: Words) -> Iterator[str]:
    """The last rounds step by step, oldest first."""
    yield f"=== RECALL === table {reader.table} of {reader.site}: what was dealt, from the journal"
    if any(record.test for record in found):
        yield TEST_MODE
    if not found:
        yield "No round has begun."
    for record in found:
        yield ""
        yield from _heading(record, words)
        of_the_round = [(step, stakes) for step, stakes in _with_stakes(record.steps) if not _is_beside(step)]
        for number, (step, stakes) in enumerate(of_the_round, start=1):
            yield (
                f"  {number:3}. {words.moment(step.at):%H:%M:%S.%f}"[:-3]
                + f"  {person(step.by)}: {of_input(step.body)}"
            )
            for event in step.events:
                yield from (f"         {line}" for line in _event(record, event, words, stakes))
        yield from _ending(record)
    yield "=== END OF RECALL ==="


_BESIDE = (
    happened.SignInSeen,
    happened.TimePassed,
    happened.Noted,
    happened.ClockSeen,
    happened.Blinked,
    StoreConfirmed,
)


def _is_beside(step: Step) -> bool:
    """What came while the round ran and is none of it: who signed in, and what changed nothing."""
    if isinstance(step.body, happened.SignInSeen):
        return True
    return isinstance(step.body, _BESIDE) and not step.events


def _heading(record: RoundRecord, words: Words) -> Iterator[str]:
    first, began = record.steps[0], record.began
    state = record.state.upper() if record.state != "settled" else "settled"
    test = ", TEST MODE" if record.test else ""
    yield f"ROUND {record.number}, {state}{test}"
    rules = "" if began is None else f", {began.ruleset}, rules {began.digest}"
    yield f"  {words.moment(first.at):%Y-%m-%d %H:%M:%S %z}{rules}; journal entries {first.n} to {record.steps[-1].n}"


def _ending(record: RoundRecord) -> Iterator[str]:
    match record.state:
        case "unfinished":
            yield f"  UNFINISHED: the table waits: {record.waits_for}"
        case "doubtful":
            yield "  DOUBTFUL: the journal cannot be re-run to here, so this may be unfinished; ask `cutcard verify`"


def _event(record: RoundRecord, event: EventOrUnknown, words: Words, stakes: Stakes) -> list[str]:
    lines = words.of_event(event, stakes)
    sentence = _game_sentence(record, event)
    return lines if sentence is None else [f"{sentence}.", *lines]


def _game_sentence(record: RoundRecord, event: EventOrUnknown) -> str | None:
    """The result in the game's own words, where this program has the game."""
    if not isinstance(event, ev.RoundSettled) or record.began is None:
        return None
    try:
        return load(record.began.ruleset).game.summary(msgspec.to_builtins(event))
    except RulesError:
        return None


def _sealed(record: RoundRecord, step: Step, words: Words) -> Iterator[str]:
    """The cards of a step that it did not expose."""
    in_play = record.steps.index(step) <= record.end or step.shows(ev.Corrected)
    if record.state == "settled" and in_play:
        hidden = Counter(sealed_cards(step.body)) - Counter(exposed_cards(step.events))
        if hidden:
            yield f"[sealed] {words.cards(hidden.elements())}"


def _timed(time: str, lines: Iterable[str]) -> Iterator[str]:
    for line in lines:
        yield f"  {time}  {line}"
        time = " " * len(time)


def _with_stakes(steps: Iterable[Step]) -> Iterator[tuple[Step, Stakes]]:
    """Each step with the wagers on the layout after it."""
    stakes: dict[tuple[int | str, str], int] = {}
    for step in steps:
        for event in step.events:
            if isinstance(event, ev.WagerSet):
                stakes[event.place, event.wager] = event.cents
        yield step, stakes
