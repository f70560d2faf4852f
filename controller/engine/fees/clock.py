"""Time fees: so much from each player for every interval.

Two readings: every n minutes of play (`game_start`), or at the clock's own marks, on the hour and the half hour,
where a game that starts between two marks plays free up to the first (`marks`; village, F11). Times are milliseconds
since the epoch; the offset of every zone the schedules are from is whole hours, so the marks are those of the wall.

    >>> minute = 60_000
    >>> first_due(70 * minute, 30, "game_start") // minute, first_due(70 * minute, 30, "marks") // minute
    (100, 120)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from controller.engine.fees.banked import Charge
from controller.engine.fees.schedule import FeeRow, Schedule, TimeFrom
from controller.engine.inputs import Place

MINUTE = 60_000


class FeeClock(Struct, frozen=True):
    """A game that pays by time: when the next fee falls due, and whether a hand was begun since the last."""

    next: int
    played: bool = True


def time_row(schedule: Schedule) -> tuple[int, FeeRow, int] | None:
    """The row of the posted interval with its number and minutes; None where the schedule has no time fee."""
    for number, row in schedule.in_force():
        if row.basis == "per_time" and row.minutes is not None:
            return number, row, row.minutes
        if row.basis == "unspecified" and schedule.house.minutes is not None:
            return number, row, schedule.house.minutes
    return None


def first_due(start: int, minutes: int, time_from: TimeFrom) -> int:
    """When the first fee of a game that starts now is taken."""
    period = minutes * MINUTE
    if time_from == "game_start" or start % period == 0:
        return start + period
    return start - start % period + 2 * period


def moved(clock: FeeClock, schedule: Schedule | None, by: int) -> FeeClock:
    """The clock of a game when the board's own was set: the same time is left; where marks count, up to the next."""
    found = None if schedule is None else time_row(schedule)
    due = clock.next + by
    if found is not None and schedule is not None and schedule.time_from != "game_start":
        period = found[2] * MINUTE
        due = -(-due // period) * period
    return FeeClock(due, clock.played)


def time_charges(schedule: Schedule, seated: Sequence[Place]) -> list[Charge]:
    """One interval: every player who is seated when it falls due pays in full (collections, R16; village, F12)."""
    found = time_row(schedule)
    if found is None:
        return []
    number, row, minutes = found
    if row.players_from is not None and len(seated) < row.players_from:
        return []
    moment = row.when or f"per_{minutes}_minutes"
    cents, kind = schedule.cents(row), schedule.kind_of(row)
    return [Charge("player", place, number, cents, row.box, kind, moment) for place in seated]


def start(schedule: Schedule, at: int) -> FeeClock | None:
    """The clock of a game that begins now, where it pays by time."""
    found = time_row(schedule)
    return None if found is None else FeeClock(first_due(at, found[2], schedule.time_from))


def marks(schedule: Schedule, clock: FeeClock, at: int, seats: Iterable[int]) -> tuple[FeeClock, list[list[Charge]]]:
    """The clock now, and the charges of each interval that fell due since; none for one without a hand."""
    found = time_row(schedule)
    assert found is not None
    period, seated = found[2] * MINUTE, list(seats)
    fallen = list(_passed(clock.next, at, period))
    if not fallen:
        return clock, []
    due = [time_charges(schedule, seated)] if clock.played else []
    return FeeClock(fallen[-1] + period, played=False), due


def _passed(first: int, at: int, period: int) -> Iterator[int]:
    while first <= at:
        yield first
        first += period
