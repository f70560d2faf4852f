"""The action button, and comparison turned into money.

Settlement walks the seats clockwise from the action button, the spots of a seat in their order, the hands of a circle
in playing order; the double of a hand goes with it.
"""

from __future__ import annotations

from collections.abc import Sequence

from controller.engine import events as ev
from controller.engine.action_button import by_card, clockwise_from, moves_on
from controller.engine.cards import Card, Hand
from controller.engine.felt import Table
from controller.games.blackjack.circle import BetHand, Circle
from controller.games.blackjack.rules import BlackjackRules, Outcome

SEATS = 8


class Settling:
    """Who is paid and who pays."""

    def __init__(self, t: Table, rules: BlackjackRules, circles: Sequence[Circle], bank: Hand) -> None:
        self.t, self.rules, self.circles, self.bank = t, rules, circles, bank

    def place_button(self, down: Card) -> None:
        """By the down card, then on to the first seat with a wager."""
        button = by_card(self.rules.button_count(down), self.t.player_dealer or SEATS, SEATS)
        seat = moves_on(button, {circle.seat for circle in self.circles})
        self.t.result.action_seat, self.t.result.more["button_seat"] = seat, button
        self.t.emit(ev.ActionButton(seat))

    def insurance(self) -> None:
        """All insurance wagers, from the left of the player-dealer."""
        for circle in self.circles:
            self._insurance(circle)

    def walk(self) -> None:
        result = self.t.result
        first = result.action_seat
        assert first is not None
        result.flags = self.rules.flags(self.bank)
        result.outcome = {}
        order = clockwise_from(first, {circle.seat for circle in self.circles})
        for circle in sorted(self.circles, key=lambda circle: order.index(circle.seat)):
            outcomes = [self._outcome(hand) for hand in circle.hands]
            result.outcome[circle.name] = outcomes if circle.splits else outcomes[0]
            if not circle.base:
                continue
            nets = [self._pay(circle, hand, outcome) for hand, outcome in zip(circle.hands, outcomes, strict=True)]
            result.more.setdefault("net_by_hand", {})[circle.name] = nets
            if self.rules.insurance_settled == "after_base":
                self._insurance(circle)

    def _outcome(self, hand: BetHand) -> Outcome:
        if hand.surrendered:
            return "surrender"
        return self.rules.outcome(self.rules.count(hand.cards), self.rules.count(self.bank), self.bank)

    def _pay(self, circle: Circle, hand: BetHand, outcome: Outcome) -> int:
        """Gives what moved, + to the circle. The order of settlement lists a circle once, with its first hand."""
        settlement, place, wager = self.t.settlement, circle.place, self.rules.base_wager
        listed = hand is circle.hands[0]
        if outcome == "surrender":
            return -settlement.lose(place, wager, hand.wager - hand.wager // 2, listed=listed)
        if outcome == "lose":
            return -settlement.lose(place, wager, hand.wager, listed=listed)
        odds = self.rules.odds(outcome, even_money=circle.even_money)
        if odds is None:
            settlement.push(place, wager, listed=listed)
            return 0
        return settlement.win(place, wager, odds.payoff(hand.wager), listed=listed)

    def _insurance(self, circle: Circle) -> None:
        if not circle.insurance:
            return
        if self.rules.count(self.bank).natural:
            self.t.settlement.win(circle.place, "insurance", self.rules.insurance_odds.payoff(circle.insurance))
        else:
            self.t.settlement.lose(circle.place, "insurance", circle.insurance)
