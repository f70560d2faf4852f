"""Everything that can happen at a table, as values.

An `Input` is made outside the engine (by a driver, the console, a command), is durable before it is applied, and holds
its own time: the engine has no clock. `by` is who or what it came from: a device ("device:shoe"), a person
("dealer", "floor:ann") or the board itself ("timer").

Every field has its bounds (`bounds.py`), for what comes from outside as for what is read from the journal again.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from controller.engine.actor import Actor
from controller.engine.body import Body
from controller.engine.bounds import (
    CardCode,
    Cards,
    Cents,
    Code,
    Count,
    Facts,
    MaybeCards,
    Milliseconds,
    Number,
    PersonName,
    Places,
    ReadingDigests,
    Seat,
    SeatOrSpot,
    Seats,
    TpmNumber,
    Wager,
    Words,
)
from controller.engine.facts import check_facts
from controller.engine.jackpot_inputs import JackpotAdjust, JackpotFee, JackpotHit, JackpotNotHit
from controller.engine.journal_inputs import ArchiveDropped, ArchiveMade, StoreConfirmed
from controller.engine.reading import read_json, read_plain
from controller.engine.slip_inputs import SlipRefused, TakenBack
from controller.engine.update_inputs import Reference, UpdateTaken

Place = int | str
"""A betting place: 3 is seat 3, "3.2" the second betting spot of seat 3."""


def seat_of(place: Place) -> int:
    return place if isinstance(place, int) else int(place.split(".")[0])


def spot_of(place: Place) -> int:
    """Which spot of its seat: 1 is the seat's own."""
    return 1 if isinstance(place, int) else int(place.partition(".")[2] or "1")


def place_of(text: Place) -> Place:
    """The one spelling of a place: 3, "3" and "3.1" are the same."""
    if isinstance(text, int):
        return text
    seat, _, spot = text.partition(".")
    return int(seat) if spot in ("", "1") else f"{int(seat)}.{int(spot)}"


class CardOut(Body, tag="card_out"):
    """A card left the shoe, the deck or the machine; `card` is null when it was not read, with the reason."""

    card: CardCode | None
    why: Words | None = None
    locked: bool = False
    """It left a shoe that was locked: an overdraw, whatever the table was waiting for."""


class StackOut(Body, tag="stack_out"):
    """A machine delivered a stack at once: codes where it reads cards, null for a card that it does not."""

    cards: MaybeCards


class WagerPlaced(Body, tag="wager"):
    """What is now on a betting spot for one wager; 0 takes it back."""

    place: SeatOrSpot
    wager: Code
    cents: Wager


class BankPosted(Body, tag="bank"):
    """The player-dealer's money, by spot."""

    spots: Annotated[tuple[Cents, ...], Meta(max_length=14)]


class BetsClosed(Body, tag="close_bets"):
    """ "No more bets", by the dealer or the timer."""


class FeesIn(Body, tag="fees_in"):
    """The dealer reports that the fees are in the box, where no sensor does."""


class Act(Body, tag="act"):
    """A person's decision."""

    seat: SeatOrSpot
    do: Code
    cents: Cents | None = None
    to: Cents | None = None
    """Poker: the seat's total of this betting round after the act."""
    cards: Cards | None = None
    front: Cards | None = None
    """Pai gow: the two cards in front; the rest is the back."""
    pile: Count | None = None
    by: Code | None = None
    """`house` where the house way is asked for."""
    facts: dict[str, Any] = {}
    """What else a game's act names (`facts.py`)."""


class DiceRolled(Body, tag="dice"):
    values: Annotated[tuple[Annotated[int, Meta(ge=1, le=6)], ...], Meta(max_length=8)]


class Revealed(Body, tag="reveal"):
    """Cards of one owner turned up and named, the first that were not read first, in their order in the hand."""

    owner: Code
    cards: Cards


class Happening(Body, tag="happening"):
    """An irregularity or device event, by the sheet's code. `cards` leave the deck with it, `card` is already out."""

    code: Code
    seat: Seat | None = None
    card: CardCode | None = None
    cards: Cards = ()
    facts: dict[str, Any] = {}


class FloorCalled(Body, tag="call_floor"):
    """Somebody at the table calls the floor, or ends the call. The game goes on: holding the table is another input."""

    reason: Words = ""
    is_over: bool = False


class FloorAct(Body, tag="floor"):
    """A supervisor's act: resume, use_next (stray cards are played next in their order), void."""

    do: Code
    reason: Words = ""
    seat: Seat | None = None
    """The position that the act names, where the table asks for one."""


class Change(Struct, frozen=True, omit_defaults=True):
    """One input of a round, by its index in the round, as it should have been; null strikes it out."""

    index: Count
    body: Any


class Amended(Body, tag="amend"):
    """A supervisor corrects inputs of the current or the last settled round; the round is re-run from its inputs."""

    round: Count
    changes: Annotated[tuple[Change, ...], Meta(max_length=64)]
    reason: Words
    preview: bool = False
    """Only report what would change. It is kept like every input, and changes nothing."""


class TableSet(Body, tag="table_set"):
    """Who sits where, between rounds. Absent fields keep their value."""

    seats: Seats | UnsetType = UNSET
    player_dealer: Seat | UnsetType | None = UNSET
    button: Seat | UnsetType | None = UNSET
    settings: dict[str, Any] | UnsetType = UNSET
    """What a game's table needs besides: structure, blinds, stacks (`table/settings.py` has their types)."""


class BankAnswered(Body, tag="bank_answer"):
    """Answers to the offer of the player-dealer's position: who declined, and who takes it.

    Without either: nobody takes it, so everybody who has not answered declined.
    """

    takes: SeatOrSpot | None = None
    """A seat, or a square of it where who bets there may bank."""
    declined: Places = ()


class BuyIn(Body, tag="buy_in"):
    """A player puts chips in front of him, between two hands."""

    seat: Seat
    cents: Cents


class PersonNamed(Body, tag="person"):
    """Who is at a seat or a square: a name, the number of a badge, the firm he acts for."""

    place: SeatOrSpot
    name: PersonName = ""
    badge: PersonName = ""
    firm: PersonName = ""
    another: bool = False
    """It is another person than the one who was there, named or not."""


class ShoeStarted(Body, tag="shoe_started"):
    """A shoe was loaded; `cards` as the shoe counted them itself."""

    decks: Annotated[int, Meta(ge=0, le=255)] | None = None
    cards: Count | None = None


class PackReported(Body, tag="pack"):
    """A pack is shuffled and counted: reported by a machine, or by the dealer who did it by hand; or it is not fit."""

    back: Code = ""
    """Colour of the backs, where it is known."""
    cards: Count | None = None
    """As counted."""
    device: Code = ""
    """The machine; empty: by hand."""
    problem: Words = ""
    """Why it may not be dealt."""


class CutCardOut(Body, tag="cut_card"):
    """The cut card left the shoe."""


class DeviceSeen(Body, tag="device"):
    """A device came, changed or went."""

    device: Code
    state: Code
    facts: Facts = {}
    boot: Code = ""
    """Its power-up, in hex, where it numbers its reports from one."""


class Noted(Body, tag="noted"):
    """A device's report that changes nothing at the table; kept, because a device's numbers have no gaps."""

    device: Code
    what: Code
    facts: Facts = {}


class Quarantined(Body, tag="quarantined"):
    """A device's message that this program cannot read. Its bytes are here and in no event: they may name a card."""

    device: Code
    data: Annotated[str, Meta(max_length=100_000)]
    """In hex, its kind first."""
    is_known: bool = False
    """Its kind is known, what follows is not as it should be."""
    is_card: bool = False
    """It reports that a card left, whichever it is."""


class SensorSeen(Body, tag="sensor"):
    """Something happened at a drop box: pieces fell, the box or its door moved, its sensor restarted."""

    sensor: Code
    """Which one: "boxes.collection"."""
    box: Code
    what: Code
    count: Count = 0
    """Pieces that fell."""
    facts: dict[str, Any] = {}
    mark: dict[str, Any] = {}
    """The mark up to which the sensor has reported: kept, and given back to the driver after a restart."""
    cents: Cents | None = None
    """What the pieces are worth, from a sensor that knows it."""


class SignInSeen(Body, tag="sign_in"):
    """Somebody signed in or out, or tried to."""

    what: Literal["signed_in", "signed_out", "failed"]
    at: Code
    """The console, or a key panel by its name."""
    client: Code = ""
    """The address it came from; "board" for the board itself."""
    means: Literal["pin", "badge", ""] = ""
    name: Code = ""
    """The person's; empty where it is nobody on the staff."""
    role: Code = ""
    wait_s: Count = 0
    """How long the client must wait after its wrong tries."""
    others: Count = 0
    """Failed tries before this one that have no entry of their own."""


class DealerSigned(Body, tag="dealer"):
    """Somebody signs on to deal, in the place of whoever did; an empty name: nobody deals."""

    name: Code


class BoxKeyed(Body, tag="box_keyed"):
    """Id and seal of a drop box, keyed or scanned: of the one in the slot, or of the next one."""

    box: Code
    """The slot: "collection"."""
    id: Code
    seal: Code = ""


class BoxCountedIn(Body, tag="box_counted"):
    """The count room has counted a box that was taken from this table."""

    id: Code
    cents: Cents


class DropExplained(Body, tag="explain_drop"):
    """The floor states what became of a drop that was short, over or unexplained."""

    box: Code
    reason: Words
    round: Count | None = None
    """Only the open claim of this round; else everything that is open."""
    owed: bool = True
    """False: the fee is not owed after all, as when the floor gives back that of a void round."""


class TimePassed(Body, tag="tick"):
    """It is later, and somebody waits for that: a grace is over."""


class ClockSeen(Body, tag="clock"):
    """The board's clock was set (`stepped`), or a time server keeps it from now on (`synced`) or no longer (`free`)."""

    state: Literal["synced", "free", "stepped"]
    before: Milliseconds = 0
    """Of a clock that was set: what it would say now. What it does say is the input's time."""


class BoardSeen(Body, tag="board"):
    """Something about the board itself went wrong, or is right again; a grave one lets no new round begin."""

    alarm: Code
    wrong: bool
    text: Words = ""
    stops_rounds: bool = False


class TpmCounted(Body, tag="tpm"):
    """The counter of the board's TPM. counting: it is about to count one on from this value. counted: it has counted to
    it. found: it has another value than the journal knew, and both go on from it."""

    step: Literal["counting", "counted", "found"]
    value: TpmNumber
    """0: it has never counted, or is not there."""


class FirmwareUpdate(Body, tag="firmware_update"):
    """A device is given new firmware: begun, then running in it, or given up with the old one running."""

    device: Code
    step: Literal["started", "verified", "failed"]
    version: Words
    before: Words
    image: Code = ""
    """The image's id, the first bytes of its SHA-256 in hex."""
    signer: Code = ""
    text: Words = ""
    """Why it was given up."""
    boot: Code = ""
    """The power-up in which the device is when it has ended, as in `Input.ref`: its restarts were ours."""


class DifferenceFound(Body, tag="difference_found"):
    """At a start an entry of the journal came out otherwise when it was applied again. What the entries since come to
    is not trusted: the table goes on from the state given here, held until the floor has accepted it."""

    entry: Number
    """The first one that differs."""
    text: str
    running: bool
    """By the journal's own events a round was running at its end."""
    state: dict[str, Any]
    """What outlives a round, as this program makes it of all inputs: the table goes on from here."""
    owed: dict[str, int] = {}
    """Cents that each box is owed by the journal's own fee ledger."""


class TableOpened(Body, tag="open_table"):
    """The house opens the table: rounds may begin."""


class TableClosed(Body, tag="close_table"):
    """The house closes the table: the running round is played to its end, no other begins."""

    reason: Words = ""


class TableRetired(Body, tag="retire_table"):
    """The house takes the table out of use, and this journal ends with it."""

    reason: Words


class RulesChosen(Body, tag="choose_rules"):
    """The floor chooses rules and limits, between rounds. Absent fields keep their value."""

    ruleset: Code | UnsetType = UNSET
    options: dict[str, Any] | UnsetType = UNSET
    """Absent where the ruleset changes: none. The ruleset has their types."""
    min_wager: Wager | UnsetType = UNSET
    max_wager: Wager | UnsetType | None = UNSET


class AlarmSeenTo(Body, tag="acknowledge"):
    """Somebody has seen to an alarm. That does not end it: what raised it does."""

    alarm: Code


class AlarmExplained(Body, tag="explain_alarm"):
    """The floor states what was found, and clears the alarm by that; `alarms` lists the kinds that it may clear."""

    alarm: Code
    reason: Words


class Blinked(Body, tag="blink"):
    """Somebody looks for a device: it identifies itself for this number of seconds."""

    device: Code
    seconds: Annotated[int, Meta(ge=0, le=3600)]


class Started(Body, tag="started"):
    """The daemon started on this journal, with these rules and this table."""

    version: str
    ruleset: str
    digest: str
    options: dict[str, Any] = {}
    setup: dict[str, Any] = {}
    test: bool = False
    file: str = ""
    """SHA-256 of the configuration file."""
    confirmed: ReadingDigests | None = None
    """The readings that the house has confirmed; None: none is asked for, in test mode."""


class Configured(Body, tag="configure"):
    """The running daemon has read its configuration again. What concerns the table counts between rounds only."""

    version: str
    file: str
    """SHA-256 of the configuration file."""
    changed: tuple[str, ...]
    """The keys that differ, as mqtt.broker.port."""
    ruleset: str = ""
    """Empty: rules and limits are as they were."""
    digest: str = ""
    options: dict[str, Any] = {}
    setup: dict[str, Any] = {}
    """What differs of it."""
    confirmed: ReadingDigests | UnsetType | None = UNSET
    """As in `Started`; absent: as it was."""
    update: Reference | None = None
    """The signed reference that it came by; None: somebody changed the file on the board."""


AnyBody = (
    CardOut
    | StackOut
    | WagerPlaced
    | BankPosted
    | BetsClosed
    | FeesIn
    | Act
    | DiceRolled
    | Revealed
    | Happening
    | FloorCalled
    | FloorAct
    | Amended
    | TableSet
    | BankAnswered
    | BuyIn
    | PersonNamed
    | ShoeStarted
    | PackReported
    | CutCardOut
    | DeviceSeen
    | Noted
    | Quarantined
    | SensorSeen
    | SignInSeen
    | DealerSigned
    | BoxKeyed
    | BoxCountedIn
    | DropExplained
    | JackpotHit
    | JackpotNotHit
    | JackpotAdjust
    | JackpotFee
    | TimePassed
    | ClockSeen
    | BoardSeen
    | TpmCounted
    | StoreConfirmed
    | FirmwareUpdate
    | ArchiveMade
    | ArchiveDropped
    | DifferenceFound
    | TableOpened
    | TableClosed
    | TableRetired
    | RulesChosen
    | AlarmSeenTo
    | AlarmExplained
    | Blinked
    | Started
    | Configured
    | UpdateTaken
    | SlipRefused
    | TakenBack
)


class Asked(Struct, frozen=True, omit_defaults=True):
    """The remote request that an input came from."""

    id: str
    """The sender's own number for it: one that comes again is answered again, and not done again."""
    client: str
    """Who sent it, as "floor:ann" or "program:pit"; the person for whom a program did is `Input.person`."""
    command: str
    digest: str
    """Of the whole request: another one must not pass for it under its number."""
    at: int
    """When it was taken, milliseconds since the epoch."""
    expires: int
    round: int | None = None
    """The round it is meant for, where it is meant for one."""


class Counter(Struct, frozen=True, omit_defaults=True, gc=False):
    """The counters of a dealing device, as it reported them with an input. `engine/shoe/counters.py` checks them.

    They are beside the body: an amendment of what happened does not change what the device has counted.
    """

    series: str
    """What the numbers count: a shoe's power-up, a shuffler's power-up and deck. Each series begins at 1."""
    number: int | None = None
    """The number of the card or stack that left; in every other report the last one."""
    out: int = 0
    """Cards that left with this report; -1: one was pushed back."""
    limit: int | None = None
    """The highest number up to which it was unlocked, as far as the driver knows."""
    up_to: int | None = None
    """The number up to which it is unlocked by its own status."""
    left: int | None = None
    """Cards that are still in it, by its own count."""
    is_loaded: bool = False
    """`left` is what was put into it now."""


class Input(Struct, frozen=True, omit_defaults=True, gc=False):
    """One thing that happened: when (milliseconds since the epoch), by whom, what."""

    at: int
    by: str
    body: AnyBody
    ref: str | None = None
    """A device's own number for it, "<boot>:<event>": what was sent again after a restart is not applied twice."""
    asked: Asked | None = None
    counter: Counter | None = None
    """A dealing device's own counters with it."""
    person: Actor | None = None
    """The person who caused it, whom `by` names in one word; None: a device, or the board."""
    together: bool = False
    """It came in one slip with the input before it."""


encode_input: Callable[[Input], bytes] = msgspec.json.Encoder().encode
decode_input: Callable[[bytes], Input] = msgspec.json.Decoder(Input).decode


def kind_of(body: AnyBody) -> str:
    """The name of this kind of input in the journal."""
    return str(type(body).__struct_config__.tag)


def decode_body(data: bytes | dict[str, Any]) -> AnyBody:
    """A body from outside; `Unreadable` states what is wrong with it."""
    body: AnyBody = read_json(data, AnyBody) if isinstance(data, bytes) else read_plain(data, AnyBody)
    if type(body) is Act or type(body) is Happening:
        check_facts(body.facts)
    return body
