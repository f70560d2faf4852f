"""Rate limits: for each client's requests, and for a log that a flood must not fill."""

from __future__ import annotations

import logging
from collections.abc import Callable
from time import monotonic

_LINES_A_MINUTE = 10
_CLIENTS = 256


class RateLimit:
    """`at_once` in a row and `a_second` per second in the long run, for each name.

    >>> now = [0.0]
    >>> limit = RateLimit(2, 1.0, clock=lambda: now[0])
    >>> [limit.takes("ann") for _ in range(3)], limit.takes("bob")
    ([True, True, False], True)
    >>> now[0] = 1.0
    >>> limit.takes("ann")
    True
    """

    def __init__(self, at_once: int, a_second: float, *, clock: Callable[[], float] = monotonic) -> None:
        self._at_once, self._a_second, self._clock = at_once, a_second, clock
        self._left: dict[str, tuple[float, float]] = {}
        """By name: what is left, and when that was computed."""

    def takes(self, name: str) -> bool:
        now = self._clock()
        left, since = self._left.pop(name, (float(self._at_once), now))
        left = min(float(self._at_once), left + (now - since) * self._a_second)
        granted = left >= 1
        self._left[name] = (left - granted, now)
        if len(self._left) > _CLIENTS:
            del self._left[next(iter(self._left))]
        return granted


class RateLimitedLog:
    """Writes a limited number of warnings per minute and counts the rest."""

    def __init__(self, log: logging.Logger, *, clock: Callable[[], float] = monotonic) -> None:
        self._log, self._clock = log, clock
        self._since = clock()
        self._lines = self._skipped = 0

    def warn(self, text: str) -> None:
        now = self._clock()
        if now - self._since >= 60:
            if self._skipped:
                self._log.warning("%d more requests were rejected and not logged", self._skipped)
            self._since, self._lines, self._skipped = now, 0, 0
        if self._lines < _LINES_A_MINUTE:
            self._lines += 1
            # A request can name itself as it likes: it must not write lines of its own into the log.
            self._log.warning("%s", text.encode("unicode_escape").decode("ascii")[:500])
        else:
            self._skipped += 1
