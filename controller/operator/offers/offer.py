"""One thing that a person may do, as a value: an input with holes, and what each hole may hold."""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct

from controller.operator.roles import Right

MOST_SEATS = 10
AskKind = Literal["card", "cards", "cents", "amounts", "by_seat", "each", "dice", "pick", "seats", "text", "code"]
Group = Literal["now", "wagers", "table", "floor", "alarms", "undo"]


class Pick(Struct, frozen=True, omit_defaults=True):
    """One of several answers; a wager brings the bounds of the amount that is asked for next."""

    value: int | str | dict[str, Any] | None
    label: str
    min: int | None = None
    max: int | None = None
    step: int = 1
    equals: str | None = None
    """Of a wager: the other one whose amount it must have, so that both are placed together."""


class Ask(Struct, frozen=True, omit_defaults=True):
    """What goes into one field of an offer's body.

    card: a code. cards: a list of `min` to `max` codes, of `picks` where there are any. cents: an amount. amounts: a
    list of them. by_seat: an amount for each of `picks`. each: one amount, the same for each of `picks`. dice: `max`
    values. pick: one of `picks`. seats: some of `picks`. text: may be empty. code: what is printed on a thing, keyed or
    scanned; may be empty.
    """

    field: str
    kind: AskKind
    label: str
    min: int | None = None
    max: int | None = None
    step: int = 1
    picks: tuple[Pick, ...] = ()
    given: Any = None
    """The value now."""
    sealed: bool = False
    """What is keyed must not be shown."""
    of_seats: bool = False
    """In one dialog with others: of `picks` only the seats that are chosen there."""


class Offer(Struct, frozen=True, omit_defaults=True):
    """One thing that may be done."""

    id: str
    label: str
    right: Right
    body: dict[str, Any]
    group: Group = "now"
    under: str = ""
    """The heading that it is under: "Seat 3"."""
    asks: tuple[Ask, ...] = ()
    sure: str = ""
    """A question to be answered with yes first: it cannot be taken back."""
    clears: tuple[str, ...] = ()
    """Alarms that it clears, where nothing else is wrong there."""
    form: bool = False
    """All that it asks for is in one dialog."""
    moment: str = ""
    """What the table waits for as this is offered (`moments.py`): it comes back with the slip. Empty: at any time."""
    before: tuple[dict[str, Any], ...] = ()
    """Acts that are sent in the same slip before `body`."""
    after: tuple[dict[str, Any], ...] = ()
    """Acts that are sent in the same slip after `body`."""

    def acts(self, body: dict[str, Any]) -> tuple[dict[str, Any], ...]:
        """The whole slip, with this body complete."""
        return (*self.before, body, *self.after)
