"""What the page reads of a table's state document. What it does not read may be of any form: the contract only adds."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from controller.contract.messages import (
    AwaitedCount,
    AwayPlayer,
    CountedBox,
    DeviceState,
    HeldFor,
    Limits,
    Milliseconds,
    PostedSchedule,
    ReadingsInForce,
    SeatedPerson,
    SignedOnDealer,
)

Cents = Annotated[int, Meta(ge=-(10**15), le=10**15)]
Count = Annotated[int, Meta(ge=0, le=2**53)]
"""A table may publish any number. One that no program can calculate with makes its state unreadable, and no other's."""


class LiveBanker(Struct, frozen=True):
    """The player-dealer, where the position rotates."""

    place: int | str
    hand: Count
    name: str = ""
    firm: str = ""


class LiveAlarm(Struct, frozen=True):
    """Something that is wrong now."""

    text: str
    severity: str
    since: Milliseconds
    device: str | None = None
    box: str | None = None
    acknowledged_by: str | None = None
    acknowledged_at: Milliseconds | None = None


class LiveBox(Struct, frozen=True):
    """A slot for a drop box, and the box in it."""

    box: str
    is_in: bool
    box_id: str
    seal: str
    since: Milliseconds
    due: Cents
    pieces: Count
    low: Cents
    high: Cents | None
    short: Cents
    unexplained: str | None
    to_be_counted: tuple[AwaitedCount, ...] = ()
    last_count: CountedBox | None = None


class LiveShoe(Struct, frozen=True):
    """How far a shoe is dealt."""

    number: Count
    decks: Count | None
    cards_out: Count
    cut_card: bool
    rounds: Count
    unfit: str


class LivePack(Struct, frozen=True):
    """Cards that were shuffled and counted as one."""

    number: Count
    back: str
    cards: Count | None
    device: str


class LivePacks(Struct, frozen=True):
    ready: LivePack | None
    in_play: LivePack | None
    withdrawn: bool


class LiveLast(Struct, frozen=True):
    """How the last round ended."""

    outcome: Any = None
    fees: dict[str, int] = {}
    bank_net: Cents = 0
    void: bool = False


class LivePage(Struct, frozen=True):
    """Where other machines reach the table's page and its metrics."""

    host: str
    port: int
    tls: bool


class LiveState(Struct, frozen=True, tag_field="document", tag="state"):
    """A table now."""

    journal: str
    at: Milliseconds
    version: str
    open: bool
    ruleset: str
    title: str
    digest: str
    schedule: PostedSchedule | None
    readings: ReadingsInForce | None
    options: dict[str, Any]
    limits: Limits
    dealer: SignedOnDealer | None
    seats: tuple[int, ...]
    people: tuple[SeatedPerson, ...]
    away: tuple[AwayPlayer, ...]
    player_dealer: int | None
    banker: LiveBanker | None
    test: bool
    seq: Count
    round: Count
    round_began: Milliseconds | None
    phase: str
    phase_since: Milliseconds | None
    prompt: str
    waits_since: Milliseconds | None
    held: HeldFor | None
    hands: dict[str, tuple[str | None, ...]]
    last: LiveLast | None
    shoe: LiveShoe | None
    packs: LivePacks
    boxes: tuple[LiveBox, ...]
    devices: dict[str, DeviceState]
    alarms: dict[str, LiveAlarm]
    clock: str
    fees_due: dict[str, int]
    page: LivePage | None = None


decode_state = msgspec.json.Decoder(LiveState).decode
