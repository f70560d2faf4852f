"""Simulated time.

Time moves only while somebody sleeps, never while the table waits for the controller: a seeded run therefore shows the
same times at every speed and on every machine. At a finite speed a sleep takes its share of real time; at `MAX_SPEED`
it takes none. Sleepers run side by side at a finite speed and one after the other at the highest, so a script whose
times should be the same at both sleeps in one task.
"""

from __future__ import annotations

import asyncio
import math

MAX_SPEED = math.inf


class SimClock:
    """A clock that starts at zero."""

    def __init__(self, speed: float = 1.0) -> None:
        """`speed`: simulated seconds per real second."""
        if not speed > 0:
            raise ValueError(f"a clock runs forward; its speed cannot be {speed}")
        self._speed = speed
        self._now_ms = 0

    @classmethod
    def at(cls, speed: str) -> SimClock:
        """From "real", "max" or a factor such as "x20"."""
        match speed:
            case "real":
                return cls(1.0)
            case "max":
                return cls(MAX_SPEED)
        try:
            return cls(float(speed.removeprefix("x")))
        except ValueError:
            raise ValueError(f"{speed!r} is no speed; write real, max or a factor such as x20") from None

    def takes(self, seconds: float) -> float:
        """The real seconds that these simulated ones take."""
        return seconds / self._speed

    def now_ms(self) -> int:
        return self._now_ms

    def jump(self, seconds: float) -> None:
        """It is suddenly later: a clock was set, or nobody looked for a while. A clock never goes back."""
        if seconds < 0:
            raise ValueError(f"a clock runs forward; it cannot jump by {seconds} s")
        self._now_ms += round(seconds * 1000)

    async def sleep(self, seconds: float) -> None:
        wake_at = self._now_ms + round(seconds * 1000)
        await asyncio.sleep(0 if self._speed == MAX_SPEED else seconds / self._speed)
        self._now_ms = max(self._now_ms, wake_at)
