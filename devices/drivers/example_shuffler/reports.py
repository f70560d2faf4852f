"""What the example vendor's machine says, as what every shuffler reports.

The table knows one shuffler: `protocols.shuffler.messages`, and what `devices.drivers.shuffler` adds to them. What this
machine cannot know is None or empty there: it sees no backs and names no part.
"""

from __future__ import annotations

from devices.drivers.shuffler import CheckedDeckLoaded, LimitedStack
from protocols.example_shuffler import messages as theirs
from protocols.example_shuffler.codec import MAX_CARDS
from protocols.link.events import NumberedEvent
from protocols.shuffler import messages as ours

_PHASES: dict[theirs.Phase, ours.Phase] = {
    "empty": "empty",
    "loaded": "loaded",
    "shuffling": "shuffling",
    "ready": "ready",
    "rejected": "rejected",
    "forming": "dispensing",
    "ejecting": "unloading",
    "held": "held",
    "jammed": "jammed",
}
_MOVING: dict[theirs.Phase, ours.Moving] = {
    "shuffling": "shuffling",
    "forming": "dispensing",
    "ejecting": "unloading",
}
REASONS: dict[theirs.Why, ours.Refusal] = {
    "other power-up": "other boot",
    "other deck": "other deck",
    "out of turn": "out of turn",
    "busy": "busy",
    "door open": "door open",
    "jammed": "jammed",
    "news": "irregularity",
    "not shuffled": "not shuffled",
    "rejected": "not fit",
    "too few cards": "too few cards",
    "held": "held",
    "not known": "out of turn",
}


def status_of(status: theirs.Status) -> ours.Status:
    """A machine that forms a hand was allowed one more than it has formed."""
    return ours.Status(
        boot=status.boot,
        event_no=status.event_no,
        phase=_PHASES[status.phase],
        mode=ours.Mode(kind="stacks", stack=status.size),
        deck_no=status.deck_no,
        back=None,
        shuffle_no=status.shuffle_no,
        stacks=status.hands,
        up_to=status.hands + (status.phase == "forming"),
        size=status.size,
        cards_left=status.left,
        tray=status.tray,
        door_open=status.door_open,
        test_no=0,
    )


def event_of(record: theirs.Record, *, limit: int | None) -> NumberedEvent:
    """`limit`: the highest hand of its deck that was asked for; None: none was."""
    head = {"boot": record.boot, "event_no": record.event_no, "uptime_ms": record.uptime_ms}
    match record:
        case theirs.DeckIn():
            return CheckedDeckLoaded(
                **head, deck_no=record.deck_no, back=None, last_back=None, found=record.found, problem=""
            )
        case theirs.ShuffleBegun():
            by: ours.By = "hand" if record.by == "button" else "controller"
            return ours.ShuffleStarted(
                **head, deck_no=record.deck_no, shuffle_no=record.shuffle_no, order="shuffled", by=by
            )
        case theirs.DeckChecked():
            return ours.DeckVerified(
                **head,
                deck_no=record.deck_no,
                shuffle_no=record.shuffle_no,
                order="shuffled",
                back=None,
                count=record.count,
                expected=record.expected,
                boxed=record.turned,
                other_backs=0,
                unread=record.unread,
                missing=_named(record.missing),
                extra=_named(record.extra),
                more=MAX_CARDS in (len(record.missing), len(record.extra)),
            )
        case theirs.HandFormed():
            return LimitedStack(
                **head,
                deck_no=record.deck_no,
                stack_no=record.hand_no,
                size=record.size,
                cards=record.cards,
                limit=limit,
            )
        case theirs.HandTaken():
            return ours.StackRemoved(**head, deck_no=record.deck_no, stack_no=record.hand_no)
        case theirs.Jam():
            return ours.Jammed(
                **head,
                deck_no=record.deck_no,
                during=_MOVING.get(record.during, "unloading"),
                where=None,
                card_no=record.card_no,
                stack_no=record.hand_no,
                in_stack=record.in_tray,
            )
        case theirs.JamCleared():
            return ours.JamCleared(**head, deck_no=record.deck_no)
        case theirs.DoorMoved():
            return ours.DoorMoved(**head, is_open=record.door_open)
        case theirs.DeckOut():
            return ours.DeckUnloaded(**head, deck_no=record.deck_no, count=record.rest, expected=record.rest_expected)


def is_trouble(event: NumberedEvent) -> bool:
    """Whether the deal goes on only by a request that knows of it."""
    return isinstance(event, ours.Event) and ours.is_irregular(event)


def _named(cards: tuple[str | None, ...]) -> tuple[str, ...]:
    return tuple(card for card in cards if card is not None)
