"""What a ruleset of a board game may choose; hold'em and Omaha have no more than `PokerOptions`.

Sheets: calgrand-pineapple, village-pineapple-hi-lo, turlock-pineapple-high-low-split.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from controller.games.poker.core.options import PokerOptions

DiscardAt = Literal["none", "before_flop", "after_flop_betting"]
DISCARDS: Mapping[str, DiscardAt] = {"regular": "before_flop", "crazy": "after_flop_betting", "tahoe": "none"}
"""The forms of calgrand-pineapple, and when a card is thrown away in them."""


class PineappleOptions(PokerOptions, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What a room may choose in Pineapple."""

    pineapple: Literal["regular", "crazy", "tahoe"] | None = None
    """California Grand's names for the three forms; absent where a room sets `discard`."""
    discard: DiscardAt = "none"
    """When a card of the hand is thrown away."""
    discard_in_turn: bool = False
    """One seat after the other, or all at once."""
    three_kept: Literal["any", "at_least_one"] = "any"
    """Who keeps all three cards: any five of the eight, or at least one of his own."""
    button_drop: int | None = None
    """Cents that the button posts for the drop, where the room has it; it replaces the fee of a posted schedule."""

    @property
    def discards_at(self) -> DiscardAt:
        return self.discard if self.pineapple is None else DISCARDS[self.pineapple]
