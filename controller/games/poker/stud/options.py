"""What a room may choose in seven-card stud.

Sheets: bankers-seven-card-stud, bankers-razz, calgrand-seven-card-stud.
"""

from __future__ import annotations

from typing import Literal

from msgspec.structs import replace

from controller.engine.betting.rules import BettingRules, FixedLimit, Structure
from controller.games.poker.core.options import PokerOptions

Opens = Literal["low", "high", "none"]


class StudOptions(PokerOptions, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What a room may choose in stud, and what its sheet fixes."""

    bring_in: Literal["low_card", "high_card"] | None = None
    """Banker's Razz: which up-card brings it in (A2)."""
    forced_opener: Opens | None = None
    """California Grand: which door card must open, if any; absent: by the game, where a forced bet is posted."""
    opener_may_bring_in_low: bool = True

    bring_in_is_posted: bool = False
    """The rules post the bring-in, and where its owner is all-in the seat on his left may open or fold (000:171); else
    the owner chooses the amount, and an all-in card is passed over (STUD-12)."""
    completing: Literal["raise", "complete"] = "raise"
    open_pair_for: Literal["holder", "anyone", "nobody"] = "holder"
    shortage: Literal["scramble", "reshuffle_burns"] = "reshuffle_burns"
    early_street: Literal["set_aside", "burned"] = "set_aside"
    """What becomes of a street that was dealt before the betting was complete: its first card is the burn and the
    others are kept aside (000:174-179), or all of them are burns (001:1150)."""
    all_in_gets_last_card_down: bool = False
    """The last card of a seat that is all-in comes face down, also where the others' come face up (001:1155)."""
    dead_seat_gets_door_card: bool = False
    """A seat that is out in the deal still gets its third card, which shows whether it would have brought it in."""

    @property
    def needs_button(self) -> bool:
        return False

    def betting(self, structure: Structure) -> BettingRules:
        return replace(
            super().betting(structure),
            opener_may_bring_in_low=self.opener_may_bring_in_low,
            completing=self.completing,
            open_pair_for="anyone" if self.open_pair_for == "anyone" else "holder",
        )

    def opens(self, structure: Structure) -> Opens:
        """Which card must open."""
        by_game: Opens = "high" if self.variant == "low" else "low"
        if self.bring_in_is_posted:
            return by_game if self.bring_in is None else "low" if self.bring_in == "low_card" else "high"
        if self.forced_opener is not None:
            return self.forced_opener
        return by_game if isinstance(structure, FixedLimit) and structure.forced is not None else "none"
