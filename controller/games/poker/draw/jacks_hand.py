"""A hand of jacks or better: who may still open, who has passed, what the opener was dealt and kept.

Sheet: bankers-draw-jacks-or-better.
"""

from __future__ import annotations

from collections.abc import Sequence

from controller.engine.cards.card import Card
from controller.engine.round.felt import Table
from controller.games.poker.core.rankings import Rankings
from controller.games.poker.core.settings import PokerSettings
from controller.games.poker.draw.openers import OpenersHand, are_openers
from controller.games.poker.draw.options import JacksOptions

JACK = 11
OPENERS = ("pair", "J")
OPEN, DECLARE_OPEN = "open", "declare_open"
BEFORE_DRAW = "before_draw"


class JacksHand(OpenersHand):
    """A hand of jacks or better: who may still open, who has passed."""

    def __init__(self, t: Table, options: JacksOptions, settings: PokerSettings, rankings: Rankings, deck: int) -> None:
        super().__init__(t, options, settings, rankings, deck)
        self.jacks = options
        self.carried = {int(seat): cents for seat, cents in (options.carried_antes or {}).items()}
        self.may_open: list[int] = []
        """Who may still open, in turn."""
        self.passed: set[int] = set()
        self.opening_bet = 0
        self.is_reopening = False
        """False openers were shown: others may declare the pot open."""
        self.false_openers: set[int] = set()
        self.acts_since_opening = 0
        self.callers: set[int] = set()

    def open_before_draw(self) -> None:
        self.may_open = list(self.contenders)

    @property
    def is_opening(self) -> bool:
        """Before the draw, and the pot is not open."""
        return self.phase == BEFORE_DRAW and self.opener is None

    def next_to_act(self) -> int | None:
        if not self.is_opening:
            return super().next_to_act()
        return next((seat for seat in self.may_open if seat not in self.purse.folded), None)

    def may_act_before(self, seat: int) -> list[int]:
        """Others whose act would do as well: who is all-in for the antes need not speak, so the seats after him, up to
        the first with chips."""
        waiting = [other for other in self.may_open if other not in self.purse.folded]
        behind: list[int] = []
        while self.is_opening and not self.is_reopening and not self.purse.can_act(seat) and waiting[1:]:
            waiting = waiting[1:]
            seat = waiting[0]
            behind.append(seat)
        return behind

    def take(self, seat: int, do: str, to: int | None) -> None:
        if not self.is_opening:
            self.acts_since_opening += 1
            if do == "call":
                self.callers.add(seat)
            super().take(seat, do, to)
            return
        silent = self.may_open[: self.may_open.index(seat)]
        self.passed.update(other for other in silent if other not in self.purse.folded)
        self.may_open = self.may_open[len(silent) + 1 :]
        if do == "check":
            self.passed.add(seat)
            return
        if do == OPEN:
            self.action.take(seat, "bet", to)
            self.opening_bet = self.action.put_in[seat]
        else:
            self.opening_bet = self.opening_bet or self.structure.unit(self.action.round)
            self.action.declare(seat, self.opening_bet)
            self.facts.minimum_call = self.opening_bet
        self.opener, self.is_reopening, self.acts_since_opening = seat, False, 0
        self.callers.clear()

    @property
    def keeps_discards(self) -> bool:
        """What the opener threw away is kept under a chip until the end (000:288)."""
        return True

    def has_openers(self, seat: int) -> bool:
        rank = self.opening_rank(seat)
        return rank is not None and rank.reaches(OPENERS)

    def keeps_openers(self, cards: Sequence[Card]) -> bool:
        return self.proves(cards)

    def proves(self, cards: Sequence[Card]) -> bool:
        if len(cards) == len(self.dealt[self.seats[0]]):
            rank = self._openers.best_high(list(cards))
            return rank is not None and rank.reaches(OPENERS)
        return are_openers(cards, JACK)
