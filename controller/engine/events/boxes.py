"""The drop boxes: what fell, whether it is what was owed, and what was in the box when it was taken out."""

from __future__ import annotations

from typing import Any

from controller.engine.events.event import Event


class BoxTold(Event, tag="drop_box"):
    """What happened at a drop box; `total` is every piece that fell into it since its sensor was first met."""

    box: str
    what: str
    count: int = 0
    total: int = 0
    facts: dict[str, Any] = {}
    low: int | None = None
    """The least that the pieces are worth in cents, where the house has stated in what chips fees are paid."""
    high: int | None = None


class BoxIdentified(Event, tag="box_identified"):
    """Somebody keyed or scanned which box this is."""

    box: str
    box_id: str
    by: str
    seal: str = ""
    comes: bool = False
    """It is not in the slot yet."""


class DropMatched(Event, tag="drop_matched", omit_defaults=False):
    """What fell into a box can be what a round owed it."""

    box: str
    due: int
    pieces: int
    round: int
    dealer: str = ""
    proof: str = "count"
    """value: its worth is known; count: that number of pieces can be that amount; presence: something fell."""
    low: int = 0
    """The least that the pieces are worth, cents."""
    high: int | None = None
    """The most; null: not known."""
    box_id: str = ""
    late: bool = False
    """It was judged short before."""
    by_the_clock: bool = False
    """A fee by time, not of that round."""


class DropDiffers(Event, tag="drop_differs", omit_defaults=False):
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


class DropSettled(Event, tag="drop_explained"):
    """The floor has stated what became of a difference."""

    box: str
    reason: str
    by: str
    round: int | None = None
    let_off: int = 0
    """Cents that are not owed after all."""


class BoxReckoned(Event, tag="box_reckoned", omit_defaults=False):
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


class BoxCounted(Event, tag="box_counted", omit_defaults=False):
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
