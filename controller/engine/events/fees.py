"""What a hand owes the house, and what is not taken after all."""

from __future__ import annotations

from typing import Literal

from controller.engine.events.event import Event
from controller.engine.inputs import Place

FeeCause = Literal[
    "due",
    "waived",
    "free_collection_button",
    "paid_for_void_round",
    "replaced",
    "round_void",
    "corrected",
    "not_owed",
    "not_known",
]
"""Why what a box is owed changes: a fee falls due; the floor waives the fees of the hand; the player has a button; he
paid for the void hand before; another fee takes its place; the hand is void; the hand was corrected; the floor states
that it is not owed after all; the entries with it do not come out the same when the journal is applied again."""


class FeeChanged(Event, tag="fee_changed"):
    """One line of the fee ledger: what a box is owed has changed.

    The sum of `cents` over all lines of a box is `after` of its last line, and `fees_due` of the state.
    """

    box: str
    cents: int
    """More, or less where it is negative."""
    cause: FeeCause
    before: int = 0
    """Cents that the box was owed before, from the journal's first round on, the running round included."""
    after: int = 0
    payer: str = ""
    """"player", with its place, "player_dealer" or "pot"; empty where a whole claim changes."""
    place: Place | None = None
    fee: str = ""
    """The posted schedule, by its id."""
    row: int | None = None
    """Which row of the schedule, from 0."""
    moment: str = ""
    """When the schedule has it taken."""
    name: str = ""
    """The document's name of the fee, where it has one: early, modified, jackpot."""
    round: int | None = None
    """The round whose fee it is, where it is not the running or the last one."""


class FeesWaived(Event, tag="fees_waived"):
    """The floor takes no fees for this hand; `cents` were due when it said so."""

    reason: str
    cents: int = 0


class FeesDropped(Event, tag="fees_dropped"):
    """The fees that had to be in the boxes before the round goes on are there: by box, what was due."""

    boxes: dict[str, int]
    how: str
    """"sensor": something fell into each box; "dealer": the dealer reported it."""


class FreeCollection(Event, tag="free_collection"):
    """A wager without action: this player's fee of the next hand is paid."""

    place: Place
