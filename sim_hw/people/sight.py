"""What a person at the table sees: the public state document, as the console and the broker show it.

People know nothing else of the table. The types here are theirs: as much of the document as a dealer, a player or the
floor looks at. A want of a kind that people do not know is `Strange`, with its prompt.
"""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import Struct

Place = int | str


class Card(Struct, frozen=True, tag_field="want", tag="card"):
    """A card, or a stack of `count`, is to be dealt."""

    to: str
    nth: int
    count: int = 1
    face_up: bool = True


class Rule(Struct, frozen=True):
    """A wager that may be placed."""

    id: str
    min: int = 0
    max: int | None = None
    needs: tuple[str, ...] = ()
    needs_all: bool = False
    equals: str | None = None
    seats: tuple[int, ...] | None = None
    step: int = 1
    needs_on_first_spot: bool = False
    first_spot_only: str | None = None
    spots: int | None = None


class Wagers(Struct, frozen=True, tag_field="want", tag="wagers"):
    rules: tuple[Rule, ...]
    seats: tuple[int, ...]
    book: dict[str, dict[str, int]]
    may_close: bool = True
    bank: bool = True


class Melds(Struct, frozen=True):
    """What a meld is, where melds are laid."""

    order: str
    free: str = ""
    extended: bool = True
    least: int = 3
    most: int = 11


class Choice(Struct, frozen=True):
    """One thing a seat may do."""

    do: str
    cents: int | None = None
    min_cents: int | None = None
    max_cents: int | None = None
    to: tuple[int, int] | None = None
    to_one_of: tuple[int, ...] = ()
    count: tuple[int, int] | None = None
    cards: tuple[str, ...] = ()
    piles: int = 0
    by: tuple[str, ...] = ()
    by_names: bool = False
    melds: Melds | None = None
    board: tuple[tuple[str, ...], ...] = ()
    laid: tuple[int, int] | None = None
    unseen: bool = False


class Decision(Struct, frozen=True, tag_field="want", tag="decision"):
    seat: Place
    choices: tuple[Choice, ...]
    hand: int = 1


class Dice(Struct, frozen=True, tag_field="want", tag="dice"):
    count: int = 3


class Reveal(Struct, frozen=True, tag_field="want", tag="reveal"):
    """Cards of one owner must be named; `nth` are their places in the hand, from 1."""

    owner: str
    count: int
    nth: tuple[int, ...] = ()


class Drop(Struct, frozen=True, tag_field="want", tag="drop"):
    """Fees must be in their boxes first: cents by box."""

    boxes: dict[str, int]


class Shoe(Struct, frozen=True, tag_field="want", tag="shoe"):
    pass


class Pack(Struct, frozen=True, tag_field="want", tag="pack"):
    """Somebody must say that the pack is shuffled and counted."""

    cards: int | None = None


class Repair(Struct, frozen=True, tag_field="want", tag="repair"):
    text: str


class Opening(Struct, frozen=True, tag_field="want", tag="opening"):
    pass


class Bank(Struct, frozen=True, tag_field="want", tag="bank_offer"):
    """The player-dealer's position is offered."""

    rotation: str
    offered: tuple[Place, ...]
    declined: tuple[Place, ...] = ()
    holder: Place | None = None
    is_broken: bool = False
    may_resume: bool = False
    any_seat: bool = False


class Floor(Struct, frozen=True, tag_field="want", tag="floor"):
    code: str
    text: str
    choices: tuple[str, ...] = ("resume", "use_next", "void")
    happenings: tuple[str, ...] = ()
    seats: tuple[int, ...] = ()
    """Of which every choice but void names one."""


class Strange(Struct, frozen=True):
    """Something that these people have not learnt: what it was called, and all that was said of it."""

    want: str
    said: dict[str, Any]


class Prize(Struct, frozen=True):
    """A prize of a jackpot, as its sign has it."""

    name: str
    qualifies: str
    shares: tuple[str, ...]


class Jackpot(Struct, frozen=True):
    """A jackpot of the table."""

    jackpot: str
    prizes: tuple[Prize, ...]


class Proposal(Struct, frozen=True):
    """A hand that the table proposes for a jackpot."""

    jackpot: str
    prize: str
    round: int
    seats: tuple[int, ...]
    hand: str


Known = Card | Wagers | Decision | Dice | Reveal | Drop | Shoe | Pack | Repair | Opening | Bank | Floor
Want = Known | Strange


class _Alarm(Struct, frozen=True):
    text: str


class _Document(Struct, frozen=True):
    ruleset: str
    seq: int
    round: int
    phase: str
    prompt: str
    wants: tuple[msgspec.Raw, ...]
    hands: dict[str, tuple[str | None, ...]] = {}
    last: dict[str, Any] | None = None
    devices: dict[str, dict[str, Any]] = {}
    alarms: dict[str, _Alarm] = {}
    seats: tuple[int, ...] = ()
    jackpots: tuple[Jackpot, ...] = ()
    jackpot_proposals: tuple[Proposal, ...] = ()
    jackpot_fees_aside: dict[str, int] = {}


class Sight(Struct, frozen=True):
    """The table at one moment."""

    ruleset: str
    seq: int
    round: int
    phase: str
    prompt: str
    wants: tuple[Want, ...]
    hands: dict[str, tuple[str | None, ...]]
    last: dict[str, Any]
    devices: dict[str, dict[str, Any]]
    alarms: dict[str, str]
    """What is wrong, by the name of the alarm."""
    seats: tuple[int, ...] = ()
    jackpots: tuple[Jackpot, ...] = ()
    jackpot_proposals: tuple[Proposal, ...] = ()
    jackpot_fees_aside: dict[str, int] = {}

    def is_online(self, device: str) -> bool:
        return self.devices.get(device, {}).get("state") == "online"


def look_at(document: bytes) -> Sight:
    """The state document, as people read it."""
    state = _documents.decode(document)
    return Sight(
        state.ruleset,
        state.seq,
        state.round,
        state.phase,
        state.prompt,
        tuple(_want(raw) for raw in state.wants),
        state.hands,
        state.last or {},
        state.devices,
        {name: alarm.text for name, alarm in state.alarms.items()},
        state.seats,
        state.jackpots,
        state.jackpot_proposals,
        state.jackpot_fees_aside,
    )


_documents = msgspec.json.Decoder(_Document)
_wants = msgspec.json.Decoder(Known)


class _Named(Struct):
    want: str


def _want(raw: msgspec.Raw) -> Want:
    try:
        known: Known = _wants.decode(raw)
        return known
    except msgspec.ValidationError:
        return Strange(msgspec.json.decode(raw, type=_Named).want, msgspec.json.decode(raw))
