"""The sections and keys of the configuration file, as types: allowed values, default, meaning.

All documentation of a key is beside it, once: `key` has its meaning, its unit and when a change of it
takes effect. The page docs/operations/configuration.md, the example file, `cutcard config show` and a running daemon
that reads its file again all take it from here. The first sentence of a meaning is the comment in the example.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from controller.config.broker import MqttSettings, Tls
from controller.engine.bounds import MOST_CENTS, Cents, Seat, Wager
from controller.engine.drop.worth import Chip, DropTerms
from controller.engine.jackpot.rules import HOUSE, Jackpot, SeedFrom, Suits, Whose
from controller.games.baccarat.roads import Tail
from devices.kinds import KindName
from devices.link.authentication import Finding, Reaction
from devices.spec import DeviceSpec

When = Literal["live", "between rounds", "restart"]
"""When a changed key takes effect in a daemon that reads its file again: at once, between rounds, or at a restart."""


def key(when: When, meaning: str, unit: str = "") -> Meta:
    """The documentation of a key."""
    return Meta(description=meaning, extra={"when": when, "unit": unit})


def looks(like: str, *, pattern: str) -> Meta:
    """A text of this form, and the form in words."""
    return Meta(pattern=pattern, extra={"looks": like})


Name = Annotated[
    str, looks("small letters, digits, - and _, at most 32 of them", pattern=r"^[a-z0-9][a-z0-9_-]{0,31}$")
]
"""A name that is part of an MQTT topic."""
SiteName = Annotated[
    str,
    looks(
        "small letters, digits, - and _, at most 32 of them, and neither command nor reply nor receipt",
        pattern=r"^(?!(command|reply|receipt)$)[a-z0-9][a-z0-9_-]{0,31}$",
    ),
]
"""A cardroom's name; `command`, `reply` and `receipt` are beside the sites in the topics (docs/mqtt/README.md)."""
StoreName = Annotated[str, looks("letters, digits and . _ - @, at most 64 of them", pattern=r"^[A-Za-z0-9_.@-]{1,64}$")]
"""The name of a client, as the broker has it."""
Language = Annotated[
    str,
    looks("a language's tag as en, vi or zh-Hant", pattern=r"^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8}){0,3}$"),
]
Port = Annotated[int, Meta(ge=0, le=65535)]
BrokerPort = Annotated[int, Meta(ge=1, le=65535)]
Count = Annotated[int, Meta(ge=0, le=10**9)]
Folder = Annotated[str, looks("an absolute path, or empty", pattern=r"^(/.*)?$")]
Tcti = Annotated[
    str,
    looks(
        "how tpm2-tools reach it, beginning with device:, swtpm: or tabrmd:, or empty",
        pattern=r"^((device|swtpm|tabrmd):.*)?$",
    ),
]
Seed = Annotated[str, looks("at most 64 characters", pattern=r"^.{0,64}$")]
Clock = Annotated[str, looks("a time of day as 06:00", pattern=r"^([01][0-9]|2[0-3]):[0-5][0-9]$")]
AddressPrefix = Annotated[
    str,
    looks(
        "https://HOST/ or file:///FOLDER/, with a path of letters, digits and . _ ~ - that ends with a slash",
        pattern=r"^(https://[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:[0-9]{1,5})?|file:///[A-Za-z0-9_~-][A-Za-z0-9._~-]*)"
        r"(/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)*/$",
    ),
]
"""Where bundles may be fetched from."""
PublicKey = Annotated[str, looks("a public key of 64 hex digits", pattern=r"^[0-9a-f]{64}$")]


class _Section(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    pass


class RulesConfig(_Section, frozen=True):
    """What is dealt. `cutcard rules list` names the rulesets, `cutcard rules show NAME` their options."""

    ruleset: Annotated[str, key("between rounds", "Which rules are dealt.")]
    options: Annotated[
        dict[str, Any],
        key("between rounds", "What this table chose where the approval leaves a choice: decks, schedule and so on."),
    ] = {}
    confirmation_keys: Annotated[
        tuple[PublicKey, ...],
        key(
            "live",
            "Public keys whose confirmations of readings count here beside this board's own: that of the site "
            "(docs/compliance/readings.md).",
        ),
    ] = ()


class TableConfig(_Section, frozen=True):
    """Who sits where, and what the table asks of them."""

    seats: Annotated[tuple[Seat, ...], key("between rounds", "The players' seats.")] = (1, 2, 3, 4, 5, 6, 7)
    player_dealer: Annotated[
        Seat | None,
        key(
            "between rounds",
            "The player-dealer's seat at first, which is none of those; then it rotates (docs/table/rotation.md).",
        ),
    ] = 8
    bank: Annotated[
        tuple[Cents, ...] | None,
        key("between rounds", "The player-dealer's wager by spot, where it is not posted each round.", "cents"),
    ] = None
    records_wagers: Annotated[
        bool,
        key(
            "between rounds",
            "Wagers are entered at the console and settled against the player-dealer's money. A table without wager "
            "input still plays.",
        ),
    ] = True
    awaits_drop: Annotated[
        bool,
        key(
            "between rounds",
            "Fees taken before the cards must be in the box first (docs/table/fees.md). By the box's sensor, or by the "
            "dealer's key while it is silent.",
        ),
    ] = False
    shuffle_control: Annotated[
        bool,
        key(
            "between rounds",
            "No card before a machine or the dealer has reported the pack shuffled and counted "
            "(docs/compliance/integrity.md).",
        ),
    ] = False
    min_wager: Annotated[Wager, key("between rounds", "The least wager.", "cents")] = 0
    max_wager: Annotated[Wager | None, key("between rounds", "The greatest wager. Left out: none.", "cents")] = None


class BrokerConfig(_Section, frozen=True):
    """One broker; written twice, there are two. A change makes a new connection, and no event is lost by it."""

    name: Annotated[
        Name,
        key("live", "What it is called here, in metrics, log and journal. The table keeps what each name has."),
    ] = "main"
    host: Annotated[str, key("live", "Its name or address. With TLS the name in its certificate.")] = "127.0.0.1"
    port: Annotated[BrokerPort, key("live", "Its port, 8883 with TLS.")] = 1883
    client_id: Annotated[str | None, key("live", "Who we are to it. Left out: made of site and table.")] = None
    username: Annotated[str | None, key("live", "Who we are, for a broker that asks for a password.")] = None
    password_file: Annotated[
        str | None,
        key(
            "live",
            "File that holds the password in its first line, for its owner alone. Or `credential:NAME`, a credential "
            "that systemd hands to the service.",
        ),
    ] = None
    tls: Annotated[
        Tls | None, key("live", "Certificates, with which the connection is encrypted (docs/operations/security.md).")
    ] = None
    version: Annotated[
        Literal["5", "3.1.1"],
        key("live", "The MQTT version. 3.1.1 only for the demo's embedded broker, which knows no other."),
    ] = "5"

    def settings(self, site: str, table: str) -> MqttSettings:
        """As the publisher takes it."""
        keys = msgspec.structs.asdict(self)
        del keys["name"]
        return MqttSettings(**{**keys, "client_id": self.client_id or f"cutcard-{site}-{table}"})


class MqttConfig(_Section, frozen=True):
    """The cardroom's brokers (docs/mqtt/README.md)."""

    start_without_broker: Annotated[
        bool,
        key(
            "live",
            "Start even if no broker can be reached; the journal is the queue. A running daemon always plays on.",
        ),
    ] = False
    broker: tuple[BrokerConfig, ...] = (BrokerConfig(),)


class JournalConfig(_Section, frozen=True):
    """The journal's disk and its archives (docs/compliance/journal.md)."""

    warn_below_mb: Annotated[Count, key("live", "Free space on the disk below which an alarm is raised.", "MB")] = 512
    stop_below_mb: Annotated[
        Count,
        key("live", "Free space below which no new round begins. The running one has room to end.", "MB"),
    ] = 64
    rotate_at_mb: Annotated[
        Count,
        key(
            "live",
            "Size at which older entries move to an archive; 0: never. A busy table writes some 15 MB a day.",
            "MB",
        ),
    ] = 64
    rotate_after_days: Annotated[
        Count, key("live", "Age of the oldest entry at which they do; 0: never because of its age.", "days")
    ] = 30
    keep_days: Annotated[
        Count,
        key(
            "live",
            "Days after which an archive is deleted; 0: archives are never deleted. Records of play must be kept for "
            "years: ask before setting it, and see that the board's clock is right.",
            "days",
        ),
    ] = 0
    stores: Annotated[
        tuple[StoreName, ...],
        key(
            "live",
            "Who keeps this table's events, by the name in its certificate (docs/mqtt/receipts.md). No archive is "
            "deleted that one of them has not confirmed.",
        ),
    ] = ()
    store_late_minutes: Annotated[
        int,
        Meta(ge=1, le=100_000),
        key("live", "Age of an event at which an alarm is raised if one of the stores has not confirmed it.", "min"),
    ] = 60
    checkpoints: Annotated[
        Folder,
        key(
            "live",
            "Second folder for signed checkpoints, on another disk; empty: none. With them, a journal that was put "
            "back from an older copy is recognised at the next start.",
        ),
    ] = ""
    tpm: Annotated[
        Tcti,
        key(
            "restart",
            "The board's TPM 2.0, whose counter recognises an older copy of the whole disk: `device:/dev/tpmrm0`; "
            "empty: none. Make the counter first: `cutcard enroll --tpm`.",
        ),
    ] = ""


class WebConfig(_Section, frozen=True):
    """The players' display and the dealer's console."""

    host: Annotated[
        str,
        key(
            "restart",
            "The address that the page is served on. Any other than loopback needs a certificate: PINs must not cross "
            "the network in the clear (docs/operations/security.md).",
        ),
    ] = "127.0.0.1"
    port: Annotated[Port, key("restart", "Its port; 0 takes a free one.")] = 8080
    certificate: Annotated[
        str | None,
        key(
            "restart",
            "The page's certificate, with which it is served over TLS. A renewed file is used within a minute.",
        ),
    ] = None
    key: Annotated[str | None, key("restart", "Its key, for its owner alone. Or `credential:NAME`, from systemd.")] = (
        None
    )
    local_port: Annotated[
        Port,
        key(
            "restart",
            "With a certificate, the page is on 127.0.0.1 as well, without TLS, for the board itself. This is its port "
            "there; 0 takes a free one.",
        ),
    ] = 0
    allowed_hosts: Annotated[
        tuple[str, ...],
        key("live", "More names under which screens reach the page, besides loopback and host."),
    ] = ()


class CertificatesConfig(_Section, frozen=True):
    """The table's own certificates: for the broker and for the page (docs/operations/security.md)."""

    warn_days: Annotated[
        int,
        Meta(ge=0, le=3650),
        key(
            "live",
            "Time before one expires at which an alarm is raised. It is cleared when the certificate is renewed.",
            "days",
        ),
    ] = 30
    renew_days: Annotated[
        int,
        Meta(ge=0, le=3650),
        key(
            "live",
            "Time before that for a broker expires at which the table asks for the next one; 0: never.",
            "days",
        ),
    ] = 45
    authority: Annotated[
        str | None,
        key("restart", "Certificate of the tables' authority, where that is not the one in mqtt.broker.tls.ca."),
    ] = None


class ChipConfig(_Section, frozen=True):
    """A chip that fees are paid in."""

    cents: Annotated[int, Meta(ge=1, le=MOST_CENTS), key("between rounds", "What it is worth.", "cents")]
    grams: Annotated[
        float,
        Meta(ge=0, le=100),
        key("between rounds", "What it weighs. Without it, the scale of a box is not used.", "g"),
    ] = 0


class DropConfig(_Section, frozen=True):
    """Fees due against what falls into the drop boxes (docs/table/reconciliation.md)."""

    grace_s: Annotated[
        int,
        Meta(ge=1, le=3600),
        key("between rounds", "How long after its end a round's fees may fall.", "s"),
    ] = 60
    tolerance: Annotated[Cents, key("between rounds", "By how much the drop of a round may differ.", "cents")] = 0
    chips: Annotated[
        tuple[ChipConfig, ...],
        key(
            "between rounds",
            "What fees are paid in; one kind only makes the count exact. Without any, a piece is a piece.",
        ),
    ] = ()
    scale_g: Annotated[
        int,
        Meta(ge=0, le=1000),
        key("between rounds", "By how much two weighings of the same thing may differ.", "g"),
    ] = 5
    seals: Annotated[bool, key("between rounds", "The seal of a box that is put in must be keyed.")] = False

    @property
    def terms(self) -> DropTerms:
        """As the engine takes it; weights are whole milligrams there."""
        chips = tuple(Chip(chip.cents, round(chip.grams * 1000)) for chip in self.chips)
        return DropTerms(self.grace_s * 1000, self.tolerance, chips, self.scale_g, self.seals)


class RecogniseConfig(_Section, frozen=True):
    """By what the table proposes a hit. Write rank, or cards; nothing is paid by a proposal."""

    whose: Annotated[Whose, key("between rounds", "Whose hand it is.")] = "anybody"
    rank: Annotated[
        tuple[str, ...],
        key("between rounds", 'At least this rank: `["full_house", "A", "T"]`, a category and ranks of cards.'),
    ] = ()
    cards: Annotated[str, key("between rounds", "Exactly these ranks of cards, as `888`.")] = ""
    suits: Annotated[Suits, key("between rounds", "Of cards: any, all of one colour, all of one suit.")] = "any"


class ShareConfig(_Section, frozen=True):
    """Who gets a part of a prize; several seats get the same amount each."""

    to: Annotated[Name, key("between rounds", "What the house calls them: winner, loser, table.")]
    parts: Annotated[
        int, Meta(ge=1, le=10_000), key("between rounds", "Its part, in proportion to the prize's other shares.")
    ] = 1
    may_be_nobody: Annotated[
        bool, key("between rounds", "A hit may be stated without a seat for it; then it stays in the meter.")
    ] = False


class PrizeConfig(_Section, frozen=True):
    """One hand that is paid, and how."""

    name: Annotated[Name, key("between rounds", "Its name, for events and commands.")]
    qualifies: Annotated[str, Meta(max_length=500), key("between rounds", "The hand, in the words of the house.")]
    shares: Annotated[tuple[ShareConfig, ...], key("between rounds", "Who gets it.")]
    percent: Annotated[int, Meta(ge=1, le=100), key("between rounds", "What it pays of the main meter.", "%")] = 100
    cents: Annotated[
        Cents | None,
        key("between rounds", "A fixed amount instead, at most what is in the meter. Left out: percent.", "cents"),
    ] = None
    recognise: Annotated[
        RecogniseConfig | None,
        key("between rounds", "By what the table proposes a hit to the floor. Left out: it proposes none."),
    ] = None


class JackpotConfig(_Section, frozen=True):
    """The house's rules of a jackpot (docs/table/jackpots.md); the section is written once for each."""

    name: Annotated[Name, key("between rounds", "Its name, for events and commands.")]
    title: Annotated[str, Meta(max_length=64), key("between rounds", "What people call it. Empty: its name.")] = ""
    main: Annotated[
        int,
        Meta(ge=0, le=10_000),
        key("between rounds", "Parts of each jackpot fee for the meter, among main and reserve of all jackpots."),
    ] = 1
    reserve: Annotated[int, Meta(ge=0, le=10_000), key("between rounds", "Parts for the reserve.")] = 0
    seed: Annotated[
        Cents, key("between rounds", "What the meter begins with and is filled up to after a payout.", "cents")
    ] = 0
    seed_from: Annotated[
        SeedFrom,
        key("between rounds", "What fills it up: the reserve alone, or the house where that is not enough."),
    ] = "reserve"
    round_to: Annotated[
        int,
        Meta(ge=1, le=1_000_000),
        key("between rounds", "Each seat's amount is rounded down to a multiple of this.", "cents"),
    ] = 1
    needs_fee: Annotated[bool, key("between rounds", "Only a hand for which a jackpot fee was taken can be a hit.")] = (
        True
    )
    source: Annotated[
        str,
        Meta(max_length=500),
        key("between rounds", "Where these rules are written: a document of the house, or lines of an approval."),
    ] = HOUSE
    prizes: Annotated[
        tuple[PrizeConfig, ...], key("between rounds", "What is paid. Without any, the fee is only counted.")
    ] = ()

    @property
    def rules(self) -> Jackpot:
        """As the engine takes it."""
        return msgspec.convert(msgspec.to_builtins(self), Jackpot)


_SHIFTS = {"day": "06:00", "swing": "14:00", "graveyard": "22:00"}


class ReportConfig(_Section, frozen=True):
    """The house's day, for `cutcard report`."""

    timezone: Annotated[str, key("live", "As the IANA names it, America/Los_Angeles for instance.")] = "UTC"
    shifts: Annotated[dict[Name, Clock], key("live", "When each shift begins. It lasts until the next one does.")] = (
        msgspec.field(default_factory=lambda: dict(_SHIFTS))
    )


class ConsoleConfig(_Section, frozen=True):
    """The dealer's console (docs/table/console.md)."""

    chips: Annotated[
        tuple[Annotated[int, Meta(ge=1, le=MOST_CENTS)], ...],
        Meta(max_length=12),
        key(
            "live",
            "What each chip of this table is worth. The rack has them, and pay and take states in which chips to pay. "
            "Empty: the usual ones in the rack, and amounts only.",
            "cents",
        ),
    ] = ()


CelebratedHand = Literal[
    "dragon_7", "panda_8", "full_house", "four_of_a_kind", "straight_flush", "royal_flush", "five_of_a_kind"
]


class DisplayConfig(_Section, frozen=True):
    """How the players' display draws the roads (docs/table/display.md), and in which languages the screens are
    (docs/table/languages.md)."""

    tail: Annotated[
        Tail,
        key(
            "live",
            "How a dragon tail is drawn. It stays on its row, drops again where there is room, or the next column "
            "keeps clear of it.",
        ),
    ] = "stay"
    ask_marks: Annotated[bool, key("live", "Show what the derived roads would get if Banker, or Player, won next.")] = (
        True
    )
    language: Annotated[
        Language,
        key(
            "live",
            "Of screens and consoles where nobody chose another one: en, es, zh-Hans, zh-Hant, vi, tl, or one of the "
            "house's own (docs/table/languages.md).",
        ),
    ] = "en"
    other_languages: Annotated[
        tuple[Language, ...], key("live", "What the players' display shows after it, in turn; empty: that one alone.")
    ] = ()
    language_turn_s: Annotated[
        int, Meta(ge=5, le=3600), key("live", "How long it shows each of them, in seconds.", "s")
    ] = 30
    words: Annotated[
        Folder,
        key("live", "Folder of the house's own words, one file for a language, `es.ftl`; empty: it has none."),
    ] = ""
    house_folder: Annotated[
        Folder,
        key(
            "live",
            "Folder with the house's `logo.*` and slides, PNG, JPEG or WebP; empty: none. A picture may have 2 MB and "
            "4096 pixels each way; up to 24 pictures and 16 MB are shown.",
        ),
    ] = ""
    slide_s: Annotated[
        int,
        Meta(ge=3, le=600),
        key("live", "How long each slide stays while no cards are out.", "s"),
    ] = 12
    pixel_shift: Annotated[
        bool,
        key("live", "Move the whole picture by a few pixels every minute, against burn-in."),
    ] = True
    dim_after_min: Annotated[
        int,
        Meta(ge=0, le=1440),
        key("live", "Time after which the screen of a closed table is dimmed; 0: never.", "min"),
    ] = 15
    celebrate: Annotated[
        tuple[CelebratedHand, ...],
        key("live", "Hands that get a moment of their own on the wall when they win. Empty: none."),
    ] = ()
    sounds: Annotated[
        bool,
        key("live", "A sound with it. The browser of the wall screen must be allowed to play one by itself."),
    ] = False

    @property
    def words_folder(self) -> Path | None:
        return Path(self.words) if self.words else None


class DeviceConfig(_Section, frozen=True):
    """A device of the table; the section is written once for each. `cutcard devices list` finds them."""

    id: Annotated[Name, key("live", "The name that the cardroom gives it.")]
    kind: Annotated[KindName, key("live", "What it is.")]
    url: Annotated[
        str,
        key("live", "Where it is: a port by its path or USB identity, or a URL (docs/operations/technician.md)."),
    ]
    baud: Annotated[int, Meta(ge=300, le=4_000_000), key("live", "Speed of the line.", "baud")] = 115200
    required: Annotated[bool, key("live", "Its port must be there when the daemon starts.")] = True
    options: Annotated[
        dict[str, Any],
        key("live", "Settings of this kind of device; its page in docs/protocols lists them."),
    ] = {}

    @property
    def spec(self) -> DeviceSpec:
        """As its driver takes it."""
        return DeviceSpec(**msgspec.structs.asdict(self))


class FirmwareConfig(_Section, frozen=True):
    """Who the devices are and whose firmware they get (docs/operations/firmware.md)."""

    trust: Annotated[
        Reaction,
        key(
            "restart",
            "What follows when a device is not the one that was enrolled, or not as it was: nothing, a flag, a "
            "refusal.",
        ),
    ] = "any"
    reactions: Annotated[dict[Finding, Reaction], key("restart", "Exceptions from trust, by what was found.")] = {}
    signers: Annotated[
        dict[Name, PublicKey], key("restart", "Ed25519 public keys whose images this site takes, by name.")
    ] = {}
    anti_rollback: Annotated[bool, key("restart", "No device is given an older version than it has.")] = True


class UpdatesConfig(_Section, frozen=True):
    """Updates by signed reference (docs/mqtt/references.md). Without a key and an address, none is taken."""

    keys: Annotated[
        dict[Name, PublicKey],
        key("restart", "Ed25519 public keys whose references are taken, by name (`cutcard reference keygen`)."),
    ] = {}
    addresses: Annotated[
        tuple[AddressPrefix, ...],
        key("restart", "Where they may be fetched from, and from nowhere else: what an address must begin with."),
    ] = ()
    ca: Annotated[
        str | None,
        key("restart", "Certificate of the site's own authority, which alone vouches for a server of https addresses."),
    ] = None
    max_age_hours: Annotated[
        int,
        Meta(ge=1, le=8760),
        key("restart", "How long after its signing a reference is taken.", "hours"),
    ] = 72
    within_s: Annotated[int, Meta(ge=1, le=3600), key("restart", "How long fetching may take, as a whole.", "s")] = 120
    max_mb: Annotated[
        int,
        Meta(ge=1, le=1024),
        key("restart", "How large a software package may be. Staff and configuration: 1 MB.", "MB"),
    ] = 256


class Config(_Section, frozen=True, kw_only=True):
    """The whole file."""

    site: Annotated[SiteName, key("restart", "The cardroom; part of every MQTT topic: cutcard/v2/{site}/{table}/...")]
    table: Annotated[Name, key("restart", "The table; part of the topic too.")]
    data: Annotated[str, key("restart", "Folder of journal, staff and console token.")] = "data"
    test: Annotated[bool, key("restart", "Test mode: every event and screen says TEST.")] = False
    clock: Annotated[
        Literal["system", "devices"],
        key(
            "restart",
            "Which clock is used. `devices`: the time of the simulated devices, so that a seeded run is the same "
            "on every machine; in test mode only.",
        ),
    ] = "system"
    seed: Annotated[
        Seed,
        key(
            "restart",
            "Seed of the journal's random bytes, so that a simulated run has the same journal each time. In test mode "
            "only. Empty: they come from the system.",
        ),
    ] = ""
    rules: RulesConfig
    seating: TableConfig = TableConfig()
    drop: DropConfig = DropConfig()
    jackpots: Annotated[
        tuple[JackpotConfig, ...],
        key("between rounds", "The house's jackpots. Without any, a fee for one is counted all the same."),
    ] = ()
    report: ReportConfig = ReportConfig()
    mqtt: MqttConfig = MqttConfig()
    web: WebConfig = WebConfig()
    certificates: CertificatesConfig = CertificatesConfig()
    display: DisplayConfig = DisplayConfig()
    console: ConsoleConfig = ConsoleConfig()
    journal: JournalConfig = JournalConfig()
    firmware: FirmwareConfig = FirmwareConfig()
    updates: UpdatesConfig = UpdatesConfig()
    devices: tuple[DeviceConfig, ...] = ()

    @property
    def brokers(self) -> dict[str, MqttSettings]:
        """By name, as the publishers take them."""
        return {broker.name: broker.settings(self.site, self.table) for broker in self.mqtt.broker}
