"""Planted faults: each makes the program do one step of the delivery wrongly, as a mistake in it could."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from unittest.mock import patch

from controller.journal import Journal
from controller.journal.writer import Append, Writer
from controller.mqtt.flight import Flight
from controller.mqtt.publisher import Publisher
from controller.recorder.recorder import Outcome, Recorder
from devices.link.connection import LinkConnection

Fault = Callable[[], contextlib.AbstractContextManager[Any]]


def _instead(place: type, name: str, make: Callable[[Any], Any]) -> contextlib.AbstractContextManager[Any]:
    return patch.object(place, name, make(getattr(place, name)))


def acknowledges_before_it_is_durable() -> contextlib.AbstractContextManager[Any]:
    taken = LinkConnection.taken

    def early(original: Any) -> Any:
        async def receive(self: LinkConnection) -> bytes:
            data: bytes = await original(self)
            taken(self)
            return data

        return receive

    stack = contextlib.ExitStack()
    stack.enter_context(_instead(LinkConnection, "receive", early))
    stack.enter_context(patch.object(LinkConnection, "taken", lambda self: None))
    return stack


def takes_a_report_for_a_repeat() -> contextlib.AbstractContextManager[Any]:
    def forgetful(original: Any) -> Any:
        async def submit(self: Recorder, body: Any, by: Any, ref: str | None = None, **more: Any) -> Outcome:
            if ref is not None and ref.endswith("2"):
                return Outcome((), repeat=True)
            outcome: Outcome = await original(self, body, by, ref, **more)
            return outcome

        return submit

    return _instead(Recorder, "submit", forgetful)


def enters_a_report_twice() -> contextlib.AbstractContextManager[Any]:
    def twice(original: Any) -> Any:
        async def submit(self: Recorder, body: Any, by: Any, ref: str | None = None, **more: Any) -> Outcome:
            outcome: Outcome = await original(self, body, by, ref, **more)
            if ref is not None and ref.endswith("3") and not outcome.repeat:
                entry = self.journal.writer.latest[-1]
                await self.journal.writer.commit(Append(entry.round, entry.input, b"[]", 0, None))
            return outcome

        return submit

    return _instead(Recorder, "submit", twice)


def writes_the_cursor_ahead() -> contextlib.AbstractContextManager[Any]:
    def ahead(original: Any) -> Any:
        def write_cursors(self: Writer, cursors: dict[str, int]) -> Any:
            return original(self, {broker: seq + 1 for broker, seq in cursors.items()})

        return write_cursors

    return _instead(Writer, "_write_cursors", ahead)


def writes_the_cursor_back() -> contextlib.AbstractContextManager[Any]:
    def back(original: Any) -> Any:
        def write_cursors(self: Writer, cursors: dict[str, int]) -> Any:
            before = self.written_cursors
            return original(
                self, {broker: before[broker] - 1 if before.get(broker) else cursors[broker] for broker in cursors}
            )

        return write_cursors

    return _instead(Writer, "_write_cursors", back)


def counts_a_late_acknowledgement_for_all_before_it() -> contextlib.AbstractContextManager[Any]:
    def hasty(original: Any) -> Any:
        def on_ack(self: Flight, packet: int, reason: Any) -> None:
            original(self, packet, reason)
            self.acknowledged_seq = self.sent_seq + 1

        return on_ack

    return _instead(Flight, "on_ack", hasty)


def forgets_the_cursor_in_a_crash() -> contextlib.AbstractContextManager[Any]:
    def forgetful(original: Any) -> Any:
        def init(self: Publisher, journal: Journal, *arguments: Any, **more: Any) -> None:
            original(self, journal, *arguments, **more)
            self.acknowledged_seq = 0

        return init

    return _instead(Publisher, "__init__", forgetful)


def begins_a_connection_behind_what_was_only_sent() -> contextlib.AbstractContextManager[Any]:
    def behind(original: Any) -> Any:
        async def use(self: Publisher) -> None:
            if self.acknowledged_seq:
                self.acknowledged_seq += 1
            await original(self)

        return use

    return _instead(Publisher, "_use_one_connection", behind)


def sends_an_event_twice() -> contextlib.AbstractContextManager[Any]:
    done: set[int] = set()

    def again(original: Any) -> Any:
        def add(self: Flight, packet: int, topic: str, seq: int | None = None, *, is_answer: bool = False) -> None:
            original(self, packet, topic, seq, is_answer=is_answer)
            if seq is not None and seq % 7 == 0 and seq not in done:
                done.add(seq)
                self.sent_seq = seq - 1

        return add

    return _instead(Flight, "add", again)


def leaves_an_event_out() -> contextlib.AbstractContextManager[Any]:
    def skipping(original: Any) -> Any:
        def events_from(self: Journal, seq: int, most: int) -> Iterator[Any]:
            events: Iterator[Any] = original(self, seq + 1 if seq % 5 == 0 else seq, most)
            return events

        return events_from

    def unaware(original: Any) -> Any:
        def send_news(self: Publisher, link: Any, flight: Flight, ahead: Any) -> bool:
            if ahead and ahead[0].seq != flight.sent_seq + 1:
                flight.sent_seq = ahead[0].seq - 1
            return bool(original(self, link, flight, ahead))

        return send_news

    stack = contextlib.ExitStack()
    stack.enter_context(_instead(Journal, "events_from", skipping))
    stack.enter_context(_instead(Publisher, "_send_news", unaware))
    return stack


def loses_the_last_entries_in_a_crash() -> contextlib.AbstractContextManager[Any]:
    """As a disk does that says "written" before it is. Without the cursor: by that the journal would notice it."""

    def careless(original: Any) -> Any:
        def opened(cls: Any, /, path: Path, **how: Any) -> Journal:
            if Path(path).exists():
                with contextlib.closing(sqlite3.connect(path)) as db, db:
                    db.execute("DELETE FROM entry WHERE n > (SELECT max(n) FROM entry) - 5")
                    db.execute("DELETE FROM cursor")
            journal: Journal = original.__func__(cls, path, **how)
            return journal

        return classmethod(opened)

    return _instead(Journal, "open", careless)


def answers_before_the_disk_has_it() -> contextlib.AbstractContextManager[Any]:
    """The commit is answered, and nothing was written."""

    def hollow(original: Any) -> Any:
        def commit(self: Writer, batch: Any) -> Any:
            alone = batch[0].work
            if (
                len(batch) == 1
                and isinstance(alone, Append)
                and b'"device:' in alone.input
                and self.tip.head.n % 9 == 0
            ):
                return [self._seal(self.tip, alone)]
            return original(self, batch)

        return commit

    return _instead(Writer, "_commit", hollow)


FAULTS: dict[str, Fault] = {
    fault.__name__: fault
    for fault in (
        acknowledges_before_it_is_durable,
        takes_a_report_for_a_repeat,
        enters_a_report_twice,
        answers_before_the_disk_has_it,
        loses_the_last_entries_in_a_crash,
        writes_the_cursor_ahead,
        writes_the_cursor_back,
        counts_a_late_acknowledgement_for_all_before_it,
        forgets_the_cursor_in_a_crash,
        begins_a_connection_behind_what_was_only_sent,
        sends_an_event_twice,
        leaves_an_event_out,
    )
}
