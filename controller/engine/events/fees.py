"""What a hand owes the house, and what is not taken after all."""

from __future__ import annotations

from controller.engine.events.event import Event
from controller.engine.inputs import Place


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
    """A fee that was due is not to be paid, or this part of it."""

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
    """"sensor": something fell into each box; "dealer": the dealer reported it."""


class FreeCollection(Event, frozen=True, tag="free_collection"):
    """A wager without action: this player's fee of the next hand is paid."""

    place: Place
