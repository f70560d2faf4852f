"""Who wins the odd chips of a stud pot.

Sheets: bankers-seven-card-stud, bankers-razz, calgrand-seven-card-stud.
"""

from __future__ import annotations

from controller.engine.money.pots import SidePot
from controller.games.poker.core.showdown import Claims
from controller.games.poker.stud.hand import StudHand


class StudClaims(Claims):
    """Odd chips by the highest card among the seven, rank before suit, or by the lowest (000:204, 000:208, 1157)."""

    def of(self, pot: SidePot) -> list[int]:
        order, hand = super().of(pot), self.hand
        assert isinstance(hand, StudHand)
        if hand.options.odd_chip == "lowest_card":
            order.sort(key=lambda seat: min(map(hand.card_key, hand.hole(seat).cards)))
        elif hand.options.odd_chip == "highest_card":
            order.sort(key=lambda seat: max(map(hand.card_key, hand.hole(seat).cards)), reverse=True)
        return order
