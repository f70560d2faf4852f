"""What a table publishes besides answers to requests, as values. The payloads are their JSON.

The retained documents are one tagged union, by `document`; events are one by `kind`. `schema` makes the JSON Schemas in
docs/mqtt from these types: what is not here is not published.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Raw, Struct

from controller.engine.bank.banking import Banker
from controller.engine.cards.card import Face
from controller.engine.events import Line, Pot
from controller.engine.expect.at_any_time import AtAnyTime
from controller.engine.expect.wants import AnyWant
from controller.engine.jackpot.meters import Proposal, PublishedMeter

Currency = Annotated[Literal["USD"], Meta(title="Currency")]
"""The currency of every amount of money in its message. Amounts are whole cents."""
CURRENCY: Currency = "USD"
CONTENT_TYPE = "application/json"
"""Of every payload: the content type property of MQTT 5. It is in UTF-8, which the payload format indicator states."""

ClockQuality = Annotated[Literal["synced", "free", "stepped"], Meta(title="ClockQuality")]
Milliseconds = Annotated[
    int, Meta(description="Milliseconds since 1970-01-01 UTC, by the table's clock.", ge=0, le=10**14)
]
Seq = Annotated[int, Meta(description="The table's gapless number of an event.", ge=0)]
JournalId = Annotated[
    str,
    Meta(
        description="The table's journal: random, made with it. Another one: numbers start again from 1.",
        pattern="^[0-9a-f]{32}$",
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
    """The round it belongs to: the running one, or the last before it."""
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
    cut_card: bool
    cards_out: int
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
    raised_at: Milliseconds
    acknowledged_by: str | None
    acknowledged_at: Milliseconds | None
    cleared_at: Milliseconds | None
    to_do: str = ""
    """For people: what to do about it."""
    ends: str = ""
    """It is cleared when ..."""
    settled_by: str | None = None
    """The floor person who cleared it by stating what was found; null: what raised it is over."""
    reason: str | None = None
    """What was found."""


class StateDocument(Struct, frozen=True, tag_field="document", tag="state"):
    """The retained state of a table: game, phase, what it waits for, shoe, devices, alarms."""

    journal: JournalId
    site: str
    table: str
    currency: Currency
    open: bool
    """Whether rounds may begin."""
    ruleset: str
    digest: str
    """Digest of the rules in force."""
    limits: Limits
    seats: tuple[int, ...]
    player_dealer: int | None
    """Null where the game has none, or nobody banks yet."""
    banker: Banker | None
    """The same with his person, firm and hand; null where the position does not rotate."""
    test: bool
    seq: Seq
    """The last event that led to this state."""
    round: int
    phase: Literal["waiting", "betting", "dealing", "settled", "held", "closed"]
    prompt: str
    wants: tuple[AnyWant, ...]
    at_any_time: AtAnyTime
    """What the floor may do beside what the table waits for."""
    held: HeldFor | None
    hands: dict[str, tuple[Face | None, ...]]
    """Exposed cards; null for one that is face down or was not read."""
    last: LastRound | None
    shoe: ShoeDocument | None
    previous_shoe: ShoeDocument | None
    devices: dict[str, DeviceState]
    alarms: dict[str, str]
    """What is wrong now, by name, in a sentence."""
    clock: ClockQuality
    """Whether a time server keeps the board's clock. `stepped`: it was set, and the floor has not stated why."""
    fees_due: dict[str, int]
    """Cents owed to each drop box so far, the running round included: the sum of the fee ledger (`fee_changed`)."""
    jackpots: tuple[PublishedMeter, ...]
    """The meters of this table."""
    jackpot_proposals: tuple[Proposal, ...]
    """Hands that may be a hit, about which the floor has not decided yet."""
    jackpot_fees_aside: dict[int, int]
    """Cents of jackpot fees of void rounds, by round, about which the floor has not decided yet."""


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


RETAINED: dict[str, type[Struct]] = {
    "State": StateDocument,
    "Device": DeviceDocument,
    "Alarm": AlarmDocument,
    "Online": Online,
    "Head": HeadDocument,
}
"""The retained documents by the names of their schemas. Each has the field `document`, which states which it is."""

encode = msgspec.json.Encoder().encode
