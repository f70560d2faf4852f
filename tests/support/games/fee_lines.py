"""The lines of the fee ledger among events."""

from __future__ import annotations

from collections.abc import Iterable

from controller.engine import events as ev


def due(events: Iterable[ev.Event]) -> list[ev.FeeChanged]:
    """Fees that fell due."""
    return [event for event in events if isinstance(event, ev.FeeChanged) and event.cause == "due"]


def less(events: Iterable[ev.Event]) -> list[ev.FeeChanged]:
    """Fees, or parts of them, that are not owed after all."""
    return [event for event in events if isinstance(event, ev.FeeChanged) and event.cents < 0]
