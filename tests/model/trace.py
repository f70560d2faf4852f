"""A running table held against the model, step by step.

    with watched() as trace:
        soak(plan, folder)
    assert trace.problems == []

`watched` listens at the places where the steps of `delivery.tla` happen: the commit of the journal, the acknowledgement
to a device, the connection to a broker, each event sent and acknowledged, the cursor, the start after a crash. A step
that the model does not allow in that state is a problem; so is an event at the subscriber that the journal has not.
What a broker receives is not seen: it is taken for received when the broker acknowledges it.

An entry of the journal with several events is as many commits of the model.
"""

from __future__ import annotations

import asyncio
import contextlib
import contextvars
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any
from unittest.mock import patch

from controller.journal import Journal
from controller.journal.writer import Request, Writer
from controller.mqtt import publisher
from controller.mqtt.flight import Flight
from controller.mqtt.publisher import Publisher
from controller.soak.broker import Subscriber
from devices.link.connection import LinkConnection
from devices.link.quarantine import EVENTS
from tests.model.delivery import Counts, counted

MOST = 20
"""Problems that are kept; after the first one the rest seldom say more."""
_broker: contextvars.ContextVar[str] = contextvars.ContextVar("broker")


class Trace:
    """What has happened, in the model's words."""

    def __init__(self, window: int = 64, *, stops: bool = False) -> None:
        """`stops`: the loop is stopped at the first problem."""
        self.window, self.stops = window, stops
        self.journal = 0
        """Events that are durable."""
        self.brokers: dict[str, Counts] = {}
        self.entered: dict[str, int] = {}
        """The reports of devices that are durable, by their number, with their entry."""
        self.steps: Counter[str] = Counter()
        self.problems: list[str] = []

    def _problem(self, text: str) -> None:
        if len(self.problems) < MOST:
            self.problems.append(text)
        if self.stops:
            with contextlib.suppress(RuntimeError):
                asyncio.get_running_loop().stop()

    def commit(self, by: str, ref: str | None, n: int, seq: int) -> None:
        """An entry is durable; `seq` is that of its last event."""
        self.steps["Commit"] += 1
        if seq < self.journal:
            self._problem(f"entry {n} ends with event {seq}, and the journal had {self.journal}")
        self.journal = seq
        if ref is not None and by.startswith("device:"):
            if ref in self.entered:
                self._problem(f"report {ref} of {by} was entered twice, in {self.entered[ref]} and {n}")
            self.entered[ref] = n

    def acknowledge(self, ref: str) -> None:
        """A device need not send this report again."""
        self.steps["Acknowledge"] += 1
        if ref not in self.entered:
            self._problem(f"report {ref} was acknowledged and is not in the journal")

    def start(self, journal: str, seq: int) -> None:
        """A daemon has opened the journal: what it had in memory before is gone."""
        self.steps["Crash"] += 1
        if seq != self.journal:
            self._problem(f"{journal} ended with event {self.journal}, and begins again with {seq}")
        self.journal = seq
        for name, broker in self.brokers.items():
            self.brokers[name] = counted("Crash", broker, self.journal, self.window) or broker

    def connect(self, broker: str, acked: int) -> None:
        """A connection that begins after event `acked`."""
        before = self.brokers.setdefault(broker, Counts())
        if before.up:
            self.step("Lose", broker)
        if acked != self.brokers[broker].acked:
            self._problem(f"{broker}: a connection begins after {acked}, acknowledged is {self.brokers[broker].acked}")
        self.step("Connect", broker)

    def acknowledged(self, broker: str, seq: int) -> None:
        """The broker has acknowledged every event up to this one, so it has received them."""
        for each in range(self.brokers[broker].acked + 1, seq + 1):
            self.step("Receive", broker, each)
            self.step("PubAck", broker, each)

    def step(self, name: str, broker: str, seq: int = 0) -> None:
        before = self.brokers[broker]
        after = counted(name, before, self.journal, self.window, seq)
        self.steps[name] += 1
        if after is None:
            self._problem(f"{broker}: {name} {seq or ''} may not happen while {before}, journal {self.journal}")
        else:
            self.brokers[broker] = after

    def outside(self, seq: int) -> None:
        """A subscriber has this event."""
        self.steps["Subscriber"] += 1
        if seq > self.journal:
            self._problem(f"a subscriber has event {seq}, and the journal has {self.journal}")

    def end(self, subscriber: Subscriber) -> None:
        """Nothing is under way any more: the subscriber has what the journal has."""
        if subscriber.last != self.journal:
            self._problem(f"in the end the subscriber has {subscriber.last} events, the journal {self.journal}")


@contextlib.contextmanager
def watched(*, stops: bool = False) -> Iterator[Trace]:
    """Every table that runs in this process meanwhile is watched; there must be one at a time."""
    trace = Trace(stops=stops)
    with contextlib.ExitStack() as stack:
        for place, name, wrapped in _places(trace):
            stack.enter_context(patch.object(place, name, wrapped(getattr(place, name))))
        yield trace


def _places(trace: Trace) -> Iterator[tuple[Any, str, Any]]:
    """Where steps of the model happen, and what is put around the program's own."""

    def commit(original: Any) -> Any:
        def committed(self: Writer, batch: Sequence[Request]) -> Any:
            cursors, before = self.written_cursors, self.tip.head.n
            results = original(self, batch)
            for entry in self.latest if self.tip.head.n > before else ():
                value = json.loads(entry.input)
                trace.commit(value["by"], value.get("ref"), entry.n, entry.head.seq)
            for broker, seq in self.written_cursors.items():
                if cursors.get(broker, 0) != seq:
                    trace.step("WriteCursor", broker, seq)
            return results

        return committed

    def opened(original: Any) -> Any:
        def journal_opened(cls: Any, /, path: Path, **how: Any) -> Any:
            journal = original.__func__(cls, path, **how)
            trace.start(journal.path.name, journal.head.seq)
            return journal

        return classmethod(journal_opened)

    def received(original: Any) -> Any:
        async def message(self: LinkConnection) -> bytes:
            self.__dict__["traced"] = data = await original(self)
            return bytes(data)

        return message

    def taken(original: Any) -> Any:
        def acknowledged(self: LinkConnection) -> None:
            data = self.__dict__.get("traced", b"")
            if data and data[0] in EVENTS:
                boot, number = int.from_bytes(data[1:5], "big"), int.from_bytes(data[5:9], "big")
                trace.acknowledge(f"{boot:08x}:{number}")
            original(self)

        return acknowledged

    def connection(original: Any) -> Any:
        async def used(self: Publisher) -> None:
            _broker.set(self.broker)
            await original(self)

        return used

    class TracedFlight(Flight):
        def __init__(self, cursor: int, widest: int, now: Any) -> None:
            self.broker = _broker.get()
            super().__init__(cursor, widest, now)
            trace.connect(self.broker, cursor)

        def add(self, packet: int, topic: str, seq: int | None = None, *, is_answer: bool = False) -> None:
            if seq is not None:
                trace.step("Send", self.broker, seq)
            super().add(packet, topic, seq, is_answer=is_answer)

        def on_ack(self, packet: int, reason: Any) -> None:
            super().on_ack(packet, reason)
            trace.acknowledged(self.broker, self.acknowledged_seq)

    def outside(original: Any) -> Any:
        def came(self: Subscriber, client: Any, userdata: Any, message: Any) -> None:
            trace.outside(json.loads(message.payload)["seq"])
            original(self, client, userdata, message)

        return came

    def ended(original: Any) -> Any:
        def stopped(self: Subscriber) -> None:
            trace.end(self)
            original(self)

        return stopped

    yield Writer, "_commit", commit
    yield Journal, "open", opened
    yield LinkConnection, "receive", received
    yield LinkConnection, "taken", taken
    yield Publisher, "_use_one_connection", connection
    yield publisher, "Flight", lambda original: TracedFlight
    yield Subscriber, "_received", outside
    yield Subscriber, "stop", ended
