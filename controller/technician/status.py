"""The status of a table's devices: from the daemon that attends them, or read from the device."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

from devices.link.recent import LinkCounts, RecentLink
from devices.reports import DeviceState
from devices.spec import DeviceSpec
from protocols.link.session import LinkStatistics

BAD_FRAMES = 1 / 50
"""The share of frames that were damaged or had to be sent again, beyond which a link is called bad."""
SLOW_MS = 100.0
"""A healthy round trip takes some milliseconds, the daemon's commit to its disk included."""
SLOW_ANSWER_MS = 500.0
"""A device answers a question in milliseconds. After two seconds its session ends."""
ENOUGH_FRAMES = 100
"""With fewer frames a share means nothing."""


class Link(Struct, frozen=True, kw_only=True):
    """How well a device can be spoken to, counted since the daemon started."""

    sessions: int
    frames_received: int
    frames_sent: int
    messages_sent: int
    messages_taken: int
    crc_errors: int
    overruns: int
    noise_bytes: int
    retransmissions: int
    duplicates: int
    gaps: int
    rejections: int
    malformed: int
    strays: int
    round_trip_ms: float | None
    """From a frame to its acknowledgement, by the link."""
    recent: LinkCounts | None = None
    """Of the last ten minutes, where the device is on the link."""
    slowest_answer_ms: float | None = None
    """From a question to the device's answer, the slowest of the last ten minutes, or of this session on the bench."""

    @classmethod
    def of(
        cls,
        statistics: LinkStatistics,
        recent: RecentLink | None = None,
        now: float = 0.0,
        *,
        slowest: float | None = None,
    ) -> Link:
        framing = statistics.framing
        slowest = slowest if recent is None else recent.slowest_answer(now)
        return cls(
            frames_received=framing.frames,
            crc_errors=framing.crc_errors,
            overruns=framing.overruns,
            noise_bytes=framing.noise_bytes,
            recent=None if recent is None else recent.counts(now),
            slowest_answer_ms=None if slowest is None else round(slowest * 1000, 1),
            **{name: getattr(statistics, name) for name in cls.__struct_fields__ if hasattr(statistics, name)},
        )

    @property
    def trouble(self) -> str:
        """What is wrong with it, in words; empty when all is well."""
        if self.recent is None:
            return _damage(self) or self._slowness
        return _damage(self.recent, " in the last ten minutes") or self._slowness

    @property
    def _slowness(self) -> str:
        if self.slowest_answer_ms is not None and self.slowest_answer_ms > SLOW_ANSWER_MS:
            return f"an answer took {self.slowest_answer_ms:.0f} ms"
        if self.round_trip_ms is not None and self.round_trip_ms > SLOW_MS:
            return f"a round trip takes {self.round_trip_ms:.0f} ms"
        return ""

    @property
    def rows(self) -> list[str]:
        """As a person reads it: since the daemon started, then of the last ten minutes."""
        slow = self.recent is None and self.slowest_answer_ms is not None
        rows = [f"link: {self}" + (f", slowest answer {self.slowest_answer_ms:.0f} ms" if slow else "")]
        if self.recent is not None:
            counts, slowest = self.recent, self.slowest_answer_ms
            took = "" if slowest is None else f", slowest answer {slowest:.0f} ms"
            rows.append(
                f"last ten minutes: {counts.frames_received:,} frames, {counts.crc_errors:,} CRC errors, "
                f"{counts.overruns:,} overruns, {counts.gaps:,} gaps, {counts.rejections:,} rejections, "
                f"{counts.retransmissions:,} sent again{took}"
            )
        return rows

    def __str__(self) -> str:
        trip = "" if self.round_trip_ms is None else f", round trip {self.round_trip_ms:.1f} ms"
        return (
            f"{self.frames_received:,} frames, {self.crc_errors:,} CRC errors, {self.overruns:,} overruns, "
            f"{self.gaps:,} gaps, {self.rejections:,} rejections, {self.retransmissions:,} sent again, "
            f"{self.duplicates:,} repeated{trip}"
        )


def _damage(counts: Link | LinkCounts, when: str = "") -> str:
    damaged = counts.crc_errors + counts.overruns
    came = counts.frames_received + damaged
    if came > ENOUGH_FRAMES and damaged > BAD_FRAMES * came:
        return f"{damaged} of {came} frames came damaged{when}"
    if counts.frames_sent > ENOUGH_FRAMES and counts.retransmissions > BAD_FRAMES * counts.frames_sent:
        return f"{counts.retransmissions} of {counts.frames_sent} frames were sent again{when}"
    return ""


class DeviceStatus(Struct, frozen=True, kw_only=True):
    """One device."""

    id: str
    kind: str
    url: str
    required: bool
    state: Literal["connecting", "online", "offline", "wrong_device"]
    model: str | None = None
    serial: str | None = None
    firmware: str | None = None
    detail: str = ""
    evidence: tuple[str, ...] = ()
    """The bytes that came from a device that is nearly right, and what was expected; from the bench only."""
    link: Link | None = None

    @classmethod
    def of(
        cls,
        spec: DeviceSpec,
        state: DeviceState,
        statistics: LinkStatistics | None,
        recent: RecentLink | None = None,
        now: float = 0.0,
        *,
        slowest: float | None = None,
    ) -> DeviceStatus:
        """`slowest`: seconds of the slowest answer, where no `recent` knows it."""
        return cls(
            id=spec.id,
            kind=spec.kind,
            url=spec.url,
            required=spec.required,
            state=state.state,
            model=state.model,
            serial=state.serial,
            firmware=state.firmware,
            detail=state.detail,
            link=None if statistics is None else Link.of(statistics, recent, now, slowest=slowest),
        )

    @property
    def names(self) -> str:
        """Model, serial number and firmware, as far as they are known."""
        known = [self.model] if self.model else []
        known += [f"serial {self.serial}"] if self.serial else []
        known += [f"firmware {self.firmware}"] if self.firmware else []
        return ", ".join(known)


class TableDevices(Struct, frozen=True, kw_only=True):
    """The body of GET /api/devices."""

    round_running: bool
    brokers_online: dict[str, bool]
    """By name: whether it has the table now."""
    alarms: Mapping[str, str] = {}
    """Those that are raised now, with their texts."""
    devices: tuple[DeviceStatus, ...]
