"""What pai gow poker notes of a round beside its result."""

from __future__ import annotations

from collections.abc import Mapping

from controller.engine.inputs import Place
from controller.engine.round.facts import Facts


class PaiGowFacts(Facts):
    envy_buttons: list[Place] | None = None
    """Places with an Envy button."""
    proposition: dict[Place, int] | None = None
    controls_setting: dict[int, Place] | None = None
    """Whose bet sets the hand of each seat."""
    piles: dict[int, list[str]] | None = None
    undealt: list[str] | None = None
    action_number: int | None = None
    """The total of the dice."""
    action_player: int | None = None
    first_pile_to: int | None = None
    piles_by_seat: dict[int, int] | None = None
    dead_hands: list[int] | None = None
    """Seats without a wager whose pile went to the discards."""
    set_aside: str | None = None
    replacement: str | None = None
    replacement_in_first: str | None = None
    house_way_row: str | None = None
    """The row of the house way by which the player-dealer's hand was set."""
    comparison: Mapping[int, Mapping[str, str]] | None = None
    foul_seats: list[int] | None = None
    fortune_hand: dict[int, str] | None = None
    free_collection: list[Place] | None = None
