"""The gaming day of a moment: it begins at an hour that the room chooses, in its time zone."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo

from msgspec import Struct

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_QUARTER_MS = 900_000
"""Gaming days begin at a quarter of an hour; every time zone is whole quarters from UTC."""


class Calendar(Struct, frozen=True):
    """When the gaming days of a site begin."""

    timezone: str = "America/Los_Angeles"
    begins: str = "06:00"
    """Local time, at a quarter of an hour."""

    def day(self, ms: int) -> str:
        """
        >>> Calendar("America/Los_Angeles", "06:00").day(1763301599999)  # 5:59 in the morning of the 16th
        '2025-11-15'
        >>> Calendar("America/Los_Angeles", "06:00").day(1763301600000)
        '2025-11-16'
        """
        return _day(self.timezone, self.begins, ms // _QUARTER_MS)


@lru_cache(maxsize=4096)
def _day(timezone: str, begins: str, quarter: int) -> str:
    hours, minutes = begins.split(":")
    local = (_EPOCH + timedelta(milliseconds=quarter * _QUARTER_MS)).astimezone(ZoneInfo(timezone))
    return (local.replace(tzinfo=None) - timedelta(hours=int(hours), minutes=int(minutes))).strftime("%Y-%m-%d")
