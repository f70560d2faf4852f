"""One hand of Mexican Poker as it is played in Salinas: who plays, and what the button may discard.

Sheet: bankers-mexican-poker-salinas.
"""

from __future__ import annotations

from controller.engine.round.felt import Table
from controller.games.poker.core.rankings import Rankings
from controller.games.poker.core.settings import PokerSettings
from controller.games.poker.draw.hand import DrawHand
from controller.games.poker.mexican.options import SalinasOptions


class SalinasHand(DrawHand):
    def __init__(
        self, t: Table, options: SalinasOptions, settings: PokerSettings, rankings: Rankings, deck: int
    ) -> None:
        super().__init__(t, options, settings, rankings, deck)
        self.salinas = options
        stacks = settings.stacks or {}
        self.seats = [seat for seat in self.seats if stacks.get(seat, 1)]
        self.purse.folded.update(seat for seat in t.seats if seat not in self.seats)

    @property
    def from_button(self) -> list[int]:
        """Live hands, the button's first, or without it the first on its left (000:50, A4)."""
        live = self.contenders
        return [seat for seat in live if seat == self.button] + [seat for seat in live if seat != self.button]

    def take_button(self, seat: int) -> None:
        playing = set(self.seats)
        super().take_button(seat)
        self.seats = [other for other in self.seats if other in playing]

    def most_discards(self, seat: int) -> tuple[int, str]:
        most, too_many = super().most_discards(seat)
        return (self.salinas.button_discards, "button_discards_five") if seat == self.button else (most, too_many)

    def _shuffle_discards(self, seat: int) -> None:
        """Not covered by the rules: the discards are shuffled, and the floor must confirm it (A5)."""
        self.t.rule("needs_ruling", seat)
        super()._shuffle_discards(seat)
