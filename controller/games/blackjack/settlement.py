"""The action button, and comparison turned into money.

Settlement walks the seats clockwise from the action button, the spots of a seat in their order, the hands of a circle
in playing order; the double of a hand goes with it. Insurance and side bets of a place come after its hands.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from controller.engine import events as ev
from controller.engine.bets.action_button import by_dice, clockwise_from, moves_on
from controller.engine.cards.card import Hand
from controller.engine.expect.wants import WantFloor
from controller.engine.inputs import FloorAct, Place
from controller.engine.money.bank import Odds
from controller.engine.round.felt import Move, Table
from controller.games.blackjack.choices import finished_bars
from controller.games.blackjack.circle import Bet, BetHand, Circle
from controller.games.blackjack.facts import BlackjackFacts
from controller.games.blackjack.options import DECIDED, BlackjackRules, Outcome
from controller.games.tips import DEALER_TIP

HALF = Odds("1:2")
"""What a player gets back who surrenders."""


class Verdict(NamedTuple):
    """What became of a hand, and what it pays where it wins."""

    outcome: Outcome
    odds: Odds | None = None


class Settling:
    """Who is paid and who pays."""

    def __init__(
        self, t: Table, rules: BlackjackRules, circles: Sequence[Circle], bank: Hand, facts: BlackjackFacts
    ) -> None:
        self.t, self.rules, self.circles, self.bank, self.facts = t, rules, circles, bank, facts

    @property
    def positions(self) -> int:
        """Places at the table, the player-dealer's included; a seat that is taken is one of them."""
        posted = int(self.t.settings.get("positions", self.rules.positions))
        return max((posted, self.t.player_dealer or 0, *self.t.seats))

    def place_button(self) -> Move[None]:
        """By what the house has chosen, then on to the first seat with a wager; without a button, the deal's order."""
        result, in_play = self.t.result, {circle.seat for circle in self.circles}
        button = yield from self._button()
        if button is None:
            result.action_seat = self.circles[0].seat if self.rules.settled == "clockwise" else None
            return
        action = button if self.rules.action_seat == "button" else moves_on(button, in_play)
        result.action_seat, self.facts.button_seat = action, button
        self.t.emit(ev.ActionButton(action))

    def _button(self) -> Move[int | None]:
        rules, player_dealer = self.rules, self.t.player_dealer or self.positions
        match rules.action_source.replace(" ", "_"):
            case "none":
                return None
            case "seat_one":
                return 1
            case "dice":
                values = yield from self.t.roll()
                return by_dice(values, player_dealer, self.positions)
            case source:
                first = player_dealer if rules.action_from == "player_dealer_left" else 0
                others = [seat for seat in range(1, self.positions + 1) if seat != player_dealer]
                seats = self.t.clockwise(first, others)
                if source == "player_dealer_left":
                    return seats[0]
                card = self.bank.slots[0 if source == "first_card" else 1].card
                if rules.leaves_button_open(card):
                    return (yield from self._named_button(seats))
                return seats[rules.button_step(card, len(seats)) - 1]

    def _named_button(self, seats: Sequence[int]) -> Move[int]:
        """The card does not decide it: the floor names the position."""
        text = "name the position of the action button"
        want = WantFloor("action_button_open", text, ("action_button", "void"), seats=tuple(sorted(seats)))
        self.t.emit(ev.Held(want.code, text))
        while True:
            body = yield from self.t.wait_for(want, barred=finished_bars(self.rules, self.circles))
            if type(body) is FloorAct and body.seat is not None:
                self.t.emit(ev.Resumed(body.do, body.reason))
                return body.seat
            if type(body) is FloorAct:
                self.t.void("floor_void", body.reason)

    def insurance(self) -> None:
        """All insurance wagers, in the order of the deal."""
        for circle in self.circles:
            for place in circle.insured:
                self._insurance(circle, place)

    def walk(self) -> None:
        """Everything else, seat by seat."""
        result = self.t.result
        result.flags = self.rules.flags(self.bank)
        result.outcome = {}
        seats = self._seats()
        order = sorted(self.circles, key=lambda circle: seats.index(circle.seat))
        for circle in order:
            outcomes = [self._verdict(circle, hand, hand.bets[0]).outcome for hand in circle.hands]
            result.outcome[circle.name] = outcomes if circle.splits else outcomes[0]
            for place in circle.places[1:]:
                own = [(nth, bet) for nth, hand in enumerate(circle.hands) for bet in hand.bets if bet.place == place]
                theirs = [self._verdict(circle, circle.hands[nth], bet).outcome for nth, bet in own]
                if theirs != [outcomes[nth] for nth, _ in own]:
                    result.outcome[str(place)] = theirs if len(theirs) > 1 else theirs[0]
        last = self.rules.behind_settled == "last"
        for circle in order:
            self._circle(circle, circle.places[:1] if last else circle.places)
        for circle in order if last else ():
            self._circle(circle, circle.places[1:])
        for circle in order:
            for place in circle.places:
                self._side_bets(circle, place, last=True)

    def _seats(self) -> list[int]:
        """The seats with a wager in the order of settlement."""
        first, in_play = self.t.result.action_seat, {circle.seat for circle in self.circles}
        if self.rules.settled == "from_dealers_right":
            return sorted(in_play, reverse=True)
        assert first is not None
        return clockwise_from(first, in_play)

    def _circle(self, circle: Circle, places: Iterable[Place]) -> None:
        """The wagers of these bettors on the circle's hands, bettor by bettor."""
        for place in places:
            nets = [self._on_hand(circle, nth, place) for nth in range(len(circle.hands))]
            if circle.base:
                self.facts.net_by_hand[str(place)] = nets
            self._tip(circle, place)
            if self.rules.insurance_settled == "after_base":
                self._insurance(circle, place)
            self._side_bets(circle, place, last=False)

    def _on_hand(self, circle: Circle, nth: int, place: Place) -> int:
        hand = circle.hands[nth]
        bets = [bet for bet in hand.bets if bet.place == place and bet.stake]
        return sum(self._pay(self._verdict(circle, hand, bet), bet, nth) for bet in bets)

    def _tip(self, circle: Circle, place: Place) -> None:
        """The dealer's tip goes with the first wager of its place; what was doubled or split is without it."""
        tip = self.t.book.get(place, {}).get(DEALER_TIP, 0)
        if not tip:
            return
        hand, bet = next((hand, bet) for hand in circle.hands for bet in hand.bets if bet.place == place)
        verdict = self._verdict(circle, hand, bet)
        match verdict.outcome:
            case "dead":
                self.t.result.returned[place] = self.t.result.returned.get(place, 0) + tip
                self.t.settlement.push(place, DEALER_TIP)
            case "surrender":
                self.t.settlement.lose(place, DEALER_TIP, tip - self._half(tip))
            case "rescue":
                self.t.settlement.lose(place, DEALER_TIP, tip)
            case _:
                self._move(verdict, place, DEALER_TIP, tip)

    def _verdict(self, circle: Circle, hand: BetHand, bet: Bet) -> Verdict:
        if hand.dead or bet.surrendered:
            return Verdict("dead" if hand.dead else "surrender")
        outcome = "rescue" if bet.rescued else self.rules.outcome(hand.cards, self.bank)
        if outcome in DECIDED:
            return Verdict(outcome)
        count, even_money = self.rules.count(hand.cards), bet.place in circle.even_money
        return Verdict(outcome, self.rules.odds(outcome, count, even_money=even_money))

    def _pay(self, verdict: Verdict, bet: Bet, nth: int) -> int:
        """Gives what moved, + to the bettor. The order of settlement lists a bettor once, with his first hand."""
        base, settlement = self.rules.base_wager, self.t.settlement
        if verdict.outcome == "dead":
            returned = self.t.result.returned
            returned[bet.place] = returned.get(bet.place, 0) + bet.wager
        if verdict.outcome == "surrender":
            return -settlement.lose(bet.place, base, bet.wager - self._half(bet.wager), listed=not nth)
        if verdict.outcome == "rescue":
            return -settlement.lose(bet.place, base, bet.wager - bet.last_double, listed=not nth)
        if self.rules.net_lines == "together":
            return self._move(verdict, bet.place, base, bet.wager, listed=not nth)
        line = base if not nth else "split" if nth == 1 else f"split_{nth + 1}"
        moved = self._move(verdict, bet.place, line, bet.stake)
        if bet.doubles:
            moved += self._move(verdict, bet.place, "double", sum(bet.doubles))
        return moved

    def _move(self, verdict: Verdict, place: Place, line: str, cents: int, *, listed: bool = True) -> int:
        settlement = self.t.settlement
        if verdict.outcome == "lose":
            return -settlement.lose(place, line, cents, listed=listed)
        if verdict.odds is None:
            settlement.push(place, line, listed=listed)
            return 0
        return settlement.win(place, line, verdict.odds.payoff(cents, self.rules.rounding), listed=listed)

    def _half(self, cents: int) -> int:
        """What a player keeps who surrenders."""
        return HALF.payoff(cents, self.rules.rounding)

    def _insurance(self, circle: Circle, place: Place) -> None:
        cents = circle.insured.get(place, 0)
        if not cents:
            return
        if self.rules.bank_count(self.bank).natural:
            if self.rules.insured_natural == "pay" or not self._is_natural(circle):
                self.t.settlement.win(place, "insurance", self.rules.insurance_odds.payoff(cents, self.rules.rounding))
            elif self.rules.insured_natural == "push":
                self.t.settlement.push(place, "insurance")
            else:
                self.t.settlement.lose(place, "insurance", cents)
        else:
            self.t.settlement.lose(place, "insurance", cents)

    def _is_natural(self, circle: Circle) -> bool:
        return len(circle.hands) == 1 and bool(self.rules.count(circle.hands[0].cards).natural)

    def _side_bets(self, circle: Circle, place: Place, *, last: bool) -> None:
        for bet in self.rules.bets_beside:
            if bet.last != last:
                continue
            wager = bet.rule.id
            stake = self.t.book.get(place, {}).get(wager, 0)
            if not stake:
                continue
            odds = bet.odds(circle.dealt, self.bank, self.rules.bank_count(self.bank))
            if odds is None:
                self.t.settlement.lose(place, wager, stake)
            else:
                self.t.settlement.win(place, wager, odds.payoff(stake, self.rules.rounding))
