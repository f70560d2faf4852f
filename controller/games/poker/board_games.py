"""Board games: hole cards, then a flop, a turn and a river for everybody.

A board game is its number of hole cards and how many of them a hand must use; streets, betting, rulings and showdown
are shared. Texas Hold'em: two hole cards, any of them.

Sheets: bankers-texas-holdem, calgrand-texas-holdem.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from controller.engine.betting import BetRound
from controller.engine.cards import JOKER, standard_deck
from controller.engine.expect import Expectation, WantFloor, dollars
from controller.engine.felt import Script, Table
from controller.engine.game import Game, Ruling
from controller.engine.ranking import UseHole
from controller.games.poker.hand import PokerHand
from controller.games.poker.kills import note_next_hand
from controller.games.poker.options import PokerOptions
from controller.games.poker.posting import post
from controller.games.poker.rulings import RULINGS
from controller.games.poker.settings import NotReady, read_settings
from controller.games.poker.showdown import award, show_hands
from controller.games.poker.streets import Street, bet, deal_hole, turn_board


def streets(hole: int) -> tuple[Street, ...]:
    """Low bets before and on the flop, high bets on turn and river; no checking before the flop."""
    return (
        Street(BetRound("preflop", first=True, check=False), hole=hole),
        Street(BetRound("flop"), board=3),
        Street(BetRound("turn", "high"), board=1),
        Street(BetRound("river", "high"), board=1),
    )


class BoardPoker(Game[PokerOptions]):
    """Any game of hole cards and a board."""

    options_type = PokerOptions
    streets: ClassVar[tuple[Street, ...]]
    use_hole: ClassVar[UseHole] = None
    """How many hole cards a hand must use."""

    def deck(self, options: PokerOptions) -> Mapping[str, int]:
        deck = {card.code: 1 for card in standard_deck()}
        return deck | {JOKER: options.jokers} if options.jokers else deck

    @property
    def rulings(self) -> Mapping[str, Ruling]:
        return RULINGS

    def play(self, t: Table, options: PokerOptions) -> Script:
        try:
            settings = read_settings(t.setup)
        except NotReady as problem:
            while True:
                yield Expectation((WantFloor("table_not_ready", str(problem), choices=()),))
        hand = PokerHand(t, options, settings, self.use_hole)
        preflop, *later = self.streets
        yield from post(hand, preflop.bet)
        yield from deal_hole(hand, preflop)
        yield from bet(hand)
        for street in later:
            if len(hand.contenders) == 1:
                break
            yield from turn_board(hand, street)
            hand.open_betting(street.bet)
            yield from bet(hand)
        t.result.returned = hand.purse.return_uncalled()
        for seat in t.result.returned:
            hand.paid(seat)
        claims = None
        if len(hand.contenders) > 1:
            claims = yield from show_hands(hand)
        award(hand, claims)
        note_next_hand(hand)

    def tell(self, result: Mapping[str, Any]) -> str | None:
        won: dict[str, int] = {}
        for pot in result.get("pots", ()):
            for seat, cents in pot["to"].items():
                won[str(seat)] = won.get(str(seat), 0) + cents
        return "; ".join(f"Seat {seat} wins {dollars(cents)}" for seat, cents in won.items()) or None


class TexasHoldem(BoardPoker):
    slug = "texas-holdem"
    title = "Texas Hold'em"
    streets = streets(hole=2)
