"""What a table publishes besides answers to requests, as values. The payloads are their JSON.

The retained documents are one tagged union, by `document`; events are one by `kind`. `schema` makes the JSON Schemas in
docs/mqtt from these types: what is not here is not published.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Raw, Struct

from controller.engine.actor import Actor
from controller.engine.alarms import Severity
from controller.engine.bank.banking import Banker
from controller.engine.cards.card import Face
from controller.engine.events import Line, Pot
from controller.engine.expect.at_any_time import AtAnyTime
from controller.engine.expect.wants import AnyWant
from controller.engine.inputs import Place
from controller.engine.jackpot.meters import Proposal, PublishedMeter
from controller.engine.table.waiting import Phase

Currency = Annotated[Literal["USD"], Meta(title="Currency")]
"""The currency of every amount of money in its message. Amounts are whole cents."""
CURRENCY: Currency = "USD"
CONTENT_TYPE = "application/json"
"""Of every payload: the content type property of MQTT 5. It is in UTF-8, which the payload format indicator states."""

ClockQuality = Annotated[Literal["synced", "free", "stepped"], Meta(title="ClockQuality")]
Milliseconds = Annotated[
    int, Meta(description="Milliseconds since 1970-01-01 UTC, by the table's clock.", ge=0, le=10**14)
]
ClockTime = Annotated[str, Meta(description="By the clock on the wall, 06:00.", pattern="^[0-2][0-9]:[0-5][0-9]$")]
Seq = Annotated[int, Meta(description="The table's gapless number of an event.", ge=0)]
JournalId = Annotated[
    str,
    Meta(
        description="The table's journal: random, made with it. Another one: numbers start again from 1.",
        pattern="^[0-9a-f]{32}$",
    ),
]
RoundId = Annotated[
    str,
    Meta(
        description="The round, unique among all tables and journals: the journal's id, a dash, the round's number.",
        pattern="^[0-9a-f]{32}-[0-9]+$",
    ),
]
Sha256 = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]


class Envelope(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """One event on its way to the cardroom.

    `seq` is the journal's gapless number: a repeat has a seq that was seen, a hole shows as one that was skipped.
    `hash` is that of the event's journal entry, `link` that of the public chain. The bytes up to `link` are made by
    `controller.journal.published` and never change; a later field comes after it.
    """

    seq: Annotated[int, Meta(ge=1)]
    journal: JournalId
    site: str
    table: str
    round: Annotated[int, Meta(ge=0)]
    """The round it belongs to: the running one, or the last before it. 0: before the first."""
    round_id: RoundId
    at: Milliseconds
    """When the input that caused it happened."""
    kind: str
    currency: Currency
    """Of every amount in `body`; amounts are whole cents."""
    body: Raw
    hash: Sha256
    """SHA-256 of its journal entry, which has the hash of the entry before it in it."""
    test: bool = False
    """Present, and true, when the table was in test mode: it involved no money."""
    by: Actor | None = None
    """Present when a person caused it: who, in which role, and where."""
    link: Sha256
    """SHA-256 of the link of the event before and the bytes of this message up to here."""
    historical: bool = False
    """Present, and true, when it had happened before this connection was made, or was asked for again."""


class Online(Struct, frozen=True, omit_defaults=True, tag_field="document", tag="online"):
    """Whether the table's daemon is connected. `session` names one run of the daemon."""

    online: bool
    session: str
    journal: JournalId
    since: Milliseconds | None = None
    """When the connection was made."""


class Limits(Struct, frozen=True):
    """What a wager may be: the limits in force, by the posted schedule, the options or the table's own; null: no limit
    but the ruleset's."""

    min_cents: int
    max_cents: int | None


class HeldFor(Struct, frozen=True):
    """Why the table waits for the floor: a code for programs, a sentence for people."""

    code: str
    text: str


class LastRound(Struct, frozen=True):
    """How the last round ended; shape of `outcome`, `hands` and `totals` is the game's own."""

    outcome: Any = None
    hands: dict[str, Any] = {}
    totals: dict[str, Any] = {}
    flags: dict[str, bool] = {}
    lines: tuple[Line, ...] = ()
    bank_net: int = 0
    pots: tuple[Pot, ...] = ()
    returned: dict[str, int] = {}
    fees: dict[str, int] = {}
    """Cents that it owed each box."""
    void: bool = False


class ShoeDocument(Struct, frozen=True):
    """A shoe: how far it is dealt, and the game's own board of its rounds."""

    number: int
    decks: int | None
    """As it was declared; null: nobody stated it."""
    cards: int | None
    """As the shoe counted them when it was loaded; null: it cannot."""
    cut_card: bool
    cards_out: int
    """Cards that have left it, read or not."""
    rounds: int
    """Rounds that were dealt from it."""
    unfit: str
    """Why no round may begin from it; empty: one may."""
    board: dict[str, Any]


class DeviceState(Struct, frozen=True):
    """The state of a device: online, offline, fault, wrong_device, …, and what is known of it."""

    state: str
    facts: dict[str, str]


class DeviceDocument(Struct, frozen=True, tag_field="document", tag="device"):
    """The retained document of one device."""

    journal: JournalId
    site: str
    table: str
    device: str
    state: str
    facts: dict[str, str]


class AlarmDocument(Struct, frozen=True, tag_field="document", tag="alarm"):
    """The retained document of one alarm, from when it is raised until long after it is cleared."""

    journal: JournalId
    site: str
    table: str
    alarm: str
    state: Literal["raised", "cleared"]
    text: str
    """What is wrong; of one that is cleared, what was."""
    raised_at: Milliseconds
    acknowledged_by: str | None
    acknowledged_at: Milliseconds | None
    cleared_at: Milliseconds | None
    to_do: str = ""
    """For people: what to do about it."""
    ends: str = ""
    """It is cleared when ..."""
    severity: Severity = "warning"
    device: str | None = None
    """The device that it is about."""
    box: str | None = None
    """The drop box that it is about."""
    settled_by: str | None = None
    """The floor person who cleared it by stating what was found; null: what raised it is over."""
    reason: str | None = None
    """What was found."""


class StoreState(Struct, frozen=True):
    """What a store has confirmed."""

    store: str
    seq: Seq
    """Every event up to this one, by the newest receipt in the journal."""
    at: Milliseconds
    """When it had them, by its own clock."""
    lag: Annotated[int, Meta(ge=0)]
    """The number of events after that one."""


class PostedSchedule(Struct, frozen=True):
    """The collection schedule that is posted."""

    id: str
    option: str
    """As the document names it."""
    source: str
    """Where it is printed."""


class ReadingsInForce(Struct, frozen=True):
    """The points of the rules that the house has to confirm, and which of them it has not."""

    total: int
    not_confirmed: tuple[str, ...]
    """By name. A live table deals no round by them."""


class SignedOnDealer(Struct, frozen=True):
    """Who deals."""

    name: str
    since: Milliseconds


class SeatedPerson(Struct, frozen=True):
    """Who is at a seat or square, as far as it was stated."""

    place: Place
    name: str
    badge: str
    firm: str


class AwayPlayer(Struct, frozen=True):
    """A player who keeps his seat while he is away."""

    seat: int
    since: Milliseconds
    is_over: bool
    """He is away for longer than the text allows."""


class PackDocument(Struct, frozen=True):
    """Cards that were shuffled and counted as one."""

    number: int
    back: str
    """Colour of the backs; empty: not known."""
    cards: int | None
    """As counted."""
    device: str
    """The machine that shuffled it; empty: by hand."""


class PacksDocument(Struct, frozen=True):
    """The packs of the table."""

    ready: PackDocument | None
    """Shuffled and counted, and not in play yet."""
    in_play: PackDocument | None
    withdrawn: bool
    """The last round was void, and its pack has not been replaced."""


class CountedBox(Struct, frozen=True):
    """What the count room found in a box."""

    box_id: str
    cents: int
    due: int
    at: Milliseconds


class AwaitedCount(Struct, frozen=True):
    """A box that was taken out and is not counted yet."""

    box_id: str
    seal: str
    due: int
    """Cents that it should hold."""
    since: Milliseconds
    """When it was taken out."""


class BoxDocument(Struct, frozen=True):
    """One slot for a drop box, and the box in it."""

    box: str
    """The slot: `collection`, `jackpot`."""
    is_in: bool
    box_id: str
    """Empty: not known."""
    seal: str
    since: Milliseconds
    """When it was put in, or first met."""
    due: int
    """Cents that rounds and the clock owed it since then; those of the running round are added when it is over."""
    pieces: int
    """What fell into it since then, as the sensor counts."""
    low: int
    """The least that those are worth, cents."""
    high: int | None
    """The most; null: not known."""
    short: int
    """Cents of fees that were judged missing, and nobody has explained."""
    unexplained: str | None
    """What differs, in a sentence; null: nothing does."""
    next_box_id: str
    """The box that was announced as the next; empty: none was."""
    to_be_counted: tuple[AwaitedCount, ...]
    last_count: CountedBox | None


class OpenAlarm(Struct, frozen=True):
    """Something that is wrong now."""

    text: str
    severity: Severity
    since: Milliseconds
    device: str | None
    """The device that it is about; null: it is about none."""
    box: str | None
    """The drop box that it is about."""
    acknowledged_by: str | None
    """Null: nobody has seen it yet."""
    acknowledged_at: Milliseconds | None


class PageAddress(Struct, frozen=True):
    """Where other machines reach a table's page and its metrics."""

    host: str
    """A name or an address."""
    port: int
    tls: bool


class StateDocument(Struct, frozen=True, tag_field="document", tag="state"):
    """The retained state of a table: game, phase, what it waits for, people, shoe, boxes, devices, alarms."""

    journal: JournalId
    site: str
    table: str
    at: Milliseconds
    """When the last input happened that led to this state."""
    version: str
    """Of the table's program."""
    currency: Currency
    open: bool
    """Whether rounds may begin."""
    ruleset: str
    title: str
    """What the approval calls the game."""
    digest: str
    """Digest of the rules in force."""
    schedule: PostedSchedule | None
    """Null: none is posted."""
    readings: ReadingsInForce | None
    """Null in test mode, where none must be confirmed."""
    options: dict[str, Any]
    """The ruleset's options that were chosen for this table, in place of its defaults."""
    limits: Limits
    dealer: SignedOnDealer | None
    """Null: nobody is signed on."""
    seats: tuple[int, ...]
    """Seats that are occupied."""
    people: tuple[SeatedPerson, ...]
    """Who is at them, as far as it was stated."""
    away: tuple[AwayPlayer, ...]
    player_dealer: int | None
    """His seat. Null where the game has none, or nobody banks yet."""
    banker: Banker | None
    """The same with his person, firm and hand; null where the position does not rotate."""
    test: bool
    seq: Seq
    """The last event that led to this state."""
    round: int
    """The round that is running, or the last one."""
    round_id: RoundId
    round_began: Milliseconds | None
    """When the running round began; null between rounds."""
    phase: Phase
    phase_since: Milliseconds | None
    prompt: str
    """What the table waits for, for people."""
    waits_since: Milliseconds | None
    """Since when it waits for that."""
    wants: tuple[AnyWant, ...]
    """The same, for programs."""
    at_any_time: AtAnyTime
    """What the floor may do beside what the table waits for."""
    held: HeldFor | None
    hands: dict[str, tuple[Face | None, ...]]
    """Exposed cards; null for one that is face down or was not read."""
    last: LastRound | None
    shoe: ShoeDocument | None
    previous_shoe: ShoeDocument | None
    packs: PacksDocument
    boxes: tuple[BoxDocument, ...]
    devices: dict[str, DeviceState]
    alarms: dict[str, OpenAlarm]
    """What is wrong now, by name."""
    clock: ClockQuality
    """Whether a time server keeps the board's clock. `stepped`: it was set, and the floor has not stated why."""
    time_zone: str
    """The house's, as IANA names it."""
    shifts: dict[str, ClockTime]
    """When each shift begins, in that zone; it lasts until the next one begins."""
    fees_due: dict[str, int]
    """Cents owed to each drop box so far, the running round included: the sum of the fee ledger (`fee_changed`)."""
    jackpots: tuple[PublishedMeter, ...]
    """The meters of this table."""
    jackpot_proposals: tuple[Proposal, ...]
    """Hands that may be a hit, about which the floor has not decided yet."""
    jackpot_fees_aside: dict[int, int]
    """Cents of jackpot fees of void rounds, by round, about which the floor has not decided yet."""
    stores: tuple[StoreState, ...]
    """What stores have of this table, by their receipts."""
    page: PageAddress | None
    """The table's own page and its metrics; null where only the board itself reaches it."""


class HeadDocument(Struct, frozen=True, tag_field="document", tag="head"):
    """The newest signed checkpoint: where both chains of the journal ended. The signature (Ed25519) is over the text
    `cutcard checkpoint`, a zero byte, and the bytes of this message before `,"signature":`."""

    journal: JournalId
    site: str
    table: str
    entry: Annotated[int, Meta(ge=0)]
    """The number of the last entry."""
    seq: Seq
    """The last event."""
    hash: Sha256
    """Of that entry."""
    link: Sha256
    """Of that event."""
    at: Milliseconds
    key: Sha256
    """The board's public key, as hex digits."""
    signature: Annotated[str, Meta(pattern="^[0-9a-f]{128}$")]


class CertificateDocument(Struct, frozen=True, tag_field="document", tag="certificate"):
    """The table's certificate for one of its brokers. The signature (Ed25519) is over the text `cutcard certificate`, a
    zero byte, and the bytes of this message before `,"signature":`."""

    journal: JournalId
    site: str
    table: str
    broker: str
    """As the table's configuration names it."""
    expires_at: Milliseconds
    request: Annotated[str, Meta(max_length=4096)] | None
    """A signing request in PEM for the next one; null: none is needed yet."""
    key: Sha256
    """The board's public key, as hex digits."""
    signature: Annotated[str, Meta(pattern="^[0-9a-f]{128}$")]


class ReceiptDocument(Struct, frozen=True, tag_field="document", tag="receipt", forbid_unknown_fields=True):
    """What a store has, retained by the store: every event of this journal up to `seq` is durable there."""

    journal: JournalId
    seq: Annotated[int, Meta(ge=1, le=2**53)]
    link: Sha256
    """Of event `seq`, as the store received it."""
    at: Milliseconds
    """When the store had it, by the store's clock."""


RETAINED: dict[str, type[Struct]] = {
    "State": StateDocument,
    "Device": DeviceDocument,
    "Alarm": AlarmDocument,
    "Online": Online,
    "Head": HeadDocument,
    "Certificate": CertificateDocument,
    "Receipt": ReceiptDocument,
}
"""The retained documents by the names of their schemas. Each has the field `document`, which states which it is."""

encode = msgspec.json.Encoder().encode
