"""What a ruleset of a Mexican poker game may choose, and what its sheet fixes.

Sheets: bankers-mexican-stud-poker, turlock-mexican-poker, bankers-mexican-poker-salinas.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from msgspec.structs import replace

from controller.engine.betting.rules import BettingRules, NoLimit, Structure
from controller.games.poker.core.options import PokerOptions
from controller.games.poker.draw.options import DrawOptions


class MexicanOptions(PokerOptions, frozen=True, forbid_unknown_fields=True, kw_only=True):
    button_draw: bool = False
    new_game: bool = False
    """The same by Turlock's name: the hand begins with the draw for the button."""
    bring_in_tie: Literal["first_dealt", "suit"] = "first_dealt"
    upper_limit_from_round: Literal["none", 2, 3, 4] = "none"
    up_cards_wild_joker: Literal["matches_best_rank", "ace"] = "ace"
    """What a wild joker that was turned up counts when open cards are compared."""
    late_fee: int | None = None
    """Turlock: cents of the late fee, whose column the document has lost; none, or 0: none is taken."""

    @property
    def draws_for_button(self) -> bool:
        return self.button_draw or self.new_game

    @property
    def needs_button(self) -> bool:
        return not self.draws_for_button

    def betting(self, structure: Structure) -> BettingRules:
        return replace(super().betting(structure), bring_in="either_limit")


class SalinasOptions(DrawOptions, frozen=True, forbid_unknown_fields=True, kw_only=True):
    min_bet: int = 200
    collect_on_uncontested: bool = True
    """Everybody folds to the opening bet: the collection is taken from it all the same (A3)."""

    open_least: int = 200
    open_most: int = 500
    raise_by: int = 100
    fewest_seats: int = 5
    """Players that a hand needs."""
    button_discards: int = 4

    def most(self, seats: Sequence[int]) -> int:
        """How many may play."""
        return self.most_seats or len(seats)

    @property
    def needs_button(self) -> bool:
        """A table that names none begins a game: the button is drawn for (000:21)."""
        return False

    def posted(self, structure: Structure) -> Structure:
        if not isinstance(structure, NoLimit):
            return structure
        least = structure.minimum or structure.bring_in or self.min_bet
        return replace(structure, bring_in=self.open_least, minimum=least, raise_by=self.raise_by)
