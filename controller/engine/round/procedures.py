"""What the table's procedures leave to one round: the player-dealer's burn, and the hands of one player."""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from controller.engine.bets.hands import HandLimits


class RoundProcedures(Struct, frozen=True):
    """What is in force when a round is prepared."""

    burns: int | None = None
    """Cards that the player-dealer may still have burned from this shoe; None: the text has no such burn."""
    hands: HandLimits | None = None


NONE_IN_ROUND: Final = RoundProcedures()
