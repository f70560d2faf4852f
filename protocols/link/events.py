"""What every event of a device on the link begins with.

A device numbers what happens, keeps it until the controller has taken it, and sends it again in the next session with
the same boot and number: the pair names the event for ever.
"""

from __future__ import annotations

from construct import Check, Int32ub, Int64ub

from protocols.values import Value


class NumberedEvent(Value, kw_only=True):
    """Something a device did."""

    boot: int
    """Random per power-up."""
    event_no: int
    """From 1 per boot, without a gap."""
    uptime_ms: int


EVENT_LAYOUT: list[object] = [
    "boot" / Int32ub,
    "event_no" / Int32ub,
    "uptime_ms" / Int64ub,
    "events count from 1" / Check(lambda this: this.event_no >= 1),
]
