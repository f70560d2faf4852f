"""What must be remembered from one event of a journal to the next; kept as JSON beside the journal's last event."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import Struct, field


class CurrentRound(Struct):
    """The running round, or the last one."""

    number: int
    started_at: int
    ruleset: str
    digest: str
    dealer: str
    player_dealer: str | None
    banker: str
    firm: str
    test: bool
    closed_at: int | None = None
    wagers: dict[str, dict[str, int]] = field(default_factory=dict)
    """Cents, by wager, by place."""
    seq: int | None = None
    """The event that ended it; null while it runs."""
    at: int = 0
    day: str = ""
    void: bool = False
    void_reason: str = ""
    result: dict[str, Any] = field(default_factory=dict)
    bank_hand: int = 0
    cards: int = 0
    ended_before: int | None = None
    """When the round before it ended."""
    corrections: int = 0
    corrected_by: str = ""
    corrected_reason: str = ""


class KnownAlarm(Struct):
    """An alarm that was raised, until it is cleared and long after."""

    seq: int
    at: int
    day: str
    test: bool
    text: str
    acknowledged_by: str = ""
    acknowledged_at: int | None = None
    cleared_at: int | None = None
    settled_by: str = ""
    reason: str = ""


class Context(Struct):
    """Of one journal, after some event."""

    dealer: str = ""
    ruleset: str = ""
    """Of the last round that began."""
    round: CurrentRound | None = None
    alarms: dict[str, KnownAlarm] = field(default_factory=dict)
    boxes: dict[str, int] = field(default_factory=dict)
    """The boxes that were taken out last: id, and the event."""
    serials: dict[str, str] = field(default_factory=dict)
    """The serial number of each device."""


MOST_ALARMS = 128
MOST_BOXES = 64
MOST_DEVICES = 64

encode = msgspec.json.Encoder().encode
decode = msgspec.json.Decoder(Context).decode
