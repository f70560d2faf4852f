"""Commands over MQTT: what may be asked of a table, and what it answers, as values.

Each command has a name, which is the last level of its topic, a request and a reply. A request is refused where it has
a field that its command does not know: a misspelt limit must not pass for none.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from controller.contract.messages import Currency, Milliseconds, Seq
from controller.contract.why import Why
from controller.engine import inputs as happened
from controller.engine.bounds import Cents, Code, Count, PersonName, Places, Seat, SeatOrSpot, Seats, Wager
from controller.engine.reading import read_json
from controller.engine.update_inputs import Address, BundleSize, KeyId, Serial, Sha256, What

LONGEST_LIFE_MS = 600_000
"""A request may be good for so long at most: as long as its answer is remembered."""
MOST_REPLAYED = 10_000
"""Events in one replay."""

Name = Annotated[str, Meta(pattern=r"^[A-Za-z0-9_.-]{1,64}$")]
Reason = Annotated[str, Meta(min_length=1, max_length=200)]


VouchedRole = Annotated[Literal["dealer", "floor", "technician"], Meta(title="VouchedRole")]


class Vouched(Struct, frozen=True, forbid_unknown_fields=True):
    """A person whom a program has signed in."""

    name: Name
    role: VouchedRole
    """A command is carried out where this role may give it."""


class Request(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What every request has."""

    id: Annotated[str, Meta(pattern=r"^[A-Za-z0-9_.:-]{1,64}$")]
    """The sender's own number for it. The same request sent again is answered again and not done again."""
    expires: Milliseconds
    """Until when it is good, milliseconds since 1970 UTC; at most ten minutes ahead."""
    by: Vouched | None = None
    """The person for whom a program asks, which has signed him in and vouches for him. Every other client asks for
    itself: its certificate names the person, and a request with `by` is refused."""


class OpenRequest(Request, frozen=True):
    """Open the table: rounds may begin."""


class CloseRequest(Request, frozen=True):
    """Close the table: the running round is played to its end, no other begins."""

    reason: Annotated[str, Meta(max_length=200)] = ""


class RetireRequest(Request, frozen=True):
    """Take a closed table out of use: its journal ends, and what it has retained at the broker is cleared."""

    reason: Reason


class UpdateRequest(Request, frozen=True):
    """Fetch a bundle and use it, between rounds: where it is, and what somebody has signed of it
    (docs/mqtt/references.md)."""

    address: Address
    """An https or file address below one that the table's configuration allows."""
    size: BundleSize
    sha256: Sha256
    issued: Milliseconds
    """When it was signed, milliseconds since 1970 UTC."""
    serial: Serial
    """Higher than that of the last one of its kind."""
    key: KeyId
    """The first 16 hex digits of the SHA-256 of the public key that signed it."""
    signature: Annotated[str, Meta(pattern="^[0-9a-f]{128}$")]
    """Ed25519, of the statement."""
    preview: bool = False
    """Only fetch and check it, and answer what it would change. Nothing is changed, and nothing is recorded."""


class StaffUpdateRequest(UpdateRequest, frozen=True):
    """Take a new staff file: the people of this table, with the scrypt hashes of their PINs."""


class ConfigUpdateRequest(UpdateRequest, frozen=True):
    """Take a new configuration file, as far as it may change while the table runs."""


class SoftwareUpdateRequest(UpdateRequest, frozen=True):
    """Fetch the Debian package of another Cutcard, for a technician to install."""


class CertificateUpdateRequest(UpdateRequest, frozen=True):
    """Take the certificate for which the table has published a request. Its key stays on the board."""


UPDATES: dict[str, What] = {
    "staff_update": "staff",
    "config_update": "configuration",
    "software_update": "software",
    "certificate_update": "certificate",
}
"""What each of these commands brings."""


class RulesRequest(Request, frozen=True):
    """Choose the ruleset and the limits, between rounds. What is left out stays as it is."""

    ruleset: Code | UnsetType = UNSET
    options: dict[str, Any] | UnsetType = UNSET
    """The ruleset's options that differ from its defaults; left out where the ruleset changes: none."""
    min_wager: Wager | UnsetType = UNSET
    max_wager: Wager | UnsetType | None = UNSET
    """Null: no limit but the ruleset's."""
    currency: Currency = "USD"


class ShoeRequest(Request, frozen=True):
    """A shuffled, counted shoe comes into play, between rounds."""

    decks: Annotated[int, Meta(ge=1, le=12)] | None = None


class SeatsRequest(Request, frozen=True):
    """Who sits where, between rounds. What is left out stays as it is; null empties a position."""

    seats: Seats | UnsetType = UNSET
    player_dealer: Seat | UnsetType | None = UNSET
    button: Seat | UnsetType | None = UNSET
    settings: dict[str, Any] | UnsetType = UNSET
    """What a game's table needs besides: blinds, stacks."""


class BankRequest(Request, frozen=True):
    """Answers to the offer of the player-dealer's position; with neither field, nobody takes it."""

    takes: SeatOrSpot | None = None
    declined: Places = ()


class PersonRequest(Request, frozen=True):
    """Who is at a seat or a square."""

    place: SeatOrSpot
    name: PersonName = ""
    badge: PersonName = ""
    firm: PersonName = ""
    """The third-party bank he acts for."""
    another: bool = False
    """It is another person than the one who was there, named or not."""


class VoidRequest(Request, frozen=True):
    """Void the running round: all wagers go back."""

    round: Count
    """Which one: a request that comes late must not void the next."""
    reason: Reason


RoundBody = (
    happened.CardOut
    | happened.StackOut
    | happened.WagerPlaced
    | happened.BankPosted
    | happened.BetsClosed
    | happened.FeesIn
    | happened.Act
    | happened.DiceRolled
    | happened.Revealed
    | happened.Happening
    | happened.FloorAct
    | happened.CutCardOut
)
"""What happens in a round."""


class InputChange(Struct, frozen=True, forbid_unknown_fields=True):
    """One input of a round, by its index in the round (`inputs` lists them), as it should have been."""

    index: Count
    body: Annotated[RoundBody, Meta(title="RoundBody")] | None
    """Null strikes it out."""


def as_changes(changes: tuple[InputChange, ...]) -> tuple[happened.Change, ...]:
    """The same for the table's engine."""
    return tuple(
        happened.Change(each.index, None if each.body is None else msgspec.to_builtins(each.body)) for each in changes
    )


class InputsRequest(Request, frozen=True):
    """Which inputs of the running round, or of the last one before the next begins, can be amended."""


class AmendRequest(Request, frozen=True):
    """Correct inputs of the running round, or of the last one before the next begins; the round is run again."""

    round: Count
    changes: Annotated[tuple[InputChange, ...], Meta(min_length=1, max_length=64)]
    reason: Reason
    preview: bool = False
    """Only report what would change."""


class AcknowledgeRequest(Request, frozen=True):
    """An alarm has been seen to."""

    alarm: Annotated[str, Meta(min_length=1, max_length=128)]


class ExplainAlarmRequest(Request, frozen=True):
    """What was found about an alarm, which clears it."""

    alarm: Annotated[str, Meta(min_length=1, max_length=128)]
    reason: Reason


class DealerRequest(Request, frozen=True):
    """Who deals from now on; the rounds and their drops are his."""

    name: Annotated[str, Meta(pattern=r"^[a-z0-9.-]{0,32}$")]
    """As on the staff; empty: nobody."""


class BoxRequest(Request, frozen=True):
    """Id and seal of a drop box, keyed or scanned: of the one in the slot, or of the one that comes next."""

    box: Annotated[str, Meta(min_length=1, max_length=32)]
    """The slot, as `collection` or `jackpot`."""
    box_id: Annotated[str, Meta(min_length=1, max_length=32)]
    seal: Annotated[str, Meta(max_length=32)] = ""


class CountedRequest(Request, frozen=True):
    """The count room has counted a box that was taken from this table."""

    box_id: Annotated[str, Meta(min_length=1, max_length=64)]
    """As `box_reckoned` named it."""
    cents: Cents
    currency: Currency = "USD"


class ExplainRequest(Request, frozen=True):
    """What became of a drop that was short, over or unexplained."""

    box: Annotated[str, Meta(min_length=1, max_length=32)]
    reason: Reason
    round: Count | None = None
    """Only the open claim of this round; else everything that is open at the box."""
    owed: bool = True
    """False: the fee is not owed after all."""


class JackpotHitRequest(Request, frozen=True):
    """The floor states a hit: it is paid from the meter, which is seeded again."""

    jackpot: Code
    prize: Code
    round: Count
    hand: Reason
    """The hand that qualifies, in words or as cards."""
    seats: Annotated[dict[Code, Seats], Meta(max_length=8)]
    """Who gets each share."""
    reason: Reason


class JackpotNoHitRequest(Request, frozen=True):
    """A hand that the table proposed is no hit."""

    jackpot: Code
    prize: Code
    round: Count
    reason: Reason


class JackpotAdjustRequest(Request, frozen=True):
    """Add to a meter, or take from it: one of the two amounts."""

    jackpot: Code
    reason: Reason
    add: Cents = 0
    take: Cents = 0
    pool: Literal["main", "reserve"] = "main"
    currency: Currency = "USD"


class JackpotFeeRequest(Request, frozen=True):
    """What becomes of the jackpot fee of a void round that is set aside."""

    round: Count
    kept: bool
    """False: it was given back."""
    reason: Reason


class ReportRequest(Request, frozen=True):
    """What people report beside the rounds, where the text of this table has it (docs/table/procedures.md)."""

    code: Literal["dead_spread", "dealer_relief", "shuffler_failure", "deck_cut", "player_away", "player_back"]
    seat: Seat | None = None
    """Whose, of `player_away` and `player_back`."""
    from_top: Annotated[int, Meta(ge=0, le=624)] | None = None
    """Cards above a cut that was counted."""


class BurnRequest(Request, frozen=True):
    """The player-dealer asks for a burn, before the first card of a hand."""

    seat: Seat


class BuyInRequest(Request, frozen=True):
    """A player puts chips in front of him, between two hands."""

    seat: Seat
    cents: Cents
    currency: Currency = "USD"


class PlayerRequest(Request, frozen=True):
    """What the floor decides about a player: his seat is taken, he may play more hands, he gives hands up."""

    do: Literal["forfeit_seat", "approve_hands", "give_up_hands"]
    seat: Seat
    reason: Reason


class BlinkRequest(Request, frozen=True):
    """A device shows where it is."""

    device: Annotated[str, Meta(min_length=1, max_length=64)]
    seconds: Annotated[int, Meta(ge=1, le=600)] = 10


class ReplayRequest(Request, frozen=True):
    """Send events again, to the response topic, in order; at most 10,000 at once."""

    first: Annotated[int, Meta(ge=1, le=2**53)]
    last: Annotated[int, Meta(ge=1, le=2**53)]


class PingRequest(Request, frozen=True):
    """Is the table's daemon running?"""


class Reply(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The answer to a request."""

    id: str
    """The request's; empty where it could not be read."""
    ok: bool
    """Whether it was done."""
    why: Why | UnsetType = UNSET
    """Why not, for programs."""
    code: str = ""
    """The table's own code for it, where the table refused it; a ruleset may have its own."""
    text: str = ""
    """Why not, for people; of an update that was taken: what changed."""


class RoundInput(Struct, frozen=True, omit_defaults=True):
    """One input that can be amended."""

    index: int
    """Its place in the round: the `index` of a change."""
    label: str
    """For people."""
    by: str
    """The person or device that it came from."""
    body: dict[str, Any]
    """As `amend` takes it; without its cards where one of them is face down."""
    hidden: bool = False
    """A card of it is face down."""


class InputsReply(Reply, frozen=True):
    round: Annotated[int, Meta(ge=0)] = 0
    inputs: tuple[RoundInput, ...] = ()


class AmendReply(Reply, frozen=True):
    changes: dict[str, Any] = {}
    """Of a preview: field by field, [before, after]."""


class ReplayReply(Reply, frozen=True):
    """Comes after the events of a replay."""

    first: Seq = 0
    last: Seq = 0


class PingReply(Reply, frozen=True):
    at: Milliseconds = 0
    """The table's clock."""
    seq: Seq = 0
    """The table's last event."""
    journal: str = ""
    """The table's journal, as in events."""
    session: str = ""
    """The run of the daemon, as in `online`."""
    version: str = ""


REQUESTS: dict[str, type[Request]] = {
    "open": OpenRequest,
    "close": CloseRequest,
    "retire": RetireRequest,
    "staff_update": StaffUpdateRequest,
    "config_update": ConfigUpdateRequest,
    "software_update": SoftwareUpdateRequest,
    "certificate_update": CertificateUpdateRequest,
    "rules": RulesRequest,
    "shoe": ShoeRequest,
    "seats": SeatsRequest,
    "bank": BankRequest,
    "person": PersonRequest,
    "void": VoidRequest,
    "amend": AmendRequest,
    "inputs": InputsRequest,
    "acknowledge": AcknowledgeRequest,
    "explain_alarm": ExplainAlarmRequest,
    "dealer": DealerRequest,
    "box": BoxRequest,
    "counted": CountedRequest,
    "explain": ExplainRequest,
    "jackpot_hit": JackpotHitRequest,
    "jackpot_no_hit": JackpotNoHitRequest,
    "jackpot_adjust": JackpotAdjustRequest,
    "jackpot_fee": JackpotFeeRequest,
    "report": ReportRequest,
    "burn": BurnRequest,
    "buy_in": BuyInRequest,
    "player": PlayerRequest,
    "blink": BlinkRequest,
    "replay": ReplayRequest,
    "ping": PingRequest,
}
REPLIES: dict[str, type[Reply]] = {"amend": AmendReply, "inputs": InputsReply, "replay": ReplayReply, "ping": PingReply}
"""Where a command's reply has more than every reply has."""


def decode_request(command: str, payload: bytes) -> Request:
    """The request in a payload; `Unreadable` states what is wrong with it."""
    request: Request = read_json(payload, REQUESTS[command])
    return request


class _Id(Struct):
    id: str = ""


def id_in(payload: bytes) -> str:
    """The id of a malformed request, as far as it can be read, for the answer."""
    try:
        return msgspec.json.decode(payload, type=_Id).id[:64]
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return ""
