"""What the blackjack games note of a round beside its result."""

from __future__ import annotations

from controller.engine.inputs import Place
from controller.engine.round.facts import Facts


class BlackjackFacts(Facts):
    """Of a circle by its name, of a bettor by his place."""

    legal: list[str] | None = None
    """What the hand that was asked last might do."""
    wager_by_hand: dict[str, list[int]] = {}
    net_by_hand: dict[str, list[int]] = {}
    splits_allowed: int | None = None
    splits_used: int | dict[str, int] | None = None
    """Of the circle that split; by circle where several did."""
    hands_in_play: int | dict[str, int] | None = None
    button_seat: int | None = None
    free_collection: list[Place] | None = None
    """Who gets a free collection button."""
    bust_cards: int | None = None
    """Cards of the player-dealer's hand where it went over."""
    seat_total: dict[int, int] | None = None
