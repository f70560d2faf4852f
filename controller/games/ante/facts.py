"""What the ante games note of a round beside its result."""

from __future__ import annotations

from controller.engine.inputs import Place
from controller.engine.round.facts import Facts


class AnteFacts(Facts):
    dealt_in: list[int] | None = None
    """The seats that were dealt cards."""
    total_action: int | None = None
    """Cents wagered before the deal."""
    wagers: dict[Place, dict[str, int]] | None = None
    required_bonus: int | None = None
    """The bonus bet that would be accepted where it must equal the ante."""
    play: dict[Place, int] = {}
    """Ultimate Texas Hold'em: the play wagers."""
    button_seat: int | None = None
    """Three Card Poker: the seat that the player-dealer's up card counts out."""
    six_card: dict[Place, list[str]] | None = None
    straight_or_up_hand: dict[Place, str] | None = None
    pair_or_suited_hand: dict[Place, str] | None = None
    free_collection: list[Place] | None = None
    """Who gets a free collection button."""
