"""The scripts of the draw games without openers: what all draw games share, lowball, and the triple draw games.

A ruling may kill a hand, or begin the betting anew, while the table waits for an act of a seat: every question is asked
again from the current state of the hand.

| game | cards | a draw | the pot |
|---|---|---|---|
| Lowball | five | once, up to five | the lowest hand: ace to five, or deuce to seven |
| Deuce-Seven | five | three times, up to five; an empty stub is filled with the discards | the lowest hand, ace high |
| Badugi | four | three times, up to four; a short stub gets the discards | the most cards of different rank and suit |
| Baduci | five | three times, up to three; an empty stub ends all drawing | half best Badugi, half lowest hand |

Sheets: bankers-lowball-a5, bankers-lowball-27, calgrand-lowball-ace-to-five, calgrand-lowball-deuce-to-seven,
turlock-lowball, village-deuce-seven-triple-draw, village-badugi-triple-draw, village-baduci.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import ClassVar, TypeVar

from controller.engine.betting.rules import BetRound
from controller.engine.cards.card import Card, codes
from controller.engine.money.pots import halves, uncalled
from controller.engine.ranking import (
    ACE_TO_FIVE,
    ACES_LOW_HIGH,
    DEUCE_TO_SEVEN,
    DEUCE_TO_SEVEN_HIGH,
    STANDARD,
    Badugi,
    Chart,
    High,
    Low,
)
from controller.engine.round.felt import Move, Table
from controller.engine.round.game import Posting, Ruling
from controller.games.poker.core.hand import PokerHand
from controller.games.poker.core.kills import note_next_hand
from controller.games.poker.core.rankings import Rankings, standard
from controller.games.poker.core.script import Poker, deck_with
from controller.games.poker.core.settings import PokerSettings
from controller.games.poker.core.short_blinds import with_blinds_taken
from controller.games.poker.core.showdown import Claims, award
from controller.games.poker.core.streets import Street
from controller.games.poker.draw.dealing import Draw, Hands, bet
from controller.games.poker.draw.hand import DrawHand
from controller.games.poker.draw.openers import OpenersClaims, OpenersHand
from controller.games.poker.draw.options import DrawOptions
from controller.games.poker.draw.rulings import DRAW_RULINGS
from controller.games.poker.draw.sevens import judge_sevens
from controller.games.poker.draw.showdown import show_hands, showing_order

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
        """The number of cards in the deck, without counting it for every hand."""
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
        """Uncalled money back, hands shown, sevens judged, fees, pots, the next hand's kill."""
        assert isinstance(hand, DrawHand)
        hand.give_back(uncalled(hand.purse.live, hand.purse.folded))
        claims = None
        if hand.is_contested:
            claims = yield from self.showdown(hand)
            if hand.sevens != "none":
                judge_sevens(hand, claims)
        hand.fees_end(shown=claims is not None)
        award(hand, claims)
        note_next_hand(hand)


class OpenersGame(DrawGame[DrawOptionsT]):
    """A game of antes, whose pot must be opened."""

    opens_with: ClassVar[tuple[Posting, ...]] = ("antes",)
    claims = OpenersClaims

    def streets(self, options: DrawOptionsT) -> Sequence[Street]:
        return one_draw(check_before=True)

    def rankings(self, options: DrawOptionsT) -> Rankings:
        return standard(options)

    def floor_sets(self) -> tuple[Posting, ...]:
        return (*super().floor_sets(), "carried")

    def settle(self, hand: PokerHand) -> Move[None]:
        """Once the pot is awarded, the discards of who has split his openers are turned up (000:288)."""
        assert isinstance(hand, OpenersHand)
        yield from self.award_pot(hand)
        yield from hand.show_split()

    def award_pot(self, hand: OpenersHand) -> Move[None]:
        return super().settle(hand)


LOW_CHARTS = {"ace_to_five": ACE_TO_FIVE, "deuce_to_seven": DEUCE_TO_SEVEN}
HIGH_CHARTS = {
    ("ace_to_five", "high"): STANDARD,
    ("ace_to_five", "low"): ACES_LOW_HIGH,
    ("deuce_to_seven", "high"): DEUCE_TO_SEVEN_HIGH,
    ("deuce_to_seven", "low"): DEUCE_TO_SEVEN_HIGH,
}
"""Of the high half, by the low game and by what its aces are there."""


@lru_cache(maxsize=8)
def one_draw(*, check_before: bool, completes: bool = False) -> tuple[Street, ...]:
    """Low bets before the draw, high ones after it."""
    after = BetRound("after_draw", "high", nth=1, raise_by_previous=not check_before, complete=completes)
    return (
        Street(BetRound("before_draw", first=True, check=check_before), (Hands(5),)),
        Street(after, (Draw(),), "draw"),
    )


class Lowball(DrawGame[DrawOptions]):
    slug = "lowball"
    title = "Lowball"
    options_type = DrawOptions

    def streets(self, options: DrawOptions) -> Sequence[Street]:
        return one_draw(check_before=False, completes=options.completes)

    def rankings(self, options: DrawOptions) -> Rankings:
        return low_rankings(options)

    def make_hand(self, t: Table, options: DrawOptions, settings: PokerSettings) -> DrawHand:
        return super().make_hand(t, options, with_blinds_taken(t, options, settings))

    def floor_sets(self) -> tuple[Posting, ...]:
        return (*super().floor_sets(), "missed_blind", "waits")


def low_rankings(options: DrawOptions) -> Rankings:
    """The lowest hand, or the highest and the lowest; one value for all hands of a ruleset."""
    jokers = bool(options.jokers or options.joker)
    high = HIGH_CHARTS[options.low, options.high_half_aces] if options.variant == "high_low" else None
    return _low_rankings(high, options.low, jokers, options.wild_cards, options.low_qualifier)


@lru_cache(maxsize=64)
def _low_rankings(
    high_chart: Chart | None, low: str, jokers: bool, wild: tuple[str, ...], qualifier: int | None
) -> Rankings:
    high = None if high_chart is None else High(high_chart, "wild" if wild else "bug" if jokers else "none")
    return Rankings(high, Low(LOW_CHARTS[low], "low" if wild or jokers else "none"), qualifier=qualifier, wild=wild)


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
    """The cards that count are published where only one choice of them has the rank."""

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
