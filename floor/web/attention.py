"""Which table needs somebody, and how much. docs/floor/page.md has the same list for people.

Tiles are sorted by level, within a level by since when, then by name. The level follows from the tile and the time
alone, so every screen shows the same order.
"""

from __future__ import annotations

import re
from typing import Literal

from msgspec import Struct

Level = Literal["stopped", "urgent", "waiting", "notice", "playing", "closed"]
LEVELS: tuple[Level, ...] = ("stopped", "urgent", "waiting", "notice", "playing", "closed")


class Attention(Struct, frozen=True):
    """Why a table is where it is."""

    level: Level
    since: int
    """Milliseconds since 1970; the longest first."""
    why: str
    """For people; empty: nothing is the matter."""


class AlarmSeen(Struct, frozen=True):
    """An alarm that is raised."""

    name: str
    text: str
    severity: str
    since: int
    acknowledged: bool


class Facts(Struct, frozen=True, kw_only=True):
    """What the level depends on."""

    is_open: bool
    is_online: bool
    is_silent: bool
    is_in_round: bool
    phase: str
    held: str
    phase_since: int
    waits_since: int
    prompt: str
    last_at: int
    alarms: tuple[AlarmSeen, ...]
    short_cents: int
    dealer_since: int | None
    needs_dealer: bool
    devices_away: tuple[str, ...]
    journal: str
    """As the store has it: whole, unattested, disputed, rolled_back; empty: not known."""
    seen_at: int
    """Since when this state lasts, where nothing of it states a time."""


class Patience(Struct, frozen=True):
    """What is too long."""

    waits_ms: int
    dealer_ms: int


def attention(facts: Facts, patience: Patience, now: int) -> Attention:
    """The first of these that applies."""
    found = (
        _stopped(facts)
        or _alarm(facts, "urgent", ("urgent",), acknowledged=False)
        or _money(facts)
        or _waiting(facts, patience, now)
        or _notice(facts, patience, now)
    )
    if found is not None:
        return found
    if facts.is_open:
        return Attention("playing", facts.phase_since or facts.last_at, "")
    return Attention("closed", facts.phase_since or facts.last_at, "")


def _stopped(facts: Facts) -> Attention | None:
    if facts.journal in ("rolled_back", "disputed"):
        text = "its journal was rolled back" if facts.journal == "rolled_back" else "two events have the same number"
        return Attention("stopped", facts.seen_at, f"Call the compliance officer: {text}")
    if facts.held:
        return Attention("stopped", facts.phase_since, f"Held: {facts.held}")
    stop = _alarm(facts, "stopped", ("stop",), acknowledged=False)
    if stop is not None:
        return stop
    if facts.is_open and not facts.is_online:
        return Attention("stopped", facts.last_at, "Open, and not connected")
    if facts.is_open and facts.is_silent:
        return Attention("stopped", facts.last_at, "Connected, and does not answer")
    return None


def _alarm(facts: Facts, level: Level, severities: tuple[str, ...], *, acknowledged: bool) -> Attention | None:
    found = [each for each in facts.alarms if each.severity in severities and each.acknowledged == acknowledged]
    if not found:
        return None
    first = min(found, key=lambda each: (each.since, each.name))
    return Attention(level, first.since, first.text)


def _money(facts: Facts) -> Attention | None:
    if facts.short_cents <= 0:
        return None
    return Attention("urgent", facts.seen_at, f"${facts.short_cents / 100:,.2f} of fees did not fall, unexplained")


def _waiting(facts: Facts, patience: Patience, now: int) -> Attention | None:
    if facts.is_open and facts.is_in_round and facts.waits_since and now - facts.waits_since >= patience.waits_ms:
        return Attention("waiting", facts.waits_since, f"Waits: {facts.prompt}")
    return None


def _notice(facts: Facts, patience: Patience, now: int) -> Attention | None:
    raised = _alarm(facts, "notice", ("warning",), acknowledged=False) or _alarm(
        facts, "notice", ("stop", "urgent"), acknowledged=True
    )
    if raised is not None:
        return raised
    if not facts.is_open:
        return None
    if facts.devices_away:
        return Attention("notice", facts.seen_at, f"Away: {', '.join(facts.devices_away)}")
    if facts.needs_dealer:
        return Attention("notice", facts.phase_since or facts.last_at, "Open, and nobody deals")
    if facts.dealer_since is not None and now - facts.dealer_since >= patience.dealer_ms:
        return Attention("notice", facts.dealer_since, "The dealer is due for relief")
    return None


_DIGITS = re.compile(r"(\d+)")


def natural(name: str) -> tuple[tuple[int, int | str], ...]:
    """Names as people sort them.

    >>> sorted(["table-10", "table-9", "a"], key=natural)
    ['a', 'table-9', 'table-10']
    """
    return tuple((0, int(part)) if part.isdigit() else (1, part) for part in _DIGITS.split(name) if part)


def place(found: Attention, name: str) -> tuple[int, int, tuple[tuple[int, int | str], ...]]:
    """Sorts the tiles. Tables that play or are closed keep the order of their names: they do not move about."""
    is_calm = found.level in ("playing", "closed")
    return LEVELS.index(found.level), 0 if is_calm else found.since, natural(name)
