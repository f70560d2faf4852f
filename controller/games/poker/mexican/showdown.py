"""What a hand of Mexican Poker is worth.

Sheets: bankers-mexican-stud-poker, turlock-mexican-poker.
"""

from __future__ import annotations

from controller.engine.ranking import MEXICAN, High
from controller.games.poker.core.showdown import Claims
from controller.games.poker.mexican.hand import MexicanHand

PARTIAL = High(MEXICAN, jokers="bug", five_of_a_kind="none")
"""An ace, or the card that completes a straight or flush; four aces and it are no five of a kind (A5)."""
WILD = High(MEXICAN, jokers="wild")


class MexicanClaims(Claims):
    """A hand with a joker is ranked by how the joker was dealt; both kinds meet on one chart."""

    def make(self, seat: int) -> None:
        assert isinstance(self.hand, MexicanHand)
        self.hand.note_joker(seat)
        ranking = WILD if self.hand.has_wild_joker(seat) else PARTIAL
        self.high[seat] = ranking.rank(self.hand.hole(seat).cards)
        self.hand.t.result.ranks[str(seat)] = self.high[seat].document()
