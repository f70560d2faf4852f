"""The board's clock at a table: it was set, or a time server keeps it or no longer does.

An input's time is what the clock said then, also where that is less than before; the order of inputs is their number.
What waits for time to pass (a grace, the next fee by the clock, an answer that is kept) has its end as a time of that
clock. When the clock is set, `ClockSeen` has what it would have said, and every such end is moved by the difference:
what is left to wait is what was left before.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from controller.engine import alarms
from controller.engine import events as ev
from controller.engine.drop.books import Book, Reckoning
from controller.engine.fees import clock as fee_clock
from controller.engine.inputs import ClockSeen, Input
from controller.engine.procedures import conduct
from controller.engine.table.current_round import Shared

_UNITS = ((365 * 86_400, "year"), (86_400, "day"), (3600, "hour"), (60, "minute"), (1, "second"))


class TableClock:
    """What becomes of a table's times."""

    def __init__(self, shared: Shared) -> None:
        self._rules, self._lasting = shared.rules, shared.lasting

    def seen(self, value: Input) -> list[ev.Event]:
        body, lasting = value.body, self._lasting
        assert type(body) is ClockSeen
        if body.state == "stepped":
            return self._stepped(body.before, value.at)
        was = lasting.state.clock
        lasting.change(clock=body.state)
        is_hidden = alarms.CLOCK.of() in lasting.state.alarms
        return [] if is_hidden or was == body.state else [ev.ClockChanged(body.state)]

    def _stepped(self, before: int, after: int) -> list[ev.Event]:
        lasting, moved = self._lasting, after - before
        state = lasting.state
        lasting.change(
            drop=_moved(state.drop, moved),
            fee_clock=state.fee_clock and fee_clock.moved(state.fee_clock, self._rules.schedule, moved),
            conduct=conduct.moved(state.conduct, moved),
            answers={key: replace(answer, expires=answer.expires + moved) for key, answer in state.answers.items()},
        )
        text = f"the board's clock was set {'ahead' if moved > 0 else 'back'} by {span(moved)}"
        return [ev.ClockChanged("stepped", before, after), *lasting.alarm(alarms.CLOCK.of(), text)]


def began_at(inputs: Sequence[Input]) -> int:
    """When a round with these inputs began, by the clock as it is set now."""
    began = inputs[0].at
    for value in inputs[1:]:
        body = value.body
        if type(body) is ClockSeen and body.state == "stepped":
            began += value.at - body.before
    return began


def is_step(value: Input) -> bool:
    """Whether this input records that the clock was set."""
    body = value.body
    return type(body) is ClockSeen and body.state == "stepped"


def span(ms: int) -> str:
    """How long that is, in its largest unit.

    >>> span(-300), span(90_000), span(20 * 365 * 86_400_000)
    ('less than a second', '1 minute', '20 years')
    """
    seconds = abs(ms) // 1000
    for size, name in _UNITS:
        if seconds >= size:
            count = seconds // size
            return f"{count} {name}" if count == 1 else f"{count} {name}s"
    return "less than a second"


def _moved(drop: Reckoning, by: int) -> Reckoning:
    """The books, with every time that something is compared with in the clock's new terms."""
    return replace(drop, books={box: _moved_book(book, by) for box, book in drop.books.items()})


def _moved_book(book: Book, by: int) -> Book:
    return replace(
        book,
        doubted_at=book.doubted_at + by if book.doubted_at else 0,
        claims=tuple(replace(claim, since=claim.since + by, until=claim.until + by) for claim in book.claims),
        judged=tuple(replace(claim, since=claim.since + by, until=claim.until + by) for claim in book.judged),
        loose=tuple(replace(item, at=item.at + by, until=item.until + by) for item in book.loose),
    )
