"""What the wagers of Ultimate Texas Hold'em win or lose."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from controller.engine.cards.card import Card
from controller.engine.money.bank import TO_THE_CENT, OddCents, Odds, Rounding
from controller.engine.ranking import HIGH, Rank
from controller.engine.round.felt import Table
from controller.games.ante.bettors import Bettor
from controller.games.ante.settlement import Comparison, pay_table
from controller.games.ante.ultimate_holdem.options import UthOptions
from controller.games.tips import DEALER_TIP

ROUNDED: dict[str, OddCents] = {"round_down": "down", "nearest": "nearest", "round_up": "up", "refuse": "down"}
"""What `broken_blind` makes of a payoff that is no whole chip; where such a blind is refused there is none."""


class Payments:
    """Who is paid and who pays, in the order of the sheet: folded hands, then seat by seat."""

    def __init__(self, t: Table, options: UthOptions, ranks: Mapping[str, Rank], board: Sequence[Card]) -> None:
        pays = options.pays
        self.t, self.options, self.ranks, self.board = t, options, ranks, board
        self.book, self.settlement = t.book, t.settlement
        self.qualified = t.result.flags.get("qualified", False)
        self.rounding = Rounding(ROUNDED[options.broken_blind], options.chip_unit)
        self.even = {"ante": Odds(pays.ante), DEALER_TIP: Odds(pays.ante), "play": Odds(pays.play)}
        self.trips, self.blind = pay_table(pays.trips), pay_table(pays.blind)

    def walk(self, from_seat_1: Sequence[Bettor], from_player_dealer: Sequence[Bettor]) -> None:
        """Folded hands in the first order, all others in the second."""
        folded_trips_now = self.options.folded_trips_paid == "at_fold"
        for bettor in from_seat_1:
            if bettor.folded:
                self._collect_folded(bettor, pay_trips=folded_trips_now)
        for bettor in from_player_dealer:
            if not bettor.folded:
                self._settle(bettor)
            elif not folded_trips_now and self._trips_odds(bettor) is not None:
                self._settle_trips(bettor)

    def _collect_folded(self, bettor: Bettor, *, pay_trips: bool) -> None:
        """Folded wagers are collected before the showdown, so they use the player-dealer's money first."""
        for wager in ("ante", DEALER_TIP, "blind"):
            if wager in self.book[bettor.place]:
                self.settlement.lose(bettor.place, wager, self.book[bettor.place][wager])
        if pay_trips or self._trips_odds(bettor) is None:
            self._settle_trips(bettor)

    def _settle(self, bettor: Bettor) -> None:
        outcome = self.t.result.outcome[bettor.place]
        antes = ("ante", DEALER_TIP)
        for wager in ("play", *antes, "blind") if outcome == "lose" else (*antes, "play", "blind"):
            if wager in self.book[bettor.place]:
                self._settle_wager(bettor, wager, outcome)
        self._settle_trips(bettor)

    def _settle_wager(self, bettor: Bettor, wager: str, outcome: Comparison) -> None:
        place, stake = bettor.place, self.book[bettor.place][wager]
        odds = self.even.get(wager)
        if wager == "blind":
            odds = self.blind.get(self.ranks[str(bettor.seat)].category)
        if (
            outcome == "push"
            or (wager in ("ante", DEALER_TIP) and not self.qualified)
            or (outcome == "win" and odds is None)
        ):
            self.settlement.push(place, wager)
        elif outcome == "lose":
            self.settlement.lose(place, wager, stake)
        elif odds is not None:
            rounding = self.rounding if wager == "blind" else TO_THE_CENT
            self.settlement.win(place, wager, odds.payoff(stake, rounding))

    def _settle_trips(self, bettor: Bettor) -> None:
        stake = self.book[bettor.place].get("trips")
        if stake is None:
            return
        odds = self._trips_odds(bettor)
        if odds is None:
            self.settlement.lose(bettor.place, "trips", stake)
        else:
            self.settlement.win(bettor.place, "trips", odds.payoff(stake))

    def _trips_odds(self, bettor: Bettor) -> Odds | None:
        """What the trips bonus pays, None where it loses; a folded hand may count by the board alone (A2)."""
        if bettor.folded and self.options.trips_on_fold == "board_only":
            return self.trips.get(HIGH.rank(self.board).category)
        rank = self.ranks.get(str(bettor.seat))
        return None if rank is None else self.trips.get(rank.category)
