"""A link over the last ten minutes: what was fixed an hour ago is no longer a trouble, and what began now is seen."""

from __future__ import annotations

from collections import deque

from msgspec import Struct

from protocols.link.session import LinkStatistics

MINUTES = 10
MINUTE = 60.0


class LinkCounts(Struct, frozen=True, kw_only=True):
    """Counters of a link, over some time."""

    frames_received: int = 0
    frames_sent: int = 0
    crc_errors: int = 0
    overruns: int = 0
    gaps: int = 0
    rejections: int = 0
    retransmissions: int = 0

    @classmethod
    def of(cls, statistics: LinkStatistics) -> LinkCounts:
        framing = statistics.framing
        return cls(
            frames_received=framing.frames,
            frames_sent=statistics.frames_sent,
            crc_errors=framing.crc_errors,
            overruns=framing.overruns,
            gaps=statistics.gaps,
            rejections=statistics.rejections,
            retransmissions=statistics.retransmissions,
        )

    def since(self, earlier: LinkCounts) -> LinkCounts:
        return LinkCounts(
            **{name: getattr(self, name) - getattr(earlier, name) for name in self.__struct_fields__},
        )


class _Minute(Struct):
    """What was counted until a minute began, and the slowest answer in it."""

    began: float
    counts: LinkCounts
    slowest: float = 0.0


class RecentLink:
    """The last ten minutes of one link, noted when messages come: a device that is silent changes nothing."""

    def __init__(self, statistics: LinkStatistics, now: float) -> None:
        self._statistics = statistics
        self._minutes = deque([_Minute(now, LinkCounts.of(statistics))], maxlen=MINUTES)

    def came(self, now: float) -> None:
        """A message came."""
        if now >= self._minutes[-1].began + MINUTE:
            self._minutes.append(_Minute(now, LinkCounts.of(self._statistics)))

    def answered(self, seconds: float, now: float) -> None:
        """The device has answered a question after this time."""
        self.came(now)
        self._minutes[-1].slowest = max(self._minutes[-1].slowest, seconds)

    def counts(self, now: float) -> LinkCounts:
        """Of the last ten minutes."""
        before = self._before(now)
        return LinkCounts.of(self._statistics).since(before.counts)

    def slowest_answer(self, now: float) -> float | None:
        """Seconds, of the last ten minutes; None where nothing was asked."""
        slowest = max((minute.slowest for minute in self._minutes if self._is_recent(minute, now)), default=0.0)
        return slowest or None

    def _before(self, now: float) -> _Minute:
        return next((minute for minute in self._minutes if self._is_recent(minute, now)), self._minutes[-1])

    def _is_recent(self, minute: _Minute, now: float) -> bool:
        return minute.began + MINUTE > now - MINUTES * MINUTE
