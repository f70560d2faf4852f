"""What a person sets of the page, of the room and of those who are warned: `[page]`, `[room]`, `[alerts]` and
`[prometheus]` of `floor.toml`. docs/floor/README.md says which page lists the keys of each."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

Client = Annotated[str, Meta(pattern=r"^[A-Za-z0-9_.@-]{1,64}$")]
HourMinute = Annotated[str, Meta(pattern=r"^([01][0-9]|2[0-3]):[0-5][0-9]$")]
Port = Annotated[int, Meta(ge=0, le=65535)]


class PageSettings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The floor page, and how it shows the brokers who it is."""

    client: Client = "pit"
    """With certificates, of its certificate CLIENT/program/SITE."""
    host: str = "127.0.0.1"
    """Any other than loopback needs a certificate."""
    port: Port = 8480
    local_port: Port = 8481
    """With a certificate: on loopback, without TLS, for programs on the same machine."""
    certificate: str | None = None
    key: str | None = None
    allowed_hosts: tuple[str, ...] = ()
    """More names under which screens reach the page."""
    staff: str = "/var/lib/cutcard-floor/staff.json"
    """Who may sign in: `cutcard floor staff`."""
    public: bool = True
    """Tiles without signing in, for a screen on the wall."""
    idle_minutes: Annotated[int, Meta(ge=1, le=240)] = 15
    """Who does nothing for this time is signed out."""
    broker_cert: str | None = None
    broker_key: str | None = None
    """In place of the collector's, at every broker."""
    broker_username: str | None = None
    broker_password_file: str | None = None


class AlertSettings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Where alerts go: docs/floor/alerts.md."""

    urls: Annotated[tuple[Annotated[str, Meta(pattern=r"^https?://[^ ]+$")], ...], Meta(max_length=8)] = ()
    """Of every Alertmanager of a cluster; empty: alerts go nowhere."""
    page: str = ""
    """The address of the floor page as people reach it, for the links in mails."""
    resend_s: Annotated[float, Meta(ge=1, le=300)] = 30
    """How often everything is posted again."""


class PrometheusSettings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How Prometheus finds the tables: docs/operations/monitoring.md."""

    targets: str | None = None
    """The file that the page keeps, for Prometheus' `file_sd_configs`."""


class DropTime(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, rename={"begins": "from", "ends": "to"}):
    """When boxes may be taken out, by the clock on the wall; past midnight where `to` is earlier than `from`."""

    begins: HourMinute
    ends: HourMinute


class RoomSettings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The room's own rules, and what is too long in it."""

    licensed_tables: Annotated[int, Meta(ge=1, le=1000)] | None = None
    """Tables that may be open at once; null: as many as there are."""
    drop_times: Annotated[tuple[DropTime, ...], Meta(max_length=24)] = ()
    """Empty: boxes may be taken out at any time."""
    waits_s: Annotated[int, Meta(ge=5, le=86_400)] = 180
    """A table that waits longer for the same thing, in a round, needs somebody."""
    watch_s: Annotated[float, Meta(ge=0, le=86_400)] = 300
    """How long the first table of an update is watched before the rest gets it."""
    dealer_minutes: Annotated[int, Meta(ge=1, le=1440)] = 60
    """A dealer who has dealt longer is to be relieved."""
