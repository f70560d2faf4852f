"""Received messages put in order. No I/O: messages in, things to show out.

`seq` has no gaps. A number that is not larger than the last is a repeat and dropped; one that is larger by more than
one leaves a hole, which is shown in its place. While a table replays the past, what is live waits behind it.

A repeat has the link that it had before, and the next event follows from the last one (docs/mqtt/README.md, the
public chain). Where that is not so, the table's journal was rolled back, and that is shown before anything else.
Another journal begins another series.
"""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from typing import TypeGuard

import msgspec
from msgspec import Struct

from controller.contract.messages import AlarmDocument, Envelope, Online
from controller.contract.topics import ROOT
from protocols.type_errors import in_words


class TableName(Struct, frozen=True):
    """Which one."""

    site: str
    table: str

    def __str__(self) -> str:
        return f"{self.site}/{self.table}"


class ReceivedEvent(Struct, frozen=True):
    """An event, and the bytes it came in."""

    table: TableName
    event: Envelope
    raw: bytes


class Hole(Struct, frozen=True):
    """Events that were not received."""

    table: TableName
    first: int
    last: int


class RolledBack(Struct, frozen=True):
    """An event contradicts one that was received before: the journal is an older copy, continued."""

    table: TableName
    journal: str
    seq: int
    """The event that contradicts."""
    last: int
    """The last one that had been received."""


class NewJournal(Struct, frozen=True):
    """The table has begun another journal: another series of events."""

    table: TableName
    before: str
    journal: str


class StateHead(Struct, frozen=True):
    """As much of a state document as is shown: other versions of Cutcard may have more or less in the rest."""

    ruleset: str
    test: bool
    round: int
    seq: int
    prompt: str


class RetainedStatus(Struct, frozen=True):
    """A retained document of a table, and the bytes it came in."""

    table: TableName
    document: Online | StateHead | AlarmDocument
    raw: bytes
    is_last_known: bool = False
    """The table is offline: how it is now, nobody knows."""


class Garbled(Struct, frozen=True):
    """A message that does not fit its topic."""

    topic: str
    why: str


Thing = ReceivedEvent | Hole | RolledBack | NewJournal | RetainedStatus | Garbled

TOO_DEEP = "it is nested deeper than any message"
_LINKS_KEPT = 10_000
"""Of each table, to compare repeats with."""

_event = msgspec.json.Decoder(Envelope)
_online = msgspec.json.Decoder(Online)
_state = msgspec.json.Decoder(StateHead)
_alarm = msgspec.json.Decoder(AlarmDocument)


class _Series:
    """The events of one journal, as far as they were received."""

    def __init__(self, last: int | None) -> None:
        self.journal = ""
        """Not known before the first event."""
        self.last = last
        self._links: dict[int, str] = {}

    def take(self, received: ReceivedEvent) -> None:
        event = received.event
        self.journal, self.last = event.journal, event.seq
        self._links[event.seq] = event.link
        if len(self._links) > _LINKS_KEPT:
            del self._links[next(iter(self._links))]

    def contradicts(self, received: ReceivedEvent) -> bool:
        """Whether this event cannot be of the same journal as those before it."""
        event = received.event
        known = self._links.get(event.seq)
        if known is not None:
            return known != event.link
        before = self._links.get(event.seq - 1)
        return before is not None and event.link != _link_after(before, received.raw)


def _link_after(before: str, payload: bytes) -> str:
    return sha256(bytes.fromhex(before) + payload[: payload.rindex(b',"link":')]).hexdigest()


class Follower:
    """Remembers the last events of each table."""

    def __init__(self) -> None:
        self._series: dict[TableName, _Series] = {}
        self._online: dict[TableName, Online] = {}
        """The newest of each table."""
        self._waiting: dict[TableName, list[ReceivedEvent]] = {}
        """Live events of tables whose past is still being replayed."""

    def begin_replay(self, table: TableName, first: int) -> None:
        """The past of this table is asked for, from `first` on: what is live waits."""
        self._series[table] = _Series(first - 1)
        self._waiting.setdefault(table, [])

    def end_replay(self, table: TableName) -> Iterator[Thing]:
        """The past is complete."""
        for received in self._waiting.pop(table, []):
            yield from self._next(received)

    def receive(self, topic: str, payload: bytes, *, retained: bool) -> Iterator[Thing]:
        """One message; gives what there is to show of it."""
        levels = topic.removeprefix(f"{ROOT}/").split("/")
        if levels[0] == "reply" and len(levels) >= 5:
            levels = [*levels[3:5], "reply"]  # who asks is named before the table
        if len(levels) < 3 or not payload:
            # An empty payload takes a retained message away.
            return
        table = TableName(levels[0], levels[1])
        try:
            match levels[2:]:
                case ["event", _]:
                    received = ReceivedEvent(table, _event.decode(payload), payload)
                    if table in self._waiting:
                        self._waiting[table].append(received)
                    else:
                        yield from self._next(received)
                case ["reply"]:
                    yield from self._next(ReceivedEvent(table, _event.decode(payload), payload))
                case ["online"]:
                    online = self._online[table] = _online.decode(payload)
                    yield RetainedStatus(table, online, payload)
                case ["state"] if retained:
                    yield RetainedStatus(table, _state.decode(payload), payload)
                case ["alarm", _] if retained:
                    alarm = _alarm.decode(payload)
                    online_now = self._online.get(table)
                    if alarm.state == "raised" and _is_of_now(online_now, alarm):
                        yield RetainedStatus(table, alarm, payload, is_last_known=not online_now.online)
        except msgspec.MsgspecError as error:
            yield Garbled(topic, in_words(error))
        except RecursionError:
            yield Garbled(topic, TOO_DEEP)

    def _next(self, received: ReceivedEvent) -> Iterator[Thing]:
        table, event = received.table, received.event
        series = self._series.setdefault(table, _Series(None))
        if series.journal and series.journal != event.journal:
            yield NewJournal(table, series.journal, event.journal)
            series = self._series[table] = _Series(0)
        if series.last is not None and series.contradicts(received):
            yield RolledBack(table, event.journal, event.seq, series.last)
            series = self._series[table] = _Series(event.seq - 1)
        if series.last is not None and event.seq <= series.last:
            return
        if series.last is not None and event.seq > series.last + 1:
            yield Hole(table, series.last + 1, event.seq - 1)
        series.take(received)
        yield received


def _is_of_now(online: Online | None, alarm: AlarmDocument) -> TypeGuard[Online]:
    """Whether an alarm is of the table's own journal. A broker may still have those of an earlier journal, or of a
    table that is no more: nobody would clear them. `online` is subscribed before the alarms."""
    return online is not None and online.journal == alarm.journal
