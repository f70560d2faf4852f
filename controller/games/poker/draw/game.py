"""What every draw game shares: asking for bets while rulings may change who is asked, showing hands, rules on sevens.

A ruling may kill a hand, or begin the betting anew, while the table waits for somebody's act: so every question here is
asked again from what lies on the felt.

Sheets: as in `draw`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from controller.engine.round.felt import Move, Table
from controller.engine.round.game import Ruling
from controller.games.poker.core.game import Poker, deck_with
from controller.games.poker.core.hand import PokerHand
from controller.games.poker.core.settings import PokerSettings
from controller.games.poker.core.showdown import Claims
from controller.games.poker.draw.drawing import bet
from controller.games.poker.draw.hand import DrawHand
from controller.games.poker.draw.options import DrawOptions
from controller.games.poker.draw.rulings import DRAW_RULINGS
from controller.games.poker.draw.showdown import settle, show_hands, showing_order

DrawOptionsT = TypeVar("DrawOptionsT", bound=DrawOptions)
CARDS_IN_DECK = 52
"""Besides jokers."""


class DrawGame(Poker[DrawOptionsT]):
    """Any game with a draw."""

    def deck(self, options: DrawOptionsT) -> dict[str, int]:
        return deck_with(options.jokers or int(options.joker))

    @property
    def rulings(self) -> Mapping[str, Ruling]:
        return DRAW_RULINGS

    def make_hand(self, t: Table, options: DrawOptionsT, settings: PokerSettings) -> DrawHand:
        return DrawHand(t, options, settings, self.rankings(options), self.cards(options))

    def cards(self, options: DrawOptionsT) -> int:
        """How many the deck has, without counting it for every hand."""
        return CARDS_IN_DECK + (options.jokers or int(options.joker))

    # Betting

    def bet(self, hand: PokerHand) -> Move[None]:
        assert isinstance(hand, DrawHand)
        return bet(hand)

    # The end

    def showdown(self, hand: PokerHand) -> Move[Claims]:
        assert isinstance(hand, DrawHand)
        return show_hands(hand, showing_order(hand), self.claims)

    def settle(self, hand: PokerHand) -> Move[None]:
        assert isinstance(hand, DrawHand)
        return settle(self, hand)
