"""The round of the family: deal, insurance, check of the down card, players, player-dealer.

A busted hand is not settled when it busts: cards and wager stay until the player-dealer's hand is complete, and it is
always completed. The down card is known to nobody, at the check to the house dealer, and to all when it is turned up.
"""

from __future__ import annotations

from controller.engine import events as ev
from controller.engine.cards import Audience, Card, codes
from controller.engine.expect import Choice, WantFloor, title
from controller.engine.felt import Move, Script, Table
from controller.engine.inputs import Act, FloorAct
from controller.games.blackjack.asking import chart_bars, choices_of, finished_bars, hand_bars, insurance_choices
from controller.games.blackjack.circle import BetHand, Circle, circles_of
from controller.games.blackjack.rules import BlackjackRules
from controller.games.blackjack.settling import Settling

LOOK = "look at the down card, keep it face down"


def play_round(t: Table, rules: BlackjackRules) -> Script:
    yield from t.take_wagers(rules.wagers, rules.schedule)
    circles = circles_of(t, rules.base_wager)
    if not circles:
        yield from _nobody(t)
    yield from t.collect_fees(rules.schedule, "before_deal")
    deal = Deal(t, rules, circles)
    yield from deal.first_cards()
    yield from t.collect_fees(rules.schedule, "after_initial_deal")
    if rules.is_checked(deal.up):
        yield from deal.before_the_check()
        yield from deal.check()
    if not deal.bank_has_natural:
        yield from deal.players()
    yield from deal.player_dealer()
    deal.settling.walk()


def _nobody(t: Table) -> Move[None]:
    """No wager, no round. A table that records no wagers must be told who takes part before it can deal."""
    while not t.setup.records_wagers:
        told = yield from t.wait_for(WantFloor("no_seats", "set the seats that take part", choices=("void",)))
        if type(told) is FloorAct:
            break
    t.void("nobody_dealt_in", "no circle has a wager")


class Deal:
    """One deal, from the first card to the player-dealer's last."""

    def __init__(self, t: Table, rules: BlackjackRules, circles: list[Circle]) -> None:
        self.t, self.rules, self.circles = t, rules, circles
        self.bank = t.hand("player_dealer")
        self.settling = Settling(t, rules, circles, self.bank)
        self.bank_has_natural = False
        """Found at the check: nobody draws."""
        self.may_surrender = True
        """In the turn of the hand; an early surrender comes before the check."""

    @property
    def up(self) -> Card:
        return self.bank.slots[0].card

    def first_cards(self) -> Move[None]:
        """One card to each circle and the player-dealer, twice; only the player-dealer's second is face down."""
        for first in (True, False):
            for circle in self.circles:
                yield from self.t.deal(circle.hands[0].cards)
            yield from self.t.deal(self.bank, up=first)
        self._note()

    # Before anybody draws

    def before_the_check(self) -> Move[None]:
        if self.rules.insurance and self.rules.insures(self.up):
            for circle in self.circles:
                yield from self._insure(circle)
        if self.rules.surrender == "early":
            self.may_surrender = False
            for circle in self.circles:
                yield from self._surrender_early(circle)

    def _insure(self, circle: Circle) -> Move[None]:
        act = yield from self.t.ask(circle.place, insurance_choices(self.rules, circle), asks="before the check")
        if act.do == "no_insurance":
            return
        half = circle.base // 2
        circle.even_money = act.do == "even_money"
        circle.insurance = half if circle.even_money else min(act.cents or 0, half)
        circle.lay_down(self.t, "insurance", circle.insurance)

    def _surrender_early(self, circle: Circle) -> Move[None]:
        hand = circle.hands[0]
        if self.rules.count(hand.cards).natural:
            return
        asks = f"{self._against(hand)}, before the check"
        act = yield from self.t.ask(circle.place, (Choice("surrender"), Choice("no_surrender")), asks=asks)
        if act.do == "surrender":
            self._give_up(hand)

    def check(self) -> Move[None]:
        """The house dealer looks under the up card; a reader that missed the card is told it, and nobody else is."""
        down = self.bank.slots[1]
        down.audience = Audience.DEALER
        yield from self.t.name_unread(self.bank, asks=LOOK)
        self.bank_has_natural = self.rules.count(self.bank).natural
        self.t.emit(ev.StreetDealt("check"))
        if self.rules.insurance_settled == "at_check":
            self.settling.insurance()

    # Players

    def players(self) -> Move[None]:
        for at, circle in enumerate(self.circles):
            nth = 0
            while nth < len(circle.hands):
                yield from self._play(circle, nth, self.circles[:at])
                nth += 1

    def _play(self, circle: Circle, nth: int, finished: list[Circle]) -> Move[None]:
        """One hand to its end. A split leaves its first half here and the other for the next turn."""
        while True:
            hand = circle.hands[nth]
            if len(hand.cards) == 1:
                yield from self._draw(hand, f"{title(hand.cards.owner)}: second card")
            choices = choices_of(self.rules, circle, hand, may_surrender=self.may_surrender)
            if not choices:
                return
            if len(choices) == 1:
                yield from self._carry_out(circle, hand, choices[0])
                continue
            act = yield from self.t.ask(
                circle.place,
                choices,
                barred=(*hand_bars(self.rules, circle, hand), *finished_bars(self.rules, finished)),
                hand=nth + 1,
                asks=self._against(hand),
            )
            yield from self._do(circle, hand, act)

    def _carry_out(self, circle: Circle, hand: BetHand, only: Choice) -> Move[None]:
        """The chart leaves one choice: nobody is asked."""
        if only.do == "stand":
            hand.closed = True
            return
        count = self.rules.count(hand.cards)
        says = f"{title(hand.cards.owner)} has {count} and must hit"
        yield from self._draw(hand, says, circle)

    def _do(self, circle: Circle, hand: BetHand, act: Act) -> Move[None]:
        name = title(hand.cards.owner)
        match act.do:
            case "hit":
                yield from self._draw(hand, f"{name} hits")
            case "double":
                hand.doubled = min(act.cents or 0, circle.base)
                circle.lay_down(self.t, "double", hand.doubled)
                yield from self._draw(hand, f"{name} doubles: one card")
                hand.closed = True
            case "split":
                circle.split(self.t, hand)
                circle.lay_down(self.t, f"split_{circle.splits}", circle.base)
            case "surrender":
                self._give_up(hand)
            case "stand":
                hand.closed = True
        self._note()

    def _draw(self, hand: BetHand, says: str, forced: Circle | None = None) -> Move[None]:
        barred = () if forced is None else chart_bars(self.rules, forced.place, self.rules.count(hand.cards))
        yield from self.t.deal(hand.cards, says=says, barred=barred)
        self._note()

    def _give_up(self, hand: BetHand) -> None:
        hand.surrendered = hand.closed = True

    def _against(self, hand: BetHand) -> str:
        return f"{self.rules.count(hand.cards)} against {self.bank.slots[0].face}"

    # Player-dealer

    def player_dealer(self) -> Move[None]:
        """The down card turned up, the action button placed by it, the hand completed by the chart."""
        yield from self.t.show(self.bank)
        self.settling.place_button(self.bank.slots[1].card)
        barred = finished_bars(self.rules, self.circles)
        while not self.bank_has_natural and self.rules.player_dealer_chart.says(self.rules.count(self.bank)) == "hit":
            says = f"Player-dealer has {self.rules.count(self.bank)} and draws"
            yield from self.t.deal(self.bank, says=says, barred=barred)
        self._note()

    def _note(self) -> None:
        """The result as far as it is known: every exposed hand with its total and its money."""
        result, rules = self.t.result, self.rules
        for circle in self.circles:
            hands = circle.hands
            result.totals[circle.name] = [rules.shown(rules.count(hand.cards)) for hand in hands]
            result.more.setdefault("wager_by_hand", {})[circle.name] = [hand.wager for hand in hands]
            if circle.splits:
                result.arranged[circle.name] = [codes(hand.cards.cards) for hand in hands]
        if self.bank.is_exposed:
            result.totals["player_dealer"] = [rules.shown(rules.count(self.bank))]
        self._note_splits()

    def _note_splits(self) -> None:
        """Splits made, allowed, and hands after them: of the circle that split, by circle where several did."""
        told = [circle for circle in self.circles if circle.splits] or self.circles
        facts = {
            "splits_used": {circle.name: circle.splits for circle in told},
            "splits_allowed": {circle.name: self.rules.max_splits for circle in told},
            "hands_in_play": {circle.name: len(circle.hands) for circle in told},
        }
        for fact, by_circle in facts.items():
            self.t.result.more[fact] = by_circle if len(told) > 1 else by_circle[told[0].name]
