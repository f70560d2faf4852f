"""What was received, as lines for people or objects for programs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
from typing import Protocol

import msgspec
from msgspec import Raw

from controller.contract.messages import AlarmDocument, Envelope, Online
from controller.engine import events as ev
from controller.engine.inputs import Place
from controller.evidence.words import EventOrUnknown, Unknown, Words, moment
from controller.printing.colours import Paint, plain
from controller.tail.follow import (
    Garbled,
    Hole,
    NewJournal,
    ReceivedEvent,
    RetainedStatus,
    RolledBack,
    StateHead,
    TableName,
    Thing,
)
from controller.tail.repeats import Repeated, Repeats
from controller.tail.words import WatcherWords, to_do

_LOUD = (ev.AlarmRaised, ev.AlarmSettled, ev.Irregularity, ev.Refused, ev.RoundVoided, ev.Corrected)
_RED_SUITS = ("♥", "♦")


class Output(Protocol):
    """Makes lines of what was received."""

    def lines(self, thing: Thing) -> Iterator[str]: ...

    def rest(self) -> Iterator[str]:
        """What is left to show at the end."""


class ForPeople:
    """A line each, a settlement in several; what repeats is counted."""

    def __init__(self, *, kinds: Sequence[str] = (), ascii: bool = False, paint: Paint = plain) -> None:
        self._kinds = kinds
        self._words = WatcherWords(Words(ascii=ascii))
        self._paint = paint
        self._repeats: dict[TableName, Repeats] = {}
        self._stakes: dict[TableName, dict[tuple[Place, str], int]] = {}

    def lines(self, thing: Thing) -> Iterator[str]:
        if not isinstance(thing, ReceivedEvent | Garbled):
            yield from self._repeated(thing.table)
        match thing:
            case ReceivedEvent():
                yield from self._event(thing)
            case Hole():
                count = thing.last - thing.first + 1
                which = str(thing.first) if count == 1 else f"{thing.first} to {thing.last}"
                missing = "was not received" if count == 1 else f"were not received ({count} events)"
                yield self._paint(f"-------- {thing.table}      {which} {missing}", "yellow")
            case RolledBack():
                yield self._paint(
                    f"-------- {thing.table}      ROLLED BACK: event {thing.seq} contradicts what was received up to "
                    f"event {thing.last} of journal {_printable(thing.journal)}. Call compliance.",
                    "red",
                )
            case NewJournal():
                new, old = _printable(thing.journal), _printable(thing.before)
                yield self._paint(f"-------- {thing.table}      NEW JOURNAL {new}; until now it was {old}", "red")
            case RetainedStatus():
                yield from self._status(thing)
            case Garbled():
                yield self._paint(
                    f"-------- {_printable(thing.topic)}: cannot be read: {_printable(thing.why)}", "yellow"
                )

    def _event(self, received: ReceivedEvent) -> Iterator[str]:
        envelope = received.event
        event = _body(envelope)
        stakes = self._stakes.setdefault(received.table, {})
        if isinstance(event, ev.RoundStarted):
            stakes.clear()
        if isinstance(event, ev.WagerSet):
            stakes[event.place, event.wager] = event.cents
        if not wanted(envelope.kind, self._kinds):
            return
        marks = "TEST " if envelope.test else ""
        head = f"{moment(envelope.at):%H:%M:%S} {received.table} {marks}{envelope.round:>3} {envelope.seq:>5}  "
        first, *rest = map(_printable, self._words.of_event(event, stakes))
        repeats = self._repeats.setdefault(received.table, Repeats())
        for one in repeats.take(event, head, first):
            yield self._line(one, self._tinted(event, one.line) if one.count == 1 else one.line)
            if one.count == 1:
                for line in rest:
                    yield " " * len(head) + self._tinted(event, line)

    def _line(self, one: Repeated, text: str) -> str:
        times = f"{one.count} times: " if one.count > 1 else ""
        return self._paint(one.head, "dim") + times + text

    def _repeated(self, table: TableName) -> Iterator[str]:
        if table in self._repeats:
            for one in self._repeats[table].rest():
                yield self._line(one, one.line)

    def rest(self) -> Iterator[str]:
        for table in self._repeats:
            yield from self._repeated(table)

    def _tinted(self, event: EventOrUnknown, line: str) -> str:
        if isinstance(event, _LOUD):
            return self._paint(line, "red")
        if isinstance(event, ev.RoundSettled | ev.RoundStarted):
            return self._paint(line, "bold")
        words = line.split(" ")
        return " ".join(self._paint(word, "red") if word.endswith(_RED_SUITS) else word for word in words)

    def _status(self, status: RetainedStatus) -> Iterator[str]:
        table, paint = status.table, self._paint
        match status.document:
            case Online(online=True, since=since):
                when = "" if since is None else f" since {moment(since):%Y-%m-%d %H:%M:%S}"
                yield paint(f"{table} is online{when}", "green")
            case Online():
                yield paint(f"{table} is OFFLINE", "red")
            case StateHead() as state:
                test = ", TEST MODE" if state.test else ""
                stage = f"round {state.round}, up to event {state.seq}: {state.prompt}"
                yield _printable(f"{table} deals {state.ruleset}{test}, {stage}")
            case AlarmDocument() as alarm:
                seen = "" if alarm.acknowledged_by is None else f" (acknowledged by {alarm.acknowledged_by})"
                known = " (last known: the table is offline)" if status.is_last_known else ""
                yield paint(_printable(f"{table} ALARM {alarm.alarm}: {alarm.text}{seen}{known}"), "red")
                yield from map(_printable, to_do(alarm.to_do))


class ForPrograms:
    """One JSON object a line."""

    def __init__(self, *, kinds: Sequence[str] = ()) -> None:
        self._kinds = kinds

    def rest(self) -> Iterator[str]:
        return iter(())

    def lines(self, thing: Thing) -> Iterator[str]:
        match thing:
            case ReceivedEvent() if wanted(thing.event.kind, self._kinds):
                yield thing.raw.decode()
            case Hole():
                hole = {"site": thing.table.site, "table": thing.table.table, "first": thing.first, "last": thing.last}
                yield msgspec.json.encode({"hole": hole}).decode()
            case RolledBack():
                rolled = {"journal": thing.journal, "seq": thing.seq, "last": thing.last}
                yield msgspec.json.encode({"rolled_back": {**_names(thing.table), **rolled}}).decode()
            case NewJournal():
                new = {"before": thing.before, "journal": thing.journal}
                yield msgspec.json.encode({"new_journal": {**_names(thing.table), **new}}).decode()
            case RetainedStatus():
                what = {Online: "online", StateHead: "state", AlarmDocument: "alarm"}[type(thing.document)]
                document = {"site": thing.table.site, "table": thing.table.table, what: Raw(thing.raw)}
                yield msgspec.json.encode(document).decode()
            case Garbled():
                yield msgspec.json.encode({"garbled": {"topic": thing.topic, "why": thing.why}}).decode()


def _names(table: TableName) -> dict[str, str]:
    return {"site": table.site, "table": table.table}


def wanted(kind: str, kinds: Sequence[str]) -> bool:
    """Whether a kind of event is asked for; without patterns, all are.

    >>> wanted("alarm_raised", ["round_*", "alarm_*"]), wanted("card_dealt", ["round_*"]), wanted("card_dealt", [])
    (True, False, True)
    """
    return not kinds or any(fnmatchcase(kind, pattern) for pattern in kinds)


def _body(envelope: Envelope) -> EventOrUnknown:
    data = bytes(envelope.body)
    try:
        return ev.decode_event(data)
    except msgspec.MsgspecError:
        fields = msgspec.json.decode(data)
        return Unknown(envelope.kind, _without_kind(fields) if isinstance(fields, dict) else {"body": fields})


def _without_kind(fields: dict[str, object]) -> dict[str, object]:
    return {name: value for name, value in fields.items() if name != "kind"}


def _printable(text: str) -> str:
    """Text from a broker must not control the terminal.

    >>> _printable("a\\x1b[2Jb")
    'a\ufffd[2Jb'
    """
    return "".join(letter if letter.isprintable() else "\ufffd" for letter in text)
