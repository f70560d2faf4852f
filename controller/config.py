"""The daemon's configuration: one TOML file, validated as a whole.

Every error names the file, the key and what is allowed there; `ConfigError` is one paragraph that says what to do.
Relative paths are reckoned from the file's own folder.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Annotated, Any, Literal, get_args, get_type_hints
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import msgspec
from msgspec import Meta, Struct

from controller.engine.drop_worth import Chip, DropTerms
from controller.games.roads import Tail
from controller.mqtt.settings import MqttSettings, Tls
from controller.rules import RulesError, load
from devices.authentication import Finding, Reaction
from devices.spec import DeviceSpec, Kind

Name = Annotated[str, Meta(pattern=r"^[a-z0-9][a-z0-9_-]{0,31}$")]
"""A name that stands in an MQTT topic: small letters, digits, - and _."""
Port = Annotated[int, Meta(ge=0, le=65535)]
Cents = Annotated[int, Meta(ge=0)]


class ConfigError(Exception):
    """What is wrong with the configuration and what to do, in one paragraph."""


class _Section(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    pass


class RulesConfig(_Section, frozen=True):
    ruleset: str
    """Which rules are dealt; `cutcard rules list` names them."""
    options: dict[str, Any] = {}


class TableConfig(_Section, frozen=True):
    seats: tuple[Annotated[int, Meta(ge=1, le=14)], ...] = (1, 2, 3, 4, 5, 6, 7)
    player_dealer: Annotated[int, Meta(ge=1, le=14)] | None = 8
    bank: tuple[Cents, ...] | None = None
    """The player-dealer's wager where it is not posted anew each round, cents by spot."""
    records_wagers: bool = True
    """Whether wagers are entered at the console; a table without wager input still plays."""
    awaits_drop: bool = False
    """Fees that are taken before the cards must be in their boxes first, by the sensors or the dealer's key."""
    shuffle_control: bool = False
    """No card is dealt from a pack that no machine reported, and no dealer declared, shuffled and counted."""
    min_wager: Cents = 0
    max_wager: Cents | None = None


class MqttConfig(_Section, frozen=True):
    host: str = "127.0.0.1"
    port: Port = 1883
    client_id: str | None = None
    """By default made of site and table."""
    username: str | None = None
    password_file: str | None = None
    tls: Tls | None = None
    version: Literal["5", "3.1.1"] = "5"
    """3.1.1 only for the demo's embedded broker, which knows no other."""
    start_without_broker: bool = False
    """Start all the same when the broker is away; the journal is the queue. A running daemon always plays on."""


class JournalConfig(_Section, frozen=True):
    warn_below_mb: Annotated[int, Meta(ge=0)] = 512
    """Free space on the journal's disk below which an alarm is raised."""
    stop_below_mb: Annotated[int, Meta(ge=0)] = 64
    """Free space below which no new round begins; the running one has room to end."""
    rotate_at_mb: Annotated[int, Meta(ge=0)] = 64
    """Size of the journal file at which its older entries move to an archive beside it; 0: never because of its size.
    A busy table writes some 15 MB a day."""
    rotate_after_days: Annotated[int, Meta(ge=0)] = 30
    """Age of the oldest entry in the journal file at which they do; 0: never because of its age."""
    keep_days: Annotated[int, Meta(ge=0)] = 0
    """Days after which an archive is deleted; 0: never. Records of play must be kept for years: ask before setting it,
    and see that the board's clock is right."""


class WebConfig(_Section, frozen=True):
    host: str = "127.0.0.1"
    port: Port = 8080
    allowed_hosts: tuple[str, ...] = ()
    """Names besides loopback and `host` under which screens reach the page."""


class ChipConfig(_Section, frozen=True):
    cents: Annotated[int, Meta(ge=1)]
    grams: Annotated[float, Meta(ge=0, le=100)] = 0
    """What one weighs; left out, the scale of a box can say nothing."""


class DropConfig(_Section, frozen=True):
    """By what fees due are laid against what fell into the drop boxes: docs/reconciliation.md."""

    grace_s: Annotated[int, Meta(ge=1, le=3600)] = 60
    """What a round owes must have fallen so long after its end."""
    tolerance: Cents = 0
    """Cents by which the drop of a round may differ."""
    chips: tuple[ChipConfig, ...] = ()
    """What fees are paid in; without them a piece is only a piece."""
    scale_g: Annotated[int, Meta(ge=0, le=1000)] = 5
    """Grams by which two weighings of the same thing may differ."""
    seals: bool = False
    """Whether the seal of a box that is put in must be keyed."""

    @property
    def terms(self) -> DropTerms:
        """As the engine takes it; weights are whole milligrams there."""
        chips = tuple(Chip(chip.cents, round(chip.grams * 1000)) for chip in self.chips)
        return DropTerms(self.grace_s * 1000, self.tolerance, chips, self.scale_g, self.seals)


Clock = Annotated[str, Meta(pattern=r"^([01][0-9]|2[0-3]):[0-5][0-9]$")]
_SHIFTS = {"day": "06:00", "swing": "14:00", "graveyard": "22:00"}


class ReportConfig(_Section, frozen=True):
    """The house's day, for `cutcard report`."""

    timezone: str = "UTC"
    """As the IANA names it: America/Los_Angeles."""
    shifts: dict[Name, Clock] = msgspec.field(default_factory=lambda: dict(_SHIFTS))
    """When each begins; it lasts until the next one does."""


class DisplayConfig(_Section, frozen=True):
    """How the players' display draws the roads: docs/display.md."""

    tail: Tail = "stay"
    """A dragon tail stays on its row, drops again where there is room, or the next column keeps clear of it."""
    ask_marks: bool = False
    """Show what the derived roads would get if Banker, or Player, won next."""


class DeviceConfig(_Section, frozen=True):
    id: Name
    kind: Kind
    url: str
    """Where it is: a serial port by its path or USB identity, or a URL; see docs/technician.md."""
    baud: Annotated[int, Meta(ge=300, le=4_000_000)] = 115200
    required: bool = True
    """A required device's port must exist when the daemon starts."""
    options: dict[str, Any] = {}
    """What this kind of device needs besides; its page in docs/protocols says."""

    @property
    def spec(self) -> DeviceSpec:
        """As its driver takes it."""
        return DeviceSpec(
            id=self.id,
            kind=self.kind,
            url=self.url,
            baud=self.baud,
            required=self.required,
            options=self.options,
        )


class FirmwareConfig(_Section, frozen=True):
    """Who the devices are and whose firmware they get: docs/firmware.md."""

    trust: Reaction = "any"
    """What follows when a device is not the one that was enrolled, or not as it was: nothing, a flag, a refusal."""
    reactions: dict[Finding, Reaction] = {}
    """Exceptions from `trust`, by what was found."""
    signers: dict[Name, Annotated[str, Meta(pattern=r"^[0-9a-f]{64}$")]] = {}
    """Ed25519 public keys whose images this site takes, by name."""
    anti_rollback: bool = True
    """No device is given an older version than it has."""


class Config(_Section, frozen=True):
    """The whole file."""

    site: Name
    table: Name
    rules: RulesConfig
    data: str = "data"
    """Folder of the journal and the console token."""
    test: bool = False
    """Test mode: says so in every event and on every screen."""
    clock: Literal["system", "devices"] = "system"
    """`devices`: time is what the simulated devices say, so that a seeded run is the same on every machine."""
    seating: TableConfig = TableConfig()
    journal: JournalConfig = JournalConfig()
    mqtt: MqttConfig = MqttConfig()
    web: WebConfig = WebConfig()
    display: DisplayConfig = DisplayConfig()
    drop: DropConfig = DropConfig()
    report: ReportConfig = ReportConfig()
    firmware: FirmwareConfig = FirmwareConfig()
    devices: tuple[DeviceConfig, ...] = ()

    @property
    def broker(self) -> MqttSettings:
        """As the publisher takes it."""
        mqtt = self.mqtt
        return MqttSettings(
            host=mqtt.host,
            port=mqtt.port,
            client_id=mqtt.client_id or f"cutcard-{self.site}-{self.table}",
            username=mqtt.username,
            password_file=mqtt.password_file,
            tls=mqtt.tls,
            version=mqtt.version,
        )


def read_config(path: Path) -> Config:
    """The configuration in this file; `ConfigError` where it cannot be used."""
    try:
        raw = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise ConfigError(
            f"There is no configuration file {path}. Name one with --config, or copy deploy/cutcard.example.toml."
        ) from None
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"The configuration file {path} cannot be read: {error}.") from None
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{path} is not TOML: {error}. Mend that line and start again.") from None
    unknown = _unknown_keys(raw, Config, "")
    if unknown:
        raise ConfigError(f"{path}: " + " ".join(unknown))
    try:
        config = msgspec.convert(raw, Config)
    except msgspec.ValidationError as error:
        raise ConfigError(f"{path}: {_say(error)}. Mend the value and start again.") from None
    _check(path, config)
    return msgspec.structs.replace(config, mqtt=_from_folder(config.mqtt, path.resolve().parent))


def _from_folder(mqtt: MqttConfig, folder: Path) -> MqttConfig:
    """Its files, reckoned from the folder of the configuration wherever the daemon was started."""

    def place(name: str | None) -> str | None:
        return None if name is None else str(folder / name)

    tls = mqtt.tls
    if tls is not None:
        tls = msgspec.structs.replace(tls, ca=place(tls.ca), cert=place(tls.cert), key=place(tls.key))
    return msgspec.structs.replace(mqtt, password_file=place(mqtt.password_file), tls=tls)


def _check(path: Path, config: Config) -> None:
    """What no single value shows."""
    try:
        load(config.rules.ruleset).options(config.rules.options)
    except RulesError as error:
        raise ConfigError(f"{path}: [rules]: {error}.") from None
    try:
        ZoneInfo(config.report.timezone)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise ConfigError(
            f"{path}: key report.timezone: there is no time zone {config.report.timezone!r}; name one as "
            "America/Los_Angeles or UTC."
        ) from None
    seating = config.seating
    if seating.max_wager is not None and seating.max_wager < seating.min_wager:
        raise ConfigError(f"{path}: [seating]: max_wager {seating.max_wager} is below min_wager {seating.min_wager}.")
    for attribute, what in (("id", "have the same id"), ("url", "share the port")):
        values = [getattr(device, attribute) for device in config.devices]
        for value in sorted({value for value in values if values.count(value) > 1}):
            raise ConfigError(f"{path}: two [[devices]] {what} {value!r}; each needs its own.")


def _unknown_keys(raw: object, kind: Any, where: str) -> list[str]:
    """A sentence for every key that the file has and the types do not, with the keys there are."""
    problems: list[str] = []
    if isinstance(raw, dict) and isinstance(kind, type) and issubclass(kind, Struct):
        hints = get_type_hints(kind)
        for key, value in raw.items():
            if key not in hints:
                place = f"in [{where}]" if where else "at the top"
                problems.append(f"Unknown key {key!r} {place}; the keys there are {', '.join(sorted(hints))}.")
            else:
                problems += _unknown_keys(value, hints[key], f"{where}.{key}" if where else key)
    elif isinstance(raw, list):
        for item in raw:
            for part in get_args(kind):
                problems += _unknown_keys(item, part, where)
    return problems


def _say(error: msgspec.ValidationError) -> str:
    """The library's message with its path as a person writes it."""
    text, _, place = str(error).partition(" - at `$")
    if place:
        key = place.rstrip("`").lstrip(".").replace("[...]", "")
        return f"key {key}: {text}"
    return text
