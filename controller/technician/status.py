"""The status of a table's devices: from the daemon that attends them, or read from the device."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from devices.reports import DeviceState
from devices.spec import DeviceSpec
from protocols.link.session import LinkStatistics

BAD_FRAMES = 1 / 50
"""The share of frames that were damaged or had to be sent again, beyond which a link is called bad."""
SLOW_MS = 100.0
"""A healthy round trip takes some milliseconds, the daemon's commit to its disk included."""
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

    @classmethod
    def of(cls, statistics: LinkStatistics) -> Link:
        framing = statistics.framing
        return cls(
            frames_received=framing.frames,
            crc_errors=framing.crc_errors,
            overruns=framing.overruns,
            noise_bytes=framing.noise_bytes,
            **{name: getattr(statistics, name) for name in cls.__struct_fields__ if hasattr(statistics, name)},
        )

    @property
    def trouble(self) -> str:
        """What is wrong with it, in words; empty when all is well."""
        damaged = self.crc_errors + self.overruns
        came = self.frames_received + damaged
        if came > ENOUGH_FRAMES and damaged > BAD_FRAMES * came:
            return f"{damaged} of {came} frames came damaged"
        if self.frames_sent > ENOUGH_FRAMES and self.retransmissions > BAD_FRAMES * self.frames_sent:
            return f"{self.retransmissions} of {self.frames_sent} frames were sent again"
        if self.round_trip_ms is not None and self.round_trip_ms > SLOW_MS:
            return f"a round trip takes {self.round_trip_ms:.0f} ms"
        return ""

    def __str__(self) -> str:
        trip = "" if self.round_trip_ms is None else f", round trip {self.round_trip_ms:.1f} ms"
        return (
            f"{self.frames_received:,} frames, {self.crc_errors:,} CRC errors, {self.retransmissions:,} sent again, "
            f"{self.duplicates:,} repeated{trip}"
        )


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
    link: Link | None = None

    @classmethod
    def of(cls, spec: DeviceSpec, state: DeviceState, statistics: LinkStatistics | None) -> DeviceStatus:
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
            link=None if statistics is None else Link.of(statistics),
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
    broker_online: bool
    devices: tuple[DeviceStatus, ...]
