"""The messages of the example vendor's shuffler, as values.

The controller asks, the machine answers. What happened at the machine is a record: numbered from 1 since it was
switched on, kept until a `Poll` says that it is stored. A record is a `NumberedEvent`, so its number names it for ever.
"""

from __future__ import annotations

from typing import Literal

from protocols.link.events import NumberedEvent
from protocols.values import Value

Phase = Literal["empty", "loaded", "shuffling", "ready", "rejected", "forming", "ejecting", "held", "jammed"]
By = Literal["controller", "button"]
Why = Literal[
    "other power-up",
    "other deck",
    "out of turn",
    "busy",
    "door open",
    "jammed",
    "news",
    "not shuffled",
    "rejected",
    "too few cards",
    "held",
    "not known",
]


class Identify(Value, kw_only=True):
    """Controller: who are you?"""


class StatusRequest(Value, kw_only=True):
    """Controller: how are you?"""


class Poll(Value, kw_only=True):
    """Controller: every record up to `taken` is stored; the next one, please."""

    boot: int
    taken: int


class Shuffle(Value, kw_only=True):
    """Controller: shuffle `shuffle_no` of this power-up should have begun, with this deck."""

    boot: int
    deck_no: int
    shuffle_no: int


class FormHand(Value, kw_only=True):
    """Controller: form hand `hand_no` of this deck, if nothing went wrong after record `known`."""

    boot: int
    known: int
    deck_no: int
    hand_no: int


class Eject(Value, kw_only=True):
    """Controller: this deck should leave the machine."""

    boot: int
    deck_no: int


class Identity(Value, kw_only=True):
    boot: int
    model: str
    serial: str
    firmware: str


class Status(Value, kw_only=True):
    boot: int
    event_no: int
    """Of the last record; 0: none."""
    phase: Phase
    deck_no: int
    shuffle_no: int
    hands: int
    """Of this deck, that have been formed."""
    size: int
    """Cards in a hand, as set at the machine."""
    left: int
    tray: bool
    door_open: bool


class NoRecord(Value, kw_only=True):
    """Nothing happened since."""


class Accepted(Value, kw_only=True):
    """It is done, was done already, or has begun."""


class Refused(Value, kw_only=True):
    why: Why


class DeckIn(NumberedEvent, kw_only=True):
    deck_no: int
    found: bool
    """It was inside when the machine was switched on."""


class ShuffleBegun(NumberedEvent, kw_only=True):
    deck_no: int
    shuffle_no: int
    by: By


class DeckChecked(NumberedEvent, kw_only=True):
    """The shuffle has ended. The names are no secret: a deck with any of them is not dealt."""

    deck_no: int
    shuffle_no: int
    count: int
    expected: int
    turned: int
    unread: int
    missing: tuple[str | None, ...]
    extra: tuple[str | None, ...]


class HandFormed(NumberedEvent, kw_only=True):
    """A hand is in the tray, top card first."""

    HIDDEN = frozenset({"cards"})
    deck_no: int
    hand_no: int
    size: int
    cards: tuple[str | None, ...]
    """Nobody may know them yet. None for a card that was not read."""


class HandTaken(NumberedEvent, kw_only=True):
    deck_no: int
    hand_no: int


class Jam(NumberedEvent, kw_only=True):
    deck_no: int
    during: Phase
    card_no: int
    hand_no: int
    """The hand that was being formed; 0: none."""
    in_tray: int


class JamCleared(NumberedEvent, kw_only=True):
    deck_no: int


class DoorMoved(NumberedEvent, kw_only=True):
    door_open: bool


class DeckOut(NumberedEvent, kw_only=True):
    """The rest of the deck has left the machine. None where a number is not known."""

    deck_no: int
    rest: int | None
    rest_expected: int | None


Record = DeckIn | ShuffleBegun | DeckChecked | HandFormed | HandTaken | Jam | JamCleared | DoorMoved | DeckOut
Request = Identify | StatusRequest | Poll | Shuffle | FormHand | Eject
Answer = Identity | Status | NoRecord | Accepted | Refused | Record
Message = Request | Answer
