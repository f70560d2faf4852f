"""The messages of the shuffler, as values.

The machine holds one deck at a time and numbers whatever it does: decks, shuffles, self tests per boot, stacks per
deck. A command names the number that should have been reached, so that sending it twice does no harm, and the boot it
was computed for. A permit to dispense also names the last event that its giver had seen, so a permit from before a jam
does not continue the deal after it. docs/protocols/shuffler.md has the whole protocol; the bytes are in
`protocols.shuffler.codec`.

    >>> Mode(kind="stacks", stack=7, jokers=1).cards_in_deck
    53

Which cards a stack holds stays out of every `repr`, and so out of every log: nobody may know them yet.
"""

from __future__ import annotations

from typing import Literal

from protocols.cards import JOKER, RANKS, SUITS
from protocols.link.events import NumberedEvent
from protocols.link.identity import Identify, Identity, StatusRequest
from protocols.values import Value

Kind = Literal["batch", "stacks", "sort"]
Back = Literal["red", "blue", "green", "black", "purple", "orange", "other"]
Order = Literal["shuffled", "sorted"]
By = Literal["controller", "hand"]
Where = Literal["in-feed", "rack", "reader", "out-feed", "tray"]
Part = Literal["in-feed", "rack", "reader", "out-feed", "tray", "door switch", "memory", "random source", "power"]
Moving = Literal["shuffling", "sorting", "dispensing", "unloading"]
Phase = Literal[
    "empty",
    "loaded",
    "shuffling",
    "sorting",
    "ready",
    "sorted",
    "rejected",
    "dispensing",
    "unloading",
    "held",
    "jammed",
    "testing",
    "out of order",
]
Refusal = Literal[
    "other boot",
    "other deck",
    "out of turn",
    "busy",
    "door open",
    "jammed",
    "held",
    "not shuffled",
    "not fit",
    "irregularity",
    "wrong mode",
    "wrong size",
    "too few cards",
    "out of order",
]

DEVICE_CLASS = 0x02

MAX_STACK = 60
MAX_STACK_CARDS = 64
"""A stack may come out longer than it was asked for."""
MAX_NAMED = 40
"""Missing or extra cards that one message can name."""
MAX_JOKERS = 8
MAX_DECKS = 16
MAX_CARDS = 1000
LAST_STACK_NO = 0xFFFF
LAST_SHUFFLE_NO = 0xFFFFFFFF


class Mode(Value, kw_only=True):
    """What the machine is set to, and what a whole deck is for it."""

    kind: Kind
    stack: int = 0
    packet: int = 0
    """A second size of stack: the five cards of the board after hands of two."""
    ranks: str = RANKS
    """Each in four suits, in the order of `RANKS`."""
    star_ranks: str = ""
    jokers: int = 0
    """In each pack."""
    decks: int = 1

    @property
    def cards_in_deck(self) -> int:
        return self.decks * (len(SUITS) * (len(self.ranks) + len(self.star_ranks)) + self.jokers)

    @property
    def whole_deck(self) -> list[str]:
        """Every card of a whole deck, in new-deck order."""
        plain = [rank + suit for suit in SUITS for rank in self.ranks]
        stars = [rank + suit + "*" for suit in SUITS for rank in self.star_ranks]
        return (plain + stars + [JOKER] * self.jokers) * self.decks


class DeckLoaded(NumberedEvent, kw_only=True):
    """A deck was put in, or found inside at power-up."""

    deck_no: int
    back: Back | None
    last_back: Back | None
    """Of the deck that was given out last."""
    found: bool


class ShuffleStarted(NumberedEvent, kw_only=True):
    """Also the start of a sorting: `order` says what is to come of it."""

    deck_no: int
    shuffle_no: int
    order: Order
    by: By


class DeckVerified(NumberedEvent, kw_only=True):
    """All cards went through. These names are no secret: a deck with any of them is not dealt."""

    deck_no: int
    shuffle_no: int
    order: Order
    back: Back | None
    count: int
    expected: int
    boxed: int
    other_backs: int
    unread: int | None
    """None: the machine does not read cards."""
    missing: tuple[str, ...]
    extra: tuple[str, ...]
    more: bool
    """There are names that did not fit."""

    @property
    def is_fit(self) -> bool:
        """Whether this deck may be dealt."""
        wrong = (self.boxed, self.other_backs, self.unread, self.missing, self.extra)
        return self.order == "shuffled" and self.count == self.expected and not any(wrong)

    @property
    def problem(self) -> str:
        """What is wrong with the deck, in a sentence; empty when it is shuffled and whole."""
        if self.is_fit:
            return ""
        more = ", and more" if self.more else ""
        found = (
            (self.order == "sorted", "sorted, not shuffled"),
            (self.count != self.expected, f"{self.count} cards, {self.expected} expected"),
            (self.boxed, f"{self.boxed} face up"),
            (self.other_backs, f"{self.other_backs} with another back"),
            (self.unread, f"{self.unread} not read"),
            (self.missing, f"missing {', '.join(self.missing)}{more}"),
            (self.extra, f"too many {', '.join(self.extra)}{more}"),
        )
        return "; ".join(text for is_so, text in found if is_so)


class StackDispensed(NumberedEvent, kw_only=True):
    """A stack lies in the tray, top card first. `size` is what was asked for; the cards are what came."""

    HIDDEN = frozenset({"cards"})
    deck_no: int
    stack_no: int
    size: int
    cards: tuple[str | None, ...]
    """Sealed: nobody may know them yet. None for a card that was not read."""

    @property
    def is_wrong_count(self) -> bool:
        return len(self.cards) != self.size


class StackRemoved(NumberedEvent, kw_only=True):
    deck_no: int
    stack_no: int


class DeckUnloaded(NumberedEvent, kw_only=True):
    """The rest of the deck has left the machine. None where a number is not known."""

    deck_no: int
    count: int | None
    expected: int | None

    @property
    def is_wrong_count(self) -> bool:
        return None not in (self.count, self.expected) and self.count != self.expected


class Jammed(NumberedEvent, kw_only=True):
    deck_no: int
    during: Moving
    where: Where | None
    card_no: int
    """Since the movement began, from 1."""
    stack_no: int
    """The stack being formed; 0 when there is none."""
    in_stack: int
    """Cards of that stack that are in the tray already."""


class JamCleared(NumberedEvent, kw_only=True):
    deck_no: int


class BoxedCard(NumberedEvent, kw_only=True):
    """A card lies face up in the deck."""

    HIDDEN = frozenset({"card"})
    deck_no: int
    card_no: int
    stack_no: int
    """0 while the machine shuffles."""
    card: str | None


class DoorMoved(NumberedEvent, kw_only=True):
    is_open: bool


class SelfTestEnded(NumberedEvent, kw_only=True):
    test_no: int
    failed: tuple[Part, ...]


class Fault(NumberedEvent, kw_only=True):
    part: Part


class ModeChanged(NumberedEvent, kw_only=True):
    mode: Mode
    by: By


class SetMode(Value, kw_only=True):
    """Controller: be in this mode."""

    mode: Mode


class ModeState(Value, kw_only=True):
    mode: Mode
    refused: Refusal | None


class Shuffle(Value, kw_only=True):
    """Controller: shuffle `shuffle_no` of this boot should have begun, with this deck."""

    boot: int
    deck_no: int
    shuffle_no: int


class ShuffleState(Value, kw_only=True):
    boot: int
    deck_no: int
    shuffle_no: int
    refused: Refusal | None


class Dispense(Value, kw_only=True):
    """Controller: let stacks of `size` go until `up_to` stacks of this deck have left."""

    boot: int
    known: int
    """The last event of this boot that the giver had seen."""
    deck_no: int
    up_to: int
    size: int


class DispenseState(Value, kw_only=True):
    boot: int
    deck_no: int
    stacks: int
    up_to: int
    size: int
    refused: Refusal | None


class Unload(Value, kw_only=True):
    """Controller: this deck should leave the machine."""

    boot: int
    deck_no: int


class UnloadState(Value, kw_only=True):
    boot: int
    deck_no: int
    refused: Refusal | None


class SelfTest(Value, kw_only=True):
    """Controller: self test `test_no` of this boot should have begun."""

    boot: int
    test_no: int


class SelfTestState(Value, kw_only=True):
    boot: int
    test_no: int
    refused: Refusal | None


class MetersRequest(Value, kw_only=True):
    """Controller: asks for the meters of its whole life."""


class Meters(Value, kw_only=True):
    shuffles: int
    cards: int
    stacks: int
    jams: int
    hours: int


class Status(Value, kw_only=True):
    """Shuffler: its status. Every event up to `event_no` was sent before it."""

    boot: int
    event_no: int
    phase: Phase
    mode: Mode
    deck_no: int
    """The deck inside, or the last one; 0 for none."""
    back: Back | None
    shuffle_no: int
    stacks: int
    up_to: int
    size: int
    cards_left: int | None
    tray: bool
    """Something lies in it."""
    door_open: bool
    test_no: int


Event = (
    DeckLoaded
    | ShuffleStarted
    | DeckVerified
    | StackDispensed
    | StackRemoved
    | DeckUnloaded
    | Jammed
    | JamCleared
    | BoxedCard
    | DoorMoved
    | SelfTestEnded
    | Fault
    | ModeChanged
)
Command = SetMode | Shuffle | Dispense | Unload | SelfTest | MetersRequest
Answer = ModeState | ShuffleState | DispenseState | UnloadState | SelfTestState | Meters
Message = Event | Command | Answer | Identify | Identity | StatusRequest | Status


def is_irregular(event: Event) -> bool:
    """Whether this takes the permit away: the deal goes on only by a permit that knows of it."""
    match event:
        case Jammed() | Fault():
            return True
        case DoorMoved():
            return event.is_open
        case BoxedCard():
            return event.stack_no > 0
        case StackDispensed():
            return event.is_wrong_count
    return False
