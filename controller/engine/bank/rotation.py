"""How the player-dealer's position rotates, as an approval prints it: docs/table/rotation.md."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

Kind = Literal["stop", "limit", "offer"]
Direction = Literal["clockwise", "counter_clockwise"]
Binds = Literal["person", "entity"]
Eligible = Literal["seated", "squares", "wagered"]
VoidHand = Literal["counts", "does_not_count"]
FirstOffer = Literal["house_selects", "seat_one"]
Resumes = Literal["another_player_dealer", "or_after_a_reasonable_time"]


class Rotation(Struct, frozen=True, forbid_unknown_fields=True):
    """The rotation in force at a table."""

    kind: Kind
    """What follows when nobody else takes the position: the game is broken, another must bank, or the same goes on."""
    direction: Direction
    hands: Annotated[int, Meta(ge=1)]
    """Consecutive hands of one person, after which the position is offered."""
    binds: Binds
    eligible: Eligible
    """Every seat; the seat and its squares with a wager last hand; a seat with a wager last hand."""
    void_hand: VoidHand
    resumes: Resumes = "another_player_dealer"
    """How a broken game goes on."""
    first_offer: FirstOffer = "house_selects"
    """Where the offer begins in a new game: where the house selects, or at seat 1."""
