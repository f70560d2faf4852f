"""Where an input's time comes from.

The engine has no clock: time arrives inside inputs, and the daemon puts it there. On a real table that is the system's
clock. Against a simulated table it is the uptime in the devices' reports (`uptime_ms`), so that the same seed makes
the same journal on every machine, at every speed.
"""

from __future__ import annotations

import time
from typing import Protocol

SIMULATED_EPOCH_MS = 1_750_000_000_000
"""A fixed day in June 2025: the morning of every simulated table."""


class Clock(Protocol):
    def now_ms(self) -> int:
        """Milliseconds since the epoch."""

    def observe(self, uptime_ms: int) -> None:
        """A device reported how long it has been running."""


class SystemClock:
    def now_ms(self) -> int:
        return time.time_ns() // 1_000_000

    def observe(self, uptime_ms: int) -> None:
        """The system's clock does not need it."""


class DeviceClock:
    """The latest time that any device has reported; it never goes back."""

    def __init__(self, start_ms: int = SIMULATED_EPOCH_MS) -> None:
        self._now = start_ms

    def now_ms(self) -> int:
        return self._now

    def observe(self, uptime_ms: int) -> None:
        self._now = max(self._now, SIMULATED_EPOCH_MS + uptime_ms)
