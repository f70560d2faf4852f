"""Everything the engine says about a table, as values.

An event's body is one of the types below; number (`seq`), time, round and hash are the journal's. Cards appear as
`Face` only, so a card that nobody may know yet cannot be put into an event (see `cards`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import msgspec
from msgspec import Struct

from controller.engine.cards import Face
from controller.engine.inputs import Place

Value = str | int | bool | None


class Event(Struct, frozen=True, tag_field="kind", omit_defaults=True):
    """Something the table has to tell. Each subclass is one kind."""


class TableStarted(Event, frozen=True, tag="table_started"):
    version: str
    ruleset: str
    digest: str
    test: bool = False


class TableConfigured(Event, frozen=True, tag="table_configured"):
    """The daemon has read its configuration again and goes by it from now on."""

    by: str
    changed: tuple[str, ...]
    """Keys of the file, as mqtt.port."""
    file: str
    """SHA-256 of the file."""


class TableSetTo(Event, frozen=True, tag="table_set"):
    seats: tuple[int, ...]
    player_dealer: int | None = None
    button: int | None = None


class RoundStarted(Event, frozen=True, tag="round_started"):
    ruleset: str
    digest: str
    """Digest of the rules this round is judged by, for ever."""
    player_dealer: int | None = None
    button: int | None = None
    dealer: str = ""
    """Who deals, where somebody is signed on."""


class BankSet(Event, frozen=True, tag="bank_posted"):
    spots: tuple[int, ...]


class WagerSet(Event, frozen=True, tag="wager_placed"):
    place: Place
    wager: str
    cents: int


class BettingClosed(Event, frozen=True, tag="bets_closed"):
    action: int
    """Sum of all wagers down."""


class FeeDue(Event, frozen=True, tag="fee_due"):
    payer: str
    """"player", with its place, "player_dealer" or "pot"."""
    cents: int
    fee: str
    """The posted schedule, by its id."""
    box: str = "collection"
    place: Place | None = None
    row: int | None = None
    """Which row of the schedule, from 0."""
    moment: str = ""
    """When the schedule has it taken."""
    name: str = ""
    """The document's name of the fee, where it has one: early, modified, jackpot."""


class FeeNotTaken(Event, frozen=True, tag="fee_not_taken"):
    """A fee that was told as due is not to be paid, or this part of it."""

    payer: str
    cents: int
    fee: str
    why: str
    """waived, free_collection_button, paid_for_void_round, replaced, round_void."""
    box: str = "collection"
    place: Place | None = None
    row: int | None = None


class FeesWaived(Event, frozen=True, tag="fees_waived"):
    """The floor takes no fees for this hand; `cents` were due when it said so."""

    reason: str
    cents: int = 0


class FeesDropped(Event, frozen=True, tag="fees_dropped"):
    """The fees that had to be in the boxes before the round goes on are there: by box, what was due."""

    boxes: dict[str, int]
    how: str
    """"sensor": something fell into each box; "dealer": the dealer says so."""


class FreeCollection(Event, frozen=True, tag="free_collection"):
    """A wager without action: this player's fee of the next hand is paid."""

    place: Place


class CardDealt(Event, frozen=True, tag="card_dealt"):
    """A card reached a hand; `card` is null while it is face down or unread."""

    to: str
    nth: int
    card: Face | None = None


class CardBurned(Event, frozen=True, tag="card_burned"):
    card: Face | None = None


class CardsTakenBack(Event, frozen=True, tag="cards_taken_back"):
    """Cards left an owner again: back into the `stub`, on top of it as the next `burn`, or `aside` for now."""

    owner: str
    to: str
    cards: tuple[Face | None, ...]


class CardNamed(Event, frozen=True, tag="card_named"):
    """A card that the reader missed was keyed by a person."""

    to: str
    nth: int
    card: Face


class HandShown(Event, frozen=True, tag="hand_shown"):
    owner: str
    cards: tuple[Face, ...]


class DiceShown(Event, frozen=True, tag="dice_rolled"):
    values: tuple[int, ...]


class ActionButton(Event, frozen=True, tag="action_button"):
    """The action button lies here: settlement begins with this seat."""

    seat: int


class PileGiven(Event, frozen=True, tag="pile_given"):
    """A pile of the middle, by its number from the dealer's left, went to a seat."""

    pile: int
    to: str


class Decided(Event, frozen=True, tag="decision"):
    seat: Place
    do: str
    cents: int | None = None
    to: int | None = None


class ChipsPaid(Event, frozen=True, tag="chips_paid"):
    """Panguingue: `chips` from each payer to one seat (`paid` has the cents), or the tops (`cents`)."""

    what: str
    to: int
    chips: int = 0
    paid: dict[int, int] = {}
    cents: int = 0


class StreetDealt(Event, frozen=True, tag="street"):
    """A named stage of the round began: flop, turn, showdown."""

    name: str


class HandSet(Event, frozen=True, tag="hand_set"):
    """A hand was arranged in two; told once it is shown."""

    owner: str
    way: str
    explained: str = ""
    front: tuple[Face, ...] = ()
    back: tuple[Face, ...] = ()


class Refused(Event, frozen=True, tag="refused"):
    """A person's input that changes nothing, and why."""

    what: str
    why: str
    text: str
    bounds: dict[str, Any] = {}


class Irregularity(Event, frozen=True, tag="irregularity"):
    code: str
    text: str
    facts: dict[str, Any] = {}


class Ruled(Event, frozen=True, tag="ruling"):
    code: str
    seat: Place | None = None


class Held(Event, frozen=True, tag="held"):
    """The table stands still until the floor decides."""

    code: str
    text: str


class Resumed(Event, frozen=True, tag="resumed"):
    do: str
    reason: str = ""


class Line(Struct, frozen=True, omit_defaults=True):
    """One wager settled: what was at stake, what moved (+ to the place), what found no cover."""

    place: Place
    wager: str
    net: int
    uncovered: int = 0


class Pot(Struct, frozen=True):
    cents: int
    seats: tuple[int, ...]
    to: dict[int, int]


class RoundSettled(Event, frozen=True, tag="round_settled", omit_defaults=False):
    outcome: Any = None
    hands: dict[str, Any] = {}
    totals: dict[str, Any] = {}
    flags: dict[str, bool] = {}
    lines: tuple[Line, ...] = ()
    bank_net: int = 0
    pots: tuple[Pot, ...] = ()
    returned: dict[int, int] = {}
    fees: dict[str, int] = {}
    """Cents for this round into each drop box; neither `lines` nor `pots` have them taken off."""


class RoundVoided(Event, frozen=True, tag="round_voided"):
    ruling: str
    reason: str
    returned: dict[str, int] = {}
    """Cents handed back, by place."""
    fees: str = "returned"
    """What becomes of the fee."""


class Corrected(Event, frozen=True, tag="corrected"):
    """A round was re-run from amended inputs. Nothing is edited in place: the first version stays in the journal."""

    round: int
    reason: str
    by: str
    changes: dict[str, Any]
    """Field by field: [before, after]."""


class ShoeBegan(Event, frozen=True, tag="shoe_started"):
    number: int
    decks: int | None = None


class PackReady(Event, frozen=True, tag="pack_ready"):
    """A pack is shuffled and counted, by a machine (`device`) or by hand, and waits to be dealt."""

    number: int
    by: str
    device: str = ""
    back: str = ""
    cards: int | None = None


class PackUnfit(Event, frozen=True, tag="pack_unfit"):
    """A pack may not be dealt."""

    text: str
    by: str
    back: str = ""


class PackInPlay(Event, frozen=True, tag="pack_in_play"):
    number: int
    back: str = ""
    cards: int | None = None


class PackEnded(Event, frozen=True, tag="pack_ended"):
    """A pack is out of play: what went in and what came out of it."""

    number: int
    back: str = ""
    cards: int | None = None
    out: int = 0


class CutCardSeen(Event, frozen=True, tag="cut_card"):
    pass


class ShoeEnded(Event, frozen=True, tag="shoe_ended"):
    number: int
    hands: int


class BankOfferDue(Event, frozen=True, tag="bank_offer_due"):
    """The player-dealer has had its turns: the position must be offered on."""

    player_dealer: int
    hands: int


class DeviceChanged(Event, frozen=True, tag="device"):
    device: str
    state: str
    facts: dict[str, str] = {}


class BoxTold(Event, frozen=True, tag="drop_box"):
    """What happened at a drop box; `total` is every piece that fell into it since its sensor was first met."""

    box: str
    what: str
    count: int = 0
    total: int = 0
    facts: dict[str, Any] = {}
    low: int | None = None
    """The least that the pieces are worth in cents, where the house has said in what chips fees are paid."""
    high: int | None = None


class DropMatched(Event, frozen=True, tag="drop_matched", omit_defaults=False):
    """What fell into a box can be what a round owed it."""

    box: str
    due: int
    pieces: int
    round: int
    dealer: str = ""
    proof: str = "count"
    """value: its worth is known; count: so many pieces can be that amount; presence: something fell."""
    low: int = 0
    """The least that the pieces are worth, cents."""
    high: int | None = None
    """The most; null: nobody can say."""
    box_id: str = ""
    late: bool = False
    """It was judged short before."""
    by_the_clock: bool = False
    """A fee by time, not of that round."""


class DropDiffers(Event, frozen=True, tag="drop_differs", omit_defaults=False):
    """What fell into a box is not what was owed, as far as the sensors prove it."""

    what: str
    """short, over, wrong_amount, wrong_box, unexplained, unproven, no_box, weight, other_box."""
    box: str
    text: str
    due: int = 0
    pieces: int = 0
    round: int | None = None
    dealer: str = ""
    low: int = 0
    high: int | None = None
    box_id: str = ""
    facts: dict[str, Any] = {}
    """The evidence: when each piece fell (`drops`), from when to when was looked (`since`, `until`), weights."""
    by_the_clock: bool = False
    """About a fee by time, not of that round."""


class DropSettled(Event, frozen=True, tag="drop_explained"):
    """The floor has said what became of a difference."""

    box: str
    reason: str
    by: str
    round: int | None = None
    let_off: int = 0
    """Cents that are not owed after all."""


class BoxIdentified(Event, frozen=True, tag="box_identified"):
    """Somebody keyed or scanned which box this is."""

    box: str
    box_id: str
    by: str
    seal: str = ""
    comes: bool = False
    """It is not in the slot yet."""


class BoxReckoned(Event, frozen=True, tag="box_reckoned", omit_defaults=False):
    """A box was taken out: what it should hold, and what the sensors saw fall into it."""

    box: str
    box_id: str
    due: int
    pieces: int
    low: int = 0
    high: int | None = None
    since: int = 0
    short: int = 0
    """Cents of fees that were judged missing."""
    seal: str = ""
    astray: int = 0
    """Pieces that fell while no box was in the slot."""
    doubts: tuple[str, ...] = ()
    """What made the sensor lose count meanwhile."""
    running: int = 0
    """Cents that the running round owes besides."""


class BoxCounted(Event, frozen=True, tag="box_counted", omit_defaults=False):
    """The count room's figure for a box, beside what it owed and what the sensors saw."""

    box: str
    box_id: str
    cents: int
    due: int
    difference: int
    """Counted less due."""
    what: str
    """matched, short, over."""
    by: str
    pieces: int = 0
    low: int = 0
    high: int | None = None
    seen_otherwise: bool = False
    """The pieces that fell cannot be worth what was counted."""
    seal: str = ""


class DealerChanged(Event, frozen=True, tag="dealer_changed"):
    """Who deals from now on; empty: nobody is signed on."""

    dealer: str
    was: str = ""


class UpdateStarted(Event, frozen=True, tag="update_started"):
    """A device is being given new firmware; no round begins before it has ended."""

    device: str
    version: str
    before: str
    image: str = ""
    signer: str = ""


class UpdateVerified(Event, frozen=True, tag="update_verified"):
    """The device runs the new image: it came up, proved itself and was confirmed."""

    device: str
    version: str
    before: str
    image: str = ""
    signer: str = ""


class UpdateFailed(Event, frozen=True, tag="update_failed"):
    """The update was given up. The device runs a whole image: the old one, unless it says otherwise when it is back."""

    device: str
    version: str
    before: str
    image: str = ""
    signer: str = ""
    text: str = ""


class AlarmRaised(Event, frozen=True, tag="alarm_raised"):
    alarm: str
    text: str
    facts: dict[str, Any] = {}
    """The evidence, where an alarm has some."""


class AlarmCleared(Event, frozen=True, tag="alarm_cleared"):
    alarm: str


class AlarmAcknowledged(Event, frozen=True, tag="alarm_acknowledged"):
    """Somebody has seen to an alarm; it lasts until what raised it is over."""

    alarm: str
    by: str


class TableOpen(Event, frozen=True, tag="table_opened"):
    """Rounds may begin."""

    by: str


class TableShut(Event, frozen=True, tag="table_closed"):
    """No further round begins; one that is running is played to its end."""

    by: str
    reason: str = ""


class RulesSet(Event, frozen=True, tag="rules_set"):
    """The rules and limits of the rounds from here on."""

    ruleset: str
    digest: str
    min_wager: int = 0
    max_wager: int | None = None
    """Null: no limit but the ruleset's."""


class Commanded(Event, frozen=True, tag="command"):
    """A request from afar was carried out or refused; the events before it, of the same time, are what it did."""

    command: str
    by: str
    request: str
    ok: bool
    why: str = ""


class JournalRotated(Event, frozen=True, tag="journal_rotated"):
    """The journal's entries `first` to `last` are in an archive now; `hash` is its last one, for whoever keeps it."""

    file: str
    first: int
    last: int
    hash: str


class ArchiveRemoved(Event, frozen=True, tag="archive_removed"):
    """The entries `first` to `last` are no longer kept, after `keep_days` days."""

    file: str
    first: int
    last: int
    hash: str
    keep_days: int


AnyEvent = (
    TableStarted
    | TableConfigured
    | TableSetTo
    | RoundStarted
    | BankSet
    | WagerSet
    | BettingClosed
    | FeeDue
    | FeeNotTaken
    | FeesWaived
    | FeesDropped
    | FreeCollection
    | CardDealt
    | CardBurned
    | CardsTakenBack
    | CardNamed
    | HandShown
    | DiceShown
    | PileGiven
    | ActionButton
    | Decided
    | ChipsPaid
    | StreetDealt
    | HandSet
    | Refused
    | Irregularity
    | Ruled
    | Held
    | Resumed
    | RoundSettled
    | RoundVoided
    | Corrected
    | ShoeBegan
    | PackReady
    | PackUnfit
    | PackInPlay
    | PackEnded
    | CutCardSeen
    | ShoeEnded
    | BankOfferDue
    | DeviceChanged
    | UpdateStarted
    | UpdateVerified
    | UpdateFailed
    | BoxTold
    | DropMatched
    | DropDiffers
    | DropSettled
    | BoxIdentified
    | BoxReckoned
    | BoxCounted
    | DealerChanged
    | AlarmRaised
    | AlarmCleared
    | AlarmAcknowledged
    | TableOpen
    | TableShut
    | RulesSet
    | Commanded
    | JournalRotated
    | ArchiveRemoved
)

_encoder = msgspec.json.Encoder()


def encode_event(event: Event) -> bytes:
    return _encoder.encode(event)


encode_events: Callable[[Sequence[Event]], bytes] = _encoder.encode
"""All events of one input, as the JSON array that the journal keeps."""


def decode_event(data: bytes) -> AnyEvent:
    event: AnyEvent = _decoder().decode(data)
    return event


@cache
def _decoder() -> msgspec.json.Decoder[AnyEvent]:
    """Made when it is asked for: it takes long over so many types, and a table that is dealt only writes events."""
    return msgspec.json.Decoder(AnyEvent)
