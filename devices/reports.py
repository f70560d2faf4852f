"""What drivers tell the controller.

A report is a fact about one device: a card left the shoe, the lid moved, the device went away. Drivers hand each one
to a `Sink` and acknowledge it to the device only when the sink has returned, so a sink returns when the fact is safe.

Whatever a device did carries `boot` (random per power-up) and `event_no` (counts from 1 per boot). A device sends what
was not acknowledged again, after a link reset and after a restart of the daemon: the pair names the event for ever, and
the sink drops a pair that it has already stored.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Literal

from devices.drivers.drop_box.reports import DropBoxReport
from devices.link.authentication import DeviceVetted
from protocols.values import Value

State = Literal["connecting", "online", "offline", "wrong_device"]
DiceProblem = Literal["unread", "wrong_count"]


class DeviceEvent(Value, frozen=True, kw_only=True):
    """Something a device did."""

    device: str
    boot: int
    event_no: int
    uptime_ms: int
    """Milliseconds since the device was powered up, by its own clock."""


class CardDrawn(DeviceEvent, frozen=True, kw_only=True):
    """A card left the shoe, permitted. `draw_no` counts every card of this boot, overdraws included, without a gap."""

    HIDDEN = frozenset({"card"})
    draw_no: int
    card: str | None
    """"9h", "Kh*", "Jo"; None when the card was not read. Not in the `repr`: a face-down card belongs in no log."""
    why: str | None = None
    """Why it was not read."""


class Overdraw(DeviceEvent, frozen=True, kw_only=True):
    """A card left the shoe although it was locked."""

    HIDDEN = frozenset({"card"})
    draw_no: int
    card: str | None
    why: str | None = None


class CardReturned(DeviceEvent, frozen=True, kw_only=True):
    """A card was pushed back into the shoe. The draw counter stays; the card counts anew when it is drawn again."""

    draw_no: int


class CutCardOut(DeviceEvent, frozen=True, kw_only=True):
    """The cut card came out. It is no draw: `draw_no` is that of the card before it."""

    draw_no: int


class ShoeLoaded(DeviceEvent, frozen=True, kw_only=True):
    """Cards were put into the shoe."""

    decks: int
    cards: int


class ShoeEmpty(DeviceEvent, frozen=True, kw_only=True):
    """The last card has left the shoe."""

    draw_no: int


class LidMoved(DeviceEvent, frozen=True, kw_only=True):
    """The shoe's lid was opened or closed."""

    is_open: bool


class DeckLoaded(DeviceEvent, frozen=True, kw_only=True):
    """A deck was put into the shuffler, or found inside when it was powered up: then it can only be unloaded."""

    deck_no: int
    """Counts the decks of this boot."""
    back: str | None
    """Colour; None when it was not seen."""
    last_back: str | None
    """Of the deck that was given out last, which is in play now; None when the machine does not know."""
    found: bool
    problem: str
    """What is wrong with the back, in a sentence; empty when it is the deck whose turn it is, or none is configured."""


class ShuffleStarted(DeviceEvent, frozen=True, kw_only=True):
    """`order` is what is to come of it: "shuffled", or "sorted" for inspection."""

    deck_no: int
    shuffle_no: int
    order: Literal["shuffled", "sorted"]
    by: Literal["controller", "hand"]


class DeckVerified(DeviceEvent, frozen=True, kw_only=True):
    """The machine has shuffled (or sorted) and counted a deck. Only one without a `problem` may be dealt.

    The names are of cards that are not where they should be; the deck is not dealt, so they are no secret.
    """

    deck_no: int
    shuffle_no: int
    order: Literal["shuffled", "sorted"]
    back: str | None
    count: int
    expected: int
    boxed: int
    other_backs: int
    unread: int | None
    """None: the machine does not read cards."""
    missing: tuple[str, ...]
    extra: tuple[str, ...]
    more: bool
    """There are more missing or extra cards than are named."""
    problem: str
    """What is wrong with the deck, in a sentence; empty when it is shuffled and whole."""


class StackDispensed(DeviceEvent, frozen=True, kw_only=True):
    """A stack lies in the shuffler's tray, top card first; its count is wrong if there are not `size` of them."""

    HIDDEN = frozenset({"cards"})
    deck_no: int
    stack_no: int
    """Counts the stacks of this deck."""
    size: int
    cards: tuple[str | None, ...]
    """Sealed: nobody may know them yet. None for a card that was not read. Not in the `repr`."""

    @property
    def is_wrong_count(self) -> bool:
        return len(self.cards) != self.size


class StackRemoved(DeviceEvent, frozen=True, kw_only=True):
    """The dealer has taken the stack."""

    deck_no: int
    stack_no: int


class DeckUnloaded(DeviceEvent, frozen=True, kw_only=True):
    """The deck, or what was left of it, has left the shuffler. None where a number is not known."""

    deck_no: int
    count: int | None
    expected: int | None

    @property
    def is_wrong_count(self) -> bool:
        return None not in (self.count, self.expected) and self.count != self.expected


class ShufflerJammed(DeviceEvent, frozen=True, kw_only=True):
    """A card sticks. The deal goes on only if it is permitted anew, and from another deck."""

    deck_no: int
    during: Literal["shuffling", "sorting", "dispensing", "unloading"]
    where: str | None
    card_no: int
    """Which card since the movement began."""
    stack_no: int
    """The stack that was being formed; 0 when none was."""
    in_stack: int
    """Its cards that are in the tray already."""


class ShufflerJamCleared(DeviceEvent, frozen=True, kw_only=True):
    """A person has cleared it; the deck can only be unloaded."""

    deck_no: int


class BoxedCard(DeviceEvent, frozen=True, kw_only=True):
    """A card lies face up in the shuffler's deck: in the stack `stack_no`, or, with 0, found while it shuffled."""

    HIDDEN = frozenset({"card"})
    deck_no: int
    card_no: int
    stack_no: int
    card: str | None
    """Sealed, as the cards of a stack; None when its face was not seen."""


class ShufflerDoorMoved(DeviceEvent, frozen=True, kw_only=True):
    """The shuffler's door. Opened over a deck: it can only be unloaded."""

    is_open: bool


class ShufflerTested(DeviceEvent, frozen=True, kw_only=True):
    """A self test has ended: passed, if no part failed."""

    test_no: int
    failed: tuple[str, ...]


class ShufflerFault(DeviceEvent, frozen=True, kw_only=True):
    """The shuffler is out of order."""

    part: str


class ShufflerModeChanged(DeviceEvent, frozen=True, kw_only=True):
    """The shuffler works in another mode; `by` "hand" means at its own panel."""

    mode: Literal["batch", "stacks", "sort"]
    stack: int
    packet: int
    cards_in_deck: int
    by: Literal["controller", "hand"]


class ShufflerStands(Value, frozen=True, kw_only=True):
    """How a shuffler stands when it is in step again, told before it is online: what commands are reckoned from."""

    device: str
    boot: int
    event_no: int
    """Of the last event before it."""
    phase: str
    mode: Literal["batch", "stacks", "sort"]
    deck_no: int
    """The deck inside, or the last one; 0 for none."""
    back: str | None
    shuffle_no: int
    stacks: int
    """How many of this deck have left."""
    cards_left: int | None
    tray: bool
    """Something lies in it."""
    door_open: bool
    test_no: int


class ShufflerMeters(Value, frozen=True, kw_only=True):
    """What a shuffler has done in its whole life."""

    device: str
    shuffles: int
    cards: int
    stacks: int
    jams: int
    hours: int


class ShufflerRefused(Value, frozen=True, kw_only=True):
    """The shuffler would not do as told. The command is forgotten; a mode is tried again with the next deck."""

    device: str
    command: Literal["set mode", "shuffle", "dispense", "unload", "self test"]
    why: str


class CupShaken(DeviceEvent, frozen=True, kw_only=True):
    """The dice cup is at rest again after so many strokes since it was shut."""

    shakes: int


class CupOpened(DeviceEvent, frozen=True, kw_only=True):
    """The dice cup was opened: the bets are closed. What the dice show follows."""

    roll_no: int
    shakes: int
    was_shaken: bool
    """As often as the config wants it."""


class DiceShown(DeviceEvent, frozen=True, kw_only=True):
    """What lies in the opened cup. Only dice without a `problem` are a roll."""

    roll_no: int
    values: tuple[int | None, ...]
    """In no order; None for a die that was not read."""
    problem: DiceProblem | None


class CupShut(DeviceEvent, frozen=True, kw_only=True):
    roll_no: int


class CupFault(DeviceEvent, frozen=True, kw_only=True):
    fault: Literal["reader", "switch", "motion sensor"]
    is_over: bool


class KeyPressed(DeviceEvent, frozen=True, kw_only=True):
    """A key of the dealer's panel."""

    key: int
    label: str | None
    """What the config calls it; None for a key that it does not name."""
    is_late: bool
    """It was pressed while the panel was away and is told now: whether it still means something is not the driver's."""


class PinAnswered(DeviceEvent, frozen=True, kw_only=True):
    """Somebody entered a PIN at the panel, or did not. The digits are with whoever asked and nowhere else."""

    was_given: bool
    why_not: str | None


class KeyStuck(DeviceEvent, frozen=True, kw_only=True):
    key: int
    label: str | None
    is_over: bool


class CardScanned(DeviceEvent, frozen=True, kw_only=True):
    """A card was passed before the card reader. A reader numbers nothing: `boot` and `event_no` are its driver's."""

    HIDDEN = frozenset({"card", "text"})
    card: str | None
    """None when it was not read for certain."""
    why: str | None = None
    text: str = ""
    """What the code said, where it said anything: for whoever mends the config. Not in the `repr`, as the card."""


class CardScannedAgain(DeviceEvent, frozen=True, kw_only=True):
    """The reader has just read the same code once more: the card still lies before it, or an equal one came too fast.

    Told once; it is no second card.
    """

    HIDDEN = frozenset({"card"})
    card: str


class DeviceState(Value, frozen=True, kw_only=True):
    """How it stands with a device. Given once per change, not per attempt.

    `online` means resynchronised: every event that the device had kept was given to the sink before it. `boot` and
    `draws` are what a permit is reckoned from.
    """

    device: str
    state: State
    model: str | None = None
    serial: str | None = None
    firmware: str | None = None
    boot: int | None = None
    draws: int | None = None
    detail: str = ""
    """One sentence for a person, empty when all is well."""


ShoeReport = CardDrawn | Overdraw | CardReturned | CutCardOut | ShoeLoaded | ShoeEmpty | LidMoved
ShufflerReport = (
    DeckLoaded
    | ShuffleStarted
    | DeckVerified
    | StackDispensed
    | StackRemoved
    | DeckUnloaded
    | ShufflerJammed
    | ShufflerJamCleared
    | BoxedCard
    | ShufflerDoorMoved
    | ShufflerTested
    | ShufflerFault
    | ShufflerModeChanged
)
"""What a shuffler did; besides it tells how it stands, its meters, and what it refused."""
DiceReport = CupShaken | CupOpened | DiceShown | CupShut | CupFault
PanelReport = KeyPressed | PinAnswered | KeyStuck
CardReaderReport = CardScanned | CardScannedAgain
Report = (
    ShoeReport
    | CardReaderReport
    | ShufflerReport
    | ShufflerStands
    | ShufflerMeters
    | ShufflerRefused
    | DropBoxReport
    | DiceReport
    | PanelReport
    | DeviceVetted
    | DeviceState
)

Sink = Callable[[Report], Awaitable[None]]
"""Takes one report; returns when it is safe. Raising means: not taken, give it to me again."""
