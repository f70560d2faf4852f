"""What a person sets: `floor.toml`. docs/floor/README.md lists its keys."""

from __future__ import annotations

import ssl
import tomllib
from pathlib import Path
from typing import Annotated, Literal
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace

from controller.errors import UserError
from controller.toml_text import loads
from floor.gaming_day import Calendar
from floor.page_settings import AlertSettings, PageSettings, PrometheusSettings, RoomSettings
from protocols.type_errors import in_words

Name = Annotated[str, Meta(pattern=r"^[A-Za-z0-9_.@-]{1,64}$")]
Site = Annotated[str, Meta(pattern=r"^[a-z0-9][a-z0-9_-]{0,31}$")]
SectionName = Annotated[str, Meta(pattern=r"^[A-Za-z0-9][A-Za-z0-9 _.-]{0,31}$")]
Days = Annotated[int, Meta(ge=1, le=36_500)]


class Tls(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The broker is reached over TLS."""

    ca: str | None = None
    cert: str | None = None
    key: str | None = None


class Broker(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Where a broker is, and how we show it who we are."""

    name: Name = "a"
    host: str = "127.0.0.1"
    port: Annotated[int, Meta(ge=1, le=65535)] = 1883
    username: str | None = None
    password_file: str | None = None
    tls: Tls | None = None
    keepalive: Annotated[int, Meta(ge=1, le=3600)] = 15
    version: Literal["5", "3.1.1"] = "5"
    """3.1.1 only for the demo's embedded broker: no shared subscriptions, no requests, no receipts."""

    @property
    def address(self) -> str:
        return f"{self.host}:{self.port}"

    def password(self) -> str | None:
        if self.password_file is None:
            return None
        try:
            return Path(self.password_file).read_text().splitlines()[0]
        except (OSError, IndexError) as error:
            raise UserError(f"The password file {self.password_file} cannot be used: {error}.") from None

    def tls_context(self) -> ssl.SSLContext | None:
        if self.tls is None:
            return None
        try:
            context = ssl.create_default_context(cafile=self.tls.ca)
            if self.tls.cert is not None:
                context.load_cert_chain(self.tls.cert, self.tls.key)
        except (OSError, ssl.SSLError) as error:
            raise UserError(f"A certificate for the broker {self.address} cannot be used: {error}.") from None
        return context


class GamingDay(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """When the gaming day begins."""

    timezone: str = "America/Los_Angeles"
    begins: Annotated[str, Meta(pattern=r"^([01][0-9]|2[0-3]):(00|15|30|45)$")] = "06:00"


class Retention(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How long things are kept, in days; null: for ever."""

    events: Days | None = None
    quarantine: Days | None = 365


Clock = Annotated[str, Meta(pattern=r"^([01][0-9]|2[0-3]):[0-5][0-9]$")]


class Thresholds(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """From which amounts the books ask for something: docs/floor/books.md."""

    report_from_cents: Annotated[int, Meta(ge=1)] = 2_500
    """A difference that somebody writes a report about."""
    regulator_from_cents: Annotated[int, Meta(ge=1)] = 25_000
    """A report of which the regulator gets a copy."""
    dormant_days: Days = 30
    """Somebody who was at no table for this time, and still may sign in."""


class Watch(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The watch on due less dropped: docs/floor/books.md has the arithmetic."""

    stolen_cents: Annotated[int, Meta(ge=100)] = 500
    """What is to be found: this much a shift."""
    noise_cents: Annotated[int, Meta(ge=1)] = 150
    """How much an honest shift differs, as a standard deviation. If the room's own is more, that one counts."""
    points_a_year: Annotated[int, Meta(ge=1)] = 4_380
    """Shifts of dealers and boxes in a year of one table, with no more than one false alarm among them."""
    days: Days = 120
    """How far back the watch begins."""


class FloorConfig(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """All of it."""

    site: Site
    store: str
    """A path: SQLite. `postgresql://USER@HOST/DATABASE`: PostgreSQL."""
    name: Name = "books"
    """Of this collector; with certificates, of its certificate NAME/store/SITE. Each collector has its own."""
    group: Name | None = None
    """Collectors with the same group share the work."""
    brokers: Annotated[tuple[Broker, ...], Meta(min_length=1, max_length=4)] = (Broker(),)
    day: GamingDay = GamingDay()
    retention: Retention = Retention()
    boards: dict[str, Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]] = {}
    """Keys of the boards, by table, as `cutcard enroll` prints them. Else the first key that comes counts."""
    shifts: dict[str, Clock] = {}
    """When each shift begins, by the clock on the wall."""
    sections: dict[SectionName, tuple[Name, ...]] = {}
    """Tables that belong together, by the name of the section."""
    books: Thresholds = Thresholds()
    watch: Watch = Watch()
    in_flight: Annotated[int, Meta(ge=10, le=60_000)] = 2000
    """Messages that a broker may send before they are in the store: what bounds our memory."""

    page: PageSettings = PageSettings()
    room: RoomSettings = RoomSettings()
    alerts: AlertSettings = AlertSettings()
    prometheus: PrometheusSettings = PrometheusSettings()

    def section_of(self, table: str) -> str:
        """Empty: of none."""
        return next((name for name, tables in self.sections.items() if table in tables), "")

    def page_brokers(self) -> tuple[Broker, ...]:
        """The brokers as the page connects to them: in its own name, and quick to notice that one is gone."""
        page = self.page
        return tuple(
            replace(
                broker,
                keepalive=1,
                username=page.broker_username or broker.username,
                password_file=page.broker_password_file or broker.password_file,
                tls=broker.tls
                if broker.tls is None or page.broker_cert is None
                else Tls(ca=broker.tls.ca, cert=page.broker_cert, key=page.broker_key),
            )
            for broker in self.brokers
        )

    @property
    def calendar(self) -> Calendar:
        return Calendar(self.day.timezone, self.day.begins)


def read_config(path: Path) -> FloorConfig:
    """The configuration in this file; `UserError` states what is wrong with it."""
    try:
        text = path.read_text()
    except OSError as error:
        raise UserError(f"The configuration {path} cannot be read: {error.strerror}.") from None
    try:
        plain = loads(text)
        config = msgspec.convert(plain, FloorConfig)
        ZoneInfo(config.day.timezone)
    except tomllib.TOMLDecodeError as error:
        raise UserError(f"{path} is not TOML: {error}.") from None
    except msgspec.ValidationError as error:
        raise UserError(f"{path}: {in_words(error, plain)}") from None
    except (ZoneInfoNotFoundError, ValueError):
        raise UserError(f"{path}: day.timezone is no time zone; expected one as America/Los_Angeles.") from None
    names = [broker.name for broker in config.brokers]
    if len(set(names)) < len(names):
        raise UserError(f"{path}: two brokers have the same name.")
    if config.shifts and config.day.begins not in config.shifts.values():
        raise UserError(f"{path}: one of the shifts must begin with the gaming day, at {config.day.begins}.")
    return config
