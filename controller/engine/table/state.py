"""What outlives a round, as frozen values: the journal's snapshot.

A round can always be run again from the state it began in, so recovery and correction are the same replay.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Generic, Literal

from msgspec import Struct
from msgspec.structs import replace

from controller.engine.bank.banking import Turns
from controller.engine.bank.people import People
from controller.engine.bank.rotation import Rotation
from controller.engine.drop.books import Reckoning
from controller.engine.fees.carried import Carried
from controller.engine.fees.clock import FeeClock
from controller.engine.jackpot.meters import Jackpots
from controller.engine.procedures.conduct import Conduct
from controller.engine.procedures.rules import NO_PROCEDURES, Procedures
from controller.engine.round.game import Game, OptionsT
from controller.engine.round.setup import Setup
from controller.engine.shoe.counters import Counters
from controller.engine.shoe.packs import Account, Packs
from controller.engine.shoe.shoe import Shoe

CARD_DEVICES = frozenset({"shoe", "shuffler", "card_reader"})
"""Kinds of devices that deliver a round's cards."""
AWAY = frozenset({"offline", "wrong_device"})
"""States of a device that does not answer, or that is another one."""


class Device(Struct, frozen=True, omit_defaults=True):
    state: str
    facts: dict[str, str] = {}
    boot: str = ""


class NamedReading(Struct, frozen=True):
    """A place where a reading decides, and the digest by which the house confirms it."""

    name: str
    digest: str


class Postable(Struct, frozen=True):
    """A collection schedule that may be posted."""

    chosen: str
    """Its id, as the option `schedule` has it."""
    label: str


class Rules(Struct, Generic[OptionsT], frozen=True):
    """A ruleset prepared for a table: the script and its options."""

    game: Game[OptionsT]
    options: OptionsT
    digest: str = ""
    rotation: Rotation | None = None
    """Of the player-dealer's position; None where the game has none."""
    readings: tuple[NamedReading, ...] = ()
    """What the house confirms before a live table is dealt by these rules."""
    lacks_collection: str = ""
    """Why a live table may not open by these rules: no collection is posted, and none was chosen where a line allows
    it. Empty: one is."""
    procedures: Procedures = NO_PROCEDURES
    schedules: Callable[[], tuple[Postable, ...]] = tuple
    """The schedules that may be posted, listed when somebody looks for them."""


class NoSuchRules(Exception):
    """There is no such ruleset, or it has no such option; the text is a sentence for people."""


Resolver = Callable[[str, Mapping[str, Any]], Rules[Any]]
"""Finds a ruleset by its name and fills in what the table chose; `NoSuchRules` where that cannot be."""


class Terms(Struct, frozen=True, omit_defaults=True):
    """Rules and limits of a table."""

    ruleset: str
    options: dict[str, Any] = {}
    min_wager: int = 0
    max_wager: int | None = None

    def limit(self, setup: Setup) -> Setup:
        """The setup with these limits."""
        return replace(setup, min_wager=self.min_wager, max_wager=self.max_wager)


class Chosen(Struct, frozen=True):
    """Terms chosen at the running table, and those of the configuration that they replace: they apply until others are
    chosen or the configuration changes."""

    terms: Terms
    instead_of: Terms


class Alarm(Struct, frozen=True, omit_defaults=True):
    """What is recorded of an alarm. It is over when it is cleared, acknowledged or not."""

    text: str
    raised_at: int
    acknowledged_by: str = ""
    acknowledged_at: int = 0
    cleared_at: int = 0
    settled_by: str = ""
    """Who stated what was found; empty where it was cleared by what raised it."""
    reason: str = ""


class Answer(Struct, frozen=True, omit_defaults=True):
    """The answer to a remote request, kept until the request has expired."""

    expires: int
    digest: str
    ok: bool
    why: str = ""
    text: str = ""


class Difference(Struct, frozen=True):
    """An entry of the journal that a replay at start did not reproduce; the floor has not accepted it yet."""

    entry: int
    text: str
    running: bool
    """A round was running, which cannot go on."""


class TpmCount(Struct, frozen=True, omit_defaults=True):
    """What the journal knows of the board's TPM counter."""

    value: int
    is_counting: bool = False
    """It may have counted one more: the entry that says so is not there yet."""


class Stored(Struct, frozen=True, omit_defaults=True):
    """What a store has confirmed: every event up to this one."""

    seq: int
    link: str
    at: int = 0
    """By the store's clock."""


class UpdateSeen(Struct, frozen=True):
    """An update by signed reference that was taken."""

    serial: int
    sha256: str


class TableState(Struct, frozen=True, omit_defaults=True, gc=False):
    """What outlives a round. Encodes to JSON: it is the journal's snapshot."""

    setup: Setup
    ruleset: str = ""
    options: dict[str, Any] = {}
    rounds: int = 0
    """Rounds begun so far; the number of the last one."""
    test: bool = False
    digest: str = ""
    configuration: str = ""
    """SHA-256 of the daemon's configuration file."""
    confirmed: tuple[str, ...] | None = None
    """Digests of the readings that the house has confirmed; None: none is asked for."""
    shoe: Shoe | None = None
    previous_shoe: Shoe | None = None
    earlier_shoes: tuple[str, ...] = ()
    """The shown cards of some earlier shoes, the last one first, for the watch on the next."""
    packs: Packs = Packs()
    ledger: dict[str, Account] = {}
    """Packs that are out of play again, by the colour of their backs."""
    turns: Turns = Turns()
    """Who had the player-dealer's position, and for how many hands."""
    people: People = People()
    """Who sits where, as far as it was stated."""
    chips: dict[str, int] = {}
    """The last stack that was set for each seat: who comes back with chips does not buy in."""
    conduct: Conduct = Conduct()
    """Procedures beside the rounds: cards to be burned, who is away, who bought in."""
    devices: dict[str, Device] = {}
    alarms: dict[str, str] = {}
    """What is wrong now, by name, in a sentence."""
    dropped: dict[str, int] = {}
    """Pieces that fell into each box since its sensor was first connected."""
    fees_due: dict[str, int] = {}
    """Cents that rounds owed to each box, from the first round on."""
    time_fees_due: dict[str, int] = {}
    """Cents that players owed to each box by the clock."""
    fees_carried: Carried = Carried()
    """What the last round leaves to the next one's fees."""
    fee_clock: FeeClock | None = None
    """Where players pay by time: when the next fee falls due."""
    jackpots: Jackpots = Jackpots()
    """The meters of the jackpots, and what the last rounds gave to them."""
    drop: Reckoning = Reckoning()
    """Due against dropped: the books of the boxes, and who deals."""
    marks: dict[str, dict[str, Any]] = {}
    """By sensor: the mark up to which its reports were applied."""
    stops: dict[str, str] = {}
    """What prevents a new round, by name, in a sentence."""
    alarm_lives: dict[str, Alarm] = {}
    """Every alarm, raised or over, with who has acknowledged it."""
    accepted: dict[str, str] = {}
    """Alarms that the floor has cleared although their cause goes on, by name, with their text."""
    differs: Difference | None = None
    """Why the table is held since its start."""
    closed: bool = False
    """No round may begin."""
    retired: bool = False
    """The table is out of use: its journal has ended."""
    clock: Literal["synced", "free"] = "free"
    """Whether a time server keeps the board's clock."""
    tpm: TpmCount | None = None
    """The counter of the board's TPM; None: it was never asked."""
    updates: dict[str, UpdateSeen] = {}
    """The last update by signed reference, by what it was of."""
    stores: dict[str, Stored] = {}
    """What each store has, by its name."""
    chosen: Chosen | None = None
    """Rules and limits chosen at the table, in place of the configuration's."""
    answers: dict[str, Answer] = {}
    """To remote requests that may be repeated."""
    seen: dict[str, str] = {}
    """Last number of each device, by which a repeat after a restart is recognised."""
    counters: dict[str, Counters] = {}
    """The counters of each dealing device, by its id."""

    @property
    def silent_boxes(self) -> frozenset[str]:
        """Boxes whose sensor is offline, itself or its whole bus."""
        away = {name for name, device in self.devices.items() if device.state in AWAY | {"removed"}}
        sensors = (name.rpartition(".") for name in self.marks)
        return frozenset(box for bus, _, box in sensors if bus in away or f"{bus}.{box}" in away)

    @property
    def all_fees_due(self) -> dict[str, int]:
        """Cents owed to each box so far, by rounds and by the clock."""
        less = self.drop.let_off
        boxes = self.fees_due.keys() | self.time_fees_due.keys()
        return {
            box: self.fees_due.get(box, 0) + self.time_fees_due.get(box, 0) - less.get(box, 0) for box in sorted(boxes)
        }


BESIDE_THE_ROUND = (
    "people",
    "conduct",
    "packs",
    "ledger",
    "devices",
    "alarms",
    "alarm_lives",
    "accepted",
    "stops",
    "closed",
    "retired",
    "clock",
    "tpm",
    "stores",
    "updates",
    "answers",
    "dropped",
    "time_fees_due",
    "fee_clock",
    "drop",
    "marks",
    "seen",
    "counters",
    "test",
    "configuration",
    "confirmed",
)
"""What changed beside a round and stays as it is when the round is run again."""
