"""From when to when a report goes: a shift of the house's day, or two moments.

Times are the house's own, with their daylight saving: a shift begins by the clock on the wall, and lasts
until the next one begins.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from msgspec import Struct

from controller.errors import UserError


class BadPeriod(UserError):
    """What is wrong with the time that was asked for, in one paragraph."""


class Period(Struct, frozen=True):
    """A stretch of time, its end not included; milliseconds since the epoch."""

    start: int
    end: int
    zone: str
    shift: str = ""
    """Its name; empty where it is no shift."""

    def local(self, at: int) -> datetime:
        return datetime.fromtimestamp(at / 1000, ZoneInfo(self.zone))

    def clock(self, at: int, *, seconds: bool = True) -> str:
        """A moment as the report prints it."""
        return f"{self.local(at):%Y-%m-%d %H:%M{':%S' if seconds else ''}}"

    @property
    def name(self) -> str:
        return f"{self.shift} shift" if self.shift else "all shifts"

    @property
    def is_long(self) -> bool:
        """More than a day and a half: a trend goes by the day then."""
        return self.end - self.start > 36 * 3_600_000


def zone_of(name: str) -> ZoneInfo:
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise BadPeriod(f"There is no time zone {name!r}; name one as America/Los_Angeles or UTC.") from None


def between(start: str, end: str, zone: str) -> Period:
    """
    >>> shift = between("2026-11-15T06:00", "2026-11-15T14:00", "UTC")
    >>> (shift.end - shift.start) // 3_600_000
    8
    """
    first, last = _moment(start, zone), _moment(end, zone)
    if last <= first:
        raise BadPeriod(f"{end} does not come after {start}.")
    return Period(first, last, zone)


def shift_on(day: date, shift: str, shifts: Mapping[str, str], zone: str) -> Period:
    """The shift of this name that begins on that day."""
    if shift not in shifts:
        raise BadPeriod(f"There is no shift {shift!r}; there is {', '.join(shifts)}.")
    begins = sorted((time.fromisoformat(clock), name) for name, clock in shifts.items())
    place = next(index for index, (_, name) in enumerate(begins) if name == shift)
    after = begins[(place + 1) % len(begins)][0]
    next_day = day + timedelta(days=1) if place + 1 == len(begins) else day
    return Period(_at(day, begins[place][0], zone), _at(next_day, after, zone), zone, shift)


def shift_at(at: int, shifts: Mapping[str, str], zone: str) -> Period:
    """The shift of a moment.

    >>> night = shift_at(1_750_042_800_000, {"day": "06:00", "night": "18:00"}, "UTC")
    >>> night.shift, night.clock(night.start, seconds=False), night.clock(night.end, seconds=False)
    ('night', '2025-06-15 18:00', '2025-06-16 06:00')
    """
    day = datetime.fromtimestamp(at / 1000, zone_of(zone)).date()
    for back in (0, 1):
        for name in shifts:
            found = shift_on(day - timedelta(days=back), name, shifts, zone)
            if found.start <= at < found.end:
                return found
    raise BadPeriod("No shift is configured; name some under [report] in the config, or give --from and --to.")


class PeriodRequest(Struct, frozen=True):
    """What somebody asked for: a shift, a day, both, two moments, or nothing, which is the last shift."""

    shift: str | None = None
    date: str | None = None
    start: str | None = None
    end: str | None = None


def requested_period(request: PeriodRequest, last: int | None, shifts: Mapping[str, str], zone: str) -> Period:
    """The period of a request; `last` is the journal's last moment."""
    zone_of(zone)
    if request.start or request.end:
        if request.shift or request.date or not (request.start and request.end):
            raise BadPeriod("Give --from and --to together, or --shift and --date.")
        return between(request.start, request.end, zone)
    if last is None:
        raise BadPeriod("The journal is empty.")
    running = shift_at(last, shifts, zone)
    if request.shift is None and request.date is None:
        return running
    day = running.local(running.start).date() if request.date is None else day_of(request.date)
    if request.shift is not None:
        return shift_on(day, request.shift, shifts, zone)
    every = [shift_on(day, name, shifts, zone) for name in shifts]
    return Period(min(part.start for part in every), max(part.end for part in every), zone)


def day_of(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise BadPeriod(f"{text!r} is no day; write it as 2026-11-15.") from None


def _moment(text: str, zone: str) -> int:
    try:
        given = datetime.fromisoformat(text)
    except ValueError:
        raise BadPeriod(f"{text!r} is no time; write it as 2026-11-15T06:00, in the house's time.") from None
    return _ms(given if given.tzinfo is not None else given.replace(tzinfo=zone_of(zone)))


def _at(day: date, clock: time, zone: str) -> int:
    return _ms(datetime.combine(day, clock, zone_of(zone)))


def _ms(moment: datetime) -> int:
    return round(moment.astimezone(UTC).timestamp() * 1000)
