"""Everything the engine says about a table, as values.

An event's body is one of the types below; number (`seq`), time, round and hash are the journal's. Cards appear as
`Face` only, so a card that nobody may know yet cannot be put into an event (see `cards`).
"""

from __future__ import annotations

from collections.abc import Sequence
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
    box: str = "collection"
    place: Place | None = None


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


class AlarmCleared(Event, frozen=True, tag="alarm_cleared"):
    alarm: str


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
    | TableSetTo
    | RoundStarted
    | BankSet
    | WagerSet
    | BettingClosed
    | FeeDue
    | CardDealt
    | CardBurned
    | CardsTakenBack
    | CardNamed
    | HandShown
    | DiceShown
    | PileGiven
    | ActionButton
    | Decided
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
    | CutCardSeen
    | ShoeEnded
    | BankOfferDue
    | DeviceChanged
    | UpdateStarted
    | UpdateVerified
    | UpdateFailed
    | BoxTold
    | AlarmRaised
    | AlarmCleared
    | JournalRotated
    | ArchiveRemoved
)

_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(AnyEvent)


def encode_event(event: Event) -> bytes:
    return _encoder.encode(event)


def encode_events(events: Sequence[Event]) -> bytes:
    """All events of one input, as the JSON array that the journal keeps."""
    return _encoder.encode(events)


def decode_event(data: bytes) -> AnyEvent:
    event: AnyEvent = _decoder.decode(data)
    return event
