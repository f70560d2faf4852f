"""Which alerts there are now, as Alertmanager's labels and annotations. It follows from what the page shows.

An alert is one thing that is wrong, from its begin to its end. Whether somebody has acknowledged it is a label, so that
Alertmanager's own routes can escalate what nobody has seen: with the acknowledgement one alert ends and another begins.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from floor.live.live_tables import LiveTable
from floor.queries.overview import Kept
from floor.queries.pace import Pace
from floor.room.alarms import RoomAlarm

Severity = Literal["stop", "urgent", "warning", "none"]
WATCHDOG = "floor"
"""The alert that is always there: where it ends, nobody watches the tables."""


class Alert(Struct, frozen=True):
    """One thing that is wrong."""

    name: str
    severity: Severity
    text: str
    since: int
    site: str
    table: str = ""
    section: str = ""
    alarm: str = ""
    """The whole name of the alarm, such as `short:collection`."""
    game: str = ""
    acknowledged_by: str = ""

    @property
    def labels(self) -> dict[str, str]:
        """What makes it this alert; Alertmanager's routes match them."""
        found = {
            "alertname": self.name,
            "severity": self.severity,
            "site": self.site,
            "table": self.table,
            "section": self.section,
            "alarm": self.alarm,
            "acknowledged": "yes" if self.acknowledged_by else "no",
        }
        return {name: value for name, value in found.items() if value}

    @property
    def annotations(self) -> dict[str, str]:
        found = {"summary": self.text, "game": self.game, "acknowledged_by": self.acknowledged_by}
        return {name: value for name, value in found.items() if value}


class Around(Struct, frozen=True):
    """What is beside the tables."""

    site: str
    started_at: int
    brokers: Mapping[str, bool]
    broker_since: int
    """Since when a broker has been away, or came back."""
    store_since: int | None
    """Since when the store is away."""
    apart: Sequence[Kept]
    """What was kept apart lately."""
    certificates: Sequence[tuple[int, str]] = ()
    """Of the floor, that expire soon: since when that is so, and a sentence."""


def firing(
    tables: Sequence[LiveTable],
    paces: Mapping[str, Pace] | None,
    room: Sequence[RoomAlarm],
    around: Around,
    section_of: Callable[[str], str],
) -> list[Alert]:
    """All of them."""
    found = [Alert(WATCHDOG, "none", "the floor is watched", around.started_at, around.site)]
    for table in tables:
        pace = None if paces is None else paces.get(table.name)
        found.extend(_of_table(table, pace, around.site, section_of(table.name)))
    found.extend(_of_room(room, around.site))
    found.extend(_around(around))
    return found


def _of_table(table: LiveTable, pace: Pace | None, site: str, section: str) -> Iterator[Alert]:
    state = table.state
    if state is None:
        return

    def alert(name: str, severity: Severity, text: str, since: int) -> Alert:
        return Alert(name, severity, text, since, site, table.name, section, game=state.title)

    for name, alarm in sorted(state.alarms.items()):
        raised = alert(name.partition(":")[0], _severity(alarm.severity), alarm.text, alarm.since)
        yield replace(raised, alarm=name, acknowledged_by=alarm.acknowledged_by or "")
    if state.held is not None:
        yield alert("held", "stop", f"Held: {state.held.text}", state.phase_since or table.last_at)
    if state.open and not table.is_online:
        yield alert("not_connected", "stop", "It is open, and not connected", table.last_at)
    if pace is None:
        return
    if pace.journal in ("rolled_back", "disputed"):
        text = "its journal was rolled back" if pace.journal == "rolled_back" else "two events have the same number"
        yield alert("journal_not_whole", "stop", f"Call the compliance officer: {text}", table.last_at)
    if state.open and table.is_online and pace.silent_since is not None:
        yield alert("silent", "stop", "It is connected, and does not answer", pace.silent_since)


def _severity(name: str) -> Severity:
    """A severity that this version does not know is shown as the lowest."""
    return "stop" if name == "stop" else "urgent" if name == "urgent" else "warning"


def _of_room(room: Sequence[RoomAlarm], site: str) -> Iterator[Alert]:
    for each in room:
        by = each.acknowledged_by
        yield Alert(each.alarm, "urgent", each.text, each.raised_at, site, each.table, "", each.id[:12], "", by)


def _around(around: Around) -> Iterator[Alert]:
    for broker, is_there in sorted(around.brokers.items()):
        if not is_there:
            text = f"The floor is not connected to the broker {broker}"
            severity: Severity = "warning" if any(around.brokers.values()) else "stop"
            yield Alert("broker_away", severity, text, around.broker_since, around.site, alarm=broker)
    if around.store_since is not None:
        yield Alert("store_away", "urgent", "The floor's store is away", around.store_since, around.site)
    for since, text in around.certificates:
        yield Alert("certificate", "warning", f"{text}; renew it", since, around.site)
    for each in around.apart:
        text = f"{each.times} messages were kept apart: {each.text}"
        yield Alert("kept_apart", "urgent", text, each.last_at, around.site, each.table, alarm=each.reason)
