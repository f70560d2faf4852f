"""Received messages put in order. No I/O: messages in, things to show out.

`seq` has no gaps. A number that is not larger than the last is a repeat and dropped; one that is larger by more than
one leaves a hole, which is shown in its place. While a table replays the past, what is live waits behind it.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
from msgspec import Struct

from controller.contract.messages import AlarmDocument, Envelope, Online

PREFIX = "cutcard/v1"


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


class Garbled(Struct, frozen=True):
    """A message that does not fit its topic."""

    topic: str
    why: str


Thing = ReceivedEvent | Hole | RetainedStatus | Garbled

_event = msgspec.json.Decoder(Envelope)
_online = msgspec.json.Decoder(Online)
_state = msgspec.json.Decoder(StateHead)
_alarm = msgspec.json.Decoder(AlarmDocument)


class Follower:
    """Remembers the last `seq` of each table."""

    def __init__(self) -> None:
        self._last: dict[TableName, int] = {}
        self._waiting: dict[TableName, list[ReceivedEvent]] = {}
        """Live events of tables whose past is still being replayed."""

    def begin_replay(self, table: TableName, first: int) -> None:
        """The past of this table is asked for, from `first` on: what is live waits."""
        self._last[table] = first - 1
        self._waiting.setdefault(table, [])

    def end_replay(self, table: TableName) -> Iterator[Thing]:
        """The past is complete."""
        for received in self._waiting.pop(table, []):
            yield from self._next(received)

    def receive(self, topic: str, payload: bytes, *, retained: bool) -> Iterator[Thing]:
        """One message; gives what there is to show of it."""
        levels = topic.removeprefix(f"{PREFIX}/").split("/")
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
                    yield RetainedStatus(table, _online.decode(payload), payload)
                case ["state"] if retained:
                    yield RetainedStatus(table, _state.decode(payload), payload)
                case ["alarm", _] if retained:
                    alarm = _alarm.decode(payload)
                    if alarm.state == "raised":
                        yield RetainedStatus(table, alarm, payload)
        except msgspec.MsgspecError as error:
            yield Garbled(topic, str(error))

    def _next(self, received: ReceivedEvent) -> Iterator[Thing]:
        seq, last = received.event.seq, self._last.get(received.table)
        if last is not None and seq <= last:
            return
        if last is not None and seq > last + 1:
            yield Hole(received.table, last + 1, seq - 1)
        self._last[received.table] = seq
        yield received
