"""What repeats is counted, not printed again: a device that comes and goes, an alarm with it, a wrong PIN.

Only what is no part of play is grouped: a wager that is set twice is two lines. The first of each is shown at once. The
count is shown when something else happens at the table, when it reaches 10, 100 and so on, and at the end.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from controller.engine import events as ev
from controller.evidence.words import EventOrUnknown

_GROUPED = (
    ev.AlarmChanged,
    ev.AlarmCleared,
    ev.AlarmRaised,
    ev.ClockChanged,
    ev.Commanded,
    ev.DeviceChanged,
    ev.Refused,
    ev.SignInFailed,
    ev.SignedIn,
    ev.SignedOut,
    ev.TableConfigured,
)
_MOST = 6
"""Different lines that may alternate."""


class Repeated(Struct):
    """A line, and how often it came."""

    head: str
    """Of the last time."""
    line: str
    count: int = 1
    shown: int = 1


class Repeats:
    """The lines of one table that may come again."""

    def __init__(self) -> None:
        self._lines: dict[str, Repeated] = {}

    def take(self, event: EventOrUnknown, head: str, line: str) -> Iterator[Repeated]:
        """What is to be shown before this line; the line itself where its count is 1, and nothing of it otherwise."""
        if not isinstance(event, _GROUPED):
            yield from self.rest()
            yield Repeated(head, line)
            return
        known = self._lines.get(line)
        if known is None:
            if len(self._lines) == _MOST:
                yield from self.rest()
            self._lines[line] = Repeated(head, line)
            yield Repeated(head, line)
            return
        known.head, known.count = head, known.count + 1
        if str(known.count).strip("0") == "1":
            known.shown = known.count
            yield known

    def rest(self) -> Iterator[Repeated]:
        """What has come again since it was shown; then everything is new."""
        for one in self._lines.values():
            if one.count > one.shown:
                yield one
        self._lines.clear()
