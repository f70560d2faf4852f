"""Three draws and four betting rounds: deuce to seven, Badugi, and Baduci, which is half of each.

| game | cards | a draw | the pot |
|---|---|---|---|
| Deuce-Seven | five | up to five; an empty stub is filled with the discards | the lowest hand, ace high |
| Badugi | four | up to four; discards are shuffled when the stub is short | the most cards of different rank and suit |
| Baduci | five | up to three; an empty stub ends all drawing | half to the best Badugi, half to the lowest hand |

Sheets: village-deuce-seven-triple-draw, village-badugi-triple-draw, village-baduci.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from controller.engine.betting.rules import BetRound
from controller.engine.cards.card import Card, codes
from controller.engine.money.pots import halves
from controller.engine.ranking import DEUCE_TO_SEVEN, Badugi, Low
from controller.engine.round.felt import Move, Table
from controller.games.poker.core.hand import PokerHand
from controller.games.poker.core.rankings import Rankings
from controller.games.poker.core.settings import PokerSettings
from controller.games.poker.core.showdown import Claims
from controller.games.poker.core.streets import Street
from controller.games.poker.draw.draw import Draw, Hands
from controller.games.poker.draw.game import DrawGame
from controller.games.poker.draw.hand import DrawHand
from controller.games.poker.draw.options import DrawOptions

LOW_27, BADUGI = Low(DEUCE_TO_SEVEN), Badugi()


def three_draws(cards: int) -> tuple[Street, ...]:
    """Low bets on the first two rounds, high bets on the last two (L1227; village-deuce-seven-triple-draw, A1)."""
    return (
        Street(BetRound("bet_1", first=True, check=False), (Hands(cards),)),
        Street(BetRound("bet_2", nth=1), (Draw("draw_1"),)),
        Street(BetRound("bet_3", "high", nth=2), (Draw("draw_2"),)),
        Street(BetRound("bet_4", "high", nth=3), (Draw("draw_3"),)),
    )


class TripleDraw(DrawGame[DrawOptions]):
    """What the three games share."""

    options_type = DrawOptions
    dealt: ClassVar[tuple[Street, ...]]
    ranked: ClassVar[Rankings]

    def streets(self, options: DrawOptions) -> Sequence[Street]:
        return self.dealt

    def rankings(self, options: DrawOptions) -> Rankings:
        return self.ranked

    def make_hand(self, t: Table, options: DrawOptions, settings: PokerSettings) -> DrawHand:
        hand = super().make_hand(t, options, settings)
        hand.facts.max_discards = options.most_discards
        hand.note_bet_sizes(self.dealt)
        return hand


class DeuceSevenTripleDraw(TripleDraw):
    slug = "deuce-seven-triple-draw"
    title = "Deuce-Seven Triple Draw"
    dealt = three_draws(5)
    ranked = Rankings(None, LOW_27)


class BadugiClaims(Claims):
    """The cards that count are told where only one choice of them gives the rank."""

    def make(self, seat: int) -> None:
        super().make(seat)
        cards = self.hand.hole(seat).cards
        choices = badugi_choices(cards)
        if len(choices) == 1:
            self.hand.facts.badugi_cards[seat] = codes(choices[0])


def badugi_choices(cards: Sequence[Card]) -> list[list[Card]]:
    """Every choice of cards that makes the best Badugi hand, lowest card first."""
    choices = BADUGI.choices(cards)
    if len(choices) > 1:
        best = BADUGI.rank(cards)
        choices = [choice for choice in choices if BADUGI.rank_different(choice) == best]
    chosen = [list(choice) for choice in choices]
    for choice in chosen:
        choice.sort(key=lambda card: BADUGI.chart.ranks.index(card.rank))
    return chosen


class BadugiTripleDraw(TripleDraw):
    slug = "badugi-triple-draw"
    title = "Badugi Triple Draw"
    dealt = three_draws(4)
    ranked = Rankings(None, BADUGI)
    claims = BadugiClaims


class BaduciClaims(BadugiClaims):
    """Two hands of every five cards: the first half of the pot is the low hand's, the second the Badugi's."""

    def make(self, seat: int) -> None:
        super().make(seat)
        badugi, facts = self.low[seat], self.hand.facts
        assert badugi is not None
        facts.badugi_ranks[seat] = badugi.document()
        facts.low_ranks.clear()

    def halves(self, cents: int, chip: int, high: Sequence[int], low: Sequence[int]) -> tuple[int, int]:
        """The odd chip goes to the half whose winner sits first from the button's left (village-baduci, A4).

        Where one seat is first in both, to the Badugi half: the text names it first (004:1177).
        """
        more, less = halves(cents, chip)
        first = self.hand.in_order({*high, *low})[0]
        return (less, more) if first in low else (more, less)


class Baduci(TripleDraw):
    slug = "baduci"
    title = "Baduci"
    dealt = three_draws(5)
    ranked = Rankings(LOW_27, BADUGI)
    claims = BaduciClaims

    def settle(self, hand: PokerHand) -> Move[None]:
        yield from super().settle(hand)
        won = hand.facts.winners
        if won is not None:
            hand.facts.winners = {"badugi": sorted(won["low"]), "low": sorted(won["high"])}
