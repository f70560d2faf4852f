"""Where an input's time comes from.

The engine has no clock: time arrives inside inputs, and the daemon puts it there. On a real table that is the system's
clock. Against a simulated table it is the uptime in the devices' reports (`uptime_ms`), so that the same seed makes
the same journal on every machine, at every speed.
"""

from __future__ import annotations

import ctypes
import time
from typing import Protocol

SIMULATED_EPOCH_MS = 1_750_000_000_000
"""A fixed day in June 2025: the morning of every simulated table."""


class Clock(Protocol):
    def now_ms(self) -> int:
        """Milliseconds since the epoch, as the clock says. Somebody may set it."""

    def elapsed_ms(self) -> int:
        """Milliseconds since some moment, whatever is done to the clock."""

    def is_synced(self) -> bool:
        """Whether a time server keeps the clock."""

    def resume(self, last_ms: int) -> None:
        """The journal's last entry is of this time: a clock that begins with the daemon goes on from there."""

    def observe(self, uptime_ms: int) -> None:
        """A device reported how long it has been running."""


_TIME_ERROR = 5
"""What adjtimex(2) returns where the clock is not synchronised."""


class SystemClock:
    def __init__(self) -> None:
        self._adjtimex = getattr(ctypes.CDLL(None), "adjtimex", None)

    def now_ms(self) -> int:
        return time.time_ns() // 1_000_000

    def elapsed_ms(self) -> int:
        # Goes on while the board sleeps.
        return time.clock_gettime_ns(time.CLOCK_BOOTTIME) // 1_000_000

    def is_synced(self) -> bool:
        """As the program that keeps the clock has set it in the kernel: timesyncd, chrony, ntpd."""
        if self._adjtimex is None:
            return False
        # `struct timex` with `modes` 0 only reads; it is about 200 bytes long.
        result: int = self._adjtimex(ctypes.create_string_buffer(512))
        return 0 <= result < _TIME_ERROR

    def resume(self, last_ms: int) -> None:
        """The system's clock has its own time, and it may be another."""

    def observe(self, uptime_ms: int) -> None:
        """The system's clock does not need it."""


class DeviceClock:
    """The latest time that any device has reported; it never goes back."""

    def __init__(self, start_ms: int = SIMULATED_EPOCH_MS) -> None:
        self._now = start_ms

    def now_ms(self) -> int:
        return self._now

    def elapsed_ms(self) -> int:
        return self._now

    def is_synced(self) -> bool:
        return False

    def resume(self, last_ms: int) -> None:
        self._now = max(self._now, last_ms)

    def observe(self, uptime_ms: int) -> None:
        self._now = max(self._now, SIMULATED_EPOCH_MS + uptime_ms)
